"""The engine's promises, kept by the local one: back-pressure, losses, faults, an end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from hiwe.engine.action import LOST, Failure
from hiwe.engine.local import LocalEngine
from tests.engine.faking import BREAKING, ENDING, SLOW, FakeWorker, fetch, make_fake

PATIENCE_S = 5.0


def test_every_action_is_observed_and_its_slot_is_free_again():
    async def work():
        engine = LocalEngine(make_fake, 3)
        await engine.start()
        for number in range(3):
            engine.perform(fetch(number))
        assert engine.free == 0
        seen = {(await engine.observe(PATIENCE_S)).action_id for _ in range(3)}
        await asyncio.sleep(0)
        assert engine.free == 3
        await engine.stop()
        return seen

    assert asyncio.run(work()) == {0, 1, 2}


def test_observations_that_nobody_reads_hold_up_the_workers():
    async def work():
        engine = LocalEngine(make_fake, 2)
        await engine.start()
        given = 0
        for _ in range(20):
            while engine.free > 0:
                engine.perform(fetch(given))
                given += 1
            await asyncio.sleep(0.01)
        read = [await engine.observe(PATIENCE_S) for _ in range(given)]
        return given, len({o.action_id for o in read}), engine.free

    assert asyncio.run(work()) == (4, 4, 2)


def test_as_many_actions_as_there_are_slots_may_wait_in_threads():
    slots = 40  # more than the processors of most machines would give threads for
    together = threading.Barrier(slots)

    class Waiting(FakeWorker):
        async def perform(self, action):
            await asyncio.to_thread(together.wait, PATIENCE_S)
            return await super().perform(action)

    async def make(number):
        return Waiting(number)

    async def work():
        engine = LocalEngine(make, slots)
        await engine.start()
        for number in range(slots):
            engine.perform(fetch(number))
        seen = [await engine.observe(PATIENCE_S) for _ in range(slots)]
        await engine.stop()
        return {o.action_id for o in seen}

    assert asyncio.run(work()) == set(range(slots))


def test_nothing_is_observed_when_nothing_is_in_flight():
    async def work():
        engine = LocalEngine(make_fake, 1)
        return await engine.observe(0.01)

    assert asyncio.run(work()) is None


def test_an_action_under_which_the_browser_ended_is_lost_and_the_next_finds_another():
    made = []

    async def make(number):
        made.append(FakeWorker(number))
        return made[-1]

    async def work():
        engine = LocalEngine(make, 1)
        await engine.start()
        engine.perform(fetch(1, ENDING))
        lost = await engine.observe(PATIENCE_S)
        engine.perform(fetch(2))
        return lost, await engine.observe(PATIENCE_S)

    lost, later = asyncio.run(work())
    assert lost == Failure(1, LOST, "the browser ended")
    assert lost.is_loss
    assert later.status == 200
    assert len(made) == 2


def test_a_crash_of_a_page_alone_is_no_loss():
    class OfPage(FakeWorker):
        async def perform(self, action):
            return Failure(action.id, "crash", "the tab was closed")

    async def make(number):
        return OfPage(number)

    async def work():
        engine = LocalEngine(make, 1)
        engine.perform(fetch(1))
        return await engine.observe(PATIENCE_S)

    assert asyncio.run(work()).kind == "crash"


def test_a_browser_that_is_known_to_have_ended_a_moment_later_is_a_loss_too():
    class Later(FakeWorker):
        async def perform(self, action):
            asyncio.get_running_loop().call_later(0.05, setattr, self, "alive", False)
            return Failure(action.id, "crash", "the tab was closed")

    async def make(number):
        return Later(number)

    async def work():
        engine = LocalEngine(make, 1)
        engine.perform(fetch(1))
        return await engine.observe(PATIENCE_S)

    assert asyncio.run(work()).is_loss


def test_a_fault_of_the_worker_ends_the_run():
    async def work():
        engine = LocalEngine(make_fake, 1)
        await engine.start()
        engine.perform(fetch(1, BREAKING))
        await engine.observe(0.1)
        await engine.observe(0.1)

    with pytest.raises(LookupError, match=BREAKING):
        asyncio.run(work())


def test_stop_ends_what_is_in_flight():
    async def work():
        engine = LocalEngine(make_fake, 1)
        await engine.start()
        engine.perform(fetch(1, SLOW))
        await asyncio.sleep(0)
        await engine.stop()
        await asyncio.sleep(0)
        return engine.free

    assert asyncio.run(asyncio.wait_for(work(), 2.0)) == 1
