"""What an edit brings in: faults that the text before had not, and citations in files that are not read."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from veritas.citations.marks.links import MARKDOWN, is_bibliography
from veritas.citations.marks.other_markup import without_keys
from veritas.citations.marks.prose import prose
from veritas.citations.writing.diagnostic import Diagnostic
from veritas.citations.writing.printed_lists import INITIALS, WORD
from veritas.citations.writing.sentence_diagnostics import SentencesOf
from veritas.text.likeness import ratio
from veritas.works.printed_dois import printed_dois

SAME_SENTENCE = 60.0
"""Least likeness, of 100, of two sentences that are the same claim in other words. Below it a wrong citation in the old
sentence does not excuse one in the new sentence."""
_HOLDS_ITS_WORDS = frozenset({"quote-altered", "quote-not-found", "claim"})
"""Codes whose subject is the text at fault. Of the others it is a key or a path, which may stand under any claim."""


def brought(
    before: str, earlier: Sequence[Diagnostic], after: str, later: Sequence[Diagnostic], *, prose: bool
) -> list[Diagnostic]:
    """Return the faults of `later` that are not among `earlier`, in order.

    A fault was there before if it has the same code and subject, and in `prose` if it stands in the same sentence, or
    in one that was reworded. Each earlier fault stands for one later fault.
    """
    waiting: defaultdict[tuple[str, str], list[Diagnostic]] = defaultdict(list)
    for each in earlier:
        waiting[each.code, each.subject].append(each)
    old, new = SentencesOf(before), SentencesOf(after)
    found: list[Diagnostic] = []
    asked: defaultdict[tuple[str, str], list[Diagnostic]] = defaultdict(list)
    for each in later:
        same = (each.code, each.subject)
        if not waiting.get(same):
            found.append(each)
        elif not prose or each.code in _HOLDS_ITS_WORDS or each.level == "unknown":  # whatever its sentence says now
            waiting[same].pop()
        else:
            asked[same].append(each)
    for same, faults in asked.items():
        found += _not_excused([(each, new.words(each.start)) for each in faults],
                              [old.words(each.start) for each in waiting[same]])  # fmt: skip
    return sorted(found)


def _not_excused(faults: Sequence[tuple[Diagnostic, str]], excuses: list[str]) -> list[Diagnostic]:
    rest = []
    for each, words in faults:
        if words in excuses:
            excuses.remove(words)
        else:
            rest.append((each, words))
    found = []
    for each, words in rest:
        alike = max(excuses, key=lambda other: ratio(words, other), default=None)
        if alike is not None and ratio(words, alike) >= SAME_SENTENCE and not _turned(alike, words):
            excuses.remove(alike)
        else:
            found.append(each)
    return found


def _turned(before: str, after: str) -> bool:
    """Return whether two sentences of like words say different things: an exact term differs, or one refutes the other
    and neither supports it."""
    from veritas.judging import Question, judge_all

    both = judge_all([Question(before, after), Question(after, before)])
    labels = {each.label for each in both}
    return any(each.difference is not None for each in both) or ("refutes" in labels and "supports" not in labels)


_PAGES = frozenset(
    "html htm xhtml shtml adoc asciidoc asc org typ txt text wiki mediawiki textile creole pod man me ms rtf fodt tei "
    "docbook dbk djot dj".split()
)
"""Endings of pages that people read and that are not read here."""
_NAMES = frozenset({"readme", "news", "changes", "changelog", "authors", "citation", "references", "bibliography"})
"""Names of such pages without an ending."""
_LISTS = {
    "bbl": re.compile(r"\\entry\{"),
    "enw": re.compile(r"^%T ", re.MULTILINE),
    "refer": re.compile(r"^%T ", re.MULTILINE),
    "ref": re.compile(r"^%T ", re.MULTILINE),
    "isi": re.compile(r"^TI ", re.MULTILINE),
    "ciw": re.compile(r"^TI ", re.MULTILINE),
    "rdf": re.compile(r"<(?:bib|dcterms|z):"),
    "mods": re.compile(r"<titleInfo\b"),
    "xml": re.compile(r"<(?:article-title|ref-list|(?:mixed|element)-citation|titleInfo|biblioentry|biblStruct)\b"),
}
"""Endings of lists of works that are not read, with what stands in one."""
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_CITES = re.compile(
    r"<<[A-Za-z][\w:-]{0,40}(?:1[5-9]|20)\d\d[a-z]?(?:,[^<>\n]{0,80})?>>|^bibliography::"
    r"|\bcite(?:np|t|p|author|year|title)?:(?:\w+\[|\[|@?[A-Za-z][\w:-]*\d{2,4})"  # AsciiDoc, Org
    r"|\[cite(?:/[\w/-]{1,20})?:|#(?:cite|bibliography)\(|\\[A-Za-z]{0,12}cite[a-z]{0,8}\*?[\[{]"
    rf"|(?<![\w/@.])@[A-Za-z][\w-]{{1,40}}\d{{4}}[a-z]?\b(?!/)|\[@[A-Za-z][\w:.-]*\d\d[a-z]?[\];,]"
    r"|<cite\b|\bdata-cites?=|\brole=\"doc-biblioref\"|\{\{\s*cite\b|\barXiv:\s?\d{4}\.\d{4,5}|\barxiv\.org/(?:abs|pdf)/"
    r"|\bcitations/[\w.+-]{3,200}\.md\b"
    rf"|\b{WORD},? et al\.?,?\s*\(?{_YEAR}"
    rf"|\({WORD}(?:,| (?:and|&|&amp;) {WORD},?) {_YEAR}(?:[,;:][^()\n]{{0,60}})?\)"
    rf"|\b{WORD} (?:and|&|&amp;) {WORD},? \({_YEAR}\)"
    rf"|{WORD}, {INITIALS}[^\n()]{{0,200}}\({_YEAR}\)\."
)
_FORMS = re.compile(
    r"\]\(@(?:cite|Cite|footcite)[a-z]{0,6}\*?\)"  # Documenter
    r"|\{\{[<%]?\s*cite\s+[\"'\w]|\{%-?\s*(?:cite|reference|quote)\s+[\w\"'-]*\d|<d-cite\b"  # Hugo, Jekyll, Distill
    r"|<Cit(?:e|ation)\s[^<>]{0,200}\w=|<cite\s[^<>]{0,200}\b(?:id|key|keys|refs?)="  # components of MDX
    r"|\[@[\u200b-\u200d\u2060\ufeff\u00ad]+\w"
    r"|(?:&#(?:0*91|x0*5[bB]);|&l(?:sqb|brack);)[^\]\n]{0,80}?(?:@|&#(?:0*64|x0*40);|&commat;)[\w:.-]*\w"
    r"|(?<![\w.;+-])(?:&#(?:0*64|x0*40);|&commat;)[A-Za-z][\w:-]{0,40}(?:1[5-9]|20)\d\d"
    r"|\\insert(?:All|No)?(?:Cite|Citet|Citep|Ref)[A-Za-z]{0,6}\{"  # Rdpack
)
_MAY = re.compile(r"[Cc]it|CITE|\\insert|&#|&l(?:sqb|brack);|&commat;|@[\u200b-\u200d\u2060\ufeff\u00ad]")
_BLOCK = re.compile(r"#quote\b[^\n]*|^[ \t]*#\+begin_(?:quote|verse)\b(?:[^\n]*\n){0,2}", re.MULTILINE | re.IGNORECASE)
"""A block of quoted words in Typst or Org."""
_DOXYGEN = re.compile(r"(?<![\w\\@])[\\@]cite\s+[A-Za-z][\w:.-]{0,60}\d{2}")
_TEXTS = frozenset("md markdown mdown mkd mdx qmd rmd jl r rd".split())
_COMMENTED = frozenset("md markdown dox c h cc hh cpp hpp cxx hxx cu cuh m mm java py f90 f95 cs d idl".split())
"""Endings of files in which Doxygen finds its commands."""
_SCRIPT = re.compile(r"<(script|style)\b.{0,200000}?</\1>|<!--.{0,20000}?-->", re.DOTALL | re.IGNORECASE)


def of_unread(path: str, before: str, after: str) -> Iterator[Diagnostic]:
    """Yield where an edit brings something that looks like a citation or a reference into a file that is not read:
    nothing tells whether it holds. At most one for a file."""
    name = os.path.basename(path).lower()
    stem, _, suffix = name.rpartition(".")
    listed = _LISTS.get(suffix) if stem else None
    page = suffix in _PAGES if stem else suffix in _NAMES
    if suffix in _TEXTS or suffix in _COMMENTED:
        yield from _other_forms(before, after, suffix)
    if suffix == "ipynb" and '"text/markdown"' in after:
        yield from _outputs(before, after)
    if not (listed or page) or is_bibliography(name, after):
        return
    if suffix in ("html", "htm", "xhtml"):
        after = _SCRIPT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), after)
    if suffix in ("org", "typ"):
        plain = without_keys(after, suffix)
        blocks = plain != after and _BLOCK.search(plain)
        before, after = without_keys(before, suffix), plain
        if blocks and blocks.group() not in before:
            message = "blocks of quoted words in files of this kind are not read: this one was not checked"
            yield Diagnostic(*blocks.span(), "not-checked", "unknown", message, blocks.group().strip())
            return
    old = set(map(str.strip, before.split("\n")))
    at = 0
    for line in after.split("\n"):
        if line.strip() and line.strip() not in old and (_cites(line) if page else listed and listed.search(line)):
            message = "this may be a citation, and files of this kind are not read: it was not checked"
            yield Diagnostic(at, at + len(line), "not-checked", "unknown", message, line.strip())
            return
        at += len(line) + 1


def _other_forms(before: str, after: str, suffix: str) -> Iterator[Diagnostic]:
    """Yield the first new citation in a form that a program of pages renders, and that is not read here."""
    patterns = [each for each, endings in ((_FORMS, _TEXTS), (_DOXYGEN, _COMMENTED)) if suffix in endings]
    if not _MAY.search(after):
        return
    shown = prose(after) if suffix in MARKDOWN else after
    for pattern in patterns:
        for found in pattern.finditer(shown):
            begin, end = after.rfind("\n", 0, found.start()) + 1, after.find("\n", found.end())
            line = after[begin : end if end >= 0 else len(after)]
            if line.strip() not in before:
                message = "this cites in a form that is not read: it was not checked"
                yield Diagnostic(found.start(), found.end(), "not-checked", "unknown", message, line.strip())
                return


def _outputs(before: str, after: str) -> Iterator[Diagnostic]:
    """Yield the first new line of the Markdown that a notebook's cells put out which looks like a citation."""
    try:
        cells = json.loads(after).get("cells", [])
        printed = [each["data"]["text/markdown"] for cell in cells for each in cell.get("outputs", ())
                   if "text/markdown" in each.get("data", ())]  # fmt: skip
        lines = "\n".join(each if isinstance(each, str) else "".join(each) for each in printed).split("\n")
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return  # what is no notebook is told of elsewhere
    for line in lines:
        if _cites(line) and json.dumps(line)[1:-1] not in before:
            at = max(after.find('"text/markdown"'), 0)
            message = "this may be a citation in the output of a cell, which is not read: it was not checked"
            yield Diagnostic(at, at + len('"text/markdown"'), "not-checked", "unknown", message, line.strip())
            return


def _cites(line: str) -> bool:
    return _CITES.search(line) is not None or any(not each.bare for each in printed_dois(line))
