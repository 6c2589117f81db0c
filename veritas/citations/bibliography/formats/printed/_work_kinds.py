"""Kinds of works in running text, and the words that tell them apart."""

from __future__ import annotations

import re

NUMBERED = re.compile(
    r"\d+ ?\([\w–-]{1,9}\)|\bvol(?:ume|\.) ?\d|\bno\. ?\d|\bpp?\. ?[A-Za-z]?\d|\bpages? \d|\d ?[-–—] ?\d"
    r"|\b\d{1,4} ?: ?[A-Za-z]?\d|;\d+",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:proceedings|proc\.|conference|symposium|workshop|journal|transactions|letters|annals|advances in|arxiv|corr"
    r"|preprint|biorxiv|medrxiv|review)\b",
    re.IGNORECASE,
)
PRESS = re.compile(r"\b(?:press|verlag|publish(?:ers|ing)|books|edition|\d(?:st|nd|rd|th) ed)\b", re.IGNORECASE)
THESIS = re.compile(
    r"\b(?:ph\.? ?d\.?|master'?s?|m\.? ?sc\.?|doctoral|bachelor'?s?)[ -](?:thesis|dissertation)|\bdissertation\b",
    re.IGNORECASE,
)
_REPORT = re.compile(r"\b(?:technical report|tech\. ?rep|working paper|white ?paper)\b", re.IGNORECASE)
URL = re.compile(r"https?://\S+|\bwww\.\S+")


def kind_of(rest: str, persons: bool, author: str, text: str) -> str:
    """Return BibTeX's type. A paper has authors, and a volume, pages or a meeting; in doubt it is none."""
    if THESIS.search(rest):
        return "phdthesis"
    if _REPORT.search(rest) or (author and not persons):
        return "techreport"
    known = re.search(r"\barxiv\b|\b10\.\d{4,9}/", text, re.IGNORECASE)
    paper = bool(known or NUMBERED.search(rest) or _PUBLISHED.search(rest))
    if PRESS.search(rest) and not (NUMBERED.search(rest) and _PUBLISHED.search(rest)):
        return "book"
    if paper and persons:
        return "article"
    return "online" if URL.search(text) else "misc"
