"""The Atom feed (RFC 4287) of what changed about living questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from veritas.report.living_notice import headline, notice
from veritas.text.visible import one_line

_NAMESPACE = "http://www.w3.org/2005/Atom"


def atom_feed(entries: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the feed of entries, the newest first, each with `id`, `question`, `at`, `run` and `changes`."""
    feed = Element("feed", xmlns=_NAMESPACE)
    _text(feed, "title", "VERITAS: living questions")
    _text(feed, "id", _id("feed"))
    _text(feed, "updated", str(entries[0]["at"]) if entries else "1970-01-01T00:00:00Z")
    _text(SubElement(feed, "author"), "name", "VERITAS")
    for each in entries:
        entry = SubElement(feed, "entry")
        _text(entry, "title", entry_title(each))
        _text(entry, "id", _id(str(each["id"])))
        _text(entry, "updated", str(each["at"]))
        _text(entry, "content", entry_text(each)).set("type", "text")
    indent(feed)
    made: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return made


def entry_title(entry: Mapping[str, Any]) -> str:
    """Return an entry in a line: the question, and what changed first."""
    return f"{one_line(str(entry['question']))} {headline(entry)}"


def entry_text(entry: Mapping[str, Any]) -> str:
    """Return an entry as plain text: a line for what changed together with its causes, and how to see all of it."""
    more = f"veritas diff {entry['run_before']} {entry['run']}" if entry["run_before"] else f"run {entry['run']}"
    return "\n".join((*notice(entry), more))


def _text(parent: Element, name: str, text: str) -> Element:
    made = SubElement(parent, name)
    made.text = text
    return made


def _id(of: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'veritas:living:{of}')}"
