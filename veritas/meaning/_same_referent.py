"""What a sentence speaks of: proper names, and whether another document's sentence can speak of the same."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.meaning._reading import read
from veritas.meaning._vocabulary import bases, kinds
from veritas.text.quantities import quantities
from veritas.text.tokens import normalise
from veritas.text.wordlist import words
from veritas.text.wordnet import parts_of_speech

_MARKUP = re.compile(r"[`*\"“”„«»]+|(?<!\w)'|'(?!\w)")
_N_T = re.compile(r"(?<=\w)n't\b")
_TOKEN = re.compile(r"\w+(?:[-.'/+:]+\w+)*|[,;:()\[\]!?|\t=]|--+|\.(?=\s|$)")
_ROWS = words("| [ ] ? ! =") | {"\t"}
_ARTICLES = words("a an the")
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
_SUBORDINATE = words(
    """
    that which who whom whose when if where whenever wherever unless while because whether although though as than to
    so why how what without
    """
)
_CONDITIONS = words(
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
_COMMON_NAMES = words(
    """
    api url urls http https ssl tls json html xml sql cpu ram utc id ids os ui ip tcp udp io ascii utf csv yaml faq
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december english celsius fahrenheit kelvin
    """
)
_OF_THE_PRESENT = re.compile(r"(?!is$|was$|this$|always$|its$|his$|has$)[a-z]{2,}[^s\W]s|has")
_BEHIND_A_VERB = re.compile(r"(?:an?|the|its|each|every|any|all|no|not|\d[\d.,%]*|two|three|four|five|six|ten)$")
_VERBS = words(
    """
    has does needs takes uses supports allows lets reduces increases requires retries waits moves enforces provides
    costs holds contains runs reads writes returns accepts ignores stores sends keeps causes prevents raises lowers
    boils defaults includes offers stops starts works creates handles rejects inhibits activates improves
    """
)
_SAID_OF_ONE = words("is has does can will must shall cannot")
_NO_NAMES = _SUBORDINATE | _CONDITIONS | _ARTICLES | words("no one each every this that it he she there what")
_FILES = "py|md|rst|txt|toml|yaml|yml|json|html|xml|cfg|ini|js|ts|css|csv|log|lock|sh|conf|env|pdf"
_NAME = re.compile(
    r"(?<![\w.])(?:[A-Z][\w'+/-]*|[a-z]+[A-Z]\w*|[A-Za-z]+-?\d[\w-]*"
    r"|[a-z][a-z\d]*_\w+"
    rf"|[a-z][a-z_]+\.(?!(?:{_FILES})\b)[A-Za-z_]\w+)"  # "os.path" names one thing, "setup.py" one of many
)


def of_one_thing(first: str, second: str) -> bool:
    """Return whether sentences of two documents are known to speak of the same thing: they share a proper name, and
    each speaks of the world, not of its own document or study, of a change, and is no instruction, question or row."""
    ever = _never(first) or _never(second)  # what never happened did not happen at any time
    return _general(first, ever) and _general(second, ever) and bool(proper_names(first) & proper_names(second))


def _never(text: str) -> bool:
    return any(w.verb is not None and w.verb.never for w in read(text).words)


@lru_cache(maxsize=4096)
def _general(text: str, ever: bool) -> bool:
    plain = _N_T.sub(" not", _MARKUP.sub(" ", normalise(text)).strip().rstrip("."))
    plain = re.sub(r"(?i)\bfor (?:example|instance)\b", "example", plain)
    tokens = _TOKEN.findall(re.sub(r"(?i)\b(used|no|any) (to|longer)\b", r"\1-\2", plain))
    low = [token.casefold() for token in tokens]
    everything = frozenset(low)
    orders = low[:1] and low[0] in _IMPERATIVE and not (tokens[0].istitle() and low[1:2] and low[1] in _SAID_OF_ONE)
    if not low or orders or low[0] in _LEANING or everything & (_ELSEWHERE | _CHANGING | _ROWS):
        return False
    verbs = [w.verb for w in read(text).words if w.verb is not None and not w.verb.infinitive]
    # What happened at no known time may have happened at two.
    return ever or any(v.tense != "past" for v in verbs) or any(q.unit in ("year", "day") for q in quantities(plain))


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
            if after and not parts_of_speech(name) and (after[0] in _SAID_OF_ONE or (
                _OF_THE_PRESENT.fullmatch(after[0]) and any("v" in kinds(base) for base in bases(after[0]))
            )):  # fmt: skip
                found.add(name.casefold())
            if not after or name.casefold() in _NO_NAMES or not _OF_THE_PRESENT.fullmatch(after[0]):
                continue
            if after[0] not in _VERBS and not _BEHIND_A_VERB.match(" ".join(after[1:2])):
                continue
        if name.casefold() not in _COMMON_NAMES and len(name) > 1:
            found.add(name.casefold())
    return frozenset(found)
