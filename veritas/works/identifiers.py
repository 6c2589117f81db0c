"""DOIs and arXiv ids in one spelling for comparison: without versions; preprint servers are known by their DOI prefix.
"""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

_UPPER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
_INVISIBLE = re.compile(r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_TAIL = ".,;:'\"’”"
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}

_ARXIV_NEW = re.compile(r"(?<!\d)(?<!\d\.)(\d{2})(0[1-9]|1[0-2])\.(\d{4,5})(?:v\d+)?(?![\d.]*\d)")
_ARXIV_OLD = re.compile(
    r"(?<![a-z-])(astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nlin|nucl-(?:ex|th)|physics|quant-ph|math|cs|q-bio"
    r"|q-alg|alg-geom|chao-dyn|solv-int|patt-sol|adap-org|comp-gas|cmp-lg|dg-ga|funct-an|acc-phys|ao-sci|atom-ph"
    r"|bayes-an|chem-ph|mtrl-th|plasm-ph|supr-con)(?:\.[a-z]{2})?/(\d{7})(?:v\d+)?(?!\d)"
)
_ARXIV_DOI = "10.48550/arxiv."

_PREPRINT_DOIS = re.compile(
    r"10\.48550/arxiv\."
    r"|10\.1101/(?:\d{4}\.\d{2}\.\d{2}\.)?\d{5,8}(?:v\d+)?$"  # bioRxiv, medRxiv; journals share the prefix
    r"|10\.64898/"  # openRxiv, from 2025
    r"|10\.21203/rs\."
    r"|10\.2139/ssrn\."
    r"|10\.(?:31234|31219|31235|31222|31223|31224|31228|31231|31236|31730|35542)/"  # the OSF family
    r"|10\.32942/"
    r"|10\.26434/chemrxiv"
    r"|10\.20944/preprints"
    r"|10\.36227/techrxiv"
    r"|10\.22541/"
    r"|10\.1002/essoar"
    r"|10\.7287/peerj\.preprints"
    r"|10\.2196/preprints"
    r"|10\.33774/"
    r"|10\.14293/"
    r"|10\.32388/"
    r"|10\.3386/w\d"
    r"|10\.5281/zenodo\."
    r"|10\.6084/m9\.figshare\."
)
_REPOSITORY_DOIS = re.compile(r"10\.5281/zenodo\.|10\.6084/m9\.figshare\.|10\.17605/osf\.io/|10\.17632/")
_VERSION = re.compile(r"[-/.]v\d{1,2}$")
_BARE_VERSION = re.compile(r"(?<=\d)v\d{1,2}$")  # only where a server is known to write its versions so
_POINT_VERSION = re.compile(r"^(10\.(?:12688|32388|1002/essoar).*\d|10\.32388/[a-z0-9]+)\.\d{1,2}$")
_DOI_DATE = re.compile(r"^10\.(?:1101|64898)/((?:19|20)\d{2})\.\d{2}\.\d{2}\.|^10\.20944/preprints((?:19|20)\d{2})")


def _decoded(text: str) -> str:
    """Return `text` without percent and entity escapes, decoded repeatedly."""
    while True:
        plain = html.unescape(unquote(text))
        if plain == text or len(plain) > len(text):
            return text
        text = plain


def normalise_doi(text: str | None) -> str | None:
    """Return the DOI in `text` (a bare DOI, `doi:…`, a resolver or publisher URL) in lower case; None if there is none.

    DOIs are case-insensitive in ASCII (section 5.2). Whitespace, invisible characters and trailing punctuation of a
    sentence or a BibTeX field are removed. `normalise_doi(normalise_doi(x)) == normalise_doi(x)`.
    """
    if not text:
        return None
    flat = _INVISIBLE.sub("", _decoded(text[:4000]).translate(_DASHES).replace("\\", "")).translate(_UPPER)
    found = _DOI.search(flat)
    if not found:
        return None
    doi = found.group()
    if "://" in flat[: found.start()] or flat.startswith("www."):
        doi = re.split(r"[?#]", doi, maxsplit=1)[0]
        page = re.sub(r"(?:/(?:full|abstract|pdf|epdf|meta|html?)|\.full(?:\.pdf|-text)?|\.pdf)$", "", doi)
        doi = page if "/" in page else doi  # 10.1000/pdf is whole
    while doi:
        last = doi[-1]
        if last in _TAIL or (last in _BRACKETS and doi.count(last) > doi.count(_BRACKETS[last])):
            doi = doi[:-1]
        else:
            break
    return doi if _DOI.fullmatch(doi) else None


def normalise_arxiv_id(text: str | None) -> str | None:
    """Return the arXiv id in `text` (bare, `arXiv:…`, a URL, an arXiv DOI) without its version; None if there is none.

    New style `2209.07753`, old style `math/0309136`: the subject class of `math.GT/0309136` is not part of the id.
    """
    if not text:
        return None
    flat = text[:4000].translate(_UPPER).strip()
    if found := _ARXIV_OLD.search(flat):
        return f"{found[1]}/{found[2]}"
    if normalise_doi(flat) and _ARXIV_DOI not in flat:
        return None  # 10.1234/2101.12345 holds digits of that form but is no arXiv id
    found = _ARXIV_NEW.search(flat)
    return f"{found[1]}{found[2]}.{found[3]}" if found else None


def arxiv_years(arxiv_id: str | None) -> frozenset[int]:
    """Return the possible years of an arXiv id: a paper announced in January may have been submitted in December."""
    if not arxiv_id:
        return frozenset()
    digits = arxiv_id.rpartition("/")[2]
    year = int(digits[:2])
    year += 1900 if year >= 91 else 2000
    return frozenset({year, year - 1} if digits[2:4] == "01" else {year})


def arxiv_of_doi(doi: str | None) -> str | None:
    """Return the arXiv id behind an arXiv DOI (`10.48550/arXiv.2209.07753`), or None."""
    return normalise_arxiv_id(doi) if doi and doi.startswith(_ARXIV_DOI) else None


def doi_stem(doi: str) -> str:
    """Return `doi` (normalised) without a version: bioRxiv `…v2`, ChemRxiv `…-v2`, Research Square `…/v1`, figshare
    `….v3`.

    Idempotent, and a DOI without a version is its own stem.
    """
    if found := _POINT_VERSION.match(doi):
        return found[1]
    return _BARE_VERSION.sub("", _VERSION.sub("", doi)) if is_preprint_doi(doi) else _VERSION.sub("", doi)


def is_preprint_doi(doi: str | None) -> bool:
    """Return whether a (normalised) DOI was registered by a preprint server or a repository."""
    return bool(doi and _PREPRINT_DOIS.match(doi))


def is_repository_doi(doi: str | None) -> bool:
    """Return whether a (normalised) DOI belongs to a repository for files of all kinds: preprints, data, slides,
    posters."""
    return bool(doi and _REPOSITORY_DOIS.match(doi))


def preprint_years(doi: str | None) -> frozenset[int]:
    """Return the years that a preprint DOI states: arXiv by its id; bioRxiv, medRxiv, preprints.org by the date."""
    if not doi:
        return frozenset()
    if found := _DOI_DATE.match(doi):
        return frozenset({int(found[1] or found[2])})
    return arxiv_years(arxiv_of_doi(doi))
