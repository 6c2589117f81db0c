"""Kinds of cited things: a paper, which registries know, or something that none of them would hold."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from enum import StrEnum

from veritas.citations.author_lists import names_a_body
from veritas.citations.bibliography.entry import Entry
from veritas.works.title_comparison import title_words


class Form(StrEnum):
    """A kind of cited thing. Only a `PAPER` can be called fabricated for not being found."""

    PAPER = "paper"
    BOOK = "book"
    THESIS = "thesis"
    REPORT = "report"
    STANDARD = "standard"
    SOFTWARE = "software"
    DATASET = "dataset"
    WEB = "web page"
    NEWS = "news"
    PATENT = "patent"
    LEGAL = "law"
    UNPUBLISHED = "unpublished"
    OTHER = "other"


_TYPES = {
    "article": Form.PAPER, "inproceedings": Form.PAPER, "conference": Form.PAPER, "proceedings": Form.BOOK,
    "incollection": Form.BOOK, "inbook": Form.BOOK, "book": Form.BOOK, "mvbook": Form.BOOK, "collection": Form.BOOK,
    "booklet": Form.BOOK, "manual": Form.REPORT, "phdthesis": Form.THESIS, "mastersthesis": Form.THESIS,
    "thesis": Form.THESIS, "techreport": Form.REPORT, "report": Form.REPORT, "standard": Form.STANDARD,
    "software": Form.SOFTWARE, "dataset": Form.DATASET, "online": Form.WEB, "electronic": Form.WEB, "www": Form.WEB,
    "webpage": Form.WEB, "news": Form.NEWS, "patent": Form.PATENT, "legal": Form.LEGAL, "legislation": Form.LEGAL,
    "jurisdiction": Form.LEGAL, "unpublished": Form.UNPUBLISHED,
}  # fmt: skip
_TELLING = ("note", "howpublished", "institution", "organization", "publisher", "type", "number", "series")
_STANDARD = re.compile(
    r"\b(?:ISO|IEC|IEEE [Ss]t(?:d|andard)|ANSI|DIN|ITU-[TR]|NIST (?:SP|FIPS)|FIPS|RFC|W3C Recommendation|ETSI|ASTM"
    r"|BS EN)\b[ /:-]*(?:for )?[\dA-Z]"
)
_REPORT = re.compile(
    r"\b(?:technical report|tech\.? rep|white ?paper|working paper|system card|model card|press release|blog"
    r"|documentation|user (?:guide|manual)|lecture notes)\b",
    re.IGNORECASE,
)
_SAID = (
    # Wordings found in the venue of an `@article` that is something else.
    (
        Form.THESIS,
        re.compile(
            r"\b(?:ph\.? ?d\.?|doctoral|doctorate|master'?s?|m\.? ?sc\.?|bachelor'?s?|diploma|habilitation)[ -]"
            r"(?:thes[ie]s|dissertation)\b|\bdissertation\b|\b(?:master|bachelor|diplom|doktor)arbeit\b"
            r"|\bth[èe]se de\b",
            re.IGNORECASE,
        ),
    ),
    (
        Form.PATENT,
        re.compile(r"\b(?:patent (?:no\b|application|\d)|(?:US|EP|WO|European|German) patent)", re.IGNORECASE),
    ),
    (
        Form.LEGAL,
        re.compile(
            r"\bofficial journal of the european|\bfederal register\b|\bU\.?S\.?C\.? §|\bcode of federal regulations"
            r"|\bregulation \(E[UC]\)|\bdirective \d+/\d+/E|\bpublic law no|\bbundesgesetzblatt\b|^supreme court",
            re.IGNORECASE,
        ),
    ),
    (
        Form.SOFTWARE,
        re.compile(
            r"\b(?:R|python|julia|matlab) package version|^r package\b|\br foundation for statistical computing"
            r"|\bgit ?(?:hub|lab)(?: repository)?\b|\bcomputer software\b|\b(?:cran|pypi)$",
            re.IGNORECASE,
        ),
    ),
    (
        Form.DATASET,
        re.compile(
            r"^(?:zenodo|dryad|figshare|kaggle|harvard dataverse|uci machine learning repository|mendeley data)\b"
            r"|\[data ?set\]",
            re.IGNORECASE,
        ),
    ),
    (
        Form.NEWS,
        re.compile(
            r"^(?:the )?(?:new york times|washington post|guardian|wall street journal|financial times|economist"
            r"|atlantic|new yorker|verge|times|independent|bbc(?: news)?|cnn|reuters|bloomberg(?: news)?"
            r"|associated press|forbes|wired(?: magazine)?|fortune|techcrunch|newsweek|npr"
            r"|ars technica|le monde|der spiegel|die zeit|faz"
            r"|axios|politico|mit technology review|venturebeat)$",
            re.IGNORECASE,
        ),
    ),
    (
        Form.WEB,
        re.compile(
            r"^(?:medium|substack|towards data science|wikipedia.*|youtube|twitter|x|stack ?overflow|stack ?exchange.*"
            r"|lesswrong|reddit|linkedin|hugging ?face|(?:[\w ]+ )?(?:home ?page|web ?(?:page|site)|blog(?: post)?)"
            r"|online|blog.*|accessed.*)$",
            re.IGNORECASE,
        ),
    ),
)
_UNPUBLISHED = re.compile(
    r"\b(?:submitted|in preparation|under review|forthcoming|to appear|in press|personal communication|unpublished"
    r"|manuscript)\b",
    re.IGNORECASE,
)
_PUBLISHER = re.compile(
    r"(?:[A-Z][\w. ]{1,30}(?:, [A-Z]{2})?: )?(?:(?:[A-Z][\w'’.&-]+ ){1,4}"
    r"(?:Press|Publish(?:ers|ing)(?: Co(?:mpany|\.)?)?|Verlag)|Addison[- –]Wesley"
    r"|Springer(?:[- ]Verlag)?|(?:John )?Wiley(?: (?:&|and) Sons)?|Elsevier|Pearson|McGraw[- –]Hill"
    r"|Prentice[- –]Hall|O['’]Reilly(?: Media)?|Routledge|Sage(?: Publications)?|Penguin(?: Books)?|Academic Press"
    r"|W\. ?W\. Norton|Morgan Kaufmann|Houghton Mifflin|Basic Books|Random House|HarperCollins|Birkhäuser|De Gruyter"
    r"|Palgrave(?: Macmillan)?|Macmillan|Chapman (?:&|and) Hall|CRC Press|Dover(?: Publications)?|Cengage|Packt)"
    r"(?:,? (?:Inc|Ltd|LLC|Co)\.?)?[., ]*(?:,.{0,30})?$"
)
"""A publisher in the place of a venue: the entry is then a book."""
_BOOK = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th) ed(?:ition|n)?\b|\bISBN\b|\b(?:second|third|revised) edition\b|\(Eds?\.\)"
)
_MEETING = re.compile(r"\b(?:proceedings|proc\.|conference|symposium|workshop|advances in neural)", re.IGNORECASE)
_URL = re.compile(r"https?://\S+")
_LAW = re.compile(r"(?:council )?(?:regulation|directive) (?:\(E[UC]\)|\d+/\d+)|.{0,80}\bAct of \d{4}\b", re.IGNORECASE)
_CODE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|pypi\.org|crates\.io|cran\.r-project|npmjs\.com)/", re.IGNORECASE
)
_PAPER_HOST = re.compile(
    r"https?://(?:[\w-]+\.)*(?:arxiv\.org|doi\.org|aclanthology\.org|openreview\.net|proceedings\.mlr\.press|neurips\.cc"
    r"|nips\.cc|jmlr\.org|acm\.org|ieee\.org|springer\.com|sciencedirect\.com|wiley\.com|nature\.com|ncbi\.nlm\.nih\.gov"
    r"|pubmed\.gov|biorxiv\.org|medrxiv\.org|semanticscholar\.org|dblp\.org|thecvf\.com|aaai\.org|usenix\.org|plos\.org"
    r"|mdpi\.com|frontiersin\.org|tandfonline\.com|sagepub\.com|jstor\.org|oup\.com|science\.org|pnas\.org|ssrn\.com)",
    re.IGNORECASE,
)


_CLAIMED = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|preprint|proceedings|proc\.|conference|workshop|symposium|journal|transactions"
    r"|to appear|in press|forthcoming|accepted)\b",
    re.IGNORECASE,
)
"""Words with which an entry of any type says that it is a paper."""
_PERIODICAL = re.compile(
    r"\b(?:proceedings of|proc\. of|conference on|workshop on|symposium on|transactions on|journal of|letters)\b",
    re.IGNORECASE,
)
_SOON = re.compile(r"\b(?:to appear|in press|forthcoming|accepted)\b", re.IGNORECASE)


def names_people(entry: Entry) -> bool:
    """Return whether an entry gives a work of named people: a title of three words, authors who are no body, a year."""
    record = entry.record
    persons = [name for name in record.authors if not names_a_body(name)]
    return bool(persons) and record.year is not None and len(title_words(record.title or "")) >= 3


def _claims_to_be_a_paper(entry: Entry) -> bool:
    """Return whether an entry of no telling type is given as a paper by its own words, such as `arXiv preprint`.

    What is `to appear` this year or later need not be anywhere yet.
    """
    said = " ".join(entry.fields.get(name, "") for name in ("note", "howpublished", "eprint", "archiveprefix"))
    words = _URL.sub(" ", f"{said} {entry.record.venue or ''}")
    if not _CLAIMED.search(words) or not names_people(entry):
        return False
    return not (_SOON.search(words) and (entry.record.year or 0) >= datetime.now(UTC).year)


def _stands_in_a_journal(entry: Entry) -> bool:
    """Return whether an entry of another type (`@techreport`, `@dataset`) names proceedings or a journal as its place.

    A book, a thesis or a program that is a paper is given so by reference managers and by whoever hides one.
    """
    venue = entry.fields.get("booktitle") or entry.fields.get("journal") or entry.fields.get("journaltitle", "")
    collected = entry.type.lower() in ("book", "mvbook", "collection", "proceedings")
    return not collected and bool(_PERIODICAL.search(_URL.sub(" ", venue))) and names_people(entry)


def form_of(entry: Entry) -> Form:
    """Return the kind of thing an entry cites, by its type, its venue and its URL. In doubt it is no paper."""
    fields, record = entry.fields, entry.record
    said = _TYPES.get(entry.type.lower(), Form.OTHER)
    url = fields.get("url") or "".join(_URL.findall(fields.get("howpublished", ""))[:1])
    venue = record.venue or ""
    title = record.title or (entry.text if entry.guessed else "")
    everything = " ".join((title, venue, *(fields.get(name, "") for name in _TELLING)))
    if record.doi or record.arxiv_id or record.pmid:
        return said if said not in (Form.OTHER, Form.WEB) else Form.PAPER
    if _STANDARD.search(everything) and said in (Form.PAPER, Form.OTHER, Form.REPORT, Form.WEB):
        return Form.STANDARD
    open_ = said in (Form.OTHER, Form.PAPER, Form.UNPUBLISHED)
    if (_claims_to_be_a_paper(entry) if open_ else _stands_in_a_journal(entry)) and not _CODE.search(url):
        said = Form.PAPER
    elif _UNPUBLISHED.search(" ".join((venue, fields.get("note", ""), fields.get("howpublished", "")))):
        return Form.UNPUBLISHED
    if said is Form.OTHER:
        if _CODE.search(url):
            return Form.SOFTWARE
        if url and not _PAPER_HOST.search(url):
            return Form.WEB
        if not (venue and record.authors):
            return Form.OTHER
        said = Form.PAPER
    if said is Form.WEB and _CODE.search(url):
        return Form.SOFTWARE
    if said is Form.PAPER or (said is Form.REPORT and entry.guessed):
        if _CODE.search(url) and not venue:
            return Form.SOFTWARE
        if url and not venue and not _PAPER_HOST.search(url):
            return Form.WEB
        if fields.get("school"):
            return Form.THESIS
        if _PUBLISHER.match(venue) or (entry.guessed and _BOOK.search(entry.text) and not _MEETING.search(entry.text)):
            return Form.BOOK
        beside = " ".join((fields.get("note", ""), fields.get("howpublished", "")))
        said_to_be = _URL.sub(" ", entry.text) if entry.guessed else beside
        for form, words in _SAID:
            if words.search(venue) or (form not in (Form.NEWS, Form.WEB) and words.search(said_to_be)):
                return form
        if _LAW.match(record.title or ""):
            return Form.LEGAL
        if _REPORT.search(everything):
            return Form.REPORT
        if not venue and (fields.get("isbn") or fields.get("publisher") or fields.get("edition")):
            return Form.BOOK
    return said
