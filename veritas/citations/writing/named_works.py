"""Works that a text names by author and year alone, `Smith and Jones (2021)`, and that nothing tells more of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.citations.bibliography.entry import Entry
from veritas.citations.checking._latex_macros import as_printed, blank
from veritas.citations.checking._prose import prose
from veritas.citations.checking._restructured import rst_prose
from veritas.citations.writing.diagnostic import Diagnostic
from veritas.citations.writing.entry_diagnostics import of_entry
from veritas.citations.writing.open_questions import EntryVerdicts
from veritas.citations.writing.people_patterns import CAPITAL, FAMILY
from veritas.citations.writing.places import Kind
from veritas.citations.writing.printed_lists import printed_references
from veritas.citations.writing.project import Project
from veritas.citations.writing.reference_bags import share_of
from veritas.citations.writing.reference_claims import borne_by
from veritas.works.folding import words
from veritas.works.printed_dois import PrintedDoi, printed_dois

_ONE = rf"(?:(?:{CAPITAL}\.[ -]?){{0,3}}{FAMILY}(?:,? (?:{CAPITAL}\.[ -]?){{1,3}})?)"
_OTHERS = r"(?:,?\s(?:et\sal\.?|and\s(?:others|colleagues|co-?workers)))"
_PEOPLE = rf"(?:{_ONE}(?:,\s{_ONE}){{0,6}}(?:,?\s(?:and|&|&amp;|\\&|und|et|y)\s{_ONE}{_OTHERS}?|{_OTHERS}))"
_YEAR = re.compile(r"(?<![\d.,/-])(?:1[89]|20)\d\d(?=[a-z]?(?:[\s,;:)\].]|[’']s|\Z))(?![.,]\d)")
_BEFORE = re.compile(rf"(?<![\w’'-])(?P<people>{_PEOPLE})(?:,?\s\(|(?P<inside>,\s|\s)|['’]s?\s\(|\s\[)\Z")
_SINGLE = re.compile(rf"(?<![\w’'-])(?P<people>{FAMILY})\s\(\Z")
_SAYS = re.compile(
    r"[a-z]?(?:,[^()\n]{0,60})?\)\s(?:(?:first|also|then|later|have|has|had)\s)?(?:show|find|found|report"
    r"|argue|demonstrate|propose|suggest|conclude|observe|describe|prove|claim|introduce|present|note|estimate|establish|studie|compare)"
    r"(?:s|d|ed|n)?\b"
)
_LONE = re.compile(rf"(?:\(|;\s|\be\.g\.,?\s|\bsee\s)(?P<people>{FAMILY}),\s\Z")
_UNPARTED = re.compile(rf"(?:\(|;\s|\be\.g\.,?\s|\bsee\s)(?P<people>{FAMILY})\s\Z")
"""A name and a year without a comma, `(Ghost 2018)`, as of a version, a meeting or a place: one only where a
bibliography is there and does not have it."""
_LONE_ENDS = re.compile(r"[a-z]?(?:,\s(?:pp?\.|ch\.|§)\s?[\d–-]+)?(?:\)|;\s[^\W\d_a-z][^();]{1,60}(?:1[89]|20)\d\d)")
_OWNED = re.compile(rf"(?<![\w’'-])(?P<people>{FAMILY})['’]s?\s\(\Z")
_WORK = r"(?:study|paper|work|article|book|analysis|review|report|experiments?|trial|findings?|survey|thesis)"
_WORK_BEHIND = re.compile(rf"[a-z]?\)\s(?:[a-z-]+\s){{0,2}}{_WORK}\b")
_DATED = re.compile(
    rf"\b(?P<year>(?:1[89]|20)\d\d)\s{_WORK}\s(?:in\s[^.,\n]{{2,40}}\s)?by\s(?P<people>{_ONE}(?:,?\s(?:and|&)\s{_ONE}|{_OTHERS})?)"
    rf"|\bIn\s(?P<year_b>(?:1[89]|20)\d\d),\s(?P<people_b>(?:{FAMILY}\s)?{_ONE}{_OTHERS})(?=\s[^.\n]{{0,40}}(?:show|found|report))"
    rf"|(?<![\w’'-])(?P<people_c>{_PEOPLE})\s(?:show(?:ed|n)|found|reported|demonstrated|proved)\s(?:[a-z]+\s)?in\s"
    r"(?P<year_c>(?:1[89]|20)\d\d)\b(?=\sthat)"
)
_TITLED = re.compile(
    rf"(?<![\w’'-])(?P<people>{_PEOPLE})(?:,\s|\s(?:published|wrote|present(?:ed)?|report(?:ed)?)\s(?:in\s)?)"
    r"(?:[\"“]|\*|_|``)(?P<title>[^\"“”*_\n]{12,250})(?:[\"”]|\*|_|'')(?P<rest>[^\n]{0,120})"
)
_PEOPLE_ALONE = re.compile(FAMILY)
_CITED = re.compile(
    r"\]\(|https?://|\[@|(?<!\w)@\w+\d|\\[a-zA-Z]{0,12}cite|\{cite|:cite|\]_|\bdoi\b|10\.\d{4,}/|arxiv|\]\[|<a\b",
    re.IGNORECASE,
)
_PLACES = (("people", "year"), ("people_b", "year_b"), ("people_c", "year_c"))
_KEYS = re.compile(r"(?<![\w@])@\{?(\w[\w:.#$%&+?<>~/-]*\w)|\\[a-zA-Z]{0,12}cite[a-z]*\*?(?:\[[^\]]*\])*\{([^{}]+)\}")
_OTHER_MARKS = re.compile(
    r"\]\(|https?://|\{cite|:cite|\]_|\bdoi\b|10\.\d{4,}/|arxiv|\]\[|<a\b", re.IGNORECASE
)
_ENCYCLOPEDIAS = re.compile(
    r"(?:\[[^\[\]]*\]\()?<?https?://(?:\w+\.)*(?:wikipedia|wiktionary|youtube|twitter|x|facebook)\.(?:org|com)/[^\s()<>]*[)>]?"
)
"""Links that lead to no work of whoever is named."""
_WINDOW = 160
_REFERENCE = 500
"""Limit in characters of what stands between a name and the DOI of the same reference."""
_PARTED = re.compile(r"\n[ \t>]*\n|\n[ \t>]*(?:[-*+•][ \t]|\(?\d{1,3}[.)][ \t]|\[|\.\. \[)|\\item\b|\\bibitem\b")
_MOST = 0.8
"""Least share of the telling words of a title that are printed where it is meant."""
_NO_PEOPLE = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday spring summer autumn fall winter copyright version release table figure section "
    "chapter part appendix equation algorithm theorem lemma the a an in on since from between until before after both "
    "windows linux microsoft google apple office server studio visual internet explorer sons company inc ltd corp "
    "north south east west united states kingdom europe asia africa america china india japan germany france "
    "bank nations union university institute foundation commission ministry council committee press springer elsevier "
    "wiley penguin nature science paris london berlin york tokyo brexit unity python java".split()
)
"""Words that stand before a year and name nobody."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A work as it is named: who wrote it, and when."""

    start: int
    end: int
    said: str
    families: tuple[str, ...]
    year: int
    unparted: bool = False
    """Whether it may be no work at all: one name and a year without a comma."""


def of_named_works(text: str, path: str, kind: Kind, project: Project) -> Iterator[Diagnostic]:
    """Yield the works that a page names by author and year, and that neither the page nor a bibliography or an artifact
    of the project tells more of. Nobody is accused: the work may well exist."""
    if kind not in ("markdown", "latex", "rst"):
        return
    bare = _bare(text, kind)
    found = list(_named(bare))
    if not found:
        return
    known: _Known | None = None
    for each in found:
        sentence = _ENCYCLOPEDIAS.sub(" ", _sentence(bare, each.start, each.end))
        if _OTHER_MARKS.search(sentence) or _told_on_the_page(text, each, found):
            continue
        if _told_by_doi(text, each, project.verdicts):
            continue
        if _CITED.search(sentence):
            known = known or _known(text, path, kind, project)
            if not known.others(_keys(sentence), each):
                continue
        known = known or _known(text, path, kind, project)
        if wrong := next(filter(None, (of_entry(one, project.verdicts) for one in known.meant(each))), None):
            if wrong[1] == "error":
                message = f"{each.said}: the bibliography has such a work, and of that: {wrong[2]}"
                yield Diagnostic(each.start, each.end, "unknown", "unknown", message, f"{each.said} {each.year}")
        elif not known.has(each) and not (each.unparted and not known.works):
            message = (f"{each.said}: neither this page nor a bibliography of the project tells which work this is. "
                       "Give its DOI, or cite it by its key")  # fmt: skip
            yield Diagnostic(each.start, each.end, "unknown", "unknown", message, f"{each.said} {each.year}")


def _bare(text: str, kind: Kind) -> str:
    if kind == "markdown":
        return prose(text)
    return rst_prose(text) if kind == "rst" else as_printed(re.sub(r"(?<!\\)%[^\n]*", blank, text))


def _named(text: str) -> Iterator[_Named]:
    done = 0
    for year in _YEAR.finditer(text):
        begin = max(done, year.start() - _WINDOW)
        window = text[begin : year.start()]
        at = window.rfind("\n\n")
        begin, window = begin + at + 1, window[at + 1 :]
        place = _people_before(window.replace("\n", " "), text[year.end() : year.end() + 90].replace("\n", " "))
        if place is not None and (families := _families(place[2])):
            said, unparted = f"{place[2]} ({year.group()})", window.replace("\n", " ").endswith(f"{place[2]} ")
            unparted = unparted and _PEOPLE_ALONE.fullmatch(place[2]) is not None
            yield _Named(begin + place[0], year.end(), said, families, int(year.group()), unparted)
            done = year.end()
    for dated in _DATED.finditer(text):
        people, said_in = next((dated[a], int(dated[b])) for a, b in _PLACES if dated[a])
        if families := _families(people):
            yield _Named(dated.start(), dated.end(), f"{people} ({said_in})", families, said_in)
    for titled in _TITLED.finditer(text):
        year_of = _YEAR.search(titled["rest"]) or _YEAR.search(text, max(0, titled.start() - 12), titled.start())
        if year_of and (families := _families(titled["people"])):
            said = f"{titled['people']}, “{' '.join(titled['title'].split())}”"
            yield _Named(titled.start(), titled.end("title"), said, families, int(year_of.group()))


@lru_cache(maxsize=8192)
def _people_before(window: str, behind: str) -> tuple[int, int, str] | None:
    """Return the place and words of the people whose work a year is of."""
    if " et" in window or " and" in window or "& " in window or "&amp;" in window or " und " in window:
        found = _BEFORE.search(window)
        if found:
            inside = found["inside"] is not None
            opened = window.rfind("(") > window.rfind(")") or window.rfind("[") > window.rfind("]")
            if not inside or (opened and re.match(r"[a-z]?(?:[),;]|\](?![\[(])|:\s?\d)", behind)):
                return (*found.span("people"), " ".join(found["people"].split()))
    if window.endswith("(") and _SAYS.match(behind) and (found := _SINGLE.search(window)):
        return (*found.span("people"), found["people"])
    if window.endswith("(") and _WORK_BEHIND.match(behind) and (found := _OWNED.search(window)):
        return (*found.span("people"), found["people"])
    if window.endswith(", ") and _LONE_ENDS.match(behind) and (found := _LONE.search(window)):
        return (*found.span("people"), found["people"])
    if window.endswith(" ") and _LONE_ENDS.match(behind) and (found := _UNPARTED.search(window)):
        return (*found.span("people"), found["people"])
    return None


def _families(people: str) -> tuple[str, ...]:
    """Return the families of people; none where one of them names nobody."""
    bare = re.sub(rf"{_OTHERS}\Z", "", people)
    families = tuple(each.split()[-1] for each in re.findall(FAMILY, bare))
    return () if any(each.lower() in _NO_PEOPLE for each in families) else families


def _sentence(text: str, start: int, end: int) -> str:
    """Return the line of a place, up to the ends of its sentences."""
    begin = max(text.rfind(sign, max(0, start - 400), start) for sign in (". ", "\n\n", ".\n", "? ", "! "))
    stops = [at for sign in (". ", "\n\n", ".\n", "? ", "! ") if (at := text.find(sign, end, end + 400)) >= 0]
    return text[begin + 1 if begin >= 0 else max(0, start - 400) : min(stops, default=min(len(text), end + 400)) + 1]


def _told_on_the_page(text: str, one: _Named, found: list[_Named]) -> bool:
    """Return whether the first author and the year stand together elsewhere: in a list of references of any form, or
    beside a link."""
    family, year = one.families[0], str(one.year)
    for other in re.finditer(rf"(?<!\w){re.escape(family)}(?!\w)", text):
        at = other.start()
        if any(each.start <= at < each.end for each in found):
            continue
        begin = max(text.rfind("\n\n", 0, at), at - 200, 0)
        end = text.find("\n\n", at)
        paragraph = text[begin : min(len(text) if end < 0 else end, at + 500)]
        if year in paragraph:
            return True
    return False


def _told_by_doi(text: str, one: _Named, verdicts: EntryVerdicts) -> bool:
    """Return whether a DOI of the page tells which work is meant: by a record that has the first author and the year,
    or by the words that it stands in, which have the title of its record, or of which it is not known yet whose they
    are. What is wrong with that work is said of the DOI."""
    for at in _dois(text):
        entry = Entry(file="", key=at.doi, line=1, type="misc", fields={"doi": at.doi})
        judged = verdicts.get(entry) if verdicts.knows(entry) else None
        records = [each.record for each in judged.evidence.candidates if each.by != "title"] if judged else []
        if any(abs((each.year or 0) - one.year) < 2 and borne_by(" ".join(one.families[:1]), [each])
               for each in records):  # fmt: skip
            return True
        between = text[one.end : at.start]
        if not 0 < len(between) < _REFERENCE or _PARTED.search(between):
            continue
        said = text[one.start : at.start]
        if not records or any(share_of(each.full_title or "", said) >= _MOST for each in records):
            return True
    return False


@lru_cache(maxsize=2)
def _dois(text: str) -> tuple[PrintedDoi, ...]:
    return tuple(printed_dois(text))


def _keys(sentence: str) -> list[str]:
    """Return the citation keys of a sentence."""
    return [key.strip() for found in _KEYS.finditer(sentence) for key in (found[1] or found[2]).split(",")]


@dataclass(frozen=True, slots=True)
class _Known:
    works: frozenset[tuple[str, int]]
    by_key: Mapping[str, frozenset[str]]
    entries: Mapping[tuple[str, int], Sequence[Entry]]

    def meant(self, one: _Named) -> Sequence[Entry]:
        """Return the only entry that has the first author and the year, if there is but one."""
        found = self.entries.get((" ".join(words(one.families[0])), one.year), ())
        return found if len(found) == 1 else ()

    def others(self, keys: Sequence[str], one: _Named) -> bool:
        """Return whether every key is of a work that is known, and of other people."""
        people = {word for family in one.families for word in words(family)}
        return bool(keys) and all(self.by_key.get(key) and not people & self.by_key[key] for key in keys)

    def has(self, one: _Named) -> bool:
        return any((" ".join(words(family)), one.year + more) in self.works
                   for family in one.families[:1] for more in (-1, 0, 1))  # fmt: skip


def _known(text: str, path: str, kind: Kind, project: Project) -> _Known:
    works: set[tuple[str, int]] = set()
    by_key: dict[str, frozenset[str]] = {}
    listed: dict[tuple[str, int], list[Entry]] = {}
    entries = [entry for each in project.bibliographies.of(path, text, kind).there for entry in each.entries]
    entries += [entry for _, _, entry in printed_references(text, kind)]
    for entry in entries:
        people = frozenset(word for each in entry.record.authors for word in words(str(each)))
        by_key[entry.key] = by_key.get(entry.key, frozenset()) | people
        if entry.record.year and entry.record.authors and entry.file:
            listed.setdefault((" ".join(words(entry.record.authors[0].family)), entry.record.year), []).append(entry)
        if entry.record.year:
            works |= {(" ".join(words(each.family)), entry.record.year) for each in entry.record.authors}
    for key, where in project.resolver().keys().items():
        fields = project.artifacts.get(where).fields
        authors, year = fields.get("authors"), fields.get("year")
        if isinstance(authors, list):
            by_key[key] = by_key.get(key, frozenset()) | {word for name in authors for word in words(str(name))}
        if isinstance(authors, list) and isinstance(year, int):
            works |= {(" ".join(words(str(name).split()[-1])), year) for name in authors if str(name).split()}
    return _Known(frozenset(works), by_key, listed)
