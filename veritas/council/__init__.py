"""The members of the council and the turns they take."""
