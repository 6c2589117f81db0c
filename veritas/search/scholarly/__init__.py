"""Search in the scholarly indexes: one file a provider; none of them needs a key."""
