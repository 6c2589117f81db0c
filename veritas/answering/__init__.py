"""Whether a passage answers a question: the kind of the question, a calibrated score, and what adds something new.

Rules and weights without input or output: nothing is asked or written here, and no file is read but an encoder's model.
"""
