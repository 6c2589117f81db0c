"""The text for a registry that was not asked."""

NOT_ASKED = "offline, and this answer is not in the cache"
"""How a problem ends that is a registry's which was not asked."""
