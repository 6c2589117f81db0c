"""Routes of other background work: bibliographies, citations, fact checks; its state and results."""

from __future__ import annotations

import json
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field, model_validator

from veritas.server.access import Reader, Runner
from veritas.server.api import uploads
from veritas.server.api.common import JSON_OBJECT, Key, begun_once, gone_on, own_alone, text_response, unlimited, words
from veritas.server.api.forms import Form, Limits
from veritas.server.context import Context, Here
from veritas.server.own_words import Door, in_words_of
from veritas.server.problems import without_paths
from veritas.server.roots import corpus_paths, document_path, path_below
from veritas.server.stored import load_result
from veritas.server.tokens import Token
from veritas.use_cases import background
from veritas.use_cases.bibliographies import named_profile
from veritas.use_cases.factchecks import shown_address

router = APIRouter(tags=["work"])
WorkName = Annotated[str, Path(max_length=80, description="The id that the beginning of the work returned.")]


class WorkState(BaseModel):
    """How work stands. `status` says what it came to, once it is finished; `stopping`: it was asked to stop."""

    id: str
    work: background.Work
    about: str
    state: background.State
    asked_at: datetime
    place: int | None = None
    last_event: int = 0
    stopping: bool = False
    status: str | None = None
    cost_usd: float | None = None
    problem: str | None = None


class BibliographyForm(Form):
    """A bibliography: a `text` with the `name` of a file it could stand in (its ending tells the format), or a
    `document` below a configured folder or in an upload. `offline` asks nobody and answers from what is kept.
    `profile` is the name of a profile; `pages` says whether linked pages are read, by default what the profile says."""

    text: str | None = Field(default=None, min_length=1, max_length=2_000_000)
    name: str = Field(default="bibliography.bib", max_length=150)
    document: str | None = Field(default=None, max_length=500)
    offline: bool = False
    profile: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,40}$")
    pages: bool | None = None

    @model_validator(mode="after")
    def _one(self) -> BibliographyForm:
        if (self.text is None) == (self.document is None):
            raise ValueError("give a text or a document")
        return self


class FactcheckForm(Form):
    """A text to check: the `text` with the `name` of a file it could stand in, a `document` below a configured folder
    or in an upload, or a `url`. `sources` is its list of sources, kept beside it, as text; `corpus` are copies of
    pages; `offline` asks no web; `search` looks for statements without a citation. `council`, the name of a ready
    council, judges what the embedded judge cannot tell, within `budget`."""

    text: str | None = Field(default=None, min_length=1, max_length=2_000_000)
    name: str = Field(default="text.md", max_length=150)
    document: str | None = Field(default=None, max_length=500)
    url: str | None = Field(default=None, max_length=4_000, pattern="^https?://")
    sources: str | None = Field(default=None, max_length=2_000_000)
    corpus: list[str] = Field(default_factory=list, max_length=50)
    offline: bool = False
    search: bool = False
    council: str | None = Field(
        default=None, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$",
        description="The name of a ready council; without one no language model is asked.",
    )  # fmt: skip
    budget: Limits | None = Field(default=None, description="The most that the council may take.")

    @model_validator(mode="after")
    def _one(self) -> FactcheckForm:
        if sum(each is not None for each in (self.text, self.document, self.url)) != 1:
            raise ValueError("give a text, a document or a url")
        return self


class CiteForm(Form):
    """A claim that a citation is wanted for. `hint` is an identifier, a title or an attribution; `project` the folder,
    below a configured one, in which the artifact is written, by default one of the store; `corpus` are own copies."""

    claim: str = Field(min_length=1, max_length=10_000)
    hint: str | None = Field(default=None, max_length=2_000)
    project: str | None = Field(default=None, max_length=500)
    corpus: list[str] = Field(default_factory=list, max_length=50)
    offline: bool = False


def state_of(job: background.Job, here: Context, door: Door = "http") -> WorkState:
    """Return the state of work, its problem in the door's terms and without paths of this machine."""
    return WorkState(
        id=job.run_id, work=job.wanted.work, about=job.wanted.question or "", state=job.state,
        asked_at=job.wanted.asked_at, place=job.place, last_event=job.last_event, stopping=job.stopping,
        status=job.ended.status if job.ended is not None else None,
        cost_usd=job.ended.cost_usd if job.ended is not None else None,
        problem=in_words_of(door, without_paths(job.failed.said, here.settings)) if job.failed is not None else None,
    )  # fmt: skip


def begun(
    work: background.Work, settings: dict[str, Any], about: str, run_id: str, who: Token, here: Context,
    answer: Response,
) -> WorkState:  # fmt: skip
    """Begin work, and return its state."""
    job = background.begin_work(
        work, settings, about=about, run_id=run_id, owner=who.token_id, at_once=here.settings.at_once, home=here.home
    )
    answer.headers["Location"] = f"/api/v1/work/{job.run_id}"
    return state_of(job, here)


def gone_on_with(
    work: background.Work, run_id: str, about: str, who: Token, here: Context, answer: Response
) -> WorkState:
    """Resume an audit or a review after its last stored stage, however it was begun, and return its state."""
    own_alone(run_id, who, here)
    if run_id not in background.job_ids(home=here.home):
        return begun(work, {}, about, run_id, who, here, answer)
    job = gone_on(run_id, who, here)
    answer.headers["Location"] = f"/api/v1/work/{job.run_id}"
    return state_of(job, here)


@router.post("/bibliographies", status_code=202)
def bibliography(form: BibliographyForm, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Check every entry of a bibliography: whether it exists and is what it says."""
    document = document_path(form.document, here.settings) if form.document is not None else None
    with begun_once(key, form.model_dump(mode="json"), who, here) as run_id:
        if document is None:
            document = _kept(form, run_id, who, here)
        settings = {
            "files": [str(document)], "offline": form.offline, "profile": named_profile(form.profile),
            "pages": form.pages,
        }  # fmt: skip
        return begun("bibliography", settings, form.document or document.name, run_id, who, here, response)


def _kept(form: BibliographyForm | FactcheckForm, run_id: str, who: Token, here: Context) -> FilePath:
    """Return the file that holds the text of a form; repeated requests share one."""
    content, name = (form.text or "").encode("utf-8", "replace"), uploads.plain_name(form.name)
    upload = sha256(run_id.encode()).hexdigest()[:16]
    here.uploads.keep(BytesIO(content), len(content), name, who, upload, new=True)
    return document_path(f"upload:{upload}/{name}", here.settings)


@router.post("/factchecks", status_code=202)
def factcheck(form: FactcheckForm, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Check a text, statement by statement, against the sources it cites."""
    document = document_path(form.document, here.settings) if form.document is not None else None
    corpus = corpus_paths(form.corpus, here.settings)
    if form.council is not None:
        unlimited(who, "checks texts without a council: the cost of their judges is not counted against its budget")
    named = form.name != FactcheckForm.model_fields["name"].default
    about, file = form.url or form.document or form.name, form.url
    with begun_once(key, form.model_dump(mode="json"), who, here) as run_id:
        if form.text is not None and named:
            document = _kept(form, run_id, who, here)
            about = document.name
        if document is not None:
            file = str(document)
        settings = {
            "text": form.text if file is None else None, "file": file, "sources": form.sources, "corpus": corpus,
            "offline": form.offline, "search": form.search, "council": form.council,
            "budget": form.budget.model_dump() if form.budget is not None else None,
        }  # fmt: skip
        return begun("factcheck", settings, shown_address(about), run_id, who, here, response)


@router.post("/citations", status_code=202)
def cite(form: CiteForm, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Make a citation for a claim, with its artifact, or say why there is none."""
    words(form.claim, "claim")
    if form.hint is not None:
        words(form.hint, "hint")
    project = path_below(form.project, here.settings) if form.project is not None else here.home / "cited"
    settings = {
        "claim": form.claim, "hint": form.hint, "root": str(project), "offline": form.offline,
        "corpus": corpus_paths(form.corpus, here.settings),
    }  # fmt: skip
    with begun_once(key, form.model_dump(mode="json"), who, here) as run_id:
        return begun("cite", settings, form.claim, run_id, who, here, response)


@router.get("/work/{work}")
def state(work: WorkName, who: Reader, here: Here) -> WorkState:
    """Return how work in the background stands; its events are at `/runs/{id}/events`."""
    return state_of(background.find_job(work, home=here.home), here)


@router.get("/work/{work}/result", responses=JSON_OBJECT)
def result(work: WorkName, who: Reader, here: Here) -> Response:
    """Return what finished work came to."""
    return Response(json.dumps(load_result(work, here.settings)), media_type="application/json")


@router.get("/work/{work}/files/{name}", responses={200: {"content": {"text/plain": {}}}})
def file(work: WorkName, name: Annotated[str, Path(max_length=80)], who: Reader, here: Here) -> Response:
    """Return a file that work made, such as `corrected.bib`."""
    return text_response(background.result_file(work, name, home=here.home), "text/plain", name)


@router.post("/work/{work}/cancel", status_code=202)
def cancel(work: WorkName, who: Runner, here: Here) -> WorkState:
    """Ask work to stop."""
    own_alone(work, who, here)
    return state_of(background.cancel(work, home=here.home), here)


@router.post("/work/{work}/resume", status_code=202)
def resume(work: WorkName, who: Runner, here: Here, response: Response) -> WorkState:
    """Let work that was stopped, failed or was cut off go on."""
    job = background.find_job(work, home=here.home)
    return gone_on_with(job.wanted.work, work, job.wanted.question or "", who, here, response)
