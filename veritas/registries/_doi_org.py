"""doi.org, the registry of registries: whether a DOI is registered at all."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from veritas.errors import Unavailable
from veritas.registries.http_registry import Service
from veritas.registries.records.fields import mapping


class DoiOrg:
    """The DOI resolver. It is no `ScholarlySource`, because it knows only whether a DOI exists, and nothing about the
    paper."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def registered(self, doi: str) -> bool:
        """Return whether the DOI is registered. Raises `Unavailable` if that cannot be determined."""
        path = quote(doi, safe="/:;()")
        try:
            answer = await self._service.json(f"/api/handles/{path}", missing=_missing, empty=_absent)
        except Unavailable:
            return await self._followed(path)
        if answer is None or _absent(answer):
            return False
        return mapping(answer).get("responseCode") in (1, 2, 200) or await self._followed(path)

    async def _followed(self, path: str) -> bool:
        """Look a DOI up by its redirect, for a proxy that has no handle interface."""
        status, target, text = await self._service.status(f"/{path}")
        if 300 <= status < 400 and target:
            return True
        if status == 404 and "doi" in text.lower() and "not found" in text.lower():
            return False
        raise Unavailable(f"doi_org answers with an error ({status})")


def _missing(status: int, text: str) -> bool:
    return status == 404 and '"responseCode":100' in text.replace(" ", "")


def _absent(answer: Any) -> bool:
    return bool(mapping(answer).get("responseCode") == 100)
