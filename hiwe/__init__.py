"""hiwe: a task-specific, human-assisted crawler of the hidden web."""

from __future__ import annotations

__version__ = "0.1.0"
