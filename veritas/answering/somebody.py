"""Whether a text can answer "who": it names a person, people or an organisation, and says what they did."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.answering.question import GENERIC, Asked
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.sentences import split_sentences
from veritas.text.stop_words import FUNCTION_WORDS, STOP_WORDS
from veritas.text.tokens import index_terms

_WHO = re.compile(
    r"(?i)^(?:\W*(?:and|but|so|also|then|by|from|with|for|to|of|in|at|on|under)\s+)*(?:who|whom|whose|"
    r"(?:what|which) (?:company|companies|person|people|organi[sz]ation|author|foundation|institution|university))"
    r"\b(?:['’]s)?"
)
_WHO_MAY = re.compile(
    r"(?i)\bwh(?:o|om|ich \w+|at \w+) (?:else )?(?:can|may|could|must|should|needs|has to|(?:is|are) (?:allowed|able|"
    r"permitted|authori[sz]ed|entitled))\b"
)
_PERMITS = re.compile(
    r"(?i)\b(?:access|permissions?|permitted|allowed|rights?|privileges?|authori[sz]ed|only|roles?)\b"
)
_FOR_MAKER = re.compile(
    r"(?i)\b(?:(?:is|are|was|were) the |who['’]s the )(?:\w+ )?(?:authors?|creators?|founders?|makers?|inventors?|"
    r"designers?|developers?|maintainers?)\b(?! (?:mode|tool|console|guide|documentation|account))"
)
_MADE = re.compile(
    r"(?i)\b(?:wr(?:ote|ites?|itten)|creat(?:e|es|ed)|found(?:ed|s)|develop(?:s|ed)?|made|makes?|maintain(?:s|ed)?|"
    r"invent(?:s|ed)?|creating|writing|making|designed|authored|built|builds?|started|published|released)\b"
)
_WHOSE = re.compile(r"(?i)^\W*(?:\w+ )?whose (\w+(?: \w+)?)")
_OWNER = re.compile(r"[A-Z][\w-]+['’]s? |\b(?:his|her|own(?:s|ed|er)|belong(?:s|ed))\b")
_ASKS_MADE = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|then) )?(?:"
    r"(?:who(?:['’]s)?|(?:what|which) \w+)(?: (?:is|are|was|has|have|had|first|also|\w+ly))* "
    rf"(?:co-?)?{_MADE.pattern.removeprefix('(?i)')}(?! (?:from|for|of)\b)|"
    rf"by whom (?:is|are|was|were|has|have)\b.* (?:co-?)?{_MADE.pattern.removeprefix('(?i)')}\W*$)"
)
_TOLD = re.compile(
    r"(?i)\b(?:wrote|written|created|founded|develops|developed|made|maintains|maintained|invented|designed|authored|"
    r"built|started|published|released)\b"
)
_MAKER = re.compile(
    r"(?i)\b(?:authors?|creators?|founders?|co-founders?|developers?|makers?|maintainers?|inventors?|designers?|"
    r"copyright|maintainership)\b"
)
_PASSIVE = re.compile(r"(?i)\b(?:was|were|is|are|been|being|be|got)\b")
_NAME = re.compile(r"(?<![\w/.$_-])[A-Z][\w’'-]+(?: (?:(?:de|van|von|of|the) )*[A-Z][\w’'.-]*)*")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]+")
_PLAIN = re.compile(r"(?<![\w./@:-])[a-z][a-z-]+(?![\w./@:]*\w)")
_ANYBODY = frozenset("anyone anybody everyone everybody nobody someone somebody".split())
_AS_ROOT = re.compile(r"\b(?:(?:[Oo]nly|by|as) root\b|root (?:user|can|may|must)\b)")
_BY = re.compile(r"(?i)\b(?:by|with)\s+(?=\S)(?!default\b)")


def may_tell_who(asked: Asked, text: str, heading: str = "", whole: str = "") -> bool:
    """Return whether a text below a heading may answer a question for a person or an organisation: true for any other
    question, and in another language than English. `whole` is what the text is taken from.

    It has to name somebody whom the question does not: by a name, or by a word for a person or an organisation. Where
    the question is for the origin of something ("Who wrote X?"), one sentence has to name somebody and tell the making
    of it, as "X was written by …", "the authors of X". What X itself writes, and what is made of it, is no such. Where
    it is for who may do something, the sentence that names somebody has to speak of doing it, or of a permission.
    """
    if asked.language is not ENGLISH or not _WHO.match(asked.text):
        return True
    told = [text[start:end] for start, end in split_sentences(text)] or [text]
    # A word that stands without a capital, too, is no name: it is a program's at the front of a sentence.
    plain = {word for word in _PLAIN.findall(whole or text) if word.islower() and not wordnet.proper(word)}
    own = {term.stem for term in asked.terms} | {term.word.casefold() for term in asked.terms}
    own |= plain - {word for word in plain if _is_person(word)}
    if _FOR_MAKER.search(asked.text):
        thing = [term.word for term in asked.terms if not _MAKER.fullmatch(term.word)]
        makers = _MAKER.search(heading) is not None
        return any(
            (makers and _somebody(sentence, own) is not None) or _made_by_somebody(sentence, thing, own)
            for sentence in told
        )
    if _ASKS_MADE.search(asked.text):
        thing = [term.word for term in asked.terms if not _MADE.fullmatch(term.word)]
        return any(_made_by_somebody(sentence, thing, own) for sentence in told)
    if _WHO_MAY.search(asked.text):
        return any(_somebody(sentence, own) is not None and _tells_doing(sentence, asked) for sentence in told)
    named = [sentence for sentence in told if _somebody(sentence, own) is not None]
    if (whose := _WHOSE.match(asked.text)) is not None:
        owned = frozenset(index_terms(whose[1]))
        return any(owned & frozenset(index_terms(sentence)) or _OWNER.search(sentence) for sentence in named)
    return bool(named)


def _tells_doing(sentence: str, asked: Asked) -> bool:
    """Return whether a sentence has the first word of what somebody may do, one of its kin, or a word of permission."""
    terms = [term for term in asked.terms if not term.name and term.weight > GENERIC and not _PERMITS.match(term.word)]
    if not terms or _PERMITS.search(sentence):
        return True
    does = terms[0]
    said = frozenset(index_terms(sentence))
    met = sum(term.stem in said or bool(term.kin & said) for term in asked.terms)
    if does.stem in said or does.kin & said or (met > 1 and 2 * met >= len(asked.terms)):
        return True
    low = does.word.casefold()
    return any(
        wordnet.synonyms(low, word) or wordnet.derived(low, word) for word in map(str.lower, _WORD.findall(sentence))
    )


def _is_about(sentence: str, thing: list[str]) -> bool:
    said = sentence.casefold()
    return any(re.search(rf"\b(?:it|its|{re.escape(word.casefold())})\b", said) for word in thing)


def _names_makers(sentence: str, thing: list[str], own: set[str]) -> bool:
    """Return whether a sentence names whom it calls the makers, or calls those of the thing so: "its author, Marta
    Holm", "the maintainers keep the list". That other developers use the thing is no such."""
    for maker in _MAKER.finditer(sentence):
        before, behind = sentence[: maker.start()].split()[-NEAR:], sentence[maker.end() :].split()[: 2 * NEAR]
        if any(_names(name[0], own, opens=False, made=False)
               for part in (before, behind) for name in _NAME.finditer(" ".join(part))):
            return True
        if before and before[-1].lower() in ("the", "its", "our") and _is_about(sentence, thing):
            return True
    return False


def _made_by_somebody(sentence: str, thing: list[str], own: set[str]) -> bool:
    if _somebody(sentence, own) is None:
        return False
    if _names_makers(sentence, thing, own) or _named_with(sentence, thing, own):
        return True
    for by in _BY.finditer(sentence):
        if not (_TOLD.search(" ".join(sentence[: by.start()].split()[-NEAR:])) or sentence[by.end()].isupper()):
            continue  # "interrupted by the user"; "a tragedy by William Shakespeare" needs no verb
        ahead = sentence[: by.start()].split()
        opens = len(ahead) <= NEAR and _is_about(sentence, thing)  # "Written by Marta Holm, tarnish …"
        if not (opens or _PASSIVE.search(" ".join(ahead[-NEAR:])) or _is_about(" ".join(ahead), thing)):
            continue  # "the file maintained by OpenSSH"
        behind = " ".join(sentence[by.end() :].split()[:NEAR])
        if _somebody(f"by {behind}", own) is not None:
            return True
    for made in _MADE.finditer(sentence):
        full = _FULL_NAME.search(" ".join(sentence[: made.start()].split()[-2 * NEAR :]))
        if full is not None and _names(full[1], own, opens=False, made=False):
            return True
    for made in _TOLD.finditer(sentence):
        before = " ".join(sentence[: made.start()].split()[-NEAR:])
        passive = _PASSIVE.search(" ".join(before.split()[-2:]))
        what = " ".join(sentence[made.end() :].split()[: 2 * NEAR]).casefold()
        if not any(re.search(rf"\b(?:it|{re.escape(word.casefold())})\b", what) for word in thing):
            continue
        if not passive and _somebody(before, own) is not None and not _beside(sentence, made, thing):
            return True
    return False


def _named_with(sentence: str, thing: list[str], own: set[str]) -> bool:
    """Return whether a thing is named as somebody's, or in a list of works behind its author: "Plutarch's “Lives”",
    "Hopkins, Michael F. “Lives”"."""
    first = next((word for word in thing if word[:1].isupper()), None)
    if first is None:
        return False
    for found in _OWNS.finditer(sentence):
        named = " ".join(sentence[found.end() :].split()[:NEAR]).casefold()
        if first.casefold() in named and _names(found[1], own, opens=False, made=False):
            return True
    return _LISTED.match(sentence) is not None and first in sentence


_OWNS = re.compile(r"([A-Z]\w+(?: [A-Z]\w+)*)['’]s? [\"'“]?(?:The |the )?")
_LISTED = re.compile(r"\W*[A-Z][a-z’'-]+, [A-Z](?:[a-z]+\b|\.)")
_FULL_NAME = re.compile(
    r"((?:[A-Z][a-z’'-]+ (?:[A-Z]\. )?)+[A-Z][a-z’'-]\w+)"
    r"(?:,? (?:who|has|had|first|originally|also|was responsible for))*$"
)
NEAR = 4
"""Most words between a verb of making, or "by", and whom it names."""


def _beside(sentence: str, made: re.Match[str], thing: list[str]) -> bool:
    """Return whether a verb of making tells the making of something else: the thing is its subject ("restic writes"),
    or only a part of a name of what is made ("created restic repository")."""
    for word in thing:
        before = re.search(rf"(?i)\b{re.escape(word)}\s+((?:[\w’'-]+\s+){{0,2}})$", sentence[: made.start()])
        if before is not None and not _PASSIVE.search(before[1]):
            return True
        behind = re.match(rf"(?i)\s+(?:[\w’'-]+\s+){{0,2}}?{re.escape(word)}\s+([a-z]+)\b", sentence[made.end() :])
        if behind is not None and behind[1] not in FUNCTION_WORDS and "n" in wordnet.parts_of_speech(behind[1]):
            return True
    return False


def _somebody(sentence: str, own: set[str]) -> int | None:
    """Return the offset at which a sentence names somebody beside the question's own words, None if it does not."""
    for found in _NAME.finditer(sentence):
        opens = not sentence[: found.start()].strip(' *>"-')
        label = opens and sentence[found.end() :].startswith(":")
        if not label and not own.issuperset(index_terms(found[0])):
            made = _MADE_BY.search(sentence[: found.start()]) is not None
            if _names(found[0], own, opens=opens, made=made):
                return found.start()
    for found in _WORD.finditer(sentence):
        word = found[0].lower()
        if word in _ANYBODY or (_is_person(word) and word not in own and not _is_part(word, sentence[found.end() :])):
            return found.start()
    root = _AS_ROOT.search(sentence)
    return root.start() if root is not None else None


def _is_part(word: str, behind: str) -> bool:
    """Return whether a word for a person only says what kind of thing the next one is: "the user interface"."""
    after = re.match(r"[ -]([a-z]+)\b", behind)
    if after is None or after[1] in FUNCTION_WORDS or word not in wordnet.lemmas(word, "n"):
        return False
    return "n" in wordnet.parts_of_speech(after[1]) and NOUN * wordnet.frequency(after[1]) <= wordnet.frequency(
        after[1], "n"
    )


_MADE_BY = re.compile(r"(?i)\b(?:by|with)\s+(?:the\s+)?$")


def _names(name: str, own: set[str], *, opens: bool, made: bool) -> bool:
    """Return whether words with capitals may name somebody. `opens`: they open a sentence; `made`: they stand behind
    "by".

    Short forms and words with a capital inside name programs and protocols, unless they stand behind "by" or are known
    names; nor is a word of the dictionary a name, alone, that is none for a person or an organisation.
    """
    spelled = [word for word in name.split() if word.lower() not in _JOINING]
    words = [
        word for at, word in enumerate(spelled)
        if word.casefold() not in own and not (at == 0 and word.lower() in STOP_WORDS)
    ]
    if any(_is_a_name(word, own, opens=opens and word == spelled[0], made=made) for word in words):
        return True
    # A name of words of the dictionary, as "Green Day": not as a label or at the front, where each may be a plain one.
    return len(words) > 1 and not opens and all(word[1:].islower() and word.isalpha() for word in words)


def _is_a_name(word: str, own: set[str], *, opens: bool, made: bool) -> bool:
    plain = _POSSESSIVE.sub("", word).rstrip(".'’")
    low = plain.lower()
    if low in own:
        return False
    if low in STOP_WORDS or low in _NOBODY or len(plain) <= LETTERS or not plain.replace("-", "").isalpha():
        return False
    if any(part.islower() for part in plain.split("-")):
        return False  # "Third-party"
    if plain.isupper():
        return made or wordnet.proper(low)
    if any(map(str.isupper, _INNER.sub("", plain)[1:])) and "-" not in plain:
        return made
    if made or wordnet.proper(low) or not wordnet.parts_of_speech(low):
        return True
    return not opens and _is_person(low)


_POSSESSIVE = re.compile(r"['’]s$")
_INNER = re.compile(r"^(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|O['’])(?=[A-Z])")
"""What a surname may have before a capital."""
LETTERS = 2
"""Letters up to which a short form is nobody's name: "ID", "OS"."""
_JOINING = frozenset("de van von of the".split())
_NOBODY = frozenset(
    "api ftp http https html cli url ascii tcp udp cpu rom id ip gui lan vpn dos unix gmt utc dvd pc pm am led lcd faq "
    "wifi www rna dna gpg pgp ssh tls ssl xml json yaml linux windows macos ios android debian ubuntu fedora freebsd "
    "python java javascript perl ruby rust golang unicode bash internet config configs info env var vars default type "
    "note todo january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday english".split()
)
"""Words with capitals that name no person and no organisation: systems, languages, short forms, months and days."""


@lru_cache(maxsize=4096)
def _is_person(word: str) -> bool:
    """Return whether a word is first of all a noun for a person, people or an organisation."""
    if word in FUNCTION_WORDS or word in _THINGS or word in _ROLES:
        return word in _ROLES
    if NOUN * wordnet.frequency(word) > wordnet.frequency(word, "n"):
        return False
    return wordnet.beneath(word, "person") or wordnet.beneath(word, "organization")


NOUN = 0.7
"""Least share of a word's uses that are a noun's."""
_THINGS = frozenset(
    "server servers client clients host hosts agent agents guide guides master slave source sources character "
    "characters parent parents child children head heads subject subjects page pages reader readers writer writers "
    "player players driver drivers port ports manager managers system systems service services machine machines "
    "group groups type types form forms case cases party object objects individual key keys repository "
    "repositories ref target targets man configuration configurations doc docs layout layouts invalid unit units "
    "browser browsers side sides star printer printers calendar management wizard editor editors branch branches "
    "hierarchy temp checker clone clones model models primitives scanner scanners hood bearer placeholder replacement "
    "chunking compiler compilers favorite proxy proxies username provider providers specifier specifiers utilities "
    "utility companion candidate sample samples".split()
)
"""Words for a person or an organisation that stand for a thing in manuals."""


_ROLES = frozenset(
    "user users owner owners people person team teams company companies community project staff members guest "
    "founder founders author authors maintainer maintainers developer developers administrator administrators admin "
    "admins moderator moderators operator operators".split()
)
"""Words for people that are other words too, or that the dictionary does not have."""
