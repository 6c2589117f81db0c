"""Prompts: files with a name and a version, filled with data that stands in marked blocks and can close none."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from veritas.council.chat import Message
from veritas.errors import InputError

FOLDER = Path(__file__).parent / "prompts"
_FILE = re.compile(r"(?P<name>[a-z]+)\.v(?P<version>\d+)\.md")
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_PARTING = "\n=====\n"
_PREFIX = "\n-----\n"
"""What of a user's part stands above it is the same in several requests that follow each other."""
# What stands for a turn's beginning or end in the chat templates of open models: local servers may read it as such.
_TEMPLATE = re.compile(r"<(?=\||/?(?:s|bos|eos|start_of_turn|end_of_turn)>)|\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS)\])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Block:
    """Data in a prompt. `label` is the code's own: what it is and its id; `text` is whatever a stranger wrote."""

    label: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """`system` and `user` are the file's two parts; the user's has slots for blocks, `{{name}}`."""

    name: str
    version: int
    system: str
    user: str

    @property
    def id(self) -> str:
        """Name and version, as ledger and claim graph know it: `judge.v1`."""
        return f"{self.name}.v{self.version}"

    @property
    def bare(self) -> str:
        """All of the prompt but its data: what it costs before there is any."""
        return self.system + self.user

    def fill(self, slots: Mapping[str, Sequence[Block] | Block | int]) -> list[Message]:
        """The messages: always one of the system and one of the user, however hostile the data. A number is put in as
        it is; all else goes into blocks.

        Every block is fenced with a mark that none of the data holds, so that no text can close its own block. It is
        made of all the data; of that above the file's line of -----, where there is one, so that what stands there is
        the same in the next request.
        """
        numbers = {name: str(value) for name, value in slots.items() if isinstance(value, int)}
        lists: dict[str, list[Block]] = {}
        for name, value in slots.items():
            if not isinstance(value, int):
                lists[name] = [value] if isinstance(value, Block) else list(value)
        above, parting, below = self.user.partition(_PREFIX)
        seed = set(_SLOT.findall(above)) if parting else set(lists)
        mark = _mark(
            [b.text for name, blocks in lists.items() if name in seed for b in blocks],
            [b.text for name, blocks in lists.items() if name not in seed for b in blocks],
        )

        def put(match: re.Match[str]) -> str:
            if match[1] == "mark":
                return mark
            if match[1] in numbers:
                return numbers[match[1]]
            blocks = lists[match[1]]
            return "\n\n".join(_fenced(b, mark) for b in blocks) or "(none)"

        first, rest = _SLOT.sub(put, above), _SLOT.sub(put, below)
        said = f"{first}\n\n{rest}" if parting else first
        return [
            Message(role="system", content=self.system),
            Message(role="user", content=said, prefix=len(first) if parting else 0),
        ]


def clean(text: str) -> str:
    """Data as a model is shown it: without control characters, and with the marks of chat templates broken by a space.

    Everything else stays as it is, for what a member quotes must stand verbatim in its source.
    """
    return _TEMPLATE.sub(lambda m: m[0] + " ", _CONTROL.sub(" ", text))


def _fenced(block: Block, mark: str) -> str:
    return f"[[begin {block.label} · {mark}]]\n{clean(block.text)}\n[[end · {mark}]]"


def _mark(texts: Sequence[str], others: Sequence[str] = ()) -> str:
    """A mark made of the texts that neither they nor the others hold."""
    whole = "\x00".join(texts)
    seed = whole.encode("utf-8", "surrogatepass")
    while True:
        seed = hashlib.sha256(seed).digest()
        mark = seed.hex()[:10]
        if mark not in whole and not any(mark in text for text in others):
            return mark


@cache
def prompt(name: str) -> Prompt:
    """The prompt of that name in its highest version. Raises `InputError` for none, or one that is not well formed."""
    named = [(m, file) for file in FOLDER.iterdir() if (m := _FILE.fullmatch(file.name)) is not None]
    found = [(int(m["version"]), file) for m, file in named if m["name"] == name]
    if not found:
        raise InputError(f"there is no prompt {name} in {FOLDER}")
    version, file = max(found)
    system, parting, user = file.read_text(encoding="utf-8").partition(_PARTING)
    if not parting:
        raise InputError(f"{file} has no line of ===== between its system and its user part")
    return Prompt(name, version, system.strip(), user.strip())
