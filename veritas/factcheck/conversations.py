"""Conversation exports in JSON: the assistant's last answer, and what the export says of the marks in it.

Read are ChatGPT's `mapping`, Claude's `chat_messages`, the answers of the programming interfaces (`choices`, `output`,
`candidates`) and any list of messages with a role.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veritas.errors import InputError
from veritas.factcheck.addresses import plain_address
from veritas.factcheck.marks import Mark
from veritas.factcheck.shapes import SourceEntry
from veritas.factcheck.source_lists import plain_label

Told = tuple[tuple[tuple[str, str | None], ...], int | None]
"""The addresses of a mark with their titles, and where the mark stands if the export tells it rightly."""
_ASSISTANTS = frozenset({"assistant", "model", "ai", "bot", "gpt", "chatgpt", "claude", "gemini", "grok", "copilot"})
_URL_NAMES = ("url", "uri", "link", "href", "source_url", "sourceUrl", "URL")
_LABEL_NAMES = ("id", "index", "number", "n", "label", "key", "ref", "ref_id", "citation_id", "card_id")
_TITLE_NAMES = ("title", "name", "source_title", "text")
_LISTS = (
    "citations", "sources", "search_results", "searchResults", "references", "web_results", "webSearchResults",
    "links", "annotations", "documents",
)  # fmt: skip
_MARKED = re.compile(r"[\[【(\ue200:]|\d\Z")
_TURN = re.compile(r"turn\d{1,4}[a-z]+\d{1,4}")
_SIGNS_ONLY = re.compile(r"[\[【(\ue200][^\n]{1,400}[\])】\ue201]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
MAX_DEPTH = 40


@dataclass(slots=True)
class Answer:
    """An answer of an assistant as an export holds it. `marks` are those that the export tells, `entries` its list of
    sources. `matched` are the addresses of marks by their words, in the order of the text."""

    text: str
    entries: list[SourceEntry] = field(default_factory=list)
    matched: dict[str, list[Told]] = field(default_factory=lambda: defaultdict(list))
    marks: list[Mark] = field(default_factory=list)

    def place(self) -> Answer:
        """Find the words of the marks in the text. Words that occur more often than they are told mean the same."""
        for words, told in self.matched.items():
            placed = {at: pairs for pairs, at in told if at is not None}
            others = [pairs for pairs, at in told if at is None]
            at = number = 0
            while (at := self.text.find(words, at)) >= 0:
                pairs = placed.get(at, ())
                if not pairs and others:
                    pairs = others[min(number, len(others) - 1)]
                    number += 1
                self.marks += (_marked(words, at, url, title) for url, title in pairs)
                at += len(words)
        return self


def _marked(words: str, at: int, url: str, title: str | None) -> Mark:
    """Return the mark that words are: marks are no words of the sentence, anything else is."""
    end = at + len(words)
    for sign, style in (("oaicite", "content_reference"), ("turn", "turn"), ("‡", "oai_citation"), ("†", "dagger")):
        if (sign in words and not words[:1].isalpha()) or words.startswith(("citeturn", "filecite")):
            return Mark(at, end, style if sign in words else "turn", (), url, title)
    if "](" in words:
        return Mark(at, end, "site_link", (), url, title)
    if _SIGNS_ONLY.fullmatch(words):
        return Mark(at, end, "number", (), url, title)
    return _span(at, end, url, title)


def parsed(export: str) -> Any:
    """Return a JSON document, or the list of the documents of JSON lines. Raises `InputError`."""
    try:
        return json.loads(export)
    except RecursionError as error:
        raise InputError("the conversation is nested too deeply to be read") from error
    except ValueError as error:
        try:
            return [json.loads(line) for line in export.splitlines() if line.strip()]
        except ValueError:
            raise InputError(f"the conversation is no JSON: {error}") from error


def last_answer(export: Any) -> Answer:
    """Return the last answer of an assistant. Raises `InputError` if the export holds none."""
    answers = [answer for answer in _answers(export, 0) if answer.text.strip()]
    if not answers:
        raise InputError("the conversation holds no answer of an assistant")
    return answers[-1].place()


def listed_sources(value: Any) -> list[SourceEntry]:
    """Return the sources that a JSON document lists: addresses, `{url, title}` with a label, or label to address."""
    if isinstance(value, Mapping):
        for name in _LISTS:
            if isinstance(value.get(name), list | Mapping):
                return listed_sources(value[name])
        if value and all(isinstance(one, str) and "://" in one for one in value.values()):
            return [_entry(str(label), url, None) for label, url in value.items()]
        if value and all(isinstance(one, Mapping) for one in value.values()):
            pairs = [(str(label), _url(one), _first(one, _TITLE_NAMES)) for label, one in value.items()]
            return [_entry(label, url, title) for label, url, title in pairs if url]
        value = [value]
    found: list[SourceEntry] = []
    for number, one in enumerate(value if isinstance(value, list) else (), 1):
        if isinstance(one, str) and one.startswith(("http", "www.")):
            found.append(_entry(str(number), one, None))
        elif isinstance(one, Mapping) and (url := _url(one)):
            label = _first(one, _LABEL_NAMES)
            found.append(_entry(label if label and len(label) < 60 else str(number), url, _first(one, _TITLE_NAMES)))
    return found


def _answers(value: Any, depth: int) -> Iterator[Answer]:
    if depth > MAX_DEPTH:
        raise InputError("the conversation is nested too deeply to be read")
    if isinstance(value, list):
        conversations = [
            one for one in value if isinstance(one, Mapping) and ("mapping" in one or "chat_messages" in one)
        ]
        if conversations:
            newest = max(
                enumerate(conversations),
                key=lambda pair: (str(pair[1].get("update_time") or pair[1].get("updated_at") or ""), -pair[0]),
            )
            yield from _answers(newest[1], depth + 1)
            return
        for one in value:
            yield from _answers(one, depth + 1)
        return
    if not isinstance(value, Mapping):
        return
    if isinstance(value.get("mapping"), Mapping):
        yield from (_of_chatgpt(message) for message in _thread(value))
    elif isinstance(value.get("chat_messages"), list):
        yield from (_of_blocks(m) for m in value["chat_messages"] if isinstance(m, Mapping) and _is_answer(m))
    elif isinstance(value.get("choices"), list):
        for choice in value["choices"]:
            message = choice.get("message") if isinstance(choice, Mapping) else None
            if isinstance(message, Mapping):
                outer = {name: value[name] for name in _LISTS if name in value}
                yield _of_blocks({**outer, **message})
    elif isinstance(value.get("candidates"), list):
        yield from (_of_gemini(candidate) for candidate in value["candidates"] if isinstance(candidate, Mapping))
    elif isinstance(value.get("output"), list):
        yield from (_of_blocks(m) for m in value["output"] if isinstance(m, Mapping) and m.get("type") == "message")
    elif _is_answer(value):
        yield _of_blocks(value)
    else:
        for name in ("messages", "conversation", "conversations", "history", "turns", "data", "items"):
            if isinstance(value.get(name), list):
                outer = {each: value[each] for each in _LISTS if each in value}
                for one in value[name]:
                    yield from _answers({**outer, **one} if isinstance(one, Mapping) else one, depth + 1)
                return


def _is_answer(message: Mapping[str, Any]) -> bool:
    author = message.get("author")
    said = author.get("role") if isinstance(author, Mapping) else author
    role = message.get("role") or message.get("sender") or message.get("from") or said or message.get("type")
    return isinstance(role, str) and role.casefold() in _ASSISTANTS


def _thread(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the assistant's messages of the branch that is shown, the first one first."""
    nodes = conversation["mapping"]
    at, found, seen = conversation.get("current_node"), [], set()
    if at not in nodes:
        leaves = [name for name, node in nodes.items() if isinstance(node, Mapping) and not node.get("children")]
        at = leaves[-1] if leaves else None
    while at in nodes and at not in seen:
        seen.add(at)
        node = nodes[at] if isinstance(nodes[at], Mapping) else {}
        message = node.get("message")
        if isinstance(message, Mapping) and _is_answer(message):
            content = message.get("content")
            if isinstance(content, Mapping) and content.get("content_type", "text") in ("text", "multimodal_text"):
                found.append(message)
        at = node.get("parent")
    return found[::-1]


def _of_chatgpt(message: Mapping[str, Any]) -> Answer:
    parts = message["content"].get("parts") or ()
    answer = Answer("\n".join(part for part in parts if isinstance(part, str)))
    told = message.get("metadata")
    metadata: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
    for group in _maps(metadata.get("search_result_groups")):
        for entry in _maps(group.get("entries")):
            if url := _url(entry):
                answer.entries.append(_entry(_ref(entry.get("ref_id")) or "", url, _first(entry, _TITLE_NAMES)))
    for reference in _maps(metadata.get("content_references")):
        items = [*_maps(reference.get("items")), *_maps(reference.get("sources"))]
        items += [more for item in items for more in _maps(item.get("supporting_websites"))]
        items = items or _maps(reference.get("fallback_items"))
        pairs = tuple((plain_address(url), _first(item, _TITLE_NAMES)) for item in items if (url := _url(item)))
        pairs = pairs or tuple((plain_address(u), None) for u in reference.get("safe_urls") or () if isinstance(u, str))
        if not pairs and (url := _url(reference)):
            pairs = ((plain_address(url), _first(reference, _TITLE_NAMES)),)
        words = str(reference.get("matched_text") or "")
        if pairs and words.strip():
            start, end = reference.get("start_idx"), reference.get("end_idx")
            exact = isinstance(start, int) and isinstance(end, int) and answer.text[start:end] == words
            lead = len(words) - len(words.lstrip())
            answer.matched[words.strip()].append((pairs, start + lead if exact and isinstance(start, int) else None))
        refs = _TURN.findall(words)
        if len(refs) == len(pairs):  # the mark names its sources one by one, and another mark may name them again
            answer.entries += (_entry(ref, url, title) for ref, (url, title) in zip(refs, pairs, strict=True))
        for item in items:
            for ref in _maps(item.get("refs")):
                if (name := _ref(ref)) and (url := _url(item)):
                    answer.entries.append(_entry(name, url, _first(item, _TITLE_NAMES)))
    for citation in _maps(metadata.get("citations")):
        inner = citation.get("metadata")
        source: Mapping[str, Any] = inner if isinstance(inner, Mapping) else citation
        start, end = citation.get("start_ix"), citation.get("end_ix")
        url = _url(source)
        if url and isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
            start, end = _characters(answer.text, start, end)
            words = answer.text[start:end].strip()
            if _MARKED.search(words) and len(words) < 300:
                answer.marks.append(
                    _marked(words, answer.text.find(words, start), plain_address(url), _first(source, _TITLE_NAMES))
                )
            elif start < end:
                answer.marks.append(_span(start, end, url, _first(source, _TITLE_NAMES)))
    answer.entries = [entry for entry in answer.entries if entry.label]
    return answer


def _characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Return offsets in characters. Some exports count units of UTF-16: those are taken if they alone meet a mark."""
    if _SIGNS_ONLY.fullmatch(text[start:end].strip()) or text.isascii():
        return start, min(end, len(text))
    units = text.encode("utf-16-le")
    first = len(units[: 2 * start].decode("utf-16-le", "ignore"))
    last = len(units[: 2 * end].decode("utf-16-le", "ignore"))
    meets = bool(_SIGNS_ONLY.fullmatch(text[first:last].strip()))
    return (first, last) if meets else (start, min(end, len(text)))


def _ref(ref: Any) -> str | None:
    if not isinstance(ref, Mapping):
        return ref if isinstance(ref, str) else None
    turn, kind, number = ref.get("turn_index"), ref.get("ref_type"), ref.get("ref_index")
    return f"turn{turn}{kind}{number}" if None not in (turn, kind, number) else None


def _of_blocks(message: Mapping[str, Any]) -> Answer:
    """Return a message whose content is a text or a list of blocks, each with the citations of its words."""
    content = message.get("content", message.get("text", message.get("value")))
    if isinstance(content, Mapping):
        content = content.get("text") or content.get("parts") or ""
    answer = Answer("")
    for block in content if isinstance(content, list) else [content]:
        start = len(answer.text)
        if isinstance(block, str):
            answer.text += block
        elif isinstance(block, Mapping) and block.get("type", "text") in ("text", "output_text", None):
            said = block.get("text")
            said = said.get("value", "") if isinstance(said, Mapping) else said
            answer.text += said if isinstance(said, str) else ""
            for citation in (*_maps(block.get("citations")), *_maps(block.get("annotations"))):
                _cite(answer, citation, start, len(answer.text))
    if not answer.text.strip() and isinstance(message.get("text"), str):
        answer.text = message["text"]
    for name in _LISTS:
        value = message.get(name)
        if not isinstance(value, list | Mapping):
            continue
        placed = [one for one in _maps(value) if _offsets(one) is not None]
        for one in placed:
            _cite(answer, one, 0, len(answer.text))
        if not placed:
            answer.entries += listed_sources(value)
    return answer


def _cite(answer: Answer, citation: Mapping[str, Any], start: int, end: int) -> None:
    """Note a citation of words of a block, or of all of it if it says nothing of where."""
    inner = citation.get("url_citation")
    source: Mapping[str, Any] = inner if isinstance(inner, Mapping) else citation
    details = source.get("details")
    url = _url(source) or (_url(details) if isinstance(details, Mapping) else None)
    if url is None:
        return
    title = _first(source, _TITLE_NAMES[:2]) or (
        _first(details, _TITLE_NAMES[:2]) if isinstance(details, Mapping) else None
    )
    place = _offsets(source) or _offsets(citation)
    first, last = (start + place[0], min(start + place[1], end)) if place else (start, end)
    words = answer.text[first:last].strip()
    if place and words and len(words) < 300 and words[0] in "[(【\ue200" and words[-1] in "])】\ue201":
        answer.marks.append(_marked(words, answer.text.find(words, first), plain_address(url), title))
    elif first <= last:
        answer.marks.append(_span(first, last, url, title))


def _span(start: int, end: int, url: str, title: str | None) -> Mark:
    return Mark(start, end, "export", (), plain_address(url), title, (start, end), until=end)


def _offsets(one: Mapping[str, Any]) -> tuple[int, int] | None:
    for first, last in (
        ("start_index", "end_index"),
        ("start", "end"),
        ("startIndex", "endIndex"),
        ("start_ix", "end_ix"),
    ):
        start, end = one.get(first), one.get(last)
        if isinstance(start, int) and isinstance(end, int) and 0 <= start <= end and end:
            return start, end
    return None


def _of_gemini(candidate: Mapping[str, Any]) -> Answer:
    content = candidate.get("content")
    parts = _maps(content.get("parts")) if isinstance(content, Mapping) else ()
    answer = Answer("".join(str(part.get("text") or "") for part in parts))
    told = candidate.get("groundingMetadata") or candidate.get("grounding_metadata")
    metadata: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
    webs = []
    for chunk in _maps(metadata.get("groundingChunks") or metadata.get("grounding_chunks")):
        web = chunk.get("web") or chunk.get("retrievedContext") or {}
        webs.append((_url(web), _first(web, ("title",))) if isinstance(web, Mapping) else (None, None))
    answer.entries = [_entry(str(number), url, title) for number, (url, title) in enumerate(webs, 1) if url]
    coded = answer.text.encode()
    for support in _maps(metadata.get("groundingSupports") or metadata.get("grounding_supports")):
        segment = support.get("segment")
        if not isinstance(segment, Mapping):
            continue
        first = segment.get("startIndex") or segment.get("start_index") or 0
        last = segment.get("endIndex") or segment.get("end_index") or 0
        # The offsets count bytes of UTF-8.
        start = len(coded[: int(first)].decode(errors="ignore"))
        end = len(coded[: int(last)].decode(errors="ignore"))
        for number in support.get("groundingChunkIndices") or support.get("grounding_chunk_indices") or ():
            if isinstance(number, int) and 0 <= number < len(webs) and (url := webs[number][0]) and start < end:
                answer.marks.append(_span(start, end, url, webs[number][1]))
    return answer


def _entry(label: str, url: str, title: str | None) -> SourceEntry:
    said = " ".join(filter(None, (title, url)))
    return SourceEntry(label=plain_label(label), url=plain_address(url), title=title, entry=said, origin="export")


def _url(one: Mapping[str, Any]) -> str | None:
    for name in _URL_NAMES:
        value = one.get(name)
        if isinstance(value, str) and value.startswith(("http://", "https://", "www.")):
            return value
    inner = one.get("web") or one.get("metadata") or one.get("source")
    return _url(inner) if isinstance(inner, Mapping) and inner is not one else None


def _first(one: Mapping[str, Any], names: Sequence[str]) -> str | None:
    for name in names:
        value = one.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:300]
    return None


def _maps(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
