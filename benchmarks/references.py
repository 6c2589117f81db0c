"""How well reference lists are read: made-up records in many styles and layouts, against what `veritas paper` finds.

    python benchmarks/references.py [--lists N] [--bib] [--worst STYLE] [--json]

Every record is made up. "Right" is the reference's own words and no others (split), its authors' surnames in order, its
title, year and identifiers. "Accused" counts references that registries could come to call fabricated or misattributed
although they were cut wrongly: those whose title or authors are given, wrong, and a paper's. With `--bib` the lists are
read as `veritas bib` reads a file that holds nothing else.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.reference_lists import LAYOUTS, STYLES, Work, laid_out, work  # noqa: E402
from veritas.citations.bibliography.entry_forms import Form, form_of  # noqa: E402
from veritas.citations.bibliography.formats.reference_lists import read_references  # noqa: E402
from veritas.documents.paper_parts import Place, Reference  # noqa: E402
from veritas.documents.paper_sections import find_sections  # noqa: E402
from veritas.papers.reading.reference_list import as_entry, find_references  # noqa: E402
from veritas.works.folding import words  # noqa: E402

FRONT = "A Title of Something\n\n1 Introduction\n\n" + "Barley grows in fields. " * 40 + "\n\nReferences\n\n"


class Case(NamedTuple):
    style: str
    layout: str
    works: list[Work]
    rendered: list[str]
    references: tuple[Reference, ...]


def of_a_file(text: str) -> tuple[Reference, ...]:
    """What `veritas bib` reads from a file that is that text."""
    found = []
    for number, entry in enumerate(read_references(text, "list.txt"), 1):
        start, end = entry.span or (0, 1)
        found.append(
            Reference(
                key=entry.key,
                number=number,
                raw=" ".join(text[start:end].split()),
                place=Place(start=start, end=end),
                fields={**entry.fields, "entrytype": entry.type},
            )
        )
    return tuple(found)


def cases(count: int, bib: bool = False) -> Iterator[Case]:
    chance = random.Random(17)
    pairs = [(style, layout) for style in STYLES for layout in LAYOUTS]
    for number in range(count):
        style, layout = pairs[number % len(pairs)]
        render, mark = STYLES[style]
        works = [work(chance, 40 * number + n) for n in range(18)]
        if not mark:
            works.sort(key=lambda w: (w.surnames or [w.title])[0].lower())
        rendered = [render(w) for w in works]
        marks = [
            mark.format(n=n, k=f"{(w.surnames or [w.title])[0][:3]}{w.year % 100:02d}{n if mark == '[{k}]' else ''}")
            for n, w in enumerate(works, 1)
        ]
        marks = [re.sub(r"[^\w\[\].]", "", m) for m in marks]
        items = [f"{m} {text}" if m else text for m, text in zip(marks, rendered, strict=True)]
        body, pages = laid_out(items, layout)
        text = f"{FRONT}{body}\n"
        starts = [0, *(len(FRONT) + page for page in pages[1:])] if pages else []
        found = of_a_file(f"{body}\n") if bib else find_references(text, find_sections(text, starts), starts)
        yield Case(style, layout, works, rendered, found)


def flat(text: str) -> str:
    return re.sub(r"[\s-]", "", text)


def same_family(said: str, meant: str) -> bool:
    """Where the given name comes first, nobody can see that of `Elena López García` two words are the family's."""
    mine, theirs = words(said), words(meant)
    return bool(mine) and (theirs[-len(mine) :] == mine or mine[-len(theirs) :] == theirs)


def measured(case: Case) -> Iterator[tuple[Work, str, Reference | None, dict[str, bool]]]:
    by_text = {flat(reference.raw): reference for reference in case.references}
    for made, rendered in zip(case.works, case.rendered, strict=True):
        found = by_text.get(flat(rendered))
        fields = found.fields if found else {}
        said = [name.split(",")[0] for name in (fields.get("author") or "").split(" and ") if name]
        shown = [name for name in said if name != "others"]
        shortened = "others" in said or "et al" in rendered
        whole = zip(shown, made.surnames, strict=False)
        authors = (
            len(shown) <= len(made.surnames) if shortened and shown else len(shown) == len(made.surnames)
        ) and all(same_family(a, b) for a, b in whole)
        yield made, rendered, found, {
            "split": found is not None,
            "authors": found is not None and authors,
            "title": words(fields.get("title", "")) == words(made.title),
            "year": fields.get("year") == str(made.year),
            "doi": (fields.get("doi") or "") == (made.doi if made.doi and made.doi in rendered else ""),
            "arxiv": (fields.get("eprint") or "") == made.arxiv,
            "read": bool(fields.get("title")),
        }


def accused(found: Reference, right: dict[str, bool]) -> bool:
    """Whether registries that know nothing of what was read could call it fabricated, or another's."""
    if "doi" in found.fields and not right["doi"]:
        return True
    if "title" not in found.fields or (right["title"] and right["authors"]):
        return False
    entry = as_entry(found)
    return form_of(entry) is Form.PAPER and bool(entry.record.authors) and entry.record.year is not None


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    said.add_argument("--lists", type=int, default=len(STYLES) * len(LAYOUTS) * 4)
    said.add_argument("--bib", action="store_true", help="read as `veritas bib` reads plain lists")
    said.add_argument("--worst", help="show what went wrong in a style, or in `all`")
    said.add_argument("--json", action="store_true")
    options = said.parse_args()
    began = time.perf_counter()
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases(options.lists, options.bib):
        shown = options.worst in (case.style, "all")
        names = ("all", f"style {case.style}", f"layout {case.layout}")
        right_of_case = list(measured(case))
        whole = {id(found) for _, _, found, _ in right_of_case if found}
        for piece in case.references:  # what is no whole reference, and could be asked about as if it were one
            if id(piece) not in whole and accused(piece, {"title": False, "authors": False, "doi": True}):
                for name in names:
                    totals[name]["accused"] += 1
                if shown:
                    print(f"PIECE {case.style}/{case.layout}: {piece.raw[:150]}\n  {piece.fields}", file=sys.stderr)
        for made, rendered, found, right in right_of_case:
            bad = found is not None and accused(found, right)
            for name in (*names, *(() if made.surnames else ("no author",))):
                totals[name].update({"references": 1, "accused": bad, **right})
            wrong = [name for name in ("split", "authors", "title", "year", "doi", "arxiv") if not right[name]]
            if shown and wrong:
                print(f"{case.style}/{case.layout} {wrong} {'ACCUSED' if bad else ''}", file=sys.stderr)
                print(f"  {rendered[:240]}\n  {found.fields if found else None}", file=sys.stderr)
    took = time.perf_counter() - began
    if options.json:
        print(json.dumps({"seconds": round(took, 2), **{name: dict(each) for name, each in totals.items()}}))
        return
    shown = ("split", "authors", "title", "year", "doi", "arxiv", "read")
    print(f"{options.lists} lists, {totals['all']['references']} references, {took:.1f} s")
    print(f"{'':18}" + "".join(f"{name:>9}" for name in shown) + "   accused")
    for name, each in totals.items():
        shares = "".join(f"{100 * each[field] / max(each['references'], 1):8.1f}%" for field in shown)
        print(f"{name:18}{shares}{each['accused']:10}")


if __name__ == "__main__":
    main()
