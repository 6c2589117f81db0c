"""The writing side of a review: its structure, the writers, and the code that resolves what they cite."""
