"""Whether a passage answers a question: the kind of the question, a calibrated score, and what adds something new.

Rules and weights without input or output. Nothing is read, asked or written here.
"""
