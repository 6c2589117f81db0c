"""Carriers of pages (archives, caches, redirects, readers, translators, proxies) and the pages behind their addresses.

The author of the page counts, not its carrier. An address that does not show its page (`Hidden`) is rejected. Nothing
is fetched: only the address itself is used.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

from veritas.policy._url_parts import Address

# query fields that hold the page's address, by site/path; "" is the whole query
QUERY_WRAPPERS: dict[str, tuple[str, ...]] = {
    "google.com/url": ("q", "url"),
    "google.com/imgres": ("imgrefurl",),
    "google.com/translate": ("u",),
    "translate.google.com": ("u",),
    "translate.googleusercontent.com": ("u",),
    "docs.google.com/viewer": ("url",),
    "docs.google.com/gview": ("url",),
    "view.officeapps.live.com/op": ("src",),
    "duckduckgo.com/l": ("uddg",),
    "l.facebook.com/l.php": ("u",),
    "lm.facebook.com/l.php": ("u",),
    "facebook.com/l.php": ("u",),
    "facebook.com/flx/warn": ("u",),
    "l.instagram.com": ("u",),
    "l.messenger.com/l.php": ("u",),
    "l.threads.com": ("u",),
    "linkedin.com/redir/redirect": ("url",),
    "linkedin.com/safety/go": ("url",),
    "youtube.com/redirect": ("q",),
    "out.reddit.com": ("url",),
    "slack-redir.net/link": ("url",),
    "steamcommunity.com/linkfilter": ("url", "u"),
    "vk.com/away.php": ("to",),
    "t.umblr.com/redirect": ("z",),
    "medium.com/m/global-identity-2": ("redirecturl",),
    "medium.com/m/global-identity": ("redirecturl",),
    "go.redirectingat.com": ("url",),
    "go.openathens.net/redirector": ("url",),
    "safelinks.protection.outlook.com": ("url",),
    "webcitation.org": ("url",),
    "12ft.io/proxy": ("q",),
    "href.li": ("",),
    "anonym.to": ("",),
    "dereferer.org": ("",),
}

# site/path after which the page's address follows, optionally behind a date or a number
PATH_WRAPPERS: tuple[str, ...] = (
    "web.archive.org/web", "web.archive.org/save", "archive.today", "wayback.archive-it.org", "arquivo.pt/wayback",
    "arquivo.pt/noframe/replay", "webarchive.nationalarchives.gov.uk", "webarchive.loc.gov/all", "vefsafn.is/is",
    "webarchive.org.uk/wayback/archive", "swap.stanford.edu", "timetravel.mementoweb.org/memento",
    "google.com/amp", "cdn.ampproject.org/c", "cdn.ampproject.org/v", "cdn.ampproject.org/i", "cdn.ampproject.org/ii",
    "bing-amp.com/c", "amp.cloudflare.com/c", "r.jina.ai", "12ft.io", "outline.com", "smry.ai", "removepaywall.com",
    "via.hypothes.is", "pure.md", "txtify.it", "freedium.cfd",
)  # fmt: skip

# hosts that serve another site's pages under the same paths
MIRRORS: dict[str, str] = {
    "scribe.rip": "medium.com",
    "ar5iv.org": "arxiv.org",
    "nitter.net": "x.com",
    "vxtwitter.com": "x.com",
    "fxtwitter.com": "x.com",
    "xcancel.com": "x.com",
    "old.reddit.com": "reddit.com",
    "redlib.catsarch.com": "reddit.com",
    "yewtu.be": "youtube.com",
}

# hosts that are one and the same service
_SAME: dict[str, str] = dict.fromkeys(
    ("archive.ph", "archive.is", "archive.li", "archive.vn", "archive.fo", "archive.md"), "archive.today"
) | {"wayback.archive.org": "web.archive.org", "freedium-mirror.cfd": "freedium.cfd"}

_GOOGLE = re.compile(r"((?:[\w-]+\.)*)google\.(?:com|(?:com?\.)?[a-z]{2})")
_BEFORE_PAGE = re.compile(
    r"(?:o/\w+|newest|oldest|(?:[a-z]{2,}/)?\d[\d.-]*(?:[a-z]{2}_)?\*?|\*|[is]{1,2}|w\d+)/+", re.IGNORECASE
)
_SCHEME = re.compile(r"(https?)(?::|%3a)(?:/|%2f)+", re.IGNORECASE)
_SITE = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)")
_PROXY = re.compile(r"(?:ez|lib|library|e|web)?-?proxy-?\w{0,4}|ezp\d*|ezaccess")
_OCLC = ".idm.oclc.org"
_TRANSLATED = re.compile(r"_x_tr_\w+=[^&#]*&?")


@dataclass(frozen=True, slots=True)
class Behind:
    """The page behind an address. `carrier` is set if anybody could run the carrying host: it must then be
    credentialed."""

    url: str
    carrier: str | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """An address that carries a page without naming it."""

    why: str


def see_through(address: Address) -> Behind | Hidden | None:
    """Return the page behind the address; None if it is no carrier's address."""
    host = address.host.removeprefix("www.")
    google = _GOOGLE.fullmatch(host)
    host = f"{google[1]}google.com" if google else _SAME.get(host, host)
    return (
        _special(host, address)
        or _by_query(host, address)
        or _by_path(host, address)
        or _by_mirror(host, address)
        or _by_host(host, address)
    )


def _by_query(host: str, address: Address) -> Behind | Hidden | None:
    entry = _entry(_QUERIES, host, address.path)
    if entry is None:
        return None
    fields = QUERY_WRAPPERS[entry]
    if fields == ("",):
        return Behind(unquote(address.query)) if address.query else None
    pages = dict.fromkeys(v for k, v in parse_qsl(address.query) if k.lower() in fields)
    if len(pages) > 1:
        return Hidden("names more than one page")
    if pages:
        return Behind(next(iter(pages)))
    # Some of these sites carry a page in the path as well (12ft.io/https://…), or are no carrier at their root.
    return None if not address.path or _entry(_PATHS, host, address.path) else Hidden("does not say which page")


def _by_path(host: str, address: Address) -> Behind | Hidden | None:
    entry = _entry(_PATHS, host, address.path)
    if entry is None:
        return None
    rest = address.rest.lstrip("/")
    for _ in range(entry.count("/")):
        rest = rest.partition("/")[2].lstrip("/")
    if not rest.partition("?")[0].partition("#")[0]:
        return None
    while (before := _BEFORE_PAGE.match(rest)) and not _SCHEME.match(rest):
        rest = rest[before.end():]
    page = _page(rest)
    if page is None and host == "freedium.cfd":
        page = f"https://medium.com/{rest}"
    return Behind(page) if page else Hidden("does not say which page")


def _by_mirror(host: str, address: Address) -> Behind | None:
    original = MIRRORS.get(host)
    return Behind(f"https://{original}{address.rest}") if original else None


def _by_host(host: str, address: Address) -> Behind | None:
    """Return the page behind proxies and translators whose host contains the page's host:
    www-nature-com.ezproxy.example.edu."""
    for carrier in (".translate.goog", ".cdn.ampproject.org", _OCLC):
        if host.endswith(carrier):
            inner = host.removesuffix(carrier)
            site = _decoded(inner.rpartition(".")[0] if carrier == _OCLC else inner)
            return Behind(f"https://{site}{_TRANSLATED.sub('', address.rest).rstrip('?&')}") if site else None
    labels = host.split(".")
    for i, label in enumerate(labels[:-2]):
        if _PROXY.fullmatch(label):
            carrier = ".".join(labels[i:])
            if i == 0:
                page = re.search(r"(?:^|&)q?url=(.+)", address.query, re.IGNORECASE | re.DOTALL)
                return Behind(_page(page[1]) or page[1], carrier) if page and "login" in address.path else None
            site = _decoded(".".join(labels[:i]))
            return Behind(f"https://{site}{address.rest}", carrier) if site else None
    return None


def _special(host: str, address: Address) -> Behind | Hidden | None:
    path, rest = address.path, address.rest
    if host in ("bing.com", "cn.bing.com") and path[:2] == ("ck", "a"):
        return _bing(dict(parse_qsl(address.query)).get("u", ""))
    if host == "webcache.googleusercontent.com" or (host == "google.com" and path[:1] == ("search",)):
        cached = re.match(r"cache:(?:[\w-]{12}:)?(\S+)", dict(parse_qsl(address.query)).get("q", ""))
        return Behind(cached[1]) if cached else None
    if host == "r.search.yahoo.com":
        page = re.search(r"/RU=([^/]+)", rest)
        return Behind(unquote(page[1])) if page else Hidden("does not say which page")
    if host == "urldefense.com":
        page = re.search(r"/v3/__(.+?)__;", rest)
        return Behind(page[1]) if page else Hidden("does not say which page")
    if host == "urldefense.proofpoint.com":
        coded = dict(parse_qsl(address.query)).get("u", "")
        return Behind(unquote(coded.translate({45: "%", 95: "/"}))) if coded else Hidden("does not say which page")
    if host in ("doi.org", "dx.doi.org"):
        return _doi(unquote(rest.partition("?")[0].partition("#")[0]).strip("/"))
    return None


def _bing(coded: str) -> Behind | Hidden:
    import base64

    raw = coded.removeprefix("a1")
    try:
        return Behind(base64.b64decode(raw + "=" * (-len(raw) % 4), "-_", validate=True).decode())
    except (Base64Error, ValueError):
        return Hidden("does not say which page")


def _doi(doi: str) -> Behind | None:
    """Return the page of a DOI, if its registrant derives the page's address from the DOI; else None."""
    known = re.fullmatch(
        r"10\.(?:1038/(?P<nature>[\w.()-]+)|48550/arxiv\.(?P<arxiv>[\w./-]+)|5281/zenodo\.(?P<zenodo>\d+))",
        doi, re.IGNORECASE | re.ASCII,
    )  # fmt: skip
    if known is None:
        return None
    if known["nature"]:
        return Behind(f"https://www.nature.com/articles/{known['nature']}")
    if known["arxiv"]:
        return Behind(f"https://arxiv.org/abs/{known['arxiv']}")
    return Behind(f"https://zenodo.org/records/{known['zenodo']}")


def _page(text: str) -> str | None:
    """Return the address that `text` begins with, its scheme repaired (`https:/x`, `https%3A%2F%2Fx`) or added; else
    None."""
    scheme = _SCHEME.match(text)
    if scheme:
        page = text[scheme.end():]
        return f"{scheme[1]}://{unquote(page) if '%' in scheme[0] else page}" if page else None
    return f"https://{text}" if _SITE.match(text) else None


def _decoded(coded: str) -> str | None:
    """Return the decoded name: `www-nature-com` -> `www.nature.com`; two hyphens stand for one. A name with dots is
    taken as it is."""
    site = coded if "." in coded else coded.replace("--", "\0").replace("-", ".").replace("\0", "-")
    return site if "." in site.strip(".") else None


def _index(entries: Iterable[str]) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return the entries with their paths by host, the longest path first."""
    hosts: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for entry in sorted(entries, key=lambda e: -e.count("/")):
        host, *path = entry.split("/")
        hosts.setdefault(host, []).append((tuple(path), entry))
    return hosts


_QUERIES = _index(QUERY_WRAPPERS)
_PATHS = _index(PATH_WRAPPERS)


def _entry(index: dict[str, list[tuple[tuple[str, ...], str]]], host: str, path: tuple[str, ...]) -> str | None:
    """Return the entry for this host or a parent domain, and this path; None without one."""
    while host:
        for start, entry in index.get(host, ()):
            if path[: len(start)] == start:
                return entry
        host = host.partition(".")[2]
    return None
