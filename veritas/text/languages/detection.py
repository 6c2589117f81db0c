"""Tell the language of a text by its small words or its script."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from veritas.text.stop_words import STOP_WORDS
from veritas.text.wordlist import words

READ = 100_000
"""Characters of a text that are examined."""
LEAST_WORDS = 40
"""Words from which on a text is told by shares of its words; a shorter one, as a question, by counts."""
PLAIN = 0.2
"""Share of all words that a language's small words must make up …"""
AHEAD = 2.0
"""… and its least ratio to the share of English ones, since some words are of both."""
VARIETY = 6
"""Different small words that the text must have, since names have one or two."""
EXAMINED = 8_000
"""Characters that are examined where the language only decides how words are stemmed."""
SCRIPT = 0.5
"""Share of all letters that must be of one script, for languages told by their script."""

# Some are also words of a neighbouring language, or of English: the others decide.
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
# What opens a question, and the words that stand beside it, in texts that are too short for shares.
_ASKING = {
    "German": words(
        "was wie wer wo wann warum weshalb wieso wem wen welche welcher welches welchen welchem wozu ich man wird kann "
        "können muss müssen soll hat gibt es beim vom kein keine diesem diesen einer eines meine mein unter werden bin "
        "wofür womit worin woher ihr ihre sein seine bis ohne wenn weil darf dürfen mich mir"
    ),
    "French": words(
        "qui que où comment pourquoi quand quel quelle quels quelles quoi combien qu ce je on vous tu faut peut doit "
        "fait l n j sans chez donc car si ton mon mes vos votre cet lequel laquelle dont faire"
    ),
    "Spanish": words(
        "qué cómo cuándo dónde quién cuál cuáles cuánto cuántos cuánta cuántas puedo hay hacer tiene está están mi yo "
        "ser del cada desde hasta porque"
    ),
    "Portuguese": words(
        "como qual quais quando onde quem por quê quanto quantos posso está estão eu meu minha tem fazer pelo há"
    ),
    "Italian": words(
        "cosa chi quando dove perché come quale quali quanto quanti posso si ho hai dell nell gli fare"
    ),
    "Dutch": words(
        "hoe waarom wanneer waar wie wat welke welk kan ik je mijn worden moet hoeveel wordt hebben bij geen"
    ),
    "Polish": words("co jak kiedy gdzie kto dlaczego ile który która które czy mogę jaki jaka jakie mój ma można"),
    "Swedish": words("vad hur när var vem varför vilken vilket vilka kan jag är mitt min finns får ska många gör"),
}
_ENGLISH = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|also|then|or|in|on|at|for|to|by|with|from|under|of)\s+)?(?:what|which|who|whom|whose|"
    r"how|why|where|when|does|did|are|could|should|would|have|might|must|explain|describe|compare|list)\b"
)
"""An opening that only an English question has."""
LONG = 200
"""Characters from which on the words of a sentence are counted."""
CLEAR = 2
"""Small words of its own that make a short sentence plainly of another language."""
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
    if script := _by_script(looked, LEAST_WORDS):
        return script
    found = Counter(_WORD.findall(looked.casefold()))
    total = sum(found.values())
    if total < LEAST_WORDS:
        return None
    small = sorted(((sum(found[w] for w in theirs) / total, name) for name, theirs in _SMALL.items()), reverse=True)
    best, name = small[0]
    english = sum(found[word] for word in STOP_WORDS) / total
    varied = sum(word in found for word in _SMALL[name]) >= VARIETY
    return name if varied and best >= PLAIN and best >= AHEAD * english else None


@lru_cache(maxsize=4096)
def language_named(text: str) -> str:
    """Return the language of a text or of a question by its name, as "German"; "" where no word tells it."""
    looked = text[:EXAMINED]
    if len(_WORD.findall(looked)) >= LEAST_WORDS:
        return foreign_language(looked) or "English"
    return _of_few_words(looked, plainly=False)


@lru_cache(maxsize=1 << 14)
def plainly_foreign(sentence: str) -> str:
    """Return the language of a sentence, or of a longer text, that is plainly not English; "" for any other."""
    if len(sentence) > LONG and len(_WORD.findall(sentence)) >= LEAST_WORDS:
        return foreign_language(sentence) or ""
    named = _of_few_words(sentence, plainly=True)
    return "" if named == "English" else named


def _of_few_words(text: str, *, plainly: bool) -> str:
    """Return the language whose small words a short text has most of, "" if it has none.

    A word of two languages is half a word of each. A word that opens a question counts twice. What is `plainly` of
    another language than English has `CLEAR` such words and `AHEAD` times as many as English ones, beside single
    letters, which are variables in a program.
    """
    if script := _by_script(text, 2):
        return script
    if _ENGLISH.match(text):
        return "English"
    listed = [word for word in _WORD.findall(text.casefold()) if len(word) > 1 or not plainly]
    found, first = frozenset(listed), "" if plainly or not listed else listed[0]
    english = len(found & STOP_WORDS)
    best, name = max(
        (sum(1 / _SHARED[w] for w in found & theirs) + (first in _ASKING[name] - STOP_WORDS), name)
        for name, theirs in _OF_SHORT.items()
    )
    if best >= (CLEAR if plainly else 1) and best > english * (AHEAD if plainly else 1):
        return name
    return "English" if english else ""


def _by_script(text: str, least: int) -> str | None:
    """Return the language that most letters of a text are of by their script, if it has at least so many letters."""
    letters = 0 if text.isascii() else len(_LETTER.findall(text))
    if not letters:
        return None
    by_name = {name: len(script.findall(text)) / letters for name, script in _SCRIPTS}
    if by_name["Japanese"] > 0.1 and by_name["Japanese"] + by_name["Chinese"] > SCRIPT:
        return "Japanese"
    share, name = max((share, name) for name, share in by_name.items())
    return name if letters >= least and share > SCRIPT else None


_OF_SHORT = {name: theirs | _ASKING[name] for name, theirs in _SMALL.items()}
_SHARED = Counter(word for theirs in _OF_SHORT.values() for word in theirs)
