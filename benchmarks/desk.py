"""The reviewer's desk on real papers: every item that is marked found, with its sentence, for a person to judge.

    python benchmarks/desk.py FOLDER [--most 7]

FOLDER holds papers (JATS, Markdown, PDF …), of which none is kept in the repository. The design of each is detected,
and each found item is printed with what it says it carries and the sentence. At the end stand the papers and items by
design. A sentence is right if it tells what the item asks for, wherever it stands.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from veritas.errors import VeritasError
from veritas.papers.desk.desk import make_desk
from veritas.papers.reading.paper_text import read_file

SHOWN = 240
"""Characters of a sentence that are printed."""


def main() -> None:
    """Print the found items of the papers of a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=7, help="papers of each design that are printed")
    given = parser.parse_args()
    papers, found, not_found = Counter[str](), Counter[str](), Counter[str]()
    for path in sorted(given.folder.iterdir()):
        try:
            desk = make_desk(read_file(path))
        except VeritasError as error:
            print(f"-- {path.name}: {error}")
            continue
        design = desk.design.said
        papers[design] += 1
        if desk.design.name is None or papers[design] > given.most:
            continue
        print(f"\n## {path.name} | {design} | {desk.paper.title[:100]}")
        for checklist in desk.checklists:
            not_found[design] += checklist.counts()["not-found"]
            for item in checklist.items:
                for each in item.evidence:
                    found[design] += 1
                    print(f"{item.id} | {each.of[:50]} | {' '.join(each.quote.split())[:SHOWN]}")
    print(f"\npapers {dict(papers)}\nsentences {dict(found)}\nitems not found {dict(not_found)}")


if __name__ == "__main__":
    main()
