"""Lay out the pages of the documentation site in build/pages: those of docs/, those at the root of the repository, the
files that they link to, and the API reference, which the generator draws from docstrings. `make docs` runs it.

Links are written for the repository; here they are bent to where their targets lie on the site.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PAGES = ROOT / "build" / "pages"
AT_ROOT = {"README.md": "index.md"} | {name: name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "LICENSE")}
"""Files at the root, and where they lie on the site."""
FOLDERS = ("examples", "policies", "deployments")
"""Folders whose files pages link to. They lie on the site as they lie in the repository."""
API = {
    "face": (
        "Public face",
        ["veritas", "veritas.aio", "veritas.use_cases.questions", "veritas.use_cases.events",
         "veritas.use_cases.claims", "veritas.use_cases.citations", "veritas.use_cases.papers",
         "veritas.use_cases.reviews", "veritas.use_cases.corpora", "veritas.use_cases.bibliographies",
         "veritas.use_cases.run_archive", "veritas.use_cases.run_states",
         "veritas.use_cases.reports", "veritas.use_cases.why"],
    ),
    "nouns": (
        "Nouns",
        ["veritas.claims.envelope", "veritas.claims.judgment", "veritas.claims.contestation", "veritas.claims.sources",
         "veritas.claims.answer", "veritas.claims.graph", "veritas.claims.chain",
         "veritas.claims.run_diff", "veritas.documents.document",
         "veritas.documents.verbatim"],
    ),
    "seams": (
        "Seams",
        ["veritas.council.member", "veritas.council.turns", "veritas.council.chat", "veritas.judging.lens",
         "veritas.search.provider", "veritas.policy.source_policy", "veritas.reading.reader",
         "veritas.registries.scholarly_source", "veritas.reviews.embedder", "veritas.gate.oracle",
         "veritas.gate.named_oracles", "veritas.report.renderer", "veritas.testing"],
    ),
    "gate": ("Gate", ["veritas.gate.finding", "veritas.gate.decision", "veritas.gate.gate", "veritas.gate.combining"]),
    "citations": ("Citations", ["veritas.citations.triangulation", "veritas.citations.citing.outcomes"]),
    "papers": (
        "Papers",
        ["veritas.papers.audit", "veritas.scoring.graph", "veritas.scoring.parameters", "veritas.scoring.score",
         "veritas.scoring.batch", "veritas.scoring.streaming", "veritas.scoring.uncertainty"],
    ),
    "reviews": ("Reviews", ["veritas.reviews.claim_corpus"]),
    "store": ("Store", ["veritas.store", "veritas.store.run_file", "veritas.store.ledger"]),
    "ground": ("Errors and settings", ["veritas.errors", "veritas.settings"]),
}  # fmt: skip
"""Pages of the reference: title, and the modules whose docstrings are on them."""

_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]\[]*)\]\((?P<target>[^)\s]+)\)")
_FENCE = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)


def site_files() -> dict[str, str]:
    """Return every file of the repository that lies on the site: where it lies there, by its path here."""
    found = dict(AT_ROOT)
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.is_file():
            found[path.relative_to(ROOT).as_posix()] = path.relative_to(ROOT / "docs").as_posix()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.name not in (".env", "worker.env") and (
                path.suffix != ".onnx"
            ):
                found[path.relative_to(ROOT).as_posix()] = path.relative_to(ROOT).as_posix()
    return found


def bend(text: str, source: str, files: dict[str, str]) -> str:
    """Return a page with its links as they have to be on the site; a link to what is not there becomes its text."""

    def bent(link: re.Match[str]) -> str:
        name, mark, anchor = link["target"].partition("#")
        if "://" in name or name.startswith("mailto:") or not name:
            return link[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        if there not in files:
            return "" if link["image"] else link["text"]
        at = posixpath.relpath(files[there], posixpath.dirname(files[source]) or ".")
        return f"{link['image']}[{link['text']}]({at}{mark}{anchor})"

    parts = _FENCE.split(text)
    return "".join(part if i % 2 else _LINK.sub(bent, part) for i, part in enumerate(parts))


def lay_out(pages: Path = PAGES) -> None:
    """Write all pages and files of the site into `pages`, anew."""
    shutil.rmtree(pages, ignore_errors=True)
    files = site_files()
    for source, at in files.items():
        (pages / at).parent.mkdir(parents=True, exist_ok=True)
        if at.endswith(".md") and not at.startswith(("examples/documents/", "policies/prompts/")):
            (pages / at).write_text(bend((ROOT / source).read_text(encoding="utf-8"), source, files), encoding="utf-8")
        elif not at.endswith(".md"):
            shutil.copyfile(ROOT / source, pages / at)
    (pages / "api").mkdir()
    listed = "".join(f"- [{title}]({name}.md)\n" for name, (title, _) in API.items())
    about = "Drawn from docstrings. What is not listed here may change without notice."
    (pages / "api" / "index.md").write_text(f"# API reference\n\n{about}\n\n{listed}", encoding="utf-8")
    for name, (title, modules) in API.items():
        drawn = "\n\n".join(f"::: {module}" for module in modules)
        (pages / "api" / f"{name}.md").write_text(f"# {title}\n\n{drawn}\n", encoding="utf-8")


if __name__ == "__main__":
    lay_out()
