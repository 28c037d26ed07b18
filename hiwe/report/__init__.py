"""What a run achieved, for people."""
