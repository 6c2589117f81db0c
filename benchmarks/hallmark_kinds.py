"""HALLMARK's kinds of hallucinated references, made in references whose records were recorded."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

Fields = Mapping[str, str]
Change = Callable[[Fields, Fields, random.Random], dict[str, str]]

PLACEHOLDERS = (
    "Petra Silva", "Yacouba Ndiaye", "Yuki Sato", "John Smith", "Jane Doe", "Alex Johnson", "Maria Garcia", "Wei Chen",
    "David Okonkwo", "Laura Fischer", "Wen-Ting Hsu", "Robert Brown",
)  # fmt: skip
VENUES = (
    "Journal of Neural Architecture and Optimization", "International Conference on Adaptive Cognition Systems",
    "Transactions on Emergent Machine Reasoning", "Workshop on Generalised Perception Theory",
)  # fmt: skip
PUBLISHED = ("CVPR", "AAAI", "KDD", "EMNLP", "ICRA", "SIGGRAPH", "CHI", "STOC")
NEAR = {"for": "towards", "with": "via", "via": "through", "of": "for", "in": "for", "on": "of", "from": "with",
        "using": "with", "and": "versus", "to": "for"}  # fmt: skip


def _venue(fields: Fields, name: str) -> dict[str, str]:
    kept = {key: value for key, value in fields.items() if key not in ("journal", "booktitle")}
    return {**kept, "booktitle": name}


def _other_venue(fields: Fields, chance: random.Random) -> str:
    own = f"{fields.get('booktitle', '')} {fields.get('journal', '')}".lower()
    return chance.choice([venue for venue in PUBLISHED if venue.lower() not in own])


def _near_miss(fields: Fields, other: Fields, chance: random.Random) -> dict[str, str]:
    """One word of the title is another: a small one if there is one, else a word of another title."""
    words = fields["title"].split()
    small = [at for at, word in enumerate(words) if word.lower() in NEAR and at]
    if small:
        at = chance.choice(small)
        words[at] = NEAR[words[at].lower()]
    else:
        at = chance.randrange(len(words))
        words[at] = next(word for word in other["title"].split() if word.lower() not in fields["title"].lower())
    return {**fields, "title": " ".join(words)}


def _chimeric(fields: Fields, other: Fields, chance: random.Random) -> dict[str, str]:
    mine, theirs = fields["title"].split(), other["title"].split()
    title = " ".join((*mine[: len(mine) // 2], *theirs[len(theirs) // 2 :]))
    return {**fields, "title": title}


def _merged(fields: Fields, other: Fields, chance: random.Random) -> dict[str, str]:
    place = {name: other[name] for name in ("journal", "booktitle") if name in other}
    kept = {key: value for key, value in fields.items() if key not in ("journal", "booktitle")}
    return {**kept, **place, "author": other["author"], "year": other["year"]}


DECISIVE: dict[str, Change] = {
    "HALLMARK: placeholder authors": lambda f, o, c: {**f, "author": " and ".join(c.sample(PLACEHOLDERS, 3))},
    "HALLMARK: hybrid fabrication": lambda f, o, c: {
        **f, "author": " and ".join(c.sample(PLACEHOLDERS, min(9, f["author"].count(" and ") + 1)))
    },
    "HALLMARK: swapped authors": lambda f, o, c: {**f, "author": o["author"]},
    "HALLMARK: merged citation": _merged,
    "HALLMARK: chimeric title": _chimeric,
    "HALLMARK: near-miss title": _near_miss,
    "HALLMARK: invented DOI": lambda f, o, c: {**f, "doi": f"10.{c.randrange(20000, 99999)}/bpr.{c.randrange(10**6)}"},
    "HALLMARK: date in the future": lambda f, o, c: {**f, "year": str(c.randrange(2028, 2040))},
}  # fmt: skip
SLIGHT: dict[str, Change] = {
    "HALLMARK: venue that does not exist": lambda f, o, c: _venue(f, c.choice(VENUES)),
    "HALLMARK: wrong venue": lambda f, o, c: _venue(f, _other_venue(f, c)),
    "HALLMARK: authors left out": lambda f, o, c: {**f, "author": f["author"].split(" and ")[0]},
}


def planted(listed: Sequence[Fields], each: int) -> dict[str, list[dict[str, str]]]:
    """Kind -> citations with that error, `each` of them, drawn by a fixed seed.

    `listed` are right citations; the second one of an error is of another title and other people.
    """
    found = {}
    for number, (kind, change) in enumerate({**DECISIVE, **SLIGHT}.items()):
        chance = random.Random(900 + number)
        picked = chance.sample(list(listed), min(each, len(listed)))
        found[kind] = [change(fields, _another(fields, listed, chance), chance) for fields in picked]
    return found


def _another(fields: Fields, listed: Sequence[Fields], chance: random.Random) -> Fields:
    own = {name.split()[-1].lower() for name in fields["author"].split(" and ")}
    fit = [
        other
        for other in listed
        if not own & {name.split()[-1].lower() for name in other["author"].split(" and ")}
        and other["title"] != fields["title"]
    ]
    return chance.choice(fit)
