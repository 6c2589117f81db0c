"""Assess a node by a language model, from the evidence alone; each value must name the pieces it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from pydantic import Field

from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.papers.audit import AuditNode, Metric, PaperEvidence
from veritas.scoring.roles import METRICS

NEEDS_EVIDENCE = frozenset({"credibility", "evidence_strength", "citation_support"})


class Said(Frozen):
    """One respect."""

    value: float | None = Field(ge=0, le=1)
    why: str
    evidence: tuple[str, ...]


class Assessment(Frozen):
    """The six respects."""

    credibility: Said
    relevance: Said
    evidence_strength: Said
    method_rigor: Said
    reproducibility: Said
    citation_support: Said


async def assess_by_model(
    name: str, model: Connected, node: AuditNode, aim: str, evidence: Sequence[PaperEvidence], sample: int
) -> Assessment:
    """Return one assessment. Raises `Unavailable` if there is no answer, or none that keeps to the evidence."""
    filled = prompt("assess")
    known = {e.id for e in evidence}

    def fault(answer: Assessment) -> str | None:
        for metric in METRICS:
            said: Said = getattr(answer, metric)
            unknown = [i for i in said.evidence if i not in known]
            if unknown:
                return f"{metric}: there is no piece of evidence {unknown[0]!r}"
            if metric in NEEDS_EVIDENCE and said.value and not said.evidence:
                return f"{metric}: a value above 0 names the pieces of evidence it rests on; give null if there is none"
        return None

    texts = {"evidence": [(e.id, _piece(e)) for e in evidence]}

    async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> Assessment:
        return await ask(
            model,
            filled.fill(
                {
                    "statement": Block(f"statement, a {node.role}", node.text),
                    "aim": Block("what the paper sets out to show", aim),
                    "evidence": [Block(f"evidence {part.name}", part.text) for part in shown["evidence"]],
                    "sample": sample + 1,
                }
            ),
            Assessment,
            who=name,
            turn="assess",
            stage="verify",
            prompt_id=filled.id,
            cuts=cuts,
            check=fault,
        )

    return await windowed(model.policy, filled.bare, [node.text, aim], texts, node.text, Assessment, once)


def merged(read_off: Mapping[str, Metric], assessments: Sequence[Assessment | Unavailable]) -> dict[str, Metric]:
    """Return the metrics as models assessed them, the median of their values; if no model gave one, the value computed
    from the evidence stays. Metrics that the role does not have are filled as before."""
    made: dict[str, Metric] = {}
    for name, metric in read_off.items():
        said: list[Said | None] = [None if isinstance(a, Unavailable) else getattr(a, name) for a in assessments]
        values = [s.value if s is not None else None for s in said]
        known = [v for v in values if v is not None]
        if not metric.applies or not known:
            made[name] = metric
            continue
        middle = median(known)
        valued = [s for s in said if s is not None and s.value is not None]
        nearest = min(valued, key=lambda s, m=middle: abs((s.value or 0.0) - m))  # type: ignore[misc]
        ids = dict.fromkeys(i for s in said if s is not None for i in s.evidence)
        made[name] = Metric(value=round(middle, 4), samples=tuple(values), why=nearest.why, evidence=tuple(ids))
    have = [m.value for m in made.values() if m.applies and m.value is not None]
    mean = round(sum(have) / len(have), 4) if have else None
    return {name: m if m.applies else m.model_copy(update={"value": mean}) for name, m in made.items()}


def _piece(evidence: PaperEvidence) -> str:
    tier = f", tier {evidence.tier}" if evidence.tier is not None else ""
    where = {"paper": "the paper itself", "reference": "a work it cites", "corpus": "another document"}
    origin = where.get(evidence.source, "the web")
    return f"({origin}: {evidence.title}{tier}; a first judge: {evidence.label}) {evidence.text}"
