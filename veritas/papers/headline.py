"""The headline of an audit: its score with its interval, or what a score would need; and what such a score is worth."""

from __future__ import annotations

from veritas.papers.audit import Headline, PaperAudit
from veritas.text.plural import plural

LABELLED = 72
AUROC = {"rules veritas": 0.46, "reference implementation": 0.51, "length of the text": 0.81}
"""How well scores rank the labelled papers of the method's reference implementation, with the weights as shipped: the
chance that the better of two papers has the higher score. 0.5 is chance."""
UNCALIBRATED = (
    f"With the weights as shipped, the score does not rank papers: on the {LABELLED} labelled papers of the method's "
    "reference implementation, rules veritas reach an AUROC of 0.46 and that implementation 0.51, where 0.5 is chance; "
    "the length of the text alone reaches 0.81"
)
CALIBRATED = (
    "The weights are your own: they are worth what veritas calibrate found on papers held out. With the weights as "
    "shipped, the length of the text alone ranks labelled papers better than the score"
)


def headline_of(audit: PaperAudit) -> Headline:
    """Return the headline of an audit, from its scorings and the decisions on its statements."""
    scoring = audit.scoring()
    shown = [audit.node(name) for name in scoring.nodes] if scoring is not None else []
    verified = sum(
        node.grounding is not None
        and node.grounding.by == "outside"
        and node.grounding.decision in ("grounded", "contradicted")
        for node in shown
    )
    own = audit.settings.get("weights") is not None
    made = Headline(
        verified=verified,
        statements=len(shown),
        weights="given" if own else "as shipped",
        auroc={} if own else AUROC,
        worth=CALIBRATED if own else UNCALIBRATED,
    )
    if scoring is None or not verified:
        return made.model_copy(update={"needs": _needs(audit, len(shown))})
    spread = (audit.uncertainty or {}).get("score")
    return made.model_copy(
        update={
            "score": scoring.score,
            "interval": scoring.interval,
            "trials": (float(spread["low"]), float(spread["high"])) if spread else None,
            "readings": int((audit.uncertainty or {}).get("graphs", 1)),
        }
    )


def _needs(audit: PaperAudit, statements: int) -> tuple[str, ...]:
    """Return what a score would take, each part with its reason."""
    found = []
    if not statements:
        found.append("an argument that can be read, from a hypothesis to a conclusion: none was")
    if not audit.asked_outside:
        found.append(
            "sources to verify statements against, a corpus or the web: nothing outside the paper was asked"
        )
    elif audit.unheard is not None:
        found.append(f"answers: {audit.unheard}")
    elif statements:
        each = "the statement" if statements == 1 else f"any of the {plural(statements, 'statement')}"
        found.append(f"a source that bears out or contradicts {each}: none of those asked does")
    return tuple(found)
