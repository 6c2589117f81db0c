"""What a verb says beside itself: who refused to sign did not sign, what lost its licence no longer has one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import SOMEBODY, Words, clause_start, phrase_end
from veritas.meaning._vocabulary import kinds, period, person
from veritas.meaning._word import Verb, Word, finite
from veritas.text.wordlist import words as words_of

_UNDONE = words_of("refuse decline forget neglect omit fail")
"""Verbs before "to": what follows is not done."""
_UNDONE_ING = words_of("refrain avoid forgo")
_ENDED = words_of("stop cease quit discontinue")
"""Verbs before a form in "-ing": it was so, and is no longer."""
_OWN = words_of("its their his her my our your")
_NO_LONGER = Word("no longer", "no-longer", "grammar", frozenset({"no-longer"}), "change")
_ALLOWED = words_of("allow permit entitle authorize authorise")
_OBLIGES = words_of("oblige require compel force")
_UNDER = Word("under", "under", "grammar", frozenset({"under"}), "preposition")
_MAKES = words_of("make elect appoint name crown ordain")
"""Verbs by which somebody becomes what stands behind."""
_TELLING = _UNDONE | _UNDONE_ING | _ENDED | {"lose"}


def implied(words: Words) -> Iterator[Words]:
    """Yield what follows from a sentence that tells of what was not done, or is no longer so."""
    yield from _by_doing(words)
    yield from _made_so(words)
    yield from _obliged(words)
    if not any(w.verb is not None and w.bases & _TELLING for w in words):
        return
    for at, word in enumerate(words[:-1]):
        verb = word.verb
        if verb is None or word.down or not finite(word) or verb.not_ or verb.modal or verb.passive or (
            verb.tense == "future"
        ):  # fmt: skip
            continue
        behind = words[at + 1]
        if word.bases & _UNDONE and behind.verb is not None and behind.verb.infinitive:
            yield (*words[:at], _with(behind, replace(verb, not_=True)), *_denied(words[at + 2 :]))
        elif word.bases & _UNDONE_ING and (doing := _doing(words, at)):
            yield (*words[:at], _with(words[doing], replace(verb, not_=True)), *_denied(words[doing + 1 :]))
        elif word.bases & _ENDED and (doing := _doing(words, at)):
            for tense in _since(verb, words[doing + 1 :]):
                for rest in _whenever(words[doing + 1 :]):
                    yield (*words[:at], _NO_LONGER, _with(words[doing], tense), *_denied(rest))
        elif "lose" in word.bases and behind.low in _OWN:
            have = Word(word.text, "have", "content", frozenset({"have"}), clause=word.clause)
            for tense in _since(verb, words[at + 2 :]):
                for rest in _whenever(words[at + 2 :]):
                    yield (*words[:at], _NO_LONGER, _with(have, tense), *_denied(rest))


def _by_doing(words: Words) -> Iterator[Words]:
    """Yield "the counter is reset when the button is pressed" for "pressing the button resets the counter"."""
    verb = next((k for k, w in enumerate(words) if finite(w)), 0)
    doing = words[0]
    told = words[verb].verb
    if verb < 2 or told is None or told.passive or words[verb].low in ("be", "have") or doing.kind != "content" or (
        not doing.low.endswith("ing") or not any("v" in kinds(base) for base in doing.bases)
        or any(w.kind == "mark" or w.cls in ("preposition", "and", "or") for w in words[1:verb])
    ):  # fmt: skip
        return
    behind = words[verb + 1 :]
    if behind and (behind[0].content or behind[0].cls in ("article", "quantifier", "possessive")):
        own = max(w.clause for w in words) + 1
        when = Word("when", "when", "grammar", frozenset({"when"}), "time", clause=own)
        done = _with(doing, Verb(tense=told.tense))
        inner = tuple(replace(w, clause=own) for w in (SOMEBODY, done, *words[1:verb]))
        yield (SOMEBODY, *words[verb:], when, *inner)


def _made_so(words: Words) -> Iterator[Words]:
    """Yield "Ann became captain" for "the coach made Ann captain", and "a new chain replaced the old one" for "she
    replaced the old chain with a new one"."""
    for at, word in enumerate(words[:-2]):
        verb = word.verb
        if verb is None or not finite(word) or verb.not_ or verb.modal or verb.tense not in ("past", "perfect") or (
            word.down
        ):  # fmt: skip
            continue
        end = at + 1
        while end < len(words) and (words[end].kind == "name" or (end == at + 1 and words[end].low == "the")):
            end += 1
        whom, rest = (words[clause_start(words, at) : at], words[at + 1 :]) if verb.passive else (
            words[at + 1 : end], words[end:])  # fmt: skip
        by = next((k for k, w in enumerate(rest) if w.low == "by"), len(rest))
        if word.bases & _MAKES and whom and any(w.content for w in whom) and _title(rest):
            became = Word("became", "become", "content", frozenset({"become"}), "", None, replace(verb, passive=False))
            later = rest[phrase_end(rest, by + 1) :] if by < len(rest) else ()
            yield (*whom, became, *rest[:by], *later)
        instead = next((k for k in range(at + 2, len(words) - 1) if words[k].low in ("with", "by")), None)
        if "replace" in word.bases and not verb.passive and instead is not None and (
            phrase_end(words, at + 1) == instead
        ):  # fmt: skip
            end = phrase_end(words, instead + 1)
            yield (*_whole(words[instead + 1 : end], words[at + 1 : instead]), word, *words[at + 1 : instead],
                   *words[end:])  # fmt: skip


def _obliged(words: Words) -> Iterator[Words]:
    """Yield "Bavaria had to pay" for "the treaty obliged Bavaria to pay"."""
    for at, word in enumerate(words[:-2]):
        verb = word.verb
        if verb is None or not finite(word) or verb.not_ or verb.modal or not word.bases & _OBLIGES or word.down:
            continue
        to = next((k for k in range(at + 1, len(words)) if words[k].verb is not None), None)
        features = words[to].verb if to is not None else None
        if to is None or features is None or not features.infinitive:
            continue
        start = clause_start(words, at)
        whom = words[start:at] if verb.passive else words[at + 1 : to]
        if not whom or any(w.kind == "mark" or w.cls in ("preposition", "and") for w in whom):
            continue
        text = "must" if verb.tense == "present" else "had"
        must = Verb(tense=verb.tense, modal="required", modal_text="must", form=words[to].low)
        done = replace(words[to], text=f"{text} {words[to].text}", verb=must)
        yield (*whom, done, *words[to + 1 :])
        if not verb.passive:
            yield (*whom, done, *words[to + 1 :], _UNDER, *words[start:at])


def _title(rest: Words) -> bool:
    """Return whether a phrase names what a person is: "a bishop", "captain of the team"."""
    noun = next((w for w in rest[:2] if w.cls != "article"), None)
    return noun is not None and noun.kind == "content" and person(noun.low)


def _whole(phrase: Words, before: Words) -> Words:
    """Return "a titanium chain" for "a titanium one" behind "the worn chain"."""
    if phrase and phrase[-1].low == "one" and before and before[-1].kind == "content":
        return (*phrase[:-1], before[-1])
    return phrase


def _whenever(rest: Words) -> Iterator[Words]:
    """Yield what follows a verb, with and without the time at its end."""
    yield rest
    at = next((k for k in range(len(rest) - 1, -1, -1) if rest[k].low in ("in", "on")), 0)
    behind = [w for w in rest[at + 1 :] if w.cls != "article"]
    if at and behind and all(period(w.low) or (w.quantity and w.quantity.kind == "year") for w in behind):
        yield rest[:at]


def _doing(words: Words, at: int) -> int:
    """Return where the form in "-ing" stands that follows a verb, 0 without one."""
    behind = at + 1 + (words[at + 1].low == "from")
    if behind < len(words) and words[behind].low.endswith("ing") and words[behind].kind == "content" and any(
        "v" in kinds(base) for base in words[behind].bases
    ):  # fmt: skip
        return behind
    return 0


def _with(word: Word, verb: Verb) -> Word:
    return replace(word, verb=replace(verb, form=word.low))


def _since(verb: Verb, rest: Words) -> Iterator[Verb]:
    """Yield the tenses in which it is no longer so: today too, where no time is told at which it ended."""
    yield verb
    if verb.tense in ("past", "perfect") and not any(w.quantity is not None or w.kind == "mark" for w in rest):
        yield replace(verb, tense="present")


def _denied(rest: Words) -> Words:
    return tuple(replace(w, down=True) for w in rest)


def allowed(made: list[Word]) -> list[Word]:
    """Read "is allowed to vote" as "may vote"."""
    found: list[Word] = []
    for word in made:
        last = found[-1] if found else None
        verb = last.verb if last is not None else None
        if word.verb is not None and word.verb.infinitive and last is not None and verb is not None and (
            verb.passive and not verb.modal and verb.tense == "present" and last.bases & _ALLOWED
        ) and not (len(found) > 1 and found[-2].low == "it"):  # fmt: skip
            may = Verb(tense="present", modal="possible", modal_text="may", not_=verb.not_, form=word.low)
            found[-1] = replace(word, text=f"{last.text} to {word.text}", verb=may)
        else:
            found.append(word)
    return found


def by_default(words: Words) -> Words:
    """Write "defaults to 30" as "is 30 by default"."""
    for at in range(1, len(words) - 2):
        verb = words[at].verb
        plain = verb is None or not (verb.modal or verb.infinitive or verb.not_ or verb.passive)
        if words[at].low not in ("default", "defaults") or words[at + 1].low != "to" or not plain:
            continue
        end = next((k for k in range(at + 2, len(words)) if words[k].kind == "mark" or finite(words[k])), len(words))
        be = Word("is", "be", "content", frozenset({"be"}), "", None, Verb("present", form="is"), "", words[at].clause)
        mark = Word("by default", "by-default", "grammar", frozenset({"by-default"}), "default")
        return (*words[:at], be, *words[at + 2 : end], mark, *words[end:])
    return words


def only_that(words: Words) -> Words:
    """Write "nobody other than a nurse may enter", which follows from it, as "only a nurse may enter"."""
    at = next((k for k, w in enumerate(words) if w.low == "except" and w.text.casefold() == "other than"), None)
    verb = next((k for k in range(at or len(words), len(words)) if finite(words[k])), None)
    if at is None or verb is None:
        return words
    start = next((k for k in range(at - 1, -1, -1) if words[k].low in ("no", "any") and words[k].down), None)
    features = words[verb].verb
    if start is None or features is None or features.not_ == (words[start].low == "no") or any(
        w.kind != "content" for w in words[start + 1 : at]
    ):  # fmt: skip
        return words
    clause = words[start].clause
    only = replace(words[at], text="only", low="only", bases=frozenset({"only"}), cls="only", clause=clause)
    meant = tuple(replace(w, down=True, clause=clause) for w in words[at + 1 : verb])
    told = replace(words[verb], verb=replace(features, not_=False), clause=clause)
    rest = tuple(replace(w, down=False, clause=clause) if w.clause == words[verb].clause else w
                 for w in words[verb + 1 :])  # fmt: skip
    return (*words[:start], only, *meant, told, *rest)
