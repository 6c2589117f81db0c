"""Boundaries of sentences in prose, papers and documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veritas.text.blocks import Block, BlockKind, behind_bullet, blocks, code_like
from veritas.text.structure import Structure, TextBlockKind
from veritas.text.wordlist import words


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence `text[start:end]`; `kind` is its block's, `block` numbers the blocks from 0."""

    start: int
    end: int
    kind: BlockKind
    block: int


# A full stop after these ends no sentence, whatever follows.
_NEVER_END = words(
    """
    al approx art ca cf ch chap col conf def dept dr ed eds e.g eq eqn eqs esp est etal ex exp ext fig figs fn
    gen gov hon i.e ibid illus incl jr lat lit max messrs min mr mrs ms mt nos op p par para ph.d pl pp pref
    proc prof pt publ ref refs rep resp rev sec sect sp spp sr st sup suppl tab tbl temp v var viz vol vols vs
    w.r.t wt jan feb mar apr jun jul aug sep sept oct nov dec
    """
) | words(
    """
    abb bd bsp bzw c.-à-d d.h evtl exkl fév févr geb ggf hrsg i.d.r inkl janv jh juil mio mrd mwst nr p.ex s.o s.u sog
    u.a u.u vgl z.b z.t zzgl
    """  # of German and French
)
# In German a full stop after a number behind these makes it an ordinal: "am 3. Oktober".
_BEFORE_ORDINALS = words("ab am beim bis das dem den der des die im ins seit vom zum zur")
# A full stop after these ends a sentence only if the next word often opens sentences.
_MAY_END = words("a.k.a a.m b.c co corp d.c etc fed inc ltd no p.m s.d u.k u.n u.s u.s.a e.u ser")
_OPENERS = words(
    """
    a after all also although an and another any as at because before both but by despite during each even
    finally first for from further furthermore given here how however if in indeed instead it its moreover most
    no none nevertheless not on one only other our over rather second several similarly since so some such than
    that the their then there therefore these they third this those though through thus to together two under
    unlike until use using we what when where whereas whether which while who with within without you your
    """
)
_STOP = re.compile(
    r"""(?x)
    (?P<mark>[.!?…]+)
    (?P<note>(?<=[^\W\d_)\]]\.)\d{1,3}(?:[,–-]\d{1,3})*)?       # a superscript note after the stop
    (?P<close>(?:["'”’)\]»*_`]|\[\d+(?:\s?[,–-]\s?\d+)*\])*)
    (?P<gap>\s+|$)
    |(?P<wide>[。！？]["'”’」』）]*)
    """
)
_MARK = re.compile(r"[.!?…。！？]")
_WORD_BREAK = re.compile(r"[\s(\[\"'“‘/]")
_NO_LETTER = re.compile(r"[^a-z']")
_MIXED = re.compile(r"[a-z]{1,3}(?:[A-Z0-9])")
_LETTER_STOP = re.compile(r"[^\W\d_]\.")
_OPENING = "\"'“‘([*_`«¿¡<"
_LINE = re.compile(r"[^\n\r\u2028\u2029]+")
MAX_STATEMENT = 1500
"""Limit in characters; a longer stretch without an end is cut at a space, so that the work is not quadratic."""
_WRAPPED = 4
"""Words from which a line may be wrapped prose; a shorter one is a label or an entry of a list."""
_HANGING = re.compile(
    r"(?i)(?:,|\b(?:the|an|of|to|and|or|nor|but|not|never|neither|cannot|can|will|would|could|should|must|does|do|did|is|are|"
    r"was|were|be|been|has|have|had|by|for|from|with|without|into|at|than|that|which|who|whose|if|when|unless|until|"
    r"because|while|whereas|although|its|their|our|your|this|these|those|no|only|also|between|as))\Z"
)
"""Words that no sentence, title or entry of a list ends with: the next line belongs to theirs."""
_OPTION_SAID = re.compile(
    r"-{1,2}[\w-]+(?:=\S+)?,?\s+(?:(?:and|or)\s+-{1,2}[\w-]+\s+)?(?:is|are|was|can|cannot|will|does|do|has|must|may|should|"
    r"requires?|implies|options?|flags?|switch|commands?|accepts?|takes?|means|causes?|sets?|with|without|in|on|to|for)\b"
)
"""An option of a command as a word of a sentence, not as a line of program text."""
_LOOK_BACK = 1000
"""Limit in characters before a stop that are searched for the word and the bracket before it."""


_KINDS: dict[TextBlockKind, BlockKind] = {
    "heading": "heading", "prose": "prose", "item": "item", "head": "table", "row": "table", "code": "code",
    "admonition": "heading",
}  # fmt: skip


def sentences(text: str, structure: Structure = ()) -> list[Sentence]:
    """Return every sentence of `text` in order; code, table rows and headings are one sentence a block. Without a
    structure it is guessed."""
    found: list[Sentence] = []
    for number, block in enumerate(_of_structure(text, structure) if structure else blocks(text)):
        if block.kind in ("prose", "item"):
            spans = list(_split(text, block.start, block.end))
        else:
            spans = [(block.start, block.end)]
        found.extend(Sentence(start, end, block.kind, number) for start, end in spans)
    return found


def _of_structure(text: str, structure: Structure) -> Iterator[Block]:
    """Yield the blocks of a structure as those of a text are found: an item without its bullet."""
    for block in structure:
        start = behind_bullet(text, block.start, block.end) if block.kind == "item" else block.start
        yield Block(_KINDS[block.kind], start, block.end)


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return offsets `[start, end)` of every sentence of `text`, in order, without overlap or outer whitespace."""
    return [(sentence.start, sentence.end) for sentence in sentences(text)]


def statements(text: str) -> list[tuple[int, int]]:
    """Return offsets of sentences as `split_sentences` does, but end one at every line break that is not the wrap of a
    sentence, whatever the block, and cut those longer than `MAX_STATEMENT`."""
    found: list[tuple[int, int]] = []
    for first, last in _unwrapped(text):
        for start, end in _split(text, first, last):
            while end - start > MAX_STATEMENT:
                cut = text.rfind(" ", start + MAX_STATEMENT // 2, start + MAX_STATEMENT)
                cut = cut if cut > 0 else start + MAX_STATEMENT
                found.append((start, cut))
                start = cut
            found.append((start, end))
    if not any(text[a].isspace() or text[b - 1].isspace() for a, b in found):
        return found
    trimmed = ((a + len(s := text[a:b]) - len(s.lstrip()), b - len(s) + len(s.rstrip())) for a, b in found)
    return [(a, b) for a, b in trimmed if a < b]


def _unwrapped(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of `text`; those that run on within a sentence are one. A line runs on if it neither ends a
    sentence nor is a cell, an item or code, and the next begins with a small letter: "does not" says the opposite of
    the line behind it."""
    open_at = open_to = -1
    for line in _LINE.finditer(text):
        start, end = line.span()
        if open_at >= 0 and _runs_on(text, open_at, open_to, start, end):
            open_to = end
            continue
        if open_at >= 0:
            yield open_at, open_to
        open_at, open_to = start, end
    if open_at >= 0:
        yield open_at, open_to


def _runs_on(text: str, open_at: int, open_to: int, start: int, end: int) -> bool:
    if open_to - open_at > MAX_STATEMENT or text[open_to:start] not in ("\n", "\r\n", "\r"):
        return False  # a blank line lies between, or the work would be quadratic
    begin = max(open_at, text.rfind("\n", open_at, open_to) + 1, text.rfind("\r", open_at, open_to) + 1)
    before, line = text[begin:open_to].strip(), text[start:end].strip()
    if not before or not line or "\t" in text[begin:end] or "|" in before or "|" in line:
        return False
    if before[-1] in ".!?:;。！？…" or len(before.split()) < _WRAPPED:
        return False
    if not (line[0].islower() or (_HANGING.search(before) and (line[0].isalnum() or _OPTION_SAID.match(line)))):
        return False
    return not any(code_like(each) and not _OPTION_SAID.match(each) for each in (before, line))


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = ahead = start
    while mark := _MARK.search(text, ahead, end):
        stop = _STOP.match(text, mark.start(), end)
        if stop is None:
            ahead = mark.end()
            continue
        ahead = stop.end()
        until = stop.start("gap") if stop["mark"] else stop.end()
        if until >= end or not _ends(text, at, end, stop):
            continue
        yield at, until
        at = stop.end()
        while at < end and text[at].isspace():
            at += 1
    if at < end:
        yield at, end


def _ends(text: str, at: int, end: int, stop: re.Match[str]) -> bool:
    if stop["wide"]:
        return True
    following = text[stop.end() : min(end, stop.end() + 40)]
    bare = following.lstrip(_OPENING)
    if not bare:
        return False
    if _inside_brackets(text, at, stop.start(), end) and not stop["close"]:
        return False
    starts = bare[0].isupper() or bare[0].isdigit() or bool(_MIXED.match(bare)) or not bare[0].isascii()
    if stop["mark"] != ".":
        # "Yahoo! is", "…, as we said": a lower-case word continues the sentence.
        return starts
    if not starts and following[0] not in "`":
        return False
    first = max(at, stop.start() - 80)
    pieces = _WORD_BREAK.split(text[first : stop.start()])
    if not pieces[-1] and text[stop.start() - 1] == "\n":
        del pieces[-1]
    if not pieces or not (word := pieces[-1]):
        return True
    before = word.lower().rstrip(".")
    if before in _NEVER_END:
        return False
    if len(before) == 1 and before.isalpha() and _parted(pieces, bare):
        return False
    if before.isdigit() and len(before) < 3 and len(pieces) > 1 and pieces[-2].lower() in _BEFORE_ORDINALS:
        return not bare[0].isalpha()
    if before in _MAY_END or (len(before) == 1 and before.isalpha() and word.isupper()):
        # "No. 4", but "No. The cache …".
        return _NO_LETTER.split(bare.lower(), maxsplit=1)[0] in _OPENERS
    # An enumerator the block did not take off, "2. Methods", ends nothing.
    return not (before.isdigit() and first == at and len(pieces) == 1)


def _parted(pieces: list[str], following: str) -> bool:
    """Return whether the letter before a stop is part of an abbreviation that is written apart: "z. B.", "p. ex."."""
    return bool(_LETTER_STOP.match(following) and pieces[-1].islower()) or (
        len(pieces) > 1 and len(pieces[-2]) == 2 and pieces[-2][0].islower() and pieces[-2][1] == "."
    )


def _inside_brackets(text: str, at: int, stop: int, end: int) -> bool:
    """Return whether a bracket opened in this sentence is still open and closes soon."""
    first = max(at, stop - _LOOK_BACK)
    for opening, closing in ("()", "[]"):
        opened = text.count(opening, first, stop)
        if opened and opened > text.count(closing, first, stop):
            ahead = text[stop : min(end, stop + 200)]
            close, reopen = ahead.find(closing), ahead.find(opening)
            if close >= 0 and (reopen < 0 or close < reopen):
                return True
    return False
