"""A person looks at what the crawl decided and corrects it."""
