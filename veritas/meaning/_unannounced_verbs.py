"""The verbs that no auxiliary announces: in each stretch of a sentence the certain one, else the likeliest."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from veritas.meaning._function_words import SAID
from veritas.meaning._tokens import kinds_of_bases
from veritas.meaning._verb_likelihood import OPENS, lacks_verb, likely, object_ahead, relative_before, told_of
from veritas.meaning._vocabulary import frequency, kinds, verb_bases
from veritas.meaning._word import SAME_PAST, Tense, Verb, Word, finite, is_adverb, past_form

_SAYS_SO = SAID - {"write", "writes", "wrote"}
_OPENS_SUBJECT = frozenset({"article", "possessive", "demonstrative", "pronoun", "quantifier"})


def marked(made: list[Word]) -> list[Word]:
    """Mark the verbs that no auxiliary announces."""
    if not made:
        return made
    _shared(made)
    _asking(made)
    start = 0
    for i in [*(k for k, w in enumerate(made) if _boundary(made, k)), len(made)]:
        _mark_one(made, start, i)
        start = i
    _listed(made)
    _alone(made)
    # a perfect needs a participle: "has three legs" is a present
    return [
        replace(w, verb=replace(w.verb, tense="present"))
        if w.verb and w.verb.tense == "perfect" and w.low == "have"
        else w
        for w in made
    ]


def _alone(made: list[Word]) -> None:
    """Mark the one word that may be a verb in a sentence without any: "900 people in the district work for it"."""
    if any(w.verb is not None for w in made):
        return
    for k in range(2, len(made) - 1):
        word, before, behind = made[k], made[k - 1], made[k + 1]
        plural = any((w.kind == "content" and (w.low.endswith("s") or w.low in ("people", "men", "women", "children")))
                     or w.kind == "number" for w in made[:k])  # fmt: skip
        if word.kind == "content" and word.low in verb_bases(word.low) and "v" in kinds(word.low) and plural and (
            before.content and behind.cls in ("preposition", "article") and frequency(word.low, "v")
            and "n" in kinds(before.low) and before.cls != "preposition"
        ):  # fmt: skip
            made[k] = replace(word, verb=Verb(tense="present", form=word.low))
            return


def _listed(made: list[Word]) -> None:
    """Mark the verbs inside a list of predicates: "rises in A, flows through B, and ends in C"."""
    for i in range(2, len(made) - 1):
        last = made[i + 1]
        if made[i].cls != "and" or not finite(last) or last.verb is None:
            continue
        for k in range(i - 2, 1, -1):
            word = made[k]
            if word.kind == "mark" and word.low != ",":
                break
            if made[k - 1].low != "," or word.kind != "content" or word.verb is not None or word.degree:
                continue
            same = past_form(word.low) if past_form(last.low) else (
                not past_form(word.low) and word.low.endswith("s") == last.low.endswith("s")
                and "v" in kinds_of_bases(word.low)
            )  # fmt: skip
            active = not (last.verb.passive or last.low.endswith("ing"))
            if same and active and any(finite(w) for w in made[: k - 1]):
                made[k] = replace(word, verb=replace(last.verb, form=word.low))


def _shared(made: list[Word]) -> None:
    """Give a verb behind "and" the auxiliary of the verb before: "was tested and removed", "can fail and stop"."""
    for i in range(1, len(made) - 1):
        word = made[i + 1]
        if made[i].cls not in ("and", "or", "but") or word.kind != "content" or word.verb is not None:
            continue
        before = next((w.verb for w in reversed(made[:i]) if w.verb is not None), None)
        if before is None or before.infinitive or before.progressive:
            continue
        acts = before.passive and object_ahead(made, i + 1)  # "was born in Cork and built three churches"
        part = (before.passive or before.tense == "perfect") and past_form(word.low) and not acts
        base = (before.modal or before.tense == "future") and kinds(word.low) == {"v"} and not past_form(word.low)
        if part or (base and not before.passive):
            made[i + 1] = replace(word, verb=replace(before, form=word.low))


def _asking(made: list[Word]) -> None:
    """Mark the verbs by which a sentence asks its reader to do something: "Rub the meat with salt, never wash it"."""
    at = _behind_front(made)
    while at < len(made):
        first = at
        while first < len(made) and (made[first].cls in ("and", "but", "or", "discourse") or made[first].low in (
            "never", "not", "always", "please", "then", ",", "once"
        )):  # fmt: skip
            first += 1
        if first >= len(made) or not _asks(made, first, first - at < 3):
            return
        denied = made[first - 1].low in ("not", "never") and first > 0
        features = made[first].verb or Verb(tense="present", form=made[first].low)
        never = denied and made[first - 1].low == "never"
        made[first] = replace(
            made[first], verb=replace(features, modal="asked", not_=features.not_ or denied, never=never)
        )
        if denied:
            del made[first - 1]
            first -= 1
        at = next((k for k in range(first + 1, len(made)) if _boundary(made, k) and _resumes(made, k)), len(made))


def _behind_front(made: list[Word]) -> int:
    """Return where a sentence goes on behind a clause of time or condition that it begins with."""
    comma = next((k for k, w in enumerate(made) if w.low == ","), None)
    if not made or comma is None or made[0].cls not in ("time", "condition") or not any(
        finite(w) for w in made[:comma]
    ):  # fmt: skip
        return 0
    return comma + 1


def _resumes(made: list[Word], at: int) -> bool:
    """Return whether another verb may ask something from here on."""
    behind = next((k for k in range(at, len(made)) if made[k].kind == "content"), len(made))
    return behind - at < 4 and behind < len(made) and _asks(made, behind, False)


def _asks(made: list[Word], at: int, opening: bool) -> bool:
    """Return whether a verb in its base form is followed by what it is to be done to."""
    word = made[at]
    if word.verb is not None and word.verb.not_ and word.text.casefold().startswith("do "):
        return at == 0 or opening  # "do not open"
    if word.kind != "content" or word.verb is not None or word.degree or "v" not in kinds(word.low):
        return False
    past = past_form(word.low) and word.low not in SAME_PAST
    if past or word.low not in verb_bases(word.low) or word.low.endswith("ing"):
        return False
    after = made[at + 1] if at + 1 < len(made) else None
    if after is None or after.verb is not None:
        return False
    object_ahead = after.cls in ("article", "possessive", "demonstrative", "pronoun") or after.kind == "number"
    if opening and after.cls == "preposition" and at + 2 < len(made) and made[at + 2].cls == "article":
        return frequency(word.low, "v") > frequency(word.low, "n")  # "switch off the pump"
    if opening and kinds(word.low) == {"v"}:
        return object_ahead or after.kind in ("content", "name") or after.cls in ("preposition", "quantifier")
    if opening and after.kind == "content" and frequency(word.low, "v") > frequency(word.low, "n"):
        noun = "n" in kinds(after.low) and not past_form(after.low)
        return noun and not any(w.verb is not None or told_of(w) for w in made[at + 1 :])
    return object_ahead


def _boundary(made: list[Word], at: int) -> bool:
    word = made[at]
    if word.cls == "than":  # "than stretching did"
        rest = takewhile(lambda w: w.kind != "mark" and w.cls not in ("and", "or", *OPENS), made[at + 1 :])
        return any(finite(w) and w.low in ("be", "do", "have") for w in rest)
    return at > 0 and (word.low in (";", ":", ",", "(", ")", "-", "--") or word.cls in ("and", "or", *OPENS))


def _mark_one(made: list[Word], start: int, end: int) -> None:
    """Mark the verb of a stretch without auxiliary: a certain one first, else the likeliest."""
    if (
        made[start].cls in ("relative", "that")
        and start + 1 < end
        and made[start + 1].verb is None
        and (likely(made, start, start + 1, end) >= 6)
    ):  # "that feeds the boiler": a verb stands right behind
        made[start + 1] = _as_verb(made[start + 1])
    if made[start].cls in ("relative", "that"):
        own = next((k for k in range(start + 1, end) if finite(made[k])), None)
        if own is not None and own - start > 2 and told_of(made[own - 1]) and (
            past_form(made[own - 1].low) or (made[own].low != "be" and not made[own - 2].low.endswith("s"))
        ) and (
            made[own - 2].kind == "name" or (made[own - 2].kind == "content" and "n" in kinds(made[own - 2].low))
        ):  # "the letter that the minister signed was published"
            made[own - 1] = _as_verb(made[own - 1])
            return
        if own is not None:
            _mark_behind(made, start, own, end)
            return
    first = next((k for k in range(start, end) if finite(made[k])), None)
    if first is not None:
        for k in range(start + 1, first - 1):  # "analysts say the shares are overvalued"
            said = made[k].low in SAID and made[k].verb is None and object_ahead(made, k)
            if said and likely(made, start, k, first) > 1:
                made[k] = _as_verb(made[k])
                break
        return
    if _goes_before(made, start, end):
        return
    best, weight = -1, 0
    behind = start + 1
    while behind < end and (is_adverb(made[behind]) or made[behind].cls in ("change", "quantifier", "only")):
        behind += 1
    if start and made[start].low == "," and behind < end and lacks_verb(made, start) and (
        relative_before(made, start) and (
            told_of(made[behind]) or (kinds(made[behind].low) & {"v"} and object_ahead(made, behind)))
    ):  # "the parser, which reads UTF-8, skips empty lines"
        made[behind] = _as_verb(made[behind])
        return
    paired = made[start].low in ("-", "--", "(") and end < len(made) and made[end].low in ("-", "--", ")")
    for i in range(start, end):
        word = made[i]
        if word.kind != "content" or word.verb is not None or word.degree:
            continue
        told = likely(made, start, i, end)
        if told > weight and (told > 5 or not paired):
            best, weight = i, told
    if best >= 0:
        best = _behind_phrase(made, start, best, end)
        best = _past_participle(made, start, _before_participle(made, start, best, end), end)
        made[best] = _as_verb(made[best])
        of_noun = start > 0 and made[start - 1].verb is None and made[start].cls in ("relative", "that")
        if of_noun and best > start + 2 and past_form(made[best - 1].low) and told_of(made[best - 1]) and (
            past_form(made[best].low)
        ):  # "the drug that the firm developed halved it"
            made[best - 1] = _as_verb(made[best - 1])
            return
        if of_noun and start + 1 < best:
            _mark_behind(made, start, best, end)
        elif made[best].low in _SAYS_SO and best + 2 < end and made[best + 1].cls in _OPENS_SUBJECT:
            _mark_one(made, best + 1, end)  # "the vendor says the update fixes it"


def _mark_behind(made: list[Word], start: int, own: int, end: int) -> None:
    """Mark the verb behind a relative clause, of which the verb stands at `own`: "the drug that was tested reduced
    pain", "the drug that Ann made halved it"."""
    if any(finite(made[k]) for k in range(own + 1, end)):
        return
    features = made[own].verb
    whole = own > start + 1 and (features is not None and (features.passive or features.tense != "present"))
    rest = max(range(own + 1, end), key=lambda k: (_likely_behind(made, own, k, end), -k), default=None)
    least = 6 if made[start - 1].kind == "mark" or any(finite(w) for w in made[:start]) else 3
    if rest is not None and (whole or rest > own + 1) and _likely_behind(made, own, rest, end) >= least:
        made[rest] = _as_verb(made[rest])


def _likely_behind(made: list[Word], own: int, at: int, end: int) -> int:
    """Return how likely a word is the verb behind a relative clause; right behind the clause's verb, its form tells."""
    if at > own + 1:
        return likely(made, own + 1, at, end)
    if not told_of(made[at]) or "v" not in kinds_of_bases(made[at].low):
        return 0
    return 6 if past_form(made[at].low) or object_ahead(made, at) else 3


def _before_participle(made: list[Word], start: int, at: int, end: int) -> int:
    """Return where the verb before a participle and its noun stands: "measures neutrinos produced in the sun"; `at`
    without one."""
    if not past_form(made[at].low) or at + 1 >= end or made[at + 1].cls != "preposition" or at < start + 3:
        return at
    for earlier in range(start + 1, at - 1):
        third = not past_form(made[earlier].low) and told_of(made[earlier]) and made[earlier + 1].cls != "preposition"
        if third and likely(made, start, earlier, end) >= 3 and any(w.content for w in made[earlier + 1 : at]):
            return earlier
    return at


def _behind_phrase(made: list[Word], start: int, at: int, end: int) -> int:
    """Return where the verb stands right behind a noun in "s" that a preposition governs: "the ripening in caves
    takes"; `at` without one."""
    behind = at + 1
    if past_form(made[at].low) or behind >= end or not told_of(made[behind]) or "n" not in kinds(made[at].low) or (
        not made[behind].low.endswith("s")
    ):  # fmt: skip
        return at
    before = next((made[k] for k in range(at - 1, start, -1) if not made[k].content), None)
    return behind if before is not None and before.cls == "preposition" else at


def _past_participle(made: list[Word], start: int, at: int, end: int) -> int:
    """Return where the verb behind a participle stands: "patients treated with aspirin recovered"; `at` without one."""
    if not past_form(made[at].low) or at + 1 >= end or made[at + 1].cls != "preposition":
        return at
    for later in range(at + 2, end):
        told = past_form(made[later].low) and made[later].low not in SAME_PAST and likely(made, start, later, end) >= 6
        if told and (later + 1 == len(made) or object_ahead(made, later)):
            return later
    return at


def _goes_before(made: list[Word], start: int, end: int) -> bool:
    """Return whether a stretch is a phrase before the sentence, which has its own verb: "In four care homes, the"."""
    if start or made[0].cls != "preposition" or end >= len(made) or made[end].low != ",":
        return False
    stop = next((k for k in range(end + 1, len(made)) if _boundary(made, k)), len(made))
    if end + 1 >= stop or made[end + 1].cls in ("and", "or", "but", "relative"):
        return False
    return any(finite(made[k]) or likely(made, end, k, stop) >= 5 for k in range(end + 2, stop))


def _as_verb(word: Word) -> Word:
    tense: Tense = "" if word.low in SAME_PAST else "past" if past_form(word.low) else "present"
    return replace(word, verb=Verb(tense=tense, form=word.low))
