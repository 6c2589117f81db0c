"""Who speaks: the members of the council and the turns they take."""
