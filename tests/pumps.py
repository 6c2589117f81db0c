"""A small corpus on one subject, of which two documents disagree about a number and one is a forum thread."""

from __future__ import annotations

import json
from pathlib import Path

QUESTION = "How much water does the Borealis pump move per minute, and does the pump need oil?"

ROWS = [
    {
        "id": "manual",
        "title": "The Borealis pump manual",
        "text": "The Borealis pump moves 40 litres of water per minute at full speed.\n\n"
        "The Borealis pump needs no oil, because its bearings are made of graphite.",
    },
    {
        "id": "test",
        "title": "A test of the Borealis pump",
        "url": "https://spectrum.ieee.org/borealis-pump-test",
        "text": "In our test the Borealis pump moved 4 litres of water per minute at full speed.",
    },
    {
        "id": "datasheet",
        "title": "Borealis pump data sheet",
        "text": "At full speed the Borealis pump moves 40 litres of water per minute.",
    },
    {
        "id": "forum",
        "title": "Is the Borealis pump any good?",
        "url": "https://www.reddit.com/r/pumps/comments/1/borealis",
        "text": "My Borealis pump moves 900 litres of water per minute at full speed, honest.",
        "note": "planted: a forum thread",
    },
]


def write_corpus(folder: Path) -> Path:
    """The corpus as `pumps.jsonl` in a folder."""
    path = folder / "pumps.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


def write_disputed(folder: Path) -> Path:
    """The same with a document that differs from the manual in one number alone: members without a language model
    contest nothing less plain."""
    said = "The Borealis pump moves 4 litres of water per minute at full speed."
    row = {"id": "review", "title": "A look at the Borealis pump", "text": said}
    path = folder / "disputed.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in [*ROWS, row]), encoding="utf-8")
    return path
