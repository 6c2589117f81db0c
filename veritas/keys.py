"""The keys of this process: read here, remembered, and taken out of whatever leaves it.

Keys are read with `key`. Beside them, the environment's usual names of secrets count (`OPENAI_API_KEY`,
`PREFECT_API_AUTH_STRING`, a password in the URL of a proxy or a database): a library may send them unasked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from threading import Lock
from typing import Any

from veritas.redaction import Redactor, is_secret, secrets_in

_SECRET_NAME = re.compile(
    r"(?i)(?:.*_)?(?:api_?key|api_?token|access_?key|secret_?key|secret|token|password|passwd|auth_string|credentials?)"
    r"(?:_\d+)?|veritas_\w*key"
)
_URL = re.compile(r"\s*(?:Bearer )?[A-Za-z][A-Za-z0-9+.-]*://\S+\s*\Z")
"""A setting that is a URL as a whole. A text that only mentions a URL names no password."""
_known: dict[str, str] = {}
_redactor = Redactor({})
_seen: Mapping[Any, Any] = {}
"""The environment that `_redactor` was made from, as the interpreter stores it."""
_lock = Lock()


def key(names: Iterable[str], environ: Mapping[str, str] | None = None) -> str | None:
    """Return the value of the first of these environment variables that is set, stripped of white space. From here on
    the values of all of them are secrets of this process."""
    environ = os.environ if environ is None else environ
    given = {name: environ.get(name, "").strip() for name in names}
    for name, value in given.items():
        remember(name, value)
    return next((value for value in given.values() if value), None)


def remember(name: str, value: str) -> None:
    """Remember the secrets in the setting `name`, whether it is a key or a URL with a password in it."""
    global _redactor
    new = {part: said for said, part in secrets_in(name, value) if part not in _known and is_secret(part)}
    if new:
        with _lock:
            _known.update(new)
            _redactor = Redactor(_known)


def withheld(text: str) -> str:
    """Return `text` without the values of keys, in any form; the same object where there are none. For documents,
    passages, answers and files: text that only looks like a key stays."""
    return _current().exact(text)


def withheld_from_bytes(data: bytes) -> bytes:
    """Return bytes, in any encoding that holds ASCII, without the values of keys."""
    text = data.decode("latin-1")
    kept = _current().exact(text)
    return data if kept is text else kept.encode("latin-1")


def withheld_from_message(text: str) -> str:
    """Return `text` without the values of keys, without a cut-off beginning of one, and without what looks like a key.
    For errors, logs and the messages of providers."""
    return _current().message(text)


def redactor() -> Redactor:
    """Return the redactor that takes this process' present keys out of text."""
    return _current()


def _current() -> Redactor:
    global _seen
    # Each message of an error comes by here, and decoding the whole environment is most of its time.
    stored: Mapping[Any, Any] = getattr(os.environ, "_data", os.environ)
    if _seen == stored:
        return _redactor
    read = dict(stored)
    for name, value in os.environ.items():
        if "://" in value:
            if _URL.match(value) and ("@" in value or "?" in value):
                remember(name, value)
        elif _names_secret(name):
            remember(name, value)
    _seen = read
    return _redactor


_PATHS = frozenset({"VERITAS_APPROVAL_KEY", "GOOGLE_APPLICATION_CREDENTIALS"})
"""Settings that name a file with a secret in it: their own value is a path, and messages have to show it."""


@cache
def _names_secret(name: str) -> bool:
    return name not in _PATHS and _SECRET_NAME.fullmatch(name) is not None
