"""Decide whether a statement reports others' findings and cites nobody; this accuses it, so only if both are plain."""

from __future__ import annotations

import re

from veritas.documents.paper_parts import Section
from veritas.documents.paper_sections import section_at
from veritas.papers.audit import AuditNode
from veritas.papers.reading.list_doubt import doubt_of_citations
from veritas.papers.reading.paper_text import PaperText

NEAR = 300
"""Characters around a statement within which a citation, of the sentence before or after, may belong to it."""
LEAST = 5
"""Citations that must have been read in a paper."""
BESIDE = 2
"""Citations that must stand in the section of a statement that is said to lack one."""
MATCHED = 0.6
"""Share of a printed list that must be cited in the text as read."""
WITHOUT = frozenset({"title", "abstract", "conclusion", "acknowledgements"})
"""Sections that repeat without citations what is cited elsewhere."""

REACH = 4_000
"""Characters that a summary for lay readers has at most."""
_SUMMARY = re.compile(
    r"(?im)^\W*(?:(?:author|editors?|patient|lay|plain[- ]language|executive|non-?technical)['’]?s?['’]? summary"
    r"|(?:elife )?digest|significance(?: statement)?|highlights|key points)\W*$"
)
_REPORTS = re.compile(
    r"\b(?:previous|prior|earlier|past|recent|several|many|other|numerous|various|existing|some|most|few)\s+"
    r"(?:[\w-]+\s+){0,2}(?:stud(?:y|ies)|works?|research(?:ers)?|authors|reports|investigat(?:ions|ors)|experiments|trials"
    r"|papers|literature|surveys|groups)\b[^.;]{0,60}?\b(?:show|found|report|demonstrat|suggest|observ|indicat|conclud"
    r"|reveal|establish|document|identif|argue)\w*"
    r"|\b(?:it|which|that|there) (?:has|had|have) (?:\w+ )?been (?:\w+ )?(?:shown|reported|observed|found|demonstrated"
    r"|established|documented)\b"
    r"|\b(?:has|have) (?:\w+ )?been (?:shown|reported|demonstrated|documented) (?:to|that|in|by)\b"
    r"|\bothers have (?:shown|found|reported|observed)\b|\bthe literature (?:shows|reports|suggests|indicates)\b",
    re.IGNORECASE,
)
_ITS_OWN = re.compile(
    r"\b(?:we|our|ours|us|i|my|here|herein|above|below|present|this (?:\w+ )?(?:study|paper|work|article|report|trial"
    r"|analysis|model|section)|see|table|fig(?:ure|s?\.)|figures|section|appendix|supplement\w*|eq(?:uation|s?\.)"
    r"|algorithm|theorem|lemma|proposition|participants|respondents)\b",
    re.IGNORECASE,
)
"""Words by which a paper mentions its own findings, or points to another place of it."""
_CITES = re.compile(
    r"\[[^\[\]]*(?:\d|@)[^\[\]]*\]|\bet al\b|\\cite|\(\D{0,80}?(?:1[5-9]|20)\d\d[a-z]?\b|[⁰¹²³⁴⁵⁶⁷⁸⁹]"
    r"|@[A-Za-z][\w:-]+\d"
    r"|[A-Z][\w'’-]+(?: and [A-Z][\w'’-]+)?,? \(?(?:1[5-9]|20)\d\d\b"
    r"|\(\d{1,3}(?:\s?[-–,;]\s?\d{1,3})*\)|\bref(?:s|erences?)?\b\.?"
    r"|[^\W\d_]{3,}[.,;)”\"]{0,2}\d{1,3}(?:[,–-]\d{1,3})*(?=[\s.,;)]|$)"
    r"|\b(?:according to|by) [A-Z][a-z]+|\b[A-Z][a-z]+['’]s\b"
)
"""Citations in any form, whether they were matched with the list or not, and names given to something."""


def holds_a_citation(node: AuditNode, paper: PaperText) -> bool:
    """Return whether a citation stands in the statement or close to its end, in whatever form."""
    place = node.place
    if any(m.place.start < place.end + 3 and place.start <= m.place.end for m in paper.markers):
        return True
    return bool(_CITES.search(paper.text[place.start : place.end + 12].split("\n\n")[0]) or _CITES.search(node.text))


def _well_read(paper: PaperText) -> bool:
    """Return whether the list was read whole and most of the paper's citations were matched: most entries of a printed
    list are cited; a .bib may hold more than one paper cites."""
    if doubt_of_citations(paper.references, paper.markers, paper.events) is not None:
        return False
    printed = sum(r.guessed or r.key.isdigit() for r in paper.references) > len(paper.references) / 2
    cited = sum(r.cited > 0 for r in paper.references)
    return len(paper.markers) >= LEAST and (not printed or cited >= MATCHED * len(paper.references))


def _expects_citations(section: Section, paper: PaperText) -> bool:
    """Return whether other sentences of the section cite; in the parts of an abstract and in summaries for lay readers
    none does."""
    return sum(section.place.start <= m.place.start < section.place.end for m in paper.markers) >= BESIDE


def cites_nobody(node: AuditNode, paper: PaperText) -> bool:
    """Return whether a statement says that others found something, and no citation stands in it or beside it.

    False if the paper's citations could not be read, since this one may then have been missed.
    """
    if not _well_read(paper) or not _REPORTS.search(node.text) or _ITS_OWN.search(node.text):
        return False
    section = section_at(paper.sections, node.place.start)
    if section is not None and (section.name in WITHOUT or not _expects_citations(section, paper)):
        return False
    if _SUMMARY.search(paper.text, max(0, node.place.start - REACH), node.place.start):
        return False
    if node.cites or holds_a_citation(node, paper):
        return False
    start, end = node.place.start, node.place.end
    before = paper.text[max(0, start - NEAR) : start].rpartition("\n\n")[2]
    after = paper.text[end : end + NEAR].partition("\n\n")[0]
    near = (start - len(before), end + len(after))
    return not any(near[0] <= m.place.start < near[1] for m in paper.markers)
