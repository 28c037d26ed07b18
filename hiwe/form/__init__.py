"""Form analyser: forms, LITE labels, searchable or not."""
