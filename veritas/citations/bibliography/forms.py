"""What an entry is an entry of: a paper, which registries know, or something that none of them would hold."""

from __future__ import annotations

import re
from enum import StrEnum

from veritas.citations.bibliography.entry import Entry


class Form(StrEnum):
    """Only a `PAPER` can be called fabricated for not being found."""

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
    r"\b(?:ISO|IEC|IEEE Std|ANSI|DIN|ITU-[TR]|NIST (?:SP|FIPS)|FIPS|RFC|W3C Recommendation|ETSI|ASTM|BS EN)\b"
    r"[ /:-]*[\dA-Z]"
)
_REPORT = re.compile(
    r"\b(?:technical report|tech\.? rep|white ?paper|working paper|system card|model card|press release|blog"
    r"|documentation|user (?:guide|manual)|lecture notes)\b",
    re.IGNORECASE,
)
_UNPUBLISHED = re.compile(
    r"\b(?:submitted|in preparation|under review|forthcoming|to appear|in press|personal communication|unpublished"
    r"|manuscript)\b",
    re.IGNORECASE,
)
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


def form_of(entry: Entry) -> Form:
    """What an entry says it is, by its type, its venue and its URL. In doubt it is no paper."""
    fields, record = entry.fields, entry.record
    said = _TYPES.get(entry.type.lower(), Form.OTHER)
    url = fields.get("url") or fields.get("howpublished") or ""
    venue = record.venue or ""
    everything = " ".join((record.title or "", venue, *(fields.get(name, "") for name in _TELLING)))
    if record.doi or record.arxiv_id or record.pmid:
        return said if said not in (Form.OTHER, Form.WEB) else Form.PAPER
    if _STANDARD.search(everything) and said in (Form.PAPER, Form.OTHER, Form.REPORT, Form.WEB):
        return Form.STANDARD
    if _UNPUBLISHED.search(" ".join((venue, fields.get("note", ""), fields.get("howpublished", "")))):
        return Form.UNPUBLISHED
    if said is Form.OTHER:
        if _CODE.search(url):
            return Form.SOFTWARE
        if url and not _PAPER_HOST.search(url):
            return Form.WEB
        return Form.PAPER if venue and record.authors else Form.OTHER
    if said is Form.PAPER:
        if _CODE.search(url) and not venue:
            return Form.SOFTWARE
        if url and not venue and not _PAPER_HOST.search(url):
            return Form.WEB
        if re.fullmatch(r"(?:web ?(?:page|site)|online|blog.*|github.*|accessed.*|youtube|twitter|x)", venue, re.I):
            return Form.WEB
        if _REPORT.search(everything):
            return Form.REPORT
        if fields.get("isbn") and not venue:
            return Form.BOOK
    return said
