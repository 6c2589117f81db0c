"""What each detector of the check while writing says of repositories that cite: findings by code and level.

    python benchmarks/detectors.py REPOSITORIES [--show CODE]

REPOSITORIES is a folder with a folder for each repository. Each is read twice, from a copy: as it is, and with an
artifact made of every entry of its bibliographies that has an abstract, whose sentences are the excerpts. Nobody is
asked, so what registries would say of an entry is `unknown`, as it is without network. Nothing labels the findings:
`--show` prints those of a code with their words, for a person to read.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.citations.artifact_samples import artifact  # noqa: E402
from veritas.citations.artifacts import Excerpt, write_artifact  # noqa: E402
from veritas.citations.bibliography.parse import read_bibliography  # noqa: E402
from veritas.citations.writing.diagnose import diagnose, lined  # noqa: E402
from veritas.citations.writing.diagnostic import Diagnostic  # noqa: E402
from veritas.citations.writing.project import Project  # noqa: E402
from veritas.errors import InputError  # noqa: E402
from veritas.text.sentences import split_sentences  # noqa: E402

PAGES = {".md", ".rmd", ".qmd", ".rst", ".tex", ".ipynb", ".bib"}
LEAST = 150
"""Characters of an abstract."""


def with_artifacts(root: Path) -> int:
    """Write an artifact for each entry with an abstract; return their number."""
    made: set[str] = set()
    for bibliography in sorted(root.rglob("*.bib")):
        try:
            entries = read_bibliography(bibliography)
        except InputError:
            continue
        for entry in entries:
            record, abstract = entry.record, " ".join(re.sub(r"[{}]", "", entry.fields.get("abstract", "")).split())
            slug = re.sub(r"\W+", "-", entry.key).lower()
            if len(abstract) < LEAST or slug in made or not (record.title and record.year and record.authors):
                continue
            excerpts = tuple(
                Excerpt(text=abstract[a:b], location="Abstract") for a, b in split_sentences(abstract) if b - a > 20
            )
            one = artifact(
                title=record.title, year=record.year, venue=entry.fields.get("journal", "a venue"), arxiv_id=None,
                authors=tuple(" ".join(filter(None, (each.given, each.family))) for each in record.authors),
                doi=f"10.5555/{slug}", abstract=abstract, excerpts=excerpts, claim_supported=excerpts[0].text,
                bibtex=f"@article{{{entry.key},\n  title={{{record.title}}},\n  year={{{record.year}}}\n}}",
            )  # fmt: skip
            write_artifact(one, root / "docs/citations", slug)
            made.add(slug)
    return len(made)


def told(root: Path) -> Iterator[tuple[Path, str, Diagnostic]]:
    """Yield each finding in the pages of a folder, with its page's text."""
    project = Project(root)
    kept = root / "docs/citations"
    pages = [
        path for path in sorted(root.rglob("*"))
        if path.suffix.lower() in PAGES and path.is_file() and kept not in path.parents
    ]  # fmt: skip
    texts = {path: lined(path.read_text("utf-8", errors="replace")) for path in pages}
    for path, text in texts.items():
        diagnose(text, str(path), project)  # asks what excerpts say of claims
    project.readings.settle(lambda: True)
    for path, text in texts.items():
        yield from ((path.relative_to(root), text, each) for each in diagnose(text, str(path), project))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("--show", default="", help="print the findings of this code")
    given = parser.parse_args()
    for kept in (False, True):
        counts: Counter[tuple[str, str]] = Counter()
        repositories = artifacts = 0
        for repository in sorted(each for each in given.repositories.iterdir() if each.is_dir()):
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder).resolve() / repository.name
                shutil.copytree(repository, root)
                made = with_artifacts(root) if kept else 0
                if kept and not made:
                    continue
                repositories, artifacts = repositories + 1, artifacts + made
                for path, text, one in told(root):
                    counts[one.code, one.level] += 1
                    if one.code == given.show:
                        print(f"{repository.name}/{path}: {text[one.start : one.end][:300]!r}: {one.message[:300]}")
        print(f"\n{repositories} repositories, {artifacts} artifacts")
        for (code, level), number in counts.most_common():
            print(f"{code:20} {level:12} {number:6}")


if __name__ == "__main__":
    main()
