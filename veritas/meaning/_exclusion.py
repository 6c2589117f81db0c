"""Exclusion: two sentences of one thing that agree in everything but one number, unit, opposite or denial.

Everything else in the second follows from the first, so the first also says the second with its own number or word.
Both cannot be true if there is room for one value only: in a clause that asserts, of a measure, and not of a case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from veritas.meaning._accounting import Account
from veritas.meaning._alignment import Pair, conflicting
from veritas.meaning._function_words import BE, GRANTED, SAID
from veritas.meaning._vocabulary import broader, kinds, synonyms
from veritas.meaning._word import Word, finite, past_form
from veritas.meaning.relation import Difference
from veritas.text.quantities import Quantity
from veritas.text.wordlist import words

_EACH = words("all every each both always")
_FEW = words("few any no rarely seldom hardly never not-all half most")
_LIMITED = words("accept allow hold support permit handle seat")
"""Verbs of which an object with "at most" is the limit."""
_ROOM = words(
    """
    may might could some sometimes often usually many most several few rarely occasionally certain generally typically
    normally commonly mostly partly various varying any possible possibly perhaps probably likely also other others
    another different depending either or example for-example e.g suppose imagine say assume hypothetical up-to
    """
)
"""Words that leave room for another number, or for a denial."""
_OTHERS = words("another any other others different or either")
_NONE = words("no nobody nothing none neither nowhere")
_CHANGING = words(
    """
    now currently today nowadays recently lately newly deprecated removed previously formerly earlier until once
    originally initially no-longer anymore yet still already soon upcoming
    """
)
"""Words that tell that something was not always so, or will not be."""
_CASES = words("with at in on under during after before among amongst using via given from between over across for")
"""Prepositions behind which a number may tell the case, not the measure."""
_ATTAINED = words("at for within in after to")
"""Prepositions behind which the first measure behind an active verb is what the verb attains: "melts at 30 °C"."""
_RESTRICTING = frozenset({"condition", "relative", "time"})
"""Classes of words that open a clause which says when or of what, and asserts nothing."""
_TOLD_OF_TIME = frozenset({"after", "before", "while", "since"})
"""Words that open a clause of time, which tells what happened where it is of the past."""
_OF_TIME = frozenset({"year", "day"})
_STATED = ("keep", "store", "hold", "maintain")
"""Verbs whose object is in one state at a time."""
_PHASES = ("begin", "end", "continue", "finish")
"""Verbs of the phases of one event, which pass one after the other."""
_LIFE = frozenset({"bear", "die"})
_FOUNDING = frozenset({"found", "establish", "open", "inaugurate", "build", "demolish"})
"""What happens once to a person, and to a thing."""
_PRONOUNS = frozenset({"it", "they", "this", "that", "these", "those", "its", "their"})
"""Words that stand for something named before."""
_PLACED = frozenset({"above", "below", "with", "without", "on", "off", "inside", "outside", "up", "down"})
"""Prepositions and adverbs whose opposites cannot both hold of one event or state."""


def excluded(found: Account, *, known: bool = True) -> Difference | None:
    """Return the one difference by which two sentences cannot both be true, or None.

    `known`: both are known to speak of the same thing, as two sentences of one text are.
    """
    if len(found.differences) != 1:
        return None
    only = found.differences[0]
    if _wider(found):
        return None
    if _numbered(found, only):
        return only
    for pair in found.pairs:
        if _opposed(found, pair, only, known=known) and _open_to_one(found, pair):
            return replace(only, decisive=True)
    return None


def _wider(found: Account) -> bool:
    """Return whether the claim's subject is a broader one: another sonata than the symphony may have three parts."""
    verb = next((p.second for p in found.pairs if finite(found.second[p.second])), 0)
    return any(p.match.how == "narrower" and p.second < verb for p in found.pairs)


def _opposed(found: Account, pair: Pair, only: Difference, *, known: bool) -> bool:
    """Return whether the difference is that of a pair, and one of two values that exclude each other."""
    a, b = found.first[pair.first], found.second[pair.second]
    if (only.first, only.second) != (a.text, b.text):
        return False
    if only.kind == "period":
        return not _left(found, pair) and _once(found, pair)
    if only.kind in ("number", "unit"):
        return pair.match.opposed in ("number", "unit") and not _left(found, pair) and _measure(found, pair, known)
    if not only.decisive:
        return False
    if only.kind == "polarity" and a.verb is not None and b.verb is not None:
        if _counted(found.first, pair.first):
            return False  # "all that glitters is not gold", "twelve were found"
        if (a.verb.never or b.verb.never) and a.bases.isdisjoint(b.bases):
            return False  # "signed", "never ratified"
        return not a.verb.not_ or not _left(found, pair)
    if pair.match.opposed == "grammar":
        return not _left(found, pair) and _one_state(found, pair)
    if only.kind in ("opposite", "comparison"):
        return not _left(found, pair) and _said(found, pair)
    return False


def _numbered(found: Account, only: Difference) -> bool:
    """Return whether a difference is that of two numbers of what there is one by default: "port 8080", "port 9090"."""
    if only.kind != "entity" or not (only.first.isdigit() and only.second.isdigit()):
        return False
    i = next(k for k, w in enumerate(found.first) if w.text == only.first)
    j = next(k for k, w in enumerate(found.second) if w.text == only.second)
    held = {(p.first, p.second) for p in found.pairs}
    others = {p.first for p in found.pairs} | {i}
    whole = all(k in others for k, w in enumerate(found.first) if w.content)
    one = all(any(w.cls == "default" for w in read) for read in (found.first, found.second))
    noun = i > 0 and found.first[i - 1].kind == "content" and found.first[i - 1].verb is None
    return one and whole and noun and (i - 1, j - 1) in held


def _counted(read: Sequence[Word], at: int) -> bool:
    """Return whether the subject of the word at `at` is all of some, or a number of them: others may be otherwise."""
    subject = [w for w in read[:at] if w.clause == read[at].clause]
    return any(w.low in ("all", "every", "each", "both", "not-all") for w in subject) or (
        bool(subject) and subject[0].quantity is not None and subject[0].quantity.kind == "count"
    )


def _open_to_one(found: Account, pair: Pair) -> bool:
    return _asserts(found.first, pair.first) and _asserts(found.second, pair.second)


def _asserts(read: Sequence[Word], at: int) -> bool:
    """Return whether the clause of a word asserts, always and of all."""
    clause = [w for w in read if w.clause == read[at].clause and w.kind != "mark"]
    verbs = [w.verb for w in clause if w.verb is not None]
    if _restricts(read, clause) or _leans(read, clause):
        return False
    if any(v.modal == "supposed" or v.modal_text in ("may", "might", "could") for v in verbs):
        return False
    denied = read[at].verb is not None  # "not to another firm" leaves no room, "usually not" does
    others = [
        w for w in clause
        if w.kind != "name" and w is not read[at] and not (denied and w.low in _OTHERS)
        and not (w.low == "also" and read[at].quantity is None)
    ]  # fmt: skip
    room = any(
        (w.low in _ROOM and w.text.casefold() not in _NONE) or w.low in _CHANGING or w.cls == "hedge"
        for w in others
    )
    return not room and any(finite(w) for w in read)


def _restricts(read: Sequence[Word], clause: Sequence[Word]) -> bool:
    """Return whether a clause says when or of what, or what somebody does not say."""
    opening = next((w for w in clause if w.low != "<somebody>"), clause[0])
    if not any(w.verb is not None for w in clause):
        return False  # a phrase: "after six months"
    if opening.low in _TOLD_OF_TIME:
        return not any(w.verb is not None and w.verb.tense == "past" for w in clause)
    if opening.cls == "that":
        said = [w.verb for w in read[: next(k for k, w in enumerate(read) if w is opening)] if w.verb is not None]
        return (len(clause) > 1 and clause[1].verb is not None) or (bool(said) and said[-1].not_)
    told = [w.verb for w in clause if w.verb is not None and w.verb.form in SAID]
    rumoured = any(v.passive for v in told) or (bool(told) and any(w.low == "<somebody>" for w in clause))
    return opening.cls in _RESTRICTING or rumoured or any(w.low == "except" for w in read)


def _leans(read: Sequence[Word], clause: Sequence[Word]) -> bool:
    """Return whether the subject of a clause is that of a pronoun whose noun the sentence does not name."""
    subject = list(takewhile(lambda w: not finite(w), read[read.index(clause[0]) :]))
    if commas := [k for k, w in enumerate(subject) if w.low == ","]:
        subject = subject[commas[-1] + 1 :]  # behind "according to its maker,"
    at = next((k for k, w in enumerate(subject) if w.low in _PRONOUNS), None)
    if at is None:
        return False
    before = takewhile(lambda w: w is not subject[at], read)
    return not any(w.content and w.verb is None for w in before)


def _left(found: Account, pair: Pair) -> bool:
    """Return whether the clause of a word has content words that the claim has not: its case may be another."""
    held, read, at = {p.first for p in found.pairs}, found.first, pair.first
    for step in (-1, 1):
        k = at + step
        while 0 <= k < len(read) and read[k].clause == read[at].clause:
            if (
                read[k].kind == "mark"
                and (k + step) not in held
                and not (0 <= k + step < len(read) and read[k + step].verb)
            ):
                break  # what stands apart behind a comma
            if read[k].content and k not in held:
                return True
            k += step
    return False


def _verb_of(read: Sequence[Word], at: int) -> Word | None:
    """Return the verb of the clause of a word: the last one before it, else the first."""
    every = [k for k, w in enumerate(read) if w.verb is not None]
    verbs = [k for k in every if read[k].clause == read[at].clause] or every
    before = [k for k in verbs if k <= at]
    return read[before[-1]] if before else read[verbs[0]] if verbs else None


def _happened(word: Word | None) -> bool:
    return word is not None and word.verb is not None and word.verb.tense in ("past", "")


def _measure(found: Account, pair: Pair, known: bool) -> bool:
    """Return whether a pair are two amounts of one measure."""
    a, b = found.first[pair.first], found.second[pair.second]
    if a.quantity is None or b.quantity is None or a.quantity.unit in _OF_TIME or b.quantity.unit in _OF_TIME:
        return False
    if a.quantity.kind == "statistic":
        return known and conflicting(a.quantity, b.quantity)
    if _of_case(found.first, pair.first):
        return False
    verb = _verb_of(found.first, pair.first)
    limits = _limits(a.quantity, b.quantity, verb)
    if not limits and not conflicting(a.quantity, b.quantity):
        return False
    before = found.first[pair.first - 1] if pair.first else None
    if before is not None and before.low in ("before", "after"):
        return False  # when it was measured
    ranges = a.quantity.bound in ("<", ">") or b.quantity.bound in ("<", ">")
    if ranges and (before is None or not (before.verb is not None or before.low in ("to", "by", "of", "at", "be"))):
        return False  # "non-magnetic below 80 K": of the case
    if verb is not None and verb.verb is not None and verb.verb.modal == "possible" and a.quantity.bound == "=":
        return False  # what can be five can be ten
    return limits or _happened(verb) or _attained(found.first, pair.first)


def _once(found: Account, pair: Pair) -> bool:
    """Return whether a pair are two years of an event that happens to its subject once."""
    a, b = found.first[pair.first].quantity, found.second[pair.second].quantity
    verb = next((k for k, w in enumerate(found.first) if w.verb is not None), 0)
    if a is None or b is None or not conflicting(a, b) or not _happened(found.first[verb]):
        return False
    before, behind = found.first[:verb], found.first[verb + 1 : pair.first - 1]
    told = behind if any(w.low == "<somebody>" for w in before) else before
    subject = [w for w in told if w.low not in ("of", ",")]
    if any(w.kind in ("number", "mark") or w.cls not in ("", "article") or _recurs(w) for w in subject):
        return False
    named = len(subject) > 1 and all(w.kind == "name" for w in subject)
    if found.first[verb].bases & _LIFE:
        return named
    one = bool(subject) and subject[0].low == "the" and any(w.kind == "name" for w in subject)
    return bool(found.first[verb].bases & _FOUNDING) and (named or one)


def _recurs(word: Word) -> bool:
    """Return whether a word is one of what happens again, or of a part or one of several."""
    kinds_of = ("event", "gathering", "activity", "period")
    return word.kind == "content" and (
        word.low in ("part", "first", "last", "next")
        or any(broader(word.low, kind) or synonyms(word.low, kind) for kind in kinds_of)
    )


def _limits(a: Quantity, b: Quantity, verb: Word | None) -> bool:
    """Return whether two limits of which both may hold are said to be the one that a rule sets."""
    features = verb.verb if verb is not None else None
    limit = verb is not None and a.bound[:1] == "<" and bool(verb.bases & _LIMITED) and features is not None and not (
        features.not_ or features.modal or features.tense != "present" or features.passive
    )  # fmt: skip
    rule = limit or (features is not None and (
        features.modal in ("required", "advised", "possible") or features.modal_text == "shall"
    ))
    return rule and a.bound == b.bound != "=" and a.unit == b.unit and a.low != b.low and not (a.about or b.about)


def _of_case(read: Sequence[Word], at: int) -> bool:
    """Return whether a word stands behind a denial or in a condition. What is said of all, or of every time, is said of
    each."""
    clause = [w for w in read[:at] if w.clause == read[at].clause]
    if not read[at].down:
        return False
    every = any(w.low in _EACH for w in clause)
    return not every or any(
        w.cls in ("condition", "only", "than") or w.low in _FEW or (w.verb is not None and w.verb.not_) for w in clause
    )


def _attained(read: Sequence[Word], at: int) -> bool:
    """Return whether a number behind its verb is a measure of it: its object, or the first one behind "at" or "for"."""
    number = read[at].quantity
    assert number is not None
    case, listed = "", False
    for word in reversed(read[:at]):
        if word.cls == "and" and not case:
            listed = True  # "250 g of lentils and 3 onions"
        if word.kind == "number":
            if listed:
                continue
            return number.unit in ("s", "month") and case in ("for", "within")
        if word.verb is not None:
            return not case or (
                case in _ATTAINED and (number.measured or number.kind == "percent") and _reaches(read, word)
            )
        if word.low in _CASES:
            case = word.low
        if word.low in (",", ";"):
            return False
    return False


def _reaches(read: Sequence[Word], verb: Word) -> bool:
    """Return whether a verb tells what its subject does by itself, or in which state it is kept."""
    kept = any(broader(base, state) or synonyms(base, state) for base in verb.bases for state in _STATED)
    asked = any(w.verb is not None and w.verb.modal == "asked" for w in read)  # "bake it at 200 °C"
    passive = verb.verb is not None and verb.verb.passive
    return kept or asked or not (passive or any(w.low == "<somebody>" for w in read))


def _one_state(found: Account, pair: Pair) -> bool:
    """Return whether two opposed words of grammar are said of one event, or of a state."""
    a, b = found.first[pair.first], found.second[pair.second]
    verb = _verb_of(found.first, pair.first)
    if "quantifier" in (a.cls, b.cls):
        return True
    if _counted(found.first, pair.first):
        return False
    if {a.low, b.low} == {"before", "after"}:
        before, behind = found.first[: pair.first], found.first[pair.first :]
        governs = len(behind) > 1 and behind[1].kind != "mark"
        return _happened(verb) and governs and all(any(finite(w) for w in part) for part in (before, behind))
    if not {a.low, b.low} & _PLACED or verb is None:
        return False
    beside = found.first[pair.first - 1] is verb and not {a.low, b.low} & {"with", "without"}
    return beside or _happened(verb) or verb.low == "be"


def _said(found: Account, pair: Pair) -> bool:
    """Return whether a pair are opposites that the sentences say of their subject."""
    a, b = found.first[pair.first], found.second[pair.second]
    if pair.match.opposed != "opposite" and not (a.degree != b.degree and a.degree and b.degree):
        return False
    if _of_case(found.first, pair.first):
        return False
    if a.verb is not None and b.verb is not None:
        phases = any(synonyms(base, phase) for base in a.bases for phase in _PHASES)
        decided = bool((a.bases | b.bases) & GRANTED)  # "upheld" is no "continued"
        return not (a.verb.infinitive or (phases and not decided))
    if any(w.verb is not None and w.verb.passive and w.text.partition(" ")[0].casefold() in BE for w in (a, b)):
        return True  # "is closed", "is open"
    if a.verb is not None or b.verb is not None or not (_describes(a) and _describes(b)):
        return False
    verb = _verb_of(found.first, pair.first)
    at = next((k for k, w in enumerate(found.first[: pair.first]) if w is verb), None)
    if verb is None or at is None or _counted(found.first, pair.first):
        return False  # of the subject: one of two
    between = found.first[at + 1 : pair.first]
    if any(w.low in (",", ";") for w in between) or _turned(found):
        return False
    ordered = found.first[pair.first + 1 : pair.first + 2]
    if ordered and ordered[0].low == "order" and between and between[-1].low == "in":
        return True  # "in ascending order"
    if not a.degree and any(w.cls == "preposition" for w in between[verb.low == "be" :]):
        return False  # "on small matrices": of the case
    told = verb.low in ("be", "remain", "become", "stay") or bool(a.degree) or a.low.endswith("ly")
    alone = pair.first + 1 == len(found.first) or not found.first[pair.first + 1].content
    return told or _happened(verb) or (alone and found.first[pair.first - 1] is verb)


def _turned(found: Account) -> bool:
    """Return whether the sides of a comparison have changed."""
    places = [p.first for p in found.pairs if found.second[p.second].content]
    return any(w.cls == "than" for w in found.first) and places != sorted(places)


def _describes(word: Word) -> bool:
    of = kinds(word.low)
    return not of or bool(of & {"a", "r"}) or bool(word.degree) or past_form(word.low)
