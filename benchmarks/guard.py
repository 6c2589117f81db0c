"""How often the guard lets a wrong reference pass, or stops a right one.

    python benchmarks/guard.py [SHARED] [--number N]

SHARED (default `../shared`) holds `citations/hallmark` and `citations/refchecker_replay`: real references, which the
registries hold (over real HTTP on this machine), and invented ones that were found in papers. N references (1,000 if so
many are there) are proposed as they are, and N with something planted: a quarter invented, a quarter with authors of
another paper, a quarter retracted, a quarter quotations with a word changed. Each is one edit, checked without network
on the cache that `veritas bib` filled: first of all references, then of the real ones alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.citations.artifact_samples import artifact  # noqa: E402
from tests.citations.registry_server import Work, registry_server  # noqa: E402
from veritas.citations.artifacts import Excerpt, write_artifact  # noqa: E402
from veritas.editor.agent_answers import exit_code  # noqa: E402
from veritas.registries.records import normalise  # noqa: E402
from veritas.use_cases.bibliographies import audit_bibliography  # noqa: E402
from veritas.use_cases.writing import Edit, guard_edits  # noqa: E402
from veritas.works.title_comparison import notice_kind  # noqa: E402

Fields = dict[str, str]
_SOURCES = ("crossref", "openalex", "semantic_scholar")
_KEPT = ("title", "author", "year", "doi", "booktitle", "journal", "eprint")


def records(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSON lines file."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def real_references(shared: Path) -> list[Fields]:
    """Return real references, each title once: HALLMARK's valid ones, and what scholarly services answered."""
    hallmark = shared / "citations/hallmark"
    found: list[Mapping[str, str]] = [each["valid_fields"] for each in records(hallmark / "twins.jsonl")]
    for name in ("dev_public", "test_public", "test_crossdomain", "supplement_chatgpt_citations"):
        found += [each["fields"] for each in records(hallmark / f"{name}.jsonl") if each["label"] == "VALID"]
    for each in records(shared / "citations/refchecker_replay/references.jsonl"):
        found += [fields for answer in each["responses"] for fields in answered(answer)]
    kept: dict[str, Fields] = {}
    for fields in found:
        whole = {name: value for name, value in fields.items() if name in _KEPT and value}
        if not whole.keys() >= {"title", "author", "year"} or notice_kind(whole["title"]) is not None:
            continue  # a notice of a correction is no paper that could be retracted
        if len(plain(whole["title"])) > 25 and whole["year"].isdigit():
            kept.setdefault(plain(whole["title"]), whole)
    return list(kept.values())


def answered(answer: Mapping[str, Any]) -> Iterator[Fields]:
    """Yield the records of an answer as the fields of an entry."""
    source = next((each for each in _SOURCES if each == answer["api"]), None)
    for raw in answer["results"] if source and isinstance(answer["results"], list) else []:
        record = normalise(source, raw) if isinstance(raw, dict) else None
        if record is None or not record.title or not record.authors or not record.year or not record.authors_complete:
            continue
        names = [f"{name.family}, {name.given}" if name.given else name.family for name in record.authors]
        fields = {"title": record.full_title or "", "author": " and ".join(names), "year": str(record.year)}
        yield fields | {"journal": record.venue or "Journal"} | ({"doi": record.doi} if record.doi else {})


def invented_references(shared: Path, real: list[Fields], number: int, draw: random.Random) -> list[Fields]:
    """Return references that do not exist: those found in papers, then halves of two titles by authors of a third."""
    found = [
        {name: value for name, value in each["fields"].items() if name in _KEPT}
        for name in ("dev_public", "test_public")
        for each in records(shared / f"citations/hallmark/{name}.jsonl")
        if each.get("hallucination_type") == "plausible_fabrication" and each["fields"].get("author")
    ][: number // 2]
    while len(found) < number:
        one, other, third = draw.sample(real, 3)
        first, second = one["title"].split(), other["title"].split()
        title = " ".join((*first[: len(first) // 2 + 1], *second[len(second) // 2 :]))
        found.append({"title": title, "author": third["author"], "year": third["year"], "journal": "Journal"})
    return found


def plain(title: str) -> str:
    """Return the letters and digits of a title."""
    return re.sub(r"\W", "", title).lower()


def work_of(fields: Mapping[str, str], *, retracted: bool) -> Work:
    """Return a reference as the registries hold it."""
    return Work(
        title=fields["title"], authors=tuple(fields["author"].split(" and ")), year=int(fields["year"]),
        doi=fields.get("doi"), arxiv_id=fields.get("eprint"), retracted=retracted,
        venue=fields.get("booktitle") or fields.get("journal") or "",
        kind="proceedings-article" if "booktitle" in fields else "journal-article",
    )  # fmt: skip


def entry_of(key: str, fields: Mapping[str, str]) -> str:
    """Return a reference as an entry of a .bib file."""
    kind = "inproceedings" if "booktitle" in fields else "article"
    rest = dict(fields) if "booktitle" in fields or "journal" in fields else {**fields, "journal": "Journal"}
    return f"@{kind}{{{key},\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in rest.items()) + "\n}\n"


def quoting(root: Path, titles: list[str], draw: random.Random) -> list[tuple[Edit, Edit]]:
    """Write an artifact for each title, and return the edits that quote it rightly, and with one word changed."""
    edits = []
    for at, title in enumerate(titles):
        said = f"We show that the approach of {title} holds in {at + 3} of {at + 20} settings."
        words = said.replace('"', "'").split()
        doi, key = f"10.5555/quoted.{at}", f"quoted{at}"
        made = artifact(
            title=title, doi=doi, arxiv_id=None, excerpts=(Excerpt(text=" ".join(words), location="Abstract"),),
            abstract=" ".join(words), bibtex=f"@article{{{key},\n  title={{On}}\n}}",
        )  # fmt: skip
        write_artifact(made, root / "docs/citations", f"10.5555_quoted.{at}-baruch-on")
        changed = list(words)
        changed[draw.randrange(1, len(words) - 1)] = draw.choice(["never", "rarely", "41", "always"])
        path = str(root / f"page{at}.md")
        right, wrong = (f'They write: "{" ".join(each)}" [@{key}].\n' for each in (words, changed))
        edits.append((Edit(path, "", right), Edit(path, "", wrong)))
    return edits


async def counted(edits: list[Edit], right: bool) -> Counter[int]:
    """Return how many edits end with each exit code, and tell of those that end wrongly."""
    codes: Counter[int] = Counter()
    for edit in edits:
        code = exit_code(await guard_edits([edit]))
        codes[code] += 1
        if code == (1 if right else 0):
            print(f"{'stopped' if right else 'passed'}: {edit.after}", file=sys.stderr)
    return codes


async def filled(home: Path, entries: list[str], root: Path) -> None:
    """Let `veritas bib` judge the entries, and keep the registries' answers in `home`."""
    os.environ["VERITAS_HOME"] = str(home)
    file = root / "all.bib"
    file.write_text("\n".join(entries), encoding="utf-8")
    await audit_bibliography(file)
    file.unlink()


async def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", nargs="?", type=Path, default=ROOT / ".." / "shared")
    parser.add_argument("--number", type=int, default=1_000)
    given = parser.parse_args()
    if not (given.shared / "citations/hallmark/twins.jsonl").is_file():
        print(f"{given.shared}/citations is not there: nothing to measure")
        return
    draw = random.Random(16)
    pool = real_references(given.shared)
    part = min(given.number, len(pool) * 4 // 5) // 4
    real, gone = pool[: part * 4], pool[part * 4 : part * 5]
    invented = invented_references(given.shared, real, part, draw)
    others = [{**fields, "author": real[(at + part) % len(real)]["author"]} for at, fields in enumerate(real[:part])]
    works = [work_of(each, retracted=False) for each in real] + [work_of(each, retracted=True) for each in gone]
    with registry_server(*works) as server, tempfile.TemporaryDirectory() as place:
        os.environ |= server.environment()
        root = Path(place) / "project"
        (root / "docs/citations").mkdir(parents=True)
        kinds = {"real": real, "invented": invented, "authors of another": others, "retracted": gone}
        entries = {name: [entry_of(f"{name[:4]}{at}", each) for at, each in enumerate(kind)]
                   for name, kind in kinds.items()}  # fmt: skip
        edits = {name: [Edit(str(root / "new.bib"), "", each) for each in kind] for name, kind in entries.items()}
        quoted = quoting(root, [each["title"] for each in real[:part]], draw)
        edits |= {"quoted rightly": [right for right, _ in quoted], "quoted with a change": [w for _, w in quoted]}
        print("| cache of | references | n | stopped (1) | unknown (3) | passed (0) |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for name, known in (("all", list(entries)), ("the real ones", ["real", "retracted"])):
            await filled(Path(place) / name.replace(" ", "-"), [each for kind in known for each in entries[kind]], root)
            for kind, proposed in edits.items():
                codes = await counted(proposed, kind in ("real", "quoted rightly"))
                print(f"| {name} | {kind} | {len(proposed)} | {codes[1]} | {codes[3]} | {codes[0]} |", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
