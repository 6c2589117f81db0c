"""The design of the study that a paper reports, as far as the paper tells it in so many words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from veritas.documents.paper_parts import Place, SectionName
from veritas.frozen import Frozen
from veritas.papers.desk.checklist import DesignName
from veritas.papers.desk.passages import HYPHENS, Passage
from veritas.papers.desk.signs import Sign

_NO_REPORT = re.compile(
    r"^(?:correction|corrigendum|erratum|retraction|editorial|comment(?:ary)?|reply|letter)\b"
    r"|\b(?:study protocol|protocol (?:for|of) (?:a|an|the)|trial protocol|: protocol\b)",
    re.IGNORECASE,
)
_ANIMALS = (
    r"\b(?:rats?|mice|mouse|murine|rabbits?|zebrafish|piglets?|pigs|hamsters?|guinea pigs|rhesus|macaques?|C57BL\S*)\b"
)
_TITLES: tuple[tuple[DesignName, str, str], ...] = (
    (
        "systematic-review",
        r"\bsystematic(?:ally)?\b.{0,40}\breview|\bmeta-?analys",
        r"\bgenome-wide\b|\bQTL\b|\bsoftware\b",
    ),
    (
        "randomised-trial",
        r"\brandomi[sz]ed\b.{0,80}\b(?:trial|study|crossover|cross-over|pilot|controlled|RCT)\b|\brandomi[sz]ed,"
        r"|\b(?:placebo|sham)[- ]controlled\b|\bcluster[- ]randomi[sz]ed",
        r"\btrials\b|\bmendelian|\bsystematic|\breview\b|\bmeta-?anal|\b(?:secondary|post[- ]hoc) anal",
    ),
    (
        "animal-study",
        _ANIMALS,
        r"\bcells?\b.{0,20}\bline|\bsequenc\w+ of\b|\bpatients\b|\breview\b|\bphylogen|\boverview\b",
    ),
    (
        "observational",
        r"\b(?:cross[- ]sectional|cohort|case[- –]control|longitudinal study|population[- ]based study"
        r"|prospective study|retrospective study)\b|\bprevalence\b.{0,60}\b(?:among|in|of)\b|\bassociated factors\b"
        r"|\brisk factors? (?:for|of)\b",
        r"\bplant|\bstrains?\b|\bsystematic\b|\breview\b",
    ),
    (
        "machine-learning",
        r"\b(?:machine|deep|reinforcement|representation|self-supervised|few-shot) learning\b"
        r"|\bneural (?:networks?|nets?)\b|\brandom forests?\b|\btransformers?\b.{0,20}\b(?:model|network)"
        r"|\bgenerative adversarial",
        r"\breview\b|\bsurvey\b|\bperspective\b",
    ),
    (
        "software",
        r"\b(?:python|R|julia|C\+\+|java|matlab) (?:package|library|toolbox|module|toolkit)\b"
        r"|\b(?:software|open[- ]source|toolbox|toolkit|web server|command[- ]line) (?:package|tool|library|for|to)\b"
        r"|: an? (?:\w+[- ]){0,4}(?:package|library|toolbox|toolkit|software)\b"
        r"|: [^:]+\bin (?:python|julia|matlab|C\+\+)$",
        r"\breview\b|\bvector\b|\bgene(?:tic)? toolkit|\brice\b",
    ),
)
_OWN = r"\b(?:this|the present|the current|our|we|a|an|is|was|were)\b"
_SENTENCES: tuple[tuple[DesignName, tuple[SectionName, ...], str, str], ...] = (
    (
        "systematic-review", ("abstract", "methods", "introduction"),
        r"\b(?:we|this|the present|our|a)\b.{0,60}\b(?:systematic review"
        r"|systematic literature review)\b.{0,80}\b(?:was|were"
        r"|conducted|performed|carried|PRISMA|aim|is|follow)|\b(?:systematic review|review)\b.{0,60}\bPRISMA\b",
        r"\bet al\b|\bprevious|\brecent",
    ),
    (
        "randomised-trial", ("abstract", "methods"),
        rf"{_OWN}.{{0,80}}\brandomi[sz]ed[- ,].{{0,80}}\b(?:trial|crossover|cross-over|clinical study)\b"
        r"|\b(?:participants|patients|subjects|volunteers|women|men|children)\b.{0,60}\b(?:were|was) (?:then |\w+ly )?"
        r"(?:randomi[sz]ed|randomly (?:assigned|allocated|divided)|allocated at random)",
        r"\bet al\b|\bprevious|\bplots?\b|\bblock design|\bfield\b|\bsampled\b",
    ),
    (
        "animal-study", ("abstract", "methods"),
        rf"{_ANIMALS}.{{0,120}}\b(?:were|was) (?:randomly )?(?:divided|assigned|allocated|housed|purchased|obtained|fed"
        r"|treated|injected|anesthetized|anaesthetized|sacrificed|euthani[sz]ed|kept|maintained)",
        r"\banti-|\bantibod|\bserum\b|\bprimary cultures?\b|\bpolyclonal|\bIgG\b",
    ),
    (
        "observational", ("abstract", "methods"),
        rf"{_OWN}.{{0,80}}\b(?:cross[- ]sectional|cohort|case[- –]control|longitudinal)\b.{{0,30}}\b(?:study|survey"
        rf"|design"
        r"|analysis)\b|\b(?:this|the present|our|a) (?:\w+[- ]){0,3}(?:retrospective|prospective|observational)"
        r" (?:\w+[- ]){0,2}(?:study|survey)\b"
        r"|\b(?:cross[- ]sectional|case[- –]control|cohort) (?:study|survey|design) (?:was|were)",
        r"\bet al\b|\bprevious|\bother\b|\bplants?\b|\bstudies\b",
    ),
    (
        "observational", ("abstract", "introduction", "methods"),
        r"\bin (?:this|the present|the current|our|the) (?:[\w-]+[ ,]+){0,4}(?:cohort|cross[- ]sectional"
        r"|case[- –]control) (?:study|survey)(?: reported here)?,? we\b",
        r"\bet al\b|\bprevious|\bplants?\b",
    ),
    (
        "machine-learning", ("abstract",),
        r"\b(?:we|this (?:paper|work|study))\b.{0,80}\b(?:propose|present|introduce|train|develop|appl"
        r"|use)\w*\b.{0,100}\b(?:neural"
        r" networks?|deep learning|machine learning|transformers?|convolutional|reinforcement learning|random forests?"
        r"|support vector)",
        r"\bet al\b",
    ),
    (
        "software", ("abstract", "other", "introduction"),
        r"\b(?:is\b.{0,60}|this|we (?:present|introduce|describe)\b.{0,60})[ ,](?:python|R|julia|java|C\+\+|matlab"
        r"|software|open[- ]source)"
        r"(?:[- ]\w+){0,2} (?:package|library|toolbox|toolkit|software|tool|module|implementation)\b",
        r"\bet al\b|\bwe used\b|\bexisting\b|\bother\b",
    ),
)
_FOLLOWED = re.compile(
    r"\b(?:was|were) followed(?: up)? (?:from|between) (?:\w+ )?(?:19|20)\d\d (?:to|through|until|and)\b", re.IGNORECASE
)
"""People followed over years, which tells an observational study where nothing else tells a design."""
_HEADINGS: tuple[tuple[DesignName, str], ...] = (("software", r"^statement of need$"),)
_HUMANS = re.compile(
    r"\b(?:participants|patients|subjects|volunteers|women|men|children|adults|people|households|respondents|infants"
    r"|students|workers|adolescents|mothers|individuals|persons)\b",
    re.IGNORECASE,
)
_CLINICAL = re.compile(
    r"\b(?:patients?|clinics?|clinical|placebo|controlled trials?|hospitals?|diseases?|symptoms?|therap(?:y|ies|ists?)"
    r"|vaccin\w+|surgery|surgical|drugs?|medications?|dos(?:e|es|age)|mg|diagnos\w+|infections?|NCT\d{8}"
    r"|ISRCTN ?\d+|ACTRN\d+|ChiCTR\S+)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b(?:package|library|source code|open[- ]source|API|python|github|module|users?)\b", re.IGNORECASE)
_NAMES: Mapping[DesignName, str] = {
    "randomised-trial": "a randomised trial", "observational": "an observational study",
    "systematic-review": "a systematic review", "animal-study": "a study with animals",
    "machine-learning": "a paper on machine learning", "software": "a paper on software",
}  # fmt: skip


SHORT = 30
"""Sentences up to which a paper is a note on software, so that one sentence about it is enough."""
LEAST_CLINICAL = 3
"""Sentences of abstract, methods and results with clinical words that a trial has: an experiment with students in a
laboratory is randomised too, and no trial."""
PLANNED = 10
"""Sentences of the methods with "will be" from which a paper is taken for a protocol."""


class Design(Frozen):
    """The design of a paper; `name` is None if it is not told. `quote` stands verbatim at `place`."""

    name: DesignName | None = None
    why: str
    quote: str = ""
    place: Place | None = None
    chosen: bool = False
    """True if a person chose it."""

    @property
    def said(self) -> str:
        """The design in words."""
        return _NAMES[self.name] if self.name is not None else "not told"


def detect_design(title: str, passages: Sequence[Passage], signs: Mapping[str, Sign], text: str) -> Design:
    """Return the design that title, headings and the paper's own sentences tell.

    The title counts most. Where it names none, abstract and methods must name exactly one; where two are named, or a
    protocol or a correction is before us, the design is not told.
    """
    if _NO_REPORT.search(title):
        return Design(why="the title announces a protocol, a correction or a comment, and no report of results")
    planned = sum(p.section in ("methods", "data") and bool(re.search(r"\bwill be\b", p.words)) for p in passages)
    if planned >= PLANNED:
        return Design(why="its methods tell what will be done: it is a protocol, and no report of results")
    plain = " ".join(title.split()).translate(HYPHENS)
    named = {name for name, yes, no in _TITLES if re.search(yes, plain, re.I) and not re.search(no, plain, re.I)}
    by_title = named
    named = {name for name in named if _borne_out(name, passages, signs)}
    if len(named) > 1 and "animal-study" in named and "randomised-trial" in named:
        named = {"animal-study"}
    if "systematic-review" in named or "randomised-trial" in named:
        named &= {"systematic-review", "randomised-trial"}
    if re.search(r"\b(?:trials|studies)\b", plain, re.I) and not named:
        return Design(why="the title speaks of trials or studies, and not of one")
    if len(named) == 1:
        name = next(iter(named))
        at = text.find(title) if title else -1
        place = Place(start=at, end=at + len(title)) if at >= 0 else None
        return Design(name=name, why="the title says so", quote=title if place else "", place=place)
    if re.search(r"\b(?:secondary|post[- ]hoc|pooled) anal|^(?:the )?associations? (?:of|between)\b", plain, re.I):
        return Design(why="the title tells of an analysis whose design it does not name")
    if len(named) > 1:
        return Design(why=f"the title fits {' and '.join(sorted(_NAMES[name] for name in named))}")
    return _by_sentences(passages, signs, text, by_title)


def _by_sentences(
    passages: Sequence[Passage], signs: Mapping[str, Sign], text: str, by_title: Collection[DesignName] = ()
) -> Design:
    """Return the design that sentences tell; `by_title` are those that the title names and the text does not bear
    out."""
    found: dict[DesignName, Passage] = {}
    for name, heading in _HEADINGS:
        for passage in passages:
            if passage.heading and re.search(heading, passage.words.strip("#*_ .:"), re.I):
                found.setdefault(name, passage)
    for name, sections, yes, no in _SENTENCES:
        for passage in passages:
            if passage.section not in sections or passage.heading or name in found:
                continue
            if re.search(yes, passage.words, re.I) and not re.search(no, passage.words, re.I):
                found[name] = passage
    if not found:
        followed = [p for p in passages if p.section in ("abstract", "methods") and _FOLLOWED.search(p.words)]
        found.update({"observational": followed[0]} if followed else {})
    named = {*found, *by_title}
    found = {name: passage for name, passage in found.items() if _borne_out(name, passages, signs)}
    if named and not found:
        told = " and ".join(sorted(_NAMES[name] for name in named))
        return Design(why=f"some of its words name {told}, but too little in its text bears that out")
    if len(found) != 1:
        both = " and ".join(sorted(_NAMES[name] for name in found))
        neither = "none was recognised in title, abstract and methods"
        return Design(why=f"its sentences fit {both}" if found else neither)
    (name, passage), = found.items()
    start, end = passage.place.start, passage.place.end
    return Design(name=name, why="the paper says so", quote=text[start:end], place=passage.place)


def _borne_out(name: DesignName, passages: Sequence[Passage], signs: Mapping[str, Sign]) -> bool:
    """Return whether the body has what a paper of that design cannot do without."""
    words = [p.words for p in passages if p.section in ("abstract", "methods", "data", "results")]
    if name in ("randomised-trial", "observational"):
        humans = sum(bool(_HUMANS.search(each)) for each in words)
        if name == "randomised-trial" and sum(bool(_CLINICAL.search(each)) for each in words) < LEAST_CLINICAL:
            return False
        return humans >= 3 and sum(bool(re.search(_ANIMALS, each, re.I)) for each in words) < max(8, humans)
    if name == "systematic-review":
        return signs["databases"].find(passages) is not None
    if name == "animal-study":
        return any(signs[each].find(passages) for each in ("animal_species", "husbandry", "animal_age_weight"))
    if name == "machine-learning":
        return signs["train_details"].find(passages) is not None
    if any(signs[each].find(passages) for each in ("code_repository", "installation", "code_access")):
        return True
    return sum(bool(_CODE.search(passage.words)) for passage in passages) >= (4 if len(passages) > SHORT else 1)
