"""Reads authors, title, year and venue from a printed reference. What is uncertain is left empty."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from veritas.citations.bibliography.formats.printed.authors import People, is_body, read_people

_READ = (
    r"(?:last |zuletzt |page |último )?(?:accessed|retrieved|visited|viewed|consulted|acesso|acessad[oa]|consultad[oa]"
    r"|consulta|recuperado|accedido|fecha de (?:consulta|acceso)|acceso|consultée?|visitée?|abgerufen|aufgerufen"
    r"|zugriff|zugegriffen|abruf|eingesehen|consultat[oa]|accesso|visitato|geraadpleegd|bezocht|hämta[dt]|åtkomst|besøgt|hentet"
    r"|viitattu|data dostępu|dostęp|дата (?:обращения|звернення)|erişim(?: tarihi)?|访问日期|引用日期|參照|参照)"
    r"|(?<=\[)(?:cited|cit\.)"
)
_SMALL = r"(?:on|the|of|em|no dia|el|día|del?|le|la|am|vom|den|d|il|op|dnia)"
_MONTH = r"[^\W\d_]{3,11}"
_DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|º|ª)?\W{{1,3}}(?:{_SMALL} )?(?:{_MONTH}|\d{{1,2}})"
    rf"|{_MONTH}(?:\W{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?)?)"
)
_WHEN = re.compile(
    rf"(?<![^\W_])(?:{_READ})(?![^\W\d_])\W{{0,3}}(?:{_SMALL}\W{{1,2}}){{0,2}}"
    rf"(?:{_DAY}\W{{1,3}}(?:{_SMALL} )?)?(?:19|20)\d\d(?!\d)"
    r"(?:[-–/]\d\d?){0,2}(?: [A-Z][a-z]{2,8}\.? \d{1,2}(?!\d))?"
    r"(?:\W{1,2}(?:from|de|em|at|von)(?=\W{1,2}(?:https?:|doi\b)))?"
    r"|\[(?:19|20)\d\d-\d\d?-\d\d?\]",
    re.IGNORECASE,
)
"""`Accessed: 3 May 2024`, `Acesso em: 3 mai. 2024`, `consulté le 3 mai 2024`, `[2024-05-03]`."""
_WHERE = re.compile(
    r"\b(?:available|retrieved|accessible|disponível|disponible|recuperado|verfügbar|abrufbar|disponibile|beschikbaar)[^\w<]{0,2}"
    r"(?:(?:online|on-line|at|from|em|en|de|unter|under|in|sur|à l['’]adresse|a|su|op)\b[^\w<]{0,3}){0,2}"
    r"(?=<?(?:https?://|doi\b|10\.\d{4}))",
    re.IGNORECASE,
)
"""`Available at: https://…`, `Disponível em: <https://…`."""
_TELLING = re.compile(
    r"accessed|ac+es+[ao]|acced|retriev|visit|viewed|consult|recuperad|rufen|abruf|zug[re]|gesehen|raadpleegd|bezocht"
    r"|hämta|åtkomst|besøgt|hentet|viitattu|dostęp|дата|erişim|日期|参照|參照|\[cit|\[20|available|accessible|dispon|verfügb"
    r"|beschikb"
)


@lru_cache(maxsize=2048)
def without_access(said: str) -> str:
    """Return a reference without its access note, because a year in the note is not the work's."""
    if not _TELLING.search(said.lower()):
        return said
    return _WHERE.sub(" ", _WHEN.sub(" ", said))


NUMBERED = re.compile(
    r"\d+ ?\([\w–-]{1,9}\)|\bvol(?:ume|\.) ?\d|\bno\. ?\d|\bpp?\. ?[A-Za-z]?\d|\bpages? \d|\d ?[-–—] ?\d"
    r"|\b\d{1,4} ?: ?[A-Za-z]?\d|;\d+",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:proceedings|proc\.|conference|symposium|workshop|journal|transactions|letters|annals|advances in|arxiv|corr"
    r"|preprint|biorxiv|medrxiv|review)\b",
    re.IGNORECASE,
)
PRESS = re.compile(r"\b(?:press|verlag|publish(?:ers|ing)|books|edition|\d(?:st|nd|rd|th) ed)\b", re.IGNORECASE)
THESIS = re.compile(
    r"\b(?:ph\.? ?d\.?|master'?s?|m\.? ?sc\.?|doctoral|bachelor'?s?)[ -](?:thesis|dissertation)|\bdissertation\b",
    re.IGNORECASE,
)
_REPORT = re.compile(r"\b(?:technical report|tech\. ?rep|working paper|white ?paper)\b", re.IGNORECASE)
URL = re.compile(r"https?://\S+|\bwww\.\S+")


def kind_of(rest: str, persons: bool, author: str, text: str) -> str:
    """Return the BibTeX type of a reference. It is `article` only if there are persons, and an identifier, numbers of a
    volume or pages, or a word such as "proceedings"."""
    if THESIS.search(rest):
        return "phdthesis"
    if _REPORT.search(rest) or (author and not persons):
        return "techreport"
    known = re.search(r"\barxiv\b|\b10\.\d{4,9}/", text, re.IGNORECASE)
    paper = bool(known or NUMBERED.search(rest) or _PUBLISHED.search(rest))
    if PRESS.search(rest) and not (NUMBERED.search(rest) and _PUBLISHED.search(rest)):
        return "book"
    if paper and persons:
        return "article"
    return "online" if URL.search(text) else "misc"


_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_DATED = re.compile(
    rf"[\s.,:;]*[(\[]\s*(?:(?P<year>{_YEAR})[a-z]?(?:[,/–-][^()\[\]]{{0,30}})?|n\.\s?d\.|in press|forthcoming"
    r"|to appear)\s*[)\]][.,:;]*\s*",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"[\s.,]*\(\s*(?:\d{{1,2}} )?[A-Z][a-z]{{2,8}}\.?(?: \d{{1,2}},?)? (?P<year>{_YEAR})[a-z]?\s*\)[.,:;]?\s*"
)
_BARE_DATE = re.compile(rf"[\s.,;]*(?P<year>{_YEAR})[a-z]?[.:,]\s+")
_IMPRINT = re.compile(rf" \([^()]{{3,90}}, {_YEAR}\)")
_DATE_FIRST = re.compile(rf"(?:(?P<body>[^.]{{2,120}}?)\.? )?(?P<year>{_YEAR})[a-z]?\. (?=\S)")
_IN = re.compile(r", in: (?=[^\W\d_])|, in (?=Proc|Advances|[A-Z][\w ]{0,30}(?:Conference|Symposium|Workshop))")
_QUOTES = {"“": "”", '"': '"', "„": "“”", "«": "»", "‘": "’", "'": "'", "”": "”"}
_QUOTE_OPEN = re.compile(r"\s*(``|[“\"„«‘'”])(?=\S)")
_ABBREVIATED = frozenset(
    "vs no vol pp p ed eds st dr mr mrs ms prof fig cf ca al inc ltd jr sr dept univ proc conf int trans approx ver"
    " sect ch art e.g i.e etc rep tech natl assoc ser suppl nr bd ph d.c u.s u.k".split()
)
_STOP = re.compile(r"(?P<mark>[.?!][”’\"')\]]?)\s+(?=\S)")
_GO_ON = re.compile(r"[^\W_]|[“\"„«‘(\[*]")
_VENUE = re.compile(
    r"^(?:[Ii]n:? |[Ii]n$|Proc\b|Proceedings\b|Journal\b|J\. |Int\. |IEEE Trans|ACM Trans|Trans\. |Transactions\b"
    r"|Adv\. |Advances in"
    r"|Annals\b|Ann\. |arXiv\b|CoRR\b|bioRxiv|medRxiv|Ph\.? ?D|Master|M\.?Sc|Doctoral|Dissertation"
    r"|Tech(?:nical|\.) [Rr]ep"
    r"|[Vv]ol(?:ume|\.) ?\d|[Nn]o\. ?\d|pp?\. ?\d|pages \d|https?:|www\.|doi\b|DOI\b|URL\b|Available|Retrieved"
    r"|Accessed|Springer|Elsevier|\d+ ?\(\d+\))",
)
_NAMED = re.compile(
    r"\b(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)10\.\S+|\barXiv:\s*\S+(?:\s*\[[\w.-]+\])?|\b10\.\d{4,9}/\S+"
    r"|\bURL:?(?=\s)|\b(?:PMID|PMCID|ISBN|ISSN):? ?[\w-]+",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"\s*\[(?:[A-Z]{1,3}(?:/OL)?|[Dd]ata ?[Ss]et|[Cc]omputer software|[Oo]nline|Web page|Preprint)\]\.?"
    r"|\s*\((?:\d\w* ed\.|Version [\w.]+)\)$"
)
_NO_DATE = re.compile(r"\d+ ?[-–—] ?\d+|(?:accessed|retrieved|visited|cited)[^.;]*", re.IGNORECASE)
_AUTHORISH = re.compile(r"\bet al\b|(?:^|[ ,])[A-Z]\.(?: ?[A-Z]\.)* |, [A-Z]\.|[A-Z][a-z]+ [A-Z]{1,2}, | & ")
_NO_TITLE = re.compile(
    rf"^(?:and\b|&|al\.)|, ?[,:]|\bet al\b|\({_YEAR}[a-z]?\)|\bpp\. ?\d|\bvol\. ?\d|\[\d+\]|[a-z]- [a-z]"
)
_AFTER_VENUE = re.compile(rf",\s*(?:vol|pp?\b|no\b|\d|page)|\s\(?\d{{1,4}}\b|\(?\b{_YEAR}\b|\(pp")

MAX_REFERENCE = 12000
"""Limit in characters of a reference; the rest, after about a hundred authors, is not read."""


class Parts(NamedTuple):
    """The parts of a reference. `author` is a BibTeX field. `author` and `title` are empty if uncertain. `kind` is
    the BibTeX type, `misc` if the reference may not be to a paper."""

    author: str
    title: str
    year: str
    venue: str
    kind: str


def bare_text(text: str) -> str:
    """Return a reference on one line without identifiers and marks of emphasis."""
    return " ".join(_NAMED.sub(" ", text[:MAX_REFERENCE]).replace("*", " ").replace("_", " ").split())


def read_parts(text: str) -> Parts:
    """Return the parts of a reference. An uncertain part is empty, so that no registry is asked for it."""
    bare = bare_text(text)
    people = read_people(bare)
    before, after, year = _date(bare, people)
    author, title, rest, sure = _author_and_title(bare, people, before, after, year)
    title = _ADDED.sub("", title).strip(" ,.;:")
    if dated := re.search(rf"; ({_YEAR})$", title):
        title, year = title[: dated.start()], year or dated[1]
    known = sure and _believable(title)
    year = year or _year(rest or bare)
    body = URL.sub(" ", rest)
    return Parts(
        author=author if known else "",
        title=title if known else "",
        year=year,
        venue=_venue(body) if known else "",
        kind=kind_of(body, bool(people), author, text),
    )


def _date(bare: str, people: People | None) -> tuple[str, int, str]:
    """If a date precedes the title, return the text before the date, the start of the title, and the year. Otherwise
    return the authors, the likely start of the title, and ""."""
    if people:
        for pattern in (_DATED, _MONTH_FIRST, _BARE_DATE):
            if found := pattern.match(bare, people.end):
                return bare[: people.end], found.end(), found.groupdict().get("year") or ""
        return bare[: people.end], people.end, ""
    found = _DATE_FIRST.match(bare)
    if found and (not found["body"] or is_body(found["body"])):  # `2018. Title.`, `Body. 2018. Title.`
        return found["body"] or "", found.end(), found["year"]
    found = _DATED.search(bare[:400])
    if found and found.end() < len(bare) - 8 and not _QUOTE_OPEN.match(bare):
        return bare[: found.start()], found.end(), found.groupdict().get("year") or ""
    return "", 0, ""


def _author_and_title(
    bare: str, people: People | None, before: str, after: int, year: str
) -> tuple[str, str, str, bool]:
    """Return authors, title, the text after the title, and whether the split is certain."""
    if people:
        return _of_people(bare, people, after, year)
    start = before.strip(" .,:;")
    if after and not start:  # `(2018). Title. Body.`
        title, rest = _sentence(bare[after:])
        return "", title, rest, True
    if after:
        if quoted := _quoted(bare, after):
            return (f"{{{start}}}" if is_body(start) else ""), *quoted, not _AUTHORISH.search(start) or is_body(start)
        if is_body(start):
            title, rest = _sentence(bare[after:])
            return f"{{{start}}}", title, rest, True
        if _one_sentence(start) and not URL.search(start):
            return "", start, bare[after:], not _AUTHORISH.search(start)
    if quoted := _quoted(bare, 0):
        return "", *quoted, True
    opened = re.search(r"[,.:] (?=[“„«]|``|\"\S)", bare[:200])
    if opened and (quoted := _quoted(bare, opened.end())):
        start = re.sub(rf"[\s.,(]*{_YEAR}[a-z]?\)?$", "", bare[: opened.start()]).strip(" .,:;")
        if is_body(start):
            return f"{{{start}}}", *quoted, True
        return "", *quoted, False
    return _of_nobody(bare)


def _of_people(bare: str, people: People, after: int, year: str) -> tuple[str, str, str, bool]:
    if quoted := _quoted(bare, after):
        return people.author, *quoted, True
    dated = after > people.end
    comma = bare[after - 2 : after - 1] == "," if dated else bare[after : after + 1] in (",", ";")
    begin = re.match(r"[\s.,:;]*", bare[after:])
    text = bare[after + (begin.end() if begin else 0) :]
    if comma:
        title, rest, sure = _to_venue(text)
        volume = re.match(r"\d", rest) and not re.match(rf"{_YEAR}\b", rest)
        numbered = re.search(r" \d+[A-Z]?$", title) and re.match(r"\w?\d", rest)
        lost = len(people.names) > 1 and re.match(r"[^\W\d_][^\s,]*, (?:and )?[^\W_a-z]", title)  # a surname by itself
        if lost or volume or numbered or (people.form == "given-first" and not re.search(r"\b[a-z]{2,}", title)):
            sure = False  # journals that print no titles: that was the journal
        return people.author, title, rest, sure
    title, rest = _sentence(text)
    alone = people.form in ("given-first", "given-after") and len(people.names) == 1 and not people.others and not year
    # Two words and a full stop may be a name or a title.
    doubtful = alone and (not rest or _VENUE.match(title) or PRESS.search(title) or not _believable(title))
    return people.author, title, rest, not doubtful


def _of_nobody(bare: str) -> tuple[str, str, str, bool]:
    """Split a reference that does not begin with a person: it has an organisation and a title, or only a title."""
    first, rest = _sentence(bare)
    if is_body(first) and rest and not _VENUE.match(rest):
        title, more = _sentence(rest)
        if not re.fullmatch(rf"\(?{_YEAR}\)?", title.strip(" .")):
            return f"{{{first.strip(' .,:;')}}}", title, more, True
        title, more = _sentence(more)
        return f"{{{first.strip(' .,:;')}}}", title, more, True
    lead = re.match(r"([^,.:]{3,80})(?:, |: )(?=\S)", bare)
    if lead and is_body(lead[1]) and not re.search(r"\d{3,}", lead[1]):
        if lead.group().rstrip().endswith(":"):
            title, more = _sentence(bare[lead.end() :])
            return f"{{{lead[1]}}}", title, more, True
        title, more, sure = _to_venue(bare[lead.end() :])
        return f"{{{lead[1]}}}", title, more, sure
    dated = re.match(rf"(.{{8,250}}?[.?!”\"]?)\s+\(?({_YEAR})[a-z]?\)?\.\s+(.*)", bare)
    if dated and "," not in dated[1][-3:] and _one_sentence(dated[1]):
        return "", dated[1].strip(" ."), f"{dated[3]} {dated[2]}.", not _AUTHORISH.search(dated[1])
    if not rest or re.search(rf", {_YEAR}\b", first):
        title, more, _ = _to_venue(bare)
        return "", title, more, not _AUTHORISH.search(title)
    return "", first, rest, not _AUTHORISH.search(first)


def _quoted(bare: str, at: int) -> tuple[str, str] | None:
    """Return the quoted title that begins at `at`, and the text after it; None if there is none."""
    while at < len(bare) and bare[at] in " .,:;":
        at += 1
    opened = _QUOTE_OPEN.match(bare, at)
    if opened is None:
        return None
    start = opened.end()
    closing = "''" if opened[1] == "``" else f"[{_QUOTES[opened[1]]}]"
    for closed in re.finditer(rf"{closing}(?=[.,;:)\s]|$)", bare[start : start + 500]):
        inside, rest = bare[start : start + closed.start()], bare[start + closed.end() :]
        # A quotation within the title goes on with the sentence; the title's own end has a mark or a venue after it.
        ended = inside.rstrip()[-1:] in ",.?!" or re.match(r"\s*(?:[.,;:]|$|[Ii]n\b|\(|[A-Z])", rest)
        if ended and len(inside.strip()) >= 3:
            return inside.strip(" ,."), rest
    return None


def _sentence(text: str, commas: bool = False) -> tuple[str, str]:
    """Split a text at the end of its title: at a full stop, or before a publisher and year in brackets. A title may go
    on after a question mark. `commas` says that the style ends titles with commas."""
    title, rest = _to_stop(text, commas)
    end = _IMPRINT.search(title) or _IN.search(title)
    return (title[: end.start()], f"{title[end.start() :].lstrip(' ,')} {rest}") if end else (title, rest)


def _to_stop(text: str, commas: bool) -> tuple[str, str]:
    for stop in _STOP.finditer(text):
        word = re.search(r"([^\s(]+)$", text[max(0, stop.start() - 40) : stop.start()])
        last = word[1] if word else ""
        if stop["mark"][0] == "." and (last.lower() in _ABBREVIATED or (len(last) == 1 and last.isupper())):
            continue
        following = text[stop.end() : stop.end() + 400]
        if not _GO_ON.match(following) or (following[0].islower() and not _VENUE.match(following)):
            continue
        if stop["mark"][0] in "?!" and not (_VENUE.match(following) if commas else _is_place(following)):
            continue
        return text[: stop.start() + len(stop["mark"].strip("."))].strip(), text[stop.end() :]
    return text.strip(), ""


def _is_place(text: str) -> bool:
    """Return whether the text after a question is a venue rather than the second half of the title."""
    sentence = _STOP.split(text, maxsplit=1)[0]
    if re.match(rf"[^.?!]{{2,80}}\.\s*{_YEAR}\b", text):
        return True
    return bool(
        _VENUE.match(sentence)
        or NUMBERED.search(sentence)
        or PRESS.search(sentence)
        or re.search(_YEAR, sentence)
    )


def _one_sentence(text: str) -> bool:
    return not _sentence(text)[1]


def _to_venue(text: str) -> tuple[str, str, bool]:
    """Split a text whose title may end with a comma. Return the title, the text after it, and whether the start of the
    venue is certain. A full stop, or a publisher in brackets, also ends the title."""
    stop, after = _sentence(text, commas=True)
    pieces = re.split(r"(?<=,) ", stop)
    for place in range(1, len(pieces)):
        if _begins_venue(pieces[place], " ".join(pieces[place : place + 3])):
            return " ".join(pieces[:place]).strip(" ,"), f"{' '.join(pieces[place:])} {after}", True
    placed = bool(after) and (_is_place(after) or bool(re.match(r"[^\W\d_][\w ]{2,30}: ", after)))
    return stop, after, placed and not re.search(r", [^\W_a-z]", stop)


def _begins_venue(here: str, following: str) -> bool:
    """Return whether a piece between commas is the start of the venue."""
    if _VENUE.match(here) or URL.match(here) or re.match(rf"\(?{_YEAR}\b", here):
        return True
    if not here[:1].isupper():
        return False
    return bool(
        re.search(r"[^\W\d_]\.? \d+(?: ?\(|,|$| \()|\(\d{4}\)", here)
        or re.match(r"[^,]{2,120}, (?:[Vv]ol|[Nn]o|pp?|\d)", following)
        or PRESS.search(here)
        or THESIS.match(here)
    )


def _believable(title: str) -> bool:
    """Return whether a text can be a title: it has a plausible length, and no signs of authors, venue or pages."""
    said = re.findall(r"[^\W\d_]+", title)
    cjk = bool(re.search(r"[\u3040-\u9fff\uac00-\ud7af]", title))
    if not cjk and (len(said) < 2 or len(title) < 8):
        return False
    if len(title) > 300 or title[0] in ",.;:)]" or _VENUE.match(title) or URL.search(title):
        return False
    inside = read_people(title)  # a list of authors that broke off before its end
    if inside and (inside.form in ("inverted", "initials-first") or len(inside.names) > 1):
        return False
    if not cjk and not any(len(word) > 3 for word in said):
        return False
    if PRESS.search(title) and len(said) < 5:
        return False
    return not _NO_TITLE.search(title)


def _year(rest: str) -> str:
    """Return the year after the title: the last one in brackets, else the last one. Page ranges and future years do not
    count."""
    bare = _NO_DATE.sub(" ", without_access(URL.sub(" ", rest)))
    found = re.findall(rf"\(({_YEAR})[a-z]?\)", bare) or re.findall(rf"(?<![\w./:-])({_YEAR})[a-z]?(?![\w/])", bare)
    latest = datetime.now(UTC).year + 1
    found = [year for year in found if int(year) <= latest]
    return found[-1] if found else ""


def _venue(rest: str) -> str:
    first = _sentence(rest.strip(" ,.;:)"))[0]
    first = re.sub(r"^[Ii]n:?\s+", "", first)
    return _AFTER_VENUE.split(first)[0].strip(" ,.;:(")[:300]
