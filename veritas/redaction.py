"""Redaction: key values are taken out of text, in every form in which a server may hand back what it was sent.

There are two strengths. `exact` takes out the known values and nothing else. It is for documents, passages and answers,
in which a page about keys has to stay word for word. `message` also takes out text that only looks like a key, and the
cut-off beginning of a known one. It is for errors, logs and the messages of providers.

Pure; `veritas.keys` knows the values.
"""

from __future__ import annotations

import base64
import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from html.entities import html5
from mmap import mmap
from urllib.parse import unquote

from veritas.scattered import Scattered, Spread, scattered

SHORTEST = 8
"""Characters of the shortest value that is taken out. A shorter one is too often a word of the text."""
_WORDY = 16
"""A value of letters alone that is shorter than this is taken for words: `not-needed`, `ollama`, `anything`."""
_PLACEHOLDERS = re.compile(
    r"(?i)empty|none|null|dummy|fake|change-?me|place-?holder|ollama|lm-?studio|(?:sk-)?no-?key(?:-required)?"
    r"|(?:sk-)?(?:x+|\*+|0+|1+|\.+)|(?:sk-)?0?1234567?8?9?0?(?:1234567890)*"
    r"|(?:sk-)?(?:your|my|the|an?|some|any|test|dummy|fake|example|sample|demo|local)?[-_ ]*"
    r"(?:open-?ai|anthropic|llm|proxy)?[-_ ]*(?:secret)?[-_ ]*(?:api)?[-_ ]*(?:key|token|secret|password)"
    r"(?:[-_ ]*(?:here|goes-here|\d{1,3}))?"
    r"|<.*>|\$\{?\w+\}?"
)
_LETTERS = re.compile(r"[A-Za-z]+(?:[-_ .][A-Za-z]+)*")
_CAMEL = re.compile(r"[a-z][A-Z]")

# A sign in another form: escaped by a URL, HTML, JSON, a program's string or quoted-printable; or not written at all: a
# soft end of a line, a character that is not seen. Each form begins with a plain character: `re` then looks for nothing
# else, which is ten times as fast.
_ESCAPED = (
    r"%(?:25)*(?:u00)?(?P<percent>[2-7][0-9a-fA-F])"
    r"|&(?:amp;)*#(?:[xX]0*(?P<hex>[2-7][0-9a-fA-F])(?![0-9a-fA-F])|0*(?P<decimal>\d{2,3})(?!\d));?"
    r"|&(?:amp;)*(?P<name>quot|apos|amp|lt|gt|plus|equals|sol|lowbar|period|colon|commat|num|percnt|excl|dollar|ast);"
    r"|\\\\{0,15}(?:u\{0*(?P<braced>[2-7][0-9a-fA-F])\}|(?:u00|U000000|x)(?P<unicode>[2-7][0-9a-fA-F])|(?P<sign>[SIGNS]))"
    r"|=(?:(?P<printable>[2-7][0-9A-F])|\r?\n)"
    "|\u00ad|\u200b|\u200c|\u200d|\u2060|\ufeff"
)
_ROUNDS = 3
"""Levels of nested escaping that are undone."""

_SHAPES = re.compile(
    # Keys whose beginning names their provider, masked ones too.
    r"\b(?:sk|pk|rk|xai|gsk|tvly|pplx|hf|gh[opsu]|github_pat|glpat|r8|nvapi|csk|fw|tgp|voyage|pa|jina)[-_]"
    r"(?=[A-Za-z0-9_*.-]*[\d*])[A-Za-z0-9_*.-]{12,}"
    r"|\b(?:AIza[\w-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{14,}|ya29\.[\w-]{16,}|xox[abprs]-[\w-]{10,}|BSA[\w-]{20,})"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"
    # Values that follow the name of a secret, or stand in its place in a header, a URL or a query.
    r"|(?i:(?<=bearer )|(?<=basic ))(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}"
    r"|(?i:\b(?:x-)?(?:goog-)?(?:api[_-]?key|access[_-]?token|auth[_-]?token|authorization|client[_-]?secret|passw(?:or)?d)"
    r"[\"']?\s*[:=]\s*[\"']?(?:bearer |basic )?)(?P<named>(?=[^\s\"'&,;<>(){}]*\d)[^\s\"'&,;<>(){}]{8,})"
    r"|(?i:[?&](?:key|token|sig|signature|auth)=)(?P<asked>[^\s\"'&<>]{8,})"
    r"|(?<=://)(?P<user>[^\s/:@\"'<>]*:[^\s/@\"'<>]+)(?=@)"
)


def is_secret(value: str) -> bool:
    """Return whether a value set as a key is a secret. `EMPTY`, `sk-xxx`, `not-needed` and other values for servers
    that need no key are none, nor is a value that is too short, or too much of a word, to be told from ordinary
    text."""
    if len(value) < SHORTEST or _PLACEHOLDERS.fullmatch(value) or len(set(value)) < 4:
        return False
    return not (_LETTERS.fullmatch(value) and len(value) < _WORDY and not _CAMEL.search(value))


def secrets_in(name: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield the secrets that the setting `name` holds, each with its name: the value, its part behind `Bearer` or
    `user:`, and for a URL its password and the keys in its query."""
    value = value.strip()
    if "://" not in value:
        yield name, value
        part = re.sub(r"(?i)\A(?:bearer|basic|token)\s+", "", value)
        yield name, part
        if name.upper().endswith("AUTH_STRING"):
            yield name, part.partition(":")[2]
        return
    user = re.search(r"://([^/?#@]*(?:@[^/?#@]*)*)@", value)
    if user:
        given, colon, password = user[1].partition(":")
        for part in (password, unquote(password)) if colon else (given,):
            yield f"{name}_password", part
    for part in re.findall(r"(?i)[?&](?:api[_-]?key|key|token|access_token|password|code)=([^&#]+)", value):
        yield name, part
        yield name, unquote(part)


@cache
def _escaped(quoted: str) -> re.Pattern[str]:
    """Return the pattern of an escaped sign. A backslash before a sign counts only for the signs in `quoted`, which
    keys hold: JSON has too many of the others."""
    return re.compile(_ESCAPED.replace("SIGNS", re.escape(quoted) or r"^\s\S"))


class Redactor:
    """A redactor that replaces the values of `secrets` (value to name) by `<name>-withheld`. The mark is valid in JSON,
    HTML, URLs and file names. Values that are no secrets (`is_secret`) are left alone."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._marks = {value: _mark(name) for value, name in secrets.items() if is_secret(value)}
        self._forms: dict[str, str] = {}
        self._scattered: dict[Scattered, str] = {}
        quoted = {sign for sign in "\"'/\\" if any(sign in value for value in self._marks)}
        self._escaped = _escaped("".join(sorted(quoted)))
        for value, mark in self._marks.items():
            for form in _forms(value):
                self._forms.setdefault(form.lower(), mark)
            for form in (*_forms(value), *_nested_forms(value)):
                if (apart := scattered(form)) is not None:
                    self._scattered.setdefault(apart, mark)

    def exact(self, text: str) -> str:
        """Return `text` without the values that are known; the same object where there is none."""
        spans = self._spans(text)
        if not spans:
            return text
        parts, at = [], 0
        for start, end, mark in spans:
            parts += [text[at:start], mark]
            at = end
        return "".join((*parts, text[at:]))

    def holds(self, text: str) -> bool:
        """Return whether `exact` would take anything out."""
        return bool(self._spans(text))

    def within(self, data: bytes | mmap) -> bool:
        """Return whether bytes hold a value in one of its plain forms, in letters of any case. For large files: faster
        than `holds`, and blind to values that are escaped or spaced out."""
        forms = [re.escape(form.encode("utf-8", "surrogatepass")) for form in self._forms]
        return bool(forms) and re.search(b"|".join(forms), data, re.IGNORECASE) is not None

    def sign(self, salt: bytes) -> str:
        """Return a short sign of the values, to tell whether they changed; "" for none. From its 24 bits no value can
        be found."""
        if not self._marks:
            return ""
        digest = hashlib.blake2b(key=salt[:64], digest_size=3)
        for value in sorted(self._marks):
            digest.update(hashlib.sha256(value.encode("utf-8", "surrogatepass")).digest())
        return digest.hexdigest()

    def moved(self, text: str, offsets: tuple[int, ...]) -> tuple[int, ...]:
        """Return the places of `offsets` of `text` in `exact(text)`."""
        spans = self._spans(text)
        found = []
        for offset in offsets:
            shift = 0
            for start, end, mark in spans:
                if end <= offset:
                    shift += len(mark) - (end - start)
                elif start < offset:
                    shift -= offset - start
            found.append(offset + shift)
        return tuple(found)

    def message(self, text: str) -> str:
        """Return `text` without known values, without the cut-off beginning of one, and without what looks like a
        key."""
        text = self.exact(text)
        for value, mark in self._marks.items():
            text = _without_beginning(text, value, mark)
        return _SHAPES.sub(_withheld_shape, text)

    def _spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return the spans of `text` that hold a value in any form, as (start, end, mark), sorted and disjoint."""
        if not self._forms or len(text) < SHORTEST:
            return []
        found = [*self._plain(text), *self._apart(text)]
        layers: list[_Unescaped] = []
        for _ in range(_ROUNDS):
            layer = _Unescaped(layers[-1].text if layers else text, self._escaped)
            if not layer.changed:
                break
            layers.append(layer)
            for start, end, mark in (*self._plain(layer.text), *self._apart(layer.text)):
                for each in reversed(layers):
                    start, end = each.begin(start), each.end(end - 1)
                found.append((start, end, mark))
        found.sort(key=lambda span: (span[0], -span[1]))
        kept: list[tuple[int, int, str]] = []
        for start, end, mark in found:
            if kept and start < kept[-1][1]:
                kept[-1] = (kept[-1][0], max(end, kept[-1][1]), kept[-1][2])
            else:
                kept.append((start, end, mark))
        return kept

    def _plain(self, text: str) -> Iterator[tuple[int, int, str]]:
        low = text.lower()
        if len(low) != len(text):  # a capital whose small letter is two
            low = "".join(small if len(small := c.lower()) == 1 else c for c in text)
        for form, mark in self._forms.items():
            at = low.find(form)
            while at >= 0:
                yield at, at + len(form), mark
                at = low.find(form, at + 1)

    def _apart(self, text: str) -> Iterator[tuple[int, int, str]]:
        spread = Spread(text)
        for value, mark in self._scattered.items():
            for start, end in spread.places(value):
                yield start, end, mark


def _mark(name: str) -> str:
    return f"{re.sub(r'[^A-Za-z0-9_]+', '_', name) or 'key'}-withheld"


def _forms(value: str) -> Iterator[str]:
    """Yield the forms of a value that are no spelling of its signs: itself, hexadecimal, and the part of its base64
    that is the same in any text that holds it (`user:key` of Basic authentication, say), in both alphabets."""
    data = value.encode("utf-8", "surrogatepass")
    yield value
    yield data.hex()
    for core in _base64(data):
        yield core
        yield core.replace("+", "-").replace("/", "_")


def _nested_forms(value: str) -> Iterator[str]:
    """Yield the forms that a value takes when it is encoded twice, as UTF-16, or as the bytes of a program."""
    data = value.encode("utf-8", "surrogatepass")
    for inner in (*_base64(data), data.hex()):
        yield from _base64(inner.encode())
    wide = value.encode("utf-16-le", "surrogatepass")[:-1]  # without its last byte: the same in both byte orders
    yield wide.hex()
    yield "".join(f"0x{byte:02x}" for byte in data)
    yield from _base64(wide)


def _base64(data: bytes) -> Iterator[str]:
    """Yield the parts of the base64 of `data` that are the same in any bytes that hold it."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + data).decode()
        core = whole.rstrip("=")[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(core) >= SHORTEST:
            yield core


class _Unescaped:
    """A text with its escaped signs written plainly, and where each of its signs stood before."""

    def __init__(self, source: str, escaped: re.Pattern[str]) -> None:
        parts: list[str] = []
        self._made: list[int] = []
        self._came: list[tuple[int, int]] = []
        """For each piece, in order: its start in `text`, its start in `source`, and its length in `source` if it is one
        escaped sign, else 0."""
        at = made = 0
        for match in escaped.finditer(source):
            sign = _sign(match)
            if sign is None:
                continue
            if match.start() > at:
                self._piece(made, at, 0)
                parts.append(source[at : match.start()])
                made += match.start() - at
            if sign:
                self._piece(made, match.start(), match.end() - match.start())
                parts.append(sign)
                made += 1
            at = match.end()
        self.changed = at > 0
        if at < len(source):
            self._piece(made, at, 0)
            parts.append(source[at:])
        self.text = "".join(parts) if self.changed else source

    def _piece(self, made: int, came: int, length: int) -> None:
        self._made.append(made)
        self._came.append((came, length))

    def begin(self, offset: int) -> int:
        """Return where the sign at `offset` begins in `source`."""
        piece = bisect_right(self._made, offset) - 1
        came, length = self._came[piece]
        return came if length else came + offset - self._made[piece]

    def end(self, offset: int) -> int:
        """Return where the sign at `offset` ends in `source`."""
        piece = bisect_right(self._made, offset) - 1
        came, length = self._came[piece]
        return came + length if length else came + offset - self._made[piece] + 1


def _sign(match: re.Match[str]) -> str | None:
    """Return the escaped sign: "" for an escape that stands for no sign, None for a sign that no key has."""
    code = match["percent"] or match["hex"] or match["braced"] or match["unicode"] or match["printable"]
    if code:
        return chr(int(code, 16))
    if match["decimal"]:
        number = int(match["decimal"])
        return chr(number) if 32 < number < 127 else None
    if match["name"]:
        return html5[f"{match['name']};"]
    return match["sign"] or ""


def _without_beginning(text: str, value: str, mark: str) -> str:
    """Return `text` without the cut-off beginnings of a value that are half of it or longer."""
    least = max(12, len(value) // 2)
    at = text.find(value[:least])
    while at >= 0:
        end = at + least
        while end < len(text) and end - at < len(value) and text[end] == value[end - at]:
            end += 1
        text = f"{text[:at]}{mark}{text[end:]}"
        at = text.find(value[:least], at + len(mark))
    return text


def _withheld_shape(match: re.Match[str]) -> str:
    kind = match.lastgroup
    value = match[kind] if kind else match[0]
    return match[0] if value.endswith("-withheld") else match[0].replace(value, "key-withheld")
