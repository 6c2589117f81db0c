"""The reading of a sentence: its words in order, each with what the words of grammar around it say of it.

Auxiliaries, negations and degrees are no words of a reading: they are features of the verb or the adjective that they
belong to. What is left in order are content words, names, quantities, prepositions, conjunctions and marks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from veritas.meaning.function_words import BE, DO, HAVE, MODALS
from veritas.meaning.tokens_of import Kind, Token, kinds_of_bases, tokens_of
from veritas.meaning.vocabulary import bases, frequency, kinds
from veritas.text.quantities import Quantity
from veritas.text.wordlist import words

Tense = Literal["", "past", "present", "future", "perfect"]
Degree = Literal["", "more", "less", "most", "least", "as", "too", "very"]
_DEGREES: dict[str, Degree] = {"more": "more", "less": "less", "most": "most", "least": "least", "too": "too"}
_NO = words("no nobody nothing none neither nowhere")
_ANY = {"no": "any", "nobody": "anyone", "nothing": "anything", "none": "any", "neither": "any", "nowhere": "anywhere"}
_SUBJECTS = words("i you he she it we they who which that there")
_NOUN_BEFORE = frozenset({"article", "possessive", "demonstrative", "quantifier"})
_OPENS = frozenset({"condition", "time", "cause", "concession", "relative", "but", "that"})
_SAME = words(
    "put cut set read let hit cost hurt shut spread beat burst cast shed split bet bid quit rid thrust upset broadcast"
)
"""Verbs whose past is their base form."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What the words around a verb say of it. `modal` is the modal's sense, `not_` its denial; `bare` marks a form
    that no auxiliary and no ending makes finite."""

    tense: Tense = ""
    modal: str = ""
    modal_text: str = ""
    not_: bool = False
    never: bool = False
    passive: bool = False
    progressive: bool = False
    infinitive: bool = False
    form: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a reading. `clause` numbers the clauses; `down` marks a place where a broader word says more: behind a
    negation, in a condition, behind "all"."""

    text: str
    low: str
    kind: Kind
    bases: frozenset[str]
    cls: str = ""
    quantity: Quantity | None = None
    verb: Verb | None = None
    degree: Degree = ""
    clause: int = 0
    down: bool = False

    @property
    def content(self) -> bool:
        """True for a content word, a name or a quantity."""
        return self.kind in ("content", "name", "number")


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a sentence, with `question` for one that asks and `hard` for what is not read."""

    words: tuple[Word, ...]
    question: bool = False
    hard: str = ""


@lru_cache(maxsize=4096)
def read(sentence: str) -> Reading:
    """Return the reading of a sentence."""
    tokens = tokens_of(sentence)
    question = bool(tokens) and tokens[-1].low == "?"
    hard = "row" if any(t.low in ("|", "\t") for t in tokens) or "\t" in sentence else ""
    made = _verbs(_degrees(_equals(_little([_word(t) for t in tokens]))))
    return Reading(tuple(_scopes(_negations(_clauses(_unless(_lacking(_finite(made))))))), question, hard)


def _little(made: list[Word]) -> list[Word]:
    """Read "little" behind an article or a number as an adjective: "a little boy"."""
    return [
        replace(w, kind="content", cls="") if w.low == "little" and i and (
            made[i - 1].cls in ("article", "possessive", "demonstrative") or made[i - 1].kind in ("number", "content")
        ) else w
        for i, w in enumerate(made)
    ]  # fmt: skip


def _unless(made: list[Word]) -> list[Word]:
    """Read "unless it rains" as "if it does not rain"."""
    found = list(made)
    for i, word in enumerate(made):
        if word.low == "unless":
            at = next((k for k in range(i + 1, len(made)) if _finite_at(made, k)), None)
            verb = made[at].verb if at is not None else None
            if at is not None and verb is not None:
                found[i] = replace(word, low="if", bases=frozenset({"if"}))
                found[at] = replace(made[at], verb=replace(verb, not_=not verb.not_))
    return found


def _equals(made: list[Word]) -> list[Word]:
    """Read "three times as fast as" as "three times faster than"."""
    for i in range(1, len(made) - 2):
        number = made[i - 1].quantity
        if made[i].low == made[i + 2].low == "as" and made[i + 1].kind == "content" and number is not None and (
            number.unit == "fold" and number.low > 1
        ):  # fmt: skip
            than = replace(made[i + 2], low="than", bases=frozenset({"than"}), cls="than")
            word = replace(made[i + 1], degree="more", text=f"as {made[i + 1].text}")
            return [*made[:i], word, than, *_equals(made[i + 3 :])]
    return made


def _lacking(made: list[Word]) -> list[Word]:
    """Read "lacks" as "does not have"."""
    return [
        replace(w, low="have", bases=frozenset({"have"}), verb=replace(w.verb, not_=not w.verb.not_))
        if w.verb is not None and "lack" in w.bases and not w.verb.passive and not w.verb.infinitive else w
        for w in made
    ]  # fmt: skip


def _word(token: Token) -> Word:
    return Word(token.text, token.low, token.kind, token.bases, token.cls, token.quantity)


def _is_adverb(word: Word) -> bool:
    return word.kind == "content" and word.low.endswith("ly") and "r" in (kinds(word.low) or {"r"})


def past_form(low: str) -> bool:
    """Return whether a word's form is a past or a past participle."""
    if low.endswith("ed") and len(low) > 3:
        return True
    if low.endswith(("ing", "s")) or low in BE | HAVE | DO:
        return False
    return any(base != low and "v" in kinds(base) for base in bases(low)) and not low.endswith(("er", "est"))


def _degrees(made: list[Word]) -> list[Word]:
    """Fold "more", "most", "as" and endings of comparison into the adjective or adverb behind or in them."""
    found: list[Word] = []
    for i, word in enumerate(made):
        after = made[i + 1] if i + 1 < len(made) else None
        if word.low in _DEGREES and after is not None and after.kind == "content" and _gradable(after.low):
            made[i + 1] = replace(after, degree=_DEGREES[word.low], text=f"{word.text} {after.text}")
            continue
        if word.kind == "content" and not word.degree:
            word = _compared(word)
        found.append(word)
    return found


def _gradable(low: str) -> bool:
    of = kinds(low)
    return bool(of & {"a", "r"}) and ("n" not in of or low.endswith(("ive", "ful", "al", "ic", "ous", "ent", "ant")))


def _compared(word: Word) -> Word:
    low = word.low
    for ending, degree in (("est", "most"), ("er", "more")):
        if low.endswith(ending) or low in ("better", "best", "worse", "worst"):
            graded = [base for base in word.bases if base != low and kinds(base) & {"a", "r"}]
            if low in ("better", "worse", "best", "worst"):
                of = "good" if low.startswith("be") else "bad"
                return replace(word, bases=frozenset((of,)), degree="more" if low.endswith(("er", "se")) else "most")
            if graded and len(low) - len(ending) > 1:
                return replace(word, bases=frozenset(graded), degree="more" if degree == "more" else "most")
    return word


def _verbs(made: list[Word]) -> list[Word]:
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
        j = i + 1
        while j < len(made):
            if made[j].low in BE or made[j].low in HAVE or made[j].low in DO or _modal(made[j]):
                group.append(made[j])
            elif made[j].low == "not":
                denied = not denied
            elif made[j].low == "never":
                denied, never = not denied, True
            elif (_is_adverb(made[j]) or made[j].cls in ("change", "hedge", "only", "discourse")) and j + 1 < len(made):
                between.append(made[j])
            else:
                break
            j += 1
        head = made[j] if j < len(made) else None
        verb = _features([w.low for w in group], denied, never)
        last = group[-1].low
        takes = head is not None and head.kind == "content" and _main_of(last, head)
        if takes and head is not None:
            passive = last in BE and not head.low.endswith("ing")
            shown = " ".join(w.text for w in (*group, head))
            found.append(replace(head, text=shown, verb=replace(
                verb, passive=passive, progressive=last in BE and not passive, form=head.low)))  # fmt: skip
            found += between
            i = j + 1
            continue
        base = "be" if last in BE else "have" if last in HAVE else "do" if last in DO else ""
        if not base:  # a modal whose verb is not known
            if head is not None and head.kind in ("content", "name"):
                found.append(replace(head, verb=replace(verb, form=head.low)))
                found += between
                i = j + 1
                continue
            base = "do"
        shown = " ".join(w.text for w in made[i:j] if w not in between)
        found.append(Word(shown, base, "content", frozenset((base,)), "", None, replace(verb, form=last)))
        found += between
        i = j
    return found


def _modal(word: Word) -> bool:
    return word.low in MODALS and word.kind == "grammar"


def _base_verb(low: str) -> bool:
    return "v" in kinds(low) or not kinds(low)


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
        return past_form(head.low) or head.low in _SAME
    if last in HAVE:
        return past_form(head.low) or head.low in _SAME
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


def _finite(made: list[Word]) -> list[Word]:
    """Mark the verbs that no auxiliary announces."""
    if not made:
        return made
    start = 0
    for i in [*(k for k, w in enumerate(made) if _boundary(made, k)), len(made)]:
        _mark_one(made, start, i)
        start = i
    # a perfect needs a participle: "has three legs" is a present
    return [
        replace(w, verb=replace(w.verb, tense="present")) if w.verb and w.verb.tense == "perfect" and w.low == "have" else w
        for w in made
    ]


def _boundary(made: list[Word], at: int) -> bool:
    word = made[at]
    return at > 0 and (word.low in (";", ":", ",", "(", ")", "--") or word.cls in ("and", "or", *_OPENS))


def _mark_one(made: list[Word], start: int, end: int) -> None:
    """Mark the verb of a stretch without auxiliary: a certain one first, else the likeliest."""
    if made[start].cls in ("relative", "that") and start + 1 < end and made[start + 1].verb is None and (
        _likely(made, start, start + 1, end) >= 6
    ):  # "that feeds the boiler": a verb stands right behind
        made[start + 1] = _as_verb(made[start + 1])
    if made[start].cls in ("relative", "that"):
        own = next((k for k in range(start + 1, end) if _finite_at(made, k)), None)
        if own is not None:
            # "the drug that was tested reduced pain": the verb behind the relative clause
            rest = max(range(own + 1, end), key=lambda k: (_likely(made, own + 1, k, end), -k), default=None)
            free = rest is not None and not any(_finite_at(made, k) for k in range(own + 1, end))
            if rest is not None and free and rest > own + 1 and _likely(made, own + 1, rest, end) >= 6:
                made[rest] = _as_verb(made[rest])
            return
    if any(w.verb is not None and not w.verb.infinitive for w in made[start:end]):
        return
    best, weight = -1, 0
    for i in range(start, end):
        word = made[i]
        if word.kind != "content" or word.verb is not None or word.degree:
            continue
        told = _likely(made, start, i, end)
        if told > weight:
            best, weight = i, told
    if best >= 0:
        made[best] = _as_verb(made[best])


def _object_ahead(made: list[Word], at: int) -> bool:
    after = made[at + 1] if at + 1 < len(made) else None
    return after is not None and (
        after.cls in ("article", "possessive", "demonstrative", "quantifier", "pronoun", "that") or after.kind == "number"
    )


def _finite_at(made: list[Word], at: int) -> bool:
    verb = made[at].verb
    return verb is not None and not verb.infinitive


def _as_verb(word: Word) -> Word:
    tense: Tense = "" if word.low in _SAME else "past" if past_form(word.low) else "present"
    return replace(word, verb=Verb(tense=tense, form=word.low))


def _likely(made: list[Word], start: int, i: int, end: int) -> int:
    """Return how likely a word is the finite verb of its stretch, from 0."""
    word, before = made[i], made[i - 1] if i > start else None
    if word.kind != "content" or word.verb is not None:
        return 0
    of = kinds(word.low) | kinds_of_bases(word.low)
    if of and "v" not in of:
        return 0
    if not of and not word.low.endswith(("s", "ed")):
        return 0
    past, third = past_form(word.low), word.low.endswith("s") and not word.low.endswith(("ss", "us"))
    if word.low.endswith("ing") or (before is not None and (before.cls in _NOUN_BEFORE or before.cls == "preposition")):
        return 0
    if past and before is not None and before.low == "," and i == start + 1 and (
        i + 1 >= end or made[i + 1].cls == "preposition"
    ):  # ", elected in 2010,": a participle
        return 0
    if third and "n" in of and start > 0 and any(_finite_at(made, k) for k in range(start)) and not _object_ahead(made, i) and (
        frequency(word.low, "n") >= frequency(word.low, "v")
    ):  # "reads CSV and XML files"
        return 0
    opener = before is None or before.cls in ("and", "or", "but", "relative", "that") or before.kind == "mark"
    if before is None and not past and not third and start == 0:
        return 1 if of == {"v"} else 0
    if before is not None and before.low in _SUBJECTS:
        return 9
    if past:
        return 8 if "a" not in kinds(word.low) else 6
    if third:
        return (7 if "n" not in of else 5 if not opener else 3)
    if opener and start > 0:
        return 3 if "n" not in of else 2
    if before is not None and (
        before.low.endswith("s") or before.kind == "name" or before.low in ("people", "men", "women", "children")
    ):
        return 5 if "n" not in of and "a" not in of else 4 if "a" not in of else 2
    return 2 if of == {"v"} else 0


def _clauses(made: list[Word]) -> list[Word]:
    """Number the clauses."""
    number, found = 0, []
    for i, word in enumerate(made):
        if (i and (word.cls in _OPENS or word.low in (";", ":", "--") or (word.cls in ("and", "or") and _clause_ahead(made, i)))) or (i and word.low == "," and _clause_ahead(made, i)):
            number += 1
        found.append(replace(word, clause=number))
    return found


def _clause_ahead(made: list[Word], at: int) -> bool:
    """Return whether a verb follows before the next mark or conjunction, and one stands before."""
    for word in made[at + 1 :]:
        if word.verb is not None and not word.verb.infinitive:
            return any(w.verb is not None and not w.verb.infinitive for w in made[:at])
        if word.kind == "mark" or word.cls in ("and", "or", "but", *_OPENS):
            return False
    return False


def _negations(made: list[Word]) -> list[Word]:
    """Fold "no", "not" and "never" that stand apart from a verb into the verb of their clause; behind a preposition
    they deny its noun alone and stay."""
    found: list[Word] = []
    for i, word in enumerate(made):
        if word.low in _NO or (word.low in ("not", "never") and word.cls == "negator"):
            before = made[i - 1] if i else None
            if before is not None and before.cls == "preposition" and word.low == "no":
                found.append(word)
                continue
            verb = _verb_of(made, i, word.low in ("not", "never"))
            if verb is not None and made[verb].verb is not None:
                features = made[verb].verb
                assert features is not None
                made[verb] = replace(made[verb], verb=replace(features, not_=not features.not_, never=word.low == "never"))
                if verb < i:
                    at = next(k for k in range(len(found) - 1, -1, -1) if found[k].low == made[verb].low and found[k].verb)
                    found[at] = made[verb]
                if word.low in _ANY:
                    low = _ANY[word.low]
                    found.append(replace(word, low=low, bases=frozenset((low,)), cls="quantifier", down=True))
                continue
        found.append(word)
    return found


def _verb_of(made: list[Word], at: int, forward: bool) -> int | None:
    clause = made[at].clause
    ahead = [k for k in range(at + 1, len(made)) if made[k].clause == clause and made[k].verb is not None]
    behind = [k for k in range(at - 1, -1, -1) if made[k].clause == clause and made[k].verb is not None]
    if forward:
        return ahead[0] if ahead and ahead[0] - at <= 2 else None
    return behind[0] if behind else ahead[0] if ahead else None


def _scopes(made: list[Word]) -> list[Word]:
    """Mark the places where a broader word says more."""
    found: list[Word] = []
    clause, inside, restrictor, partner = -1, False, False, False
    for word in made:
        if word.clause != clause:
            clause, inside, restrictor = word.clause, word.cls == "condition", False
        if word.kind == "mark":
            restrictor = partner = False
        if word.cls == "than":
            partner = True
        if word.cls == "quantifier" and word.low in ("all", "every", "each", "any", "no", "whole", "entire"):
            restrictor = True
        if word.cls == "only" or word.low == "without":
            restrictor = True
        if word.verb is not None:
            restrictor = False
        found.append(replace(word, down=word.down or inside or restrictor or partner))
        if word.verb is not None and word.verb.not_:
            inside = True
    return found
