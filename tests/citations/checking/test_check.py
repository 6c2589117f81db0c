"""`veritas.citations.checking`: every way to cite what is not there is found, and nothing else is."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.citations.artifact_samples import ABSTRACT, BY_HAND, NOW, SLUG, artifact
from veritas import InputError
from veritas.citations.artifacts import Excerpt, Trail, write_artifact
from veritas.citations.checking.check import MAX_SOURCE, check
from veritas.citations.checking.comments import comments
from veritas.citations.checking.findings import Report
from veritas.citations.checking.links import LinkFinder
from veritas.cli import main

LINK = f"docs/citations/{SLUG}.md"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    write_artifact(artifact(), root / "docs" / "citations", SLUG)
    return root


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def rules(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def run(root: Path) -> Report:
    return check([root], now=NOW)


COMMENTED = [
    ("a.py", "# research(2026-05): Baruch et al.\n# see {link}\ndef f(): ...\n"),
    ("b.py", 'def f():\n    """Perturbs.\n\n    See {link}.\n    """\n'),
    ("c.ts", "/**\n * research: Baruch\n * see {link}\n */\n"),
    ("d.rs", "let x = 1; // see {link}\n"),
    ("e.sql", "-- research: Baruch, see {link}\n"),
    ("f.lua", "--[[ see {link} ]]\n"),
    ("g.lisp", ";; see {link}\n"),
    ("h.html", "<!-- see {link} -->\n"),
    ("i.tex", "\\section{{x}} % see {link}\n"),
    ("j.jl", "# see {link}\n"),
    ("k.f90", "! see {link}\n"),
    ("l.ml", "(* see {link} *)\n"),
    ("m.yaml", "key: value  # see {link}\n"),
    ("n.hs", "{{- see {link} -}}\n"),
    ("Makefile", "all: # see {link}\n"),
    ("o.unheard", "# see {link}\n"),
    ("p.vb", "' see {link}\n"),
    ("q.bat", "REM see {link}\n"),
    ("r.css", "/* see {link} */\n"),
    ("script", "#!/bin/sh\n# see {link}\n"),
    ("s.md", "Perturbs[^alie] honestly.\n\n[^alie]: See [{link}] for the verified source.\n"),
    ("t.md", "A link to [Baruch]({link}) in prose.\n"),
    ("u.md", "<!-- research: Baruch, see {link} -->\n"),
    ("a.ps1", "<# see {link} #>\n"),
    ("b.jl", "#= see {link} =#\n"),
    ("c.rb", "=begin\nsee {link}\n=end\n"),
    ("d.pl", "=pod\n\nsee {link}\n\n=cut\n"),
    ("e.jinja", "{{# see {link} #}}\n"),
    ("f.jsp", "<%-- see {link} --%>\n"),
    ("g.erb", "<%# see {link} %>\n"),
    ("h.hbs", "{{{{!-- see {link} --}}}}\n"),
    ("i.cshtml", "@* see {link} *@\n"),
    ("j.haml", "-# see {link}\n"),
    ("k.d", "/+ see {link} +/\n"),
    ("l.nim", "#[ see {link} ]#\n"),
    ("matlab.m", "x = a'; % see {link}\n"),
    ("objective.m", "// see {link}\n"),
    ("m.v", "/* Verilog: see {link} */\n"),
    ("n.v", "(* Coq: see {link} *)\n"),
    ("o.pas", "{{ see {link} }}\n"),
    ("p.lean", "/- see {link} -/\n"),
    ("q.tla", "\\* see {link}\n"),
    ("r.apl", "⍝ see {link}\n"),
    ("s.ex", '@doc """\nsee {link}\n"""\n'),
    ("t.nix", "/* see {link} */\n"),
    ("u.S", "# see {link}\n"),
    ("v.s", "@ see {link}\n"),
    ("latex.cls", "% see {link}\n"),
    ("basic.cls", "' see {link}\n"),
    ("prolog.pl", "% see {link}\n"),
    ("w.adoc", "// see {link}\n"),
    ("x.vim", '" see {link}\n'),
    ("y.f", "C see {link}\n"),
    ("z.rst", ".. see {link}\n"),
]


@pytest.mark.parametrize(("name", "text"), COMMENTED, ids=[name for name, _ in COMMENTED])
def test_a_citation_resolves_or_fails_in_every_syntax(project: Path, name: str, text: str) -> None:
    put(project, name, text.format(link=LINK))
    good = run(project)
    assert (rules(good), good.failed) == ([], False)
    assert good.links >= 1
    put(project, name, text.format(link="docs/citations/2101.00001-nobody-nothing.md"))
    bad = run(project)
    assert rules(bad) == ["missing-artifact"]
    assert bad.failed
    assert bad.findings[0].path == name
    assert bad.findings[0].artifact == "docs/citations/2101.00001-nobody-nothing.md"


NO_CITATIONS = [
    ("a.py", 'text = "see docs/citations/gone.md"\nother = \'# research: nothing\'\n'),
    ("b.js", "const s = '// see docs/citations/gone.md'; const u = `/* research: x */`;\n"),
    ("c.yaml", "research: run\nstages:\n  research: 1\n"),
    ("d.md", "In code: `see docs/citations/gone.md` and\n\n```python\n# see docs/citations/gone.md\n```\n"),
    ("e.md", "An aside[^1].\n\n[^1]: Not a reference, only a remark.\n"),
    ("f.md", "Write to me@example.org, thank @someone, [@user](https://example.org), run `@decorator2020`.\n"),
    ("g.md", "Artifacts lie in docs/citations/ and are described in docs/citations/README.md.\n"),
    ("h.py", "# The research stage: see docs/citations/{slug}.md\n"),
    ("i.md", "* research: a list item, not a comment\n"),
    ("j.py", "# see https://example.org/blob/main/docs/citations/elsewhere.md\n"),
    ("k.md", "~~~\n[^x]\n~~~\n\nA regular expression [^a-z ] and `[^cite]`.\n"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), NO_CITATIONS, ids=[name for name, _ in NO_CITATIONS])
def test_what_is_no_citation_is_left_alone(project: Path, name: str, text: str) -> None:
    put(project, name, text)
    assert rules(run(project)) == []


UNLINKED = [
    ("a.jl", "#= research: Baruch =#\n"),
    ("b.lua", "--[[ research: Baruch ]]\n"),
    ("c.rb", "=begin\nresearch: Baruch\n=end\n"),
    ("d.jinja", "{# research: Baruch #}\n"),
    ("e.f", "C research: Baruch\n"),
    ("f.m", "%{\nresearch: Baruch\n%}\n"),
    ("g.lean", "/- research: Baruch -/\n"),
    ("h.cshtml", "@* research: Baruch *@\n"),
]


@pytest.mark.parametrize(("name", "text"), UNLINKED, ids=[name for name, _ in UNLINKED])
def test_a_research_comment_of_any_syntax_needs_its_artifact(project: Path, name: str, text: str) -> None:
    put(project, name, text)
    assert rules(run(project)) == ["no-artifact"]


def notebook(*cells: tuple[str, list[str] | str], language: str = "python") -> str:
    return json.dumps(
        {
            "cells": [{"cell_type": kind, "source": source, "outputs": []} for kind, source in cells],
            "metadata": {"kernelspec": {"language": language}},
        },
        indent=1,
        ensure_ascii=False,
    )


def test_cells_of_a_notebook_are_code_and_prose(project: Path) -> None:
    code = ["import numpy\n", "# research: Baruch\n", f"# see {LINK}\n", "text = 'docs/citations/gone.md'\n"]
    put(project, "good.ipynb", notebook(("code", code), ("markdown", f"See [Baruch]({LINK}).")))
    report = run(project)
    assert (rules(report), report.links) == ([], 2)
    bad = notebook(("code", ["é = 1\n", "# see docs/citations/gone.md\n"]), ("markdown", ["As [@nobody2020] says.\n"]))
    put(project, "bad.ipynb", bad)
    found = [(each.rule, each.line) for each in run(project).findings if each.path == "bad.ipynb"]
    lines = bad.splitlines()
    assert found == [
        ("missing-artifact", next(at for at, line in enumerate(lines, 1) if "gone" in line)),
        ("unknown-key", next(at for at, line in enumerate(lines, 1) if "nobody" in line)),
    ]


NO_NOTEBOOKS = ["", "{", "[]", '{"cells": 3}', '{"cells": [3, {"source": [1, null]}]}', "[" * 100_000]


@pytest.mark.parametrize("text", NO_NOTEBOOKS, ids=range(len(NO_NOTEBOOKS)))
def test_what_is_no_notebook_is_survived(project: Path, text: str) -> None:
    put(project, "x.ipynb", text + "\n" * 3)
    assert rules(run(project)) == []
    put(project, "y.ipynb", f"{text} docs/citations/gone.md")
    assert rules(run(project)) == ["unread"]


def test_a_place_in_a_notebook_is_found_however_its_text_is_escaped(project: Path) -> None:
    source = "".join(f'"[^a{number}] é"' + ("," if number < 400 else "") for number in range(401))
    put(project, "a.ipynb", '{"cells": [{"cell_type": "markdown", "source": [' + source.replace("é", "\\u00E9\\/")
        .replace(",", ",\n") + "]}]}")  # fmt: skip
    assert [each.line for each in run(project).findings] == list(range(1, 402))


def test_in_a_page_for_pandoc_every_key_is_a_citation(project: Path) -> None:
    put(project, "readme.md", "Thanks @octocat, and -@nobody [p. 3] says so.\n")
    assert [each.message.split(":")[0] for each in run(project).findings] == ["@nobody"]
    put(project, "readme.md", "---\nauthor: '@me'\nbibliography: refs.bib\n---\nAs @nobody and @{somebody} say.\n")
    put(project, "page.qmd", "As @nobody says in @fig-one and [@sec-two]; write to me@example.org.\n")
    assert [each.message.split(":")[0] for each in run(project).findings] == ["@nobody", "@nobody", "@somebody"]


# What the pages of projects that cite nothing are full of.
NO_KEYS = [
    ("a.md", "---\ntitle: '@flow'\nkeywords: [\"@flow2020\"]\nabout: [@flow2020]\n---\nText.\n"),
    ("b.md", "+++\ntags = [@flow2020]\n+++\nText.\n"),
    ("c.md", "- item:\n\n      [@abstractmethod2020]\n\n  more\n"),
    ("d.md", "1. item\n\n    ```python\n    [@abstractmethod2020]\n    [^x]\n    ```\n"),
    ("e.md", "> ```\n> [@abstractmethod2020]\n> ```\n"),
    ("f.md", "Text:\n\n    [@decorator2020]\n\n\t[^x]\n"),
    ("g.md", "<pre>\n[@decorator2020]\n</pre> and <code>[^x]</code>\n"),
    ("h.md", "{{ install({ packages: [\"@scope/name2020\"], more: ['@name2020'] }) }}\n"),
    ("i.md", "It takes [@scope/name] and [@scope/name2020].\n"),
    ("j.md", "Sets \\[^a-f\\] and **/[^_]*.md and [^a-zA-Z_] and [^abc]+ match.\n"),
    ("k.md", 'A path such as \\[@id="x2020"\\] and [@id2020=\'x\'].\n'),
    ("l.mdx", "<A>\n\n    {`[@decorator2020]`}\n\n</A>\n"),
    ("m.diff", "--- a/docs/citations/gone.md\n+++ b/docs/citations/gone.md\n-# research: Baruch\n"),
    ("n.patch", "-# see docs/citations/gone.md\n"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), NO_KEYS, ids=[name for name, _ in NO_KEYS])
def test_code_metadata_packages_and_patches_cite_nothing(project: Path, name: str, text: str) -> None:
    put(project, name, text)
    assert rules(run(project)) == []


USERS = "Thanks [@octocat], @andrew2012, [see @octocat] and @octocat [1] [changelog].\n"


def test_a_name_is_a_user_s_where_the_project_has_no_artifacts(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, "a.md", USERS.replace("[@octocat]", "@octocat").replace("[see @octocat]", "[@scope/name]"))
    assert rules(run(tmp_path)) == []
    put(tmp_path, "a.md", USERS)  # in brackets it may be a key
    assert (rules(run(tmp_path)), run(tmp_path).ok) == (["keeps-none"], False)
    put(tmp_path, "a.md", "[@a; -@nobody2020], @nobody [p. 3], [see @nobody, chap. 2] and [@doi:10.1000/182].\n")
    found = run(tmp_path)
    assert (found.links, rules(found)) == (5, ["keeps-none"])


def test_a_project_that_keeps_no_artifacts_is_told_so_once_and_one_that_does_of_each_key(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, "a.md", "[@a2019; @nobody2020]\n")
    put(tmp_path, "b.md", "[@nobody2020], and so it is.[^1]\n\n[^1]: As Smith et al. say, doi:10.1234/abc.\n")
    report = run(tmp_path)
    assert (rules(report), report.failed, report.ok) == (["keeps-none"], False, False)
    assert "4 citations" in report.findings[0].message
    put(tmp_path, "c.py", "# see docs/citations/none.md\n")
    assert sorted(rules(run(tmp_path))) == ["keeps-none", "missing-artifact"]
    (tmp_path / "docs/citations").mkdir(parents=True)
    each = ["missing-artifact", "no-artifact", "unknown-key", "unknown-key", "unknown-key"]
    assert sorted(rules(run(tmp_path))) == each


def test_a_name_is_a_key_where_the_project_has_artifacts(project: Path) -> None:
    put(project, "a.md", USERS)
    named = [each.message.split(":")[0] for each in run(project).findings]
    assert named == ["@octocat", "@andrew2012", "@octocat", "@octocat"]


PROSE = [
    ("a.md", "- item\n\n    still the item [@nobody2020]\n"),
    ("b.md", "[^1]: A note.\n\n    Still the note [@nobody2020]. And[^1].\n"),
    ("c.md", "Text\n    that goes on [@nobody2020]\n"),
    ("d.md", "```inline``` code, then [@nobody2020]\n"),
    ("e.mdx", "<A>\n\n    Prose [@nobody2020]\n\n</A>\n"),
    ("f.md", '"@nobody2020 says so", they say.\n'),
    ("g.md", "<code>x</code> [@nobody2020] <code>never closed\n"),
    ("h.qmd", "---\nabstract: As [@nobody2020] says.\n---\n"),
]


@pytest.mark.parametrize(("name", "text"), PROSE, ids=[name for name, _ in PROSE])
def test_a_key_in_prose_is_found_beside_code(project: Path, name: str, text: str) -> None:
    put(project, name, text)
    assert [(each.rule, each.message.split(":")[0]) for each in run(project).findings] == [
        ("unknown-key", "@nobody2020")
    ]


def test_quarto_s_cross_references_and_attributes_cite_nothing(project: Path) -> None:
    text = "See @tip-one, @vid-a and ![](a.png){fig-alt='by @someone'}.\n\n::: {#vid-a .x}\nAs @nobody says.\n:::\n"
    put(project, "page.qmd", text)
    assert [each.message.split(":")[0] for each in run(project).findings] == ["@nobody"]


def test_a_footnote_may_stand_in_another_cell(project: Path) -> None:
    put(project, "a.ipynb", notebook(("markdown", "Text[^a] and text[^b]."), ("markdown", "[^a]: A note.")))
    assert [each.message.split(" ")[0] for each in run(project).findings] == ["[^b]"]


@given(
    st.lists(
        st.sampled_from(
            ["@", "[", "]", " ", "\n", "-", "; ", "smith", "2020", "é", "p. 3", "ch. 2", "§", "/", "^", "`", "{", "}",
             "10.1000/1", ".", "---\n", "bibliography: x\n", "\r\n", "docs/citations/x.md", "\\"]
        ),
        max_size=25,
    ).map("".join),
    st.booleans(),
    st.sampled_from(["md", "qmd", "mdx"]),
)  # fmt: skip
@example("[@10.1000/1]", False, "md")
def test_no_page_with_a_citation_is_passed_over_unread(text: str, keyed: bool, suffix: str) -> None:
    finder = LinkFinder("docs/citations", with_keys=False, keyed=keyed)
    if finder.find(text.replace("\r\n", "\n"), f"a.{suffix}"):
        assert finder.wanted(text.encode(), suffix)


def test_a_research_comment_without_an_artifact_fails(project: Path) -> None:
    put(project, "a.py", "x = 1\n\n# research(2026-05): Baruch et al.\n# and nothing else\ny = 2\n")
    report = run(project)
    assert rules(report) == ["no-artifact"]
    assert (report.findings[0].line, report.findings[0].column) == (3, 3)


def test_the_link_may_stand_anywhere_in_the_comment(project: Path) -> None:
    put(project, "a.go", f"// research: Baruch\n// two lines\n// see {LINK}\nfunc f() {{}}\n")
    assert rules(run(project)) == []


def test_an_undefined_footnote_fails(project: Path) -> None:
    put(project, "a.md", "Some claim[^cite].\n")
    assert rules(run(project)) == ["undefined-footnote"]


@pytest.mark.parametrize(
    "text",
    [
        "* Some claim[^cite]\n\n    [^cite]: A note.\n",
        "> Some claim[^cite]\n>\n> [^cite]: A note.\n",
        "!!! note\n    Some claim[^cite]\n\n    [^cite]: A note.\n",
        "Some claim[^cite]\n\n- item\n\n        [^cite]: A note.\n",
    ],
)
def test_a_footnote_may_be_defined_in_a_list_a_quotation_and_an_admonition(project: Path, text: str) -> None:
    put(project, "a.md", text)
    assert rules(run(project)) == []
    if " " * 8 not in text:  # that is code, which some renderers read as a note
        put(project, "a.md", text.replace("A note", "Nobody et al., arXiv:2101.00001"))
        assert rules(run(project)) == ["no-artifact"]


def test_what_follows_a_note_in_a_list_is_not_of_the_note(project: Path) -> None:
    put(project, "a.md", "* Some claim[^cite]\n\n    [^cite]: A note.\n\n    As Nobody et al. say.\n")
    assert rules(run(project)) == []


def test_a_footnote_that_is_a_reference_needs_its_artifact(project: Path) -> None:
    put(project, "a.md", "Claim[^a].\n\n[^a]: Nobody et al., arXiv:2101.00001.\n")
    assert rules(run(project)) == ["no-artifact"]
    put(project, "a.md", "Claim[^a].\n\n[^a]: Baruch et al., arXiv:1902.06156.\n")
    assert rules(run(project)) == []


def test_relative_links_resolve_from_the_page(project: Path) -> None:
    put(project, "docs/guide/page.md", f"[a](../citations/{SLUG}.md) and [b](../citations/gone.md)\n")
    put(project, "docs/page.md", f"[a](citations/{SLUG}.md)\n")
    report = run(project)
    assert rules(report) == ["missing-artifact"]
    assert report.findings[0].path == "docs/guide/page.md"


def test_a_link_that_leaves_the_folder_fails(project: Path) -> None:
    put(project, "secret.md", "not an artifact")
    put(project, "a.py", "# see docs/citations/../../secret.md\n")
    assert rules(run(project)) == ["outside"]


def test_a_project_inside_a_project_has_its_own_artifacts(project: Path) -> None:
    write_artifact(artifact(), project / "packages" / "inner" / "docs" / "citations", "1902.06156-inner-one")
    put(project, "packages/inner/src/a.py", "# see docs/citations/1902.06156-inner-one.md\n")
    put(project, "packages/inner/src/b.py", f"# see {LINK}\n")
    put(project, "a.py", "# see docs/citations/1902.06156-inner-one.md\n")
    report = run(project)
    assert [(f.rule, f.path) for f in report.findings] == [("missing-artifact", "a.py")]


def test_markdown_keys_resolve_to_artifacts(project: Path) -> None:
    put(project, "a.md", "As shown [see @baruch2019little, p. 3; @nobody2020], and @baruch2019little says so.\n")
    report = run(project)
    assert rules(report) == ["unknown-key"]
    assert "nobody2020" in report.findings[0].message


def test_latex_keys_are_checked_by_a_map_where_one_is_given(project: Path, tmp_path: Path) -> None:
    put(
        project,
        "paper.tex",
        "A \\citep[see][p.~3]{alie, gone} and \\textcite{absent}. % \\cite{comment}\n\\nocite{*}\n",
    )
    assert (rules(run(project)), run(project).links) == (["keeps-none"], 3)
    chart = put(tmp_path, "map.json", json.dumps({"alie": SLUG, "gone": "2101.00001-x-y.md"}))
    report = check([project], citation_map=chart, now=NOW)
    assert sorted(rules(report)) == ["missing-artifact", "unknown-key"]
    put(project, "docs/citations/map.yaml", f"alie: {SLUG}\ngone: {LINK}\nabsent: {SLUG}\n")
    assert rules(run(project)) == []


BIB = "@article{Known2019,\n title = {A}, ids = {older2001, other},\n}\n"


def test_latex_without_a_map_is_never_said_to_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, "paper.tex", "It is so \\cite{known2019,older2001} and \\citep{item}.\n\\bibliography{refs}\n")
    report = run(tmp_path)
    assert (rules(report), report.failed, report.ok, report.links) == (["keeps-none"], False, False, 3)
    assert "the 3 citations" in report.findings[0].message
    put(tmp_path, "refs.bib", BIB)
    put(tmp_path, "more.tex", "\\begin{thebibliography}{9}\n\\bibitem[A {[b]}]{item} A.\n\\end{thebibliography}\n")
    report = run(tmp_path)
    assert (rules(report), report.failed, report.ok) == (["keeps-none"], False, False)


@pytest.mark.parametrize(
    ("bibliography", "named", "expected"),
    [
        ("refs.bib", "\\bibliography{refs}", ["keeps-none", "unknown-key"]),
        ("refs.bib", "", ["keeps-none", "unknown-key"]),
        ("refs.bib", "\\addbibresource{gone.bib}", ["keeps-none"]),  # may have it
        ("CITATION.bib", "", ["keeps-none"]),  # how the project is cited
        ("gone/refs.bib", "\\bibliography{gone/refs}", ["keeps-none", "unknown-key"]),  # ignored by git
    ],
)
def test_a_key_of_latex_that_no_bibliography_has_is_unknown(
    tmp_path: Path, bibliography: str, named: str, expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, ".gitignore", "gone/\n")
    put(tmp_path, bibliography, BIB)
    page = put(tmp_path, "paper.tex", f"As \\cite{{Known2019}} and\n\\textcite{{Known2019fake}} say.\n{named}\n")
    report = run(tmp_path)
    assert sorted(rules(report)) == expected
    assert report.failed == ("unknown-key" in expected)
    assert [each.line for each in report.findings if each.rule == "unknown-key"] == [2] * report.failed
    assert sorted(rules(run(page))) == expected


def test_latex_cites_what_an_artifact_has_without_a_map(project: Path) -> None:
    put(project, "paper.tex", f"As \\cite{{{SLUG.removesuffix('.md')}}} says.\n")
    assert (rules(run(project)), run(project).ok) == ([], True)


OTHER_MARKUP = [
    ("a.rst", "As :cite:t:`Known2019` says.\n", "and :cite:`{see}gone`.\n", ".. bibliography:: none.bib\n"),
    ("a.org", "As [cite/t:@Known2019 p. 3] says.\n", "and [cite:@other2019; @gone].\n", "#+bibliography: none.bib\n"),
    ("a.typ", "As #cite(<Known2019>) and @other2019 say.\n", "and #cite(<gone>).\n", '#bibliography("none.yml")\n'),
]


@pytest.mark.parametrize("name", ["a.md", "a.tex", "a.rst", "a.typ"])
def test_with_keys_only_a_key_passes_that_a_bibliography_lists(tmp_path: Path, name: str) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, "refs.bib", BIB + "@book{other2019,\n}\n")
    form = {"md": "[@{}]", "tex": "\\cite{{{}}}", "rst": ":cite:`{}`", "typ": "#cite(<{}>)"}[name.partition(".")[2]]
    put(tmp_path, name, f"As {form.format('other2019')} says.\n")
    assert not run(tmp_path).ok
    report = check([tmp_path], keys_only=True)
    assert (report.ok, report.listed, report.findings) == (True, 1, [])
    put(tmp_path, name, f"As {form.format('nobody2019')} says.\n")
    assert check([tmp_path], keys_only=True).failed
    (tmp_path / "refs.bib").unlink()
    assert check([tmp_path], keys_only=True).unread == 1


@pytest.mark.parametrize(("name", "known", "gone", "named"), OTHER_MARKUP, ids=[each[0] for each in OTHER_MARKUP])
def test_citations_of_other_markup_are_read_as_those_of_latex(
    tmp_path: Path, name: str, known: str, gone: str, named: str
) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, name, known + gone)
    assert (rules(run(tmp_path)), run(tmp_path).ok) == (["keeps-none"], False)
    put(tmp_path, "refs.bib", BIB + "@book{other2019,\n}\n")
    report = run(tmp_path)
    assert sorted(rules(report)) == ["keeps-none", "unknown-key"]
    assert [each.line for each in report.findings if each.rule == "unknown-key"] == [2]
    put(tmp_path, name, known)
    assert rules(run(tmp_path)) == ["keeps-none"]
    put(tmp_path, name, known + gone + named)  # which is not there and may have it
    assert rules(run(tmp_path)) == ["keeps-none"]

@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("a.rst", ".. bibliography:: refs.bib\n   :filter: docname in docnames\n   :keyprefix: faq-\n"),
        ("a.md", "```{bibliography} refs.bib\n:keyprefix: faq-\n```\n"),
        ("a.md", "````{bibliography} refs.bib\n---\nkeyprefix: 'faq-'\n---\n````\n"),
    ],
)
def test_a_key_is_looked_up_without_what_its_list_of_works_puts_before_it(
    tmp_path: Path, name: str, listed: str
) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, "refs.bib", BIB + "@book{other2019,\n}\n")
    cite = ":cite:`{}`" if name.endswith("rst") else "{{cite}}`{}`"
    put(tmp_path, name, f"As {cite.format('faq-other2019')} says.\n\n{listed}")
    assert rules(run(tmp_path)) == ["keeps-none"]
    put(tmp_path, name, f"As {cite.format('faq-gone2019')} says.\n\n{listed}")
    assert "unknown-key" in rules(run(tmp_path))
    put(tmp_path, name, f"As {cite.format('other-other2019')} says.\n\n{listed}")
    assert "unknown-key" in rules(run(tmp_path))


CITE_NOTHING = [
    ("a.rst", "Write ``:cite:`x``` and see :ref:`cite`.\n\n.. code-block:: rst\n\n   :cite:`gone`\n"),
    ("a.org", "Write =[cite:@x]= to @jane.\n# [cite:@x]\n#+begin_src org\n[cite:@x]\n#+end_src\n"),
    ("a.typ", "#import \"@preview/cetz2020:0.1\"\nSee @fig:one, @intro2020 and `@x2020`; me@x2020.org // @y2020\n"
     "= Introduction <intro2020>\n"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), CITE_NOTHING, ids=[each[0] for each in CITE_NOTHING])
def test_other_markup_that_cites_nothing_holds(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, name, text)
    assert (rules(run(tmp_path)), run(tmp_path).ok, run(tmp_path).links) == ([], True, 0)


def test_latex_that_cites_nothing_holds(tmp_path: Path) -> None:
    put(tmp_path, "a.tex", "% \\cite{a}\n\\verb|\\cite{b}|\n\\setcitestyle{round}\\nocite{*}\\excited{x}\n")
    put(tmp_path, "a.md", "Write `\\cite{a}` and\n\n```latex\n\\cite{b}\n```\n")
    assert (rules(run(tmp_path)), run(tmp_path).ok, run(tmp_path).links) == ([], True, 0)
    put(tmp_path, "a.md", "As \\cite{a} says.\n")
    assert (rules(run(tmp_path)), run(tmp_path).links) == (["keeps-none"], 1)


@pytest.mark.parametrize("text", ["{", "[1]", '{"a": 1}', '{"a": {"b": "c"}}'])
def test_a_map_that_is_none_is_an_input_error(project: Path, tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="map"):
        check([project], citation_map=put(tmp_path, "map.json", text), now=NOW)


# artifacts


def test_an_edit_by_hand_breaks_the_seal(project: Path) -> None:
    path = project / LINK
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Moran Baruch", "Yifei Liu", 1), encoding="utf-8")
    assert rules(run(project)) == ["seal"]
    path.write_text("\n".join(line for line in text.split("\n") if "content_hash" not in line), encoding="utf-8")
    assert rules(run(project)) == ["seal"]
    path.write_text(text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert rules(run(project)) == []


def test_an_artifact_in_the_specification_s_form_passes_with_a_warning(project: Path) -> None:
    put(project, "docs/citations/2502.03801-zhang-flpoison.md", BY_HAND)
    report = run(project)
    assert (rules(report), report.failed) == (["unsealed"], False)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('title: "SoK: Bench', 'titel: "SoK: Bench', "frontmatter"),
        ("year: 2025", "year: soon", "frontmatter"),
        ("  - Heyi Zhang\n  - Yule Liu\n", "", "frontmatter"),
        ('arxiv_id: "2502.03801"', "arxiv_id: null", "frontmatter"),
        ('arxiv_id: "2502.03801"', "arxiv_id: 2502.03801", "frontmatter"),
        ('arxiv_id: "2502.03801"', 'arxiv_id: "2502.03802"', "identity"),
        ("doi: null", 'doi: "not a doi"', "frontmatter"),
        ("  abs: https://", "  abs: javascript:", "frontmatter"),
        ("decisive_fields_agreed: true", "decisive_fields_agreed: false", "unverified"),
        ("human_overridden: false", "human_overridden: true", "frontmatter"),
        ('verified_at: "2026-05-23T17:42:00Z"', "verified_at: yesterday", "frontmatter"),
        ('verified_at: "2026-05-23T17:42:00Z"', 'verified_at: "2031-05-23T17:42:00Z"', "frontmatter"),
        ('verified_at: "2026-05-23T17:42:00Z"', 'verified_at: "2025-05-23T17:42:00Z"', "stale"),
        ('claim_supported: "FLPoison', 'claim: "FLPoison', "frontmatter"),
        ("## Citation snippet", "## Snippet", "frontmatter"),
        ('> "We evaluate', "We evaluate", "excerpt"),
        ("sources_consulted: [semantic_scholar, openalex]", "sources_consulted: []", "frontmatter"),
        ("---\n\n## Abstract", "\n## Abstract", "unreadable"),
        ("urls:\n", "urls: &x\n", "unreadable") if False else ("notes: []", "notes: [", "unreadable"),
    ],
)
def test_every_fault_in_an_artifact_is_named(project: Path, old: str, new: str, rule: str) -> None:
    assert old in BY_HAND
    put(project, "docs/citations/2502.03801-zhang-flpoison.md", BY_HAND.replace(old, new, 1))
    assert rule in rules(run(project))


def test_a_yaml_date_is_a_date(project: Path) -> None:
    text = BY_HAND.replace('verified_at: "2026-05-23T17:42:00Z"', "verified_at: 2026-05-23T17:42:00Z")
    put(project, "docs/citations/2502.03801-zhang-flpoison.md", text)
    assert rules(run(project)) == ["unsealed"]


def test_an_artifact_is_stale_after_365_days_and_not_before(project: Path) -> None:
    assert rules(check([project], now=NOW + timedelta(days=365))) == []
    assert rules(check([project], now=NOW + timedelta(days=366))) == ["stale"]


def test_excerpts_must_stand_in_the_stored_text(project: Path) -> None:
    paper = "Introduction.\n\nA perturbation of 1.5\nstandard deviations\n\nsuffices in every case.\n"
    digest = hashlib.sha256(paper.encode()).hexdigest()
    made = artifact(
        text_excerpts_unavailable=False,
        text_sha256=digest,
        excerpts=(Excerpt(text="A perturbation of 1.5 standard deviations suffices", location="p. 1"),),
    )
    folder = project / "docs" / "citations"
    write_artifact(made, folder, SLUG, text=paper)
    assert rules(run(project)) == []
    (folder / "texts" / f"{SLUG}.txt").write_text(paper + "more", encoding="utf-8")
    assert rules(run(project)) == ["text-changed"]
    lying = made.model_copy(update={"excerpts": (Excerpt(text="A perturbation of 100 standard deviations suffices"),)})
    write_artifact(lying, folder, SLUG, text=paper)
    assert rules(run(project)) == ["excerpt"]
    os.remove(folder / "texts" / f"{SLUG}.txt")
    assert rules(run(project)) == []


def test_an_abstract_alone_must_hold_the_excerpts(project: Path) -> None:
    made = artifact(excerpts=(Excerpt(text="std=100 was used throughout the experiments"),))
    write_artifact(made, project / "docs" / "citations", SLUG)
    assert rules(run(project)) == ["excerpt"]
    assert "suffices" in ABSTRACT


def test_a_paper_recorded_as_retracted_fails(project: Path) -> None:
    text = (project / LINK).read_text(encoding="utf-8").replace("standing: current", "standing: retracted")
    (project / LINK).write_text(text, encoding="utf-8")
    assert set(rules(run(project))) == {"withdrawn", "seal"}


def test_an_overridden_artifact_passes(project: Path) -> None:
    made = artifact(
        triangulation=Trail(primary_source="crossref", decisive_fields_agreed=False),
        excerpts=(),
        human_overridden=True,
        override_reason="read in print",
    )
    write_artifact(made, project / "docs" / "citations", SLUG)
    assert rules(run(project)) == []


# trees


def test_ignored_files_are_not_read(project: Path) -> None:
    bad = "# see docs/citations/gone.md\n"
    put(project, ".gitignore", "build/\n*.gen.py\n/top.py\n!kept.gen.py\nvendor/**/x.py\n")
    for name in (
        "build/a.py",
        "a.gen.py",
        "top.py",
        "sub/kept.gen.py",
        "sub/top.py",
        "vendor/y/z/x.py",
        "sub/build/a.py",
    ):
        put(project, name, bad)
    put(project, "sub/.gitignore", "mine.py\n")
    put(project, "sub/mine.py", bad)
    put(project, "mine.py", bad)
    put(project, ".git/info/exclude", "secret.py\n")
    put(project, "secret.py", bad)
    assert [f.path for f in run(project).findings] == ["mine.py", "sub/kept.gen.py", "sub/top.py"]


def test_a_folder_below_the_repository_obeys_the_files_above(project: Path) -> None:
    put(project, ".gitignore", "ignored.py\n")
    put(project, "sub/ignored.py", "# see docs/citations/gone.md\n")
    put(project, "sub/a.py", f"# see {LINK}\n")
    report = check([project / "sub"], now=NOW)
    assert (rules(report), report.links) == ([], 1)


def test_links_binaries_pipes_and_bad_bytes_are_survived(project: Path) -> None:
    (project / "loop").symlink_to(project)
    os.mkfifo(project / "pipe.py")
    (project / "bad.py").write_bytes(b"# \xff\xfe see docs/citations/gone.md\n")
    (project / "blob.dat").write_bytes(b"\0\1# see docs/citations/gone2.md\n")
    put(project, "broken.py", 'x = """never closed\n# see docs/citations/gone3.md\n')
    report = run(project)
    assert [f.path for f in report.findings if f.rule == "missing-artifact"] == ["bad.py", "broken.py"]


def test_what_is_not_read_is_told_and_is_not_fine(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in (("notes.md", "[@gone2020]".encode("utf-16")), ("data.bin", b"\0[@gone2020]"),
                          ("latin.md", b"Sch\xf6n, [^n]. [@m\xfcller2020; @gone2020]\n\n[^n]: A note.\n")):  # fmt: skip
        (project / name).write_bytes(content)
    for name in ("large.md", "large.csv"):
        with (project / name).open("wb") as file:
            file.truncate(MAX_SOURCE + 1)
    report = run(project)
    assert [(each.path, each.rule) for each in report.findings] == [
        ("large.md", "unread"), ("latin.md", "unread"), ("latin.md", "unknown-key"), ("notes.md", "unread"),
    ]  # fmt: skip
    assert not report.ok
    assert rules(check([project / "data.bin", project / "large.csv"], now=NOW)) == ["unread", "unread"]
    def ended(*options: str) -> tuple[object, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(["check", str(project), *options])
        return end.value.code, *capsys.readouterr()

    assert ended()[0] == 1
    (project / "latin.md").unlink()
    code, out, err = ended()
    assert (code, "2 not read" in err) == (3, True)
    assert "notes.md:1:1: unknown: not read, so not checked: it is no text in UTF-8" in out
    assert json.loads(ended("--json")[1])["ok"] is False


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that is there and cannot be read")
def test_a_file_that_the_system_does_not_give_is_told(project: Path) -> None:
    report = check([Path("/proc/self/mem")], root=project, now=NOW)
    assert (rules(report), report.failed, report.ok) == (["unread"], False, False)


def test_each_of_many_citations_of_one_file_has_its_line(project: Path) -> None:
    put(project, "a.md", "Some words on this [@nobody2020].\n\n" * 20_000)
    found = run(project).findings
    assert [(each.line, each.column) for each in found] == [(2 * number + 1, 21) for number in range(20_000)]


def test_a_file_given_by_name_is_checked_even_if_ignored(project: Path) -> None:
    put(project, ".gitignore", "a.py\n")
    path = put(project, "a.py", "# see docs/citations/gone.md\n")
    assert rules(check([path], now=NOW)) == ["missing-artifact"]
    with pytest.raises(InputError, match="no such"):
        check([project / "absent.py"], now=NOW)


def test_an_artifact_with_many_citations_is_reported_once(project: Path) -> None:
    path = project / LINK
    path.write_text(path.read_text(encoding="utf-8").replace("2019", "2018", 1), encoding="utf-8")
    for number in range(5):
        put(project, f"a{number}.py", f"# see {LINK}\n")
    assert rules(run(project)) == ["seal"]


@given(st.text(max_size=400), st.sampled_from(["a.py", "a.c", "a.md", "a.tex", "a.sql", "a", "a.html", "a.lua"]))
def test_no_text_breaks_the_finder(text: str, name: str) -> None:
    finder = LinkFinder("docs/citations", with_keys=True)
    for link in finder.find(text, name):
        assert 0 <= link.offset <= len(text)


@given(
    st.text(alphabet="/*-#'\"`\\[]{}()<>!\n ax%;", max_size=300),
    st.sampled_from(["c", "py", "lua", "sql", "html", "hs", "md"]),
)
def test_comments_are_parts_of_the_source(text: str, suffix: str) -> None:
    for comment in comments(text, f"a.{suffix}"):
        assert text[comment.start : comment.start + len(comment.text)] == comment.text


@pytest.mark.parametrize(
    "sign",
    [
        "[",
        "(",
        "/*",
        "--[[",
        "<!--",
        "`",
        "[^a",
        "@a[",
        "research(",
        "{-",
        "\\cite{",
        "docs/citations/",
        "'",
        "a@",
        "<code>",
        "- ",
        "> ```a\n",
        "@a/",
        "[@a ",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.c", "a.tex", "a.py", "a.lua", "a.unknown"])
def test_long_nonsense_takes_no_long_time(sign: str, name: str) -> None:
    import time

    finder = LinkFinder("docs/citations", with_keys=True)
    begun = time.perf_counter()
    finder.find(sign * (60_000 // len(sign)), name)
    assert time.perf_counter() - begun < 2
