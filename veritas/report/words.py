"""What the graph's short codes are called in front of a reader."""

from __future__ import annotations

LABELS = {
    "supports": ("✓", "supported"),
    "refutes": ("✗", "refuted"),
    "silent": ("–", "silent"),
    "unavailable": ("?", "unavailable"),
    None: ("·", "not put to the verifier"),
}
"""Verdict -> sign and words."""

RESOLUTIONS = {
    "invalid": "Invalid: does not count",
    "open": "Open: the objection stands",
    "defended": "Defended: the claim stands",
    "conceded": "Conceded: the claim was given up",
    "refined": "Refined: a narrower claim took its place",
}

STATUSES = {
    "read": "Read",
    "rejected": "Rejected",
    "orientation": "Orientation only",
    "unread": "Admitted, not read",
    "unavailable": "Could not be read",
}

STAGE_NAMES = {
    "decompose": "Splitting the question",
    "research": "Searching and reading",
    "extract": "Drafting claims",
    "verify": "Verifying",
    "debate": "Debate",
    "synthesize": "Writing the answer",
    "render": "Report",
}

CAUGHT = {
    "decompose": "when the question was split",
    "research": "by the source policy",
    "extract": "when claims were drafted",
    "verify": "by the verifier",
    "debate": "in the debate",
    "synthesize": "when the answer was written",
    "render": "when the report was made",
}
"""Stage -> where something planted was caught."""

EVENT_KINDS = {
    "source-rejected": "Sources the policy did not admit",
    "source-unavailable": "Sources that could not be read",
    "search-unavailable": "Searches without an answer",
    "draft-rejected": "Drafts that broke the rules",
    "member-unavailable": "Members without a readable answer",
    "claim-refuted": "Claims the verifier refuted",
    "claim-unavailable": "Claims nobody could judge",
    "claim-dropped": "Claims dropped",
    "contestation-invalid": "Objections that do not count",
    "defence-invalid": "Defences that do not count",
    "claim-uncorroborated": "Claims without the corroboration they need",
    "claim-redundant": "Claims another cited claim already says",
    "claim-unused": "Claims the writer did not use",
    "sentence-repaired": "Sentences mended",
    "sentence-removed": "Sentences removed",
    "instruction-ignored": "Instructions found in sources and treated as text",
    "budget-degraded": "Economies forced by the budget",
    "note": "Notes",
}

BADGES = {
    "unverified": "The verifier found neither support nor contradiction in the passage",
    "paywalled-only": "Rests on subscription sources alone, without an open corroborator",
    "abstract-only": "Rests on an abstract; the full text could not be had",
    "planted": "Rests on a source that was planted for testing",
    "single-source": "Rests on one source",
}

PURPOSES = {
    "verify": "the claim",
    "contest": "the counter-claim",
    "contested-claim": "the claim, against the counter-passage",
    "defend": "the defence",
    "refine": "the narrower claim",
    "sentence": "the sentence of the answer",
}
