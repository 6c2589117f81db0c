"""Pairs of a source's sentence and a claim, with the relation their author gave them, from the YAML files beside this
module.

A file is a list of scenes: a `source` and its `claims` (`kind | label | claim`, then optionally `subject=…` or `two`).
With `slots` and `rows` a scene is written once for each row: `{name}` stands for the row's value, `{Name}` for the
value with a capital. Scenes without rows are single sentences. `subject` is what the text speaks of, for a claim with a
pronoun; `two` says that source and claim stand in two documents. The parts: `OPEN` was there for whoever wrote the
rules; `FORMER` was kept from them at first and read later; `KEPT_APART` was never shown; `ADVERSARIAL` was written
against the rules, with other kinds, and then shown.
Further folders beside them are parts too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
OPEN, FORMER, KEPT_APART, ADVERSARIAL = "open", "formerly_kept_apart", "kept_apart", "adversarial"
LABELS = ("same", "entails", "excludes", "not-entailed", "compatible")
PARAPHRASE, ALTERED = ("same", "entails"), ("excludes", "not-entailed")


@dataclass(frozen=True, slots=True)
class Pair:
    """A source's sentence and a claim. `label`: what the first is to the second. `template`: the scene and the number
    of the claim in it. `filled`: the values of the row, empty for a pair written by hand."""

    source: str
    claim: str
    label: str
    kind: str
    domain: str
    template: str
    subject: str = ""
    two_documents: bool = False
    filled: Mapping[str, str] = field(default_factory=dict)
    used: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """The slots that the source and the claim use."""


def read(part: str, folder: Path = FOLDER) -> list[Pair]:
    """Return the pairs of one part (a folder), in the order of its files. Raise ValueError for a scene that is not as
    described above."""
    files = sorted((folder / part).glob("*.yaml"))
    return [pair for file in files for scene in yaml.safe_load(file.read_text("utf-8")) for pair in pairs_of(scene)]


def pairs_of(scene: Mapping[str, Any]) -> Iterator[Pair]:
    """Yield the pairs of one scene."""
    for row in rows_of(scene):
        for number, line in enumerate(scene["claims"]):
            kind, label, claim, *more = (part.strip() for part in line.split(" | "))
            if label not in LABELS:
                raise ValueError(f"{scene['id']}: no label is called {label!r}")
            given = [filled(part, row) for part in more]
            yield Pair(
                source=filled(scene["source"], row), claim=filled(claim, row), label=label, kind=kind,
                domain=scene["domain"], template=f"{scene['id']}/{number}",
                subject=next((part.removeprefix("subject=") for part in given if part.startswith("subject=")), ""),
                two_documents="two" in given, filled=row, used=(used(scene["source"], row), used(claim, row)),
            )  # fmt: skip


def rows_of(scene: Mapping[str, Any]) -> Sequence[dict[str, str]]:
    """Return what stands in the slots of a scene, once for each of its rows."""
    if "rows" not in scene:
        return [{}]
    slots = [slot.strip() for slot in scene["slots"].split("|")]
    rows = [[value.strip() for value in row.split(" | ")] for row in scene["rows"]]
    if wrong := [row for row in rows if len(row) != len(slots)]:
        raise ValueError(f"{scene['id']}: {len(slots)} slots, but {len(wrong[0])} values in {wrong[0]}")
    return [dict(zip(slots, row, strict=True)) for row in rows]


def filled(text: str, row: Mapping[str, str]) -> str:
    """Return the text with the row's values in its slots."""
    return text.format_map(both(row)) if row else text


def used(text: str, row: Mapping[str, str]) -> frozenset[str]:
    """Return the slots that a text uses."""
    return frozenset(slot for slot in row if f"{{{slot}}}" in text or f"{{{capital(slot)}}}" in text)


def both(row: Mapping[str, str]) -> dict[str, str]:
    return {**{capital(slot): capital(value) for slot, value in row.items()}, **row}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def look_alikes(pairs: Sequence[Pair], number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return up to `number` pairs of sentences that do not say the same and have at least half their words in common:
    of the words of both, half are in both. They are altered and compatible pairs, and sentences of one scene with
    different rows, where a slot that both use differs."""
    found = {(pair.source, pair.claim) for pair in pairs if pair.label not in PARAPHRASE}
    scenes: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.filled:
            scenes.setdefault(pair.template.split("/")[0], []).append(pair)
    for of_scene in scenes.values():
        for first in of_scene:
            for second in of_scene:
                for one, slots in ((first.source, first.used[0]), (first.claim, first.used[1])):
                    both_use = slots & second.used[1]
                    if any(first.filled[slot] != second.filled[slot] for slot in both_use):
                        found.add((one, second.claim))
    kept = sorted(pair for pair in found if alike(*pair))
    random.Random(seed).shuffle(kept)
    return kept[:number]


def alike(first: str, second: str) -> bool:
    """Return whether half the words of two sentences are in both."""
    one, other = set(first.casefold().split()), set(second.casefold().split())
    return 2 * len(one & other) >= len(one | other)
