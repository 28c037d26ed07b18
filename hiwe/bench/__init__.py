"""Benchmarks of the stages: `hiwe bench NAME`."""
