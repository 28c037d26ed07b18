"""Judging on the terminal: one drawn answer after the other, a key for each verdict."""

from __future__ import annotations

import time
import webbrowser
from typing import TYPE_CHECKING

from rich.text import Text

from hiwe.report.sheet import answers, write_answer
from hiwe.repository.judged import Judged
from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.console import Console

    from hiwe.report.sheet import Answer
    from hiwe.repository.database import Database

KEYS = {
    "r": Verdict.RESULTS,
    "n": Verdict.NO_RESULTS,
    "i": Verdict.INVALID,
    "e": Verdict.ERROR,
    "b": Verdict.BLOCKED,
    "s": Verdict.SAME_PAGE,
}
MOST_EVIDENCE = 4
HELP = "Enter agrees; r results, n no results, i invalid, e error, b blocked, s same page;\n" \
       "o opens the page, k keeps it for later, q ends"  # fmt: skip


def judge_drawn(
    out: Path,
    db: Database,
    console: Console,
    ask: Callable[[str], str] = input,
    show: Callable[[str], object] = webbrowser.open,
) -> int:
    """Ask a person for each drawn answer that is not judged yet; return how many were.

    `ask` reads a line, `show` opens an address. Every word is kept at once.
    """
    judged = Judged(db)
    known = judged.verdicts()
    left = [number for number in judged.drawn() if number not in known]
    console.print(Text(HELP, "dim"))
    done = 0
    for place, one in enumerate(answers(db, left), 1):
        _print(console, one, f"{place} of {len(left)}")
        verdict = _asked(out, one, ask, show)
        if verdict is None:
            break
        if isinstance(verdict, Verdict):
            judged.judge(one.id, verdict, at=time.time())
            done += 1
    return done


def _print(console: Console, one: Answer, place: str) -> None:
    console.print()
    console.print(Text(f"{place}: submission {one.id} at {one.site}", "bold"))
    console.print(Text(f"  asked    {one.values}"))
    console.print(Text(f"  request  {one.request}"))
    console.print(Text(f"  records  {one.records}"))
    for text in one.evidence[:MOST_EVIDENCE]:
        console.print(Text(f"  {text}"[:200], "dim"))
    reason = f", {one.reason}" if one.reason else ""
    console.print(Text(f"  hiwe says {one.verdict} ({one.confidence:.2f}{reason})"))


def _asked(
    out: Path, one: Answer, ask: Callable[[str], str], show: Callable[[str], object]
) -> Verdict | str | None:
    """A person's verdict, 'later' to leave it open, None to end."""
    while True:
        try:
            said = ask("  verdict? ").strip().lower()
        except EOFError:
            return None
        if said in ("", str(one.verdict)):
            return one.verdict
        if said == "q":
            return None
        if said == "k":
            return "later"
        if said == "o":
            page = write_answer(out, one)
            show(page.resolve().as_uri() if page else one.request.split(" ")[1])
        elif said in KEYS or said in set(Verdict):
            return KEYS.get(said) or Verdict(said)
