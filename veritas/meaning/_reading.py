"""The reading of a sentence: its words in order, each with what the words of grammar around it say of it.

Auxiliaries, negations and degrees are no words of a reading: they are features of the verb or the adjective that they
belong to. What is left in order are content words, names, quantities, prepositions, conjunctions and marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.meaning._function_words import DO, MODALS
from veritas.meaning._implied import allowed
from veritas.meaning._inversions import straight
from veritas.meaning._tokens import Token, tokens_of
from veritas.meaning._unannounced_verbs import marked
from veritas.meaning._verb_groups import grouped
from veritas.meaning._verb_likelihood import OPENS
from veritas.meaning._vocabulary import bases, frequency, kinds, names_doer
from veritas.meaning._word import Degree, Verb, Word, finite, past_form
from veritas.text._number_context import Bound
from veritas.text.wordlist import words

_DEGREES: dict[str, Degree] = {"more": "more", "less": "less", "most": "most", "least": "least", "too": "too"}
_NO = words("no nobody nothing none neither nowhere")
_ANY = {"no": "any", "nobody": "anyone", "nothing": "anything", "none": "any", "neither": "any", "nowhere": "anywhere"}


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a sentence, with `question` for one that asks and `hard` for what is not read."""

    words: tuple[Word, ...]
    question: bool = False
    hard: str = ""


LONGEST = 120
"""Most tokens of a sentence that is read. The comparison takes the square of it; longer ones are lists and tables that
lost their lines."""


@lru_cache(maxsize=4096)
def read(sentence: str) -> Reading:
    """Return the reading of a sentence."""
    tokens = tokens_of(sentence)
    question = bool(tokens) and tokens[-1].low == "?"
    hard = "row" if any(t.low in ("|", "\t") for t in tokens) or "\t" in sentence else ""
    if len(tokens) > LONGEST:
        return Reading((), question, "long")
    made = grouped(straight(_neither(_degrees(_equals(_got(_but(_little([_word(t) for t in tokens]))))))))
    read_as = tuple(_scopes(_limits(_negations(_clauses(_unless(_lacking(allowed(marked(made)))))))))
    return Reading(read_as, question, hard or ("denied reason" if _denied_reason(read_as) else ""))


def _little(made: list[Word]) -> list[Word]:
    """Read "little" behind an article or a number as an adjective, "a little boy", and "own" behind nothing that owns
    and "provided" as verbs."""
    return [
        replace(w, kind="content", cls="", bases=bases(w.low)) if (w.low == "little" and i and (
            made[i - 1].cls in ("article", "possessive", "demonstrative") or made[i - 1].kind == "number"
            or (made[i - 1].kind == "content" and "a" in kinds(made[i - 1].low))
        )) or (w.low == "own" and i and made[i - 1].cls != "possessive") or (
            w.low == "provided" and _gave(made, i)
        ) else w
        for i, w in enumerate(made)
    ]  # fmt: skip


def _gave(made: list[Word], at: int) -> bool:
    """Return whether "provided" is the verb of its sentence: "the trial provided data"."""
    if not at or not made[at - 1].content or at + 1 >= len(made) or made[at + 1].low == "that":
        return False
    return not any(w.cls == "auxiliary" or w.kind == "mark" or past_form(w.low) or kinds(w.low) == {"v"} for w in (
        made[:at]))  # fmt: skip


_EVERY = words("all every each any no everyone everybody everything everywhere anyone anybody anything anywhere none")


def _but(made: list[Word]) -> list[Word]:
    """Read "everyone but Ann" as "everyone except Ann"."""
    for i in range(1, len(made) - 1):
        if made[i].cls != "but":
            continue
        start = i
        while start and i - start < 5 and (made[start - 1].kind in ("content", "name", "number") or (
            made[start - 1].low in _EVERY or made[start - 1].cls in ("article", "possessive", "preposition")
        )):  # fmt: skip
            start -= 1
        every = next((k for k in range(start, i) if made[k].low in _EVERY), None)
        noun = made[i + 1].kind in ("name", "number") or made[i + 1].cls in ("article", "possessive", "demonstrative", (
            "pronoun")) or "n" in {kind for base in made[i + 1].bases for kind in kinds(base)}  # fmt: skip
        if every is not None and noun and not past_form(made[i + 1].low) and not _own_verb(made, every, i):
            said = replace(made[i], low="except", bases=frozenset({"except"}), cls="condition")
            return [*made[:i], said, *_but(made[i + 1 :])]
    return made


def _own_verb(made: Sequence[Word], every: int, but: int) -> bool:
    """Return whether a clause of its own follows "but": "she sold all of it, but he kept his", "every valve is shut but
    the pump is running"."""

    def verbs(part: Sequence[Word]) -> bool:
        return any(w.cls == "auxiliary" or past_form(w.low) or kinds(w.low) == {"v"} for w in part)

    return verbs(made[every:but]) or (verbs(made[:every]) and verbs(made[but + 1 :]))


_GOT = {"get": "be", "gets": "is", "got": "was", "getting": "being", "gotten": "been"}


def _got(made: list[Word]) -> list[Word]:
    """Read "got stolen" as "was stolen"; "got stolen goods" and "got used to it" stay. Read "once" as an adverb where
    no clause follows."""
    found = list(made)
    for i, word in enumerate(made):
        after = made[i + 1] if i + 1 < len(made) else None
        if word.low in _GOT and after is not None and after.kind == "content" and past_form(after.low):
            behind = made[i + 2] if i + 2 < len(made) else None
            alone = behind is None or not (behind.content or behind.cls in ("article", "possessive"))
            if after.low != "used" and alone:
                be = "been" if i and made[i - 1].low in ("have", "has", "had") else _GOT[word.low]
                found[i] = replace(word, low=be, kind="grammar", bases=frozenset({be}), cls="auxiliary")
        elif word.low == "once" and (
            after is None or after.kind == "mark" or after.low in ("a", "an", "per", "every", "each")
        ):
            found[i] = replace(word, kind="content", cls="")
    return found


def _unless(made: list[Word]) -> list[Word]:
    """Read "unless it rains" as "if it does not rain"."""
    found = list(made)
    for i, word in enumerate(made):
        if word.low == "unless":
            at = next((k for k in range(i + 1, len(made)) if finite(made[k])), None)
            verb = made[at].verb if at is not None else None
            if at is not None and verb is not None:
                found[i] = replace(word, low="if", bases=frozenset({"if"}))
                found[at] = replace(made[at], verb=replace(verb, not_=not verb.not_))
    return found


def _denied_reason(made: Sequence[Word]) -> bool:
    """Return whether it is told why something is not so, but for another reason: "not because …, but because …"."""
    return any(
        made[i].cls == "but" and made[i + 1].cls == "cause" and any(w.verb and w.verb.not_ for w in made[:i])
        for i in range(len(made) - 1)
    )


def _neither(made: list[Word]) -> list[Word]:
    """Read "neither the guard nor the driver was hurt" as "the guard and the driver was not hurt"."""
    for i, word in enumerate(made):
        nor = next((k for k in range(i + 1, len(made)) if made[k].low == "nor"), None)
        if word.low != "neither" or nor is None or any(w.kind == "mark" and w.low != "," for w in made[i:nor]):
            continue
        if any(past_form(w.low) or kinds(w.low) == {"v"} for w in (made[i + 1], *made[nor + 1 : nor + 2])):
            continue  # "neither confirmed nor denied"
        joined = replace(made[nor], text="and", low="and", bases=frozenset({"and"}), cls="and")
        denial = Word("not", "not", "grammar", frozenset({"not"}), "negator")
        verb = next((k for k in range(nor, len(made)) if made[k].cls == "auxiliary"), None)
        if i and made[i - 1].kind == "content" and "v" in {kind for base in made[i - 1].bases for kind in kinds(base)}:
            none = Word("no", "no", "grammar", frozenset({"no"}), "quantifier")  # "contains neither eggs nor milk"
            return [*made[:i], none, *made[i + 1 : nor], joined, *made[nor + 1 :]]
        if i and any(w.cls == "auxiliary" or "v" in kinds(w.low) for w in made[:i]):
            return [*made[:i], denial, *made[i + 1 : nor], joined, *made[nor + 1 :]]
        if verb is None:
            told = next((k for k in range(nor + 2, len(made)) if past_form(made[k].low)), None)
            verb = told - 1 if told is not None else None
        if verb is not None:
            return [*made[:i], *made[i + 1 : nor], joined, *made[nor + 1 : verb + 1], denial, *made[verb + 1 :]]
    return made


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
    """Read "lacks" and "is without" as "does not have", and "lacking" as "without"."""
    found: list[Word] = []
    for i, word in enumerate(made):
        verb, before = word.verb, made[i - 1] if i else None
        if before is not None and before.low == "be" and before.verb is not None and word.low == "without":
            found[-1] = _not_having(before, before.verb)
        elif verb is not None and "lack" in word.bases and not verb.passive and not verb.infinitive:
            found.append(_not_having(word, verb))
        elif word.low == "lacking" and before is not None and before.content:
            found.append(replace(
                word, kind="grammar", low="without", bases=frozenset({"without"}), cls="condition", verb=None
            ))  # fmt: skip
        else:
            found.append(word)
    return found


def _not_having(word: Word, verb: Verb) -> Word:
    return replace(word, low="have", bases=frozenset({"have"}), verb=replace(verb, not_=not verb.not_))


def _word(token: Token) -> Word:
    return Word(token.text, token.low, token.kind, token.bases, token.cls, token.quantity)


def _degrees(made: list[Word]) -> list[Word]:
    """Fold "more", "most", "as" and endings of comparison into the adjective or adverb behind or in them."""
    found: list[Word] = []
    for i, word in enumerate(made):
        after = made[i + 1] if i + 1 < len(made) else None
        if word.low in _DEGREES and after is not None and after.kind == "content" and _gradable(after.low):
            made[i + 1] = replace(after, degree=_DEGREES[word.low], text=f"{word.text} {after.text}")
            continue
        if word.kind == "content" and not word.degree and not ("v" in kinds(word.low) and _supported(made, i)):
            word = _compared(word)
        found.append(word)
    return found


def _supported(made: list[Word], at: int) -> bool:
    """Return whether a word stands behind "do", a modal or "to": "does not lower" is a verb."""
    before = next((w.low for w in reversed(made[:at]) if w.low not in ("not", "never", "also")), "")
    return before == "to" or before in DO or before in MODALS


def _gradable(low: str) -> bool:
    of = kinds(low)
    return bool(of & {"a", "r"}) and ("n" not in of or low.endswith(("ive", "ful", "al", "ic", "ous", "ent", "ant")))


def _compared(word: Word) -> Word:
    low = word.low
    for ending, degree in (("est", "most"), ("er", "more")):
        if low.endswith(ending) or low in ("better", "best", "worse", "worst"):
            graded = [base for base in word.bases if base != low and kinds(base) & {"a", "r"}]
            if "n" in kinds(low) and (
                word.text[:1].isupper() or frequency(low, "n") > 2 or names_doer(low)
            ):
                graded = []  # "Peter", "number"
            if low in ("better", "worse", "best", "worst"):
                of = "good" if low.startswith("be") else "bad"
                return replace(word, bases=frozenset((of,)), degree="more" if low.endswith(("er", "se")) else "most")
            if graded and len(low) - len(ending) > 1:
                return replace(word, bases=frozenset(graded), degree="more" if degree == "more" else "most")
    return word


def _clauses(made: list[Word]) -> list[Word]:
    """Number the clauses. A second verb behind "that" or "who" is the one of the clause around it."""
    found: list[Word] = []
    number, latest, outer, verbs = 0, 0, -1, 0
    for i, word in enumerate(made):
        if i and (
            word.cls in OPENS
            or word.low in (";", ":", "--")
            or (word.cls in ("and", "or") and _clause_ahead(made, i))
            or (word.low == "," and _clause_ahead(made, i))
        ):
            outer = number if word.cls in ("relative", "that") and made[i - 1].content else -1
            latest, verbs = latest + 1, 0
            number = latest
        if finite(word):
            verbs += 1
            if outer >= 0 and verbs == 2 and not any(finite(w) for w in found if w.clause == outer):
                number, outer = outer, -1
        found.append(replace(word, clause=number) if number != word.clause else word)
    return found


def _clause_ahead(made: list[Word], at: int) -> bool:
    """Return whether a verb follows before the next mark or conjunction, and one stands before."""
    for word in made[at + 1 :]:
        if word.verb is not None and not word.verb.infinitive:
            return any(w.verb is not None and not w.verb.infinitive for w in made[:at])
        if word.kind == "mark" or word.cls in ("and", "or", "but", *OPENS):
            return False
    return False


def _negations(made: list[Word]) -> list[Word]:
    """Fold "no", "not" and "never" that stand apart from a verb into the verb of their clause; behind a preposition
    they deny its noun alone and stay."""
    found: list[Word] = []
    for i, word in enumerate(made):
        if word.low in _NO or word.low in ("not", "never"):
            before = made[i - 1] if i else None
            if before is not None and before.cls == "preposition" and word.low == "no":
                found.append(word)
                continue
            verb = _verb_of(made, i, word.low in ("not", "never"))
            if verb is not None and made[verb].verb is not None:
                features = made[verb].verb
                assert features is not None
                if _again(made, i, verb):  # "no eggs and no milk" is one denial
                    continue
                made[verb] = replace(
                    made[verb], verb=replace(features, not_=not features.not_, never=word.low == "never")
                )
                if verb < i:
                    at = next(
                        k for k in range(len(found) - 1, -1, -1) if found[k].low == made[verb].low and found[k].verb
                    )
                    found[at] = made[verb]
                if word.low in _ANY:
                    low = _ANY[word.low]
                    found.append(replace(word, low=low, bases=frozenset((low,)), cls="quantifier", down=True))
                continue
        found.append(word)
    return found


def _again(made: Sequence[Word], at: int, verb: int) -> bool:
    """Return whether a "no" repeats the one before it in a list of what a verb denies."""
    listed = at > 1 and made[at].low == "no" and made[at - 1].cls in ("and", "or", "but")
    return listed and verb < at and any(w.low == "no" for w in made[verb + 1 : at - 1])


_DENIED: dict[Bound, Bound] = {">": "<=", "<": ">="}


def _limits(made: list[Word]) -> list[Word]:
    """Read "may not replace more than three" as "may replace at most three"."""
    found = list(made)
    for at, word in enumerate(made[:-1]):
        number = made[at + 1].quantity
        compared = made[at + 1].low.startswith(("more than", "fewer than", "less than"))
        if word.verb is not None and word.verb.not_ and number is not None and compared:
            found[at] = replace(word, verb=replace(word.verb, not_=False, never=False))
            found[at + 1] = replace(made[at + 1], quantity=replace(number, bound=_DENIED[number.bound]))
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
        down = word.down or inside or restrictor or partner
        found.append(replace(word, down=down) if down != word.down else word)
        if word.verb is not None and word.verb.not_:
            inside = True
    return found
