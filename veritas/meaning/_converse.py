"""Converses: "A sold it to B" and "B bought it from A", "A is faster than B" and "B is slower than A"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import Words, clause_start, phrase_end, subject_start
from veritas.meaning._relations import other_side, side_end
from veritas.meaning._symmetry import partner_end, symmetric, whole_sides
from veritas.meaning._vocabulary import antonyms, bases, broader, kinds, person
from veritas.meaning._word import Word, finite
from veritas.text.wordlist import words as words_of

_TRANSFERS = frozenset(
    tuple(pair.split("-"))
    for pair in words_of(
        """
        sell-buy sell-purchase sell-acquire lend-borrow loan-borrow rent-rent lease-lease rent-lease let-rent
        export-import supply-obtain leave-inherit bequeath-inherit teach-learn tell-learn tell-hear lose-win
        """
    )
)
"""Verbs by which one gives "to", and those by which the other has it "from"."""
_GIVES = words_of(
    "give donate hand transfer bequeath ship pass forward transmit return sell send award pay supply provide"
)
_ONLY_OFFERS = words_of("offer promise propose tender owe refuse deny")
_GETS = words_of("receive get obtain acquire")
"""Verbs of having from somebody, in whatever way it was given."""
_COUNTERPARTS = {"before": {"after"}, "after": {"before"}, "above": {"below"}, "below": {"above"}, "over": {"under"},
                 "under": {"over"}, "behind": {"before"}}  # fmt: skip
"""Words of grammar by which two sides tell one thing; "in front of" is read as "before"."""
_SYMMETRIC = frozenset(
    "meet marry resemble equal differ match border adjoin intersect similar identical equal equivalent adjacent"
    " spouse beside near alongside opposite different related married parallel compatible associate correlate".split()
)
"""Words whose two sides may be changed."""
_MORE = frozenset({"more", "less", "fewer"})
_PROVIDES = frozenset("supply provide furnish present entrust".split())
"""Verbs of giving that have what is given behind "with", or before "to"."""
_DATIVE = frozenset("give send lend sell show offer teach tell hand grant award pay bring promise".split())


def dative(words: Words) -> Words:
    """Write "gave the city the painting" as "gave the painting to the city"."""
    words = _provided(words)
    for at, word in enumerate(words):
        if finite(word) and word.bases & _DATIVE:
            first = _noun(words, at + 1)
            named = at + 1
            while named < first and words[named].kind == "name":
                named += 1
            if at + 1 < named < first:
                first = named  # "taught Ann chess"
            elif (whom := _whom(words, at + 1, first)) is not None:
                first = named = whom
            second = _noun(words, first)
            if second < len(words) and words[second].low == "of":
                second = phrase_end(words, second + 1)
            if any(w.content or w.cls == "pronoun" for w in words[at + 1 : first]) and second > first and (
                words[first].cls in ("article", "possessive", "quantifier") or words[first].kind == "number"
                or first == named
            ):  # fmt: skip
                to = Word("to", "to", "grammar", frozenset({"to"}), "preposition")
                return (*words[: at + 1], *words[first:second], to, *words[at + 1 : first], *words[second:])
    return words


def _provided(words: Words) -> Words:
    """Write "supplies the canteen with bread" as "supplies bread to the canteen"."""
    for at, word in enumerate(words):
        if not (finite(word) and word.bases & _PROVIDES):
            continue
        end = phrase_end(words, at + 1)
        if end > at + 1 and end + 1 < len(words) and words[end].low == "with":
            stop = phrase_end(words, end + 1)
            to = Word("to", "to", "grammar", frozenset({"to"}), "preposition")
            return (*words[: at + 1], *words[end + 1 : stop], to, *words[at + 1 : end], *words[stop:])
    return words


def _whom(words: Words, at: int, end: int) -> int | None:
    """Return where persons end behind whom it stands what they are given: "gave the residents permission"."""
    for k in range(end - 1, at, -1):
        if words[k - 1].kind == "content" and words[k].kind == "content" and person(words[k - 1].low) and (
            not person(words[k].low) and words[k - 1].low.endswith("s")
        ):  # fmt: skip
            return k
    return None


def _noun(words: Words, at: int) -> int:
    """Return where the noun phrase that begins at `at` ends, at the next article at the latest."""
    end = at
    while end < len(words):
        word = words[end]
        if word.kind == "mark" or word.verb is not None:
            break
        if word.kind == "grammar" and not (
            end == at and word.cls in ("article", "possessive", "quantifier", "pronoun")
        ):
            break
        if word.kind == "number" and end > at and words[end - 1].kind == "content":
            break  # "lent the farmer 20,000 francs"
        end += 1
    return end


def unechoed(words: Words) -> Words:
    """Leave out the verb that a comparison repeats: "more than the cat does"; put the noun where it is left out: "than
    Peru's", "than that of Peru"."""
    than = next((k for k, w in enumerate(words) if w.cls == "than"), len(words))
    if than == len(words):
        return words
    words = _whole_partner(words, than)
    for at in range(than + 2, len(words)):
        last = at + 1 == len(words) or words[at + 1].kind == "mark" or words[at + 1].cls == "preposition"
        if words[at].low in ("do", "be", "have") and finite(words[at]) and last:
            return (*words[:at], *words[at + 1 :])
        if words[at].verb is not None or words[at].kind == "mark":
            break
    return words


def _whole_partner(words: Words, than: int) -> Words:
    verb = next((k for k in range(than) if finite(words[k])), None)
    if verb is None or than + 2 >= len(words):
        return words
    subject = words[clause_start(words, verb) : verb]
    noun = subject[: next((k for k, w in enumerate(subject) if w.cls == "preposition"), len(subject))]
    ends = (k for k in range(than + 1, len(words)) if words[k].kind == "mark" or words[k].cls == "preposition")
    stop = next(ends, len(words))
    if words[stop - 1].low == "'s" and any(w.low == "of" for w in subject):
        return (*words[: than + 1], *noun, _preposition("of"), *words[than + 1 : stop - 1], *words[stop:])
    if words[than + 1].low in ("that", "those") and stop == than + 2 and noun and noun[-1].content:
        return (*words[: than + 1], *noun, *words[than + 2 :])
    return words


def each_comparison(words: Words) -> Iterator[Words]:
    """Yield the sentence with one of two comparisons that stand side by side: "larger than A but smaller than B"."""
    for at, word in enumerate(words):
        if word.cls not in ("and", "but") or not at:
            continue
        second = next((k for k in range(at + 1, len(words)) if words[k].cls == "than"), None)
        than = next((k for k in range(at - 1, -1, -1) if words[k].cls == "than"), None)
        first = next((k for k in range((than or 0) - 1, -1, -1) if words[k].degree in ("more", "less")), None)
        if second is None or first is None or not any(w.degree in ("more", "less") for w in words[at + 1 : second]):
            continue
        if not any(finite(w) for w in words[first:second]):
            yield (*words[:first], *words[at + 1 :])
            yield (*words[:at], *words[phrase_end(words, second + 1) :])


def converses(words: Words, other: Words) -> Iterator[Words]:
    """Yield the words with their sides changed, where the other sentence has the converse of one of them."""
    yield from _comparisons(words, other)
    yield from _multiples(words, other)
    yield from symmetric(words, other)
    yield from other_side(words, other)
    for at, word in enumerate(words):
        if word.kind == "mark":
            continue
        wanted = {rival for base in word.bases for rival in _COUNTERPARTS.get(base, ())}
        for rival in other:
            if word.kind != rival.kind:
                continue
            if finite(word) and finite(rival):
                yield from _verbs(words, at, rival)
            elif wanted and wanted & rival.bases and not word.bases & rival.bases:
                yield from _related(words, at, rival)
        if word.bases & _SYMMETRIC and any(word.bases & rival.bases for rival in other):
            yield from _related(words, at, word)


def _comparisons(words: Words, other: Words) -> Iterator[Words]:
    than = next((k for k, w in enumerate(words) if w.cls == "than"), None)
    if than is None or not any(w.cls == "than" for w in other):
        return
    at = next(
        (k for k in range(than - 1, -1, -1) if words[k].degree in ("more", "less") or words[k].low in _MORE), None
    )
    verb = next((k for k in range((at or 0) - 1, -1, -1) if finite(words[k])), None)
    if at is None or verb is None:
        return
    by = words[at - 1].quantity
    if by is not None and by.kind == "percent" and "point" not in by.text:
        return  # who earns 20 % less than others is not who earns 20 % more
    features = words[verb].verb
    if features is not None and features.not_ and not any(w.verb is not None and w.verb.not_ for w in other) and any(
        w.degree == words[at].degree and w.low == words[at].low for w in other
    ):  # fmt: skip
        # A is denser than B: B is not denser than A.
        told = replace(words[verb], verb=replace(features, not_=False))
        affirmed = (*words[:verb], told, *(replace(w, down=False) for w in words[verb + 1 :]))
        yield from _turned(affirmed, verb, at, than, words[at], other)
    for rival in other:
        if _contrary(words[at], rival):
            yield from _turned(words, verb, at, than, rival, other)


def _multiples(words: Words, other: Words) -> Iterator[Words]:
    """Yield "B is twice as long as A" for "A is half as long as B", where the other sentence tells it so, and the other
    way round."""
    for at in range(1, len(words) - 3):
        half = words[at].low == "half" and words[at + 1].low == words[at + 3].low == "as"
        double = _twice(words[at]) and words[at + 1].degree == "more" and words[at + 2].cls == "than"
        partner = at + 4 if half else at + 3
        verb = next((k for k in range(at - 1, -1, -1) if finite(words[k])), None)
        if verb is None or not (half or double):
            continue
        for k in range(1, len(other) - 2):
            rival = other[k : k + 3] if half else other[k : k + 4]
            fits = _twice(rival[0]) and rival[2].cls == "than" if half else (
                rival[0].low == "half" and rival[1].low == "as" and rival[-1].low == "as"
            )
            if fits:
                start, end = clause_start(words, verb), side_end(words, partner, other)
                yield (*words[:start], *words[partner:end], *words[verb:at], *rival, *words[start:verb], *words[end:])
                return


def _twice(word: Word) -> bool:
    return word.quantity is not None and word.quantity.unit == "fold" and word.quantity.low == 2


_AS_ADJECTIVE = {
    ("weigh", "more"): "heavy", ("weigh", "less"): "light", ("cost", "more"): "expensive", ("cost", "less"): "cheap",
    ("take", "more"): "slow", ("take", "less"): "fast",
}  # fmt: skip
"""Verbs that compare as an adjective does."""


def compared(words: Words, other: Words) -> Words:
    """Write "weighs more than" as "is heavier than" where the other sentence compares by an adjective, and "more
    grammatical cases" with "more" for the cases where the other has "fewer grammatical cases"."""
    if not any(w.cls == "than" for w in words):
        return words
    for at in range(1, len(words) - 2):
        word = words[at]
        adjective = next((_AS_ADJECTIVE[base, words[at + 1].low] for base in word.bases
                          if (base, words[at + 1].low) in _AS_ADJECTIVE), "")  # fmt: skip
        if adjective and finite(word) and any(w.degree == "more" for w in other):
            timed = at + 2 + ("take" in word.bases and words[at + 2].low == "time")
            if words[timed].cls != "than" or ("take" in word.bases) != (timed > at + 2):
                continue
            be = replace(word, low="be", bases=frozenset({"be"}))
            told = replace(words[at + 1], low=adjective, kind="content", cls="", bases=bases(adjective), degree="more")
            return (*words[:at], be, told, *words[timed:])
        if word.degree in ("more", "less") and word.text.casefold().startswith(word.degree) and (
            words[at + 1].kind == "content" and words[at + 1].verb is None
            and any(w.low == word.low and not w.degree for w in other) and any(w.low in _MORE for w in other)
        ):  # fmt: skip
            more = Word(word.degree, word.degree, "grammar", frozenset({word.degree}), "quantifier", clause=word.clause)
            return (*words[:at], more, replace(word, degree=""), *words[at + 1 :])
    return words


def _contrary(word: Word, rival: Word) -> bool:
    """Return whether two comparatives, or "more" and "less", say one thing from two sides."""
    if not (rival.degree or rival.low in _MORE):
        return False
    degrees = {rival.degree, word.degree}
    return (
        (rival.degree == word.degree and any(antonyms(a, b) for a in _grades(word) for b in _grades(rival)))
        or (bool(_grades(word) & _grades(rival)) and degrees == {"more", "less"})
        or frozenset((rival.low, word.low)) in (frozenset({"more", "less"}), frozenset({"more", "fewer"}))
    )


def _grades(word: Word) -> frozenset[str]:
    """Return the adjectives and adverbs that a comparative may be of, "slow" beside "slowly"."""
    of = {base for base in word.bases if kinds(base) & {"a", "r"}}
    return frozenset(of | {base[:-2] for base in of if base.endswith("ly") and "a" in kinds(base[:-2])})


def _turned(words: Words, verb: int, at: int, than: int, rival: Word, other: Words) -> Iterator[Words]:
    """Yield a comparison from its other side: of the subject, or of the phrase like that behind "than"."""
    start = clause_start(words, verb)
    if than + 1 < len(words) and words[than + 1].cls == "preposition":
        end = phrase_end(words, than + 2)
        lead = words[than + 1]
        for k, word in enumerate(words):
            if word.low != lead.low or word.cls != "preposition" or than <= k < end:
                continue
            stop = phrase_end(words, k + 1)
            mine, theirs = words[k + 1 : stop], words[than + 2 : end]
            turned = (*words[:at], rival, *words[at + 1 :])
            if k < than:
                yield (*turned[: k + 1], *theirs, *turned[stop : than + 2], *mine, *turned[end:])
            else:
                yield (*turned[: than + 2], *mine, *turned[end : k + 1], *theirs, *turned[stop:])
        return
    start = subject_start(words, verb)
    end = partner_end(words, than + 1, side_end(words, than + 1, other))
    subject, partner = whole_sides(words[start:verb], words[than + 1 : end])
    rest = words[end:]
    yield (*words[:start], *partner, *words[verb:at], rival, *words[at + 1 : than + 1], *subject, *rest)


def _verbs(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield the sentence told from the other side."""
    if (marks := _transfer(words[at], rival)) is not None:
        start = clause_start(words, at)
        subject = words[start:at]
        told = replace(rival, verb=words[at].verb)
        for mark, instead in (marks, marks[::-1]) if words[at].bases & rival.bases else (marks,):
            by = next((k for k in range(at + 1, len(words)) if words[k].low == mark), None)
            if by is not None:
                end = phrase_end(words, by + 1)
                mine, theirs = whole_sides(subject, words[by + 1 : end])
                lead_to = _preposition(instead)
                yield (*words[:start], *theirs, told, *words[at + 1 : by], lead_to, *mine, *words[end:])


def _preposition(low: str) -> Word:
    return Word(low, low, "grammar", frozenset({low}), "preposition")


def _transfer(word: Word, rival: Word) -> tuple[str, str] | None:
    """Return the preposition before the other side of a transfer, and the one that the rival has before the subject."""
    for one, other, marks in ((word, rival, ("to", "from")), (rival, word, ("from", "to"))):
        if any((a, b) in _TRANSFERS for a in one.bases for b in other.bases):
            return marks
        if other.bases.isdisjoint(_GETS) or not one.bases.isdisjoint(_ONLY_OFFERS):
            continue
        if any(a in _GIVES or broader(a, "give") for a in one.bases):
            return marks
    return None


def _related(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield the sentence with the two sides of a relation changed: of a noun with "of", a preposition, an adverb."""
    behind = at + 1
    if behind < len(words) and words[behind].low in ("of", "to", "from", "with"):
        behind += 1
    end = phrase_end(words, behind)
    verb = at if finite(words[at]) else next((k for k in range(at - 1, -1, -1) if finite(words[k])), None)
    if verb is None or end == behind:
        return
    told = replace(rival, verb=words[at].verb)
    if words[at].kind == "grammar" and any(finite(w) for w in words[behind:]):
        yield (*words[behind:], told, *words[:at])
        return
    start = clause_start(words, verb)
    subject = words[start:verb]
    if verb == at:
        yield (*words[:start], *words[behind:end], told, *words[at + 1 : behind], *subject, *words[end:])
    else:
        yield (
            *words[:start],
            *words[behind:end],
            *words[verb:at],
            told,
            *words[at + 1 : behind],
            *subject,
            *words[end:],
        )
