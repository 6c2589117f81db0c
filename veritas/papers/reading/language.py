"""Tell the language of a paper by its small words or its script, because the embedded members read only English."""

from __future__ import annotations

import re
from collections import Counter

from veritas.text.stop_words import STOP_WORDS
from veritas.text.wordlist import words

READ = 100_000
"""Characters of a paper that are examined."""
LEAST_WORDS = 40
"""Words a text must have for its language to be told."""
PLAIN = 0.2
"""Share of all words that a language's small words must make up …"""
AHEAD = 2.0
"""… and its least ratio to the share of English ones, since some words are of both."""
VARIETY = 6
"""Different small words that the text must have, since names have one or two."""
SCRIPT = 0.5
"""Share of all letters that must be of one script, for languages told by their script."""

# Some are words of a neighbour too, or of English: the others decide.
_SMALL = {
    "German": words(
        "der die das und nicht ist ein eine einer einem einen dem den des mit von zu auf für im sich auch als bei "
        "nach aus wir sind wurde wurden werden haben dass durch über oder aber zwischen diese dieser zur zum je "
        "um nur noch"
    ),
    "French": words(
        "le la les un une des du de et est sont dans pour par sur que qui avec au aux ce cette ces nous ne pas "
        "plus ont été être entre leur leurs ou mais où comme il elle se sa son"
    ),
    "Spanish": words(
        "el la los las un una unos de del y es son en para por con que se al como más no lo su sus este esta "
        "estos estas entre fue fueron han sin sobre también pero o"
    ),
    "Portuguese": words(
        "o a os as um uma de do da dos das e é são em no na nos nas para por com que se ao à como mais não seu "
        "sua este esta entre foi foram sem sobre também mas ou pela pelo"
    ),
    "Italian": words(
        "il lo la i gli le un una di del della dei delle e è sono in nel nella per con che si al alla come più "
        "non su da dal questo questa tra fra stato stati sono ma anche o"
    ),
    "Dutch": words(
        "de het een en van is zijn in op te dat die met voor niet aan door bij als uit naar ook wij we werd "
        "werden deze dit tussen om over maar of kan worden meer heeft hebben"
    ),
    "Polish": words(
        "i w z na do się nie jest są że oraz od dla po przez przy jako to za o ze tym które który była było"
    ),
    "Swedish": words(
        "och att det som en ett är av för på med den till inte var vi har om från vid de kan eller mellan"
    ),
}
_SCRIPTS = (
    ("Japanese", re.compile(r"[\u3040-\u30ff]")),
    ("Chinese", re.compile(r"[\u4e00-\u9fff]")),
    ("Korean", re.compile(r"[\uac00-\ud7af]")),
    ("Russian or another language in Cyrillic letters", re.compile(r"[\u0400-\u04ff]")),
    ("Greek", re.compile(r"[\u0370-\u03ff]")),
    ("Arabic or another language in Arabic letters", re.compile(r"[\u0600-\u06ff]")),
    ("Hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("Hindi or another language in Devanagari", re.compile(r"[\u0900-\u097f]")),
    ("Thai", re.compile(r"[\u0e00-\u0e7f]")),
)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")


def foreign_language(text: str) -> str | None:
    """Return the language of `text` if it is plainly not English; None for English and if it is not plain."""
    looked = text[:READ]
    letters = len(_LETTER.findall(looked))
    shares = [(len(script.findall(looked)) / max(1, letters), name) for name, script in _SCRIPTS]
    found = Counter(_WORD.findall(looked.casefold()))
    total = sum(found.values())
    by_name = {name: share for share, name in shares}
    if by_name["Japanese"] > 0.1 and by_name["Japanese"] + by_name["Chinese"] > SCRIPT:
        return "Japanese"
    if letters >= LEAST_WORDS and max(shares)[0] > SCRIPT:
        return max(shares)[1]
    if total < LEAST_WORDS:
        return None
    small = sorted(((sum(found[w] for w in theirs) / total, name) for name, theirs in _SMALL.items()), reverse=True)
    best, name = small[0]
    english = sum(found[word] for word in STOP_WORDS) / total
    varied = sum(word in found for word in _SMALL[name]) >= VARIETY
    return name if varied and best >= PLAIN and best >= AHEAD * english else None
