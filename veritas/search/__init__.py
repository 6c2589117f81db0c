"""Where we look: search providers and the schedule that rotates them."""
