"""Search in the scholarly indexes: one file for each provider; none of them needs a key."""
