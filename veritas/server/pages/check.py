"""Check: the citations of a text, a claim against documents or a passage, a source's tier, a bibliography."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from veritas.errors import InputError
from veritas.report.bibliography_verdicts import RULES
from veritas.server.access import Reader, Runner
from veritas.server.api import checks, work
from veritas.server.connections import while_there
from veritas.server.context import Context, Here
from veritas.server.pages.documents import LIBRARIES, named_in, offered, one_named_in
from veritas.server.pages.forms import Filled, checked, files_of, keep, kept, stored_name, text_of, texts_of
from veritas.server.pages.frame import page, words_of
from veritas.server.tokens import Token
from veritas.use_cases.bibliographies import profiles
from veritas.use_cases.claims import tier

router = APIRouter(include_in_schema=False)

TABS = (
    ("/check", "Text"), ("/check/claim", "Claim and documents"),
    ("/check/passage", "Claim and passage"), ("/check/bibliography", "Bibliography"), ("/check/source", "Source"),
)  # fmt: skip
_CITING = frozenset({"check_bibliography.html", "check_text.html"})
"""Forms that take files of other kinds than a corpus does: bibliographies, and texts that cite."""
_EMPTY = dict.fromkeys(
    (
        "text", "name", "path", "project", "claim", "passage", "corpus", "url", "document", "offline", "profile",
        "pages", "sources",
    ),
    "",
)
VERDICT_WORDS = RULES | {"verified": "The work exists and is cited as it is."}


def _shown(
    request: Request, template: str, here: Context, given: dict[str, Any] | None = None, **more: Any
) -> Response:
    values = {"refused": "", "result": None, "given": {**_EMPTY, **(given or {})}, **more}
    return page(
        request, template, 422 if values["refused"] else 200, tabs=TABS,
        offered=offered(here.settings, also=LIBRARIES if template in _CITING else frozenset()),
        profiles=profiles(), **values,
    )  # fmt: skip


async def _answered(
    request: Request, template: str, here: Context, given: dict[str, Any], result: Callable[[], Awaitable[Any]]
) -> Response:
    """Show a form with its result, or the reason why there is none."""
    try:
        found = await result()
    except InputError as error:
        return await run_in_threadpool(_shown, request, template, here, given, refused=words_of(error, here))
    return await run_in_threadpool(_shown, request, template, here, given, result=found)


@router.get("/check")
@router.get("/check/facts")
def text_form(request: Request, who: Reader, here: Here) -> Response:
    """Show the form for a text, whose statements or whose citations are checked."""
    path, refused = one_named_in(request)
    return _shown(request, "check_text.html", here, {"path": path}, refused=refused)


@router.post("/check")
async def text(request: Request, who: Reader, here: Here, form: Filled) -> Response:
    """Check the citations of a text, or of files that lie on the server."""
    given = {name: text_of(form, name, 1_000_000) for name in ("text", "name", "path", "project")}

    async def result() -> Any:
        if not given["text"] and not given["path"]:
            raise InputError("paste a text, or name a file or folder")
        wanted = checked(checks.CheckForm, **given)
        return await while_there(request, checks.checked, wanted, here)

    return await _answered(request, "check_text.html", here, given, result)


@router.get("/check/claim")
def claim_form(request: Request, who: Reader, here: Here) -> Response:
    """Show the form for a claim and documents."""
    return _shown(request, "check_claim.html", here, {"corpus": named_in(request)})


@router.post("/check/claim")
async def claim(request: Request, who: Reader, here: Here, form: Filled) -> Response:
    """Say whether documents support or refute a claim, with the passages that do."""
    given: dict[str, Any] = {"claim": text_of(form, "claim"), "corpus": texts_of(form, "corpus")}

    async def result() -> Any:
        given["corpus"] += await kept(form, here, who)
        if not given["corpus"]:
            raise InputError("choose documents, drop files, or paste a text")
        wanted = checked(checks.VerifyForm, **given)
        return await while_there(request, checks.verified, wanted, here)

    return await _answered(request, "check_claim.html", here, given, result)


@router.get("/check/passage")
def passage_form(request: Request, who: Reader, here: Here) -> Response:
    """Show the form for a claim and a passage."""
    return _shown(request, "check_passage.html", here)


@router.post("/check/passage")
async def passage(request: Request, who: Reader, here: Here, form: Filled) -> Response:
    """Say what the lens makes of a bare claim and a passage."""
    given = {name: text_of(form, name) for name in ("claim", "passage")}

    async def result() -> Any:
        return await run_in_threadpool(checks.judge, checked(checks.JudgeForm, **given), who)

    return await _answered(request, "check_passage.html", here, given, result)


@router.get("/check/source")
def source(request: Request, who: Reader, here: Here, url: Annotated[str, Query(max_length=4_000)] = "") -> Response:
    """Show what the source policy makes of an address; nothing is fetched."""
    found = tier(url.strip()) if url.strip() else None
    return _shown(request, "check_source.html", here, {"url": url}, result=found)


@router.post("/check/facts")
async def facts(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Begin to check a text against the sources it cites, and go to where it can be watched."""
    given: dict[str, Any] = {name: text_of(form, name, 2_000_000) for name in ("text", "url", "sources", "offline")}
    given["corpus"] = texts_of(form, "corpus")
    try:
        wanted = await _facts(form, given, here, who)
        state = await run_in_threadpool(work.factcheck, wanted, who, here, Response())
    except InputError as error:
        refused = words_of(error, here)
        return await run_in_threadpool(_shown, request, "check_text.html", here, given, refused=refused)
    return RedirectResponse(f"/work/{state.id}", status_code=303)


async def _facts(form: FormData, given: dict[str, Any], here: Context, who: Token) -> work.FactcheckForm:
    """Return what is to be checked: an uploaded file, a pasted text, or an address."""
    files = files_of(form)
    if len(files) > 1:
        raise InputError("choose one text at a time")
    fields: dict[str, Any] = {
        "offline": bool(given["offline"]), "sources": given["sources"] or None, "corpus": given["corpus"],
    }  # fmt: skip
    if files:
        name = await run_in_threadpool(keep, files, here, who)
        fields["document"] = f"{name}/{stored_name(files[0][0])}"
    elif given["text"].strip():
        fields["text"] = given["text"]
    elif given["url"].strip():
        fields["url"] = given["url"].strip()
    else:
        raise InputError("paste a text, drop a file, or give an address")
    return checked(work.FactcheckForm, **fields)


@router.get("/check/bibliography")
def bibliography_form(request: Request, who: Reader, here: Here) -> Response:
    """Show the form for a bibliography."""
    document, refused = one_named_in(request)
    return _shown(request, "check_bibliography.html", here, {"document": document}, refused=refused)


@router.post("/check/bibliography")
async def bibliography(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Begin to look every entry of a bibliography up, and go to where it can be watched."""
    given = {name: text_of(form, name, 500) for name in ("document", "offline", "profile", "pages")}
    try:
        wanted = await _bibliography(form, given, here, who)
        state = await run_in_threadpool(work.bibliography, wanted, who, here, Response())
    except InputError as error:
        refused = words_of(error, here)
        return await run_in_threadpool(_shown, request, "check_bibliography.html", here, given, refused=refused)
    return RedirectResponse(f"/work/{state.id}", status_code=303)


async def _bibliography(form: FormData, given: dict[str, Any], here: Context, who: Token) -> work.BibliographyForm:
    """Return what is to be checked: an uploaded file, a pasted text, or the name of a document."""
    files = files_of(form)
    if len(files) > 1:
        raise InputError("choose one bibliography at a time")
    fields: dict[str, Any] = {"offline": bool(given["offline"]), "profile": given["profile"] or None}
    fields["pages"] = True if given["pages"] else None
    if files:
        name = await run_in_threadpool(keep, files, here, who)
        fields["document"] = f"{name}/{stored_name(files[0].name)}"
    elif pasted := text_of(form, "pasted", 2_000_000):
        fields |= {"text": pasted, "name": "pasted.bib" if pasted.lstrip().startswith(("@", "%")) else "pasted.txt"}
    elif given["document"]:
        fields["document"] = given["document"]
    else:
        raise InputError("choose a file, paste a bibliography, or name one that lies on the server")
    return checked(work.BibliographyForm, **fields)
