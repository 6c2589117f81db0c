"""Prompts: the files of `policies/prompts`, filled with data in marked blocks that the data cannot close."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from veritas.council.chat import Message
from veritas.errors import InputError
from veritas.frozen import text_hash
from veritas.settings import built_in_policies, policy_file

FOLDER = "prompts"
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_PARTING = "\n=====\n"
_PREFIX = "\n-----\n"
"""The line below the part of a user's text that is the same in several requests in a row."""
# What stands for a turn's beginning or end in the chat templates of open models: local servers may read it as such.
_TEMPLATE = re.compile(r"<(?=\||/?(?:s|bos|eos|start_of_turn|end_of_turn)>)|\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS)\])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Block:
    """Data in a prompt. `label` is written by code, with kind and id; `text` is external."""

    label: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """A prompt's two parts, `system` and `user`; the user's has slots for blocks, `{{name}}`. `id`, its name with the
    hash of its text, stands in ledger and claim graph."""

    id: str
    system: str
    user: str

    @property
    def bare(self) -> str:
        """The prompt without its data, to count its tokens."""
        return self.system + self.user

    def fill(self, slots: Mapping[str, Sequence[Block] | Block | int]) -> list[Message]:
        """Return the messages: always one of the system and one of the user, whatever the data contains.

        Numbers are inserted as they are; all other data goes into blocks. Every block begins and ends with a mark that
        none of the data contains, so that no text can close its own block. The mark is computed from all the data, or
        from the data above the file's line of -----, if there is one, so that the part above is the same in the next
        request.
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
    """Return data as a model sees it: without control characters, and with the marks of chat templates broken by a
    space. Everything else is unchanged, because a member's quotes must occur verbatim in their source."""
    return _TEMPLATE.sub(lambda m: m[0] + " ", _CONTROL.sub(" ", text))


def _fenced(block: Block, mark: str) -> str:
    return f"[[begin {block.label} · {mark}]]\n{clean(block.text)}\n[[end · {mark}]]"


def _mark(texts: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return a mark computed from the texts that neither they nor the others contain."""
    whole = "\x00".join(texts)
    seed = whole.encode("utf-8", "surrogatepass")
    while True:
        seed = hashlib.sha256(seed).digest()
        mark = seed.hex()[:10]
        if mark not in whole and not any(mark in text for text in others):
            return mark


def prompt(name: str) -> Prompt:
    """Return the prompt of that name from `policies/prompts`. Raises `InputError` for none, for one without a line of
    =====, and for one whose data are not those of the built-in prompt."""
    file, built_in = policy_file(f"{FOLDER}/{name}.md"), built_in_policies() / FOLDER / f"{name}.md"
    found = _read(name, file)
    if file != built_in and (other := set(_SLOT.findall(found.user)) ^ set(_SLOT.findall(_read(name, built_in).user))):
        raise InputError(f"{file} must hold the data that {built_in} holds; they differ in {', '.join(sorted(other))}")
    return found


def every_prompt() -> str:
    """Return a hash of all prompts in use."""
    names = sorted(p.stem for p in (built_in_policies() / FOLDER).glob("*.md") if p.stem != "README")
    return text_hash("".join(prompt(name).id for name in names))


@cache
def _read(name: str, file: Path) -> Prompt:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the prompt {name} cannot be read from {file}: {problem}") from problem
    system, parting, user = text.partition(_PARTING)
    if not parting:
        raise InputError(f"{file} has no line of ===== between its system and its user part")
    return Prompt(f"{name}.{text_hash(text)[:8]}", system.strip(), user.strip())
