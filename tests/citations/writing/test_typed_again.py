"""What is kept while a text is typed in: the same is found as by somebody who sees the text for the first time."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.citations.artifact_samples import artifact
from veritas.citations.artifacts import Excerpt, write_artifact
from veritas.citations.writing import known_artifacts
from veritas.citations.writing.open_questions import KeptWork
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import Diagnostic, diagnose_text, open_project, work_out

WORKS = {
    "reef2019": ("Ines Moreau", "Coral cover fell from 41% to 17% after the second bleaching in both atolls. "
                 "Parrotfish did not return to any surveyed lagoon."),
    "peat2020": ("Olav Dahl", "Methane emissions doubled in the first summer and fell below 9 grams later. "
                 "Sphagnum regrew on drained plots within six winters."),
    "wolf2021": ("Mira Sand", "Wolves crossed 14 motorways at night during the dispersal season. "
                 "Collared females settled within 60 kilometres of their packs."),
}  # fmt: skip
PARTS = [
    "Coral cover fell from 41% to 17% after the second bleaching [@reef2019].",
    "Methane emissions doubled in the first summer [@reef2019]. "
    "Parrotfish did not return to a surveyed lagoon [@peat2020].",
    "- Sphagnum regrew on drained plots within six winters [@peat2020]\n- Wolves crossed 14 motorways [@wolf2021]",
    "They write that “Parrotfish did not come back to any surveyed lagoon” [@reef2019].",
    "“Wolves crossed 14 motorways at night during the dispersal season”. So it is told.",
    "> Collared females settled within 90 kilometres of their packs.\n\nSee [@wolf2021].",
    "> Methane emissions doubled in the first summer and fell below 9 grams later [@peat2020]",
    "Wolves crossed 40 motorways at night during the dispersal season [@wolf2021].",
    "A note says more.[^1]\n\n[^1]: “Sphagnum regrew on drained plots within ten winters” [@peat2020].",
    "By https://doi.org/10.1234/wolf2021 “collared females settled within 60 kilometres of their packs”.",
    "## References\n\n- Moreau, I. (2019). Notes on reefs. Journal of Tests, 3, 4-5. arXiv:2001.12345",
    "Nothing is cited here, and nothing is said of anybody.",
]
FORMS: dict[str, Callable[[str], str]] = {
    "page.md": lambda text: text,
    "page.qmd": lambda text: f"---\nbibliography: references.bib\n---\n\n{text}",
    "page.tex": lambda text: text.replace("[@", "\\cite{").replace("]", "}").replace("%", "\\%"),
    "page.rst": lambda text: text.replace("[@", ":cite:`").replace("]", "`").replace("> ", "    "),
}


def write(root: Path, key: str, words: str) -> Path:
    author = WORKS[key][0]
    made = artifact(
        title=f"Notes on {key}", authors=(author,), doi=f"10.1234/{key}", arxiv_id=None, abstract=words,
        excerpts=(Excerpt(text=words, location="Abstract"),), bibtex=f"@article{{{key},\n  title={{A {key}}}\n}}",
        urls={"abs": f"https://doi.org/10.1234/{key}"},
    )  # fmt: skip
    return write_artifact(made, root / "docs/citations", f"10.1234_{key}-{author.split()[1].lower()}-notes")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    for key, (_, words) in WORKS.items():
        write(tmp_path, key, words)
    (tmp_path / "references.bib").write_text(
        "".join(f"@article{{{key},\n  title = {{Notes on {key}}}\n}}\n" for key in WORKS)
    )
    return tmp_path


def seen_first(text: str, path: Path, project: Project) -> list[Diagnostic]:
    """Return what is found by a project that has looked at nothing yet, and has the same answers."""
    for name, module in list(sys.modules.items()):
        if name.startswith("veritas.citations."):
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()
    fresh = Project(project.root, now=project.now)
    fresh.readings, fresh.verdicts = project.readings, project.verdicts
    return diagnose_text(text, path, fresh)


def edited(text: str, draw: random.Random) -> str:
    """Return a text after one key or one cut, or with two of its citations exchanged."""
    at, kind = draw.randrange(len(text)), draw.random()
    if kind < 0.4:
        return text[:at] + draw.choice('ae1 @]"\n>”') + text[at:]
    if kind < 0.6:
        return text[:at] + text[at + draw.randrange(1, 20) :]
    if kind < 0.8:
        taken = draw.randrange(len(text))
        return text[:at] + text[taken : taken + 150] + text[at:]
    one, other = draw.sample(sorted(WORKS), 2)
    return text.replace(one, "…").replace(other, one).replace("…", other)


@pytest.mark.parametrize("name", sorted(FORMS))
async def test_what_is_found_while_one_types_is_what_is_found_at_first_sight(root: Path, name: str) -> None:
    draw, project, path = random.Random(name), open_project(root), root / name
    told: Counter[str] = Counter()
    for _ in range(2):
        text = FORMS[name]("\n\n".join(draw.sample(PARTS, len(PARTS))) + "\n")
        diagnose_text(text, path, project)
        await work_out(project)
        for step in range(12):
            text = edited(text, draw)
            if step == 5:
                write(root, "wolf2021", draw.choice(["Wolves crossed 40 motorways at night.", WORKS["wolf2021"][1]]))
            found = diagnose_text(text, path, project)
            assert found == seen_first(text, path, project)
            told.update(each.code for each in found)
    assert {"quote-altered", "unknown"} <= told.keys(), told


def test_a_paragraph_is_looked_at_again_only_where_it_or_what_it_cites_changed(root: Path) -> None:
    project, text = open_project(root), "\n\n".join(PARTS) + "\n"
    diagnose_text(text, root / "page.md", project)
    before = len(project.kept)
    diagnose_text("A new beginning.\n\n" + text, root / "page.md", project)
    assert len(project.kept) - before <= 3  # the new paragraph alone, which is no quotation
    write(root, "wolf2021", "Wolves crossed 40 motorways at night during the dispersal season.")
    found = diagnose_text(text, root / "page.md", project)
    assert len(project.kept) > before + 3
    assert found == seen_first(text, root / "page.md", project)


def test_what_is_kept_is_bounded() -> None:
    kept, worked = KeptWork(most=3_000), Counter[int]()

    def get(number: int) -> int:
        return kept.get(number, 100, lambda: worked.update([number]) or number * 2)

    for number in range(1_000):
        assert get(number) == number * 2
        assert get(0) == 0
        assert len(kept) <= 20
    assert worked[0] == 1  # what is asked for again and again stays
    assert get(500) == 1_000
    assert worked[500] == 2


def test_artifacts_that_come_go_and_change_are_seen(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_artifacts, "_TICK", 0)
    monkeypatch.setattr(known_artifacts, "_MOST_LOOKED_AT", 1)
    project, folder = open_project(root), str(root / "docs/citations")
    paths = dict(project.artifacts.folder(folder).by_key)
    assert set(WORKS) < set(paths)
    wolf = Path(paths["wolf2021"])
    text = wolf.read_text().replace("{wolf2021", "{lynx2021")
    os.utime(folder, ns=(1, 1))
    project.artifacts.folder(folder)
    with wolf.open("w") as file:  # in its place: the folder stays as it was
        file.write(text)
    assert project.artifacts.get(str(wolf)).checked.keys == ("lynx2021",)
    project.artifacts.look_again()
    assert "lynx2021" in project.artifacts.folder(folder).by_key
    wolf.write_text(text.replace("{lynx2021", "{bear2021"))
    seen = [project.artifacts.folder(folder) for _ in range(4)]  # one after the other
    assert "bear2021" in seen[-1].by_key
    assert "lynx2021" not in seen[-1].by_key
    wolf.unlink()
    assert "bear2021" not in project.artifacts.folder(folder).by_key
