"""Site patterns: the pages that a rule of a policy file is about, as one short pattern, readable without knowing
code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from veritas.policy._url_parts import NoAddress, read_host

COUNTRY = "<country>"
ANY = "<any>"

PathPart = str | re.Pattern[str]


@dataclass(frozen=True, slots=True)
class SitePattern:
    """A pattern, taken apart.

    - `nature.com` is that site with all its subdomains; `.gov` is everything below that suffix
    - `nature.com/articles` is what lies below that path; a `*` stands for any characters within one part of it
    - `.ac.<country>` is `.ac.uk`, `.ac.jp` …: every country whose registry itself runs such a suffix
    - `forum.<any>` is the subdomain of that name of any site; `<any>/forum` that path on any site

    `host` is "" for the patterns that hold for any site, `label` the subdomain one of them asks for.
    """

    text: str
    host: str
    label: str
    path: tuple[PathPart, ...]

    @property
    def anywhere(self) -> bool:
        """True if it holds for any site."""
        return not self.host

    def fits(self, path: tuple[str, ...]) -> bool:
        """Return whether a page's path (decoded, lower case) equals the pattern's or is below it."""
        if len(self.path) > len(path):
            return False
        for wanted, part in zip(self.path, path, strict=False):
            if isinstance(wanted, str):
                if wanted != part:
                    return False
            elif wanted.fullmatch(part) is None:
                return False
        return True

    @property
    def place(self) -> str:
        """A text that is equal for two patterns about the same pages, however they are written."""
        return "/".join([self.label, self.host, *(p if isinstance(p, str) else p.pattern for p in self.path)])

    @property
    def literal(self) -> int:
        """Number of literal characters of the path: of two paths of equal length the more exact wins."""
        return sum(len(p if isinstance(p, str) else p.pattern) for p in self.path)


@lru_cache(maxsize=16384)
def parse_pattern(text: str) -> SitePattern:
    """Return the parsed pattern. Raises `ValueError` with a sentence that explains the correct form."""
    written = text.strip().lower()
    if "://" in written:
        raise ValueError("leave out the scheme: write example.org/path, not https://example.org/path")
    if re.search(r"[?#\\\s]", written):
        raise ValueError("a site is a name and perhaps a path: no question mark, # or space")
    host, _, rest = written.partition("/")
    path = tuple(_part(part) for part in rest.split("/") if part)
    if host == ANY:
        if not path:
            raise ValueError(f"{ANY} alone would be about every page there is; name a path, as in {ANY}/forum")
        return SitePattern(written.rstrip("/"), "", "", path)
    if host.endswith(f".{ANY}"):
        label = host[: -len(ANY) - 1]
        if path or not re.fullmatch(r"[a-z0-9_-]+", label):
            raise ValueError(f"write one subdomain and nothing else, as in forum.{ANY}")
        return SitePattern(written, "", label, ())
    return SitePattern(written.rstrip("/"), _site(host), "", path)


def _site(written: str) -> str:
    suffix = written.startswith(".")
    name = written.removeprefix(".").removeprefix("www.")
    country = name.endswith(f".{COUNTRY}")
    host = read_host(name.removesuffix(f".{COUNTRY}"))
    if isinstance(host, NoAddress):
        raise ValueError(f"{written!r} is not the name of a site ({host.why})")
    if country:
        if "." in host or not suffix:
            raise ValueError(f"write a suffix of one word before {COUNTRY}, as in .gov.{COUNTRY}")
        return f"{host}.{COUNTRY}"
    if "." not in host and not suffix:
        raise ValueError(f"{written!r} is no site; write .{host} if you mean every site below that suffix")
    return host


def _part(written: str) -> PathPart:
    if "*" not in written:
        return written
    if written.count("*") > 2:
        raise ValueError("at most two * in one part of a path")  # more of them take quadratic time on a hostile path
    return re.compile(".*".join(map(re.escape, written.split("*"))), re.DOTALL)
