"""doi.org, the registry of registries: whether a DOI is registered at all, and its target."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.registries.http_registry import Service
from veritas.registries.records.fields import mapping, objects, raw


class Registered(Frozen):
    """A registered DOI; `url` is its target, if doi.org gives one."""

    doi: str
    url: str | None = None


class DoiOrg:
    """The DOI resolver. It is no `ScholarlySource`, because it knows that a DOI exists and nothing of the paper."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, doi: str) -> Registered | None:
        """Return the registration, None if nobody registered the DOI. Raises `Unavailable` if that cannot be known."""
        path = quote(doi, safe="/:;()")
        try:
            answer = await self._service.json(f"/api/handles/{path}", missing=_missing, empty=_absent)
        except Unavailable:
            return await self._followed(doi, path)
        if answer is None or _absent(answer):
            return None
        if mapping(answer).get("responseCode") not in (1, 2, 200):
            return await self._followed(doi, path)
        return Registered(doi=doi, url=_url(answer))

    async def _followed(self, doi: str, path: str) -> Registered | None:
        """Look a DOI up by its redirect, for a proxy that has no handle interface."""
        status, target, text = await self._service.status(f"/{path}")
        if 300 <= status < 400 and target:
            return Registered(doi=doi, url=target)
        if status == 404 and "doi" in text.lower() and "not found" in text.lower():
            return None
        raise Unavailable(f"doi_org answers with an error ({status})")


def _missing(status: int, text: str) -> bool:
    return status == 404 and '"responseCode":100' in text.replace(" ", "")


def _absent(answer: Any) -> bool:
    return bool(mapping(answer).get("responseCode") == 100)


def _url(answer: Any) -> str | None:
    for value in objects(mapping(answer).get("values")):
        if value.get("type") == "URL":
            return raw(mapping(value.get("data")).get("value"))
    return None
