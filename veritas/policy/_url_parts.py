"""Parsing URLs as a browser does, so that rules see the host that would really answer, or the reason why there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

MAX_HOST = 253

# Control characters, line separators, lone surrogates, and the marks that make text run the other way round.
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffd\ud800-\udfff]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
# A DOI as papers print it. No IP address has this form: its second number would be above 255.
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
# An arXiv number, as of 2007 or before, optionally with the subject that arXiv stamps behind it.
_ARXIV = re.compile(
    r"(?P<number>\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?)(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Address:
    """A web address. `host` is lower-case ASCII without a trailing dot; `path` has its parts decoded, in lower case and
    with dots resolved; `rest` is everything after the host as written; `url` can be fetched."""

    url: str
    host: str
    path: tuple[str, ...]
    rest: str

    @property
    def query(self) -> str:
        """The text between `?` and `#`, as it was written."""
        return self.rest.partition("#")[0].partition("?")[2]


@dataclass(frozen=True, slots=True)
class NoAddress:
    """The reason why a text is no address: `kind` is a word for the log, `why` a phrase for a person."""

    kind: str
    why: str


def read_address(text: str) -> Address | NoAddress:
    """Return the address in `text`: `http` or `https`, or no scheme at all, which counts as `https`. Never raises.

    A bare DOI (`10.1234/x`, `doi:10.1234/x`) is the address at doi.org, `arXiv:2401.00001` the one at arxiv.org.
    """
    url = text.strip(" \t\r\n\f\v")
    if not url:
        return NoAddress("no-address", "there is no address")
    if _HIDDEN.search(url):
        return NoAddress("malformed", "the address holds control or invisible characters")
    scheme = _SCHEME.match(url)
    if _DOI.fullmatch(url):
        return read_address(f"https://doi.org/{url}")
    if scheme is None:
        rest = url.removeprefix("//")
        url = f"https://{rest}"
    elif scheme[1].lower() == "doi":
        return read_address(f"https://doi.org/{url[4:].lstrip(' /')}")
    elif scheme[1].lower() == "arxiv":
        arxiv = _ARXIV.fullmatch(url[6:].lstrip())
        if arxiv is None:
            return NoAddress("malformed", "arXiv: is not followed by an arXiv number such as 2401.00001")
        return read_address(f"https://arxiv.org/abs/{arxiv['number']}")
    elif scheme[1].lower() not in ("http", "https"):
        return NoAddress("scheme", f"{scheme[1].lower()[:40]}: is no address of a web page")
    elif not url.startswith("//", scheme.end()):
        return NoAddress("malformed", "the address has no // after its scheme")
    else:
        rest = url[scheme.end() + 2:]
    cut = re.search(r"[/?#\\]", rest)
    authority, rest = (rest, "") if cut is None else (rest[:cut.start()], rest[cut.start():])
    if "\\" in rest.partition("?")[0]:
        # Browsers read a backslash as a slash, most libraries do not: the two would ask different hosts.
        return NoAddress("malformed", "the address holds a backslash")
    host = _host(authority)
    if isinstance(host, NoAddress):
        return host
    return Address(url, host, _path(rest), rest)


def read_host(text: str) -> str | NoAddress:
    """Return a host name in its canonical form: lower case, punycode, no trailing dot. Never raises."""
    host = unquote(text) if "%" in text else text
    if len(host) > 4 * MAX_HOST:
        return NoAddress("malformed", "the host name is too long")
    if not host.isascii():
        import idna

        try:
            host = idna.encode(host, uts46=True, transitional=False).decode("ascii")
        except UnicodeError:
            return NoAddress("malformed", "the host name is not one that can be registered")
    host = host.lower().removesuffix(".")
    if host.startswith("["):
        return NoAddress("ip-address", "the host is a bare IP address, which has no known owner")
    labels = host.split(".")
    if not host or len(host) > MAX_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return NoAddress("malformed", "the host name is not one that can be registered" if host else "there is no host")
    if _NUMBER.fullmatch(labels[-1]):
        return NoAddress("ip-address", "the host is a bare IP address, which has no known owner")
    return host


def _host(authority: str) -> str | NoAddress:
    user, _, place = authority.rpartition("@")
    if "@" in user:
        return NoAddress("malformed", "the address holds two @ before its path")
    name, colon, port = place.rpartition(":")
    if colon and not place.endswith("]"):
        if not (port == "" or (port.isascii() and port.isdigit() and int(port[:6]) <= 65535)):
            return NoAddress("malformed", "the port is no number from 0 to 65535")
        place = name
    return read_host(place)


def _path(rest: str) -> tuple[str, ...]:
    raw = re.split(r"[?#]", rest, maxsplit=1)[0]
    parts: list[str] = []
    for part in (unquote(raw) if "%" in raw else raw).lower().split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return tuple(parts)
