"""Search on the live web: one file a provider, all of them thirty lines over one HTTP client."""
