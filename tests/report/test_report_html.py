"""The HTML report: everything is in it, nothing of it comes from outside, and strangers' text stays text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from report_sample import C, sample_graph
from report_sources import HOSTILE_PASSAGE, HOSTILE_TITLE, SOURCES

from veritas.claims import Answer, ClaimGraph, Reference, Sentence
from veritas.report import render_html, render_json
from veritas.report.wording import BADGES

VOID = {"meta", "link", "br", "input", "img", "hr"}


class Page(HTMLParser):
    """The page as a parser sees it: elements with their attributes, and text by element; fails on bad nesting."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.stack: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.headings: list[str] = []
        self.feed(html)
        self.close()
        assert self.stack == [], f"never closed: {self.stack}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag in {"h1", "h2", "h3", "h4"}:
            self.headings.append(tag)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack, f"</{tag}> closes nothing"
        assert self.stack.pop() == tag, f"</{tag}> out of order"

    def handle_data(self, data: str) -> None:
        if self.stack:
            self.texts.setdefault(self.stack[-1], []).append(data)

    @property
    def text(self) -> str:
        parts = (t for tag, texts in self.texts.items() if tag not in {"script", "style"} for t in texts)
        return re.sub(r"\s+", " ", "\n".join(parts))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def parsed(page: str) -> Page:
    return Page(page)


def test_the_markup_is_well_formed_and_ids_are_unique(parsed: Page) -> None:
    ids = [a["id"] for _, a in parsed.elements if "id" in a]
    assert [i for i, n in Counter(ids).items() if n > 1] == []


def test_every_inner_link_leads_somewhere(parsed: Page) -> None:
    ids = {a["id"] for _, a in parsed.elements if "id" in a}
    inner = [a["href"][1:] for a in parsed.all("a") if a.get("href", "").startswith("#")]
    assert len(inner) > 60
    assert [i for i in inner if i not in ids] == []
    named = [i for _, a in parsed.elements for i in a.get("aria-labelledby", "").split()]
    assert [i for i in named if i not in ids] == []


def test_nothing_is_loaded_and_links_out_are_http_and_guarded(parsed: Page) -> None:
    assert parsed.all("link") == [{"rel": "icon", "href": "data:,"}]
    for tag in ("img", "iframe", "object", "embed", "base", "audio", "video", "source"):
        assert parsed.all(tag) == []
    assert not any("src" in a or "srcset" in a for _, a in parsed.elements)
    assert not any(name.startswith("on") for _, a in parsed.elements for name in a)
    assert not any("style" in a for _, a in parsed.elements)
    outward = [a for a in parsed.all("a") if not a.get("href", "").startswith("#")]
    assert len(outward) > 20
    for a in outward:
        assert a["href"].startswith(("https://", "http://"))
        assert a["rel"] == "noopener noreferrer"


def test_the_policy_lets_run_this_one_script_only(parsed: Page) -> None:
    (policy,) = [m["content"] for m in parsed.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert "unsafe-inline' " not in policy.split("script-src")[1].split(";")[0]
    scripts = parsed.all("script")
    assert [s.get("type") for s in scripts] == ["application/json", None]
    code = parsed.texts["script"][-1]
    assert f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'" in policy


def test_hostile_text_is_shown_and_makes_no_markup(page: str, parsed: Page) -> None:
    assert HOSTILE_TITLE in "\n".join(t for texts in parsed.texts.values() for t in texts)
    assert "<img" not in page
    assert "javascript:alert(1)" in parsed.text
    assert not any("javascript" in a.get("href", "") for a in parsed.all("a"))
    assert parsed.text.count("U+202E") >= 3
    assert "\u202e" not in page.replace(page[page.index('id="graph"'):], "")
    assert any(a.get("title") == "RIGHT-TO-LEFT OVERRIDE" for a in parsed.all("span"))


def test_the_embedded_graph_is_the_graph_and_cannot_end_its_element(page: str, graph: ClaimGraph) -> None:
    body = re.search(r'<script type="application/json" id="graph">(.*?)</script>', page, re.DOTALL)
    assert body is not None
    assert json.loads(body[1]) == json.loads(render_json(graph))
    assert HOSTILE_PASSAGE in json.loads(body[1])["claims"][14]["claim"]
    assert "<" not in body[1]
    assert ">" not in body[1]


def test_the_clean_view_is_outside_the_work_and_the_work_is_closed(page: str) -> None:
    clean, work = page.split('<details id="work">')
    assert "References" in clean
    assert "Vetted secondary sources" in clean
    assert "Dissent (numeric): “Below -15 °C the coefficient of performance was 1.4.”" in clean
    assert "run-in" not in clean.split("</style>")[1]
    for section in ("Rotation schedule", "Agreement meter", "rejected by", "Settings and provenance"):
        assert section not in clean
    assert "Agreement meter" in work
    assert re.search(r'<details[^>]*class="row claim"[^>]*\bopen', work) is None


def test_markers_name_the_claims_behind_them(graph: ClaimGraph, parsed: Page) -> None:
    by_id = {a["id"]: a for a in parsed.all("a") if a.get("class") == "cite"}
    assert len(by_id) == sum(len(s.references) for s in graph.answer.sentences)
    # Sentence 6 cites two claims; reference 5, the paywalled paper, stands behind one of them only.
    assert by_id["cite-t-6-5"]["href"] == "#ref-5"
    assert by_id["cite-t-6-5"]["data-evidence"].split() == [f"claim-{C['insurers'].claim_id}"]
    assert by_id["cite-t-6-1"]["data-evidence"].split() == [f"claim-{C['sizing'].claim_id}"]
    # Two members assert the same on the same words: one exhibit, both named.
    assert by_id["cite-t-2-1"]["data-evidence"] == f"claim-{C['cop22'].claim_id}+claim-{C['cop22b'].claim_id}"


@pytest.mark.parametrize("section", [
    "glance", "searches", "sources", "claims", "debate", "dissent", "sentences", "planted", "left-out", "cost",
    "provenance",
])
def test_every_section_of_the_work_is_there_and_listed(page: str, section: str) -> None:
    assert f'<section id="{section}"' in page
    assert f'<a href="#{section}">' in page


def test_every_claim_shows_its_passage_in_context(page: str) -> None:
    passage = r'<span class="context">((?:(?!<mark).)*)</span><mark>(.*?)</mark><span class="context">([^<]*)'
    quoted = re.findall(passage, page, re.DOTALL)
    inside = [q for q in quoted if q[1].startswith("From +7 °C to -7 °C")]
    assert inside
    assert inside[0][0].endswith("five steady outdoor temperatures in a climate chamber. ")
    assert inside[0][2].startswith(" Defrosting took 4 to 9 %")
    assert len(quoted) >= sum(len(c.spans) for c in C.values())


def test_rejected_sources_come_with_reason_rule_and_note(parsed: Page) -> None:
    for source in SOURCES.values():
        assert source.justification in parsed.text
        assert source.rule in parsed.text
        if source.note:
            assert source.note in parsed.text


def _badged(graph: ClaimGraph, *badges: str) -> ClaimGraph:
    first, *rest = graph.answer.sentences
    sentence = first.model_copy(update={"badges": badges})
    return graph.model_copy(update={"answer": graph.answer.model_copy(update={"sentences": (sentence, *rest)})})


@pytest.mark.parametrize("name", sorted(BADGES))
def test_every_badge_has_a_readable_label_and_is_explained_where_it_stands_and_in_the_legend(
    graph: ClaimGraph, name: str
) -> None:
    label, meaning = BADGES[name]
    clean, work = render_html(_badged(graph, name)).split('<details id="work">')
    assert "-" not in label
    assert meaning.endswith(".")
    assert f'<span class="badge" data-badge="{name}" title="{meaning}">{label}</span>' in clean
    assert f"<dd>{meaning}</dd>" in work


def test_insufficient_evidence_reads_as_an_answer(insufficient: ClaimGraph) -> None:
    page = Page(render_html(insufficient))
    assert "Insufficient evidence." in page.text
    assert insufficient.answer.reason is not None
    assert insufficient.answer.reason in page.text
    assert not any(a.get("role") == "alert" for _, a in page.elements)


def test_an_empty_graph_renders(graph: ClaimGraph) -> None:
    empty = ClaimGraph(run=graph.run, answer=Answer(status="insufficient_evidence"))
    text = Page(render_html(empty)).text
    for line in ("No source was found.", "No claim was drafted.", "There was no debate.", "No call was recorded.",
                 "Nothing was left out.", "The question was not split.", "No round was measured."):
        assert line in text


def test_a_graph_with_loose_ends_renders(graph: ClaimGraph) -> None:
    """References without a source, sentences citing unknown claims and numbers, spans outside their passages."""
    answer = Answer(
        status="answered",
        sentences=(Sentence(sentence_id='s"><b>', paragraph=0, kind="claim", text="x", claim_ids=("c-none",),
                            references=(1, 9)),),
        bibliography=(Reference(number=1, source_id="s-none", url="corpus://a/b", title="", tier=1),))
    loose = graph.model_copy(update={"answer": answer, "sources": (), "passages": (), "sub_queries": (), "council": ()})
    page = Page(render_html(loose))
    assert "corpus://a/b" in page.text
    ids = {a["id"] for _, a in page.elements if "id" in a}
    assert [a["href"] for a in page.all("a") if a.get("href", "").startswith("#") and a["href"][1:] not in ids] == []


def test_the_same_graph_gives_the_same_page(page: str) -> None:
    assert render_html(sample_graph()) == page


def test_lone_surrogates_do_not_break_the_page(graph: ClaimGraph) -> None:
    run = graph.run.model_copy(update={"question": "half a \ud83d pair?"})
    page = render_html(graph.model_copy(update={"run": run}))
    page.encode("utf-8")
    assert "U+D83D" in page
