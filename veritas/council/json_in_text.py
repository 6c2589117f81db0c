"""JSON in a model's text: found among reasoning, fences and prose, and repaired where its meaning is certain.

`json_repair` also fills in, drops and closes what it cannot read. So its result counts only if it holds every word,
number and sign of the original in the same order: only JSON's own punctuation may differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from veritas.errors import VeritasError

MOST = 60_000
"""Most characters of a broken answer that is mended; a longer one is asked for again."""
DEEPEST = 32
"""Most levels of brackets in an answer that is mended. No answer has as many, and mending takes long on deep nests."""

_THOUGHT = r"think(?:ing)?|thoughts?|reasoning|reflection|analysis"
_OPEN = re.compile(rf"<(?:{_THOUGHT})>|\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>", re.IGNORECASE)
_CLOSE = re.compile(rf"</(?:{_THOUGHT})>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_NEXT = re.compile(rf"(?P<open>{_OPEN.pattern})|(?P<close>{_CLOSE.pattern})|(?P<json>\{{|\[(?=\s*\{{))", re.IGNORECASE)
_FENCE = re.compile(r"\n[^\S\n]*```")
_SET = re.compile(r"\{[^{}\"':]+\}")
"""Braces in prose, as of a set or of LaTeX: they hold no key."""
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_WORD = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\w+|[^\s{}\[\]:,\"'`“”‘’\\]")
_LITERALS = {"none": "null"}
_PIECE = re.compile(
    r"""\s+|(?P<mark>[{}\[\],:])|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<plain>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null|True|False|None)\b|\w+(?=\s*:))""",
    re.DOTALL,
)


@dataclass(frozen=True)
class Value:
    """A JSON value of a model's text, with all text `before` and `after` it except reasoning. `mended`: its punctuation
    was repaired. `cut`: it was cut off, and holds only the complete items of its lists."""

    value: Any
    source: str = ""
    before: str = ""
    after: str = ""
    mended: bool = False
    cut: bool = False


class Unreadable(VeritasError):
    """An answer whose JSON cannot be read for certain."""


def said_values(text: str, *, guess: bool, whole: bool) -> list[Value]:
    """Return the top-level objects (and lists of objects) after the last reasoning of a text; none for bare prose.

    `guess` allows a quotation mark to be escaped if a string seems to continue after it; not for an answer that
    decides. `whole` is false for a text that was cut off at its greatest length. Raises `Unreadable`.
    """
    text = text.strip().removeprefix("\ufeff").strip()
    try:
        return [Value(_decode(text), text)]
    except json.JSONDecodeError:
        pass
    found: list[Value] = []
    at = begun = 0
    spoken = ""  # the text before `begun` that was no thought
    while (sign := _NEXT.search(text, at)) is not None:
        at = sign.end()
        if sign["close"]:
            found.clear()  # the text before it was thought
            begun, spoken = at, ""
        elif sign["open"]:
            closed = _CLOSE.search(text, at)
            found.clear()
            if closed is None:
                break  # the thinking never ended
            spoken += text[begun : sign.start()]
            at = begun = closed.end()
        elif sign["json"] == "{" and (prose := _SET.match(text, sign.start())) is not None:
            at = prose.end()
        else:
            start = sign.start()
            try:
                value, at = _DECODER.raw_decode(text, start)
                one = Value(value)
            except RecursionError:
                raise Unreadable("it is nested too deeply") from None
            except json.JSONDecodeError:
                one, length = _mended(_stretch(text, start), guess=guess, whole=whole)
                at = start + length
            found.append(replace(one, source=text[start:at], before=spoken + text[begun:start], after=text[at:]))
    return found


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise Unreadable(f"it says {key!r} twice, and not the same")
        found[key] = value
    return found


def _no_constant(name: str) -> object:
    raise Unreadable(f"{name} is not JSON")


# A line break inside a string is no fault worth asking again for.
_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant, strict=False)


def _decode(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None


def _stretch(text: str, start: int) -> str:
    """Return the broken JSON that begins at `start`: up to the end of its fence, to the next thought, or to the end."""
    ends = [m.start() for m in (_FENCE.search(text, start), _OPEN.search(text, start), _CLOSE.search(text, start)) if m]
    return text[start : min(ends, default=len(text))].rstrip()


def _mended(text: str, *, guess: bool, whole: bool) -> tuple[Value, int]:
    """Return the value of a broken part, and its length."""
    ended = max(text.rfind("}"), text.rfind("]")) + 1
    if ended and _balance(text[:ended]) == 0:
        return Value(_repaired(text[:ended], guess=guess), mended=True), ended
    closers, complete = _open_brackets(text)
    if closers and whole and text[-1:] in '"}]':  # only its closing brackets are missing
        try:
            return Value(_decode(text + closers), mended=True), len(text)
        except json.JSONDecodeError:
            pass
    if complete:
        try:
            return Value(_decode(complete), cut=True), len(text)
        except json.JSONDecodeError:
            pass
    raise Unreadable("it breaks off before its end")


def _balance(text: str) -> int | None:
    """Return the number of open brackets at the end; None if they are nested too deeply or closed before they open.

    Brackets in strings count too, because it is uncertain which quotation marks bound a string.
    """
    depth = 0
    for sign in re.findall(r"[{}\[\]]", text):
        depth += 1 if sign in "{[" else -1
        if not 0 <= depth <= DEEPEST:
            return None
    return depth


def _open_brackets(text: str) -> tuple[str, str]:
    """Return what closes a text that is JSON as far as it goes ("" inside a string), and the text up to the last
    complete item of a list of the outermost object, closed ("" without one)."""
    stack: list[str] = []
    inside, complete = False, 0
    at = 0
    while at < len(text):
        sign = text[at]
        if inside:
            at += sign == "\\"
            inside = sign != '"'
        elif sign == '"':
            inside = True
        elif sign in "{[":
            stack.append("}" if sign == "{" else "]")
        elif sign in "}]":
            if not stack or stack.pop() != sign:
                return "", ""
            if stack == ["}", "]"]:
                complete = at + 1
        at += 1
    whole_items = f"{text[:complete]}]}}" if complete else ""
    return "" if inside else "".join(reversed(stack)), whole_items


def _repaired(text: str, *, guess: bool) -> Any:
    from json_repair import repair_json  # imported here because most answers are JSON

    if len(text) > MOST:
        raise Unreadable(f"it is no JSON, and with {len(text):,} characters too long to be mended")
    if not guess and not _well_bounded(text):
        raise Unreadable("it is no JSON: it is not certain where its strings end")
    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError, TypeError) as error:
        raise Unreadable(f"it is no JSON: {error}") from None
    if list(_words(_ESCAPE.sub(_unescaped, text))) != [w for part in _parts(value) for w in _words(part)]:
        raise Unreadable("it is no JSON, and cannot be mended without changing what it says")
    return value


def _well_bounded(text: str) -> bool:
    """Return whether the boundaries of every string are certain: between strings are only JSON's own signs, plain
    numbers, keys and literals."""
    at, before = 0, ""
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None:
            return False
        at = piece.end()
        kind = piece.lastgroup
        if kind is None:
            continue
        said = piece["mark"] or kind
        if kind != "mark" and before not in ("{", "[", ",", ":"):
            return False
        before = said
    return True


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        plain = word.casefold()
        yield repr(float(plain)) if plain[0].isdecimal() and plain.isascii() and _number(plain) else _LITERALS.get(
            plain, plain
        )


def _number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _parts(value: Any) -> Iterator[str]:
    """Yield every key and plain value, in order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)
    else:
        yield "null" if value is None else str(value)


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(match[2], match[2])
