"""Addresses as they stand in text: found, trimmed, and redirects and trackers seen through."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from veritas.works.identifiers import normalise_doi


class Found(NamedTuple):
    """An address in a text: `text[start:end]` is how it is written there."""

    start: int
    end: int
    url: str
    style: str


_URL = re.compile(r"(?<![\w@])(?:https?://|www\.)[^\s<>\"“”„«»`|\\^{}\u3002\u3001\ue000-\uf8ff]+", re.IGNORECASE)
_DOI = re.compile(r"(?i)(?<![\w./=])(?:doi\s*[:=]?\s*)?(10\.\d{4,9}/[^\s<>\"“”|\\^{}]+)")
_PMID = re.compile(r"(?i)\bPMID\s*[:#]?\s*(\d{4,9})\b")
_PMC = re.compile(r"\b(?:PMCID\s*:?\s*)?(PMC\d{4,9})\b")
_ARXIV = re.compile(r"(?i)\barXiv\s*:\s*(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7})")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_TRACKER = re.compile(
    r"utm_\w+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|twclid|ttclid|srsltid|mc_[ce]id|s_cid|igshid|_g[al]"
    r"|_hs(?:enc|mi)|ref_(?:src|url)|mkt_tok|spm|cmpid|ocid|vero_id|oly_(?:anon|enc)_id"
)
_TEXT_FRAGMENT = re.compile(r":~:.*\Z", re.DOTALL)
# Parameters of redirects that hold the address itself, by the end of the host and a part of the path.
_REDIRECTS = (
    ("google.", "/url", ("q", "url")),
    ("google.", "/imgres", ("imgrefurl",)),
    ("duckduckgo.com", "/l/", ("uddg",)),
    ("bing.com", "/ck/a", ("u",)),
    ("bing.com", "/aclick", ("u",)),
    ("vertexaisearch.cloud.google.com", "/", ("url", "q")),
    ("facebook.com", "/l.php", ("u",)),
    ("instagram.com", "/", ("u",)),
    ("youtube.com", "/redirect", ("q",)),
    ("reddit.com", "/link", ("url",)),
    ("linkedin.com", "/redir", ("url",)),
    ("yandex.", "/clck", ("url",)),
    ("baidu.com", "/link", ("wd",)),
    ("safelinks.protection.outlook.com", "/", ("url",)),
    ("ecosia.org", "/", ("url",)),
    ("startpage.com", "/", ("url",)),
    ("slack-redir.net", "/link", ("url",)),
)
_YAHOO = re.compile(r"/RU=([^/]+)/", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9_-]{16,4000}={0,2}\Z")
_READERS = ("r.jina.ai",)
_DEPTH = 4


def addresses(text: str, start: int = 0, end: int | None = None) -> Iterator[Found]:
    """Yield the addresses of a stretch of text in order: URLs, then DOIs, PMIDs and arXiv ids that stand in none."""
    end = len(text) if end is None else end
    found: list[Found] = []
    for match in _URL.finditer(text, start, end):
        written = trimmed(match[0])
        if len(written) > 7 and "." in written:
            found.append(Found(match.start(), match.start() + len(written), plain_address(written), "url"))
    for match in _DOI.finditer(text, start, end):
        written = trimmed(match[1])
        if url := doi_address(written):
            found.append(Found(match.start(), match.start(1) + len(written), url, "doi"))
    for pattern, style, form in (
        (_PMID, "pmid", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
        (_PMC, "pmid", "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/"),
        (_ARXIV, "arxiv", "https://arxiv.org/abs/{}"),
    ):
        found += (Found(*m.span(), form.format(m[1]), style) for m in pattern.finditer(text, start, end))
    found.sort(key=lambda one: (one.start, -one.end))
    at = start
    for one in found:
        if one.start >= at:
            yield one
            at = one.end


def doi_address(doi: str) -> str | None:
    """Return the resolver's address of a DOI; None if it is none."""
    normal = normalise_doi(doi)
    return f"https://doi.org/{normal}" if normal else None


def trimmed(url: str) -> str:
    """Return an address without the punctuation and the markup that follow it."""
    url = url.partition("](")[0]
    while url:
        last = url[-1]
        unpaired = last in _CLOSING and url.count(last) > url.count(_CLOSING[last])
        if not (last in ".,;:!?'’‘*_~…" or unpaired):
            break
        url = url[:-1]
    return url


def plain_address(url: str) -> str:
    """Return the page that an address leads to as far as the address tells: redirects of search engines are seen
    through, parameters of trackers and fragments that point at words are left out. Nothing is fetched: a redirect that
    hides its aim stays as it is."""
    url = url.strip().strip("<>").replace("&amp;", "&").replace("\\_", "_").replace("\\&", "&")
    if url.lower().startswith("www."):
        url = f"https://{url}"
    for _ in range(_DEPTH):
        aim = _aim(url)
        if aim is None:
            break
        url = aim
    return _untracked(url)


def host(url: str) -> str:
    """Return the host of an address without `www.`; "" if it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _aim(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        name = parts.hostname or ""
    except ValueError:
        return None
    if name in _READERS and "http" in parts.path[:6]:
        return url[url.index(parts.path) + 1 :]
    if name.endswith("search.yahoo.com") and (yahoo := _YAHOO.search(parts.path)):
        return unquote(yahoo[1])
    for ending, path, names in _REDIRECTS:
        known = f".{ending}" in f".{name}" if ending.endswith(".") else f".{name}".endswith(f".{ending}")
        if not known or not parts.path.startswith(path):
            continue
        query = parse_qs(parts.query)
        for each in names:
            for value in query.get(each, ()):
                if aim := _http(value) or _hidden(value):
                    return aim
        if name.startswith("vertexaisearch"):
            return _hidden(parts.path.rpartition("/")[2])
    return None


def _http(value: str) -> str | None:
    return value if value.lower().startswith(("http://", "https://")) else None


def _hidden(value: str) -> str | None:
    """Return the address that a value holds in base64, as Bing writes it behind "a1"."""
    for coded in (value[2:], value):
        if _BASE64.match(coded):
            try:
                plain = base64.urlsafe_b64decode(coded.rstrip("=") + "=" * (-len(coded.rstrip("=")) % 4)).decode(
                    "ascii"
                )
            except ValueError:
                continue
            if (aim := _http(plain)) and aim.isprintable() and " " not in aim:
                return aim
    return None


def _untracked(url: str) -> str:
    base, mark, fragment = url.partition("#")
    fragment = _TEXT_FRAGMENT.sub("", fragment)
    head, asked, query = base.partition("?")
    if asked:
        pairs = [pair for pair in query.split("&") if not _is_tracker(pair)]
        base = f"{head}?{'&'.join(pairs)}" if any(pairs) else head
    return f"{base}#{fragment}" if mark and fragment else base


def is_tracker(name: str) -> bool:
    """Return whether a parameter of an address only tells where a reader came from."""
    return _TRACKER.fullmatch(name.lower()) is not None


def _is_tracker(pair: str) -> bool:
    named = parse_qsl(pair, keep_blank_values=True)
    name = named[0][0].lower() if named else ""
    told = named[0][1].lower() if named else ""
    return is_tracker(name) or (
        name in ("source", "ref") and told in ("chatgpt.com", "openai", "perplexity")
    )
