"""The task: what a person wants crawled, read from YAML and checked before anything starts."""

from __future__ import annotations

from hiwe.task.document import dump_yaml, read_yaml
from hiwe.task.loading import load_task, parse_task
from hiwe.task.settings import Settings
from hiwe.task.task import Site, Task

__all__ = ["Settings", "Site", "Task", "dump_yaml", "load_task", "parse_task", "read_yaml"]
