"""Addresses of sources: without keys, and in one form for all spellings of one page."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from veritas.factcheck.addresses import is_tracker

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
