"""The reviewing side of a review: it sees the draft's text and the corpus, and nothing else from the writer."""
