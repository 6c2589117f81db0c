"""The verbs of a sentence: auxiliaries folded into the verb that they belong to."""

from __future__ import annotations

from dataclasses import replace

from veritas.meaning._function_words import BE, DO, HAVE, MODALS
from veritas.meaning._tokens import kinds_of_bases
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import SAME_PAST, Tense, Verb, Word, is_adverb, past_form
from veritas.text.wordlist import words

_MERELY = words("only merely just simply solely")


def grouped(made: list[Word]) -> list[Word]:
    """Fold auxiliaries into the verb that they belong to; the copula stays as the verb "be"."""
    found: list[Word] = []
    i = 0
    while i < len(made):
        word = made[i]
        low = word.low
        if low == "to" and i + 1 < len(made) and made[i + 1].kind == "content" and _base_verb(made[i + 1].low) and (
            "n" not in kinds(made[i + 1].low) or _takes_object(made, i + 1)
        ):  # fmt: skip
            made[i + 1] = replace(made[i + 1], verb=Verb(infinitive=True, form="to"))
            i += 1
            continue
        if low not in BE and low not in HAVE and low not in DO and not _modal(word):
            found.append(word)
            i += 1
            continue
        group, between, denied, never = [word], [], False, False
        told = [word]  # the group with its denials, as it is shown
        j = i + 1
        while j < len(made):
            if made[j].low in BE or made[j].low in HAVE or made[j].low in DO or _modal(made[j]):
                group.append(made[j])
                told.append(made[j])
            elif made[j].low == "not" and j + 1 < len(made) and made[j + 1].low in _MERELY:
                j += 1  # "does not merely reduce": it does
            elif made[j].low in ("not", "never"):
                denied, never = not denied, never or made[j].low == "never"
                told.append(made[j])
            elif (is_adverb(made[j]) or made[j].cls in ("change", "hedge", "only", "discourse")) and j + 1 < len(made):
                between.append(made[j])
            else:
                break
            j += 1
        head = made[j] if j < len(made) else None
        verb = _features([w.low for w in group], denied, never)
        last = group[-1].low
        takes = head is not None and head.kind == "content" and _main_of(last, head) and not (
            last in DO and len(group) == 1 and not denied and not between and _done(made, j)
        )  # fmt: skip
        if takes and head is not None:
            passive = last in BE and not head.low.endswith("ing")
            shown = " ".join(w.text for w in (*told, head))
            found.append(replace(head, text=shown, verb=replace(
                verb, passive=passive, progressive=last in BE and not passive, form=head.low)))  # fmt: skip
            found += between
            i = j + 1
            continue
        base = "be" if last in BE else "have" if last in HAVE else "do" if last in DO else ""
        shown = " ".join(w.text for w in made[i:j] if w not in between)
        found.append(Word(shown, base, "content", frozenset((base,)), "", None, replace(verb, form=last)))
        found += between
        i = j
    return found


def _done(made: list[Word], at: int) -> bool:
    """Return whether a word behind "do" is the noun of what is done: "does damage to"; "did raise" has an object."""
    behind = made[at + 1] if at + 1 < len(made) else None
    return "n" in kinds(made[at].low) and (behind is None or behind.cls == "preposition" or behind.kind == "mark")


def _modal(word: Word) -> bool:
    return word.low in MODALS and word.kind == "grammar"


def _base_verb(low: str) -> bool:
    return "v" in kinds(low) or not (kinds(low) or low.endswith("s"))


def _takes_object(made: list[Word], at: int) -> bool:
    after = made[at + 1] if at + 1 < len(made) else None
    return after is None or after.kind in ("content", "name", "number") or after.cls in (
        "article", "possessive", "demonstrative", "pronoun", "quantifier", "preposition"
    )  # fmt: skip


def _main_of(last: str, head: Word) -> bool:
    """Return whether a word is the main verb behind an auxiliary."""
    if last in BE:
        if head.low.endswith("ing"):
            return "v" in kinds_of_bases(head.low) or not kinds(head.low)
        return past_form(head.low) or head.low in SAME_PAST
    return _base_verb(head.low) and not head.degree


def _features(group: list[str], denied: bool, never: bool) -> Verb:
    tense: Tense = "present"
    modal = next((MODALS[w] for w in group if w in MODALS), "")
    text = next((w for w in group if w in MODALS), "")
    if modal == "future":
        tense, modal = "future", ""
    elif group[0] in ("was", "were", "had", "did"):
        tense = "past"
    elif group[0] in ("has", "have") and len(group) > 0:
        tense = "perfect" if len(group) > 1 or group[0] in HAVE else "present"
    return Verb(tense=tense, modal=modal, modal_text=text, not_=denied, never=never)
