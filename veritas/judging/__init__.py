"""One judge: whether a passage says what a claim says, by an exact layer, a learned model and equal words."""

from veritas.judging.exact import Difference
from veritas.judging.learned import fingerprint, learned
from veritas.judging.verdict import STRICT, SUPPORT, Question, Verdict, judge, judge_all, shown
from veritas.meaning.relation import NOWHERE, Setting

__all__ = [
    "NOWHERE", "STRICT", "SUPPORT", "Difference", "Question", "Setting", "Verdict", "fingerprint", "judge", "judge_all",
    "learned", "shown",
]  # fmt: skip
