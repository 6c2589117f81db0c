"""What the source of a paper says of its references, citations and text: JATS, LaTeX and Markdown with their lists.

`benchmarks/paper_reading.py` holds what the reader found against it. Nothing of the reader's code is used.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

AROUND = 22
"""Letters before and after a citation by which it is found again in the read text."""
_OUTSIDE = frozenset(
    "table table-wrap-foot tex-math math disp-formula inline-formula graphic media supplementary-material object-id"
    " label alternatives fn-group ref-list permissions".split()
)


@dataclass
class Truth:
    """What the source says: references by id with their wording, citations, and the letters of each paragraph."""

    venue: str = ""
    head: dict[str, list[str]] = field(default_factory=dict)
    """Title, first author's family name or group, years, names of the journal, DOI, each in all right forms."""
    references: dict[str, dict[str, str]] = field(default_factory=dict)
    citations: list[tuple[str, str, str]] = field(default_factory=list)
    """Id of the reference, letters before and behind the place."""
    paragraphs: list[str] = field(default_factory=list)
    keys: Counter[str] = field(default_factory=Counter)
    """Citations by key, for sources whose citations have keys."""


def letters(said: str) -> str:
    """Return the letters of a text without accents and case; no digits, so that raised marks do not matter."""
    flat = unicodedata.normalize("NFKD", said)
    return "".join(c for c in flat if c.isalpha() and c.isascii()).lower()


def of_jats(path: Path) -> Truth | None:
    parser = etree.XMLParser(recover=True, load_dtd=False, no_network=True, remove_comments=True)
    root = etree.fromstring(path.read_bytes(), parser)
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    article = root if root.tag == "article" else root.find(".//article")
    if article is None:
        return None
    for other in [*article.iter("sub-article"), *article.iter("response")]:
        other.getparent().remove(other)
    truth = Truth(venue=said(article.find(".//journal-meta//journal-title")), head=_head(article))
    if article.find("body") is None:
        return truth
    for number, ref in enumerate(article.iterfind(".//ref-list//ref"), 1):
        truth.references[ref.get("id") or f"#{number}"] = {
            "doi": next((said(e).lower() for e in ref.iter("pub-id") if e.get("pub-id-type") == "doi"), ""),
            "title": said(next(ref.iter("article-title"), None)),
            "name": said(next(ref.iter("surname"), None)),
            "year": said(next(ref.iter("year"), None))[:4],
            "all": " ".join(" ".join(ref.itertext()).split()),
        }
    for part in [*article.iterfind("front//abstract"), article.find("body")]:
        if part.get("abstract-type") is None:
            for paragraph in part.iter("p"):
                if not any(up.tag in (*_OUTSIDE, "p") for up in paragraph.iterancestors()):
                    _paragraph(paragraph, truth)
    return truth


def _head(article: Any) -> dict[str, list[str]]:
    """Return what the front matter says of the article itself."""
    meta = article.find("front/article-meta")
    if meta is None:
        return {}
    for note in [*meta.iterfind("title-group//xref"), *meta.iterfind("title-group//fn")]:
        note.text = None
    ways = {
        "title": ["title-group/article-title"],
        "author": ["contrib-group/contrib//surname", "contrib-group/contrib//collab"],
        "year": ["pub-date/year"],
        "doi": ["article-id[@pub-id-type='doi']"],
    }
    head = {name: [said(each) for way in paths for each in meta.iterfind(way)] for name, paths in ways.items()}
    head["author"] = head["author"][:1]
    title = said(meta.find("title-group/article-title"))
    head["title"] += [f"{title} {said(each)}" for each in meta.iterfind("title-group/subtitle")]
    names = ("journal-title", "abbrev-journal-title", "journal-id")
    head["journal"] = [said(each) for name in names for each in article.iterfind(f"front/journal-meta//{name}")]
    return head


def said(element: Any) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _paragraph(paragraph: Any, truth: Truth) -> None:
    text: list[str] = []
    marks: list[tuple[str, int, int]] = []
    ids = list(truth.references)
    length = 0

    def add(words: str | None) -> None:
        nonlocal length
        text.append(letters(words or ""))
        length += len(text[-1])

    def walk(element: Any) -> None:
        start = length
        add(element.text)
        for child in element:
            if child.tag not in _OUTSIDE:
                walk(child)
            add(child.tail)
        if element.tag == "xref" and element.get("ref-type") == "bibr":
            named = [name for name in (element.get("rid") or "").split() if name in truth.references]
            before = element.getprevious()
            if before is not None and re.fullmatch(r"\W{0,2}[-–—‐−]\W{0,2}", before.tail or "") and named and marks:
                last, this = ids.index(marks[-1][0]), ids.index(named[0])
                named = ids[last + 1 : this] * (0 < this - last < 60) + named
            marks.extend((name, start, length) for name in named)

    walk(paragraph)
    whole = "".join(text)
    truth.paragraphs.append(whole)
    for name, start, end in marks:
        truth.citations.append((name, whole[max(0, start - AROUND) : start], whole[start : end + AROUND]))


def of_latex(path: Path) -> Truth:
    source = _joined(path)
    truth = Truth(venue="LaTeX")
    body = source.partition(r"\begin{document}")[2]
    cites = re.findall(r"\\[a-zA-Z]*cite[a-zA-Z]*\*?\s*(?:\[[^\]]*\]\s*){0,2}\{([^{}]+)\}", body)
    truth.keys = Counter(k.strip() for c in cites for k in c.split(",") if k.strip())
    made = path.with_suffix(".bbl")
    printed = made.read_text("utf-8", "replace") if made.is_file() else source
    listed = re.findall(r"\\entry\{([^{}]+)\}", printed) or [_key(part) for part in printed.split(r"\bibitem")[1:]]
    listed = [key for key in listed if key]
    if not listed:
        bib = "\n".join(each.read_text("utf-8", "replace") for each in path.parent.rglob("*.bib"))
        listed = [key for key in re.findall(r"@\w+\s*[{(]\s*([^\s,{}]+)\s*,", bib) if key in truth.keys]
    truth.references = {key: {"key": key} for key in listed}
    return truth


def _key(item: str) -> str:
    """Return the key of a `\\bibitem`, behind its label in brackets, if it has one."""
    rest = item.lstrip()
    if rest.startswith("["):
        depth = 0
        for at, character in enumerate(rest):
            depth += (character in "[{") - (character in "]}")
            if depth == 0:
                rest = rest[at + 1 :].lstrip(" \n\t%")
                break
    return rest[1 : rest.index("}")].strip() if rest.startswith("{") and "}" in rest else ""


def _joined(path: Path, depth: int = 0) -> str:
    text = re.sub(r"(?<!\\)%[^\n]*", "", path.read_text("utf-8", "replace"))

    def part(found: re.Match[str]) -> str:
        for name in (f"{found[1].strip()}.tex", found[1].strip()):
            if (path.parent / name).is_file() and depth < 8:
                return _joined(path.parent / name, depth + 1)
        return ""

    return re.sub(r"\\(?:input|include|subfile)\s*\{([^{}]+)\}", part, text)


def of_markdown(path: Path) -> Truth:
    truth = Truth(venue="Pandoc")
    text = path.read_text("utf-8", "replace")
    bib = "\n".join(each.read_text("utf-8", "replace") for each in path.parent.glob("*.bib"))
    known = set(re.findall(r"@\w+\s*[{(]\s*([^\s,{}]+)\s*,", bib))
    cited = [key.rstrip(".:;,") for key in re.findall(r"(?<![\w.])@([\w][\w:.#$%&+?<>~/-]*)", text)]
    truth.keys = Counter(key for key in cited if key in known)
    truth.references = {key: {"key": key} for key in known if key in truth.keys}
    return truth
