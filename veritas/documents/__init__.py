"""A document as it was read: passages with offsets, sections, and the verbatim check (I1)."""
