"""What a person sees of a run: progress, summary, tables and page, all from its database alone."""
