"""Search providers, and the schedule that rotates them."""
