"""Who judges: lenses, quorum, gate."""
