"""The meaning of claims and passages: the lens seam, the embedded lenses, equivalence and contradiction."""
