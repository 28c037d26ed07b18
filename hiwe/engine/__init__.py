"""Engines: where the workers run."""
