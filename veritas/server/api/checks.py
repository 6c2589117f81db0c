"""Routes with an immediate answer: judge or verify a claim, tier of a source, citations in a text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import Field, model_validator

from veritas import Judgment, OpenVerdict, TierVerdict, aio
from veritas.server.access import Reader
from veritas.server.api.common import words
from veritas.server.api.forms import Form
from veritas.server.api.uploads import plain_name
from veritas.server.connections import while_there
from veritas.server.context import Context, Here
from veritas.server.problems import without_paths
from veritas.server.roots import corpus_paths, path_below
from veritas.use_cases.citations import check as check_citations
from veritas.use_cases.citations import check_text
from veritas.use_cases.claims import is_own_lens
from veritas.use_cases.claims import tier as tier_of
from veritas.use_cases.given import in_file
from veritas.use_cases.papers import score_graph
from veritas.use_cases.sync import blocking

router = APIRouter(tags=["checks"])


class JudgeForm(Form):
    """A bare claim and a passage. `lens` is an installed one, by default the embedded."""

    claim: str = Field(min_length=1, max_length=10_000)
    passage: str = Field(min_length=1, max_length=100_000)
    lens: str | None = Field(default=None, max_length=80)
    strict: bool = False


class VerifyForm(Form):
    """A claim, and what to check it against: documents, a text, or both."""

    claim: str = Field(min_length=1, max_length=10_000)
    corpus: list[str] = Field(default=[], max_length=50)
    text: str = Field(default="", max_length=1_000_000)

    @model_validator(mode="after")
    def _some(self) -> VerifyForm:
        if not self.corpus and not self.text:
            raise ValueError("give a corpus or a text")
        return self


class CheckForm(Form):
    """A `text` with the `name` of a file it could stand in, or a file or folder (`path`) below a configured folder.
    `project` is the folder whose artifacts count, for a text by default the first that is served."""

    text: str | None = Field(default=None, max_length=1_000_000)
    name: str = Field(default="text.md", max_length=150)
    path: str | None = Field(default=None, max_length=500)
    project: str | None = Field(default=None, max_length=500)

    @model_validator(mode="after")
    def _one(self) -> CheckForm:
        if (self.text is None) == (self.path is None):
            raise ValueError("give a text or a path")
        return self


class ScoreForm(Form):
    """An argument graph `{nodes: [{id, role, text, parents, children, metrics}]}`, and the rules of its score."""

    graph: dict[str, Any]
    rules: Literal["paper", "reference", "veritas"] = "veritas"


@router.post("/judgments")
def judge(form: JudgeForm, who: Reader) -> Judgment:
    """Return what one lens says of a claim and a passage: supports, refutes, silent or unavailable. A lens that is no
    part of VERITAS may ask a model, and needs the role run."""
    if not who.allows("run") and not is_own_lens(form.lens):
        raise HTTPException(403, "a lens that is no part of veritas may ask a model: it needs the role run")
    return blocking(aio.judge)(form.claim, form.passage, lens=form.lens, strict=form.strict)


@router.post("/verifications")
async def verify(form: VerifyForm, request: Request, who: Reader, here: Here) -> OpenVerdict:
    """Return whether documents support or refute a claim, with the passages that say so."""
    return await while_there(request, verified, form, here)


def verified(form: VerifyForm, here: Context) -> OpenVerdict:
    """Return the verdict of the documents that a form names."""
    claim = words(form.claim, "claim")
    corpus = corpus_paths(form.corpus, here.settings)

    def verify_in(*more: Path) -> OpenVerdict:
        return blocking(aio.verify)(claim, [*corpus, *map(str, more)])

    verdict = in_file(form.text, "given.md", verify_in) if form.text else verify_in()
    return verdict.model_copy(update={"unread": tuple(without_paths(said, here.settings) for said in verdict.unread)})


@router.get("/tier")
def tier(url: Annotated[str, Query(min_length=1, max_length=4_000)], who: Reader) -> TierVerdict:
    """Return what the source policy makes of a URL, and why. Nothing is fetched."""
    return tier_of(url)


@router.post("/checks")
async def check(form: CheckForm, request: Request, who: Reader, here: Here) -> dict[str, Any]:
    """Check the citations of a text or of a tree against their artifacts; no network, no model."""
    return await while_there(request, checked, form, here)


def checked(form: CheckForm, here: Context) -> dict[str, Any]:
    """Return the report on what a form names."""
    named = form.project
    if named is None and form.path is None:
        named = next(iter(here.settings.roots), None)
    root = path_below(named, here.settings) if named is not None else None
    if form.path is not None:
        report = check_citations(path_below(form.path, here.settings), root=root)
    else:
        report = check_text(form.text or "", plain_name(form.name), root=root)
    return report.as_json() | {"root": named or "", "project": named or ""}


@router.post("/scores")
def score(form: ScoreForm, who: Reader) -> dict[str, Any]:
    """Return the score of an argument graph, with every number by node and edge."""
    return score_graph(form.graph, rules=form.rules).as_json()
