"""The use cases: all that a user can ask for; every door calls these and nothing deeper."""
