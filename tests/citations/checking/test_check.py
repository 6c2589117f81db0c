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

from tests.citations.artifact_samples import BY_HAND, NOW, SLUG, artifact
from veritas import InputError
from veritas.citations.artifacts import Excerpt, Trail, write_artifact
from veritas.citations.checking.check import check
from veritas.citations.checking.checker import MAX_SOURCE
from veritas.citations.checking.findings import Report
from veritas.citations.marks.links import LinkFinder
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


NO_NOTEBOOKS = ["", "{", "[]", '{"cells": 3}', '{"cells": [3, {"source": [1, null]}]}', "[" * 100_000]


@pytest.mark.parametrize("text", NO_NOTEBOOKS, ids=range(len(NO_NOTEBOOKS)))
def test_what_is_no_notebook_is_survived(project: Path, text: str) -> None:
    put(project, "x.ipynb", text + "\n" * 3)
    assert rules(run(project)) == []
    put(project, "y.ipynb", f"{text} docs/citations/gone.md")
    assert rules(run(project)) == ["unread"]


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


def test_an_undefined_footnote_fails(project: Path) -> None:
    put(project, "a.md", "Some claim[^cite].\n")
    assert rules(run(project)) == ["undefined-footnote"]


def test_a_link_that_leaves_the_folder_fails(project: Path) -> None:
    put(project, "secret.md", "not an artifact")
    put(project, "a.py", "# see docs/citations/../../secret.md\n")
    assert rules(run(project)) == ["outside"]


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


@given(st.text(max_size=400), st.sampled_from(["a.py", "a.c", "a.md", "a.tex", "a.sql", "a", "a.html", "a.lua"]))
def test_no_text_breaks_the_finder(text: str, name: str) -> None:
    finder = LinkFinder("docs/citations", with_keys=True)
    for link in finder.find(text, name):
        assert 0 <= link.offset <= len(text)


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
