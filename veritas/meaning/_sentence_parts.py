"""Sentences taken apart, to be compared word by word, and their proper names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from veritas.text.quantities import Quantity, quantities
from veritas.text.tokens import normalise
from veritas.text.wordlist import words
from veritas.text.wordnet import parts_of_speech

_MARKUP = re.compile(r"[`*\"“”„«»]+|(?<!\w)'|'(?!\w)")
_N_T = re.compile(r"(?<=\w)n't\b")
_TOKEN = re.compile(r"\x00\d+\x00|\w+(?:[-.'/+:]+\w+)*|[,;:()\[\]!?|\t=]|--+|\.(?=\s|$)")
CLAUSE_ENDS = words(", ; : . ( ) [ ] --")
_LIST_MARKS = words("| [ ] ? ! =") | {"\t"}
_ARTICLES = words("a an the")
NEGATORS = words("not never no")
BE = words("is are was were be been being am")
_DO = words("do does did")
_ELSEWHERE = words(
    """
    our ours us my mine i me we these those here below following above such latter former same another it they them
    he she his her their its there you your yours let's study studies trial trials experiment experiments cohort sample
    samples patients participants respondents subjects survey interview dataset simulation authors paper article
    chapter section figure table example examples e.g for-example suppose imagine say assume assuming hypothetical
    """
)
"""Words by which a sentence speaks of its own document, of a study or of an example, which another cannot know."""
_LEANING = words("it its they them their he his she her one ones and but so then")
"""First words that lean on the sentence before."""
_CHANGING = words(
    """
    now currently today nowadays recently lately new newly changed changes deprecated removed previously formerly
    earlier later before since until once originally initially no-longer anymore yet still already soon used-to
    any-longer upcoming version versions release releases old older latest current
    """
)
"""Words that tell that something was not always so, or will not be."""
SUBORDINATE = words(
    """
    that which who whom whose when if where whenever wherever unless while because whether although though as than to
    so why how what without
    """
)
CONDITIONS = words(
    """
    with for at in on under during after among using given via through from between over across against inside outside
    """
)
_IMPERATIVE = words(
    """
    set use run add create call pass make install import let see note try check change configure define write open start
    stop give put keep choose click go specify enable disable avoid ensure remember consider wait do don't always never
    please select enter type replace increase reduce raise lower
    """
)
_PRESENT = words("is are has have does do can cannot must shall will defaults equals")
PAST = words(
    """
    was were had did grew rose fell led found made gave took became began wrote said went came held kept built met ran
    showed sold won lost cost spent
    """
)
_COMMON_NAMES = words(
    """
    api url urls http https ssl tls json html xml sql cpu ram utc id ids os ui ip tcp udp io ascii utf csv yaml faq
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december english celsius fahrenheit kelvin
    """
)
OF_NO_MEASURE = frozenset({"year", "day", "p", "n"})
"""Units of numbers that say when, or how sure: another number is another case."""
_FRONTED = re.compile(
    r"(?i)(?P<phrase>(?:at|in|on|by|with|under|for|during|after|from)\s+[^,.;:]{1,40}?)(?:,\s+|\s+(?=(?:the|an?)\s))(?P<rest>.+)",
    re.DOTALL,
)
"""A sentence that begins with when or where; it says the same with that at its end."""
_SLOT = "\x00"
OF_THE_PRESENT = re.compile(r"(?!is$|was$|this$|always$|its$|his$|has$)[a-z]{2,}[^s\W]s|has")
_BEHIND_A_VERB = re.compile(r"(?:an?|the|its|each|every|any|all|no|not|\d[\d.,%]*|two|three|four|five|six|ten)$")
VERBS = words(
    """
    has does needs takes uses supports allows lets reduces increases requires retries waits moves enforces provides
    costs holds contains runs reads writes returns accepts ignores stores sends keeps causes prevents raises lowers
    boils defaults includes offers stops starts works creates handles rejects inhibits activates improves
    """
)
_SAID_OF_ONE = words("is has does can will must shall cannot")
_NO_NAMES = SUBORDINATE | CONDITIONS | _ARTICLES | words("no one each every this that it he she there what")
_FILES = "py|md|rst|txt|toml|yaml|yml|json|html|xml|cfg|ini|js|ts|css|csv|log|lock|sh|conf|env|pdf"
_NAME = re.compile(
    r"(?<![\w.])(?:[A-Z][\w'+/-]*|[a-z]+[A-Z]\w*|[A-Za-z]+-?\d[\w-]*"
    r"|[a-z][a-z\d]*_\w+"
    rf"|[a-z][a-z_]+\.(?!(?:{_FILES})\b)[a-z_]\w+)"  # "os.path" names one thing, "setup.py" one of many
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word. `form` is what two mentions must share; `past` tells tenses apart."""

    form: str
    text: str
    past: bool = False
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Apart:
    """A sentence taken apart: its words without articles, "by default" last; `plain` is the set of all its words."""

    words: tuple[Word, ...]
    plain: frozenset[str]


@lru_cache(maxsize=4096)
def take_apart(text: str) -> Apart | None:
    """Return a sentence taken apart; None for one that cannot be compared with another. Such sentences are about their
    own document or study, about a change, an instruction, a question, or a row."""
    plain = _MARKUP.sub(" ", normalise(text).replace("\x00", " ")).strip().rstrip(".")
    plain = _N_T.sub(" not", plain.replace("cannot", "can not").replace("can't", "can not"))
    found = [q for q in quantities(plain) if q.unit not in OF_NO_MEASURE]
    slotted, last = [], 0
    for number, quantity in enumerate(found):
        slotted += [plain[last : quantity.start], f" {_SLOT}{number}{_SLOT} "]
        last = quantity.end
    said = re.sub(r"(?i)\b(?:up|at) (?:to|most|least) (?=\x00)", " ", "".join([*slotted, plain[last:]]))
    said = re.sub(r"(?i)\bfor (?:example|instance)\b", "example", said)
    said = re.sub(r"(?i)\b(used|no|any) (to|longer)\b", r"\1-\2", said)
    said = re.sub(r"(?i)\s*\b,?\s*by default\b,?", "", said, count=1) + (
        " by default" if re.search(r"(?i)\bby default\b", said) else ""
    )
    if fronted := _FRONTED.match(said):
        said = f"{fronted['rest']} {fronted['phrase']}"
    tokens = _TOKEN.findall(said)
    low = [token.casefold() for token in tokens]
    everything = frozenset(low)
    orders = low[:1] and low[0] in _IMPERATIVE and not (tokens[0].istitle() and low[1:2] and low[1] in _SAID_OF_ONE)
    if not low or orders or low[0] in _LEANING or everything & (_ELSEWHERE | _CHANGING | _LIST_MARKS):
        return None
    finite = bool(everything & _PRESENT) or (len(low) > 1 and _third_person(tokens))
    past = everything & PAST or any(t.endswith("ed") and not t.endswith("eed") for t in low)
    if past and not finite and not _dated(plain):
        return None
    made: list[Word] = []
    tense: bool | None = None
    for i, token in enumerate(tokens):
        form = low[i]
        if form in _ARTICLES:
            continue
        if form in _DO and low[i + 1 : i + 2] and low[i + 1] in NEGATORS:
            tense = form == "did"
            continue
        if token.startswith(_SLOT):
            quantity = found[int(token.strip(_SLOT))]
            made.append(Word(_SLOT, plain[quantity.start : quantity.end].strip(), quantity=quantity))
            continue
        if form in NEGATORS:
            made.append(Word("not", token))
            continue
        base, in_past = _folded(form)
        if tense is not None:
            in_past, tense = tense, None
        made.append(Word(base, token, in_past))
    return Apart(tuple(made), everything)


def _third_person(tokens: list[str]) -> bool:
    """Return whether the second word is a verb of the present: "Flowlet retries"."""
    return bool(OF_THE_PRESENT.fullmatch(tokens[1]))


def _dated(text: str) -> bool:
    return any(q.unit in ("year", "day") for q in quantities(text))


def _folded(word: str) -> tuple[str, bool]:
    """Return a word without its inflection, and whether it is in the past."""
    if word in BE:
        return word, False
    if len(word) < 3 or not word.isalpha():
        return word, False
    past = False
    if word.endswith("ied"):
        word, past = word[:-3] + "y", True
    elif word.endswith("ed") and not word.endswith("eed"):
        word, past = word[:-2], True
    elif word.endswith("ies"):
        word = word[:-3] + "y"
    elif re.search(r"(?:x|ch|sh|ss|z)es$", word):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if past and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word, past


@lru_cache(maxsize=4096)
def proper_names(text: str) -> frozenset[str]:
    """Return the proper names of a sentence. Its first word is one if it has a capital, a digit or a dot inside, if it
    is followed by a verb of the present, or if it owns something ("France's")."""
    plain = _N_T.sub(" not", _MARKUP.sub("", normalise(text)).strip())
    found = set()
    for match in _NAME.finditer(plain):
        name = match[0].removesuffix("'s")
        opening = not plain[: match.start()].rstrip() or plain[: match.start()].rstrip()[-1] in ".!?:;"
        telling = any(c.isupper() or c.isdigit() or c in "._" for c in name[1:])
        if opening and not telling and not match[0].endswith("'s"):
            after = plain[match.end() :].split()
            # "Dry pumps" begins with no name, "Flowlet retries a task", "Flowlet is" and "Flowlet needs oil" do.
            if after and after[0] in _SAID_OF_ONE and not parts_of_speech(name):
                found.add(name.casefold())
            if not after or name.casefold() in _NO_NAMES or not OF_THE_PRESENT.fullmatch(after[0]):
                continue
            if after[0] not in VERBS and not _BEHIND_A_VERB.match(" ".join(after[1:2])):
                continue
        if name.casefold() not in _COMMON_NAMES and len(name) > 1:
            found.add(name.casefold())
    return frozenset(found)
