"""The version, where every module may ask for it."""

from __future__ import annotations

__version__ = "0.1.0"
