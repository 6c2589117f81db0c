"""The last answer of an assistant in any JSON of messages with a role and a content, and the links that it lists.

A link that tells its words, or where they stand, is a mark there; any other is an entry of the answer's list of
sources, under the name that it tells or its number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.formats.csl import item_entry
from veritas.citations.bibliography.formats.tagged_lines import read_ris
from veritas.errors import InputError
from veritas.factcheck.addresses import doi_address, plain_address
from veritas.factcheck.mark_forms import Mark
from veritas.factcheck.shapes import SourceEntry
from veritas.factcheck.source_lists import entries_of, plain_label
from veritas.text.markup import plain_text

_ASSISTANTS = frozenset({"assistant", "model", "ai", "bot", "gpt", "chatgpt", "claude", "gemini", "grok", "copilot"})
_URLS = ("url", "uri", "link", "href", "source_url", "sourceUrl", "URL")
_TITLES = ("title", "name", "source_title")
_LABELS = ("id", "index", "number", "n", "label", "key", "ref", "ref_id", "citation_id", "card_id", "cited_message_idx")
_PLACES = (("start_index", "end_index"), ("start", "end"), ("startIndex", "endIndex"), ("start_ix", "end_ix"),
           ("start_idx", "end_idx"))  # fmt: skip
_DEEPEST = 40
_PRIVATE = re.compile(r"\ue200(?!(?:file)?cite\ue202)[^\ue200\ue201]{0,20000}\ue201")
"""Private signs of a text that are no marks: pictures, lists of links, names."""
_SIGNS = re.compile(r"[\[【(\ue200:][^\n]{1,400}[\])】\ue201}]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


@dataclass(slots=True)
class Answer:
    """An answer of an assistant: its text, the marks that the export tells, and its list of sources."""

    text: str
    entries: list[SourceEntry] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    told: dict[str, dict[int, list[tuple[str, str | None]]]] = field(default_factory=dict)
    """The links of words, by the words and the reference that tells them."""


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
    answers = [each for each in _messages(export, {}, 0) if _text(_content(each)).strip()]
    if not answers:
        raise InputError("the conversation holds no answer of an assistant")
    answer = _answer(answers[-1])
    known = {each.label for each in answer.entries}
    answer.entries += [each for each in _named(export, 0) if each.label not in known]
    return answer


def _named(value: Any, depth: int) -> Iterator[SourceEntry]:
    """Yield the pages that any message found and that have a name such as turn0search1."""
    if isinstance(value, Mapping) and isinstance(value.get("ref_id"), Mapping) and _url(value):
        yield _entry(value, _first(value, ("ref_id",)) or "")
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        if depth < _DEEPEST:
            yield from _named(each, depth + 1)


def listed_sources(value: Any) -> list[SourceEntry]:
    """Return the sources that a JSON document lists: addresses, `{url, title}` with a label, or label to address."""
    answer = Answer("")
    _note(answer, value, {}, 0)
    return answer.entries


def _messages(value: Any, outer: Mapping[str, Any], depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield the messages of an assistant in order, each with the lists that stand beside what holds it; of a
    conversation that branches, those of the branch that is shown."""
    if depth > _DEEPEST:
        raise InputError("the conversation is nested too deeply to be read")
    if isinstance(value, list):
        for each in value:
            yield from _messages(each, outer, depth + 1)
    elif isinstance(value, Mapping) and _is_answer(value):
        yield {**outer, **value}
    elif isinstance(value, Mapping):
        nodes, at = value.get("mapping"), value.get("current_node")
        branch: list[Mapping[str, Any]] = []
        while isinstance(nodes, Mapping) and isinstance(nodes.get(at), Mapping) and len(branch) < len(nodes):
            branch.append(nodes[at])
            at = nodes[at].get("parent")
        beside = {name: each for name, each in value.items() if isinstance(each, list) and _is_list(each)}
        for each in branch[::-1] or value.values():
            yield from _messages(each, {**outer, **beside}, depth + 1)


def _is_list(value: list[Any]) -> bool:
    """Return whether a list is one of sources."""
    return all("://" in each if isinstance(each, str) else isinstance(each, Mapping) and _url(each) for each in value)


def _is_answer(message: Mapping[str, Any]) -> bool:
    """Return whether a message is one of an assistant to the reader, and not to a tool."""
    author = message.get("author")
    said = author.get("role") if isinstance(author, Mapping) else author
    role = message.get("role") or message.get("sender") or message.get("from") or said
    told = message.get("metadata")
    hidden = isinstance(told, Mapping) and told.get("is_visually_hidden_from_conversation")
    shown = not hidden and message.get("recipient") in (None, "all") and message.get("channel") in (None, "final")
    return isinstance(role, str) and role.casefold() in _ASSISTANTS and shown


def _content(message: Mapping[str, Any]) -> Any:
    return message.get("content") or message.get("parts") or message.get("text") or message.get("value")


def _text(content: Any) -> str:
    """Return the words of a content: a text, a list of blocks, or what holds them as its `parts`, `text` or `value`."""
    if isinstance(content, list):
        return "".join(map(_text, content))
    if isinstance(content, Mapping):
        parts = content.get("parts")
        if isinstance(parts, list):
            return "\n".join(text for part in parts if (text := _text(part)))
        return _text(content.get("text") or content.get("value"))
    return content if isinstance(content, str) else ""


def _answer(message: Mapping[str, Any]) -> Answer:
    content = _content(message)
    answer = Answer("")
    for block in content if isinstance(content, list) else [content]:
        start = len(answer.text)
        answer.text += _PRIVATE.sub("", _text(block))
        if isinstance(block, Mapping):  # its citations are of its words
            told = {name: each for name, each in block.items() if name not in ("text", "parts", "value")}
            _note(answer, told, {"start": 0, "end": len(answer.text) - start}, start)
    outside = {name: each for name, each in message.items() if name not in ("content", "parts", "text", "value")}
    _note(answer, outside, {}, 0)
    for words, references in answer.told.items():  # each reference is of the next place where its words stand
        for number, found in enumerate(re.finditer(re.escape(words), answer.text)):
            pairs = list(references.values())[min(number, len(references) - 1)]
            answer.marks += [_mark(words, found.start(), url, title) for url, title in pairs]
    return answer


def _mark(words: str, at: int, url: str, title: str | None) -> Mark:
    """Return the mark that words are: signs are no words of the sentence, anything else is."""
    end = at + len(words)
    if "oaicite" in words or words.startswith("\ue200"):
        return Mark(at, end, "content_reference" if "oaicite" in words else "turn", (), url, title)
    signs = _SIGNS.fullmatch(words)
    return Mark(at, end, "number", (), url, title) if signs else Mark(at, end, "export", (), url, title, (at, end))


def _note(answer: Answer, value: Any, outer: Mapping[str, Any], begin: int, number: int = 1, depth: int = 0) -> None:
    """Note every link in a value; `outer` has what was told around it of its words and their place."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for at, each in enumerate(value, 1):
            _note(answer, each, outer, begin, at, depth + 1)
    elif isinstance(value, str):
        if value.startswith(("http://", "https://", "www.")):
            _place(answer, {"url": value}, outer, begin, number)
    elif isinstance(value, Mapping):
        told = {**outer, **{name: each for name, each in value.items() if not isinstance(each, Mapping | list)}}
        if value.get("matched_text") or any(a in value for a, _ in _PLACES):
            told["of"] = id(value)
        if _url(value):
            _place(answer, value, told, begin, number)
        for name, each in value.items():
            if isinstance(each, Mapping | list):
                _note(answer, each, told, begin, number, depth + 1)
            elif isinstance(each, str) and "://" in each and name not in _URLS and not _url(value):
                _place(answer, {"url": each}, {**outer, "label": name}, begin, number)


def _place(answer: Answer, link: Mapping[str, Any], told: Mapping[str, Any], begin: int, number: int) -> None:
    url, title = plain_address(_url(link) or ""), _first(link, _TITLES)
    words = str(told.get("matched_text") or "").strip()
    place = next(((told[a], told[b]) for a, b in _PLACES if isinstance(told.get(a), int) and told.get(b)), None)
    if not words and place and _SIGNS.fullmatch(answer.text[begin + place[0] : begin + place[1]].strip()):
        words = answer.text[begin + place[0] : begin + place[1]].strip()
    if words:
        pairs = answer.told.setdefault(words, {}).setdefault(told["of"], [])
        pairs += [(url, title)] if (url, title) not in pairs else []
    elif place and 0 <= place[0] < place[1]:
        start, end = begin + place[0], min(begin + place[1], len(answer.text))
        answer.marks.append(Mark(start, end, "export", (), url, title, (start, end), until=end))
    else:
        label = _first({**told, **link}, _LABELS)
        answer.entries.append(_entry(link, label if label and len(label) < 60 else str(number)))


def _entry(link: Mapping[str, Any], label: str) -> SourceEntry:
    url, title = plain_address(_url(link) or ""), _first(link, _TITLES)
    said = " ".join(filter(None, (title, url)))
    return SourceEntry(label=plain_label(label), url=url, title=title, entry=said, origin="export")


def _url(one: Mapping[str, Any]) -> str | None:
    values = (one.get(name) for name in _URLS)
    return next((each for each in values if isinstance(each, str) and each.startswith(("http", "www."))), None)


def _first(one: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first of some values that is a number or has words, on one line of at most 300 characters; a label in
    parts (`turn`, `search`, 0) is one word."""
    for name in names:
        value = one.get(name)
        if isinstance(value, Mapping):
            parts = [value.get(part) for part in ("turn_index", "ref_type", "ref_index")]
            value = "turn{}{}{}".format(*parts) if None not in parts else None
        if isinstance(value, int | str) and not isinstance(value, bool) and str(value).strip():
            return " ".join(str(value).split())[:300]
    return None


_BIBTEX = re.compile(r"(?m)^\s*@\w+\s*\{\s*[^\s,{}]+\s*,")
_RIS = re.compile(r"(?m)^TY {2}- ")
_URL = re.compile(r"https?://[^\s{}]+")


def sources_beside(text: str) -> list[SourceEntry]:
    """Return the entries of a list of sources. Those without a label have their number in the list, from 1.

    Raises `InputError` for JSON that lists no source.
    """
    if text.lstrip().startswith(("{", "[{", "[\n", '["', "[ ")):
        entries = _of_json(text)
    elif _BIBTEX.search(text):
        entries = of_bibliography(read_bibtex(text, "sources"))
    elif _RIS.search(text):
        entries = of_bibliography(read_ris(text, "sources"))
    else:
        entries = entries_of(text)
    return [entry.model_copy(update={"origin": "beside", "start": None, "end": None}) for entry in entries]


def of_bibliography(entries: Sequence[Entry]) -> list[SourceEntry]:
    """Return the entries of a bibliography as sources: their key as label, their link, DOI or arXiv id as address."""
    return [_of_entry(entry) for entry in entries if entry.problem is None]


def _of_entry(entry: Entry) -> SourceEntry:
    fields = entry.fields
    said = [plain_text(fields[name]) for name in ("author", "editor", "title", "year", "date") if fields.get(name)]
    return SourceEntry(
        label=entry.key,
        url=_address(fields),
        title=plain_text(fields["title"]) if fields.get("title") else None,
        entry=". ".join(said) or entry.text,
        origin="beside",
        start=entry.span[0] if entry.span else None,
        end=entry.span[1] if entry.span else None,
    )


def _address(fields: Mapping[str, str]) -> str | None:
    for name in ("url", "howpublished", "note", "link"):
        if found := _URL.search(fields.get(name, "")):
            return plain_address(found[0])
    if fields.get("doi"):
        return doi_address(fields["doi"])
    eprint = fields.get("eprint", "")
    return f"https://arxiv.org/abs/{eprint}" if re.fullmatch(r"\d{4}\.\d{4,5}(?:v\d+)?", eprint) else None


def _of_json(text: str) -> list[SourceEntry]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return entries_of(text)
    items = value if isinstance(value, list) else []
    if items and all(isinstance(one, Mapping) and "title" in one and ("URL" in one or "DOI" in one) for one in items):
        return of_bibliography([item_entry(one, "sources", number, number) for number, one in enumerate(items, 1)])
    try:
        answer = last_answer(value)
    except InputError:
        answer = None
    entries = (answer.entries if answer else []) or listed_sources(value)
    if answer and not entries:
        told = [(mark.url, mark.title) for mark in answer.marks if mark.url]
        entries = listed_sources([{"url": url, "title": title} for url, title in dict.fromkeys(told)])
    if not entries:
        raise InputError("the file of sources is JSON in which no source with an address was found")
    return entries
