"""How often a right reference is accused that a person wrote: recorded records, in the styles that people write.

    python benchmarks/bib_by_hand.py [SHARED] [--half dev|apart|all] [--each N] [--show] [--json]

SHARED (default `../shared`) holds the recorded answers that `bib_exports.py` reads. Its works are drawn by area, at
most N of each (default 300), once a work, with a fixed seed. Each becomes an entry in which five to seven things are
done that people do, and that make no reference wrong: initials, `and others`, `et al.` as a name, accents in LaTeX, a
title in another case or in braces or without its subtitle, an abbreviated journal, pages as `1--5` or the first alone,
an identifier left out or as a link, a type of entry that is not the right one. The registries hold all recorded
records, and in a second run only those of sources other than the record's own, where another one has the work.
"Accused" are misattributed and fabricated; a retracted paper is rightly found. Rules may be written by looking at `dev`
alone. Works of bodies, data sets and system cards are counted on their own as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bib_adversarial import folded  # noqa: E402
from benchmarks.bib_exports import (  # noqa: E402
    ACCUSED,
    AREAS,
    TYPES,
    Export,
    all_pools,
    exports,
    known_elsewhere,
    shown,
    verdicts,
)
from benchmarks.recorded_registries import Pool  # noqa: E402
from veritas.citations.author_lists import names_a_body  # noqa: E402
from veritas.citations.bibliography.entry_verdict import Judged, Verdict  # noqa: E402
from veritas.works.names import PersonName  # noqa: E402
from veritas.works.records import BibRecord, Kind  # noqa: E402

_ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0308": '"', "\u0302": "^", "\u0303": "~", "\u030c": "v ", "\u0327": "c "}
_LETTERS = {"ø": "{\\o}", "Ø": "{\\O}", "ß": "{\\ss}", "å": "{\\aa}", "Å": "{\\AA}", "ł": "{\\l}", "Ł": "{\\L}"}
_SMALL = frozenset("of the and in on for a an to & de der für et".split())
_SPECIAL = re.compile(r"data ?sets?\b|system card|model card|technical report", re.IGNORECASE)


def in_latex(text: str) -> str:
    """Text with its accents as LaTeX's commands."""
    written = []
    for letter in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", letter)
        if letter in _LETTERS:
            written.append(_LETTERS[letter])
        elif len(parts) == 2 and parts[1] in _ACCENTS:
            written.append(f"{{\\{_ACCENTS[parts[1]].strip()}{{{parts[0]}}}}}")
        else:
            written.append(letter)
    return "".join(written)


def abbreviated(venue: str) -> str:
    """A journal's name as people cut it: `Journal of Field Studies` to `J. Field Stud.`"""
    words = [word for word in venue.split() if word.lower() not in _SMALL]
    if len(words) < 2:
        return venue
    return " ".join("J." if word == "Journal" else word if len(word) < 6 else word[:4] + "." for word in words)


def _initials(name: PersonName) -> str:
    return " ".join(f"{part[0]}." for part in re.split(r"[\s.-]+", name.given) if part and part[0].isalpha())


def _name(name: PersonName, style: int) -> str:
    if name.corporate or not name.given or not _initials(name):
        return f"{{{name.family}}}" if name.corporate else f"{name.given} {name.family}".strip()
    suffix = f" {name.suffix}" if name.suffix else ""
    if style == 0:
        return f"{name.family}{',' if suffix else ''}{suffix}, {name.given}"
    if style == 1:
        return f"{name.family}{',' if suffix else ''}{suffix}, {_initials(name)}"
    if style == 2:
        return f"{name.family}{',' if suffix else ''}{suffix}, {_initials(name).replace(' ', '')}"
    if " " in name.family or suffix:  # BibTeX would take the first part for a given name
        return f"{name.family}{',' if suffix else ''}{suffix}, {_initials(name)}"
    return f"{_initials(name)} {name.family}"


def _people(record: BibRecord, chance: random.Random) -> str:
    style, names = chance.randrange(4), list(record.authors)
    listed = [_name(name, style) for name in names]
    cut = chance.choice((0, 0, 0, 1, 3))
    if cut and len(listed) > cut + 1:
        listed = [*listed[:cut], chance.choice(("others", "others", "et al."))]
    return " and ".join(listed)


def _title(record: BibRecord, chance: random.Random) -> str:
    title = (record.full_title or "").replace("{", "").replace("}", "")
    head, colon, _ = title.partition(": ")
    if colon and len(head.split()) >= 4 and chance.random() < 0.3:
        title = head
    way = chance.randrange(6)
    if way == 0:
        return title.lower()
    if way == 1:
        return title.title()
    if way == 2:
        return f"{{{title}}}"
    if way == 3:
        return re.sub(r"\b([A-Z][\w-]*[A-Z]\w*)\b", r"{\1}", title)
    if way == 4:
        return title + "."
    return title


def by_hand(key: str, record: BibRecord, chance: random.Random) -> str:
    """A record as an entry that a person wrote."""
    fields = {"title": _title(record, chance), "author": _people(record, chance), "year": str(record.year)}
    kind = TYPES.get(record.kind, "misc")
    if record.venue:
        venue = (abbreviated(record.venue) if chance.random() < 0.5 else record.venue).replace("&", "\\&")
        fields["booktitle" if record.kind in (Kind.PROCEEDINGS, Kind.CHAPTER) else "journal"] = venue
    if record.volume and chance.random() < 0.7:
        fields["volume"] = record.volume
    if record.pages and chance.random() < 0.8:
        pages = re.split(r"[-–]+", record.pages)
        fields["pages"] = chance.choice(("--".join(pages), "-".join(pages), pages[0]))
    way = chance.randrange(4)
    if record.doi and way == 0:
        fields["doi"] = f"https://doi.org/{record.doi}"
    elif record.doi and way == 1:
        fields["url"] = f"https://doi.org/{record.doi}"
    elif record.arxiv_id and way == 2:
        fields["note"] = f"arXiv:{record.arxiv_id}"
    if kind == "inproceedings" and chance.random() < 0.15:
        kind, fields["journal"] = "article", fields.pop("booktitle", "")
    elif chance.random() < 0.1:
        kind = "misc"
    latex = chance.random() < 0.6
    written = {name: in_latex(value) if latex else value for name, value in fields.items() if value}
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in written.items())
    return f"@{kind}{{{key},\n{body}\n}}\n"


def special(record: BibRecord) -> bool:
    """Whether the work is of a body, a data set, or a card or report of a system."""
    bodies = any(names_a_body(name) for name in record.authors[:1])
    return bodies or record.kind is Kind.DATASET or bool(_SPECIAL.search(record.full_title or ""))


def drawn(listed: Sequence[Export], each: int) -> list[Export]:
    """Works by area, each once, at most `each` of one; those of bodies and data sets come first."""
    chance, kept = random.Random(77), []
    works: dict[tuple[str, str], list[Export]] = defaultdict(list)
    for export in listed:
        works[folded(export.record.full_title or ""), folded(export.record.authors[0].family)].append(export)
    once = [chance.choice(records) for records in works.values()]
    for area in AREAS:
        own = [export for export in once if export.area == area]
        chance.shuffle(own)
        kept += sorted(own, key=lambda export: not special(export.record))[:each]
    return [one._replace(entry=by_hand(f"hand{at}", one.record, chance)) for at, one in enumerate(kept)]


def measure(listed: Sequence[Export], pools: Mapping[str, Pool]) -> list[tuple[str, Export, Judged]]:
    """The verdicts of both runs."""
    dois = {record.doi for pool in pools.values() for _, record, _ in pool.items if record.doi}
    found = asyncio.run(verdicts(listed, pools, dois))
    runs = [("all sources", each, one) for each, one in zip(listed, found, strict=True)]
    for source in pools:
        rest = {name: pool if name != source else Pool(name) for name, pool in pools.items()}
        own = [each for each in listed if each.source == source and known_elsewhere(each, pools)]
        if own:
            found = asyncio.run(verdicts(own, rest, dois))
            runs += [("without its own", each, one) for each, one in zip(own, found, strict=True)]
    return runs


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", default=str(ROOT / ".." / "shared"))
    parser.add_argument("--half", choices=("dev", "apart", "all"), default="all")
    parser.add_argument("--each", type=int, default=300, help="works of an area")
    parser.add_argument("--show", action="store_true", help="print each accused reference; never for `apart`")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    shared = Path(given.shared)
    if not (shared / "citations/refchecker_replay/references.jsonl").is_file():
        print(f"{shared} holds no recorded answers: nothing to measure")
        return
    pools = all_pools(shared)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for run, each, one in measure(drawn(exports(pools, given.half), given.each), pools):
        names = [f"**{run}**", f"{run}: {each.area}"]
        if special(each.record):
            names.append(f"{run}: bodies, data sets, cards")
        for name in names:
            rows[name].update({"n": 1, "accused": one.verdict in ACCUSED, one.verdict.value: 1})
        if given.show and given.half == "dev" and one.verdict in ACCUSED:
            shown(each, one, run)
            print(each.entry, file=sys.stderr)
    if given.json:
        print(json.dumps(rows))
        return
    kinds = [verdict.value for verdict in Verdict]
    print(f"| | n | accused | {' | '.join(kinds)} |\n| --- | ---: | ---: |{' ---: |' * len(kinds)}")
    for name in sorted(rows):
        row = rows[name]
        print(f"| {name} | {row['n']} | {row['accused']} | {' | '.join(str(row[kind]) for kind in kinds)} |")


if __name__ == "__main__":
    main()
