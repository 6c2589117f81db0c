"""Documents: the folders of the server, to be browsed and searched, and the choices in the forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from veritas.errors import CorpusError
from veritas.server.access import Reader
from veritas.server.context import Here
from veritas.server.pages.frame import page, words_of
from veritas.server.roots import Choice, corpus_paths, found, inside, nearest, path_below
from veritas.server.settings import Settings
from veritas.use_cases.given import is_read

router = APIRouter(include_in_schema=False)

SHOWN = 300
"""Most folders and files that a form offers; all others are found by their names."""
_LOOKED_AT = 600
"""Most files and folders that are looked at to fill a form."""
LISTED = 500
"""Most files of a folder on a page; all others are found by their names."""
LIBRARIES = frozenset({".bib", ".ris", ".nbib", ".enw", ".json", ".xml"})
"""Endings of exported libraries, which a corpus of a review may be filled from."""


@dataclass(frozen=True)
class Offered:
    """The choices of a form: folders and files to tick, two levels deep, and names for completion."""

    settings: Settings
    ticked: list[Choice]
    known: list[Choice]

    def deeper(self, chosen: Iterable[str]) -> list[str]:
        """Return the chosen names that exist and are not among the boxes to tick."""
        return [name for name in self._others(chosen) if self._there(name)]

    def mistyped(self, chosen: Iterable[str]) -> str:
        """Return the first of the chosen names that does not exist, to be corrected; "" without one."""
        return next((name for name in self._others(chosen) if not self._there(name)), "")

    def _others(self, chosen: Iterable[str]) -> list[str]:
        names = {each.name for each in self.ticked}
        return [name for name in chosen if name not in names and not name.startswith("upload:")]

    def _there(self, name: str) -> bool:
        try:
            return bool(corpus_paths([name], self.settings))
        except CorpusError:
            return False


def offered(settings: Settings, *, also: frozenset[str] = frozenset()) -> Offered:
    """Return the choices of a form: folders, files of a readable format and with an ending of `also`."""

    def wanted(each: Choice) -> bool:
        return each.folder or _fits(each, also)

    ticked: list[Choice] = []
    for name, folder in settings.roots.items():
        ticked.append(Choice(name, name, 0, True))
        for each in inside(folder, name, 1, settings):
            if wanted(each):
                ticked.append(each)
            if each.folder and len(ticked) < SHOWN:
                ticked += filter(wanted, inside(folder / each.label, each.name, 2, settings))
    known = filter(wanted, nearest(settings, _LOOKED_AT))
    return Offered(settings, ticked[:SHOWN], list(islice(known, SHOWN)))


def _fits(each: Choice, also: frozenset[str] = frozenset()) -> bool:
    return PurePosixPath(each.label).suffix.lower() in also or is_read(each.label)


def named_in(request: Request) -> list[str]:
    """Return the documents that the address of a form names, `?corpus=NAME&corpus=NAME`."""
    return [name for name in request.query_params.getlist("corpus")[:SHOWN] if 0 < len(name) <= 500]


def one_named_in(request: Request) -> tuple[str, str]:
    """Return the document that the address of a form for one document names, "" for none, and what is wrong with
    several."""
    names = named_in(request)
    return names[0] if len(names) == 1 else "", f"choose one: {len(names)} were chosen" if len(names) > 1 else ""


@router.get("/documents")
def browsed(
    request: Request, who: Reader, here: Here,
    at: Annotated[str, Query(max_length=500)] = "", q: Annotated[str, Query(max_length=200)] = "",
) -> Response:  # fmt: skip
    """Show the roots, the content of a folder, or the matches of a search below the roots."""
    held: list[Choice] = []
    refused = ""
    if q.strip():
        held = found(q, here.settings, most=100)
    elif not at:
        held = [Choice(name, name, 0, True) for name in here.settings.roots]
    else:
        try:
            place = path_below(at, here.settings)
            held = inside(place, at.strip("/"), 0, here.settings) if place.is_dir() else []
        except CorpusError as error:
            refused = words_of(error, here)
    way = PurePosixPath(at).parts
    return page(
        request, "browse.html", 404 if refused else 200, held=held[:LISTED], more=max(0, len(held) - LISTED), at=at,
        q=q.strip(), refused=refused, way=[("/".join(way[: end + 1]), part) for end, part in enumerate(way)],
        readable=[each.name for each in held if each.folder or _fits(each, LIBRARIES)],
    )  # fmt: skip


@router.get("/documents/known")
def known(
    who: Reader, here: Here, q: Annotated[str, Query(min_length=1, max_length=200)],
    kind: Annotated[str, Query(pattern="^(document|any|folder|corpus)$")] = "corpus",
) -> Response:  # fmt: skip
    """Return names that match a part of a name, for completion: documents, folders, or any."""

    def wanted(each: Choice) -> bool:
        if each.folder:
            return kind != "document"
        return kind in ("any", "document") or (kind == "corpus" and _fits(each, LIBRARIES))

    return JSONResponse([each.name for each in found(q, here.settings, wanted=wanted)])
