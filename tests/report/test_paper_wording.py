"""What the audit of a paper says in words: counted things, articles, links, references, and each reason once."""

from __future__ import annotations

import csv
import io
import re

import pytest
from paper_sample import sample_audit

from veritas.documents.paper_parts import Marker, Place, Reference
from veritas.papers.audit import AuditNode, Metric, PaperAudit, PaperEvidence
from veritas.papers.audit_exports import edge_table, scoring_of
from veritas.papers.flaws import find_flaws
from veritas.papers.open_points import find_open_points
from veritas.papers.verification.metric_policy import load_verification_policy
from veritas.papers.verification.metrics import Findings, assess
from veritas.report.paper import render_paper_html
from veritas.report.paper.audit_text import show_audit
from veritas.report.paper.paper_wording import cited_as, looked_for
from veritas.scoring.parameters import COMPONENTS, read_parameters
from veritas.scoring.roles import METRICS, ROLES


def node(role: str) -> AuditNode:
    return AuditNode(id="n1", role=role, base_role=role, text="It held.", place=Place(start=0, end=8))


@pytest.mark.parametrize("role", ROLES)
def test_a_role_has_its_article(role: str) -> None:
    said = " ".join(m.why for m in assess(node(role), Findings(), load_verification_policy()).values())
    assert not re.search(r"\ba [AEIOU]|\ban [^AEIOU]", said)


@pytest.mark.parametrize(("count", "said"), [(1, "by 1 outside source"), (2, "by 2 outside sources")])
def test_sources_are_counted_in_words(count: int, said: str) -> None:
    found = tuple(
        PaperEvidence(id=f"e{i}", node="n1", source="corpus", url=f"u{i}", title="t", tier=1, text="x",
                      document_id=f"d{i}", label="supports", score=0.9)
        for i in range(count)
    )  # fmt: skip
    for name in ("credibility", "evidence_strength"):
        why = assess(node("Claim"), Findings(evidence=found), load_verification_policy())[name].why
        assert re.search(rf"{said}(?![\w(])", why)


def refuted(audit: PaperAudit, low: dict[str, Metric]) -> PaperAudit:
    """The sample with n9, which e9 contradicts, assessed as `low`, and nothing else to be said of it."""
    changed = next(n for n in audit.nodes if n.id == "n9").model_copy(update={"metrics": low})
    return audit.model_copy(update={"nodes": tuple(changed if n.id == "n9" else n for n in audit.nodes)})


def test_what_is_contradicted_is_not_said_again_to_have_little_support_for_the_same_reason() -> None:
    against = Metric(value=0.05, why="contradicted by 1 outside source", evidence=("e9",))
    audit = refuted(sample_audit(), dict.fromkeys(METRICS, against))
    assert [f.kind for f in find_flaws(audit) if f.subject == "n9"] == ["contradicted"]
    asked = audit.model_copy(update={"settings": {**audit.settings, "corpus": ["trials/"]}})
    points = find_open_points(asked, read_parameters(), find_flaws(asked))
    assert "n9" not in [point.subject for point in points]


def test_another_reason_is_said_beside_the_contradiction() -> None:
    against = Metric(value=0.05, why="contradicted by 1 outside source", evidence=("e9",))
    shaky = Metric(value=0.2, why="no comparison")
    audit = refuted(sample_audit(), dict.fromkeys(METRICS, against) | {"evidence_strength": shaky})
    audit = audit.model_copy(update={"settings": {**audit.settings, "corpus": ["trials/"]}})
    flaws = find_flaws(audit)
    assert [f.kind for f in flaws if f.subject == "n9"] == ["contradicted"]
    (point,) = [p for p in find_open_points(audit, read_parameters(), flaws) if p.subject == "n9"]
    assert (point.kind, point.why) == ("unsupported", "evidence strength 0.20: no comparison")


def test_flaws_and_open_points_are_counted_apart_in_the_report_and_in_the_terminal() -> None:
    page = render_paper_html(sample_audit())
    for section in ("flaws", "open"):
        part = page.split(f'id="{section}"')[1].split("</section>")[0]
        assert '<span class="count">2</span>' in part
        assert part.count("<li>") == 2
    said = " ".join(show_audit(sample_audit()).split())
    assert "Specific flaws: 2" in said
    assert "left open: unsure link: 1; not found by the reader: 1. None of it says anything against the paper" in said


def test_a_paper_without_statements_is_not_said_to_have_no_flaw_in_them() -> None:
    audit = sample_audit().model_copy(update={"nodes": (), "flaws": (), "scorings": (), "graphs": ()})
    assert "No statement was assessed for flaws" in show_audit(audit)
    assert "0 statements" not in show_audit(audit)
    assert "No specific flaw was found in" in show_audit(sample_audit().model_copy(update={"flaws": ()}))


def test_a_citation_of_no_entry_is_called_that() -> None:
    listed = tuple(
        Reference(key=f"k{n}", number=n, raw=f"@misc{{k{n}}}", place=Place(start=0, end=1)) for n in range(1, 13)
    )
    found = Marker(text="[…]", place=Place(start=1, end=4), references=tuple(r.key for r in listed))
    lost = Marker(text="[k99]", place=Place(start=9, end=12), unresolved=("k99",))
    audit = sample_audit().model_copy(update={"markers": (found, lost), "references": listed})
    flaws = find_flaws(audit)
    (flaw,) = [f for f in flaws if f.kind == "dangling"]
    assert flaw.why == "1 citation in the text fits no entry of the reference list: k99"
    audit = audit.model_copy(update={"flaws": (flaw,)})
    for shown in (render_paper_html(audit).split('id="graph"')[0], show_audit(audit)):
        assert "eads nowhere" not in shown
        assert "dangling" not in shown.split("audit-data")[0].replace('data-kind="dangling"', "")
        assert "without an entry" in shown


def test_components_come_in_the_scorers_order_whatever_order_they_were_stored_in() -> None:
    audit = sample_audit()
    stored = PaperAudit.model_validate_json(audit.model_dump_json())
    (scoring,) = stored.scorings
    values = scoring.values | {"components": dict(sorted(scoring.values["components"].items()))}
    stored = stored.model_copy(update={"scorings": (scoring.model_copy(update={"values": values}),)})
    said = " ".join(show_audit(stored).split())
    places = [said.index(f"{name.replace('_', ' ')} {scoring.values['components'][name]:.2f}") for name in COMPONENTS]
    assert places == sorted(places)
    assert show_audit(stored) == show_audit(audit)


def test_the_summary_says_which_statements_it_counts() -> None:
    assert "16 statements in the reading shown, read by embedded" in " ".join(show_audit(sample_audit()).split())


def _linked(why: str) -> PaperAudit:
    audit = sample_audit()
    first = audit.graphs[0]
    edges = tuple(
        e.model_copy(update={"why": why}) if (e.parent, e.child) == ("n7", "n8") else e for e in first.edges
    )
    texts = {"n7": "Mean latency of sleep onset in the dim groups fell.", "n8": "Latencies at onset; a dimmed group."}
    nodes = tuple(n.model_copy(update={"text": texts.get(n.id, n.text)}) for n in audit.nodes)
    return audit.model_copy(update={"graphs": (first.model_copy(update={"edges": edges}), *audit.graphs[1:]),
                                    "nodes": nodes})  # fmt: skip


def test_the_words_of_a_models_link_stay_as_they_are() -> None:
    audit = _linked("both speak of quietness, of which the text has no word")
    rows = csv.DictReader(io.StringIO(edge_table(audit, scoring_of(audit))))
    assert "both speak of quietness, of which the text has no word" in [row["why"] for row in rows]


def test_a_reference_of_a_bib_file_reads_as_a_reference() -> None:
    fields = {"author": "Brown, A. and Smith, B. and {Sleep Group}", "title": "Evening {L}ight", "journal": "J. Sleep",
              "year": "2015", "doi": "10.5555/a", "entrytype": "article"}  # fmt: skip
    entry = Reference(key="brown2015", number=1, raw="@article{brown2015, author = {Brown}}", fields=fields,
                      place=Place(start=0, end=1), guessed=False)  # fmt: skip
    assert cited_as(entry) == "Brown, A.; Smith, B.; Sleep Group. Evening Light. J. Sleep, 2015. doi:10.5555/a"
    audit = sample_audit().model_copy(update={"references": (entry,)})
    assert "@article" not in render_paper_html(audit).split('id="audit-data"')[0]


def test_a_reference_of_a_list_keeps_its_words_and_an_entry_without_a_title_too() -> None:
    (first, *_) = sample_audit().references
    assert cited_as(first) == first.raw
    bare = first.model_copy(update={"raw": "@misc{x, note = {seen}}", "fields": {"note": "seen"}, "guessed": False})
    assert cited_as(bare) == bare.raw


@pytest.mark.parametrize(
    ("provider", "query", "said"),
    [
        ("the paper", "It held.", "Found in the paper for the statement's words."),
        ("its references", "cooling delays bloom.", "Found in its references for “cooling delays bloom”."),
        ("bm25", "cooling?", "Found by bm25 for “cooling?”."),
        ("bm25", "", ""),
    ],
)
def test_where_a_passage_was_found_is_a_sentence(provider: str, query: str, said: str) -> None:
    piece = sample_audit().evidence[0].model_copy(update={"provider": provider, "query": query})
    assert looked_for(piece, "It held.") == said


def test_what_is_said_of_a_passage_is_whole_sentences() -> None:
    audit = sample_audit()
    piece = audit.evidence[0].model_copy(
        update={"label": "about", "provider": "the paper", "query": "Late frost. It cost a crop.",
                "rationale": "66% of the statement's words are there"}
    )  # fmt: skip
    page = render_paper_html(audit.model_copy(update={"evidence": (piece, *audit.evidence[1:])}))
    block = page.split(f'id="evidence-{piece.id}"')[1].split("</li>")[0]
    plain = " ".join(re.sub(r"<[^>]+>", "", block).split())
    assert plain.startswith("tabindex=\"-1\">speaks of it ·")
    assert "are there. Judged by embedded:entailment. Found in the paper for “Late frost. It cost a crop”. Cha" in plain
    assert ".." not in plain


def test_that_nobody_outside_was_asked_is_said_once() -> None:
    said = "Nothing outside the paper was asked"
    alone = sample_audit().model_copy(update={"settings": {}})
    assert render_paper_html(alone).count(said) == 1
    asked = alone.model_copy(update={"settings": {"corpus": ["trials/"]}})
    assert said not in render_paper_html(asked)
