"""An audit of an invented paper, for the tests of its report: sixteen statements with all that can befall one."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

from veritas import Judgment
from veritas.documents.paper_parts import Figure, Identity, Place, Reference, Section
from veritas.papers.audit import (
    AuditEdge,
    AuditNode,
    GraphScoring,
    Grounding,
    Metric,
    PaperAudit,
    PaperEvent,
    PaperEvidence,
    PaperTiming,
    SampledGraph,
)
from veritas.papers.flaw import Flaw, OpenPoint
from veritas.scoring.graph import read_graph
from veritas.scoring.roles import METRICS, ROLES
from veritas.scoring.score import score
from veritas.scoring.uncertainty import propagate_uncertainty, samples_of

HOSTILE = '<script>document.documentElement.dataset.owned = "yes"</script><img src=x onerror="document.title=1">'

_STATEMENTS: list[tuple[str, str, tuple[str, ...], float | None]] = [
    ("Hypothesis", "Nightly cooling of the orchard by sprinklers delays bloom enough to escape April frost.", (), 0.8),
    ("Context", "Late frost has cost growers in the valley a third of the crop in four of ten years.", (), 0.7),
    ("Assumption", "Bloom date is set by chill hours and by warmth after them, and by nothing else.", (), None),
    ("Method", "Twelve rows were sprinkled from dusk to dawn whenever air was above 8 °C; twelve were left dry.",
     ("n0", "n2"), 0.75),
    ("Method", "Bloom was recorded twice a day by two observers who did not know which rows were which.", ("n0",), 0.9),
    ("Evidence", "Bud temperature in sprinkled rows lay 2.4 °C (95 % interval 1.9 to 2.9) below that in dry rows.",
     ("n3",), 0.85),
    ("Evidence", "The observers agreed on the day of full bloom in 93 % of 480 trees.", ("n4",), 0.8),
    ("Result", "Full bloom came 6.5 days later in sprinkled rows than in dry rows.", ("n5", "n6"), 0.82),
    ("Result", "Fruit set after the frost of 19 April was 61 % in sprinkled and 34 % in dry rows.", ("n7",), 0.6),
    ("Claim", "The delay is due to cooling and not to the water that trees took up.", ("n5", "n1"), 0.35),
    ("Counterevidence", "An earlier trial with soil irrigation alone saw a delay of four days.", ("n9",), 0.55),
    ("Evidence", "Stem water potential did not differ between rows at any date.", ("n3",), 0.7),
    ("Claim", "A delay of a week is enough in seven years of ten.", ("n1", "n7"), 0.4),
    ("Limitation", "One orchard, one season, one cultivar: " + HOSTILE, ("n8",), 0.5),
    ("Conclusion", "Sprinkling from dusk to dawn protects the crop from April frost.", ("n8", "n9", "n12"), 0.6),
    ("Conclusion", "Growers with enough water should sprinkle.", ("n14",), None),
]  # fmt: skip


def sample_audit(rules: str = "veritas") -> PaperAudit:
    """The audit of the invented paper."""
    rows = [
        {
            "id": f"n{i}",
            "role": role,
            "text": text,
            "parents": list(parents),
            "metrics": _metrics(i, worth),
        }
        for i, (role, text, parents, worth) in enumerate(_STATEMENTS)
    ]
    return _audit(rows, rules, "Sprinklers against frost: a trial in one orchard")


def random_audit(count: int, seed: int = 0, rules: str = "veritas") -> PaperAudit:
    """An audit of `count` statements at random, with edges that mostly stay near."""
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        role = "Hypothesis" if i == 0 else "Conclusion" if i > count - 4 else rng.choice(ROLES)
        parents = [f"n{p}" for p in rng.sample(range(max(0, i - 24), i), min(i, rng.choice((1, 1, 2, 3))))]
        text = " ".join(rng.choices(("yield", "of", "trees", "rose", "by", "7", "per", "cent", "in", "rows"), k=14))
        worth = None if rng.random() < 0.1 else rng.random()
        rows.append({"id": f"n{i}", "role": role, "text": text, "parents": parents, "metrics": _metrics(i, worth)})
    return _audit(rows, rules, f"A paper of {count} statements")


def _metrics(i: int, worth: float | None) -> dict[str, float | None] | None:
    if worth is None:
        return None
    rng = random.Random(i)
    values: dict[str, float | None] = {m: round(min(max(worth + rng.uniform(-0.15, 0.15), 0), 1), 2) for m in METRICS}
    if i % 5 == 3:
        values["reproducibility"] = None
    return values


def _audit(rows: list[dict[str, Any]], rules: str, title: str) -> PaperAudit:
    graph = read_graph({"nodes": rows}).graph
    assert graph is not None
    nodes, evidence = [], []
    at = 0
    for i, row in enumerate(rows):
        given = row["metrics"] or {}
        if given and i % 2:
            evidence.append(
                PaperEvidence(
                    id=f"e{i}", node=row["id"], source="corpus" if i % 4 == 1 else "reference",
                    url=f"https://example.org/{i}", title="Cooling orchards, a survey", tier=1, document_id="d" * 64,
                    text=f"Passage {i}: sprinkled trees bloomed about a week later. {HOSTILE if i == 7 else ''}",
                    start=100 * i, end=100 * i + 60, page=3, label="refutes" if i == 9 else "supports", score=0.84,
                    rationale="the same quantity in the same direction", judge="embedded:entailment", provider="bm25",
                    query="sprinkler cooling bloom delay", reference="smith2019",
                )
            )  # fmt: skip
        nodes.append(
            AuditNode(
                id=row["id"], role=row["role"], base_role=row["role"], text=row["text"],
                place=Place(start=at, end=at + len(row["text"]), page=1 + i // 6, section="s2"),
                cites=("smith2019",) if i % 3 == 1 else (),
                metrics={
                    name: Metric(
                        value=value, why="one source of tier 1 says so" if value is not None else "nothing to go by",
                        samples=() if value is None else (value, max(value - 0.1, 0)),
                        evidence=(f"e{i}",) if i % 2 else (),
                    )
                    for name, value in given.items()
                },
                grounding=None if not given else Grounding(
                    decision="contradicted" if i == 9 else "grounded" if i % 2 else "unverified",
                    reason="the passage says so in as many words",
                    judgments=(Judgment(label="supports", score=0.84, rationale="numbers agree", lens="embedded",
                                        family="embedded:entailment"),),
                    evidence=(f"e{i}",) if i % 2 else (),
                    by="outside" if i % 2 else "nobody",
                ),
            )
        )  # fmt: skip
        at += len(row["text"]) + 1
    edges = tuple(
        AuditEdge(parent=u, child=v, why="the two share a quantity", weight=0.7) for u, v in graph.edges
    )
    made = score(graph, None, rules)  # type: ignore[arg-type]
    values = made.as_json()
    verified = {
        row["id"]: [row["metrics"], {k: None if x is None else max(x - 0.1, 0.0) for k, x in row["metrics"].items()}]
        for row in rows
        if row["metrics"]
    }
    report = propagate_uncertainty([samples_of(graph, verified)], rules=rules)  # type: ignore[arg-type]
    return PaperAudit(
        audit_id="paper-20261122-abcdef", mode="academic", seed=7, rules=rules, version="0.1",
        paper=Identity(title=title, authors=("A. Grower", "B. Miller"), year=2025, doi="10.5555/frost.1",
                       url="file:frost.pdf", document_id="d" * 64, pages=9, characters=31_200, asked="frost.pdf"),
        sections=(Section(id="s2", heading="2 Methods", name="methods", level=1, place=Place(start=0, end=31_000)),),
        figures=(Figure(kind="table", label="Table 1", text="Bloom by row", place=Place(start=5, end=9)),),
        references=(
            Reference(key="smith2019", number=1, raw="Smith, J. Cooling orchards, a survey. J. Frost 3, 2019.",
                      place=Place(start=30_000, end=30_050), verdict="verified", cited=5, standing="current",
                      matched="Cooling orchards: a survey (2019)", matched_doi="10.5555/smith"),
            Reference(key="doe2021", number=2, raw=f"Doe, R. Water and bloom {HOSTILE}. 2021.", cited=1,
                      place=Place(start=30_060, end=30_090), verdict="retracted", standing="retracted",
                      reason="a notice of retraction from 2023"),
            Reference(key="roe2020", number=3, raw="Roe, T. A work nobody knows. 2020.", cited=0,
                      place=Place(start=30_100, end=30_130), verdict="unavailable", reason="no answer"),
        ),
        nodes=tuple(nodes), graphs=(
            SampledGraph(index=0, seed=7, extractor="embedded", nodes=graph.ids, edges=edges,
                         warnings=("one statement was cut to three sentences",)),
            SampledGraph(index=1, seed=8, extractor="embedded", errors=("n3 leads to itself",),
                         repairs=(("n3 leads to itself",),)),
        ),
        primary=0, evidence=tuple(evidence),
        scorings=(GraphScoring(graph=0, rules=rules, nodes=graph.ids, edges=tuple(graph.edges), values=values),),
        uncertainty=report.model_dump(mode="json"),
        flaws=(
            Flaw(subject="n9", kind="contradicted", severity=0.9, why="a passage of tier 1 says the opposite"),
            Flaw(subject="reference:doe2021", kind="citation", severity=0.8, why="the work was retracted in 2023"),
        ) if len(rows) == len(_STATEMENTS) else (),
        open_points=(
            OpenPoint(subject="n9->n14", kind="weak-link", why="the conclusion rests on a contradicted claim"),
            OpenPoint(subject="paper:Evidence", kind="missing-part", why="no statement was read as Evidence"),
        ) if len(rows) == len(_STATEMENTS) else (),
        events=(PaperEvent(stage="verify", kind="search-unavailable", subject="n2", reason="the corpus is empty"),),
        timings=(PaperTiming(stage="read", seconds=0.4), PaperTiming(stage="extract", seconds=0.2, from_store=True)),
        started_at=datetime(2026, 11, 22, 9, 30, tzinfo=UTC), finished_at=datetime(2026, 11, 22, 9, 31, tzinfo=UTC),
        settings={"nodes": 16, "graphs": 2},
    )  # fmt: skip
