"""Form processor: ranked assignments, filling, submission."""
