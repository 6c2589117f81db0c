"""The sentences of a paper with the part of it in which each stands, ready to be searched for signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.documents.paper_parts import Place, Section, SectionName
from veritas.documents.paper_sections import page_of
from veritas.papers.reading.paper_text import PaperText
from veritas.text.sentences import sentences

ABSTRACT = 6_000
"""Characters before the introduction that an abstract with headings of its own may have."""
HYPHENS = {0x2010: "-", 0x2011: "-", 0x2236: ":"}
"""Hyphens and the ratio of typesetters, one character each, as the signs are written with."""
_RAISED_POINT = re.compile(r"(?<=\d)·(?=\d)")
LONGEST_HEADING = 90
"""Characters below which a line without a full stop is a heading or a label, and states nothing."""
_CAPTION = re.compile(r"table \d+\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{7}")
"""The number of a registration, which stands alone in a line and is no heading."""
_PLACEHOLDER = re.compile(r"^#{1,6}\s?[^\W\d_]|\?\*\*$")
"""A heading of a template that was left in the text with its marks."""
_FORM = re.compile(
    r"^\W*(?:\(?[a-z\d]{1,2}[).]\s*)?(?:question:?\s*)?(?:(?:did|do|does|have|has|are|is|were) (?:you|the "
    r"(?:main |abstract |authors|paper|full|research|creators|claims|core|contributions))|if you(?:r| )).*\?",
    re.IGNORECASE,
)
"""A question of a form that authors filled in, such as a conference's checklist: its words are not theirs."""
_OTHERS_IN: frozenset[SectionName] = frozenset({"introduction", "background", "discussion", "conclusion"})
"""Where a paper tells of the studies of others; a review's own results tell of them too."""
_TELLS = (
    r"(?:found|find|show(?:s|ed|n)?|report(?:s|ed)?|reveal(?:s|ed)?|observed|demonstrat(?:es|ed)|suggest(?:s"
    r"|ed)?|concluded"
    r"|indicat(?:es|ed)|described|noted|conducted|performed|recommended|did|used|excluded|included)"
)
_STUDY = (
    r"(?:stud(?:y|ies)|trials?|surveys?|reviews?|meta-analys[ei]s|reports?|works?|series|cohorts?|papers?|analys[ei]s)"
)
_OTHERS = re.compile(
    rf"\b(?:in|by|from|of) (?:that|those|their|his|her) (?:[\w-]+ ){{0,2}}{_STUDY}\b"
    rf"|\b(?:previous|earlier|prior|past|other|another|several|similar|recent|an?) (?:[\w-]+ ){{0,4}}"
    rf"(?:{_STUDY}|authors|investigators|researchers)\b[^.;]{{0,90}}?\b{_TELLS}\b"
    rf"|\bet al\b\.?,?[^.;]{{0,25}}\b{_TELLS}\b|\b(?:these|those|the) (?:authors|investigators) {_TELLS}\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:we|ours|our (?:[\w-]+ ){0,2}(?:stud(?:y|ies)|results?|findings?|data|cohort|analys[ei]s|trial|sample"
    r"|survey|series"
    r"|participants|patients|work|review|model)|this (?:[\w-]+ ){0,2}(?:study|trial|survey|review|paper|work"
    r"|analysis|article|research)"
    r"|the (?:present|current) (?:[\w-]+ )?(?:study|trial|survey|review|paper|work|analysis|article|research))\b",
    re.IGNORECASE,
)
LONGEST = 1_200
"""Characters of a sentence beyond which it is a list or a table that was read as one, and is not searched."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence: its place in the paper, its words with single blanks, and the headings above it, innermost last."""

    place: Place
    words: str
    section: SectionName
    headings: tuple[str, ...]
    heading: bool = False
    aside: bool = False
    """True for the rows of tables, long lists, code and the questions of forms: they hold words, and state nothing."""
    others: bool = False
    """True if it tells what another study did or found: it has words on an item, and carries none for this paper."""


def all_passages(paper: PaperText) -> list[Passage]:
    """Return all sentences of a paper in order but those of its reference list, with what is `aside`.

    A title that the text does not begin with is no passage: what is quoted must stand in the text.
    """
    text, sections = paper.text, paper.sections
    spans = [(s.start, s.end, s.kind) for s in sentences(text)]
    body, title = _body(sections), _squeezed(paper.identity.title)
    listed = {reference.place.start for reference in paper.references if reference.place.start}
    bodies = [figure.body for figure in paper.figures if figure.kind == "table" and figure.body is not None]
    found: list[Passage] = []
    at = -1
    for start, end, kind in spans:
        while at + 1 < len(sections) and sections[at + 1].place.start <= start:
            at += 1
        section = sections[at] if at >= 0 else None
        if section is not None and section.name == "references":
            continue
        raw = text[start:end]
        if start in listed:
            continue
        aside = "\t" in raw or len(raw) > LONGEST or kind == "code"
        aside = aside or any(body.start <= start < body.end for body in bodies)
        words = _RAISED_POINT.sub(".", " ".join(raw.split()).translate(HYPHENS))
        if len(words) < 4:
            continue
        aside = aside or bool(_FORM.search(words))
        page = page_of(paper.document.page_starts, start)
        place = Place(start=start, end=end, page=page, section=section.id if section else None)
        headings = _headings(sections, at)
        name: SectionName = section.name if section else "other"
        if (name == "title" and _squeezed(words) not in title) or (name != "title" and start < body):
            name = "abstract"
        own = name != "title" and (kind == "heading" or (len(words) < LONGEST_HEADING and words[-1].isalnum()))
        own = own or (len(words) < LONGEST_HEADING and bool(_PLACEHOLDER.search(words)))
        own = own and not _CAPTION.match(words) and not _NUMBERED.search(words)
        if not headings and found and found[-1].place.section == place.section:
            last = found[-1]  # a heading before the first section that was told apart
            headings = (last.words.strip("#* "),) if last.heading else last.headings
        others = name in _OTHERS_IN and bool(_OTHERS.search(words)) and not _OWN.search(words)
        found.append(Passage(place, words, name, headings, own, aside, others))
    return found


def with_list(passage: Passage, passages: Sequence[Passage]) -> Place:
    """Return the place of a sentence; one that ends with a colon goes on to the end of what it announces, if that
    stands in the same section."""
    if not passage.words.endswith(":"):
        return passage.place
    behind = (each for each in passages if each.place.start >= passage.place.end)
    following = next(behind, None)
    if following is None or following.heading or following.place.section != passage.place.section:
        return passage.place
    return passage.place.model_copy(update={"end": following.place.end})


def _body(sections: Sequence[Section]) -> int:
    """Return where the introduction begins; the parts before it are those of a structured abstract. 0 if there is no
    introduction, or if it is too far down."""
    starts = [section.place.start for section in sections if section.name == "introduction"]
    if not starts:  # "Background" heads the abstract's first part and the introduction
        starts = [section.place.start for section in sections if section.heading.casefold() == "background"]
    first = sections[1].place.start if len(sections) > 1 else 0
    near = [start for start in starts if start - first <= ABSTRACT]
    if not near or (len(near) == 1 and near[0] == first):
        return 0
    return near[1] if near[0] == first else near[0]


def _headings(sections: Sequence[Section], at: int) -> tuple[str, ...]:
    """Return the headings above a place, outermost first."""
    if at < 0:
        return ()
    found = [sections[at].heading]
    level = sections[at].level
    for section in reversed(sections[:at]):
        if section.level < level:
            found.append(section.heading)
            level = section.level
    return tuple(re.sub(r"\s+", " ", heading).strip() for heading in reversed(found) if heading)


def _squeezed(text: str) -> str:
    """Return the letters and digits of a text, folded: a title is printed with other blanks and dashes than it has."""
    return "".join(c for c in text.casefold() if c.isalnum())
