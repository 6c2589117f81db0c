"""The answers to a checklist: each item with the sentence that carries it, or what was not found, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from veritas.documents.paper_parts import Place
from veritas.frozen import Frozen
from veritas.papers.desk.checklist import Checklist, Item
from veritas.papers.desk.passages import Passage, with_list
from veritas.papers.desk.signs import Sign

State = Literal["found", "in-part", "not-found", "for-a-reader"]
"""`found`: every sign of the item has its sentence. `in-part`: some have, and of the others not even their vocabulary
stands in the paper. `not-found`: none has a sentence or its vocabulary. `for-a-reader`: the item asks for judgement,
words on it stand in sentences that were not told to carry it, or the part that would hold it could not be read."""
SPEAKS = "no sentence was recognised as telling {0}, but some have words on it"


class Evidence(Frozen):
    """A sentence that carries a part of an item. `quote` stands verbatim at `place`; `of` says what it carries."""

    of: str
    quote: str
    place: Place


class ItemAnswer(Frozen):
    """The answer to an item. `missing` says what was not found, `looked_in` the parts of the paper that were searched
    for it, `why` why a reader must answer."""

    id: str
    part: str
    heading: str
    asks: str
    state: State
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[str, ...] = ()
    looked_in: tuple[str, ...] = ()
    why: str = ""
    near: tuple[Evidence, ...] = ()
    """Sentences with words on what was not found, of which none was told to carry it; up to three for each sign."""


class Answered(Frozen):
    """A checklist with its answers, in its own order."""

    name: str
    title: str
    version: str
    about: str
    source: str
    licence: str
    items: tuple[ItemAnswer, ...]

    def counts(self) -> dict[State, int]:
        """Return the number of items in each state."""
        states: tuple[State, ...] = ("found", "in-part", "not-found", "for-a-reader")
        return {state: sum(item.state == state for item in self.items) for state in states}


class Reading(Frozen):
    """What is known of how the paper was read: `unread` says why nothing can be called lacking ('' if the paper was
    read whole), `metadata_apart` that the file keeps some statements in metadata, outside the text that was read."""

    unread: str = ""
    metadata_apart: bool = False


def answer(
    checklist: Checklist, signs: Mapping[str, Sign], passages: Sequence[Passage], text: str, reading: Reading
) -> Answered:
    """Return the answers to a checklist. `text` is the paper's stored text, which `passages` have their places in.

    Of `passages`, those that are aside or tell of others' studies carry nothing, but their words keep an item from
    being called "not found".
    """
    told = [each for each in passages if not (each.aside or each.others)]
    kept: dict[str, Passage | None] = {}
    for name in dict.fromkeys(name for item in checklist.items for name in item.found_by):
        kept[name] = signs[name].find(told)
    speaking = {name: signs[name].speaking(passages) for name, found in kept.items() if found is None}
    items = tuple(_item(item, signs, kept, speaking, told, text, reading) for item in checklist.items)
    return Answered(
        name=checklist.name, title=checklist.title, version=checklist.version, about=checklist.about,
        source=checklist.source, licence=checklist.licence, items=items,
    )  # fmt: skip


def _item(
    item: Item,
    signs: Mapping[str, Sign],
    kept: Mapping[str, Passage | None],
    speaking: Mapping[str, Sequence[Passage]],
    passages: Sequence[Passage],
    text: str,
    reading: Reading,
) -> ItemAnswer:
    lacking = [name for name in item.found_by if kept[name] is None]
    evidence = tuple(
        Evidence(of=signs[name].says, quote=text[place.start : place.end], place=place)
        for name in item.found_by
        if (found := kept[name]) is not None
        for place in (with_list(found, passages),)
    )
    near = tuple(
        Evidence(of=signs[name].says, quote=text[each.place.start : each.place.end], place=each.place)
        for name in lacking
        for each in speaking[name]
    )
    silent = [name for name in lacking if not speaking[name]]
    missing = silent if evidence and silent else lacking
    state: State = "found" if not lacking else "in-part" if evidence else "not-found"
    why = ""
    if not item.found_by:
        state, why = "for-a-reader", "the item asks for judgement"
    elif lacking and item.elsewhere:
        state, why = "for-a-reader", f"it belongs to {item.elsewhere}, which was not looked at"
    elif lacking and reading.unread:
        state, why = "for-a-reader", reading.unread
    elif near and missing is lacking:
        state = "for-a-reader"
        why = SPEAKS.format("; ".join(signs[name].says for name in lacking if name not in silent))
    elif state == "not-found" and item.applies_if:
        state, why = "for-a-reader", f"it applies only if {item.applies_if}; no sentence on this item itself was found"
    elif lacking and reading.metadata_apart and any(signs[name].in_metadata for name in lacking):
        state, why = "for-a-reader", "the file may keep it in its metadata, outside the text that was read"
    looked_in: tuple[str, ...] = ()
    if state in ("in-part", "not-found"):
        looked_in = searched([signs[name] for name in missing], passages)
        if not looked_in:
            state, why = "for-a-reader", "the part of the paper that would hold it was not told from the others"
    return ItemAnswer(
        id=item.id, part=item.part, heading=item.heading, asks=item.asks, state=state, evidence=evidence,
        missing=tuple(signs[name].says for name in missing), why=why,
        looked_in=looked_in, near=near if not item.elsewhere else (),
    )  # fmt: skip


def searched(signs: Sequence[Sign], passages: Sequence[Passage]) -> tuple[str, ...]:
    """Return the parts of the paper that were searched for some signs, by the paper's own headings, in order."""
    kinds = [sign.looks_in for sign in signs]
    if any(not each for each in kinds):
        return ("the whole text but the reference list",)
    wanted = {kind for each in kinds for kind in each}
    found: list[str] = []
    for passage in passages:
        if passage.section in wanted:
            heading = passage.headings[-1] if passage.headings else passage.section
            found.append("Abstract" if passage.section == "abstract" else heading)
    return tuple(dict.fromkeys(found))
