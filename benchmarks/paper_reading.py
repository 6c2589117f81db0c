"""How much of a paper is read: references, citations and text of real papers, against their JATS or LaTeX source.

    python benchmarks/paper_reading.py FOLDER                  the half that the rules were not written on
    python benchmarks/paper_reading.py FOLDER --half rules     the other half
    python benchmarks/paper_reading.py FOLDER --misses         and every miss
    python benchmarks/paper_reading.py FOLDER --heads 60       title, first author, year, journal and DOI of 60 PDFs
    python benchmarks/paper_reading.py FOLDER --heads -60      and of all others
    python benchmarks/paper_reading.py FOLDER --mains FILE     main aims and conclusions against a reader's labels

Papers are `NAME.xml` (JATS) with `NAME.pdf` beside it or without, and folders that hold a LaTeX paper (a `.tex` file
with `\\begin{document}`) or a `paper.md` with its bibliography. None are part of this repository: articles of PubMed
Central, of PLOS, or the sources of preprints will do. Half of them, by the hash of the name, is where rules may be
written. The truth is taken out of the source by `paper_truth.py`, without the reader's code:

- references: the `<ref>` of the article; the `\\bibitem` or `\\entry` of the .bbl; the cited keys of the .bib
- citations: each `<xref ref-type="bibr">` outside tables, ranges filled in; each key of each `\\cite`
- text: the letters of the paragraphs and captions of abstract and body. A letter is read if a run of 20 letters that
  holds it stands in the text as it was read

The labels of main aims and conclusions are a reader's, made from the papers before the program ran, as YAML: for each
paper, by its path in FOLDER, `aim` and `conclusion` are lists of beginnings or other parts of sentences that would be
right. An empty part says that the paper states none: then finding none is right. A part of a label of fewer than twelve
characters is refused, since it could stand in any sentence.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from paper_truth import AROUND, Truth, letters, of_jats, of_latex, of_markdown

RUN = 20
"""Letters of a run that must stand in the read text."""
SLACK = 4
"""Letters between the place of a citation in source and read text, at most."""


def papers(folder: Path, half: str, kind: str | None) -> Iterator[tuple[str, Path, Truth]]:
    """Yield name, file and truth of every paper of a half, and of a kind unless that is None."""
    for path in sorted(folder.rglob("*")):
        name = path.stem if path.suffix in (".xml", ".nxml", ".jats") else path.parent.name
        if half != "both" and rules_half(name) != (half == "rules"):
            continue
        if path.suffix in (".tex", ".md") and kind not in (None, path.suffix.lstrip(".")):
            continue
        if path.suffix in (".xml", ".nxml", ".jats"):
            truth = of_jats(path)
            if truth is not None and truth.references and truth.paragraphs:
                if kind != "pdf":
                    yield path.stem, path, truth
                if kind != "xml" and path.with_suffix(".pdf").is_file():
                    yield path.stem, path.with_suffix(".pdf"), truth
        elif path.suffix == ".tex" and r"\begin{document}" in path.read_text("utf-8", "replace"):
            truth = of_latex(path)
            if truth.references and sum(truth.keys.values()) >= 5:
                yield path.parent.name, path, truth
        elif path.name == "paper.md":
            truth = of_markdown(path)
            if truth.references:
                yield path.parent.name, path, truth


@dataclass
class Score:
    """Counts of a paper or of many: found of truth."""

    papers: int = 0
    references: int = 0
    references_of: int = 0
    extra: int = 0
    citations: int = 0
    citations_of: int = 0
    wrong: int = 0
    letters: int = 0
    letters_of: int = 0
    perfect: int = 0

    def add(self, other: Score) -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def matched(truth: Truth, read: Any) -> dict[str, str]:
    """Return truth's id -> key of the reference that was read, by DOI, title, or name and year."""
    left = {r.key: (letters(r.raw + " " + " ".join(r.fields.values())), r) for r in read}
    found: dict[str, str] = {}
    if any("key" in ref for ref in truth.references.values()):
        return {name: name for name in truth.references if name in left}
    for fits in (_by_doi, _by_title, _by_words):
        for name, ref in truth.references.items():
            if name not in found:
                key = next((k for k, (flat, r) in left.items() if fits(ref, flat, r)), None)
                if key is not None:
                    found[name] = key
                    del left[key]
    return found


def _by_doi(ref: dict[str, str], flat: str, read: Any) -> bool:
    return bool(ref["doi"]) and ref["doi"] == read.fields.get("doi", "").lower()


def _by_title(ref: dict[str, str], flat: str, read: Any) -> bool:
    title = letters(ref["title"])
    return len(title) >= 18 and (title[:40] in flat or title[-40:] in flat) and letters(ref["name"]) in flat


def _by_words(ref: dict[str, str], flat: str, read: Any) -> bool:
    if len(letters(ref["all"])) >= RUN and letters(ref["all"]) in flat:
        return True
    mine = {w for w in map(letters, ref["all"].split()) if len(w) > 3}
    years = (*read.fields.values(), read.raw)
    return len(mine) > 2 and sum(w in flat for w in mine) >= 0.7 * len(mine) and any(ref["year"] in y for y in years)


def measured(path: Path, truth: Truth, misses: list[str]) -> Score:
    from veritas.errors import VeritasError
    from veritas.papers.reading.paper_text import read_file

    score = Score(papers=1, references_of=len(truth.references))
    score.citations_of = sum(truth.keys.values()) if truth.keys else len(truth.citations)
    score.letters_of = sum(len(p) for p in truth.paragraphs if len(p) >= RUN)
    try:
        paper = read_file(path)
    except VeritasError as error:
        misses.append(f"not read: {error}")
        return score
    by_truth = matched(truth, paper.references)
    misses += [f"reference {n}: {r.get('all', n)[:110]}" for n, r in truth.references.items() if n not in by_truth]
    score.references, score.extra = len(by_truth), len(paper.references) - len(by_truth)
    if truth.keys:
        linked = Counter(key for marker in paper.markers for key in marker.references)
        score.citations = sum(min(n, linked[key]) for key, n in truth.keys.items())
        misses += [f"citation of {k}: {linked[k]} of {n}" for k, n in truth.keys.items() if linked[k] < n]
    else:
        _citations(paper, truth, by_truth, score, misses)
        _unread(paper.text, truth, score, misses)
    score.perfect = int(score.references == score.references_of and score.citations == score.citations_of)
    return score


def _citations(paper: Any, truth: Truth, by_truth: dict[str, str], score: Score, misses: list[str]) -> None:
    flat, at = _flat(paper.text)
    marks = [(bisect_left(at, m.place.start), bisect_left(at, m.place.end), m) for m in paper.markers]
    starts = [start for start, _, _ in marks]
    meant: dict[int, set[str]] = defaultdict(set)
    for name, before, behind in truth.citations:
        own = behind[: len(behind) - AROUND] if len(behind) > AROUND else ""
        places = [found + len(before) for found in _places(flat, before + behind[: max(8, len(own) + 8)])]
        places = places or ([p + len(before) for p in _places(flat, before)] if len(before) >= 15 else [])
        places = places or (list(_places(flat, behind)) if len(behind) >= 15 else [])
        hit = False
        for place in places:
            low = bisect_left(starts, place - 150)
            for index in range(low, min(len(marks), low + 40)):
                start, end, marker = marks[index]
                if start <= place + len(own) + SLACK and end >= place - SLACK:
                    meant[index].add(by_truth.get(name, ""))
                    hit = hit or by_truth.get(name, "") in marker.references
        score.citations += hit
        if not hit:
            why = "place not found" if not places else "no reference" if name not in by_truth else "not linked"
            misses.append(f"citation of {name} ({why}): …{before}|{behind[:30]}")
    for index, (_, _, marker) in enumerate(marks):
        if meant[index] and "" not in meant[index]:
            score.wrong += len(set(marker.references) - meant[index])


def _places(flat: str, said: str) -> Iterator[int]:
    at = flat.find(said) if said else -1
    while at >= 0:
        yield at
        at = flat.find(said, at + 1)


def _flat(text: str) -> tuple[str, list[int]]:
    flat: list[str] = []
    at: list[int] = []
    for place, character in enumerate(text):
        for letter in letters(character) if not character.isascii() else character.lower():
            if letter.isalpha():
                flat.append(letter)
                at.append(place)
    return "".join(flat), at


def _unread(text: str, truth: Truth, score: Score, misses: list[str]) -> None:
    flat, _ = _flat(text)
    runs = {flat[i : i + RUN] for i in range(len(flat) - RUN + 1)}
    for paragraph in truth.paragraphs:
        if len(paragraph) < RUN:
            continue
        read = [False] * len(paragraph)
        for i in range(len(paragraph) - RUN + 1):
            if paragraph[i : i + RUN] in runs:
                read[i : i + RUN] = [True] * RUN
        score.letters += sum(read)
        lost = len(read) - sum(read)
        if lost > 30:
            misses.append(f"text: {lost} of {len(read)} letters from …{paragraph[read.index(False) :][:60]}")


def heads(folder: Path, drawn: int, misses: bool) -> None:
    """Print how often a corpus reads the PDFs' own title, first author, year, journal and DOI as JATS states them."""
    from veritas.errors import VeritasError
    from veritas.reviews.sources.folder_root import offer_folder

    files = sorted(path for path in folder.glob("*.pdf") if path.with_suffix(".xml").is_file())
    random.Random(20261127).shuffle(files)
    right: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for path in files[:drawn] if drawn > 0 else files[-drawn:]:
        truth = of_jats(path.with_suffix(".xml"))
        if truth is None:
            continue
        try:
            record = offer_folder(path).candidates[0].record
        except (VeritasError, IndexError) as error:
            record = None
            print(f"{path.name}: {error}")
        author = record.authors[0] if record and record.authors else None
        read = {
            "title": record and record.full_title, "author": author and (author.family or str(author)),
            "year": record and record.year, "journal": record and record.venue, "doi": record and record.doi,
        }  # fmt: skip
        for name, found in read.items():
            if truth.head.get(name):
                of[name] += 1
                hit = any(_same_field(name, str(found or ""), said) for said in truth.head[name])
                right[name] += hit
                if misses and not hit:
                    print(f"{path.name}: {name} {str(found)[:110]!r}, not {truth.head[name][0][:110]!r}")
    print("| of the first page | right | of | |", "| --- | ---: | ---: | ---: |", sep="\n")
    for name in of:
        print(f"| {name} | {right[name]} | {of[name]} | {right[name] / of[name]:.1%} |")


def _same_field(name: str, read: str, said: str) -> bool:
    """Return whether a value is the truth's: letters of names, journals also as abbreviated word by word."""
    if name in ("year", "doi"):
        return read.casefold() == said.casefold()
    mine, right = letters(read), letters(said)
    if name == "journal":
        small = {"of", "the", "and", "in", "for", "on", "a", "an"}
        words, full = ([w for w in map(letters, each.split()) if w and w not in small] for each in (read, said))
        if words and len(words) == len(full) and all(
            long.startswith(word[:4]) for word, long in zip(words, full, strict=True)
        ):
            return True
    if name == "title":  # a mark of a note may follow, and letters of other alphabets may be printed otherwise
        return bool(mine) and SequenceMatcher(None, mine, right, autojunk=False).ratio() > 0.95
    return bool(mine) and mine == right


SHORTEST_LABEL = 12


def main_labels(folder: Path, labels: Path, misses: bool) -> None:
    """Print how many main aims and conclusions are right by a reader's labels, wrong, or missing."""
    import yaml

    from veritas.papers.extraction.main_statements import main_statements
    from veritas.papers.reading.paper_text import read_file

    told: dict[str, dict[str, list[str]]] = yaml.safe_load(labels.read_text("utf-8"))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    both = 0
    for name, kinds in told.items():
        right = []
        for main in main_statements(read_file(folder / name)):
            if main.kind not in kinds:
                continue
            accepted = [_spaced(part) for part in kinds[main.kind]]
            if any(0 < len(part) < SHORTEST_LABEL for part in accepted):
                raise SystemExit(f"{name}: a label of fewer than {SHORTEST_LABEL} characters may stand anywhere")
            said = _spaced(main.text)
            hit = any(part in said for part in accepted if part) if main.found else "" in accepted
            right.append(hit)
            counts[main.kind]["right" if hit else "wrong" if main.found else "missing"] += 1
            if misses and not hit:
                print(f"{name}: {main.kind}: {main.text or main.why}")
        both += all(right)
    print("| main statement | papers | right | wrong | missing |", "| --- | ---: | ---: | ---: | ---: |", sep="\n")
    for kind, each in counts.items():
        print(f"| {kind} | {each.total()} | {each['right']} | {each['wrong']} | {each['missing']} |")
    print(f"| both | {len(told)} | {both} | | |")


def _spaced(said: str) -> str:
    return " ".join(said.casefold().split())


def rules_half(name: str) -> bool:
    """Return whether a paper is of the half on which rules may be written."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("rules", "apart", "both"), default="apart")
    parser.add_argument("--kind", choices=("xml", "pdf", "tex", "md"), help="Only files of this kind.")
    parser.add_argument("--most", type=int, default=10_000, help="Papers of a kind, at most.")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--mains", type=Path, metavar="FILE", help="Labels of main aims and conclusions, as YAML.")
    parser.add_argument("--heads", type=int, metavar="N", help="First pages: N PDFs drawn by chance; -N: the others.")
    asked = parser.parse_args()
    if asked.heads is not None:
        heads(asked.folder, asked.heads, asked.misses)
        return
    if asked.mains is not None:
        main_labels(asked.folder, asked.mains, asked.misses)
        return
    total: dict[str, Score] = defaultdict(Score)
    venues: dict[str, set[str]] = defaultdict(set)
    for _, path, truth in papers(asked.folder, asked.half, asked.kind):
        kind = path.suffix.lstrip(".").replace("nxml", "xml")
        if total[kind].papers >= asked.most:
            continue
        misses: list[str] = []
        score = measured(path, truth, misses)
        total[kind].add(score)
        venues[kind].add(truth.venue)
        if asked.misses:
            unread = f", unread {1 - score.letters / score.letters_of:.1%}" if score.letters_of else ""
            print(
                f"{path}: references {score.references}/{score.references_of} (+{score.extra}), citations"
                f" {score.citations}/{score.citations_of} ({score.wrong} wrong){unread}",
                *misses, sep="\n    ",
            )  # fmt: skip
            sys.stdout.flush()
    print("| source | papers | venues | references found | not in the source | citations linked | wrong | unread |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for kind, all_of in total.items():
        unread = f"{1 - all_of.letters / all_of.letters_of:.1%}" if all_of.letters_of else "–"
        print(
            f"| {kind} | {all_of.papers} | {len(venues[kind])} "
            f"| {all_of.references:,} of {all_of.references_of:,}, {all_of.references / all_of.references_of:.1%} "
            f"| {all_of.extra} "
            f"| {all_of.citations:,} of {all_of.citations_of:,}, {all_of.citations / (all_of.citations_of or 1):.1%} "
            f"| {all_of.wrong} | {unread} |"
        )


if __name__ == "__main__":
    main()
