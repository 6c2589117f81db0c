"""What a user can ask for; every door calls this and nothing deeper."""
