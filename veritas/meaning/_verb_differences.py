"""The differences of two aligned verbs: denial, modality, tense, and who does it to whom."""

from __future__ import annotations

from veritas.meaning._word import Verb, Word, past_form
from veritas.meaning.relation import Difference

_NONE = Verb()
_ENTAILED_MODAL = {
    ("", "possible"), ("required", "advised"), ("supposed", "possible"), ("asked", ""), ("asked", "advised"),
    ("advised", "asked"), ("required", "asked"),
}  # fmt: skip
"""The modality of the first that entails that of the second. What must be done is not what one may do or leave."""
_FORBIDDING = {("required", "possible"), ("advised", "possible")}
"""Modalities that, both denied, forbid more or less the same."""
_STATES = frozenset({"be", "have", "hold", "live", "belong", "exist", "remain", "serve", "work", "own"})


def of_verbs(a: Word, b: Word) -> list[Difference]:
    """Return the differences of two aligned words that are verbs, without that of denial."""
    one, other = a.verb or _NONE, b.verb or _NONE
    if a.verb is None and b.verb is None:
        return []
    found: list[Difference] = []
    forbidden = (one.modal, other.modal) == ("asked", "required") and one.not_ and other.not_  # "do not", "must not"
    if one.modal != other.modal and (one.modal, other.modal) not in _ENTAILED_MODAL and not forbidden:
        # What cannot be is not.
        if not (one.not_ and other.not_ and one.modal_text in ("can", "could") and not other.modal):
            forbids = one.not_ and other.not_ and (one.modal, other.modal) in _FORBIDDING
            decisive = a.verb is not None and b.verb is not None and not forbids
            found.append(Difference("modality", a.text, b.text, decisive))
    elif one.modal == "asked" and not other.modal and (other.tense != "present" or other.progressive):
        found.append(Difference("modality", a.text, b.text, True))  # what somebody is asked to do
    elif (one.modal != other.modal and one.not_ and "asked" not in (one.modal, other.modal)) or (
        one.modal == other.modal == "possible"
        and one.not_
        and one.modal_text != other.modal_text
        and ({one.modal_text, other.modal_text} != {"may", "might"})
    ):
        found.append(Difference("modality", a.text, b.text, False))
    if (
        a.verb is None
        and not other.infinitive
        and not found
        and a.kind == "content"
        and not (a.low.endswith("ing") or past_form(a.low))
    ):  # "a rewrite" is no "rewrote"
        found.append(Difference("unexplained", a.text, b.text, False))
    if a.verb is not None and b.verb is not None and not found:
        found += _tenses(a, b, one, other)
    if other.never and one.not_ and not one.never:
        found.append(Difference("quantifier", a.text, b.text, False))
    if a.verb is not None and b.verb is not None and one.passive != other.passive and "be" not in (a.low, b.low):
        found.append(Difference("role", a.text, b.text, False))
    return found


def _tenses(a: Word, b: Word, one: Verb, other: Verb) -> list[Difference]:
    mine, theirs = one.tense, other.tense
    if one.infinitive and not other.infinitive:
        return [Difference("modality", a.text, b.text, False)]
    if other.infinitive or mine == theirs or not mine or not theirs or one.modal or other.modal:
        return []
    if {mine, theirs} == {"past", "perfect"} or ((mine, theirs) == ("present", "perfect") and (
        other.progressive or not one.progressive
    )):  # fmt: skip
        return []
    state = b.low in _STATES or bool(b.bases & _STATES)
    decisive = (
        mine == "future"
        or (mine in ("past", "perfect") and theirs == "present" and (state or other.progressive or other.passive))
        or (one.progressive and mine == "present" and theirs in ("past", "perfect"))
    )  # fmt: skip
    return [Difference("tense", a.text, b.text, decisive)]
