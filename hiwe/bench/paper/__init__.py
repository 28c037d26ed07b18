"""HiWE's experiments (Raghavan and Garcia-Molina, VLDB 2001) on a generated hidden web."""

from __future__ import annotations

from hiwe.bench.paper.bench import run

__all__ = ["run"]
