"""Repository: database, archive, exports."""
