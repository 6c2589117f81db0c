"""Unpaywall: open copies of the work under a DOI. It requires an e-mail address and is not asked without one."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from veritas.policy.search_providers import email
from veritas.registries.http_registry import Service
from veritas.registries.records.fields import mapping, objects, raw


class Unpaywall:
    """The index of open copies. It is no `ScholarlySource`, because it has no records of the works themselves."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def open_copies(self, doi: str) -> Sequence[str]:
        """Return URLs of open copies, best first; none if no address is set. Raises `Unavailable`."""
        address = email()
        if address is None:
            return []
        answer = await self._service.json(
            f"/v2/{quote(doi, safe='/:;()')}", {"email": address}, missing=lambda status, text: status in (404, 422)
        )
        places = [mapping(mapping(answer).get("best_oa_location")), *objects(mapping(answer).get("oa_locations"))]
        links = [raw(place.get("url_for_pdf")) or raw(place.get("url")) for place in places]
        return list(dict.fromkeys(link for link in links if link))[:8]
