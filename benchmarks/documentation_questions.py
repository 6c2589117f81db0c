"""Questions about a folder of documentation, made of its own headings, lists and sentences by rule."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from veritas import Document
from veritas.text.blocks import Block, blocks

Kind = Literal["heading", "default", "how", "list", "yes/no"]
KINDS: tuple[Kind, ...] = ("heading", "default", "how", "list", "yes/no")


@dataclass(frozen=True)
class Asked:
    """A question, the document it was made of, and for a list its items as they stand there."""

    kind: Kind
    question: str
    url: str
    items: tuple[str, ...] = ()


_NAME = re.compile(r"[\w.()\[\]-]*[a-z][\w.()\[\]-]*")
_COUNTED = (
    r"(?:the following|these|several|some|various|two|three|four|five|six|seven|a (?:few|number of))\s+"
    r"(?:(?:different|main|basic|common|additional|other|available|possible)\s+)?(?P<things>(?:[\w-]+\s){0,2}[\w-]+[^\Wsui]s)\b"
    r"(?P<rest>[^:]*):$"
)
_THERE = re.compile(rf"(?i)^(?:there are\s+)?{_COUNTED}")
_NAMED = re.compile(r"(?P<things>[\w.' -]{8,70}) (?:are|include|includes):")
_DOES = re.compile(rf"(?P<subject>(?:The |An? )?\w[\w.-]*(?: [\w.-]+){{0,3}}) (?P<verb>[a-z]+[^\Wsui]s) {_COUNTED}")
_DEFAULT = re.compile(
    r"\b(\w*[a-zA-Z](?:[_.]\w+)+|[A-Z]{4,}|\w+(?= (?:option|setting|parameter|argument)))\b[^.;:]{0,60}\b"
    r"(?:defaults? to|default (?:value )?is)\b"
)
_HISTORY = re.compile(r"(?i)change|announce|history|histor|authors|thanks|licen[cs]e|whatsnew|upgrad")
"""Documents that tell what was, or who wrote them."""
_NO_SUBJECT = re.compile(
    r"(?i)^(?:if|now|this|these|that|those|it|its|they|there|here|another|of|all|each|both|some|you|we|what|which|when|"
    r"where|while|as|by|for|in|on|at|with|since|because|but|and|so|also|note|no|not|one|two|any|please|the same|"
    r"\w+ly)\b|\b(?:that|which|if|when|you|we|it)$|\b(?:if|you|we|it|that|to|because)\b"
)
_SAYS = re.compile(
    r"^(?P<subject>(?:The |An? )?[A-Z][\w.-]*(?: [\w.-]+){0,2}) (?P<verb>can|is|are|supports?|uses|allows|"
    r"provides|returns)"
    r" (?P<rest>(?:[\w `\"'()-]|\.(?=\w)){8,120})"
)
_BASE = {"supports": "support", "support": "support", "uses": "use", "allows": "allow", "provides": "provide",
         "returns": "return"}  # fmt: skip


def questions(documents: Sequence[Document], count: int, seed: int = 1) -> list[Asked]:
    """Return `count` questions about the documents, as far as they give them: as many of each kind, drawn evenly."""
    dice = random.Random(seed)
    made: dict[Kind, dict[str, Asked]] = {kind: {} for kind in KINDS}
    for document in documents:
        for asked in () if _HISTORY.search(document.url) else _of(document):
            made[asked.kind].setdefault(asked.question, asked)
    drawn = {kind: dice.sample(list(found.values()), len(found)) for kind, found in made.items()}
    chosen: list[Asked] = []
    while len(chosen) < count and any(drawn.values()):
        for kind in KINDS:
            if drawn[kind] and len(chosen) < count:
                chosen.append(drawn[kind].pop())
    return chosen


def _of(document: Document) -> Iterator[Asked]:
    found = blocks(document.text)
    for at, block in enumerate(found):
        text = " ".join(document.text[block.start : block.end].split())
        if block.kind == "heading":
            yield from _of_heading(text, document.url)
        elif block.kind == "prose":
            for match in _DEFAULT.finditer(text):
                yield Asked("default", f"What is the default of {match[1]}?", document.url)
            said = _SAYS.match(text)
            if said is not None and not _NO_SUBJECT.search(said["subject"]):
                yield _yes_no(said, document.url)
            items = tuple(_items(document.text, found, at + 1))
            line = re.split(r"(?<=[.!?])\s", text)[-1]
            if len(items) > 1 and (question := _of_list(line, document.title)):
                yield Asked("list", question, document.url, items)


def _of_heading(text: str, url: str) -> Iterator[Asked]:
    words = text.rstrip(":.").split()
    if not 2 <= len(words) <= 8 or not all(_NAME.search(word) for word in words) or re.search(r"[:=/]|\d\.\d", text):
        return
    if text.endswith("?"):
        yield Asked("heading", text, url)
    elif words[0].endswith("ing") and len(words[0]) > 5:
        yield Asked("how", f"How does {' '.join([words[0].lower(), *words[1:]])} work?", url)
    elif words[0].lower() in ("use", "add", "create", "run", "set", "write", "build", "install", "configure", "define"):
        yield Asked("how", f"How do I {' '.join([words[0].lower(), *words[1:]])}?", url)
    else:
        yield Asked("heading", f"What is said of {' '.join(words)}?", url)


def _of_list(line: str, title: str) -> str | None:
    """Return the question that a list answers, by the line before it; None if that does not tell of what."""
    if does := _DOES.fullmatch(line):
        subject = does["subject"]
        if not _NO_SUBJECT.search(subject):
            subject = subject[0].lower() + subject[1:] if subject.startswith(("The ", "A ", "An ")) else subject
            return f"Which {does['things']} does {subject} {_base(does['verb'])}{does['rest']}?"
    if (there := _THERE.match(line)) and len(there["rest"].split()) > 1:
        relates = there["rest"].split()[0] in ("to", "in", "for", "of", "with", "that", "which", "on", "by")
        return f"Which {there['things']}{' are there' if relates else ''}{there['rest']}?"
    if (named := _NAMED.fullmatch(line)) and not _NO_SUBJECT.search(named["things"]):
        things = named["things"]
        the = "" if re.match(r"(?i)(?:the|an?) ", things) else "the "
        things = f"{things[0].lower() if things[1:2].islower() else things[0]}{things[1:]}"
        return f"What are {the}{things} of {title}?"
    return None


def _base(verb: str) -> str:
    return verb[:-3] + "y" if verb.endswith("ies") else re.sub(r"(?<=ss|sh|ch|.x)es$|s$", "", verb)


def _yes_no(said: re.Match[str], url: str) -> Asked:
    subject, verb, rest = said["subject"], said["verb"], said["rest"].strip(" .")
    if subject.startswith(("The ", "A ", "An ")):
        subject = subject[0].lower() + subject[1:]
    if verb in ("can", "is", "are"):
        rest = re.split(r"\s+(?:and|but|which|that|because|so|if|when|since|while)\s", rest)[0]
        return Asked("yes/no", f"{verb.capitalize()} {subject} {rest}?", url)
    return Asked("yes/no", f"{'Do' if verb == 'support' else 'Does'} {subject} {_BASE[verb]} {rest}?", url)


def _items(text: str, found: Sequence[Block], at: int) -> Iterator[str]:
    """Yield the items that directly follow."""
    while at < len(found) and found[at].kind == "item":
        yield text[found[at].start : found[at].end]
        at += 1
