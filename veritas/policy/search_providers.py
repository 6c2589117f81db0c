"""`policies/providers.yaml` as models: base URLs, names of keys, limits; the environment takes precedence."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.keys import key, remember
from veritas.policy.yaml_file import read_yaml_model
from veritas.settings import policy_file


def _base_url(url: str) -> str:
    if not url.startswith(("http://", "https://")) or len(url.split("://", 1)[1]) < 1:
        raise ValueError(f"{url[:80]!r} is no http or https URL")
    remember("base_url", url)
    return url.rstrip("/")


BaseUrl = Annotated[str, AfterValidator(_base_url)]


class ProviderEntry(Frozen):
    """The settings of one provider; `providers.yaml` explains each key."""

    url: BaseUrl | None = None
    key: tuple[str, ...] = ()
    needs: Literal["key", "url"] | None = None
    enabled: bool = True
    interval: float = Field(default=0.0, ge=0, le=60)
    at_once: int = Field(default=1, ge=1, le=64)
    price: float | None = Field(default=None, ge=0, le=100)
    at_most: int = Field(default=20, ge=1, le=100)
    seconds: float = Field(default=20.0, gt=0, le=300)

    @property
    def search_price(self) -> float | None:
        """US dollars for a search: 0 for a provider that works without a key, None where the price is unknown."""
        return self.price if self.price is not None or self.needs == "key" else 0.0


class ReadingEntry(Frozen):
    """Settings for fetching and keeping pages."""

    robots: bool = True
    interval: float = Field(default=1.0, ge=0, le=600)
    longest_delay: float = Field(default=15.0, ge=0, le=600)
    intervals: Mapping[str, float] = {"arxiv.org": 3.0}  # a file without these lines keeps to what the host asks for
    ports: tuple[int, ...] = (80, 443, 8080, 8443)
    redirects: int = Field(default=8, ge=0, le=30)
    seconds: float = Field(default=40.0, gt=0, le=600)
    convert_seconds: float = Field(default=300.0, gt=0, le=86_400)
    plugin_seconds: float = Field(default=60.0, gt=0, le=86_400)
    megabytes: float = Field(default=25.0, gt=0, le=500)
    characters: int = Field(default=4_000_000, ge=1000)
    fresh_hours: float = Field(default=24.0, ge=0)
    keep_days: float = Field(default=30.0, ge=0)
    confirm_hours: float = Field(default=1.0, ge=0)
    open_copies: bool = True
    unpaywall: BaseUrl = "https://api.unpaywall.org"
    arxiv: BaseUrl = "https://arxiv.org"
    europepmc: BaseUrl = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    openalex: BaseUrl = "https://api.openalex.org"
    archive: BaseUrl = "https://archive.org"


class ProviderFile(Frozen):
    """The whole of `providers.yaml`."""

    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    with_corpus: bool = False
    providers: Mapping[str, ProviderEntry] = {}
    reading: ReadingEntry = ReadingEntry()


def load_providers(path: Path | None = None) -> ProviderFile:
    """Read `providers.yaml` (default: the policies folder's) and apply the environment's overrides.

    The variables are `VERITAS_LANGUAGE`, `VERITAS_<NAME>_URL` for every provider, `VERITAS_UNPAYWALL_URL`,
    `VERITAS_ARXIV_SITE_URL` and `VERITAS_ARCHIVE_URL`. Raises `PolicyError` naming file, line and key, `InputError` for
    a variable with an invalid value.
    """
    read = read_yaml_model(path or policy_file("providers.yaml"), ProviderFile)
    language = _env("VERITAS_LANGUAGE") or read.language
    if len(language) != 2 or not language.isascii() or not language.isalpha():
        raise InputError(f"VERITAS_LANGUAGE={language[:40]!r} is no two-letter code such as en")
    language = language.lower()
    providers = {}
    for name, entry in read.providers.items():
        url = url_from_env(name) or entry.url
        providers[name] = entry.model_copy(update={"url": url.replace("{language}", language) if url else None})
    given = {
        "unpaywall": url_from_env("unpaywall"),
        "arxiv": url_from_env("arxiv-site"),
        "europepmc": url_from_env("europepmc"),
        "openalex": url_from_env("openalex"),
        "archive": url_from_env("archive"),
    }
    reading = read.reading.model_copy(update={field: url for field, url in given.items() if url})
    return read.model_copy(update={"language": language, "providers": providers, "reading": reading})


def url_variable(provider: str) -> str:
    """Return the environment variable that overrules a provider's base URL."""
    return f"VERITAS_{provider.upper().replace('-', '_')}_URL"


def url_from_env(provider: str) -> str | None:
    """Return the base URL that the environment gives a provider, or None. Raises `InputError` for a value that is no
    URL."""
    variable = url_variable(provider)
    url = _env(variable)
    try:
        return _base_url(url) if url else None
    except ValueError as error:
        raise InputError(f"{variable}: {error}") from error


def key_of(variables: Sequence[str]) -> str | None:
    """Return the key in the first of a provider's variables that is set. Raises `InputError` for a key that cannot be
    sent."""
    found = key(variables)
    if found is not None and (not found.isascii() or not found.isprintable()):
        raise InputError(f"the key in {variables[0]} holds characters that no key has: set it anew")
    return found


def contact() -> str | None:
    """Return `VERITAS_CONTACT`, an e-mail address or a URL under which the operator can be reached; None where it is
    not set."""
    said = _env("VERITAS_CONTACT")
    if said is not None and (not said.isascii() or not said.isprintable() or len(said) > 200):
        raise InputError("VERITAS_CONTACT holds characters that cannot stand in a User-Agent: give a plain address")
    return said


def email() -> str | None:
    """Return the contact if it is an e-mail address, else None."""
    said = contact()
    return said.removeprefix("mailto:") if said and "@" in said and "/" not in said else None


def user_agent() -> str:
    """Return the User-Agent of every request: name, version and contact."""
    from veritas.version import __version__

    said = contact()
    if said and email():
        said = f"mailto:{email()}"
    return f"VERITAS/{__version__} (research with cited sources; {said or 'contact not given'})"


def _env(name: str) -> str | None:
    return (os.environ.get(name) or "").strip() or None
