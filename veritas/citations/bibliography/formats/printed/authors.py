"""Authors of a reference in running text: persons in the forms that styles print them in, or a body."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

Form = Literal["inverted", "given-after", "initials-first", "initials-after", "initials-dotted", "given-first", "cjk"]
"""`Lee, A. B.` · `Lee, Ann, Bo Cho` · `A. B. Lee` · `Lee AB` · `Lee A. B.` · `Ann B. Lee` · `李明`."""

MAX_PEOPLE = 3000
"""Limit of authors read from one reference; papers of collaborations have that many."""


class People(NamedTuple):
    """Authors at the beginning of a text: `names` in BibTeX's form (`Family, Given`), `end` behind the last."""

    names: tuple[str, ...]
    others: bool
    end: int
    form: Form

    @property
    def author(self) -> str:
        """The names as BibTeX's author field."""
        return " and ".join((*self.names, *(["others"] if self.others else [])))


_UPPER = "".join(
    re.escape(sign) for sign in map(chr, range(min(sys.maxunicode, 0x2000))) if unicodedata.category(sign) == "Lu"
)
U = f"[{_UPPER}]"
_WORD = rf"{U}[^\W\d_]*(?:['’ʼ]{U}?[^\W\d_]+)?(?:[-‐]{U}?[^\W\d_]+(?:['’][^\W\d_]+)?)*"
_PARTICLE = (
    r"(?:[Vv]an(?: de[rn]?| ’t)?|[Vv]on(?: de[rn]?)?|[Dd]e(?: l[ao]s?)?|[Dd]el|[Dd]ella|[Dd][aiou]|[Dd][ao]s|[Dd]en|der"
    r"|ter|ten|[Ll][ae]|zu[rm]?|af|av|[Ee]l|[Aa]l|[Bb]in|[Bb]en|ibn|v\. ?d\.|St\.|Ste\.)"
)
_FAMILY = rf"(?:{_PARTICLE} |[dDlO]['’])?{_WORD}(?: (?:{_PARTICLE} )?{_WORD})?"
_INITIAL = (
    rf"(?:{U}|Yu|Ya|Zh|Kh|Ch|Sh|Ts|Th|Ph|Wm|Md)\."
    r"(?! (?!(?:and|et|und|y|van|von|de|del|der|di|da|la|le) )[a-z])"  # `E. coli` is nobody
)
_INITIALS = rf"{_INITIAL}(?:[ -‐]?{_INITIAL}){{0,4}}"
_SUFFIX = r"(?:,? (?:Jr|Sr)\b\.?|,? I{2,3}\b)?"
_GIVEN = rf"(?:{U}\. )?{_WORD}(?:[ -](?:{U}\.|{_WORD})){{0,2}}(?: (?:{U}\. ?){{1,3}})?"
_MARKS = r"(?:[*∗†‡§¶]|\s?[¹²³])*"
_NAMES: dict[Form, str] = {
    "inverted": rf"(?P<family>{_FAMILY}), (?P<given>{_INITIALS}|{U}{{1,3}}(?=[,.;:( ]|$)){_SUFFIX}",
    "initials-first": rf"(?P<given>{_INITIALS}) ?(?P<family>{_FAMILY}){_SUFFIX}",
    "initials-after": rf"(?P<family>{_FAMILY}) (?P<given>{U}(?:-?{U}){{0,3}})(?![^\W\d_]){_SUFFIX}",
    "initials-dotted": rf"(?P<family>{_FAMILY}) (?P<given>{_INITIALS})(?=,|;| and| &| \(|$)",
    "given-first": rf"(?P<given>{_GIVEN}|{_INITIALS}) (?P<family>(?:{_PARTICLE} )?{_WORD}){_SUFFIX}",
    "cjk": r"(?P<given>)(?P<family>[\u3400-\u9fff\uac00-\ud7af]{2,5})",
}
_PATTERNS = {form: re.compile(pattern + _MARKS) for form, pattern in _NAMES.items()}
_FIRST_INVERTED = re.compile(
    rf"(?P<family>{_FAMILY}), (?P<given>(?:{_INITIALS}|{_WORD})(?:[ -](?:{_INITIAL}|{_WORD})){{0,2}}){_SUFFIX}{_MARKS}"
)
_LONE = re.compile(rf"({_WORD})(?:, (?:and |& )?| and | & |(?P<end>[.,:]) )")
MORE = (
    r"(?:\bet\.? al\b\.?|(?-i:\b(?:et (?:alii|autres|coll(?:\.|ègues|aborateurs)?)(?!\w)"
    r"|(?:y (?:otr[oa]s|cols?|colaboradores)|e (?:outr[oa]s|altri|colaboradores)|und andere|en anderen|med flera"
    r"|(?:og|och) (?:andre|andra))\b|y cols\.|e (?:cols?|coll)\.|[ue]\. ?a\.|m\. ?fl\.|ym\.|i in\.|a (?:kol|spol)\."
    r"|ve (?:ark|diğ)\.|si colab\.|in dr\.))|и др\.|та ін\.|等)"
)
"""What says that a list of authors goes on, `et al.`, as the languages write it. It has no group of its own."""
_BETWEEN = re.compile(r"\s*(?:;|,)?\s*(?:\b(?:and|und|et|y|и)\b|&)\s*|\s*[;,，、]\s*")
_OTHERS = re.compile(
    r"[,;]?\s*(?:(?:and|&)\s+)?"
    rf"(?:\b(?:and others\b|and \d+ (?:more|others)\b)|{MORE})",
    re.IGNORECASE,
)
_GAP = re.compile(r",?\s*(?:…|\. ?\. ?\.),?\s*(?:&\s*)?")
_EDITORS = re.compile(r",?\s*(?:\((?:eds?|hrsg|editors?)\.?\)|eds?\.|editors?\b)", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:[.,:;(\[“\"‘«„]|$|(?:1[5-9]|20)\d\d)")

_LAST_OF_ALL = re.compile(r"(?:\band|&)\s+\S+(?:\s\S+){0,3}$|\bal\.?$")

NO_NAMES = frozenset(
    "the a an of on for in and or to from with without by at as is are do does how why what when where toward towards"
    " using via data dataset learning theory analysis study survey review guide manual handbook user users version"
    " introduction introducing standard specification report portal documentation model models modelling systems"
    " method methods proceedings journal annals conference workshop symposium letters transactions springer elsevier"
    " wiley press verlag university accessed retrieved available technical working paper thesis dissertation"
    " encyclopedia encyclopaedia dictionary language languages programming network networks online lecture notes"
    " advances science sciences research international national world global chapter section part volume".split()
)
"""Words of titles, venues and bodies that are in no person's name."""
_BODY = re.compile(
    r"\b(?:organi[sz]ations?|institut[eo]?s?|universit(?:y|ies|é|ät)|teams?|groups?|consortium|committee|associations?"
    r"|agency|foundations?|council|ministry|ministère|department|bureau|office|society|commission|union|network"
    r"|collaborations?|corporation|corp|inc|ltd|gmbh|llc|company|bank|nations|authority|cent(?:er|re)s?"
    r"|laborator(?:y|ies)|labs?|developers?|contributors?|board|surveys?|library|services?|administration|academy"
    r"|college|federation|alliance|initiative|programme|partnership|projects?|government|parliament|congress"
    r"|working party|task force|investigators|authors|community|school|hospital|fund|forum|museum|archive)\b",
    re.IGNORECASE,
)
_TITLE_LIKE = re.compile(r"(?:An?|On|Towards?|How|Why|Is|Are|What|Learning|Introduction) ")
_BRAND = re.compile(
    r"[A-Z]{2,8}|[A-Z][a-z]+[A-Z]\w*|[A-Z]\d?[A-Z]"
    r"|(?:Google|Microsoft|Anthropic|Meta|Apple|Amazon|Nvidia|Facebook|Intel|Mozilla)(?: [A-Z]\w+)?"
)


def read_people(text: str) -> People | None:
    """Return the persons that a text begins with, read in the form that reaches furthest; None if there are none."""
    best: People | None = None
    for form in _PATTERNS:
        found = _list(text, form)
        if found and best and best.form == "initials-first" and not _LAST_OF_ALL.search(text[: found.end]):
            continue  # `A. Lee, Adaptive Sampling, …`: what has no initials begins the title, but for an `and`
        if found and (best is None or found.end > best.end):
            best = found
    found = _given_after(text)
    if found and (best is None or found.end > best.end):
        best = found
    return best


def is_body(text: str) -> bool:
    """Return whether words that are no person's name are an organisation's."""
    said = text.strip(" .,;:")
    return 2 <= len(said) <= 120 and not _TITLE_LIKE.match(said) and (
        bool(_BRAND.fullmatch(said)) or (bool(_BODY.search(said)) and said[0].isupper() and len(said.split()) <= 12)
    )


def _list(text: str, form: Form, at: int = 0, before: tuple[str, ...] = ()) -> People | None:
    names = list(before)
    end = at
    for name, until in _run(text, form, at):
        names.append(name)
        end = until
        if len(names) >= MAX_PEOPLE:
            break
    if not names:
        return None
    others = _OTHERS.match(text, end)
    gap = None if others else _GAP.match(text, end)
    if others:
        end = others.end()
    elif gap and (last := next(_run(text, form, gap.end()), None)):
        end = last[1]  # `a, b, … z`: who came before z is not said
    else:
        gap = None
    editors = _EDITORS.match(text, end)
    if editors:
        end = editors.end()
    if not _ENDS.match(text, end) and not (end and text[end - 1] == "." and text[end : end + 1] == " "):
        return None
    return People(tuple(names), bool(others or gap), end, form)


def _run(text: str, form: Form, at: int) -> Iterator[tuple[str, int]]:
    """Yield consecutive names with their ends; a last separator without a name after it is left out."""
    pattern = _PATTERNS[form]
    while True:
        found = pattern.match(text, at)
        if found is not None and _is_name(found, form, text):
            given = " ".join(found["given"].split())
            name, end = (f"{found['family']}, {given}" if given else found["family"]), found.end()
        else:  # a surname whose initials were lost
            lone = _LONE.match(text, at) if at and form in ("initials-first", "inverted") else None
            if lone is None or lone[1].lower() in NO_NAMES or not _is_lone(lone, form, text):
                return
            name, end = lone[1], lone.end(1)
        yield name, end
        between = _BETWEEN.match(text, end)
        if between is None:
            return
        at = between.end()


def _is_lone(lone: re.Match[str], form: Form, text: str) -> bool:
    """Return whether a single word stands between names, or last after an `and`."""
    if lone["end"]:
        return bool(re.search(r"(?:\band|&) $", text[max(0, lone.start() - 5) : lone.start()]))
    following = _PATTERNS[form].match(text, lone.end())
    return following is not None and _is_name(following, form, text)


def _is_name(found: re.Match[str], form: Form, text: str) -> bool:
    said = [word.lower() for word in re.findall(r"[^\W\d_]+", found.group())]
    # `An, W.` and `Wei To` are persons, `An Introduction` is not.
    first = form == "given-first" and len(said[0]) > 1 and said[0] in NO_NAMES
    if first or any(word in NO_NAMES for word in said if len(word) > 3) or (form != "cjk" and len(found["family"]) < 2):
        return False
    initials = found["family"].isupper() and len(found["family"]) <= 3  # `Lee AB`
    if form == "given-first" and (initials or _BODY.search(found.group()) or len(found.group()) > 45):
        return False
    if form in ("given-first", "initials-first", "initials-after"):
        # Only certain signs follow a name; otherwise this is the beginning of a title.
        return any(after.match(text, found.end()) for after in (_ENDS, _BETWEEN, _OTHERS))
    return True


def _given_after(text: str) -> People | None:
    """Read `Lee, Ann, Bo Cho, and Di Du`, where only the first author's name is inverted."""
    first = _FIRST_INVERTED.match(text)
    if first is None or any(word.lower() in NO_NAMES for word in re.findall(r"[^\W\d_]{2,}", first.group())):
        return None
    if _BODY.search(first.group()) or re.search(r"\b[^\W\d_]$", first["family"]):
        return None
    if " " in first["family"] and not re.match(_PARTICLE, first["family"]) and len(first["given"].split()) > 1:
        return None  # `Ann Lee, Bo Cho`: two names
    name = f"{first['family']}, {first['given']}"
    between = _BETWEEN.match(text, first.end())
    forms: tuple[Form, ...] = ("given-first", "initials-first")
    for form in forms:
        more = _list(text, form, between.end(), (name,)) if between else None
        if more and len(more.names) > 1:
            return more._replace(form="given-after")
    others = _OTHERS.match(text, first.end())
    end = others.end() if others else first.end()
    editors = _EDITORS.match(text, end)
    end = editors.end() if editors else end
    if not re.match(r"\s*(?:\.|\(|$)", text[end:]) and text[end - 1] != ".":
        return None
    return People((name,), bool(others), end, "given-after")
