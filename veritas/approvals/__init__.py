"""Approvals: findings that the gate cannot decide are put before a person, and decided or withdrawn, in files.

    from veritas import approvals

    waiting = approvals.pending()
    approvals.settle(waiting[0].approval_id, "approve", "Ada Lovelace", "I read the manual; page 3 says so")
"""

from veritas.approvals._gate_cases import ask_about, case_of
from veritas.approvals.approval import Approval, Case, CasePassage, Kind, State
from veritas.approvals.person import Person
from veritas.approvals.settlement import (
    ask,
    draft,
    every,
    find,
    pending,
    settle,
    signed_here,
    survey,
    unreadable,
    withdraw,
)
from veritas.claims.override import PersonDecision

__all__ = [
    "Approval",
    "Case",
    "CasePassage",
    "Kind",
    "Person",
    "PersonDecision",
    "State",
    "ask",
    "ask_about",
    "case_of",
    "draft",
    "every",
    "find",
    "pending",
    "settle",
    "signed_here",
    "survey",
    "unreadable",
    "withdraw",
]
