"""How we read: documents, passages with offsets, and the verbatim check."""
