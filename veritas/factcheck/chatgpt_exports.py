"""ChatGPT's exports: the messages of the branch that is shown, and what their metadata say of the marks in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veritas.factcheck.addresses import plain_address
from veritas.factcheck.export_answers import (
    SIGNS_ONLY,
    TITLE_NAMES,
    Answer,
    entry_of,
    first_of,
    maps_in,
    mark_of,
    span_of,
    url_of,
)
from veritas.factcheck.shapes import SourceEntry

Pairs = tuple[tuple[str, str | None], ...]
"""Addresses with their titles."""
_MARKED = re.compile(r"[\[【(\ue200:]|\d\Z")
_TURN = re.compile(r"turn\d{1,4}[a-z]+\d{1,4}")
_SIGN = re.compile(r"\ue200(?P<name>[a-z_]{1,40})(?:\ue202(?P<said>[^\ue200\ue201]{0,20000}))?\ue201")
_LINES = re.compile(r"\ue202L\d{1,7}(?:-L?\d{1,7})?\Z")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\((https?://[^\s()]{1,3000}(?:\([^\s()]{0,300}\)[^\s()]{0,300}){0,3})\)")
_CITING = frozenset({"cite", "filecite"})
_NO_SOURCES = frozenset({"nav_list", "image_group", "image_v2", "image_inline", "sources_footnote", "entity"})
"""Kinds of references that name no source of the words before them."""
MAX_DEPTH = 12


def of_thread(conversation: Mapping[str, Any], said: frozenset[str]) -> list[Answer]:
    """Return the assistant's answers of the branch that is shown, the first one first; `said` are names of an
    assistant. What searches and hidden messages of the branch found resolves the marks of its answers."""
    branch = _branch(conversation)
    messages = [each for each in branch if _role(each) in said and _is_text(each)]
    messages = [each for each in messages if _is_shown(each)] or messages
    found = [entry for each in branch for entry in _found(each.get("metadata"), 0)]
    found += [entry for each in branch if _role(each) not in said for entry in _found(each.get("content"), 0)]
    answers = [of_message(each) for each in messages]
    for answer in answers:
        known = {entry.label for entry in answer.entries}
        answer.entries += [entry for entry in found if entry.label not in known]
    return answers


def _role(message: Mapping[str, Any]) -> str:
    author = message.get("author")
    role = author.get("role") if isinstance(author, Mapping) else author
    return role.casefold() if isinstance(role, str) else ""


def _is_text(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, Mapping) and content.get("content_type", "text") in ("text", "multimodal_text")


def _is_shown(message: Mapping[str, Any]) -> bool:
    """Return whether a message is for the reader: not for a tool, not hidden, and no word said on the way."""
    metadata = message.get("metadata")
    hidden = isinstance(metadata, Mapping) and metadata.get("is_visually_hidden_from_conversation")
    return not hidden and message.get("recipient") in (None, "all") and message.get("channel") in (None, "final")


def _branch(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the messages from the first one to the current one; without one, to the newest that nothing follows."""
    nodes = conversation["mapping"]
    at, found, seen = conversation.get("current_node"), [], set()
    if at not in nodes:
        leaves = [name for name, node in nodes.items() if isinstance(node, Mapping) and not node.get("children")]
        at = max(enumerate(leaves), key=lambda pair: (_time(nodes[pair[1]]), pair[0]))[1] if leaves else None
    while at in nodes and at not in seen:
        seen.add(at)
        node = nodes[at] if isinstance(nodes[at], Mapping) else {}
        message = node.get("message")
        if isinstance(message, Mapping):
            found.append(message)
        at = node.get("parent")
    return found[::-1]


def _time(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    time = message.get("create_time") if isinstance(message, Mapping) else None
    return float(time) if isinstance(time, int | float) else 0.0


def _found(value: Any, depth: int) -> Iterator[SourceEntry]:
    """Yield the pages in a message that have a name such as turn0search1 beside their address."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, Mapping):
        name, url = _ref(value.get("ref_id")), url_of(value)
        if name and url and _TURN.fullmatch(name):
            yield entry_of(name, url, first_of(value, TITLE_NAMES))
        for each in value.values():
            yield from _found(each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _found(each, depth + 1)


def of_message(message: Mapping[str, Any]) -> Answer:
    """Return a message with the marks and sources that its metadata tell."""
    held = message["content"].get("parts")
    parts = held if isinstance(held, list) else []
    said = "\n".join(text for part in parts if (text := _text_of(part)) is not None)
    answer = Answer(without_signs(said))
    told = message.get("metadata")
    metadata: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
    answer.entries += _found(metadata.get("search_result_groups"), 0)
    for reference in maps_in(metadata.get("content_references")):
        _refer(answer, reference, said)
    for citation in maps_in(metadata.get("citations")):
        _cite(answer, citation, said)
    answer.entries += _messages(metadata)
    return answer


def _text_of(part: Any) -> str | None:
    text = part.get("text") if isinstance(part, Mapping) else part
    return text if isinstance(text, str) else None


def without_signs(text: str) -> str:
    """Return a text with its private signs as a reader sees them: names and linked words stay, pictures and lists of
    links go, and marks stay as marks."""

    def shown(match: re.Match[str]) -> str:
        name, said = match["name"], match["said"] or ""
        if name in _CITING:
            return f"\ue200{name}\ue202{_LINES.sub('', said)}\ue201"
        if name == "url":
            words, _, ref = said.partition("\ue202")
            return f"{words} \ue200cite\ue202{ref}\ue201" if _TURN.fullmatch(ref) else words
        if name.endswith("entity"):
            return _name_of(said)
        return ""

    return _SIGN.sub(shown, text)


def _name_of(entity: str) -> str:
    try:
        told = json.loads(entity)
    except (ValueError, RecursionError):
        return ""
    return told[1] if isinstance(told, list) and len(told) > 1 and isinstance(told[1], str) else ""


def _refer(answer: Answer, reference: Mapping[str, Any], said: str) -> None:
    """Note one of a message's `content_references`. Its words, or else its offsets, tell which mark it is."""
    items = [*maps_in(reference.get("items")), *maps_in(reference.get("sources"))]
    items += [more for item in items for more in maps_in(item.get("supporting_websites"))]
    items = items or maps_in(reference.get("fallback_items"))
    for item in items:
        refs = item.get("refs")
        for ref in refs if isinstance(refs, list) else ():
            if (name := _ref(ref)) and (url := url_of(item)):
                answer.entries.append(entry_of(name, url, first_of(item, TITLE_NAMES)))
    if reference.get("type") in _NO_SOURCES:
        return
    pairs = _pairs(reference, items)
    start, end = reference.get("start_idx"), reference.get("end_idx")
    placed = isinstance(start, int) and isinstance(end, int) and 0 <= start < end
    told = str(reference.get("matched_text") or "")
    if not told.strip() and placed and _is_mark(said[start:end]):
        told = said[start:end]
    words = without_signs(told)
    if not told.strip().startswith("\ue200cite") and "\ue200cite" in words:  # linked words are no part of their mark
        words = words[words.index("\ue200cite") :]
    if pairs and words.strip():
        exact = placed and answer.text[start:end] == words
        lead = len(words) - len(words.lstrip())
        answer.matched[words.strip()].append((pairs, start + lead if exact and isinstance(start, int) else None))
    refs = _TURN.findall(words)
    if len(refs) == len(pairs):  # the mark names its sources one by one, and another mark may name them again
        answer.entries += (entry_of(ref, url, title) for ref, (url, title) in zip(refs, pairs, strict=True))


def _pairs(reference: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Pairs:
    """Return the sources of a reference: its items, its own address, the links shown for it, or its plain addresses."""
    pairs = tuple((plain_address(url), first_of(item, TITLE_NAMES)) for item in items if (url := url_of(item)))
    if not pairs and (url := url_of(reference)):
        pairs = ((plain_address(url), first_of(reference, TITLE_NAMES)),)
    if not pairs and isinstance(reference.get("alt"), str):
        pairs = tuple((plain_address(url), title) for title, url in _LINK.findall(reference["alt"]))
    safe = reference.get("safe_urls")
    if not pairs and isinstance(safe, list):
        pairs = tuple((plain_address(url), None) for url in safe if isinstance(url, str))
    return tuple(dict.fromkeys(pairs))


def _is_mark(words: str) -> bool:
    return "oaicite" in words or SIGNS_ONLY.fullmatch(words.strip()) is not None


def _cite(answer: Answer, citation: Mapping[str, Any], said: str) -> None:
    """Note one of a message's `citations`, which stand at offsets of its text."""
    inner = citation.get("metadata")
    source: Mapping[str, Any] = inner if isinstance(inner, Mapping) else citation
    start, end, url = citation.get("start_ix"), citation.get("end_ix"), url_of(source)
    if url is None or not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end:
        return
    title, address = first_of(source, TITLE_NAMES), plain_address(url)
    start, end = _characters(said, start, end)
    words = without_signs(said[start:end]).strip()
    if SIGNS_ONLY.fullmatch(words):
        at = answer.text.find(words, start)
        answer.matched[words].append((((address, title),), at if at >= 0 else None))
    elif _MARKED.search(words) and len(words) < 300 and (at := answer.text.find(words, start)) >= 0:
        answer.marks.append(mark_of(words, at, address, title))
    elif start < end <= len(answer.text):
        answer.marks.append(span_of(start, end, url, title))


def _messages(metadata: Mapping[str, Any]) -> Iterator[SourceEntry]:
    """Yield the pages that citations name by the number of a message, where each number names one page: that is the
    number of marks such as 【3†source】."""
    pages: dict[str, dict[str, str | None]] = {}
    cited = metadata.get("_cite_metadata")
    told = [each.get("metadata") for each in maps_in(metadata.get("citations"))]
    told += maps_in(cited.get("metadata_list")) if isinstance(cited, Mapping) else []
    for source in maps_in(told):
        extra, url = source.get("extra"), url_of(source)
        number = extra.get("cited_message_idx") if isinstance(extra, Mapping) else None
        if isinstance(number, int) and url:
            pages.setdefault(str(number), {}).setdefault(url, first_of(source, TITLE_NAMES))
    for label, found in pages.items():
        if len(found) == 1:
            yield from (entry_of(label, url, title) for url, title in found.items())


def _characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Return offsets in characters. Some exports count units of UTF-16: those are taken if they alone meet a mark."""
    if SIGNS_ONLY.fullmatch(text[start:end].strip()) or text.isascii():
        return start, min(end, len(text))
    units = text.encode("utf-16-le", "surrogatepass")
    first = len(units[: 2 * start].decode("utf-16-le", "ignore"))
    last = len(units[: 2 * end].decode("utf-16-le", "ignore"))
    meets = bool(SIGNS_ONLY.fullmatch(text[first:last].strip()))
    return (first, last) if meets else (start, min(end, len(text)))


def _ref(ref: Any) -> str | None:
    if not isinstance(ref, Mapping):
        return ref if isinstance(ref, str) else None
    turn, kind, number = ref.get("turn_index"), ref.get("ref_type"), ref.get("ref_index")
    return f"turn{turn}{kind}{number}" if None not in (turn, kind, number) else None
