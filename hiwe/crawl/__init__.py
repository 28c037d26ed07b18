"""Crawl manager and URL list: the loop, frontier, politeness."""
