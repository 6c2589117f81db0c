"""Marks that cite, in every form in which assistants, exporters and authors write them. No model is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from veritas.factcheck.addresses import addresses, plain_address
from veritas.factcheck.mark_forms import Mark as Mark
from veritas.factcheck.mark_forms import find_links, find_names
from veritas.factcheck.named_documents import Named
from veritas.factcheck.source_lists import Link, plain_label

STYLES = (
    "number", "footnote", "superscript", "dagger", "oai_citation", "content_reference", "turn", "glued", "cite",
    "cite_start", "grok", "web", "cite_index", "double_bracket", "numbered_link", "site_link", "link", "url", "doi",
    "pmid", "arxiv", "author_year", "pandoc", "latex", "button", "export",
)  # fmt: skip
"""The names of the forms of marks."""
MAX_RANGE = 50
"""Most sources of a range such as `[1–3]`; a longer one is none."""


_NUMBERS = r"\^?\d{1,3}(?:\s?(?:[,;&]|[-–—‑]|to|and)\s?\^?\d{1,3}){0,40}"
_LOCATOR = r"(?:\s?[,:]\s?(?:pp?\.|S\.|§|ch\.|Abs\.|sec\.|para\.)[^\]\n]{1,30})?"
_BOX = re.compile(rf"\\?\[\s?(?P<numbers>{_NUMBERS}){_LOCATOR}\s?\\?\]")
_FOOTNOTE = re.compile(r"\\?\[\^(?P<key>[^\]\s^]{1,60})\^?\\?\](?!:)")
_DAGGER = re.compile(
    r"[【〖](?P<key>(?:\d{1,3}:)?\d{1,4})(?:†(?P<name>[^】〗\n]{0,200}))?[】〗]"
    r"|\[(?P<ascii>(?:\d{1,3}:)?\d{1,3})†(?P<said>[^\]\n]{0,200})\]"
)
_OAI = re.compile(
    r"\[oai_citation(?:_attribution)?:(?P<key>\d{1,3})‡(?P<name>[^\]\n]{0,200})\](?:\((?P<url>(?:[^\s()]"
    r"|\([^\s()]*\))+)\))?"
)
_CONTENT = re.compile(
    r"(?:&#8203;|\u200b)?:contentReference\[oaicite:(?P<key>\d{1,4})\](?:\{index=(?P<index>\d{1,4})\})?"
)
_TURN = r"turn\d{1,4}[a-z]+\d{1,4}"
_TURNS = re.compile(
    rf"(?:\ue200|【)?(?:file)?(?:nav)?cite[\s\ue202]{{0,2}}(?P<keys>{_TURN}(?:[\s\ue202,]{{0,2}}{_TURN}){{0,30}})"
    rf"(?:L\d+(?:-L?\d+)?)?(?:\ue201|】)?"
    rf"|[\[【(\ue200]{{1,2}}(?P<more>{_TURN}(?:[\s,;\ue202]{{1,2}}{_TURN}){{0,30}})[\]】)\ue201]{{1,2}}"
)
_PRIVATE = re.compile(r"\ue200[^\ue200\ue201\n]{0,400}\ue201|[\ue200-\ue20f]+")
_CITE = re.compile(
    rf"\[\s?(?:cite|citations?|sources?|refs?|references?|quellen?)\s?[:.]?\s?(?P<numbers>{_NUMBERS})\s?\]",
    re.IGNORECASE,
)
_CITE_START = re.compile(r"\[cite_start\]|\[cite:\s?start\]")
_GROK = re.compile(r"<grok:render\b[^<>]{0,600}>(?:(?P<body>[^\n]{0,600}?)</grok:render>)?")
_GROK_ID = re.compile(r"(?:name=\"citation_id\">|citation_id=\"|cardIds\"?:\s?\[\")\s*([\w-]{1,60})")
_WEB = re.compile(
    r"\[(?P<keys>(?:web|post|file|attached_file|memory|page|doc|search|x|tweet)[:_ ]\s?\d{1,4}"
    r"(?:\s?[,;]\s?(?:(?:web|post|file|attached_file|page|doc|search)[:_ ])?\s?\d{1,4}){0,30})\]"
)
_CITE_INDEX = re.compile(r"[<(]cite\s+(?:index|indices|id|source)=[\"'“]?(?P<keys>[\d,:;\s–-]{1,200})[\"'”]?\s*>")
_CITE_END = re.compile(r"</cite>\)?")
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED = re.compile(
    rf"[⁽⁾{_RAISED_DIGITS}][⁽⁾{_RAISED_DIGITS}]{{0,5}}(?:\s?[,⁻–\-·˒]\s?[{_RAISED_DIGITS}]{{1,3}}){{0,20}}"
)
_SUP = re.compile(
    r"<sup\b[^>]{0,200}>\s{0,3}(?:<a\b[^>]{0,300}>)?\s{0,3}\\?[\[(]?(?P<numbers>\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20})\\?[\])]?\s{0,3}(?:</a>)?"
    r"\s{0,3}</sup>|(?<=\S)\^\[?(?P<caret>\d{1,3}(?:,\s?\d{1,3}){0,20})\]?\^"
    r"|\$\^\{?(?P<math>\d{1,3}(?:,\s?\d{1,3}){0,20})\}?\$"
    r"|\\textsuperscript\{(?P<tex>\d{1,3}(?:,\s?\d{1,3}){0,20})\}"
)
_GLUED_STOP = re.compile(
    r"(?<=[^\W\d_][^\W\d_][.!?…”\"'’)])(?P<numbers>\d{1,3}(?:[,–-]\d{1,3}){0,10})(?=\s|$|[)\]\"”])"
    r"|(?<=[)”\"%][.,;])(?P<closed>\d{1,3}(?:[,–-]\d{1,3}){0,10})(?=\s|$)"
    r"|(?<=[ (](?:1[5-9]|20)\d\d\.)(?P<year>\d{1,3}(?:[,–-]\d{1,3}){0,10})(?=\s+[^\Wa-z\d]|\s*$)"
    r"|(?<=[.!?…][”\"’)])(?P<quoted>\d{1,3}(?:[,–-]\d{1,3}){0,10})(?=\s|$)"
    r"|(?<=[^\W\d_][^\W\d_],)(?P<comma>\d{1,3}(?:–\d{1,3})?)(?=\s)"
)
_SITE = (
    r"(?:[A-Z][\w&'’-]*(?:\.\w+)*(?:[ \t](?!(?:is|are|was|were|has|had|it)\b)[\w&'’|-]+){0,6}"
    r"|[a-z][\w-]*(?:\.[a-z]{2,})+)"
)
_BUTTON = re.compile(
    rf"(?:(?<=[.!?)”\"])[ \t]*|^[ \t]*)(?P<name>{_SITE})[ \t]*\n?[ \t]*\n?"
    r"[ \t]*\+[ \t]?(?P<more>\d{1,2})(?=[ \t]*$|[ \t]+[A-Z])",
    re.MULTILINE,
)
_PANDOC = re.compile(
    r"\[[^\[\]\n]{0,80}?(?<![\w.])-?@[A-Za-z_][\w:./+-]{0,80}[^\[\]\n]{0,400}\]|(?<![\w./@])@[A-Za-z][\w:-]{2,80}"
)
_AT_KEY = re.compile(r"(?<![\w.])@([A-Za-z_](?:[\w:./+-]*[\w])?)")
_LATEX = re.compile(
    r"~?\\(?P<command>[A-Za-z]*cite[A-Za-z]*)\*?\s?(?:\[[^\]\n]{0,200}\]){0,2}\{(?P<keys>[^{}\n]{1,600})\}(?:\{(?P<more>[^{}\n]{1,200})\})?"
)
_NO_CITE = frozenset({"nocite", "citestyle", "citereset", "bibcite", "citeauthor", "citeyear", "citetitle"})
_CODE = re.compile(
    r"(?m)^[ \t]{0,3}(`{3,}|~{3,})[^\n]*\n(?:.*\n)*?[ \t]{0,3}\1[`~]*[ \t]*$|(?<!`)(`+)(?!`)[^`\n]{1,500}(?<!`)\2(?!`)"
)
_MATH = re.compile(r"\$\$[^$]{1,2000}\$\$|(?<![\w\\$])\$(?=[^\s$])[^$\n]{1,200}[^\s$\\]\$(?!\d)|\\\([^\n]{1,300}?\\\)")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,600}\)")
_INDEXED = re.compile(
    r"(?:(?<!/)(?<!\d[ \u00a0])\b[a-zα-ω]|\b\w*_\w*|\b(?:arr|argv|args|nums|df|vec|buf|str)|[a-z]\(\)|\]|\w\.[a-z]+)\Z"
)
_USED = re.compile(r"\s?(?:=|\+=|-=|==|\.[a-z]\w*\(|\[[^\d])")
_INTERVAL = re.compile(
    r"(?i)(?:\b(?:the (?:closed |open |unit )?interval|the range|range of|ranges? from"
    r"|scale of|scaled to|clipped to|values in|dem intervall)"
    r"|∈|=)\s?\Z"
)
_UNIT = re.compile(
    r"(?:\b(?:[kcmdµμn]?m|km|cm|mm|ft|in|yd|mi|s|kg|g|ha|sq|px|dm|nm|W|N|J|K|V|A|Pa|Hz|mol|log|sin|cos|tan|exp"
    r"|inches|feet|meters|metres)"
    r"|(?<![^\W\d_])[^\W\d_]|[\d)][⁻+−-]?|[=^*/+−×·⋅-]\s?\w{0,4}|[α-ωΑ-Ω])\Z"
)
_NO_NOTE = re.compile(
    r"(?i)\b(?:no|nr|art|vol|fig|figs|p|pp|s|bd|eq|ch|sec|sect|par|abs|v|ver|vs|op|cf|tab|cap|ca|approx|dr|st"
    r"|jan|feb|mar|apr|jun|jul"
    r"|aug|sep|sept|oct|nov|dec|al|ed|eds|ex|num|https?|www|com|org|net|py|js)\.\Z"
)
_FALSE_BUTTONS = frozenset(
    {"utc", "gmt", "google", "disney", "canal", "apple tv", "c", "cet", "est", "pst", "cest", "paramount"}
)


class Known(NamedTuple):
    """What marks can be compared with: the labels of the lists, whether names and years fit an entry, and the documents
    of a corpus by what they are called."""

    labels: Collection[str]
    numbers: int
    named: Callable[[str, str], bool]
    document: Named | None = None


def find_marks(text: str, known: Known, links: Sequence[Link], closed: Iterable[tuple[int, int]]) -> list[Mark]:
    """Return the marks of a text in order, none within another. `closed` are places where none is looked for.

    Decimals, years, exponents, intervals, indices of arrays, code, formulas and check boxes are no marks. Linear in the
    length of the text.
    """
    return sorted(_Scan(text, known, links, closed).marks())


def numbers_of(written: str) -> list[str] | None:
    """Return the labels that "1, 5" or "1–3" stand for; None for a range that is none."""
    found: list[str] = []
    for part in re.split(r"[,;&]|and", written.replace("^", "")):
        bounds = [piece.strip() for piece in re.split(r"[-–—‑]|to", part) if piece.strip()]
        if len(bounds) == 2:
            first, last = int(bounds[0]), int(bounds[1])
            if not first < last <= first + MAX_RANGE:
                return None
            found += map(str, range(first, last + 1))
        elif len(bounds) == 1:
            found.append(str(int(bounds[0])))
    return list(dict.fromkeys(found)) or None


class _Scan:
    def __init__(self, text: str, known: Known, links: Sequence[Link], closed: Iterable[tuple[int, int]]) -> None:
        self.text, self.known, self.links = text, known, links
        self._taken = bytearray(len(text))
        for start, end in closed:
            self._take(start, end)
        for code in _CODE.finditer(text):
            self._take(*code.span())
        without_code = _CODE.sub(lambda found: "." * len(found[0]), text) if "$" in text else text
        for math in _MATH.finditer(without_code):  # `$HOME` on one side and `$PATH` on the other are none
            if not _SUP.fullmatch(math[0]):
                self._take(*math.span())

    def marks(self) -> Iterator[Mark]:
        """Yield the marks, the forms that leave no doubt first."""
        for finder in (
            self._internal, self._latex, self._links, self._footnotes, self._pandoc, self._raised, self._boxes,
            self._buttons, self._addresses, self._names, self._glued,
        ):  # fmt: skip
            for mark in list(finder()):
                if self._is_free(mark.start, mark.end):
                    self._take(mark.start, mark.end)
                    yield mark

    def _take(self, start: int, end: int) -> None:
        self._taken[start:end] = b"\x01" * (end - start)

    def _is_free(self, start: int, end: int) -> bool:
        return self._taken.find(1, start, end) < 0

    def _internal(self) -> Iterator[Mark]:
        """Yield the marks of the programs that write answers, which nobody else writes."""
        text = self.text
        for m in _IMAGE.finditer(text):
            yield Mark(*m.span(), "site_link")
        for m in _OAI.finditer(text):
            url = plain_address(m["url"]) if m["url"] else None
            yield Mark(*m.span(), "oai_citation", (m["key"],), url, m["name"] or None)
        for m in _CONTENT.finditer(text):
            yield Mark(*m.span(), "content_reference", (m["index"] or m["key"],))
        for m in _DAGGER.finditer(text):
            key, name = m["key"] or m["ascii"], m["name"] or m["said"]
            yield Mark(*m.span(), "dagger", (key,), None, name or None)
        for m in _TURNS.finditer(text):
            yield Mark(*m.span(), "turn", tuple(re.findall(_TURN, m["keys"] or m["more"])))
        for m in _PRIVATE.finditer(text):
            yield Mark(*m.span(), "turn", tuple(re.findall(_TURN, m[0])))
        for m in _CITE_START.finditer(text):
            yield Mark(*m.span(), "cite_start", ahead=True)
        for m in _CITE.finditer(text):
            if names := numbers_of(m["numbers"]):
                yield Mark(*m.span(), "cite", tuple(names))
        for m in _GROK.finditer(text):
            yield Mark(*m.span(), "grok", tuple(_GROK_ID.findall(m["body"] or "")))
        for m in _WEB.finditer(text):
            kind, keys = "", list[str]()
            for part in re.split(r"\s?[,;]\s?", m["keys"]):
                named, _, number = re.sub(r"[_ ](?=\d)", ":", part).rpartition(":")
                kind = named or kind
                keys.append(f"{kind}:{number.strip()}")
            yield Mark(*m.span(), "web", tuple(keys))
        yield from self._indices()

    def _indices(self) -> Iterator[Mark]:
        ends = [m.span() for m in _CITE_END.finditer(self.text)]
        yield from (Mark(*span, "cite_index") for span in ends)
        at = 0
        openings = list(_CITE_INDEX.finditer(self.text))
        for number, m in enumerate(openings):
            while at < len(ends) and ends[at][0] < m.end():
                at += 1
            following = openings[number + 1].start() if number + 1 < len(openings) else len(self.text)
            until = ends[at][0] if at < len(ends) and ends[at][0] <= following else None
            named = [re.split(r"[-–:]", part.strip())[0] for part in re.split(r"[,;]", m["keys"])]
            names = tuple(dict.fromkeys(name for name in named if name.isdecimal()))
            yield Mark(*m.span(), "cite_index", names, ahead=True, until=until)

    def _latex(self) -> Iterator[Mark]:
        for m in _LATEX.finditer(self.text):
            if m["command"] not in _NO_CITE:
                keys = (*m["keys"].split(","), *(m["more"] or "").split(","))
                yield Mark(*m.span(), "latex", tuple(key.strip() for key in keys if key.strip()))

    def _links(self) -> Iterator[Mark]:
        yield from find_links(self.text, self.links, self.known.document)

    def _footnotes(self) -> Iterator[Mark]:
        for m in _FOOTNOTE.finditer(self.text):
            yield Mark(*m.span(), "footnote", (m["key"],))

    def _pandoc(self) -> Iterator[Mark]:
        for m in _PANDOC.finditer(self.text):
            keys = tuple(dict.fromkeys(_AT_KEY.findall(m[0])))
            if keys and (m[0][0] == "[" or any(plain_label(key) in self.known.labels for key in keys)):
                yield Mark(*m.span(), "pandoc", keys)

    def _boxes(self) -> Iterator[Mark]:
        text = self.text
        for m in _BOX.finditer(text):
            names = numbers_of(m["numbers"])
            if names is None or ("0" in names and "0" not in self.known.labels):
                continue
            start, end = m.span()
            before = text[max(0, start - 40) : start]
            listed = all(name in self.known.labels for name in names)
            if not before.endswith("]") and _INDEXED.search(before):
                continue
            if _USED.match(text, end) and not text.startswith((". ", "["), end):
                continue
            if len(names) > 1 and not listed and _INTERVAL.search(before):
                continue
            if (
                self._opens_item(start)
                and before.rstrip(" \t").endswith(("-", "*"))
                and end < len(text)
                and text[end] == "("
            ):
                continue
            yield Mark(start, end, "number", tuple(names))

    def _opens_item(self, at: int) -> bool:
        line = self.text.rfind("\n", max(0, at - 20), at) + 1
        return self.text[line:at].strip() in ("-", "*", "+")

    def _raised(self) -> Iterator[Mark]:
        for m in _SUP.finditer(self.text):
            written = next(filter(None, m.groups()))
            if not self._is_exponent(m.start(), m.end()) and (names := numbers_of(written)):
                yield Mark(*m.span(), "superscript", tuple(names))
        for m in _RAISED.finditer(self.text):
            written = m[0].translate(str.maketrans(_RAISED_DIGITS + "⁻", "0123456789-")).strip("⁽⁾ ").strip()
            if not written[:1].isdecimal() or self._is_exponent(m.start(), m.end()):
                continue
            names = numbers_of(re.sub(r"[·˒⁽⁾]", ",", written))
            if names:
                yield Mark(*m.span(), "superscript", tuple(names))

    def _is_exponent(self, start: int, end: int) -> bool:
        before = self.text[max(0, start - 24) : start].rstrip("*_")
        if not before or before[-1].isspace():
            return False
        after = self.text[end : end + 1]
        return bool(_UNIT.search(before)) or (after in "⁺⁻+=^" and after != "")

    def _buttons(self) -> Iterator[Mark]:
        for m in _BUTTON.finditer(self.text):
            name = m["name"].strip()
            if name.lower() not in _FALSE_BUTTONS and len(name) > 2:
                yield Mark(m.start("name"), m.end(), "button", (name,))

    def _addresses(self) -> Iterator[Mark]:
        for found in addresses(self.text):
            start, end = found.start, found.end
            if self.text[start - 1 : start] == "<" and self.text[end : end + 1] == ">":
                start, end = start - 1, end + 1
            yield Mark(start, end, found.style, (), found.url)

    def _names(self) -> Iterator[Mark]:
        for named in find_names(self.text, self.known.named):
            yield Mark(named.start, named.end, "author_year", named.names, kept=named.kept)

    def _glued(self) -> Iterator[Mark]:
        """Yield numbers that stand at a word without a space. Only a list that has them makes them marks."""
        if not self.known.numbers:
            return
        stops = [m for m in _GLUED_STOP.finditer(self.text) if self._is_free(*m.span())]
        for m in stops:
            written = next(filter(None, m.groups()))
            if _NO_NOTE.search(self.text[max(0, m.start() - 12) : m.start()]):
                continue
            names = numbers_of(written)
            if names and all(name in self.known.labels for name in names):
                yield Mark(*m.span(), "glued", tuple(names))
