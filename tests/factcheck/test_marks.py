"""Marks of every form lead to the right addresses, and what only looks like a mark is none."""

import pytest

from veritas.factcheck import Statement, read_text

LIST = "\n\n## References\n[1] https://a.example/one - First\n[2] Second title. https://b.example/two\n[3] https://c.example/3"
A, B, C = "https://a.example/one", "https://b.example/two", "https://c.example/3"


def said(text: str, **more: str) -> list[Statement]:
    return [one for one in read_text(text, **more).statements if one.kind == "statement"]  # type: ignore[arg-type]


def urls(text: str, **more: str) -> list[list[str | None]]:
    return [[citation.url for citation in one.citations] for one in said(text, **more)]


@pytest.mark.parametrize(
    ("mark", "style", "found"),
    [
        ("[1]", "number", [A]),
        ("[1, 3]", "number", [A, C]),
        ("[1–3]", "number", [A, B, C]),
        ("[1][2][3][1][2][3][1][2][3][1][2]", "number", [A, B, C]),
        (r"\[2\]", "number", [B]),
        ("[^2]", "footnote", [B]),
        ("[^2^]", "footnote", [B]),
        ("²", "superscript", [B]),
        ("¹,³", "superscript", [A, C]),
        ("<sup>1,3</sup>", "superscript", [A, C]),
        ("<sup>[2]</sup>", "superscript", [B]),
        ("【1†source】", "dagger", [A]),
        ("【2†L5-L9】", "dagger", [B]),
        ("〖3†source〗", "dagger", [C]),
        ("[oai_citation:1‡d.example](https://d.example/x?utm_source=chatgpt.com)", "oai_citation", ["https://d.example/x"]),
        (":contentReference[oaicite:1]{index=1}", "content_reference", [A]),
        ("[cite: 1, 3]", "cite", [A, C]),
        ("[web:2]", "web", [B]),
        ('<grok:render card_id="9" type="x"><argument name="citation_id">3</argument></grok:render>', "grok", [C]),
        ("[[4]](https://d.example/x)", "double_bracket", ["https://d.example/x"]),
        ("[1](https://d.example/x)", "numbered_link", ["https://d.example/x"]),
        ("([Site](https://d.example/x))", "site_link", ["https://d.example/x"]),
        ("([Site](https://d.example/x), [e.example](https://e.example/))", "site_link", ["https://d.example/x", "https://e.example/"]),
        ("(https://d.example/x)", "url", ["https://d.example/x"]),
        ("<https://d.example/x>", "url", ["https://d.example/x"]),
        ("doi:10.1000/abc", "doi", ["https://doi.org/10.1000/abc"]),
        ("(PMID: 123456)", "pmid", ["https://pubmed.ncbi.nlm.nih.gov/123456/"]),
    ],
)  # fmt: skip
def test_a_mark_leads_to_its_addresses(mark: str, style: str, found: list[str]) -> None:
    text = f"The tower is 81 metres high {mark}. Nothing else is known of it.{LIST}"
    first, second = said(text)
    assert list(dict.fromkeys(citation.url for citation in first.citations)) == found
    assert {citation.style for citation in first.citations} == {style}
    assert first.statement == "The tower is 81 metres high."
    assert first.scope == "sentence"
    assert second.citations == ()
    for citation in first.citations:
        assert text[citation.start : citation.end].strip("()") in mark


def test_marks_of_web_tools_with_and_without_their_invisible_signs() -> None:
    sources = (
        '[{"id": "turn0search1", "url": "https://a.example/one"}, {"id": "turn0news2", "url": "https://b.example/two"}]'
    )
    for mark in ("\ue200cite\ue202turn0search1\ue202turn0news2\ue201", "citeturn0search1turn0news2"):
        first, second = said(f"It is high. {mark} It is old.", sources=sources)
        assert [citation.url for citation in first.citations] == [A, B]
        assert (first.statement, second.statement, second.citations) == ("It is high.", "It is old.", ())


def test_a_number_at_the_end_of_a_word_is_a_mark_only_with_a_list_that_has_it() -> None:
    text = "The tower is very high.2 It was built of sandstone.1,3 The word.12 stays. Version 5.2.2 came."
    assert urls(text + LIST)[:2] == [[B], [A, C]]
    assert all(not one.citations for one in said(text))


def test_author_and_year_need_an_entry_or_are_marks_without_a_source() -> None:
    entry = "\n\nReferences\n\nSmith, J., & Lee, K. (2020). On towers. https://a.example/one\n"
    entry += "\nMora, P. (2018). On bells. https://b.example/two"
    text = "Towers sink (Smith & Lee, 2020; Mora, 2018). Smith et al. (2020) measured it. Paris (2015) was warm."
    assert urls(text + entry) == [[A, B], [A], []]
    lost = said(text)
    assert [[citation.url for citation in one.citations] for one in lost] == [[None, None], [None], []]
    assert all(citation.problem for one in lost for citation in one.citations)


def test_pandoc_and_latex_keys_are_looked_up_in_a_bibliography_beside_the_text() -> None:
    bib = "@article{smith20, title={On towers}, author={Smith, J.}, year={2020}, url={https://a.example/one}}\n"
    bib += "@misc{lee19, title={Bells}, doi={10.1000/abc}}"
    both = [A, "https://doi.org/10.1000/abc"]
    assert urls("Towers sink [@smith20; @lee19, p. 3].", sources=bib) == [both]
    assert urls(r"Towers sink.~\cite{smith20,lee19} They fall.", sources=bib, format="latex") == [both, []]
    (one,) = said("Towers sink [@nobody99].", sources=bib)
    assert one.citations[0].url is None
    assert "nobody99" in str(one.citations[0].problem)


def test_latex_notes_links_and_its_own_bibliography() -> None:
    text = (
        "\\documentclass{article}\n\\begin{document}\n\\section{Towers}\n"
        "Towers sink \\citep[p.~3]{a}. They lean\\footnote{See \\url{https://b.example/two}.} to the west. % no [1]\n"
        "The \\href{https://c.example/3}{bell} rings.\n"
        "\\begin{thebibliography}{9}\n\\bibitem{a} Smith. On towers. \\url{https://a.example/one}\n"
        "\\end{thebibliography}\n\\end{document}\n"
    )
    assert urls(text) == [[A], [B], [C]]
    assert [one.statement for one in said(text)] == ["Towers sink.", "They lean to the west.", "The bell rings."]


def test_numbers_that_cite_nothing_are_no_marks() -> None:
    text = (
        "The field has 20 m² and 10⁶ bees. In version 5.2.2 the call a[1] returns x² + y². It grew by 3.5 in 2019. "
        "He said it was [sic] so. The scale is [0, 1]. Use `list[2]` here. The film [The Tower] is old.\n\n"
        "```\nrow[1] = 2\n```\n\n- [x] The tower is done\n- [ ] The bell is not done"
    )
    assert all(not one.citations for one in read_text(text + LIST).statements)


def test_a_capital_before_a_mark_ends_its_sentence() -> None:
    text = "The fruit is rich in vitamin D [2]. Apples have none [1]. Some have vitamin C.[3] Pears do not."
    assert [one.statement for one in said(text + LIST)] == [
        "The fruit is rich in vitamin D.", "Apples have none.", "Some have vitamin C.", "Pears do not.",
    ]  # fmt: skip
    assert urls(text + LIST) == [[B], [A], [C], []]


def test_remains_of_buttons_are_marks_without_a_source() -> None:
    first, second = said("It rained in 2020. Oxford Academic+1\n\nIt snowed in 2021.\nWikipedia\n+2")
    assert [(c.label, c.url) for c in first.citations] == [("Oxford Academic", None)]
    assert [(c.label, c.url) for c in second.citations] == [("Wikipedia", None)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The tower is high [12].", "the list of sources is missing"),
        ("The tower is high [12]." + LIST, "beyond the list, which ends at 3"),
        ("The tower is high 【4:0†report.pdf】.", "internal mark"),
        (
            "The tower is high [4].\n\nReferences\n[4] Smith, J. On towers. 2020.\n[5] https://a.example",
            "gives no address",
        ),
    ],
)
def test_a_mark_without_a_source_says_why(text: str, words: str) -> None:
    citation = said(text)[0].citations[0]
    assert citation.url is None
    assert words in str(citation.problem)


def test_names_of_files_in_marks_are_looked_up_by_title() -> None:
    sources = '[{"title": "report.pdf", "url": "https://a.example/one"}]'
    assert urls("The tower is high 【4:0†report.pdf】.", sources=sources) == [[A]]


def test_marks_that_count_from_zero_are_moved_to_a_list_that_counts_from_one() -> None:
    text = "It is high :contentReference[oaicite:0]{index=0}. It is old :contentReference[oaicite:2]{index=2}."
    assert urls(text + LIST) == [[A], [C]]


def test_sections_that_number_anew_have_their_own_list() -> None:
    text = (
        "# One\n\nIt is high [1].\n\nSources:\n[1] https://a.example/one\n\n"
        "# Two\n\nIt is old [1].\n\nSources:\n[1] https://b.example/two\n"
    )
    assert urls(text) == [[A], [B]]


def test_two_numbers_in_a_row_are_two_marks_though_definitions_make_them_a_link() -> None:
    definitions = "\n\n[1]: https://a.example/one\n[2]: https://b.example/two"
    assert urls("The tower is high [1][2]. It is old ([Site][1], [Other][2])." + definitions) == [[A, B], [A, B]]


def test_numbers_are_marks_where_no_interval_is_spoken_of() -> None:
    assert urls("The bell was cast in [2, 3]. It stands in the range [0.5, 2]. Values in [1, 3] occur.") == [
        [None, None], [], [],
    ]  # fmt: skip


def test_bodies_and_undated_works_are_cited_by_name() -> None:
    marks = said(
        "Towers sink (Institute for Old Towers, 2019). They lean (Tower team, n.d.). It was warm (in May, 2020)."
    )
    assert [[c.label for c in one.citations] for one in marks] == [
        ["Institute for Old Towers 2019"], ["Tower team n.d."], [],
    ]  # fmt: skip


def test_a_line_of_sources_may_hold_marks_alone() -> None:
    text = "# Ulm\n\nThe tower is high. It is old.\n\nSources: [1] and [3]\n\n# Bonn\n\nThe tower is low [2]."
    assert urls(text + LIST) == [[A, C], [A, C], [B]]
