"""Standard deviation or standard error: what the methods name, and what all captions name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.documents.paper_parts import Figure
from veritas.papers.referee._draft import Draft
from veritas.text.sentences import sentences

_PLUS = r"\bmeans?(?: values?)?\s?(?:±|\+/[-−–]|\(?\s?plus (?:or )?minus)\s?(?:the )?"
_SD = re.compile(rf"{_PLUS}(?P<kind>(?-i:S\.?D\.?)(?![\w.])|standard deviations?)", re.IGNORECASE)
_SEM = re.compile(
    rf"{_PLUS}(?P<kind>(?-i:S\.?E\.?(?:M\.?)?)(?![\w.])|standard errors?(?: of (?:the )?means?)?)", re.IGNORECASE
)
_ALL = re.compile(
    r"\b(?:data|results|values|variables|measurements)\b[^.;]{0,60}?\b(?:expressed|presented|reported|given|shown"
    r"|represented|summari[sz]ed|were|are)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\b(?:or|unless|otherwise|except|normal(?:ly)?|baseline|demographic|median|age"
    r"|number|percent\w*|table|figure)\b|[/\t∗*†‡]", re.IGNORECASE)


def spread(text: str, figures: Sequence[Figure]) -> Iterator[Draft]:
    """Yield a note if one sentence says that the data are means with one of standard deviation and standard error, and
    every caption that names one names the other."""
    named: dict[bool, list[tuple[Figure, re.Match[str]]]] = {True: [], False: []}
    for figure in figures:
        for is_sd, pattern in ((True, _SD), (False, _SEM)):
            match = pattern.search(text, figure.place.start, figure.place.end)
            if match:
                named[is_sd].append((figure, match))
    if bool(named[True]) == bool(named[False]):
        return
    of_captions = bool(named[True])
    captions = named[of_captions]
    wanted, other = (_SEM, _SD) if of_captions else (_SD, _SEM)
    spans = [s for s in sentences(text) if not any(f.place.start <= s.start < f.place.end for f in figures)]
    told = [(s, m) for s in spans for m in [wanted.search(text, s.start, s.end)] if m]
    if any(other.search(text, s.start, s.end) for s in spans):
        return  # the paper has both, and may say which is where
    of_all = [(s, m) for s, m in told if _ALL.search(text, s.start, s.end) and not _OR.search(text[s.start : s.end])]
    if len(of_all) != 1:
        return
    _, match = of_all[0]
    first = captions[0][1]
    labels = ", ".join(figure.label or "a caption" for figure, _ in captions)
    yield Draft(
        "wording", "note", match.start(), match.end(), match[0], f"{first[0]} in {labels}",
        f"the data are told as {match[0]}; {labels}: {first[0]}", "none",
        "the captions were about other data than the sentence",
        (("sentence", match.start("kind"), match.end("kind")), ("caption", first.start("kind"), first.end("kind"))),
    )  # fmt: skip
