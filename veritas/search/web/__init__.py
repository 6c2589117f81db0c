"""Search on the live web: one short file for each provider, over one HTTP client."""
