"""Find the sections of a paper: the places and levels of its headings, and the kind of section each one begins."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, get_args

from veritas.documents.paper_parts import Place, Section, SectionName
from veritas.text.line_numbers import has_line_numbers
from veritas.text.structure import Structure

LIST_HEADING = (
    r"references?(?: cited| list| and (?:further reading|notes))?|bibliography|works cited|literature(?: cited)?"
    r"|cited (?:literature|references)|bibliographic(?:al)? references|notes and references"
)
"""The headings of a reference list, as a regular expression for lower case."""
_SPACED_LIST = re.compile(r"(?:references?|bibliography|literature ?cited)", re.IGNORECASE)
"""The same with spaces between the letters, as converters leave them of wide print, without the spaces."""

_NAMES: tuple[tuple[SectionName, str], ...] = (
    # Tried in this order: "Limitations and future work" is `limitations`, "Results and discussion" is `results`.
    ("references", rf"^(?:{LIST_HEADING})$"),
    ("acknowledgements", r"\backnowled?ge?ments?\b"),
    (
        "disclosures",
        r"conflicts? of interest|competing interests?|\bfunding\b|\bethic|data (?:and code )?availability"
        r"|(?:code|data|software|materials?) availability|\bdisclosures?\b|\bdeclarations?\b|author contributions?"
        r"|reproducibility (?:statement|checklist)|trial registration|\bchecklist\b",
    ),
    ("appendix", r"\bappendi(?:x|ces)\b|supplement(?:ary|al)|^supporting information"),
    ("abstract", r"^(?:abstract|summary|executive summary|synopsis|highlights)$"),
    ("limitations", r"\blimitations?\b|threats? to validity|\bweakness|\brisk factors?\b|\bcaveats?\b"),
    ("conclusion", r"\bconclu(?:sions?|ding)\b|closing remarks|take[- ]?aways|^outlook$|^summary and"),
    ("introduction", r"\bintroduction\b|^motivation$|^overview$|^statement of need$"),
    (
        "background",
        r"\bbackground\b|related work|(?:previous|prior) work|literature review|state of the art|positioning",
    ),
    (
        "methods",
        r"\bmethod|materials and|experimental (?:setup|set-up|design|protocol)|study design|\bprocedures?\b"
        r"|statistical analys[ie]s|\bprotocol\b",
    ),
    ("results", r"\bresults?\b|\bfindings\b|\boutcomes?\b|^financial highlights"),
    ("discussion", r"\bdiscussion\b|\bimplications?\b|\binterpretation\b|future (?:work|directions|research)|lessons"),
    (
        "results",
        r"\bevaluation\b|\bexperiments?\b|\bperformance\b|\bablation|\bbenchmark|case stud(?:y|ies)"
        r"|\bdemonstration\b|\bvalidation\b",
    ),
    (
        "theory",
        r"\btheor|preliminar|problem (?:formulation|statement|setting|definition)|\bnotation\b|\bhypothes|\bproof",
    ),
    ("data", r"\bdata(?:sets?)?\b|\bparticipants\b|\bsubjects\b|\bsample\b|\bcorpus\b|\bpatients\b"),
    (
        "methods",
        r"\bapproach|\bimplementation\b|\balgorithms?\b|\barchitecture\b|\bsystem\b|\bdesign\b|\bframework\b"
        r"|\bmodels?\b|\btechniques?\b|\bpipeline\b",
    ),
)
_COMPILED = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _NAMES)
_WEAK = 12
"""Index in the table from which a name is too common a word to tell a subsection from the section that holds it."""
_WHOLE: frozenset[SectionName] = frozenset({"background", "appendix", "references", "acknowledgements"})
"""Sections whose subsections have their kind, with any heading."""

_ANY: frozenset[SectionName | None] = frozenset({None, *get_args(SectionName)})
_LEAVES: Mapping[SectionName, frozenset[SectionName | None]] = {
    "abstract": frozenset(),
    "methods": frozenset(),
    "results": frozenset({"discussion", "conclusion", "limitations"}),
}
"""Kinds of parts that are distinguished from their parent section in a nested file; in other sections all are."""

_LABELS: frozenset[SectionName] = frozenset(
    {"introduction", "background", "methods", "data", "results", "discussion", "conclusion", "limitations", "theory"}
)
LONGEST_LABELLED = 2000
"""Limit in characters of a labelled part of an abstract."""

_NUMBER = re.compile(
    r"(?P<md>#{1,6})[ \t]+|(?P<num>\d{1,2}(?:\.\d{1,2}){0,3})\.?[ \t]+(?=[^\W\d_])"
    r"|(?P<roman>[IVX]{1,5})\.[ \t]+(?=[A-Z])"
    r"|(?P<letter>[A-H](?:\.\d{1,2}){0,2})\.?[ \t]+(?=[A-Z][a-z])"
)
_RUN_IN = re.compile(
    r"(?:\*\*|__)?(?P<word>Abstract|ABSTRACT|Summary|Background|Objectives?|Aims?|Purpose|Methods|Results|Findings"
    r"|Conclusions?|Interpretation|Limitations)(?:\*\*|__)?(?P<mark>[.:]|[ \t]?[—–-])(?:\*\*|__)?[ \t]*(?=\S)"
)
_LOST_ABSTRACT = re.compile(r"(?<=\S[ \t])(Abstract|ABSTRACT)(?=[ \t]*\n[ \t]*\n)")
_LINE = re.compile(r"[^\n]+")
_PARAGRAPH = re.compile(r"(?<=\n)[^\n]+(?:\n[^\n]+)*")
_FRONT_MATTER = re.compile(
    r"(?:©|copyright|received|accepted|correspond|citation|please cite|academic editor|this is an open|keywords?\b"
    r"|https?://|e-?mail|(?:department|university|school|faculty|institute) )",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?][)\]\d]*(?:\s+[A-Z0-9(\[]|\s*$)")
SHORTEST_ABSTRACT = 400
"""Least characters of an abstract without a heading."""
_OF_A_FLOAT = re.compile(r"(?:Figure|Fig\.|Table|Algorithm|Listing)[ \t]+[A-Z]?\.?\d[\d.]*:", re.IGNORECASE)
_TITLE_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SMALL = frozenset("a an and as at by for from in into of on or the to via with vs over under between".split())
MAX_HEADING = 110
MAX_WORDS = 14
_ROMANS = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "XI": 11,
           "XII": 12, "XIII": 13, "XIV": 14}  # fmt: skip


class _Heading(NamedTuple):
    start: int
    end: int
    text: str
    level: int
    name: SectionName | None


def find_sections(text: str, page_starts: Sequence[int] = (), outline: Structure = ()) -> tuple[Section, ...]:
    """Return the sections in order. Text before the first heading is `title`, or `other` if there is no heading.

    A section with an unknown heading has the kind of the section that contains it, else `other`. `outline` are the
    blocks of a file that nests its own sections (JATS, TEI), with the title at level 1. Its headings and levels then
    count and no line is guessed to be a heading; a part of abstract, methods or results stays one.
    """
    told = _outlined(text, outline)
    found = told or _of_abstract(_headings(text), text)
    sections: list[Section] = []
    before = found[0].start if found else len(text)
    if text[:before].strip():
        kind: SectionName = "title" if found else "other"
        sections.append(_section(0, "", kind, 1, 0, before, page_starts))
    above: list[tuple[int, SectionName, bool]] = []
    for number, heading in enumerate(found):
        end = found[number + 1].start if number + 1 < len(found) else len(text)
        while above and above[-1][0] >= heading.level:
            above.pop()
        _, parent, holds = above[-1] if above else (0, None, False)
        stays = holds and parent is not None and heading.name not in _LEAVES.get(parent, _ANY)
        name = parent if stays and parent is not None else _within(heading, parent)
        above.append((heading.level, name, bool(told) and (stays or _strong(heading))))
        sections.append(_section(len(sections), heading.text, name, heading.level, heading.start, end, page_starts))
    return tuple(sections)


def _outlined(text: str, outline: Structure) -> list[_Heading]:
    """Return the headings of a file's own sections; none if there are fewer than two."""
    made = []
    for block in outline:
        heading = " ".join(text[block.start : block.end].split())
        if block.kind == "heading" and block.level > 1 and any(c.isalpha() for c in heading):
            made.append(_Heading(block.start, block.end, heading, block.level - 1, section_name(heading)))
    return made if sum(heading.level == 1 for heading in made) > 1 else []


def _of_abstract(found: list[_Heading], text: str) -> list[_Heading]:
    """Return the headings with the labels of a structured abstract ("Methods", "Results") as parts of the abstract, if
    they follow its heading directly and the paper's own sections begin after them."""
    at = next((n for n, heading in enumerate(found) if heading.name == "abstract"), None)
    if at is None or at + 1 == len(found) or text[found[at].end : found[at + 1].start].strip():
        return found
    seen: list[SectionName] = []
    for heading, following in pairwise(found[at + 1 :]):
        begins_anew = heading.name in ("introduction", "background") and bool(seen)
        long = following.start - heading.end > LONGEST_LABELLED
        if heading.name is None or heading.name not in _LABELS or heading.name in seen or begins_anew or long:
            break
        seen.append(heading.name)
    if len(seen) < 2 or found[at + 1 + len(seen)].name not in ("introduction", "background", "methods", None):
        return found
    level = found[at].level + 1
    inner = [heading._replace(name="abstract", level=level) for heading in found[at + 1 : at + 1 + len(seen)]]
    return [*found[: at + 1], *inner, *found[at + 1 + len(seen) :]]


def _within(heading: _Heading, parent: SectionName | None) -> SectionName:
    """Return the kind of section that a heading begins, given the kind of the section that holds it."""
    if parent is None or parent in ("other", "title"):
        return heading.name or "other"
    if parent in _WHOLE:
        return "appendix" if parent == "references" else parent
    if parent == "abstract" and heading.name != "abstract":
        return "other"
    return heading.name if heading.name is not None and _strong(heading) else parent


def _strong(heading: _Heading) -> bool:
    """Return whether a heading is clear enough to override the kind of the section that contains it."""
    return any(pattern.search(heading.text) for _, pattern in _COMPILED[:_WEAK])


def section_at(sections: Sequence[Section], position: int) -> Section | None:
    """Return the section that `position` lies in."""
    at = bisect_right([s.place.start for s in sections], position) - 1
    return sections[at] if at >= 0 and position < sections[at].place.end else None


def page_of(page_starts: Sequence[int], position: int) -> int | None:
    """Return the page of `position`, from 1; None for a document without pages."""
    return (bisect_right(page_starts, position) or 1) if page_starts else None


def section_name(heading: str) -> SectionName | None:
    """Return the kind of section that a heading of that wording begins; None if the words do not tell."""
    bare = _NUMBER.sub("", heading.strip(), count=1)
    bare = re.sub(r"[\s*_:.]+$|^[\s*_]+", "", bare)
    for name, pattern in _COMPILED:
        if pattern.search(bare):
            return name
    return "references" if len(bare) < 32 and _SPACED_LIST.fullmatch(re.sub(r"\s", "", bare)) else None


def _section(
    number: int, heading: str, name: SectionName, level: int, start: int, end: int, pages: Sequence[int]
) -> Section:
    place = Place(start=start, end=end, page=page_of(pages, start), section=f"s{number}")
    return Section(id=f"s{number}", heading=heading, name=name, level=level, place=place)


def _headings(text: str) -> list[_Heading]:
    lines = [(m.start(), m.end()) for m in _LINE.finditer(text)]
    found: list[_Heading] = []
    top = 0  # the number of the last numbered section of the highest level
    body = False
    for start, end in lines:
        line = text[start:end]
        bare = line.strip()
        if len(bare) > 4 and bare[:2] == bare[-2:] == "**":
            bare = bare[2:-2].strip()
        at = start + line.index(bare) if bare else start
        run_in = _RUN_IN.match(bare)
        if run_in and len(bare) > MAX_HEADING and _begins_paragraph(text, start):
            # "Abstract. We show …": the word is the heading, the text goes on in the same line.
            word = run_in["word"]
            name = "abstract" if word.lower() in ("abstract", "summary") else section_name(word)
            if name is None and word.lower().startswith(("objective", "aim", "purpose")):
                name = "introduction"
            inside = bool(found and found[-1].name == "abstract") or word.lower() in ("background", "objective")
            level = 2 if inside and name != "abstract" else 1
            if word.lower() in ("abstract", "summary") or inside:
                found.append(_Heading(at, at + run_in.end(), word, level, "abstract" if inside else name))
            continue
        if not 2 <= len(bare) <= MAX_HEADING or bare[-1] in ",;" or len(bare.split()) > MAX_WORDS:
            continue
        if "\t" in bare or not any(c.isalpha() for c in bare) or _OF_A_FLOAT.match(bare):
            continue
        mark = _NUMBER.match(bare)
        words = bare[mark.end() :] if mark else bare
        words = words.strip("*_# ").rstrip(":")
        known = section_name(words)
        if mark and mark["md"]:
            found.append(_Heading(at, at + len(bare), words, len(mark["md"]), known))
            continue
        # A line that ends like a sentence, or goes on in the next line, is no heading.
        if bare[-1] in ".?!" and not (known and len(bare.split()) <= 2):
            continue
        alone = _alone(text, start, end) or line.strip() != bare  # bold counts as a paragraph of its own
        if mark and mark["num"]:
            parts = [int(p) for p in mark["num"].split(".")]
            if parts[0] not in (top, top + 1, top + 2) or not words[:1].isupper() or not (alone or known):
                continue
            if len(parts) == 1 and parts[0] == top:
                continue
            if not _titled(words) and (not known or _in_back(found)):
                continue
            if _in_back(found) and not alone:  # a numbered reference, broken into lines
                continue
            top = parts[0]
            found.append(_Heading(at, at + len(bare), words, len(parts), known))
        elif mark and mark["roman"] and mark["roman"] in _ROMANS and alone:
            if _ROMANS[mark["roman"]] in (top + 1, top + 2):
                top = _ROMANS[mark["roman"]]
                found.append(_Heading(at, at + len(bare), words, 1, known))
        elif mark and mark["letter"] and alone and any(h.name in ("references", "appendix") for h in found):
            level = 1 + mark["letter"].count(".")
            found.append(_Heading(at, at + len(bare), words, level, "appendix"))
        elif known and _is_only(words, known) and (alone or known in _LINE_ENOUGH or _begins_paragraph(text, start)):
            found.append(_Heading(at, at + len(bare), words, 1 if not top or known in _TOP else 2, known))
        elif alone and known in ("disclosures", "appendix") and _titled(words) and len(words.split()) <= 8:
            found.append(_Heading(at, at + len(bare), words, 1, known))
        elif alone and body and _titled(words) and not mark and _followed_by_prose(text, end) and not _in_back(found):
            found.append(_Heading(at, at + len(bare), words, 2 if found else 1, known))
        body = body or bool(found)
    if not any(h.name == "abstract" for h in found):
        # Converters that join lines leave the word at the end of the authors' paragraph.
        lost = _LOST_ABSTRACT.search(text[: found[0].start if found else 4000])
        if lost:
            found.insert(0, _Heading(lost.start(), lost.end(), lost[1], 1, "abstract"))
        elif found and found[0].name in ("introduction", "background", "methods", "results", "theory"):
            found[:0] = _unheaded_abstract(text[: found[0].start], found[0].name in ("introduction", "background"))
    return found


def _unheaded_abstract(front: str, introduced: bool) -> list[_Heading]:
    """Return a heading for an abstract without one: the first paragraph of several sentences after the title. The text
    after it is the introduction, unless that has a heading (`introduced`)."""
    said = [
        m.start() for m in _PARAGRAPH.finditer(front)
        if m.start() and len(m[0]) >= SHORTEST_ABSTRACT and len(_SENTENCE_END.findall(m[0])) > 2
        and not _FRONT_MATTER.match(m[0])
    ]  # fmt: skip
    found = [_Heading(at - 1, at - 1, "Abstract", 1, "abstract") for at in said[:1]]
    return found + [_Heading(at - 1, at - 1, "Introduction", 1, "introduction") for at in said[1:2] if not introduced]


_LINE_ENOUGH = frozenset({"abstract", "references"})
_TOP = frozenset({"abstract", "references", "acknowledgements", "appendix", "conclusion", "disclosures"})


def _in_back(found: Sequence[_Heading]) -> bool:
    """Return whether the last heading of the highest level is the reference list, whose titles are other works'."""
    top = next((h for h in reversed(found) if h.level == 1), None)
    return top is not None and top.name == "references"


def _is_only(words: str, name: SectionName) -> bool:
    """Return whether the line is a section's name and little else, so that it needs no number to be a heading."""
    if name == "references" and _SPACED_LIST.fullmatch(re.sub(r"\s", "", words)):
        return words[:1].isupper()
    count = len(words.split())
    limit = 2 if name in ("data", "theory") else 5 if name == "disclosures" else 4
    short = count <= (6 if words.isupper() else limit)
    return short and words[:1].isupper() and not any(c.isdigit() for c in words[1:])


_SERIES = re.compile(r"^(?!.*\b[A-Z]\.)[^,]+(?:, [a-z][^,]*)+,? (?:and|or|&) [a-z][^,]*$")
_NO_HEADING = frozenset({"refer to caption", "download pdf", "view pdf", "report issue"})


def _titled(words: str) -> bool:
    """Return whether a line is capitalised like a title: its longer words, or only the first of a short line."""
    letters = _TITLE_WORD.findall(words)
    if not letters or not words[0].isupper() or len(letters) > 12 or words.lower() in _NO_HEADING:
        return False
    if re.search(r"[=<>|{}\\]|\d{2,}|[.!?;]\s", words):
        return False
    # "Study design, follow-up, and outcomes" is a heading, a row of names or of addresses is none.
    series = bool(_SERIES.search(words))
    if words.count(",") > 1 and not series:
        return False
    long = [w for w in letters[1:] if w.lower() not in _SMALL]
    return not long or sum(w[0].isupper() for w in long) >= 0.6 * len(long) or len(letters) <= (9 if series else 5)


def _alone(text: str, start: int, end: int) -> bool:
    """Return whether the line is a paragraph of its own."""
    ends = end >= len(text) or bool(re.match(r"\n[ \t]*(?:\n|\Z)", text[end : end + 80]))
    return ends and _begins_paragraph(text, start)


def _begins_paragraph(text: str, start: int) -> bool:
    return start == 0 or bool(re.search(r"\n[ \t]*\n[ \t]*\Z|\A\s*\Z", text[max(0, start - 80) : start]))


def _followed_by_prose(text: str, end: int) -> bool:
    following = text[end : end + 600].strip()
    first = re.split(r"\n[ \t]*\n", following, maxsplit=1)[0]
    return len(first) >= 140 and bool(re.search(r"[.:]", first)) and first.count("\t") < 3


UNREAD: frozenset[SectionName] = frozenset({"references", "disclosures", "acknowledgements"})
"""Sections that hold no claims of their own."""


class Kinds:
    """The kinds of the sections of a text by place. Text before the first heading is in `other`."""

    def __init__(self, text: str, outline: Structure = ()) -> None:
        if has_line_numbers(text):
            text = _MARGIN.sub(lambda found: " " * len(found[0]), text)
        self._sections = find_sections(text, outline=outline)
        self.named = any(section.name not in ("title", "other") for section in self._sections)
        """True if the text has any section whose kind is known."""

    def at(self, offset: int) -> SectionName:
        """Return the kind of the section that holds the character at `offset`."""
        section = section_at(self._sections, offset)
        return section.name if section is not None and section.name != "title" else "other"


_MARGIN = re.compile(r"(?m)^[ \t]*\d{1,4}(?=[ \t]|$)")


@lru_cache(maxsize=16)
def kinds_of_sections(text: str, outline: Structure = ()) -> Kinds:
    """Return the kinds of the sections of `text`, cached for the latest texts; `outline` as in `find_sections`."""
    return Kinds(text, outline)
