"""Conflicts planted in documentation: real sentences beside a second document that says otherwise, or only seems to."""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

from veritas import ClaimGraph, Document, aio
from veritas.text.sentences import sentences

Edit = Callable[[str], str | None]
Made = tuple[str, bool, dict[str, object]]

OPPOSITES = {
    "enabled": "disabled", "always": "never", "required": "optional", "synchronous": "asynchronous",
    "mutable": "immutable", "allowed": "forbidden", "accepts": "rejects", "true": "false", "True": "False",
    "included": "excluded", "ascending": "descending", "visible": "hidden", "active": "inactive", "safe": "unsafe",
    "supported": "unsupported", "valid": "invalid", "equal": "unequal", "available": "unavailable", "off": "on",
}  # fmt: skip
_BACK = {v: k for k, v in OPPOSITES.items()}
_NUMBER = re.compile(r"(?<=[a-z] )(\d{1,5}|two|three|four|five|six|ten)(?= [a-z]|[.,]?$|[.,] )")
_WORDS = {"two": "three", "three": "four", "four": "five", "five": "six", "six": "seven", "ten": "twelve"}
_UNIT = re.compile(
    r"(?<=\d )(seconds?|minutes?|hours?|days?|milliseconds?|bytes?|kilobytes?|megabytes?|MB|KB|GB)\b"
)
_UNITS = {
    "second": "minute", "minute": "hour", "hour": "day", "day": "week", "millisecond": "second", "byte": "kilobyte",
    "kilobyte": "megabyte", "megabyte": "gigabyte", "MB": "GB", "KB": "MB", "GB": "MB",
}  # fmt: skip
_VERB = re.compile(r"\b(is|are|can|does|will|must|should)(?! (?:not|never)\b)\b")
_NOT = re.compile(r"\b(is|are|can|does|will|must|should) not\b")
_PLAIN = re.compile(
    r"(?:The |An? )?[\w.`-]+(?: [\w.`-]+){0,4} (?:is|are|can|will|must|should|has|does|defaults|raises)\b"
)
_UNFIT = re.compile(
    r"(?i)\b(?:if|when|unless|for example|e\.g|may|might|this|these|that|it|you|we|your|above|below|following|not|see|"
    r"some|many|sometimes|usually|often|other|another|now|new|newly|version|release[sd]?|was|were|been|same|their|its|"
    r"us|they|them|several|various|only|either|or|currently|still|deprecated|removed)\b|[:;(]"
)
_IDENTIFIER = re.compile(r"\w+_\w+|\w+\.[a-z_]\w+|\w*[a-z][A-Z]\w*|\w*[A-Za-z]\d\w*|[A-Z]{2,}\w*")
_WORD = re.compile(r"\w[\w.]*")



def _number(sentence: str) -> str | None:
    match = _NUMBER.search(sentence)
    if match is None:
        return None
    other = _WORDS.get(match[1]) or str(int(match[1]) * 3 + 1)
    return f"{sentence[: match.start()]}{other}{sentence[match.end() :]}"


def _unit(sentence: str) -> str | None:
    match = _UNIT.search(sentence)
    if match is None:
        return None
    other = _UNITS.get(match[1]) or _UNITS[match[1].rstrip("s")] + "s"
    return f"{sentence[: match.start()]}{other}{sentence[match.end() :]}"


def _polarity(sentence: str) -> str | None:
    if _NOT.search(sentence):
        return _NOT.sub(r"\1", sentence, count=1)
    made, count = _VERB.subn(r"\1 not", sentence, count=1)
    return made if count else None


def _opposite(sentence: str) -> str | None:
    for word in re.findall(r"\w+", sentence):
        other = OPPOSITES.get(word) or _BACK.get(word)
        if other:
            return re.sub(rf"\b{word}\b", other, sentence, count=1)
    return None


def _renamed(sentence: str) -> str | None:
    """The same of something else, with another number or polarity: no conflict."""
    match = _IDENTIFIER.search(sentence) or _WORD.search(sentence.removeprefix("The "))
    said = _number(sentence) or _polarity(sentence)
    if match is None or said is None or match[0] not in said:
        return None
    return said.replace(match[0], f"{match[0]}Beta")


def _conditioned(sentence: str) -> str | None:
    """Otherwise in another case: no conflict."""
    said = _number(sentence) or _polarity(sentence)
    return said and f"On Windows, {said[0].lower() if said[1:2].islower() else said[0]}{said[1:]}"


def _reversioned(sentence: str) -> str | None:
    """Otherwise in an old version: no conflict."""
    said = _number(sentence) or _polarity(sentence)
    return said and f"Before version 2.0, {said[0].lower() if said[1:2].islower() else said[0]}{said[1:]}"


PLANTED: dict[str, Edit] = {"number": _number, "unit": _unit, "polarity": _polarity, "opposite": _opposite}
CLEAN: dict[str, Edit] = {"renamed": _renamed, "other case": _conditioned, "other version": _reversioned}


def _names(documents: Sequence[Document]) -> frozenset[str]:
    """The words that are written with a capital inside sentences, and at least five times as often as without."""
    inside = Counter(
        word for document in documents for word in re.findall(r"(?<=[a-z,] )[A-Za-z]\w+", document.text)
    )
    return frozenset(
        word for word, count in inside.items() if word[0].isupper() and count >= 5 * max(1, inside[word.lower()])
    )


def _told(documents: Sequence[Document]) -> Iterator[tuple[str, str]]:
    """The plain sentences about something with a name, each with its document's title."""
    names = _names(documents)
    for document in documents:
        for sentence in sentences(document.text):
            said = " ".join(document.text[sentence.start : sentence.end].split())
            if sentence.kind == "prose" and 6 <= len(said.split()) <= 30 and said.endswith("."):
                subject = _PLAIN.match(said)
                named = subject and (_IDENTIFIER.search(subject[0]) or names & set(_WORD.findall(subject[0])))
                if named and not _UNFIT.search(said.removesuffix(".")):
                    yield said, document.title


async def conflicts(documents: Sequence[Document], count: int, tier: str) -> AsyncIterator[Made]:
    """Yield, for at most `count` edits of each sort, its kind, whether it went as it should, and a line for the dump.

    A conflict should be marked, with both sides told. What is no conflict should carry no mark.
    """
    dice = random.Random(2)
    told = sorted(set(_told(documents)))
    dice.shuffle(told)
    for edits, wanted in ((PLANTED, True), (CLEAN, False)):
        for name, edit in edits.items():
            made = [(said, other, title) for said, title in told if (other := edit(said)) and other != said]
            for said, other, title in made[: max(1, count // len(edits))]:
                graph = await _asked(said, other, title, tier)
                marked, both = _marked(graph), _both(graph, said, other)
                kind = f"conflict in {name}: marked, both told" if wanted else f"no conflict ({name}): unmarked"
                line: dict[str, object] = {
                    "planted": name, "said": said, "other": other, "marked": marked, "both": both,
                    "answer": [(s.kind, s.text, s.badges, s.footnote) for s in graph.answer.sentences],
                }  # fmt: skip
                yield kind, (marked and both) if wanted else not marked, line


async def _asked(said: str, other: str, title: str, tier: str) -> ClaimGraph:
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), title, manual=said, guide=other)
        subject = re.split(r"\b(?:is|are|can|will|must|should|has|does|defaults|raises)\b", said)[0].strip()
        return await aio.research(f"What is said of {subject}?", corpus=(Path(folder),), tier=tier)


def _write(folder: Path, title: str, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(f"# {title}: {name}\n\n{text}\n", encoding="utf-8")


def _marked(graph: ClaimGraph) -> bool:
    return any(
        "contradicted" in s.badges or s.kind == "dissent" or "asserted the contrary" in (s.footnote or "")
        for s in graph.answer.sentences
    )


def _both(graph: ClaimGraph, said: str, other: str) -> bool:
    told = " ".join(f"{s.text} {s.footnote or ''}" for s in graph.answer.sentences)
    return said in told and other in told
