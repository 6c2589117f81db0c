"""Specific flaws and open points of an audit: which is which, from which readings, and under a doubtful list."""

from __future__ import annotations

import pytest
from paper_sample import sample_audit

from veritas.documents.paper_parts import Marker, Place, Reference
from veritas.papers._audited_graphs import audit_in
from veritas.papers.audit import AuditNode, Grounding, PaperAudit
from veritas.papers.audit_stages import AUDITS
from veritas.papers.flaw import CITES_NOBODY
from veritas.papers.flaws import find_flaws
from veritas.papers.headline import headline_of
from veritas.papers.open_points import find_open_points
from veritas.papers.reading.list_doubt import list_doubt
from veritas.report.paper import render_paper_html
from veritas.report.paper.audit_text import show_audit
from veritas.scoring.parameters import read_parameters


def listed(*keys: str, guessed: bool = True) -> tuple[Reference, ...]:
    place = Place(start=900, end=901)
    return tuple(
        Reference(key=key, number=n, raw=f"Author {key}. Title.", place=place, guessed=guessed)
        for n, key in enumerate(keys, 1)
    )


def cited(*keys: str, unresolved: tuple[str, ...] = ()) -> Marker:
    said = f"[{', '.join((*keys, *unresolved))}]"
    return Marker(text=said, place=Place(start=1, end=4), references=keys, unresolved=unresolved)


NUMBERS = [str(n) for n in range(1, 11)]
WHOLE = cited(*NUMBERS)


@pytest.mark.parametrize(
    ("references", "markers", "said"),
    [
        (listed(*NUMBERS), (WHOLE,), None),
        (listed("lee2020", "roy2019", guessed=False), (cited("lee2020", "roy2019"),), None),
        ((), (), "no reference list was found"),
        (listed(*NUMBERS[:4], *NUMBERS[6:]), (cited("1", "2"),), "have gaps (5, 6)"),
        (listed(*NUMBERS[2:]), (cited("3"),), "have gaps (1, 2)"),
        (listed(*NUMBERS, "10'"), (WHOLE,), "two entries of the reference list have the number 10"),
        (listed(*NUMBERS), (WHOLE, cited(unresolved=("12",))), "cites up to number 12"),
        (listed(*NUMBERS), (cited("1", "2", unresolved=("Lee 2020",)),), "1 of 3 works"),
        (listed(*NUMBERS), (), "no citation of an entry"),
    ],
)
def test_a_list_is_doubtful_if_it_may_not_be_whole(
    references: tuple[Reference, ...], markers: tuple[Marker, ...], said: str | None
) -> None:
    doubt = list_doubt(references, markers)
    assert doubt is None if said is None else said in str(doubt)


def accused(*, whole: bool) -> PaperAudit:
    """The sample with references that a registry speaks against."""
    audit = sample_audit()
    verdicts = {"1": "fabricated", "2": "retracted", "3": "misattributed"}
    references = tuple(r.model_copy(update={"verdict": verdicts.get(r.key, "verified")}) for r in listed(*NUMBERS))
    markers = (WHOLE,) if whole else (WHOLE, cited(unresolved=("12",)))
    return audit.model_copy(update={"references": references, "markers": markers})


def test_under_a_doubtful_list_nobody_is_accused_of_anything_about_citations() -> None:
    about = {"citation", "dangling"}
    sure = find_flaws(accused(whole=True))
    assert sorted(f.subject for f in sure if f.kind in about) == ["reference:1", "reference:2", "reference:3"]
    assert not [p for p in find_open_points(accused(whole=True), read_parameters(), sure) if p.kind == "citation"]
    doubtful = accused(whole=False)
    flaws = find_flaws(doubtful)
    assert not [f for f in flaws if f.kind in about]
    points = [p for p in find_open_points(doubtful, read_parameters(), flaws) if p.kind == "citation"]
    assert sorted(p.subject for p in points) == ["reference:1", "reference:2", "reference:3"]
    assert all("may not have been read whole: the text cites up to number 12" in p.why for p in points)


def test_a_flaw_comes_from_any_reading_and_stands_once() -> None:
    audit = sample_audit()
    against = Grounding(decision="contradicted", reason="Table 2 has 4.1, the statement 5.1", by="paper")
    text = "Yield rose by 5.1 t in sprinkled rows."
    other = AuditNode(
        id="n77", role="Result", base_role="Result", text=text, place=Place(start=8_000, end=8_040), grounding=against
    )
    again = other.model_copy(update={"id": "n78", "role": "Evidence", "base_role": "Evidence"})
    audit = audit.model_copy(update={"nodes": (*audit.nodes, other, again)})
    flaws = find_flaws(audit)
    assert sorted(f.subject for f in flaws if f.kind == "contradicted") == ["n77", "n9"]
    shown = audit.model_copy(update={"flaws": flaws})
    head = render_paper_html(shown).split('id="graph"')[0]
    assert text in head
    assert "of another reading" in head
    assert text in " ".join(show_audit(shown).split())


def test_an_audit_of_before_is_read_with_its_flaws_and_open_points_apart() -> None:
    document = sample_audit().model_dump(mode="json")
    del document["open_points"], document["headline"]
    whys = {
        "circular": ("unsupported", "circular: the paper assumes what it says: “x”"),
        "uncited": ("unsupported", f"citation support 0.10: {CITES_NOBODY}"),
        "unsupported": ("unsupported", "evidence strength 0.10: it gives no data"),
        "weak-link": ("weak-link", "the link's confidence is 0.21"),
        "missing-part": ("missing-part", "no limitation is admitted in what was read"),
        "contradicted": ("contradicted", "another passage of the paper: it says otherwise"),
    }
    document["flaws"] = [{"subject": "n9", "kind": k, "severity": 0.5, "why": w} for k, w in whys.values()]
    stored = AUDITS.output("report", {"version": 1, "output": {"audit": document, "folder": ""}})["audit"]
    for audit in (audit_in(document), audit_in(stored)):
        assert [f.kind for f in audit.flaws] == ["circular", "uncited", "contradicted"]
        assert [p.kind for p in audit.open_points] == ["unsupported", "weak-link", "missing-part"]


def test_a_score_needs_a_statement_that_an_outside_source_decided() -> None:
    audit = sample_audit()
    made = headline_of(audit)
    assert made.score is not None
    assert made.interval is not None
    assert made.needs == ()
    own = [n.grounding and n.grounding.model_copy(update={"by": "paper"}) for n in audit.nodes]
    nodes = tuple(n.model_copy(update={"grounding": g}) for n, g in zip(audit.nodes, own, strict=True))
    alone = headline_of(audit.model_copy(update={"nodes": nodes}))
    assert (alone.score, alone.interval, alone.trials, alone.verified) == (None, None, None, 0)
    (need,) = alone.needs
    assert "nothing outside the paper was asked" in need
    asked = audit.model_copy(update={"nodes": nodes, "settings": {**audit.settings, "corpus": ["x/"]}})
    (need,) = headline_of(asked).needs
    assert "none of those asked does" in need
