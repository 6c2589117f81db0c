"""Addresses as they stand in text: found, trimmed, and redirects and trackers seen through."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit, urlunsplit

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


MASK = "•"
"""Stands in the place of each character of a key in a text: offsets stay the same."""
_SECRET = re.compile(
    r"(?i)(?:x[-_])?(?:goog[-_]|amz[-_]|aws[-_]?)?"
    r"(?:api[-_]?key|access[-_]?token|auth[-_]?token|id[-_]?token|"
    r"refresh[-_]?token|token|authorization|secret|client[-_]?secret|secret[-_]?key|"
    r"access[-_]?key(?:[-_]?id)?|"
    r"signature|sig|sas|credential|security[-_]?token|password|passwd|pwd|jwt)\Z"
)
_PERHAPS = re.compile(r"(?i)(?:key|code|auth|session(?:[-_]?id)?|sid|k|policy|hash)\Z")
"""Names of parameters that hold a key only where the value looks like one."""
_LIKE_KEY = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.~+/=%-]{16,}\Z")
_IN_TEXT = re.compile(r"(?P<scheme>(?i:https?)://)(?P<rest>[^\s<>\"'`|]+)")
_USER = re.compile(r"\A[^/?#@]*(?:@[^/?#@]*)*@")
_PARAMETER = re.compile(r"(?<=[?&;#])(?P<name>[^=&;?#\s]{1,40})=(?P<value>[^&;#\s)\]}>]+)")


def without_keys(text: str) -> str:
    """Return a text in which keys in addresses (`?api_key=…`, `token=…`, `user:password@`) are masked, sign by sign:
    it has the same length."""
    return _IN_TEXT.sub(_masked, text)


def _masked(match: re.Match[str]) -> str:
    rest = match["rest"]
    if (user := _USER.match(rest)) is not None:
        rest = MASK * (user.end() - 1) + rest[user.end() - 1 :]
    return match["scheme"] + _PARAMETER.sub(_masked_value, rest)


def _masked_value(match: re.Match[str]) -> str:
    if not _is_secret(unquote(match["name"]), match["value"]):
        return match[0]
    return f"{match['name']}={MASK * len(match['value'])}"


def public_address(url: str) -> str:
    """Return the address that is fetched and shown: without keys, trackers (`utm_…`) and fragment. What is no address
    of the web is returned as it is, without keys."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return without_keys(url.strip())
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return without_keys(url.strip())
    host = parts.hostname.lower()
    host = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}[parts.scheme.lower()]
    place = host if port in (None, default) else f"{host}:{port}"
    kept = "&".join(piece for piece in parts.query.split("&") if piece and _is_kept(piece))
    return urlunsplit((parts.scheme.lower(), place, parts.path or "/", kept, ""))


def _is_kept(piece: str) -> bool:
    name, _, value = piece.partition("=")
    name = unquote(name)
    return not (is_tracker(name) or _is_secret(name, value))


def _is_secret(name: str, value: str) -> bool:
    masked = MASK in value or "%E2%80%A2" in value
    return bool(_SECRET.match(name) or (_PERHAPS.match(name) and (masked or _LIKE_KEY.match(value))))


def holds_key(url: str) -> bool:
    """Return whether an address holds a key, masked or not."""
    masked = without_keys(url)
    return MASK in masked or "%E2%80%A2" in masked


def page_key(url: str) -> str:
    """Return what all spellings of one page share: no scheme, no `www.`, no slash at the end, parameters in order."""
    parts = urlsplit(public_address(url))
    if not parts.hostname:
        return public_address(url).casefold()
    host = parts.netloc.removeprefix("www.")
    asked = "&".join(f"{name}={value}" for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True)))
    path = re.sub(r"/(?:index\.(?:html?|php))?\Z", "", unquote(parts.path))
    return f"{host}{path}?{asked}" if asked else f"{host}{path}"
