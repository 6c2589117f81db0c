"""Names of persons as bibliographies write them, and whether two spellings may be the same person."""

from __future__ import annotations

import re

from veritas.frozen import Frozen
from veritas.text.likeness import ratio
from veritas.text.markup import plain_text
from veritas.works.folding import fold, is_cjk, words

_SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"}
_PARTICLES = {
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "das", "do", "dos", "du", "la", "le", "las", "los",
    "ter", "ten", "te", "zu", "zum", "zur", "af", "av", "al", "el", "bin", "ibn", "ben", "st", "san", "y", "e", "d",
    "'t",
}  # fmt: skip
_CORPORATE = re.compile(
    r"\b(collaborations?|consortium|team|group|committee|organi[sz]ation|network|initiative|society|association|institute"
    r"|university|foundation|agency|ministry|council|commission|laborator(?:y|ies)|inc|corporation|working party)\b",
    re.IGNORECASE,
)
_DBLP_NUMBER = re.compile(r"\s+\d{4}$")
_INITIALS = re.compile(r"^[A-Z]{1,3}$")

NEAR_GIVEN = 75
"""Least similarity (0 to 100) of two given names that may be spellings of one: `Aleksandr`, `Alexander`."""


class PersonName(Frozen):
    """The name of an author. `certain` is False if the split into given and family name was guessed.

    `family` includes its particle (`van der Waals`), `suffix` is `Jr.` or `III`. The text of a name has no suffix, and
    in Chinese, Japanese and Korean script the family name comes first.
    """

    family: str
    given: str = ""
    corporate: bool = False
    certain: bool = True
    suffix: str = ""

    def __str__(self) -> str:
        if self.given and is_cjk(self.family) and is_cjk(self.given):
            return f"{self.family}{self.given}"
        return f"{self.given} {self.family}".strip()

    @property
    def particle(self) -> str:
        """The particle with which the family name begins in lower case (`van der`, `de`); empty if there is none."""
        tokens = self.family.split()
        count = 0
        while not self.corporate and count < len(tokens) - 1 and _is_particle(tokens[count]):
            count += 1
        return " ".join(tokens[:count])


def parse_name(text: str) -> PersonName | None:
    """Parse a name: `Family, Given`, `von Family, Jr., Given`, `Given van Family`, `{Corporate Author}`.

    Return None if `text` holds no letter or digit. DBLP's homonym numbers (`Fei Xia 0002`) are dropped.
    """
    braced = text.strip().startswith("{") and text.strip().endswith("}") and "}" not in text.strip()[1:-1]
    clean = _DBLP_NUMBER.sub("", plain_text(text).strip(" ,;"))
    if not words(clean):
        return None
    if (braced and " " in clean) or _CORPORATE.search(clean):
        return PersonName(family=clean, corporate=True)
    parts = [part.strip() for part in clean.split(",") if words(part)]
    suffix = ""
    if len(parts) > 1 and _is_suffix(parts[-1]):
        suffix = parts.pop()
    if len(parts) > 2 and _is_suffix(parts[1]):
        suffix = parts.pop(1)
    family, within = _suffix_apart(parts[0])
    suffix = suffix or within
    if len(parts) > 1:
        return PersonName(family=family, given=" ".join(parts[1:]), suffix=suffix)
    name = _unstructured(family)
    return name.model_copy(update={"suffix": suffix}) if suffix else name


def corporate_name(text: str) -> PersonName | None:
    """Return a name that its source marks as an organisation; None if it contains no letter or digit."""
    clean = plain_text(text).strip(" {},;")
    return PersonName(family=clean, corporate=True) if words(clean) else None


def structured_name(family: str | None, given: str | None, suffix: str | None = None) -> PersonName | None:
    """Return a name from its parts, family, given and suffix (Crossref, DataCite); None if there is no name."""
    family_text, given_text = plain_text(family or ""), plain_text(given or "")
    if not words(family_text):
        return parse_name(given_text) if given_text else None
    bare, within = _suffix_apart(family_text.strip(" ,"))
    return PersonName(family=bare, given=given_text, suffix=plain_text(suffix or "").strip(" ,") or within)


def _is_particle(token: str) -> bool:
    return token[0].islower() and (token in _PARTICLES or token.rstrip("'’") in _PARTICLES or token == "’t")


def _is_suffix(text: str) -> bool:
    return fold(text).replace(".", "").strip() in _SUFFIXES


def _without_suffix(text: str) -> str:
    return _suffix_apart(text)[0]


def _suffix_apart(text: str) -> tuple[str, str]:
    """Return a name without its suffix, and the suffix."""
    tokens = text.replace(",", " ").split()
    end = len(tokens)
    while end > 1 and _is_suffix(tokens[end - 1]):
        end -= 1
    return " ".join(tokens[:end]), " ".join(tokens[end:])


def _unstructured(text: str) -> PersonName:
    tokens = [token for token in text.split() if words(token)]
    if len(tokens) == 1:
        return PersonName(family=tokens[0], certain=False)
    if _INITIALS.match(tokens[-1]) and any(any(sign.islower() for sign in token) for token in tokens[:-1]):
        return PersonName(family=" ".join(tokens[:-1]), given=tokens[-1], certain=False)  # `Wakefield AJ`
    if is_cjk(text):
        return PersonName(family="".join(tokens), certain=False)
    start = len(tokens) - 1
    for at in range(1, len(tokens) - 1):
        if tokens[at].lower() in _PARTICLES and tokens[at][0].islower():
            start = at
            break
    return PersonName(family=" ".join(tokens[start:]), given=" ".join(tokens[:start]), certain=False)


def normalise_surname(name: str) -> str:
    """Return a family name as section 5.2 compares it: folded, without accents, hyphens and suffixes such as `Jr.`."""
    return "".join(words(_without_suffix(plain_text(name))))


def family_keys(name: PersonName) -> frozenset[str]:
    """Return every folded form of the family name: whole, without particles, with umlauts spelt out."""
    keys: set[str] = set()
    for spelt_out in (False, True):
        tokens = words(name.family, spelt_out=spelt_out)
        keys.add("".join(tokens))
        keys.add("".join(token for token in tokens if token not in _PARTICLES) or "".join(tokens))
    return frozenset(keys - {""})


def all_tokens(name: PersonName) -> tuple[str, ...]:
    """Return the folded words of the whole name, given names first."""
    return words(f"{name.given} {name.family}")


def same_family(one: PersonName, other: PersonName) -> bool:
    """Return whether the family names agree, allowing for a guessed split (`Ramon Matas Navarro`) and any order."""
    if family_keys(one) & family_keys(other):
        return True
    if not (one.given and other.given) and is_cjk(one.family) and is_cjk(other.family):
        return _whole_cjk(one) == _whole_cjk(other)  # one source writes the whole name as one word
    mine, theirs = all_tokens(one), all_tokens(other)
    if sorted(mine) == sorted(theirs) and len(mine) > 1:
        return True
    for name, tokens in ((one, theirs), (other, mine)):
        family = words(name.family)
        if len(family) > 1 and tokens[-len(family) :] == family:
            return True
    # a double name of which one source keeps only the last part: `Hernández-Lobato`, `Lobato`
    last_one, last_other = words(one.family)[-1:], words(other.family)[-1:]
    if not last_one or last_one != last_other or len(last_one[0]) < 4:
        return False
    return compatible_given(one, other, strict=True)


def _whole_cjk(name: PersonName) -> str:
    return "".join((*words(name.family), *words(name.given)))


def compatible_given(one: PersonName, other: PersonName, *, strict: bool = False) -> bool:
    """Return whether the given names may belong to one person: equal, initials of each other, or one of several.

    A missing given name is compatible with any, unless `strict`.
    """
    mine, theirs = words(one.given), words(other.given)
    if not mine or not theirs:
        return not strict
    if "".join(mine) == "".join(theirs) or sorted(all_tokens(one)) == sorted(all_tokens(other)):
        return True
    if _initials_of(mine, theirs):
        return True
    joined = "".join(mine), "".join(theirs)  # `AJ` for `Andrew James`, `Jin` for `Jin-Hwi`
    initials = "".join(token[0] for token in mine), "".join(token[0] for token in theirs)
    if len(joined[0]) > 1 and len(joined[1]) > 1 and (joined[0] == initials[1] or joined[1] == initials[0]):
        return True
    return joined[0].startswith(joined[1]) or joined[1].startswith(joined[0])


def given_names_differ(one: PersonName, other: PersonName) -> bool:
    """Return whether two persons of one surname have different given names, both written out: `Xuefeng`, `Xueyan`.

    Initials, short forms, another order and near spellings are no difference.
    """
    mine = [word for word in words(one.given) if len(word) > 2]
    theirs = [word for word in words(other.given) if len(word) > 2]
    if not mine or not theirs or "".join(words(one.given)) == "".join(words(other.given)):
        return False
    if sorted(all_tokens(one)) == sorted(all_tokens(other)):
        return False

    def near(a: str, b: str) -> bool:
        return a.startswith(b) or b.startswith(a) or ratio(a, b) >= NEAR_GIVEN

    joined = "".join(mine), "".join(theirs)
    return not near(*joined) and not any(near(a, b) for a in mine for b in theirs)


def _initials_of(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return whether the first given name of one matches some given name of the other."""

    def agree(a: str, b: str) -> bool:
        if len(a) == 1 or len(b) == 1:
            return a[0] == b[0]
        return a.startswith(b[:3]) or b.startswith(a[:3])

    return any(agree(mine[0], token) for token in theirs) or any(agree(theirs[0], token) for token in mine)


def same_person(one: PersonName, other: PersonName) -> bool:
    """Return whether two spellings may be one person (or one corporate author)."""
    if one.corporate or other.corporate:
        mine, theirs = set(all_tokens(one)) - {"the"}, set(all_tokens(other)) - {"the"}
        return bool(mine and theirs) and (mine <= theirs or theirs <= mine)
    return same_family(one, other) and compatible_given(one, other)
