"""What a paper tells of its openness: registration, power, effect sizes, and where its data and code can be had."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from veritas.documents.paper_parts import Place
from veritas.frozen import Frozen
from veritas.papers.desk.passages import Passage
from veritas.papers.desk.signs import Sign

Subject = Literal["registration", "power", "effect-size", "data", "code"]
SUBJECTS: tuple[Subject, ...] = ("registration", "power", "effect-size", "data", "code")
LinkState = Literal["live", "dead", "not-known", "not-asked"]
"""`dead`: the server says that there is no such page. `not-known`: nobody answered, or the source policy does not admit
the address. `not-asked`: the web was not asked."""
MOST = 40
"""Statements of one subject that are kept, at most."""


class Link(Frozen):
    """An address that a statement names. `why` gives the reason for a state that the web gave."""

    url: str
    state: LinkState = "not-asked"
    why: str = ""


class Statement(Frozen):
    """A statement of the paper on its openness. `value` is its core, such as a registration number; `quote` stands
    verbatim at `place`."""

    subject: Subject
    kind: str
    value: str
    quote: str
    place: Place
    links: tuple[Link, ...] = ()


_REGISTRIES: tuple[tuple[str, str, str], ...] = (
    ("ClinicalTrials.gov", r"\bNCT ?(0\d{7})\b", "https://clinicaltrials.gov/study/NCT{0}"),
    ("ISRCTN", r"\bISRCTN ?(\d{8})\b", "https://www.isrctn.com/ISRCTN{0}"),
    ("PROSPERO", r"\bCRD ?(4\d{10,11})\b", "https://www.crd.york.ac.uk/prospero/display_record.php?RecordID={0}"),
    ("ANZCTR", r"\bACTRN ?(12\d{12})\b", "https://anzctr.org.au/ACTRN{0}.aspx"),
    ("ChiCTR", r"\b(ChiCTR-?[A-Z]*-?\d{7,})\b", ""),
    ("UMIN-CTR", r"\b(UMIN ?0\d{8})\b", ""),
    ("CTRI", r"\b(CTRI/\d{4}/\d\d/\d+)", ""),
    ("DRKS", r"\bDRKS ?(\d{8})\b", "https://drks.de/search/en/trial/DRKS{0}"),
    ("IRCT", r"\b(IRCT ?\d{8,}\w*)", ""),
    ("PACTR", r"\b(PACTR ?\d{15,})", ""),
    ("EU Clinical Trials Register", r"\bEudraCT\b.{0,25}?(\d{4}-\d{6}-\d\d)", ""),
    ("AsPredicted", r"\baspredicted\.org/(\S*\w)", "https://aspredicted.org/{0}"),
)
_PREREGISTERED = re.compile(r"\bpre-?regist(?:ered|ration)\b", re.IGNORECASE)
_OSF = re.compile(r"\bosf\.io/(\w{5})\b(?!/(?:files|download))", re.IGNORECASE)
_NAMED_OSF = re.compile(r"\bOSF\b|\bOpen Science Framework\b|\bosf\.io\b")
_POWER = re.compile(
    r"\b(?:power ?(?:of|at|=|≥|>|level of|was|set at|greater than|above|over|exceeding) ?\D{0,12}"
    r"(?:1 ?[-−–] ?β ?[=≥>] ?)?(?P<a>0?\.\d+|\d{2}(?:\.\d+)? ?%)"
    r"|(?P<b>\d{2}(?:\.\d+)? ?%|0\.\d+) (?:statistical )?power\b)",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"\b(?:post[- ]hoc|achieved|observed|retrospective) power|\bpower\b.{0,40}\b(?:was|were) achieved", re.IGNORECASE
)
_NO_POWER = re.compile(
    r"\bpower(?:ed)? (?:of the )?(?:model|supply|plant|law)|\bpower of the test\b(?! of)|\bsolar\b", re.IGNORECASE
)
_OF_OTHERS = re.compile(r"\bet al\b|\bprevious", re.IGNORECASE)
_FOR_SIZE = re.compile(
    r"\b(?:sample sizes?|required|needed|necessary|detect|recruit\w*|enrol\w*|type I)\b", re.IGNORECASE
)
"""Words of a sentence that plans the size of a study, even if an earlier one is named for its assumptions."""
_RATIO = r"(?:[^.;\d]{0,25}(?:\d+\.\d+|\d,\d\d\b)|[^.;\d]{0,80}\b(?:was|of) \d+\.\d+ ?[(\[]?9[059] ?%)"
"""A ratio behind its name: near, or further on with its interval. A decimal comma has two digits behind it."""
_EFFECTS: tuple[tuple[str, str], ...] = (
    ("Cohen's d", r"\b(?:(?:(?i:cohen['’]?s? ))?d ?[=≈]|(?i:cohen['’]s d) (?:of|was)) ?[-−–]?\d*\.\d+"),
    ("Hedges' g", r"\b(?i:hedges['’]?s? )g ?[=≈] ?[-−–]?\d*\.\d+"),
    ("eta squared", r"(?:\bη ?p? ?(?:2|²)|\b(?i:partial eta[- ]squared|eta[- ]squared)|\bηp)[^.\d]{0,12}\d?\.\d+"),
    ("odds ratio", r"\b(?:a?ORs?|AORs?|(?i:odds ratios?))\b" + _RATIO),
    ("hazard ratio", r"\b(?:a?HRs?|(?i:hazard ratios?))\b" + _RATIO),
    ("risk ratio", r"\b(?:a?RRs?|(?i:risk ratios?|relative risks?|prevalence ratios?))\b" + _RATIO),
    (
        "standardised mean difference",
        r"\b(?:SMDs?|(?i:standardi[sz]ed mean differences?))\b[^.;\d]{0,25}[-−–]?\d+\.\d+",
    ),
    ("mean difference", r"\b(?:W?MD|(?<!ed )(?i:mean differences?))\b[^.;\d]{0,25}[-−–]?\d+\.\d+"),
    ("geometric mean ratio", r"\b(?:GMRs?|(?i:geometric mean ratios?))\b[^.;\d]{0,25}\d+\.\d+"),
    ("correlation", r"\b(?:r|rho|ρ) ?[=≈] ?[-−–]?0?\.\d+"),
)
_ASKED = re.compile(r"\b(?:on|upon) (?:reasonable )?request\b|\bfrom the (?:corresponding )?authors?\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\bet al\b|\bcompanion|\bparent (?:trial|study)|\bprevious|\b(?:included|eligible) (?:studies|trials)",
    re.IGNORECASE,
)
_FRONT = frozenset(
    {"title", "abstract", "introduction", "methods", "data", "disclosures", "acknowledgements", "other", "appendix"}
)
_LINK = re.compile(
    r"(?:https?://|www\.)[^\s<>\"“”{}|\\^`]+|\bdoi:? ?10\.\d{4,9}/[^\s<>\"“”]+"
    r"|\b(?:github\.com|osf\.io|zenodo\.org)/[^\s<>\"“”]+",
    re.IGNORECASE,
)
_TRAIL = ".,;:)]}'’*_"


def openness_of(passages: Sequence[Passage], signs: Mapping[str, Sign], text: str) -> tuple[Statement, ...]:
    """Return the statements of a paper on its openness, in order of subject and place; nothing is asked."""
    found: list[Statement] = []
    for subject, statements in (
        ("registration", _registrations(passages, signs, text)),
        ("power", _power(passages, text)),
        ("effect-size", _effects(passages, text)),
        ("data", _access("data", signs["data_access"], passages, text)),
        ("code", _access("code", signs["code_access"], passages, text)),
    ):
        kept: dict[tuple[str, str], Statement] = {}
        for statement in statements:
            core = statement.value if subject == "registration" else " ".join(statement.quote.split())
            key = (statement.kind, core)
            if len(kept) < MOST:
                kept.setdefault(key, statement)
        found += kept.values()
    return tuple(found)


def _registrations(passages: Sequence[Passage], signs: Mapping[str, Sign], text: str) -> Iterator[Statement]:
    """Yield the paper's own registration numbers: those in front matter, methods and disclosures. A number in the
    results or the discussion is likely that of another study."""
    for passage in passages:
        if passage.section not in _FRONT or _OTHERS.search(passage.words):
            continue
        for registry, pattern, address in _REGISTRIES:
            for match in re.finditer(pattern, passage.words, re.IGNORECASE):
                links = (Link(url=address.format(match[1])),) if address else ()
                yield _statement("registration", registry, match[0], passage, text, links)
        if _PREREGISTERED.search(passage.words) and _NAMED_OSF.search(passage.words) and not _OSF.search(passage.words):
            yield _statement("registration", "OSF", "preregistered, without a link", passage, text)
        if _PREREGISTERED.search(passage.words) or re.search(r"\bregistered\b", passage.words, re.I):
            for match in _OSF.finditer(passage.words):
                yield _statement("registration", "OSF", match[0], passage, text, (Link(url=f"https://{match[0]}"),))


def _power(passages: Sequence[Passage], text: str) -> Iterator[Statement]:
    for passage in passages:
        match = _POWER.search(passage.words)
        if match is None or _NO_POWER.search(passage.words):
            continue
        if _OF_OTHERS.search(passage.words) and not _FOR_SIZE.search(passage.words):
            continue
        afterwards = bool(_AFTERWARDS.search(passage.words))
        yield _statement("power", "afterwards" if afterwards else "a priori", match["a"] or match["b"], passage, text)


def _effects(passages: Sequence[Passage], text: str) -> Iterator[Statement]:
    for passage in passages:
        if passage.section not in ("results", "abstract", "data") or re.search(r"\bet al\b", passage.words):
            continue
        for kind, pattern in _EFFECTS:
            match = re.search(pattern, passage.words)
            if match:
                yield _statement("effect-size", kind, match[0], passage, text)


def _access(
    subject: Literal["data", "code"], sign: Sign, passages: Sequence[Passage], text: str
) -> Iterator[Statement]:
    for passage in passages:
        if any(way.accepts(passage) for way in sign.ways):
            links = tuple(Link(url=url) for url in dict.fromkeys(links_in(passage.words)))
            asked = _ASKED.search(passage.words)
            kind = "link" if links else "on request" if asked else "statement"
            yield _statement(subject, kind, links[0].url if links else kind, passage, text, links)


def links_in(words: str) -> list[str]:
    """Return the addresses in a sentence, each as a whole URL."""
    found = []
    for match in _LINK.finditer(words):
        raw = match[0].rstrip(_TRAIL)
        doi = re.fullmatch(r"doi:? ?(10\..+)", raw, re.IGNORECASE)
        found.append(f"https://doi.org/{doi[1]}" if doi else raw if raw.startswith("http") else f"https://{raw}")
    return found


def _statement(
    subject: Subject, kind: str, value: str, passage: Passage, text: str, links: tuple[Link, ...] = ()
) -> Statement:
    quote = text[passage.place.start : passage.place.end]
    return Statement(subject=subject, kind=kind, value=value, quote=quote, place=passage.place, links=links)
