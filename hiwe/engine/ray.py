"""Workers on a Ray cluster: the local engine's own workers, each an actor with its own browser.

Every site has its home at one worker. A worker that dies is replaced, and what it had in hand comes
back as lost; until the new one is up its sites go to others, so that a smaller cluster ends the
run too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import RayError, RayTaskError

from hiwe.engine.action import LOST, Failure
from hiwe.engine.in_flight import InFlight
from hiwe.engine.pins import Pins
from hiwe.engine.ray_worker import RayWorker
from hiwe.errors import BrowserError, EngineError, UsageError, one_line
from hiwe.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hiwe.engine.action import Action, Observation
    from hiwe.engine.engine import MakeWorker

LOG = logging.getLogger(__name__)
AUTO = "auto"  # the address of the cluster that this machine belongs to
BROWSER = "browser"  # the resource by which a cluster says how many workers a node may hold
SLOTS = 4  # actions at once on one worker: as many as a local run does by default
QUEUED = 2  # actions in flight for each slot, so that a worker finds its next one waiting
LONGEST_ACTION_S = 1800.0  # an observation that has not come by then will not come
START_DEADLINE_S = 60.0
ABSENCE_S = 300.0  # how long there may be no worker at all
RESTART_S = (0.0, 1.0, 5.0, 15.0, 30.0)  # waits before a place is filled again, by vain attempts
STOP_DEADLINE_S = 10.0
ANSWER_S = 5.0  # how long an address may take to answer


class RayEngine:
    """Performs actions on so many `workers`, each with a browser and files of its own.

    `make_worker` is pickled; `address` is that of a cluster (HOST:PORT, or `auto` for the one this
    machine belongs to). Without one, that of the environment's RAY_ADDRESS is taken, else a cluster
    is started on this machine for as long as the run lasts.
    """

    def __init__(self, make_worker: MakeWorker, workers: int, address: str | None = None) -> None:
        """Nothing runs before `start`."""
        self._make_worker = make_worker
        self._workers = workers
        self._address = address or os.environ.get("RAY_ADDRESS")
        self._pins = Pins(workers)
        self._in_flight = InFlight()
        self._open: dict[int, Any] = {}  # place -> its actor, while it is up
        self._hired: dict[int, Any] = {}  # place -> its actor, up or not
        self._numbers = 0
        self._news = asyncio.Event()  # a place was opened, or there is a fault
        self._keepers: list[asyncio.Task[None]] = []
        self._why_none = ""
        self._needs: dict[str, Any] = {}
        self._aside = contextlib.ExitStack()

    async def start(self) -> None:
        """Join the cluster and start the workers; goes on with one when the others take long.

        UsageError or EngineError for a cluster that is not to be had or has no room for a worker.
        """
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(self.stop)
            # Ray prints what it has to say of dead workers to stdout, which is for results.
            self._aside.enter_context(contextlib.redirect_stdout(sys.stderr))
            _join(self._address, self._workers)
            self._needs = _needs()
            await self._first_workers()
            undo.pop_all()

    async def _first_workers(self) -> None:
        """Fill the places; return when all are open, or after the deadline if some are."""
        self._keepers = [asyncio.create_task(self._keep(at)) for at in range(self._workers)]
        for keeper in self._keepers:
            keeper.add_done_callback(self._keeper_ended)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_DEADLINE_S):
                while len(self._open) < self._workers:
                    await self._something_new()
        if not self._open:
            raise self._no_worker(START_DEADLINE_S)
        if len(self._open) < self._workers:
            LOG.warning("%d of %d workers are up; others join", len(self._open), self._workers)

    async def _something_new(self) -> None:
        self._news.clear()
        await self._news.wait()
        self._in_flight.check()

    def _no_worker(self, waited_s: float) -> EngineError:
        what = BROWSER if "resources" in self._needs else "CPU"
        why = self._why_none or f"no node has room; each worker asks for one unit of {what}"
        return EngineError(f"no Ray worker came up in {waited_s:.0f} s: {why}")

    @property
    def free(self) -> int:
        """How many more actions may wait for the workers now."""
        return self._in_flight.room(self._workers * SLOTS * QUEUED)

    def perform(self, action: Action) -> None:
        """Give an action to the worker at its site's home."""
        self._in_flight.begin(self._perform(action))

    async def observe(self, timeout_s: float) -> Observation | None:
        """The next observation; None after `timeout_s` seconds without one."""
        return await self._in_flight.observe(timeout_s)

    async def _perform(self, action: Action) -> Observation:
        await self._some_worker()
        place = self._pins.place_of(action.terms.key, self._open)
        actor = self._open[place]
        try:
            async with asyncio.timeout(LONGEST_ACTION_S):
                observation: Observation = await actor.perform.remote(action)
                return observation
        except (RayError, TimeoutError) as exc:
            reason = _reason(_of_worker(exc))
        self._bury(place, actor, reason)
        return Failure(action.id, LOST, f"worker {place} was lost: {reason}")

    async def _some_worker(self) -> None:
        """Return when one is up."""
        try:
            async with asyncio.timeout(ABSENCE_S):
                while not self._open:
                    await self._something_new()
        except TimeoutError as exc:
            raise self._no_worker(ABSENCE_S) from exc

    async def _keep(self, place: int) -> None:
        """Have a worker in a place for as long as the run lasts, a new one when one is lost."""
        vain = 0
        while True:
            await asyncio.sleep(RESTART_S[min(vain, len(RESTART_S) - 1)])
            actor = self._hired[place] = self._hire()
            try:
                version = await actor.start.remote()
            except RayError as exc:
                error = _of_worker(exc)
                if isinstance(error, BrowserError) and not self._open:
                    raise error from exc  # as in a local run; later other workers go on
                _kill(actor)  # it holds a place on its node, though its browser does not start
                vain += 1
                self._why_none = _reason(error)
                LOG.warning("worker %d does not start: %s", place, self._why_none)
                continue
            if version != __version__:
                raise EngineError(f"worker {place} has hiwe {version}, this is {__version__}")
            vain = 0
            self._open[place] = actor
            self._news.set()
            watch = asyncio.create_task(self._watch(place, actor))
            try:
                while self._open.get(place) is actor:
                    await self._something_new()
            finally:
                watch.cancel()

    async def _watch(self, place: int, actor: Any) -> None:
        """Close the place of a worker that ends while it has nothing in hand, too."""
        try:
            await actor.stay.remote()
        except RayError as exc:
            self._bury(place, actor, _reason(exc))

    def _keeper_ended(self, keeper: asyncio.Task[None]) -> None:
        if not keeper.cancelled() and (fault := keeper.exception()):
            self._in_flight.fail(fault)
            self._news.set()

    def _hire(self) -> Any:
        """A new actor, with a number that no other has had."""
        self._numbers += 1
        make_worker = partial(self._make_worker, self._numbers)
        actor = ray.remote(RayWorker).options(
            **self._needs, scheduling_strategy="SPREAD", max_restarts=0, max_task_retries=0
        )
        return actor.remote(make_worker, SLOTS)

    def _bury(self, place: int, actor: Any, reason: str) -> None:
        """Close the place of an actor that is lost; its keeper then finds another."""
        if self._open.get(place) is actor:
            LOG.warning("worker %d is lost: %s", place, reason)
            del self._open[place]
            _kill(actor)
            self._news.set()

    async def stop(self) -> None:
        """Cancel what is in flight, let the workers close, leave the cluster; within deadlines."""
        for keeper in self._keepers:
            keeper.cancel()
        await self._in_flight.cancel(STOP_DEADLINE_S)
        closing = asyncio.gather(
            *(actor.close.remote() for actor in self._open.values()), return_exceptions=True
        )
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(closing, STOP_DEADLINE_S)
        for actor in self._hired.values():
            _kill(actor)
        ray.shutdown()
        self._aside.close()


def _join(address: str | None, workers: int) -> None:
    """Join the cluster at `address`, or start one here that has room for the workers."""
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # tell nobody
        common |= {"include_dashboard": False, "resources": {BROWSER: workers}}
    elif address != AUTO:
        _check_answers(address)
    try:
        with _own_signals():
            ray.init(address=address or "local", **common)
    except (OSError, RuntimeError, ValueError, RayError) as exc:
        raise EngineError(f"Ray at {address or 'this machine'}: {_reason(exc)}") from exc


@contextlib.contextmanager
def _own_signals() -> Iterator[None]:
    """Put back our handler of SIGTERM, in whose place Ray puts one of its own."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    if threading.current_thread() is threading.main_thread() and before is not None:
        signal.signal(signal.SIGTERM, before)


def _check_answers(address: str) -> None:
    """Say soon what Ray says after a minute: that nobody listens at HOST:PORT."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise UsageError(
            f"--ray-address {address}: give HOST:PORT, or leave it out to start Ray on this machine"
        )
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER_S).close()
    except OSError as exc:
        raise EngineError(
            f"Ray at {address} does not answer ({exc}); is it up? (ray start --head --port {port})"
        ) from exc


def _needs() -> dict[str, Any]:
    """What a worker asks of a node: a browser where the cluster counts them, else a processor."""
    resources: Callable[[], dict[str, float]] = ray.cluster_resources
    return {"num_cpus": 0, "resources": {BROWSER: 1}} if BROWSER in resources() else {"num_cpus": 1}


def _kill(actor: Any) -> None:
    with contextlib.suppress(RayError, ValueError):
        ray.kill(actor)


def _of_worker(error: Exception) -> Exception:
    """The worker's own BrowserError that Ray wrapped up, or Ray's error; raises any other fault."""
    if not isinstance(error, RayTaskError):
        return error
    cause = error.cause if isinstance(error.cause, Exception) else error
    if not isinstance(cause, BrowserError):
        raise cause from error
    return cause


def _reason(error: BaseException) -> str:
    """The first line of a message, or the error's name: Ray's go over pages."""
    said = next((line for line in str(error).splitlines() if line.strip()), "")
    return one_line(said) or type(error).__name__
