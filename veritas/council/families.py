"""Families, and the rule of who may judge whom (I4).

A family is a string. Members and lenses without a language model count by mechanism, `embedded:<strategy>`; towards a
language model they are all one family, `embedded`, because they share one author and one method. A language model's
family is the organisation that trained it: two models of one organisation share data and errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from veritas.council._llm_providers import HOUSES, SERVERS, lab_of, provider_of

EMBEDDED = "embedded"
PERSON = "person"
"""Family of a person's text; it differs from every other family."""
UNTOLD = "untold"
"""Family of a language model whose trainer is unknown: it may be any family."""

_BLANK = frozenset(
    "untold unknown none null na any other others local localhost selfhosted own custom private default misc mixed "
    "various unnamed undefined tbd llm model models lm ai".split()
)
"""Names that identify no organisation."""
_TRIMMINGS = frozenset("inc llc ltd corp company gmbh labs lab research ai team family models model llm".split())
_TELLING = frozenset({"gpt", "qwen", "grok"})
"""Short names that are part of no other word."""
_OWN_SERVERS = frozenset({"microsoft", "amazon", "nvidia"})
"""Houses that also serve other houses' models under a name of their own."""
_DERIVED = re.compile(r"distill|merge|finetune|dolphin|hermes|openchat|vicuna|wizard|zephyr|sonar|tulu")
"""Models made from another house's."""


@lru_cache(maxsize=1024)
def family_of(name: str) -> str:
    """Return the family that a name identifies, in any spelling: `OpenAI`, `gpt` and `openai/o3` are one.

    An unknown organisation's name is a family of its own, in lower case and without signs. `UNTOLD` for a name that
    does not identify who trained the model, or names two organisations; "" for an empty name.
    """
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    if plain.startswith(EMBEDDED + ":") or plain in (EMBEDDED, PERSON):
        return plain
    words = re.findall(r"[^\W_]+", plain)
    joined = "".join(words)
    if not joined:
        return ""
    if _DERIVED.search(joined):
        return UNTOLD
    houses = _houses(words, joined)
    if len(houses) == 1:
        return houses.pop()
    nobody = "/" in plain or joined in _BLANK or _BLANK.issuperset(words) or not SERVERS.isdisjoint((joined, *words))
    if houses or nobody:
        return UNTOLD
    kept = [word for word in words if word not in _TRIMMINGS]
    return "".join(kept) or UNTOLD


def _houses(words: list[str], joined: str) -> set[str]:
    """Return the organisations that a name mentions: as a word, as two separate words, or as part of a longer word."""
    if joined in SERVERS:
        return set()
    served = [server for server in SERVERS if server in words or (len(server) > 5 and server in joined)]
    for server in sorted(served, key=len, reverse=True):
        joined = joined.replace(server, " ")
    bare = (re.sub(r"\d+\w*$", "", word) for word in words)
    said = {*words, *bare, *map("".join, pairwise(words))} - SERVERS
    found = {
        house
        for house, names in HOUSES.items()
        if not names.isdisjoint(said) or any(name in joined for name in names if len(name) > 4 or name in _TELLING)
    }
    return found - _OWN_SERVERS if served else found


def is_embedded(family: str) -> bool:
    """Return whether the family works without a language model."""
    family = family_of(family)
    return family == EMBEDDED or family.startswith(EMBEDDED + ":")


def _of_a_model(family: str) -> bool:
    return family != PERSON and not is_embedded(family)


def may_judge(judge: str, author: str) -> bool:
    """Return whether a judge's family differs from the author's (I4).

    An unnamed family judges nobody and is judged by nobody. A language model does not judge another one if both may be
    of one organisation.
    """
    judge, author = family_of(judge), family_of(author)
    if UNTOLD in (judge, author) and _of_a_model(judge) and _of_a_model(author):
        return False
    return bool(judge) and bool(author) and judge != author


def voice(judge: str, *, author: str) -> str:
    """Return the family that a judge counts as towards `author`'s claim: towards a language model all embedded ones are
    one."""
    judge, author = family_of(judge), family_of(author)
    return EMBEDDED if is_embedded(judge) and not (is_embedded(author) or author == PERSON) else judge


def voices(judges: Iterable[str], *, author: str) -> int:
    """Return the number of certainly different families among the judges: an unidentified one may be any of the others.
    """
    heard = {voice(judge, author=author) for judge in judges}
    return len(heard) - (UNTOLD in heard and any(_of_a_model(one) for one in heard - {UNTOLD}))


def one_family(author: str, judges: Iterable[str]) -> bool:
    """Return whether the author is a language model and no judge is certainly a language model of another family."""
    return _of_a_model(author) and not any(_of_a_model(judge) and may_judge(judge, author) for judge in judges)


def known_family(model: str, base_url: str | None = None) -> str | None:
    """Return the family of a model that its own organisation serves; None if the council file must state it.

    Behind another base URL, or at a provider that serves models of several organisations, a name proves nothing. An
    organisation may serve another's model: that model's family is the one its name identifies.
    """
    provider = provider_of(model)
    if base_url or provider is None or provider.family is None:
        return None
    return lab_of(model) or provider.family
