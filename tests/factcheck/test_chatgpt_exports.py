"""ChatGPT's exports: whichever way an export tells the source of a mark, the mark finds it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.factcheck.test_formats import A, B, told
from veritas.factcheck import read_conversation

UTM = f"{A}?utm_source=chatgpt.com"
HIGH, BELL = "The tower is 81 metres high.", "It has a bell."
BOTH = [(HIGH, [A]), (BELL, [B])]


def mark(*refs: str) -> str:
    return "\ue200cite" + "".join(f"\ue202{ref}" for ref in refs) + "\ue201"


ONE, TWO = mark("turn0search0"), mark("turn0search1")
TEXT = f"{HIGH} {ONE} {BELL} {TWO}"


def message(text: str | list[Any], role: str = "assistant", **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": text if isinstance(text, list) else [text]}
    return {"author": {"role": role}, "content": content, "metadata": {}, "recipient": "all", **more}


def chat(*messages: dict[str, Any]) -> dict[str, Any]:
    nodes: dict[str, Any] = {"r": {"message": None, "parent": None, "children": ["0"]}}
    for number, each in enumerate((message("Why?", "user"), *messages)):
        parent = str(number - 1) if number else "r"
        nodes[str(number)] = {"message": each, "parent": parent, "children": [str(number + 1)]}
    nodes[str(len(messages))]["children"] = []
    return {"title": "Towers", "mapping": nodes, "current_node": str(len(messages))}


def read(*messages: dict[str, Any]) -> list[tuple[str, list[str | None]]]:
    return told(read_conversation(json.dumps(chat(*messages))))


def at(text: str, words: str, **more: Any) -> dict[str, Any]:
    start = text.index(words)
    return {"matched_text": words, "start_idx": start, "end_idx": start + len(words), **more}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"type": "webpage_extended", "url": UTM, "title": "A"}, {"type": "webpage_extended", "url": B, "alt": None}),
        ({"type": "grouped_webpages", "items": [{"url": UTM}]}, {"items": [], "fallback_items": [{"url": B}]}),
        ({"type": "grouped_webpages", "safe_urls": [UTM]}, {"items": None, "safe_urls": [B]}),
    ],
)
def test_a_reference_names_its_source_in_any_of_its_fields(first: dict[str, Any], second: dict[str, Any]) -> None:
    footnote = {"type": "sources_footnote", "matched_text": " ", "sources": [{"url": "https://c.example/three"}]}
    references = [at(TEXT, ONE, **first), at(TEXT, TWO, **second), footnote]
    assert read(message(TEXT, metadata={"content_references": references})) == BOTH


def test_supporting_websites_are_sources_too() -> None:
    both = mark("turn0search0", "turn0search1")
    items = [{"url": UTM, "title": "A", "supporting_websites": [{"url": B, "title": "B"}]}]
    reference = at(f"{HIGH} {both}", both, type="grouped_webpages", items=items)
    assert read(message(f"{HIGH} {both}", metadata={"content_references": [reference]})) == [(HIGH, [A, B])]


@pytest.mark.parametrize("role", ["tool", "assistant"])
def test_pages_found_by_another_message_resolve_the_marks_of_the_answer(role: str) -> None:
    pages = [
        {"url": url, "title": "A page", "ref_id": {"turn_index": 0, "ref_type": "search", "ref_index": number}}
        for number, url in enumerate((UTM, B))
    ]
    searched = message("", role, recipient="web", metadata={"search_result_groups": [{"entries": pages}]})
    assert read(searched, message(TEXT)) == BOTH


@pytest.mark.parametrize(
    "later",
    [
        message("I will look at the towers next.", metadata={"is_visually_hidden_from_conversation": True}),
        message('search("towers of Hallen")', recipient="web"),
        message("I will look at the towers next.", channel="commentary"),
        {**message(""), "content": {"content_type": "thoughts", "thoughts": [{"summary": "The tower is low."}]}},
    ],
)
def test_what_is_not_for_the_reader_is_no_answer(later: dict[str, Any]) -> None:
    assert read(message(f"{HIGH} ({A})"), later) == [(HIGH, [A])]


def test_the_branch_that_is_shown_is_read() -> None:
    export = chat(message(f"{HIGH} ({A})"))
    export["mapping"]["other"] = {"message": message("It is low."), "parent": "0", "children": []}
    assert told(read_conversation(export)) == [(HIGH, [A])]


def test_private_signs_that_are_no_marks_are_no_words() -> None:
    more = "\ue200navlist\ue202More\ue202turn0news1,turn0news2\ue201"
    picture = '\ue200image_group\ue202{"query":["tower"]}\ue201'
    text = f"{picture}\n{HIGH} {ONE}\n\n{more}"
    references = [at(text, ONE, type="grouped_webpages", items=[{"url": UTM}])]
    assert read(message(text, metadata={"content_references": references})) == [(HIGH, [A])]


def test_a_mark_is_told_by_its_offsets_alone() -> None:
    text = f"{HIGH[:-1]} :contentReference[oaicite:0]{{index=0}}. {BELL[:-1]} :contentReference[oaicite:1]{{index=1}}."
    references = []
    for number, url in enumerate((UTM, B)):
        words = f":contentReference[oaicite:{number}]{{index={number}}}"
        references.append({**at(text, words, type="webpage", url=url), "matched_text": ""})
    assert read(message(text, metadata={"content_references": references})) == BOTH


def test_a_mark_that_stands_twice_and_is_told_once_means_the_same() -> None:
    text = "The tower 🗼 is 81 metres high【3†source】. It has a bell【3†source】."
    start = text.index("【")
    source = {"url": A, "title": "A", "extra": {"cited_message_idx": 3}}
    citations = [{"start_ix": start, "end_ix": text.index("】") + 1, "metadata": source}]
    found = read(message(text, metadata={"citations": citations}))
    assert [urls for _, urls in found] == [[A], [A]]


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda export: {"linear_conversation": [{"message": each["message"]} for each in export["mapping"].values()]},
        lambda export: {"serverResponse": {"data": export}},
        lambda export: [export],
    ],
)
def test_shared_conversations_are_read(wrapped: Any) -> None:
    assert told(read_conversation(wrapped(chat(message(f"{HIGH} ({A})"))))) == [(HIGH, [A])]


def test_parts_beside_pictures_are_one_text() -> None:
    parts = [f"{HIGH} ({A})", {"content_type": "image_asset_pointer"}, f"{BELL} ({B})"]
    assert read(message(parts)) == BOTH
