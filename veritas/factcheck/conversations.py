"""Conversation exports in JSON: the assistant's last answer, and what the export says of the marks in it.

Read are ChatGPT's `mapping`, Claude's `chat_messages`, the answers of the programming interfaces (`choices`, `output`,
`candidates`) and any list of messages with a role.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from veritas.errors import InputError
from veritas.factcheck.addresses import plain_address
from veritas.factcheck.chatgpt_exports import of_message, of_thread
from veritas.factcheck.export_answers import (
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

_ASSISTANTS = frozenset({"assistant", "model", "ai", "bot", "gpt", "chatgpt", "claude", "gemini", "grok", "copilot"})
_LISTS = (
    "citations", "sources", "search_results", "searchResults", "references", "web_results", "webSearchResults",
    "links", "annotations", "documents",
)  # fmt: skip
_LABEL_NAMES = ("id", "index", "number", "n", "label", "key", "ref", "ref_id", "citation_id", "card_id")
_WRAPPERS = (
    "messages", "linear_conversation", "conversation", "conversations", "history", "turns", "data", "items", "message",
    "serverResponse", "response", "result",
)  # fmt: skip
MAX_DEPTH = 40


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
            return [entry_of(str(label), url, None) for label, url in value.items()]
        if value and all(isinstance(one, Mapping) for one in value.values()):
            pairs = [(str(label), url_of(one), first_of(one, TITLE_NAMES)) for label, one in value.items()]
            return [entry_of(label, url, title) for label, url, title in pairs if url]
        value = [value]
    found: list[SourceEntry] = []
    for number, one in enumerate(value if isinstance(value, list) else (), 1):
        if isinstance(one, str) and one.startswith(("http", "www.")):
            found.append(entry_of(str(number), one, None))
        elif isinstance(one, Mapping) and (url := url_of(one)):
            label = first_of(one, _LABEL_NAMES)
            found.append(entry_of(label if label and len(label) < 60 else str(number), url, first_of(one, TITLE_NAMES)))
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
        yield from of_thread(value, _ASSISTANTS)
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
        content = value.get("content")
        parted = isinstance(content, Mapping) and isinstance(content.get("parts"), list) and "content_type" in content
        yield of_message(value) if parted else _of_blocks(value)
    else:
        for name in _WRAPPERS:
            held = value.get(name)
            if isinstance(held, list):
                outer = {each: value[each] for each in _LISTS if each in value}
                for one in held:
                    yield from _answers({**outer, **one} if isinstance(one, Mapping) else one, depth + 1)
                return
            if isinstance(held, Mapping):
                yield from _answers(held, depth + 1)
                return


def _is_answer(message: Mapping[str, Any]) -> bool:
    author = message.get("author")
    said = author.get("role") if isinstance(author, Mapping) else author
    role = message.get("role") or message.get("sender") or message.get("from") or said or message.get("type")
    return isinstance(role, str) and role.casefold() in _ASSISTANTS


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
            for citation in (*maps_in(block.get("citations")), *maps_in(block.get("annotations"))):
                _cite(answer, citation, start, len(answer.text))
    if not answer.text.strip() and isinstance(message.get("text"), str):
        answer.text = message["text"]
    for name in _LISTS:
        value = message.get(name)
        if not isinstance(value, list | Mapping):
            continue
        placed = [one for one in maps_in(value) if _offsets(one) is not None]
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
    url = url_of(source) or (url_of(details) if isinstance(details, Mapping) else None)
    if url is None:
        return
    title = first_of(source, TITLE_NAMES[:2]) or (
        first_of(details, TITLE_NAMES[:2]) if isinstance(details, Mapping) else None
    )
    place = _offsets(source) or _offsets(citation)
    first, last = (start + place[0], min(start + place[1], end)) if place else (start, end)
    words = answer.text[first:last].strip()
    if place and words and len(words) < 300 and words[0] in "[(【\ue200" and words[-1] in "])】\ue201":
        answer.marks.append(mark_of(words, answer.text.find(words, first), plain_address(url), title))
    elif first <= last:
        answer.marks.append(span_of(first, last, url, title))


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
    parts = maps_in(content.get("parts")) if isinstance(content, Mapping) else ()
    answer = Answer("".join(str(part.get("text") or "") for part in parts))
    told = candidate.get("groundingMetadata") or candidate.get("grounding_metadata")
    metadata: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
    webs = []
    for chunk in maps_in(metadata.get("groundingChunks") or metadata.get("grounding_chunks")):
        web = chunk.get("web") or chunk.get("retrievedContext") or {}
        webs.append((url_of(web), first_of(web, ("title",))) if isinstance(web, Mapping) else (None, None))
    answer.entries = [entry_of(str(number), url, title) for number, (url, title) in enumerate(webs, 1) if url]
    coded = answer.text.encode()
    for support in maps_in(metadata.get("groundingSupports") or metadata.get("grounding_supports")):
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
                answer.marks.append(span_of(start, end, url, webs[number][1]))
    return answer


