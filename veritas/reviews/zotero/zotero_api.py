"""Read from Zotero by one of its two APIs, with limited waits and classified errors. Nothing is ever written."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from veritas.errors import CorpusError, InputError, Unavailable
from veritas.keys import key, withheld, withheld_from_message
from veritas.reading.walking import read_bytes

LOCAL_URL = "http://localhost:23119/api"
WEB_URL = "https://api.zotero.org"
PATIENCE = 30.0
"""Seconds of waiting that a server may ask for at once; one that asks for more counts as unavailable."""
TIMEOUT = 20.0
PAGE = 100

_LIBRARY = re.compile(r"(users|groups)/(\d+)")
T = TypeVar("T")


@dataclass(frozen=True)
class ZoteroSettings:
    """The place of the library. `url` None: the local API, else the web API if there is a key."""

    url: str | None = None
    key: str | None = None
    library: str = "users/0"
    storage: Path | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> ZoteroSettings:
        """Read `VERITAS_ZOTERO_URL`, `_KEY`, `_LIBRARY` (`users/<id>` or `groups/<id>`) and `_STORAGE` (the folder in
        which Zotero keeps attachments). Raises `InputError` for a malformed library."""
        library = environ.get("VERITAS_ZOTERO_LIBRARY") or "users/0"
        if not _LIBRARY.fullmatch(library):
            raise InputError(f"VERITAS_ZOTERO_LIBRARY is {library!r}: write users/<number> or groups/<number>")
        folder = environ.get("VERITAS_ZOTERO_STORAGE")
        usual = Path.home() / "Zotero" / "storage"
        return cls(
            url=(environ.get("VERITAS_ZOTERO_URL") or "").rstrip("/") or None,
            key=key(("VERITAS_ZOTERO_KEY",), environ),
            library=library,
            storage=Path(folder) if folder else usual if usual.is_dir() else None,
        )


class ZoteroClient:
    """A client of one library. Each thread makes its own requests; items are returned as the API gives them."""

    def __init__(self, settings: ZoteroSettings) -> None:
        """Find the API that answers. Raises `InputError` if pyzotero is not installed, `Unavailable` if none does."""
        self.settings = settings
        self._url, self._key = self._reach()

    @property
    def root(self) -> str:
        """Name of this library in a corpus."""
        return f"zotero:{self.settings.library}"

    def collections(self) -> list[dict[str, Any]]:
        """Return all collections."""
        return self._things(self._all(lambda z: z.collections(limit=PAGE)))

    def collection_items(self, key: str) -> list[dict[str, Any]]:
        """Return the items of a collection, attachments among them."""
        return self._things(self._all(lambda z: z.collection_items(key, limit=PAGE)))

    def all_items(self) -> list[dict[str, Any]]:
        """Return the items of the whole library, attachments among them."""
        return self._things(self._all(lambda z: z.items(limit=PAGE)))

    def items(self, limit: int, **query: str) -> list[dict[str, Any]]:
        """Return at most `limit` items that a query finds, without attachments and notes."""
        return self._things(self._ask(lambda z: z.top(limit=limit, **query)))[:limit]

    def tags(self) -> list[str]:
        """Return all tags."""
        return [tag for tag in self._all(lambda z: z.tags(limit=PAGE)) if isinstance(tag, str)]

    def children(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Return the attachments of items."""
        return self._things(self._ask(lambda z: [child for key in keys for child in z.children(key)]))

    def file(self, key: str) -> bytes:
        """Return the bytes of an attachment. Raises `CorpusError` if the server has none."""
        import httpx2

        url = f"{self._url}/{self.settings.library}/items/{key}/file"
        headers = {"Zotero-API-Version": "3", **({"Zotero-API-Key": self._key} if self._key else {})}
        try:
            with httpx2.Client(timeout=TIMEOUT, trust_env=self._key is not None) as client:
                answer = client.get(url, headers=headers)
                place = answer.headers.get("Location", "") if answer.is_redirect else ""
                if place.startswith("file:"):
                    return self._pointed_at(place)
                if place:
                    # To where the files of the web API lie; the key is not for them.
                    answer = client.get(urljoin(url, place), follow_redirects=True)
                status, data = answer.status_code, answer.content
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            raise Unavailable(f"Zotero at {self._url} gave no file: {_short(error)}") from error
        if status == 404:
            raise CorpusError("is neither in Zotero's storage folder nor on its server")
        if status != 200:
            raise Unavailable(f"Zotero at {self._url} gave no file ({status})")
        return data

    def _pointed_at(self, place: str) -> bytes:
        """Return a file of this machine that Zotero on this machine points to; no other server may."""
        host = urlsplit(self._url).hostname
        if self._key is not None or host not in ("localhost", "127.0.0.1", "::1"):
            raise CorpusError("is said to be a file of this machine, by a server that is not on it")
        path = Path(url2pathname(urlsplit(place).path))
        if not path.is_file():
            raise CorpusError(f"is not at {path}, where Zotero says it is")
        return read_bytes(path, follow=True)

    def _things(self, answer: Any) -> list[dict[str, Any]]:
        """Return a list of objects with keys. Raises `Unavailable` for any other, which must not count as empty."""
        if not isinstance(answer, list) or not all(isinstance(each, dict) and "key" in each for each in answer):
            raise Unavailable(f"Zotero at {self._url} gave no readable answer: no list of items")
        text = json.dumps(answer)
        kept = withheld(text)  # what was sent may come back, the key with it
        return answer if kept is text else json.loads(kept)

    def _all(self, ask: Callable[[Any], Any]) -> list[Any]:
        found: list[Any] = self._ask(lambda z: z.everything(ask(z)))
        return found

    def _ask(self, ask: Callable[[Any], T]) -> T:
        import httpx2
        from pyzotero import errors

        zotero = self._connect(self._url, self._key)
        try:
            return ask(zotero)
        except errors.UserNotAuthorisedError as error:
            raise Unavailable(
                f"Zotero at {self._url} does not let us read {self.settings.library}: {_short(error)}. For the local "
                "API allow other applications in Zotero's settings (Advanced), for the web API set VERITAS_ZOTERO_KEY"
            ) from error
        except errors.ResourceNotFoundError as error:
            raise InputError(f"Zotero at {self._url} has no such thing: {_short(error)}") from error
        except (errors.PyZoteroError, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, KeyError) as error:
            raise Unavailable(f"Zotero at {self._url} gave no readable answer: {_short(error)}") from error
        finally:
            zotero.client.close()

    def _reach(self) -> tuple[str, str | None]:
        """Return the API that answers, and the key for it."""
        settings = self.settings
        if settings.url is not None:
            return settings.url, settings.key
        import httpx2

        try:
            httpx2.get(LOCAL_URL, timeout=2.0, trust_env=False)
            return LOCAL_URL, None
        except httpx2.HTTPError as error:
            if settings.key is None:
                raise Unavailable(
                    f"Zotero does not answer at {LOCAL_URL} ({_short(error)}). Start it and allow other applications "
                    "to communicate with it (Settings, Advanced), or set VERITAS_ZOTERO_KEY and VERITAS_ZOTERO_LIBRARY "
                    "for its web API"
                ) from error
        return WEB_URL, settings.key

    def _connect(self, url: str, key: str | None) -> Any:
        import httpx2

        library = _LIBRARY.fullmatch(self.settings.library)
        assert library is not None
        client = httpx2.Client(follow_redirects=True, timeout=TIMEOUT, trust_env=key is not None)
        zotero = _patient()(library[2], library[1].removesuffix("s"), key, local=key is None, client=client)
        zotero.endpoint = url
        return zotero


def pyzotero_installed() -> None:
    """Raise `InputError` if pyzotero is not installed."""
    try:
        import pyzotero  # noqa: F401
    except ImportError as error:
        raise InputError("reading Zotero needs the extra: pip install 'veritas-research[zotero]'") from error


def _patient() -> Any:
    """Return pyzotero's client class, limited: pyzotero waits as long as a server asks, ours at most `PATIENCE`."""
    import time

    from pyzotero import zotero

    class Patient(zotero.Zotero):
        def _check_backoff(self) -> None:
            wait = self.backoff_until - time.time()
            if wait > PATIENCE:
                raise Unavailable(f"Zotero asks to wait for {wait:,.0f} s")
            super()._check_backoff()

    return Patient


def _short(error: BaseException) -> str:
    return " ".join(withheld_from_message(str(error)).split())[:200] or type(error).__name__
