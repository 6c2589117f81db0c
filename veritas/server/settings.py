"""The settings of a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from veritas.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Names by which a browser on the same machine may call the server."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server. `home` is the store; `roots` are the folders with corpora, by name; `authorities` are
    the accepted values of the Host header, such as `127.0.0.1:8765`.

    `at_once` runs are active at a time. Limits are bytes, and requests of one caller: `requests_per_second` on average,
    `burst` of them at once.
    """

    home: Path
    roots: Mapping[str, Path] = field(default_factory=dict)
    authorities: frozenset[str] = frozenset()
    local: bool = True
    """Whether only this machine can reach the server."""
    at_once: int = 2
    body_limit: int = 2_000_000
    upload_limit: int = 50_000_000
    uploads_of_token: int = 500_000_000
    """All uploads of one token together; one that is on its way counts."""
    uploads_of_all: int = 5_000_000_000
    forms_limit: int = 200_000_000
    """Bodies of one caller's requests that are on their way, uploads through the interface for programs apart."""
    requests_per_second: float = 20.0
    burst: int = 200
    open_requests: int = 100
    """Requests of one caller that are answered at a time, those that follow a run among them."""
    wrong_tokens: int = 20
    """Wrong tokens of one address in a minute, after which it has to wait."""

    @property
    def origins(self) -> frozenset[str]:
        """The origins of the server's own pages."""
        return frozenset(f"{scheme}://{name}" for name in self.authorities for scheme in ("http", "https"))


def authorities(host: str, port: int, names: Iterable[str] = ()) -> frozenset[str]:
    """Return the accepted Host headers of a server at `host` and `port`; `names` are further names of it."""
    own = f"[{host}]" if ":" in host else host
    every = {*LOOPBACK, *names} | (set() if host in ("0.0.0.0", "::") else {own})
    return frozenset(f"{name}:{port}" for name in every) | (frozenset(every) if port in (80, 443) else frozenset())


def named_roots(folders: Iterable[str | Path]) -> dict[str, Path]:
    """Return the folders by name; a number distinguishes two of the same name. Raises `InputError` for a path that is
    no folder."""
    found: dict[str, Path] = {}
    for folder in folders:
        place = Path(folder).expanduser().resolve()
        if not place.is_dir():
            raise InputError(f"--root {folder} is not a folder")
        if place in found.values():
            continue
        name, number = place.name or "root", 2
        while name in found:
            name, number = f"{place.name}-{number}", number + 1
        found[name] = place
    return found


def check_folders(home: Path) -> None:
    """Raise `InputError` if a file has the name of a folder of the store."""
    for folder in (*reversed(home.parents), home, *(home / name for name in ("server", "jobs", "runs", "uploads"))):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file, and VERITAS_HOME needs a folder there: move it, or set VERITAS_HOME")
