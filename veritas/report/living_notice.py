"""What changed about a living question, in sentences: first what the answer says now, then why, each once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from veritas.text.visible import one_line

MOST = 3
"""Most sentences of the answer that a notice quotes of one kind; the comparison of the two runs has all."""
_NEAR = 4
"""Most words in a row in which two sentences differ that are told as one that changed."""
_TAIL = 8
"""Most words behind the changed ones that are told with them."""
_HASH = re.compile(r", text [0-9a-f]{12}\b")
_SOURCE = re.compile(
    r"(\S+) (has another text|is turned away|is admitted|is no longer read|could not be read|is read|"
    r"is classified otherwise)"
)
_SAID_OF_SOURCE = {
    "has another text": "was changed", "is turned away": "is turned away now", "is admitted": "is admitted now",
    "is read": "is read now", "is classified otherwise": "is classified otherwise now",
}  # fmt: skip
_NEW, _GONE = "a source that was not found before: ", "a source is no longer found: "
_STATUS = {
    "answered": "The question is answered now; before it was not.",
    "closest_passages": "No passage surely answers the question any more; the closest are shown.",
    "insufficient_evidence": "There is not enough evidence for an answer any more.",
    "unavailable": "The question could not be answered: nobody could be asked.",
}


def notice(entry: Mapping[str, Any]) -> list[str]:
    """Return an entry, with `changes`, as lines: each says what changed, and behind it its causes. No hash of a text is
    in them, and no sentence twice."""
    by_cause: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for change in entry["changes"]:
        by_cause.setdefault(_causes(change), []).append(change)
    lines, told = [], set[str]()
    for causes, changes in sorted(by_cause.items(), key=lambda each: all(c["kind"] == "source" for c in each[1])):
        said = [*_said(changes), *causes]
        fresh = [each for each in dict.fromkeys(said) if each not in told]
        told.update(fresh)
        if fresh:
            lines.append(" ".join(fresh))
    return lines


def headline(entry: Mapping[str, Any]) -> str:
    """Return the first sentence of an entry's notice: what the answer says now."""
    changes = sorted(entry["changes"], key=lambda change: change["kind"] == "source")
    first = [change for change in changes if _causes(change) == _causes(changes[0])]
    return (_said(first) or list(_causes(changes[0])))[0]


def _said(changes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what changed, in sentences, by the answer first."""
    answer = [c for c in changes if c["kind"] == "answer"]
    status = [_STATUS[c["after"]] for c in answer if c["what"] == "the answer's status" and c["after"] in _STATUS]
    gone = [one_line(c["what"]) for c in answer if c["after"] == "not in the answer"]
    new = [one_line(c["what"]) for c in answer if c["before"] == "not in the answer"]
    other = [one_line(c["what"]) for c in answer if c["after"] == "in the answer, with other claims or marks"]
    said = list(status)
    for sentence in list(new):
        before = next((each for each in gone if _differ(each, sentence) is not None), None)
        if before is not None:
            said.append(_differ(before, sentence) or "")
            new.remove(sentence)
            gone.remove(before)
    if len(new) == len(gone) == 1:
        said.append(f"The answer says “{new[0]}” It said “{gone[0]}”")
        new, gone = [], []
    said += _quoted("The answer says, as it did not before:", new)
    said += _quoted("The answer no longer says:", gone)
    if not said:
        said += _quoted("The answer still says, with other claims or marks:", other)
    quoted = {one_line(c["what"]) for c in answer}
    for change in changes:
        what, before, after = (one_line(str(change[name])) for name in ("what", "before", "after"))
        if change["kind"] == "standing":
            said.append(f"“{what}” is {after} now; it was {before}.")
        elif change["kind"] == "verdict" and what not in quoted:
            said.append(f"The claim “{what}” is {_fate(after)} now; it was {_fate(before)}.")
    return said


def _fate(said: str) -> str:
    return {"not there": "not made", "": "not judged"}.get(said, said)


def _quoted(lead: str, sentences: Sequence[str]) -> list[str]:
    """Return a sentence with the quotations behind it; nothing for none."""
    more = f" and {len(sentences) - MOST} more." if len(sentences) > MOST else ""
    return [f"{lead} {'; '.join(f'“{each}”' for each in sentences[:MOST])}{more}"] if sentences else []


def _differ(before: str, after: str) -> str | None:
    """Return the words in which two sentences differ, in a sentence; None for two that differ in many places."""
    old, new = before.rstrip(".").split(), after.rstrip(".").split()
    lead = tail = 0
    while lead < min(len(old), len(new)) and old[lead] == new[lead]:
        lead += 1
    while tail < min(len(old), len(new)) - lead and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    was, now = old[lead : len(old) - tail], new[lead : len(new) - tail]
    if not 0 < len(was) <= _NEAR or not 0 < len(now) <= _NEAR or lead + tail < 2:
        return None
    if tail > _TAIL or not any(character.isdigit() for character in "".join((*was, *now))):
        return f"The answer says “{after}” It said “{' '.join(was)}” for “{' '.join(now)}”."
    return f"The answer says {' '.join(new[lead:])}; it said {' '.join(was)}."


def _causes(change: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the causes of a change in sentences, without what only tells two texts apart."""
    whys = [_HASH.sub("", one_line(str(why))) for why in change["why"]]
    pair = [why for why in whys if why.startswith(("was: ", "is: "))]
    if len({why.partition(": ")[2] for why in pair}) == 1:
        whys = [why for why in whys if why not in pair]
    return tuple(dict.fromkeys(map(_sentence, whys)))


def _sentence(why: str) -> str:
    if (told := _SOURCE.fullmatch(why)) is not None:
        return f"Its source {_name(told[1])} {_SAID_OF_SOURCE.get(told[2], told[2])}."
    for lead, said in ((_NEW, "New source: "), (_GONE, "No longer found: ")):
        if why.startswith(lead):
            return f"{said}{why.removeprefix(lead)}."
    return f"{why[:1].upper()}{why[1:]}{'' if why.endswith(('.', '!', '?')) else '.'}"


def _name(url: str) -> str:
    """Return what a person knows a document of a corpus by, its file; a page by its address."""
    return unquote(url.rstrip("/").rsplit("/", 1)[-1]) if url.startswith("corpus://") else url


def entry_title(entry: Mapping[str, Any]) -> str:
    """Return an entry in a line: the question, and what changed first."""
    return f"{one_line(str(entry['question']))} {headline(entry)}"


def entry_text(entry: Mapping[str, Any]) -> str:
    """Return an entry as plain text: a line for what changed together with its causes, and how to see all of it."""
    more = f"veritas diff {entry['run_before']} {entry['run']}" if entry["run_before"] else f"run {entry['run']}"
    return "\n".join((*notice(entry), more))
