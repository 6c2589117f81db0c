"""How often the bibliography judge is fooled: real references, and copies with the errors that people really make.

    python benchmarks/bib_adversarial.py [SHARED] [--each N] [--show KIND] [--json]

SHARED (default `../shared`) holds `citations/refchecker_replay/references.jsonl` (RefChecker, MIT): real references
with the answers that Semantic Scholar, OpenAlex, Crossref and DBLP gave for them. The registries answer over real HTTP
on this machine and hold all recorded records. Whether a record agrees with a reference is decided here, by rules that
are not the judge's: the same letters in the title, every cited surname among the record's, the first one first, and the
cited year among the years of the records of that title, and one of its identifiers on a record if it has any.

Each kind of error is made in the same references, chosen by a fixed seed. "Accused" counts verdicts that stop a
pipeline by default, "refused" those that stop it with `--strict`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.hallmark_kinds import planted  # noqa: E402
from benchmarks.recorded_registries import RecordedServer, pools_of, read_references  # noqa: E402
from tests.loopback_web.web import Web, html, reader  # noqa: E402
from veritas.citations.bibliography.entry_verdict import Judged  # noqa: E402
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex  # noqa: E402
from veritas.citations.bibliography.judging import verify  # noqa: E402
from veritas.policy.reference_profile import load_profile  # noqa: E402
from veritas.reading.web import WebReader  # noqa: E402
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi  # noqa: E402
from veritas.works.records import Kind  # noqa: E402

Fields = dict[str, str]
INVENTED = (
    "Quillon Adeyemi-Brandt", "Marta Oskarvale", "Teodor Zhelevski-Pryce", "Ingrid Falkenrode", "Hiroto Vandermark",
    "Sunniva Kettleborough", "Bohdan Iwaszczuk-Ray", "Calla Montefiorino", "Radoslav Thistlewood", "Yevanna Dragomirek",
)  # fmt: skip
SUBTITLES = (
    "Why It Fails", "A Critical Reassessment", "Lessons from Industrial Practice", "Theory and Limits",
    "An Empirical Refutation", "Ten Years Later", "The Missing Evidence", "Foundations and Pitfalls",
)  # fmt: skip
TOPICS = (
    "barley estuary lattice membrane isotope wetland yeast zeolite drought harvest glacier turbine mosaic orchard"
).split()


def folded(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(sign for sign in plain if sign.isalnum() and not unicodedata.combining(sign))


def surname(name: str) -> str:
    return folded(re.sub(r"\s+(?:jr\.?|sr\.?|i{2,3}|\d{4})$", "", name, flags=re.IGNORECASE).split()[-1])


def agreeing(reference: Mapping[str, Any], pools: Mapping[str, Any]) -> Fields | None:
    """The fields of a reference with which a recorded record agrees, with what the record knows besides; else None."""
    cited = reference["cited"]
    names = [name for name in cited["authors"] if folded(name) not in ("etal", "others")]
    if not names or not cited["year"] or not cited["title"] or any(not folded(name) for name in names):
        return None
    records = [
        record
        for pool in pools.values()
        for _, record, _ in pool.items
        if folded(cited["title"]) in (folded(record.full_title or ""), folded(record.title or ""))
    ]
    years = {year for record in records for year in (record.year, *record.years) if year}
    if int(cited["year"]) not in years:
        return None
    for record in records:
        theirs = [folded(f"{name.given} {name.family}") for name in record.authors]
        if not theirs or len(theirs) < len(names) or not theirs[0].endswith(surname(names[0])):
            continue
        if all(any(surname(name) in other for other in theirs) for name in names):
            break
    else:
        return None
    known = {value for record in records for value in (record.doi, record.arxiv_id) if value}
    stated = [value for value in (normalise_doi(cited["doi"]), normalise_arxiv_id(cited["url"])) if value]
    if known and stated and not known & set(stated):
        return None
    shortened = len(names) < len(cited["authors"])
    fields = {
        "title": cited["title"],
        "author": " and ".join([*names, *(["others"] if shortened else [])]),
        "year": str(cited["year"]),
    }
    if cited["venue"]:
        meeting = re.search(r"proceedings|conference|workshop|advances in neural", cited["venue"], re.IGNORECASE)
        fields["booktitle" if meeting else "journal"] = cited["venue"]
    for name in ("doi", "url"):
        if cited[name]:
            fields[name] = cited[name]
    fields["known_years"] = " ".join(map(str, sorted(years)))
    dated = [record for record in records if record.year == int(cited["year"])]
    for name in ("volume", "pages"):
        told = {value for record in dated if (value := getattr(record, name)) and record.kind is not Kind.PREPRINT}
        if told:
            fields[f"known_{name}"] = sorted(told)[0]
    return fields


def entry_of(key: str, fields: Mapping[str, str], kind: str | None = None) -> str:
    """A citation as an entry of a .bib file."""
    kind = kind or ("inproceedings" if "booktitle" in fields else "article" if "journal" in fields else "misc")
    said = {name: value for name, value in fields.items() if not name.startswith("known_")}
    return f"@{kind}{{{key},\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in said.items()) + "\n}\n"


def people(fields: Fields) -> list[str]:
    return fields["author"].split(" and ")


def named(fields: Fields, names: Sequence[str]) -> Fields:
    return {**fields, "author": " and ".join(names)}


def _half(fields: Fields, chance: random.Random) -> Fields:
    names = people(fields)
    keep = (len(names) + 1) // 2
    return named(fields, [*names[:keep], *chance.sample(INVENTED, min(len(names) - keep, len(INVENTED)))])


def _year(by: int) -> Callable[[Fields, random.Random], Fields]:
    def shifted(fields: Fields, chance: random.Random) -> Fields:
        known = {int(year) for year in fields["known_years"].split()}
        year = int(fields["year"])
        # Off by so much from every year that a record has, whichever side that is on.
        choices = [at for at in range(year - 12, year + 12) if min(abs(at - each) for each in known) == by]
        return {**fields, "year": str(chance.choice(choices))}

    return shifted


def _initials(fields: Fields, chance: random.Random) -> Fields:
    names = [re.sub(r"(\w)[\w'’-]*(?=\s)", r"\1.", name) if " " in name else name for name in people(fields)]
    return named(fields, names)


def _pages(fields: Fields, chance: random.Random) -> Fields:
    first = chance.randrange(2000, 9000)
    return {**fields, "pages": f"{first}--{first + 12}"}


def _fake(number: int, chance: random.Random) -> Fields:
    words = chance.sample(TOPICS, 5)
    title = f"{words[0].capitalize()} {words[1]} {words[2]} transformers for {words[3]} {words[4]} forecasting"
    return {"title": title, "author": " and ".join(chance.sample(INVENTED, 3)), "year": str(2017 + number % 7)}


ERRORS: dict[str, Callable[[Fields, random.Random], Fields]] = {
    "invented subtitle": lambda f, chance: {**f, "title": f"{f['title']}: {chance.choice(SUBTITLES)}"},
    "half-invented authors": _half,
    "invented last author": lambda f, chance: named(f, [*people(f)[:-1], chance.choice(INVENTED)]),
    "added author": lambda f, chance: named(f, [*people(f), chance.choice(INVENTED)]),
    "given name of the second author": lambda f, chance: named(
        f, [people(f)[0], f"Wolfhelm {people(f)[1].split()[-1]}", *people(f)[2:]]
    ),
    "first and last swapped": lambda f, chance: named(f, [people(f)[-1], *people(f)[1:-1], people(f)[0]]),
    "omitted author": lambda f, chance: named(f, [*people(f)[:1], *people(f)[2:]]),
    "year off by 1": _year(1),
    "year off by 2": _year(2),
    "year off by 3": _year(3),
    "volume": lambda f, chance: {**f, "volume": str(chance.randrange(300, 400))},
    "pages": _pages,
}
RIGHT: dict[str, Callable[[Fields, random.Random], Fields]] = {
    "initials": _initials,
    "first author and others": lambda f, chance: named(f, [people(f)[0], "others"]),
    "volume and pages of the record": lambda f, chance: {
        **f,
        **{name: f[f"known_{name}"] for name in ("volume", "pages") if f"known_{name}" in f},
    },
}
OTHER_TYPES: dict[str, Fields] = {
    "book": {"publisher": "Cambridge University Press"}, "incollection": {"booktitle": "Handbook of Field Studies"},
    "inbook": {"booktitle": "Advances in Orchard Science", "pages": "12--30"}, "techreport": {"institution": "MIT"},
    "phdthesis": {"school": "University of Oslo"}, "mastersthesis": {"school": "University of Oslo"},
    "unpublished": {"note": "Manuscript submitted for publication"}, "manual": {"organization": "Orchard Institute"},
    "online": {}, "software": {"version": "1.2"}, "dataset": {"publisher": "Zenodo"}, "booklet": {},
    "patent": {"number": "US1234567"}, "report": {"institution": "Orchard Institute"}, "misc": {},
    "proceedings": {"publisher": "Springer"},
}  # fmt: skip
"""Types of entries that no registry need have, each with the fields that it comes with."""
DISGUISES = ("@misc with a URL", "to appear", "link only", "eprint of arXiv without a number", "page says otherwise")


def disguised(kind: str, key: str, fields: Fields, pages: str) -> str:
    """A fake that asks not to be looked for."""
    if kind == "@misc with a URL":
        return entry_of(key, {**fields, "url": f"{pages}/gone/{key}"}, "misc")
    if kind == "to appear":
        return entry_of(key, {**fields, "note": "to appear"}, "misc")
    if kind == "link only":
        return entry_of(key, {**fields, "url": f"{pages}/gone/{key}"}, "article")
    if kind == "page says otherwise":
        return entry_of(key, {**fields, "url": f"{pages}/other/{key}"}, "misc")
    return entry_of(key, {**fields, "howpublished": "arXiv preprint"}, "misc")


def cases(
    references: Sequence[Mapping[str, Any]], pools: Mapping[str, Any], each: int, pages: str
) -> dict[str, list[str]]:
    """Kind -> entries of a .bib file."""
    agree = [(r, fields) for r in references if (fields := agreeing(r, pools))]
    found = {"**real, the record agrees**": [entry_of(f"real{at}", f) for at, (_, f) in enumerate(agree)]}
    listed = [f for _, f in agree if len(people(f)) >= 4 and "others" not in people(f)]
    sub = [f for f in listed if ":" not in f["title"] and "?" not in f["title"]]
    for number, (kind, change) in enumerate({**ERRORS, **RIGHT}.items()):
        chance = random.Random(100 + number)
        fit = sub if kind == "invented subtitle" else listed
        if kind in ("volume", "pages"):
            fit = [f for f in (fields for _, fields in agree) if f"known_{kind}" in f]
        if kind == "volume and pages of the record":
            fit = [f for _, f in agree if "known_volume" in f or "known_pages" in f]
        picked = chance.sample(fit, min(each, len(fit)))
        found[kind] = [entry_of(f"case{at}", change(fields, chance)) for at, fields in enumerate(picked)]
    found |= {
        kind: [entry_of(f"case{at}", fields) for at, fields in enumerate(wrong)]
        for kind, wrong in planted(listed, each).items()
    }
    for number, kind in enumerate(DISGUISES):
        chance = random.Random(500 + number)
        found[kind] = [disguised(kind, f"fake{at}", _fake(at, chance), pages) for at in range(each)]
    chance = random.Random(600)
    found |= {
        f"fake as @{kind}": [entry_of(f"fake{at}", {**_fake(at, chance), **more}, kind) for at in range(each)]
        for kind, more in OTHER_TYPES.items()
    }
    shorts = ["Deep " + chance.choice(TOPICS) for _ in range(each)]
    found["fake with a title of two words, in Nature"] = [
        entry_of(f"fake{at}", {**_fake(at, chance), "title": title, "journal": "Nature"})
        for at, title in enumerate(shorts)
    ]
    return found


async def judged(server: RecordedServer, entries: Sequence[str], profile: str, pages: WebReader) -> list[Judged]:
    """The verdicts by a profile."""
    listed = read_bibtex("\n".join(entries), "references.bib")
    return await verify(listed, server.registries(cached=False), profile=load_profile(profile), reader=pages)


def refused(each: Judged) -> bool:
    """Whether the profile refuses an entry, or could not tell because a page or a registry did not answer."""
    return each.ruling is not None and each.ruling.refused


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", default=str(ROOT / ".." / "shared"))
    parser.add_argument("--each", type=int, default=20, help="entries of a kind")
    parser.add_argument("--show", default="", help="print the verdicts of one kind")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    given = parser.parse_args()
    file = Path(given.shared) / "citations/refchecker_replay/references.jsonl"
    if not file.is_file():
        print(f"{file} is not there: nothing to measure")
        return
    references = read_references(file)
    pools = pools_of(references)
    rows: dict[str, dict[str, Any]] = {}
    server = RecordedServer(pools)
    body = html("<html><head><title>Opening hours</title></head><body>" + "<p>The shop opens at nine.</p>" * 40)
    web = Web({f"/other/fake{at}": body for at in range(given.each)})
    cache = TemporaryDirectory()
    pages = reader(web, Path(cache.name))
    try:
        for kind, entries in cases(references, pools, given.each, web.url("")).items():
            if given.show and given.show not in kind:
                continue
            server.asked.clear()
            lenient = asyncio.run(judged(server, entries, "lenient", pages))
            calls = len(server.asked) / max(1, len(entries))
            strict = asyncio.run(judged(server, entries, "strict", pages))
            rows[kind] = {
                "n": len(entries),
                "accused": sum(each.is_finding for each in lenient),
                "refused": sum(map(refused, strict)),
                "verdicts": dict(Counter(each.verdict.value for each in lenient)),
                "calls": round(calls, 1),
            }
            if given.show:
                for each in strict:
                    print(f"{each.verdict} {'REFUSED' if refused(each) else 'passes'}: {each.entry.record.full_title}")
                    print(f"    {each.reason}")
                    for d in each.differences:
                        print(f"    {d.field}: {d.cited} / {d.found} {'minor' if d.minor else 'grave'}")
    finally:
        server.close()
        web.close()
        cache.cleanup()
    if given.json:
        print(json.dumps(rows))
        return
    print("| | n | accused | refused by --strict | requests an entry | verdicts |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for kind, row in rows.items():
        verdicts = ", ".join(f"{count} {name}" for name, count in row["verdicts"].items())
        print(f"| {kind} | {row['n']} | {row['accused']} | {row['refused']} | {row['calls']} | {verdicts} |")


if __name__ == "__main__":
    main()
