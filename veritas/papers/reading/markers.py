"""Citations in the text of a paper: `[3, 5-7]`, `¹,²`, `(Lee et al., 2020a,b; Roy 2019)`, `Lee (2020)`, `[Lee20]`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from veritas.citations.bibliography.formats.printed.authors import U
from veritas.documents.paper_parts import Marker, Place, Reference, Section
from veritas.documents.paper_sections import page_of, section_at
from veritas.text.dates import MONTH_WORDS
from veritas.works.folding import words

_DASHES = "-–—‐‑−"
_N = r"(?:\d{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
_JOIN = rf"(?:\s{{0,2}}[{_DASHES}⁻,;e]\s{{0,2}}|\s{{0,2}}(?:and|&)\s)"  # fonts without a name for the dash give an "e"
_NUMBERED = re.compile(rf"\[({_N}(?:{_JOIN}{_N})*)\](?:\s?(?P<dash>[{_DASHES}])\s?\[(?P<last>{_N})\])?")
_UP = "[⁰¹²³⁴⁵⁶⁷⁸⁹]"
_LETTER = r"[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]"  # raised figures count as letters otherwise
_RAISED = re.compile(
    rf"(?:(?:{_LETTER}{{3,}}|\bal|[)”\"\]%]|\b(?:19|20)\d\d|\b[Vv](?:er(?:sion)?)?\.? ?\d[\d.]{{0,8}})"
    rf"[.,;:)”’\"]{{0,2}}|{_LETTER}{{2}}[.,;:]?(?={_UP}{{2}}|{_UP}\s?[,–-]))"
    rf"(?P<numbers>{_UP}+(?:\s?[,;⁻–—‐‑−-]\s?{_UP}+)*)"
)
_PLAIN_WORD = re.compile(r"[^\W\d_A-Z]|[)”\"]")
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,2000})\]")
_SCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_NUMBERS = rf"{_N}(?:{_JOIN}{_N})*"
_IN_PARENTHESES = re.compile(rf"(?<=[\w,.)”\"%’] )\(({_NUMBERS})\)|(?<=[^\W\d])\(({_NUMBERS})\)(?=[\s,.;])")
_KEYED = re.compile(r"\[([A-Z][\w+]{1,12}\d{2}[a-z]?(?:\s?[,;]\s?[A-Z][\w+]{1,12}\d{2}[a-z]?)*)\]")
_PANDOC = re.compile(r"\[[^\[\]\n]{0,80}?(?<![\w.])-?@[\w:.-][^\[\]\n]{0,400}\]|(?<![\w./])@[A-Za-z][\w:.-]{2,80}")
_AT_KEY = re.compile(r"(?<![\w.])@([\w:.-]+)")
_IBID = re.compile(r"\b[Ii]bid\b\.?")
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?(?!\w)"
_YEARS = rf"{_YEAR}(?:\s?[,;]\s?(?:{_YEAR}|[a-z]\b))*"
_OF = r"(?:(?:van|von|de|der|den|la|le|di|da|del|al|bin|ter|ten)\s)*"
_NAME = rf"{_OF}{U}[\w'’.-]*(?:[\s-](?:{U}[\w'’-]*|van|von|de|der|den|la|le|di|al|bin)){{0,5}}+"
_AUTHORS = rf"{_NAME}(?:,?\set al\.?|(?:,\s{_NAME}){{0,3}},?\s(?:and|&)\s{_NAME})?"
_PARENTHESES = re.compile(r"\(([^()]{3,400}?)\)|\[([^\[\]]{3,400}?)\]")
_INSIDE = re.compile(rf"(?P<who>{_AUTHORS}),?\s+(?P<years>{_YEARS})")
_TEXTUAL = re.compile(
    rf"(?P<who>{_AUTHORS})\s[(\[](?P<years>{_YEARS})(?:,\s(?:pp?\.|§|[Cc]h|[Ss]ec)[^()\[\]]{{0,30}})?[)\]]"
)
_MARKED = re.compile(r"(?:\[[\w+]{1,20}\]|\(\d{1,3}\)|(?:^|\n)[ \t]*\d{1,3}[.)])[ \t]*\Z")
_PREFIX = re.compile(r"^(?:see(?: also)?|e\.g\.,?|cf\.?|i\.e\.,?|in|by|and|for example,?|also)\s+", re.IGNORECASE)


LONG = 300
"""Characters from which a paragraph of the title page is taken for text."""
NUMBERED_OTHERWISE = 0.3
"""Share of a numbered list below which the citations found in brackets or by name are not the paper's usual ones."""
Link = tuple[int, int, Sequence[str]]
"""Start and end of a citation, and the keys of its references."""


def find_markers(
    text: str,
    references: Sequence[Reference],
    sections: Sequence[Section],
    page_starts: Sequence[int] = (),
    citations: Collection[str] = (),
    linked: Sequence[Link] = (),
    *,
    all_known: bool = True,
) -> tuple[Marker, ...]:
    """Return every citation outside the reference list, in order, with the references it stands for.

    A number in brackets counts only if the list is numbered that far. Names and a year count if they may mean a
    reference or their form leaves no doubt. `citations` are brackets that cite by the keys of a bibliography; an
    unknown key is unresolved only if `all_known`, that is if no bibliography is missing. `linked` are citations whose
    references the file itself names; nothing is guessed where one stands.
    """
    if not references:
        return ()
    listed = next((s.place for s in reversed(sections) if s.name == "references"), None)
    # Entries without marks are numbered by this program, so no number in brackets is a citation of them.
    marked = any(_MARKED.search(text[max(0, r.place.start - 12) : r.place.start]) for r in references)
    marked = marked or any(not r.guessed and r.key.isdecimal() for r in references)  # a file's own numbers
    by_key = {reference.key: reference.key for reference in references if marked or not reference.key.isdecimal()}
    named = _by_name_and_year(references)
    found: dict[int, Marker] = {}
    hits = list(_by_keys(text, references, citations, all_known))
    hits += [*_of_pandoc(text, by_key, all_known), *_numbered(text, by_key), *_keyed(text, by_key)]
    hits += _named(text, named)
    if linked:
        places = sorted((start, end) for start, end, keys in linked if keys)
        hits = [hit for hit in hits if hit[2] and not hit[3] and not _touches(places, hit[0], hit[1])]
        hits = [(start, end, list(keys), []) for start, end, keys in linked if keys] + hits
    outside = [hit for hit in hits if listed is None or not listed.start <= hit[0] < listed.end]
    if not linked and len({key for hit in outside for key in hit[2]}) < NUMBERED_OTHERWISE * len(by_key):
        # Where another kind of citation is the usual one, raised numbers are footnotes, and those in parentheses
        # equations.
        body = next((s.place.end for s in sections if s.name == "title"), 0)
        kinds = [list(_raised(text, by_key, body)), list(_in_parentheses(text, by_key, listed))]
        otherwise = max(kinds, key=lambda found: len({key for hit in found for key in hit[2]}))
        if not outside or len({key for hit in otherwise for key in hit[2]}) >= max(3, 0.5 * len(by_key)):
            hits = [*outside, *otherwise]
    for start, end, keys, unresolved in (*hits, *_ibid(text, hits)):
        if listed is not None and listed.start <= start < listed.end:
            continue
        section = section_at(sections, start)
        if start not in found:
            place = Place(
                start=start, end=end, page=page_of(page_starts, start), section=section.id if section else None
            )
            found[start] = Marker(
                text=text[start:end], place=place, references=tuple(keys), unresolved=tuple(unresolved)
            )
    return tuple(found[start] for start in sorted(found))


def counted(references: Sequence[Reference], markers: Sequence[Marker]) -> tuple[Reference, ...]:
    """Return the references with the number of times the text cites each."""
    times: dict[str, int] = defaultdict(int)
    for marker in markers:
        for key in marker.references:
            times[key] += 1
    return tuple(reference.model_copy(update={"cited": times[reference.key]}) for reference in references)


def _touches(places: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_left(places, (end, 0))
    return at > 0 and places[at - 1][1] > start


_Hit = tuple[int, int, list[str], list[str]]


def _by_keys(
    text: str, references: Sequence[Reference], citations: Collection[str], all_known: bool
) -> Iterator[_Hit]:
    keys = {reference.key for reference in references}
    folded = {key.casefold(): key for key in sorted(keys)}  # BibTeX finds `zellem2014` under `Zellem2014`
    for match in _BRACKETS.finditer(text) if citations else ():
        if match[0] in citations:
            said = list(dict.fromkeys(filter(None, match[1].split(", "))))
            said = [key if key in keys else folded.get(key.casefold(), key) for key in said]
            named, unknown = [key for key in said if key in keys], [key for key in said if key not in keys]
            if named or (unknown and all_known):
                yield match.start(), match.end(), named, unknown if all_known else []


def _of_pandoc(text: str, keys: Mapping[str, str], all_known: bool) -> Iterator[_Hit]:
    """Yield `[@smith2020; see @roy, p. 3]` and `@smith2020`, Pandoc's citations; an e-mail address is none."""
    for match in _PANDOC.finditer(text):
        said = list(dict.fromkeys(key.rstrip(".:-") for key in _AT_KEY.findall(match[0])))
        named, unknown = [key for key in said if key in keys], [key for key in said if key not in keys]
        if named or (unknown and all_known and match[0][0] == "[" and any(key in text for key in keys)):
            yield match.start(), match.end(), named, unknown if all_known else []


def _numbered(text: str, keys: Mapping[str, str]) -> Iterator[_Hit]:
    for match in _NUMBERED.finditer(text):
        one = match[1].translate(_SCRIPT)
        joined = match["last"] and one.isdecimal()
        said = one + (f"-{match['last']}" if joined else "")
        end = match.end() if joined else match.end(1) + 1
        if hit := _of_numbers(said, keys):
            yield match.start(), end, *hit


def _raised(text: str, keys: Mapping[str, str], body: int) -> Iterator[_Hit]:
    """Yield raised numbers behind words of the body. Those behind names on the title page, up to `body`, are addresses;
    but where the text begins without a heading, they are citations behind plain words of its longer paragraphs."""
    for match in _RAISED.finditer(text):
        if match.start() < body:
            begin, end = text.rfind("\n\n", 0, match.start()) + 2, text.find("\n\n", match.end())
            if end - begin < LONG or not _PLAIN_WORD.match(match[0]):
                continue
        if hit := _of_numbers(match["numbers"].translate(_SCRIPT), keys):
            yield match.start("numbers"), match.end("numbers"), *hit


def _in_parentheses(text: str, keys: Mapping[str, str], listed: Place | None) -> Iterator[_Hit]:
    """Yield `(3)`, if most of the list is cited so; else these are numbers of something else."""
    stop = listed.start if listed is not None else len(text)
    marks = _IN_PARENTHESES.finditer(text, 0, stop)
    found = [(mark.start(), mark.end(), hit) for mark in marks if (hit := _of_numbers(mark[1] or mark[2], keys))]
    cited = {key for _, _, (named, _) in found for key in named}
    if len(cited) >= max(3, 0.6 * len(keys)):
        yield from ((start, end, *hit) for start, end, hit in found)


def _of_numbers(said: str, keys: Mapping[str, str]) -> tuple[list[str], list[str]] | None:
    """Return the references that `3, 5-7` stands for and the numbers that fit none; None for an interval, a year, an
    index into an array."""
    most = max((int(key) for key in keys if key.isdecimal()), default=0)
    numbers: list[int] = []
    for part in re.split(r"\s*(?:[,;]|and|&)\s*", said.translate(_SCRIPT)):
        ends = [int(n) for n in re.split(rf"\s*[{_DASHES}e]\s*", part)]
        numbers += range(ends[0], min(ends[-1], ends[0] + 60) + 1) if len(ends) == 2 else ends
    if not numbers or min(numbers) < 1 or min(numbers) > most:
        return None
    named = [str(n) for n in dict.fromkeys(numbers)]
    return [keys[n] for n in named if n in keys], [n for n in named if n not in keys]


def _ibid(text: str, hits: Sequence[_Hit]) -> Iterator[_Hit]:
    """Yield each "ibid." with the citation before it; without one, it fits no reference."""
    before = sorted(hits, key=lambda hit: hit[0])
    for match in _IBID.finditer(text):
        last = next((hit for hit in reversed(before) if hit[0] < match.start()), None)
        yield match.start(), match.end(), list(last[2]) if last else [], [] if last and last[2] else [match.group()]


def _keyed(text: str, keys: Mapping[str, str]) -> Iterator[_Hit]:
    for match in _KEYED.finditer(text):
        parts = re.split(r"\s?[,;]\s?", match[1])
        if any(part in keys for part in parts):
            yield match.start(), match.end(), [p for p in parts if p in keys], [p for p in parts if p not in keys]


def _named(text: str, named: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[_Hit]:
    for match in _PARENTHESES.finditer(text):
        inside = match[1] or match[2]
        keys: list[str] = []
        unresolved: list[str] = []
        for part in re.split(r"\s*;\s*", inside):
            one = _INSIDE.search(_PREFIX.sub("", part.strip()))
            if one:
                _take(one, named, keys, unresolved)
        if keys or (unresolved and len(unresolved) == len(re.split(r"\s*;\s*", inside))):
            yield match.start(), match.end(), list(dict.fromkeys(keys)), unresolved
    for match in _TEXTUAL.finditer(text):
        keys, unresolved = [], []
        _take(match, named, keys, unresolved)
        if keys:
            yield match.start(), match.end(), list(dict.fromkeys(keys)), []


def _take(
    match: re.Match[str], named: Mapping[tuple[str, str], Sequence[str]], keys: list[str], unresolved: list[str]
) -> None:
    said = words(match["who"])
    for year in _years(match["years"]):
        found: Sequence[str] = ()
        for word in said:
            found = named.get((word, year)) or ()
            if not found and not any((word, f"{year[:4]}{letter}") in named for letter in "ab"):
                found = named.get((word, year[:4])) or ()  # the letter may be missing in the list
            if found:
                break
        if not found and said and said[-1] not in _DATES:
            unresolved.append(f"{match['who']} {year}")
        elif len(found) == 1:
            keys += found
        elif found:
            # Several works of one name and year: the citation's other names decide, then the first author.
            best = [key for key in found if all(key in named.get((w, year[:4]), ()) for w in said if w not in _LINKS)]
            keys += (best or found)[:1]


_DATES = MONTH_WORDS | frozenset(
    "spring summer autumn fall winter year since until before after between in the".split()
)


def _years(said: str) -> list[str]:
    """Return `2020a,b; 2021` as `2020a`, `2020b`, `2021`."""
    years: list[str] = []
    for year, letter in re.findall(rf"({_YEAR})|([a-z])\b", said):
        if year:
            years.append(year)
        elif years:
            years.append(f"{years[-1][:4]}{letter}")
    return years


_LINKS = frozenset({"et", "al", "and", "others"})


def _by_name_and_year(references: Sequence[Reference]) -> dict[tuple[str, str], list[str]]:
    """Return keys by a folded word of the authors and a year as written (with its letter) or bare."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for reference in references:
        years = set(re.findall(rf"(?<![\d.])({_YEAR})(?![\d-])", reference.raw)) | {reference.fields.get("year", "")}
        authors = reference.fields.get("author") or reference.raw[:120]
        for word in dict.fromkeys(words(authors)[:40]):
            if len(word) < 2 or word.isdecimal() or word in _LINKS:
                continue
            for year in years - {""}:
                for form in {year, year[:4]}:
                    if reference.key not in found[(word, form)]:
                        found[(word, form)].append(reference.key)
    first = {r.key: set(words((r.fields.get("author") or r.raw[:60]).split(" and ")[0])) for r in references}
    return {pair: sorted(keys, key=lambda key: pair[0] not in first[key]) for pair, keys in found.items()}
