"""How each format of bibliographies becomes entries: one file a format."""
