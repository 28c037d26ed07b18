"""LVS manager: labels and fuzzy value sets."""
