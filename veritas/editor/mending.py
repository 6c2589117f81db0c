"""Quick fixes: a key that was meant, an entry as its record has it, a mark that a citation is needed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veritas.editor.open_document import OpenDocument
from veritas.use_cases.writing import citable_keys, entry_at

if TYPE_CHECKING:
    from veritas.use_cases.writing import Diagnostic

_NEEDS_ONE = frozenset({
    "unknown-key", "no-artifact", "missing-artifact", "quote-altered", "quote-not-found", "claim", "retracted",
    "fabricated", "misattributed", "unregistered",
})  # fmt: skip
_A_SLIP = 0.85
"""Least likeness, 0 to 1, of a key with a slip and the key that was meant."""
_MENDED = frozenset({"misattributed", "differs"})
_GROUP = re.compile(
    r"\[[^\[\]\n]*@[^\[\]\n]*\]|\\\w{0,40}[Cc]ite\w{0,40}\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{[^{}]*\}|:\w{0,40}cite[\w:]{0,40}:`[^`]*`"
)


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that a writer may choose: its title, and replacements `(start, end, new)` in the document."""

    title: str
    edits: tuple[tuple[int, int, str], ...]
    preferred: bool = False


def fixes(document: OpenDocument, found: Diagnostic) -> Iterator[Fix]:
    """Yield what may be done about a diagnostic, the likeliest first."""
    if document.is_bibliography:
        if found.code not in _MENDED:
            return
        entry = entry_at(document.lines.text, document.path, document.project, found.start)
        if entry is not None and entry[2]:
            yield Fix(f"Correct @{entry[0].key} by its record", tuple(entry[2]), preferred=True)
        return
    if found.code == "unknown-key" and found.key:
        yield from _meant(document, found, found.key)
    if found.code == "undefined-footnote" and found.subject.startswith("[^"):
        yield Fix(f"Define {found.subject} at the end", (_definition(document.lines.text, found.subject),))
    if found.code in _NEEDS_ONE:
        what = f"@{found.key}" if found.key else "the claim" if found.code == "claim" else "the quotation"
        yield Fix(f"Mark {what} as needing a citation", (_marked(document.lines.text, found),))


def _meant(document: OpenDocument, found: Diagnostic, key: str) -> Iterator[Fix]:
    known = citable_keys(document.lines.text, document.path, document.project, kind=document.kind)
    near = difflib.get_close_matches(key, [each.key for each in known if not each.wrong], n=3, cutoff=0.7)
    for number, other in enumerate(near):
        edit = (found.end - len(key), found.end, other)
        yield Fix(f"Cite @{other}", (edit,), preferred=number == 0 and _misspelt(key, other))


def _misspelt(key: str, other: str) -> bool:
    """Return whether a key is another one with a slip: all its letters but one or two, and the same figures. Any other
    that looks like it may be another work's, and an editor takes the preferred fix without a question."""
    alike = difflib.SequenceMatcher(None, key.casefold(), other.casefold()).ratio()
    return re.findall(r"\d+", key) == re.findall(r"\d+", other) and alike >= _A_SLIP


def _definition(text: str, mark: str) -> tuple[int, int, str]:
    """Return the replacement that ends a page with the definition of a footnote, which still needs its source."""
    end = len(text.rstrip())
    between = "\n" if re.search(r"^\[\^[^\]\s]+\]:[^\n]*\Z", text[:end], re.MULTILINE) else "\n\n"
    return end, len(text), f"{between}{mark}: [Citation needed]\n"


def _marked(text: str, found: Diagnostic) -> tuple[int, int, str]:
    """Return the replacement of a citation by a mark; where it is one of several, and behind a quotation or a sentence,
    the mark is set behind them."""
    if found.key is not None:
        group = next((each for each in _GROUP.finditer(text, max(0, found.start - 400), found.end + 400)
                      if each.start() <= found.start and found.end <= each.end()), None)  # fmt: skip
        said = f"[Citation needed: {found.key}]"
        if group is None:
            return found.start, found.end, said
        keys = group.group()
        several = keys.count("@") > 1 if keys[0] == "[" else "," in re.split(r"[{`]", keys)[-1]
        return (group.end(), group.end(), f" {said}") if several else (group.start(), group.end(), said)
    end = found.end
    if found.code == "claim" and text[end - 1 : end] in ".!?":
        end -= 1
    return end, end, " [Citation needed]"
