"""The check of a text while it is written: what is found where, what is left alone, and what is only unknown."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from tests.citations.registry_server import Work, registry_server
from veritas.citations.artifacts import write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import check_text, citations_in, diagnose_text, open_project, work_out

QUOTE = "A perturbation of 1.5 standard deviations suffices for p < 0.05"
ENTRY = (
    "@article{%s,\n  title = {%s},\n  author = {Author, Ann and Bibliographer, Ben},\n  year = {2020},\n"
    "  journal = {J}\n}\n"
)
TITLE = "A careful study of many rare things in nature"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "refs.bib").write_text(ENTRY % ("author2020careful", TITLE))
    return tmp_path


@pytest.fixture
def project(root: Path) -> Project:
    return open_project(root, root=root)


def found(text: str, project: Project, name: str = "page.md") -> list[tuple[str, str, str]]:
    """Return code, level and the words at fault, of what is not merely unknown."""
    told = diagnose_text(text, Path(project.root) / name, project)
    plain = text.replace("\r\n", "\n")
    return [(each.code, each.level, plain[each.start : each.end]) for each in told if each.level != "unknown"]


@pytest.mark.parametrize(
    ("name", "text", "at"),
    [
        ("page.md", "Shown by [@nobody2020].\n", "@nobody2020"),
        ("page.qmd", "As @nobody2020 shows.\n", "@nobody2020"),
        ("page.tex", "Shown by \\citep[p.~3]{baruch2019little, nobody2020}.\n", "nobody2020"),
        ("page.rst", "Shown by :cite:p:`baruch2019little,nobody2020`.\n", "nobody2020"),
        ("page.md", "Zitiert 🎉 nach [@nobody2020].\r\nMore.\r\n", "@nobody2020"),
    ],
)
def test_an_unknown_key_is_found_where_it_stands(project: Project, name: str, text: str, at: str) -> None:
    assert found(text, project, name) == [("unknown-key", "error", at)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "> ```\n> code\n\nAs shown [@nobody2020].\n"),
        ("page.md", "- ```\n  code\n\nAs shown [@nobody2020].\n"),
        ("page.md", "- An item\n\n  ```\n  code\n\nAs shown [@nobody2020].\n"),
        ("page.md", "a \\`b [@nobody2020] c\\` d\n"),
        ("page.md", "As {cite}`baruch2019little` and {cite:p}`baruch2019little, nobody2020` show.\n"),
        ("page.tex", "\\cite[see~\\textbf{[1]}]{nobody2020}\n"),
        ("page.tex", "\\cite[see {[x]}][p. 3]{nobody2020}\n"),
        ("page.tex", "\\newcommand\\x{\\cite}\nAs in \\x{nobody2020}.\n"),
        ("page.tex", "\\newcommand{\\x}{\\citep}\nAs in \\x[p. 3]{nobody2020}.\n"),
    ],
)
def test_a_citation_that_is_printed_is_found(project: Project, name: str, text: str) -> None:
    assert [(code, words.lstrip("@")) for code, _, words in found(text, project, name)] == [
        ("unknown-key", "nobody2020")
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "Shown by [@baruch2019little] and [it](docs/citations/1902.06156-baruch-little.md).\n"),
        ("page.md", "They write “a perturbation … suffices for p < 0.05 […]” [@baruch2019little].\n"),
        ("page.md", f'They write "*{QUOTE}*". [@baruch2019little] And "this is not theirs at all".\n'),
        ("page.md", "The “state of the art” fails [@baruch2019little].\n"),
        ("page.tex", "% \\cite{nobody2020} is switched off\n"),
        ("page.md", "Text.\n<!-- Left out\n\nfor now [@nobody2020], \\cite{nobody2021}, {cite}`nobody2022`. -->\n"),
        ("notes.py", '# research: see docs/citations/1902.06156-baruch-little.md\nx = "[@nobody2020]"\n'),
    ],
)
def test_what_holds_is_left_alone(project: Project, name: str, text: str) -> None:
    assert found(text, project, name) == []


def test_an_altered_quotation_is_told_from_one_that_is_merely_not_kept(project: Project) -> None:
    altered = f'"{QUOTE.replace("1.5", "2.5")}"'
    other = '"wholly other words about cats and dogs at sea"'
    assert found(f"They write {altered} [@baruch2019little].\n", project) == [("quote-altered", "error", altered)]
    told = diagnose_text(f"They write {other}. [@baruch2019little]\n", Path(project.root) / "page.md", project)
    assert [(each.code, each.level) for each in told] == [("quote-not-found", "unknown")]
    assert found(f"They write {altered} [@baruch2019little; @author2020careful].\n", project)[0][0] != "quote-altered"


def test_a_quotation_that_the_whole_stored_text_lacks_is_an_altered_one(root: Path, project: Project) -> None:
    text = f"{QUOTE} on CIFAR-10. Everything else is said here."
    from veritas.frozen import text_hash

    made = artifact(text_sha256=text_hash(text), text_excerpts_unavailable=False)
    write_artifact(made, root / "docs/citations", SLUG, text=text)
    said = 'They write "wholly other words about cats and dogs" [@baruch2019little].\n'
    assert found(said, project)[0][:2] == ("quote-altered", "error")
    assert found('They write "Everything else is said here." [@baruch2019little]\n', project) == []


def test_a_claim_that_its_excerpt_denies_is_found_once_it_is_worked_out(project: Project) -> None:
    denied = "A perturbation of 3 standard deviations suffices for p < 0.05 on CIFAR-10 [@baruch2019little]."
    text = f"{denied}\n\nAttacks are cheap and defenses are hard to build [@baruch2019little].\n"
    assert found(text, project) == []
    assert asyncio.run(work_out(project))
    assert found(text, project) == [("claim", "warning", denied)]
    assert not project.readings.waiting


@pytest.mark.parametrize(
    ("changes", "code", "level"),
    [
        ({"standing": "retracted", "human_overridden": True, "override_reason": "it is the case in point"}, None, None),
        ({"standing": "corrected"}, "corrected", "warning"),
        ({"standing": "expression_of_concern"}, "corrected", "warning"),
    ],
)
def test_the_standing_of_the_work_is_told_where_it_is_cited(
    root: Path, project: Project, changes: dict[str, object], code: str | None, level: str | None
) -> None:
    write_artifact(artifact(**changes), root / "docs/citations", SLUG)
    told = found("Shown [@baruch2019little].\n", project)
    assert told == ([(code, level, "@baruch2019little")] if code else [])


def test_an_artifact_that_was_changed_or_deleted_is_noticed_at_once(root: Path, project: Project) -> None:
    file = root / "docs/citations" / f"{SLUG}.md"
    text = f"Shown in docs/citations/{SLUG}.md.\n"
    assert found(text, project) == []
    whole = file.read_text()
    file.write_text(whole.replace("standing: current", "standing: retracted"))
    assert {each[0] for each in found(text, project)} == {"artifact", "retracted"}
    forged = diagnose_text(whole.replace("1.5 standard", "9.5 standard"), file, project)
    assert [(each.code, each.level) for each in forged] == [("artifact", "error")]
    file.unlink()
    assert found(text, project)[0][0] == "missing-artifact"


def test_entries_are_judged_from_the_cache_and_unknown_without_it(
    root: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = (ENTRY % ("wrong", "A third study of heavy things in the air")).replace("Author, Ann", "Nobody, Nick")
    bib = "".join((
        ENTRY % ("good", TITLE), ENTRY % ("gone", "Another study of quite common things at sea"),
        wrong.replace("Bibliographer, Ben", "Noone, Nora"),
        ENTRY % ("invented", "Things that no index has ever heard anything about"),
    ))  # fmt: skip
    works = (
        Work(TITLE, venue="J"), Work("Another study of quite common things at sea", venue="J", retracted=True),
        Work("A third study of heavy things in the air", venue="J"),
    )  # fmt: skip
    with registry_server(*works) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        before = asyncio.run(check_text(bib, root / "refs.bib", project=project))
        assert {each.code for each in before} == {"unknown"}
        assert len(before) == 4
        project.verdicts.ask_again()
        asyncio.run(check_text(bib, root / "refs.bib", project=project, online=True))
    fresh = open_project(root, root=root)  # knows what the cache kept, and asks nobody
    told = asyncio.run(check_text(bib, root / "refs.bib", project=fresh))
    assert [(each.key, each.code, each.level) for each in told] == [
        ("gone", "retracted", "error"), ("wrong", "misattributed", "error"), ("invented", "fabricated", "error"),
    ]  # fmt: skip
    assert all(bib[each.start : each.end] == each.key for each in told)
    (root / "refs.bib").write_text(bib)
    cited = found("Shown \\cite{good,gone}.\n", fresh, "a.tex")
    assert ("retracted", "error", "gone") in cited
    assert not any(each[0] == "unknown-key" for each in cited)


def test_references_in_a_list_and_identifiers_in_prose_are_judged(
    root: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "See https://doi.org/10.5555/gone.1 for it.\n\n## References\n\n- Author, A., & Bibliographer, B. (2020). "
        f"{TITLE}. *Journal of Tests*, 3(2), 1-10. https://doi.org/10.5555/good.1\n"
    )
    gone = Work("Another study of common things", doi="10.5555/gone.1", retracted=True)
    works = (Work(TITLE, doi="10.5555/good.1"), gone)
    with registry_server(*works) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        told = asyncio.run(check_text(text, root / "page.md", project=project, online=True))
    assert [(each.code, text[each.start : each.end]) for each in told] == [("retracted", "10.5555/gone.1")]


def test_no_text_however_odd_breaks_the_check(root: Path, project: Project) -> None:
    pieces = (
        "[@", "@", "]", "\\cite{", "}", ":cite:`", "`", "[^", "]:", "\"", "“", "”", "docs/citations/", "@article{", "=",
        "{", ",", "\n", "\r\n", "🎉", "\u2028", "\x00", "baruch2019little", "a word ", "---\n", "%", "<!--", "\ud800",
        "## References\n", "10.5555/x", "https://doi.org/", "\\begin{thebibliography}", "\\bibitem{",
    )  # fmt: skip
    draw = random.Random(4)
    for _ in range(60):
        text = "".join(draw.choice(pieces) for _ in range(draw.randint(1, 60)))
        for name in ("a.md", "a.qmd", "a.tex", "a.rst", "a.bib", "a.py"):
            size = len(text.replace("\r\n", "\n"))
            assert all(0 <= each.start <= each.end <= size for each in diagnose_text(text, root / name, project))


@pytest.mark.parametrize(
    "text", ["[@nobody2020] and more words " * 36_000, "word " * 200_000 + "[@nobody2020]", '"' * 1_000_000]
)
def test_a_megabyte_is_checked_as_a_page_is(root: Path, project: Project, text: str) -> None:
    told = diagnose_text(text, root / "a.md", project)
    assert {each.code for each in told} <= {"unknown-key"}
    assert len(told) == text.count("@nobody2020")


def test_a_bibliography_that_is_being_rewritten_hides_nothing_else(root: Path, project: Project) -> None:
    whole = ENTRY % ("first2020", TITLE) + ENTRY % ("second2020", "Another study")
    for cut in range(0, len(whole), 7):
        (root / "refs.bib").write_text(whole[:cut])
        os.utime(root / "refs.bib", ns=(cut, cut))
        codes = {each.code for each in diagnose_text("\\cite{first2020}", root / "a.tex", project)}
        assert codes <= {"unknown-key", "no-artifact", "unknown"}
    (root / "refs.bib").write_text(whole)
    assert [each.entry is not None for each in citations_in("\\cite{second2020}", root / "a.tex", project)] == [True]


@pytest.mark.parametrize(("text", "name"), [(":cite" * 400_000, "a.rst"), ("\\" + "cite" * 400_000, "a.tex")])
def test_a_text_made_to_take_long_is_read_as_fast_as_any_other(tmp_path: Path, text: str, name: str) -> None:
    # Hours where time grows with the square of the length.
    assert diagnose_text(text + ":`a`", tmp_path / name, open_project(tmp_path)) is not None


def test_a_project_without_artifacts_is_told_so_once(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("".join(f"@misc{{k{n}, title={{T}}}}\n" for n in range(600)))
    text = "\n\n".join(f"Seen by [@k{n}]." for n in range(600)) + "\n\nAnd [@invented2031]."
    told = diagnose_text(text, tmp_path / "page.md", open_project(tmp_path, root=tmp_path))
    assert sorted((each.code, each.level) for each in told if each.level != "unknown") == [
        ("no-artifact", "information"), ("unknown-key", "error"),
    ]  # fmt: skip
    assert "600 citations" in next(each.message for each in told if each.code == "no-artifact")
