"""The Markdown report: references and footnotes are there, and strangers' text cannot become markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_sample import C, sample_graph

from veritas.claims import Answer, ClaimGraph, Reference, Sentence
from veritas.report import render_markdown
from veritas.report.markdown_report import plain
from veritas.text.visible import one_line


def _tokens(markdown: str) -> list[Token]:
    return [t for block in MarkdownIt("commonmark").parse(markdown) for t in (block, *(block.children or []))]


def _text(markdown: str) -> str:
    return "".join(t.content for t in _tokens(markdown) if t.type in {"text", "text_special", "code_inline"})


def test_sentences_carry_their_numbers_badges_and_footnotes(graph: ClaimGraph) -> None:
    text = render_markdown(graph)
    assert "Below -15 °C it was 1.8. [1][^a] From" in text
    assert "[^a]: Note: Contested by numeric" in text
    assert "sizing certificates. [1][4][5] `paywalled-only`" in text
    assert "> Dissent (numeric): “Below -15 °C the coefficient of performance was 1.4.” [6][^b]" in text
    assert r"*\[Citation needed: how performance changes as a unit ages\]*" in text


def test_how_this_was_checked_counts(graph: ClaimGraph) -> None:
    checked = render_markdown(graph).split("## How this was checked")[1]
    for line in (
        "- 9 searches for 3 sub-questions; 1 without an answer",
        "- 16 claims drafted, each verbatim in a stored document: 11 supports, 2 silent, 1 refutes, 1 unavailable",
        "- 5 objections: 1 conceded, 1 defended, 1 invalid, 1 open, 1 refined",
        "- Agreement: first round (R1) 25%, second round (R2) 17%, third round (R3) 60%",
        "- 2 planted sources among them: 2 caught\n",
        "at least $0; the price of 1 call of local/small is unknown",
        "- Cut back: Searched with two providers",
    ):
        assert line in checked


def test_insufficient_evidence_says_what_was_missing(insufficient: ClaimGraph) -> None:
    assert "**Insufficient evidence.** Of five sources found" in render_markdown(insufficient)


@pytest.mark.parametrize("text", [
    "<script>alert(1)</script>", "[a](javascript:x)", "![x](https://evil.example/p.png)", "# head", "- item", "1. one",
    "> quote", "***", "`code`", "a_b_c *d*", "&lt;b&gt;", "[x]: https://evil.example", "\\", "| a | b |", "~~x~~",
    "+ x", "=====", "<https://evil.example>", "line\n\n# two", "    indented", "[^a]: hijack", "```\nfence", "a  \nb",
])
def test_hostile_text_renders_as_itself(text: str) -> None:
    tokens = _tokens(plain(text))
    assert {t.type for t in tokens} <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    assert _text(plain(text)) == one_line(text)


@given(st.text(st.characters(codec=None), max_size=80))
def test_any_text_renders_as_itself(text: str) -> None:
    tokens = _tokens(plain(text))
    assert {t.type for t in tokens} <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    assert _text(plain(text)) == one_line(text)


def _with(title: str, url: str, text: str = "x") -> ClaimGraph:
    graph = sample_graph()
    answer = Answer(
        status="answered",
        sentences=(Sentence(sentence_id="t", paragraph=0, kind="claim", text=text, claim_ids=(C["cop22"].claim_id,),
                            references=(1,)),),
        bibliography=(Reference(number=1, source_id="s", url=url, title=title, tier=1, authors=(title,), doi=title),))
    return graph.model_copy(update={"answer": answer})


@pytest.mark.parametrize("hostile", [
    "<img src=x onerror=alert(1)>", "](javascript:alert(1))", "\n\n[1]: https://evil.example\n\n", "*a*\u202eb",
    "`" * 7,
])
def test_the_only_links_are_the_bibliography_s(hostile: str) -> None:
    tokens = _tokens(render_markdown(_with(hostile, "https://good.example/x y", hostile)))
    assert not [t for t in tokens if t.type in {"html_inline", "html_block", "image"}]
    hrefs = [str(t.attrGet("href")) for t in tokens if t.type == "link_open"]
    assert all(h.startswith("https://doi.org/") for h in hrefs)


def test_a_javascript_address_is_no_link() -> None:
    tokens = _tokens(render_markdown(_with("t", "javascript:alert(1)")))
    assert all(str(t.attrGet("href")).startswith("https://doi.org/") for t in tokens if t.type == "link_open")
