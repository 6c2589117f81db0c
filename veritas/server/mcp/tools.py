"""The tools: what a model can ask for, and the files it may name. Docstrings are for the model."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from veritas.errors import CorpusError, InputError, Unavailable
from veritas.long_waits import ended_when
from veritas.server.mcp.check_results import (
    CitationResult,
    ClaimVerdict,
    FactVerdicts,
    ReferenceVerdicts,
    SourceTier,
    TextCheck,
    citation_result,
    claim_verdict,
    fact_verdicts,
    reference_verdicts,
    source_tier,
    text_check,
)
from veritas.server.mcp.quoting import answered
from veritas.server.mcp.research_tool import Begin, carry_out, for_oneself
from veritas.server.mcp.run_results import STOPPING, RunResult, Why, not_begun, run_result, unfinished, why_result
from veritas.server.mcp.strict_tool import CallerOf, StrictTool, anybody, tool
from veritas.server.own_words import in_words_of
from veritas.server.roots import corpus_paths, document_path
from veritas.server.settings import Settings
from veritas.server.stored import load_graph, plain_graph
from veritas.text.instructions import gives_orders
from veritas.use_cases.given import in_file

if TYPE_CHECKING:
    from veritas import EntryVerdict


class Roots:
    """The folders that a server was started with. A client can read or write nothing outside them.

    With `absolute` a client on the same machine, over stdio, may use absolute paths too.
    """

    def __init__(self, settings: Settings, *, absolute: bool = False) -> None:
        self._settings, self._absolute = settings, absolute
        self.folders = tuple(settings.roots.values())

    @property
    def settings(self) -> Settings:
        """What the server was started with."""
        return self._settings

    def path(self, given: str) -> Path:
        """Return a file or folder, or a document of an upload, links resolved. Raises `CorpusError` with the same text
        for a missing path and for one outside the roots."""
        return document_path(self._named(given), self._settings)

    def project(self, given: str) -> Path:
        """Return a project's folder, the first root for "". Raises as `path` does."""
        place = self.path(given) if given else self.folders[0]
        if not place.is_dir():
            raise CorpusError(f"{given[:200]!r} is no folder: name the project's folder")
        return place

    def corpora(self, given: Sequence[str]) -> list[str]:
        """Return corpora: files, folders, uploads and packages. Raises as `path` does."""
        return corpus_paths([self._named(each) for each in given], self._settings)

    def without(self, text: str) -> str:
        """Return a text without paths of this machine."""
        from veritas.server.problems import without_paths

        return without_paths(text, self._settings)

    def _named(self, given: str) -> str:
        """Return the name below a root for an absolute path, if absolute paths are allowed; other names are unchanged.
        """
        if not given.strip():
            raise CorpusError('the name of a file is empty; the first folder of the server is "."')
        if self._absolute and "\0" not in given and Path(given).expanduser().is_absolute():
            whole = Path(given).expanduser()
            for name, folder in self._settings.roots.items():
                if whole.is_relative_to(folder):
                    return f"{name}/{whole.relative_to(folder).as_posix()}"
        return given


T = TypeVar("T")
P = ParamSpec("P")

AT_ONCE = 4
"""Calls that are worked on at once; the others wait in line."""

MOST_TEXT = 1_000_000
"""Characters of a text that a call may hold."""
_REFERENCE_MOST = 20_000

Words = Annotated[str, Field(max_length=5_000)]
Given = Annotated[str, Field(max_length=MOST_TEXT)]
Name = Annotated[str, Field(max_length=300)]
Paths = Annotated[tuple[str, ...], Field(max_length=50)]
TextKind = Literal["md", "qmd", "tex", "rst", "txt", "py", "ipynb", "html"]
Depth = Literal["quick", "standard", "deep"]


class Work:
    """Runs calls in threads, so that the event loop that serves clients is not blocked."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._limiter: anyio.CapacityLimiter | None = None

    async def done(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of a blocking function. When its call is cancelled, it ends at its next document or file.
        """
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._at_once)
        given_up = threading.Event()

        def call() -> T:
            with ended_when(given_up.is_set):
                return function(*args, **kwargs)

        try:
            return await anyio.to_thread.run_sync(call, limiter=self._limiter, abandon_on_cancel=True)
        finally:
            given_up.set()


@dataclass(frozen=True)
class Served:
    """What a server offers its clients.

    `corpus` are the default documents, `budget` is the limit of one `research` in US dollars, None for no limit;
    `caller_of` identifies the sender of an HTTP request, and `begin` begins runs for a caller.
    """

    roots: Roots
    corpus: tuple[str, ...] = ()
    council: str | None = None
    budget: float | None = None
    offline: bool = False
    caller_of: CallerOf = anybody
    begin: Begin | None = None
    work: Work = field(default_factory=Work)


def tools(served: Served) -> list[StrictTool]:
    """Return all tools. None of them approves anything or accepts an override: only a person may."""
    given = _Tools(served)
    offered = partial(tool, caller_of=served.caller_of, plain=served.roots.without)
    return [
        offered(given.verify_claim, title="Verify a claim", role="read", open_world=False),
        offered(given.check_text, title="Check a text's citations", role="read", open_world=False),
        offered(given.check_facts, title="Check a text against its sources", role="run", open_world=True),
        offered(given.verify_reference, title="Verify a reference", role="run", open_world=True),
        offered(given.source_tier, title="Rate a source", role="read", open_world=False),
        offered(given.get_run, title="Get a research run", role="read", open_world=False),
        offered(given.why, title="Why is it in the answer, or not", role="read", open_world=False),
        offered(given.audit_bibliography, title="Audit a bibliography", role="run", open_world=True),
        offered(given.cite, title="Cite a paper for a claim", role="run", read_only=False, open_world=True),
        offered(
            given.research, title="Research a question", role="run", read_only=False, idempotent=False, open_world=True
        ),
    ]


class _Tools:
    def __init__(self, served: Served) -> None:
        self._served, self._roots, self._work = served, served.roots, served.work

    def _corpus(self, named: tuple[str, ...]) -> list[str]:
        return self._roots.corpora(named) if named else list(self._served.corpus)

    async def verify_claim(
        self,
        claim: Annotated[Words, Field(description="One assertion, as a sentence.")],
        corpus: Annotated[Paths, Field(description="Files or folders to look in.")] = (),
        text: Annotated[Given, Field(description="A text to look in.")] = "",
    ) -> Annotated[CallToolResult, ClaimVerdict]:
        """Judge one claim against documents: supports, refutes or insufficient, with verbatim evidence. Does not search
        the web; `research` does."""
        _no_file(claim, "the claim")
        paths = list(self._roots.corpora(corpus)) if text else self._corpus(corpus)
        if text:
            return answered(await self._work.done(_verify_in_text, claim, text, paths))
        if not paths:
            raise InputError("name a corpus (files or folders) or give a text: there is no web search in this tool")
        return answered(await self._work.done(_verify, claim, paths, self._roots.without))

    async def check_text(
        self,
        text: Annotated[Given, Field(description="Markdown, LaTeX, source code…, with its citations.")],
        kind: Annotated[TextKind, Field(description="File ending.")] = "md",
        project: Annotated[Name, Field(description="Folder whose docs/citations is meant.")] = "",
    ) -> Annotated[CallToolResult, TextCheck]:
        """Check by rule that every citation in a text resolves to a valid artifact with verbatim excerpts. Judges
        citations, not whether statements are true."""
        from veritas.use_cases.citations import check_text

        root = self._roots.project(project) if project or self._roots.folders else None
        report = await self._work.done(check_text, text, f"text.{kind}", root=root)
        return answered(text_check(report))

    async def check_facts(
        self,
        text: Annotated[Given, Field(description="Any text with its citations and its list of sources.")],
        sources: Annotated[Given, Field(description="Its list of sources, if kept beside it.")] = "",
        corpus: Annotated[Paths, Field(description="Folders or files with copies of the pages.")] = (),
    ) -> Annotated[CallToolResult, FactVerdicts]:
        """Check a text statement by statement against the pages it cites: supported, partly, contradicted, not in the
        source, or why nothing can be said. Worst first."""
        from veritas import check_facts

        copies, offline = self._roots.corpora(corpus), self._served.offline
        _no_file(sources, "sources")
        check = await self._work.done(check_facts, text, sources=sources or None, corpus=copies, offline=offline)
        return answered(fact_verdicts(check))

    async def verify_reference(
        self,
        ctx: Context[Any, Any],
        reference: Annotated[
            Annotated[str, Field(max_length=_REFERENCE_MOST)],
            Field(description="A reference as written, or BibTeX, RIS, CSL-JSON."),
        ],
    ) -> Annotated[CallToolResult, ReferenceVerdicts]:
        """Check in scholarly registries that a reference exists, is what it says and was not retracted. An outage is
        `unavailable`, never `fabricated`."""
        judged = await self._work.done(_audit_text, reference, self._served.offline, told=_notices(ctx))
        return answered(reference_verdicts(judged))

    async def source_tier(
        self, url: Annotated[Annotated[str, Field(max_length=4_000)], Field(description="A URL.")]
    ) -> Annotated[CallToolResult, SourceTier]:
        """Rate a source by policy: tier 1 (best) to 4, and why. Nothing is fetched."""
        from veritas import tier

        return answered(source_tier(await self._work.done(tier, url)))

    async def get_run(
        self, run: Annotated[Name, Field(description="Id, beginning of one, or latest.")] = "latest"
    ) -> Annotated[CallToolResult, RunResult]:
        """Get a stored research run: answer, references, verbatim evidence, what stayed unknown; of an unfinished one
        its state."""
        return answered(await self._work.done(stored_run, run, self._roots))

    async def why(
        self,
        about: Annotated[
            Annotated[str, Field(max_length=2_000)],
            Field(description="[2], an id, a URL, or words of a sentence or claim."),
        ],
        run: Annotated[Name, Field(description="Id, beginning of one, or latest.")] = "latest",
    ) -> Annotated[CallToolResult, Why]:
        """Tell why a sentence, claim or source of a run was let in or left out, step by step."""
        from veritas import why

        return answered(why_result(await self._work.done(why, run, about)))

    async def audit_bibliography(
        self,
        ctx: Context[Any, Any],
        files: Annotated[Paths, Field(description="BibTeX, RIS, CSL-JSON, TeX, Markdown, DOCX, PDF.")] = (),
        text: Annotated[Given, Field(description="A bibliography as text, instead of files.")] = "",
        profile: Annotated[Name, Field(description="lenient, strict or neurips-2026.")] = "lenient",
        pages: Annotated[bool | None, Field(description="Read linked pages; by default as the profile says.")] = None,
    ) -> Annotated[CallToolResult, ReferenceVerdicts]:
        """Check every entry of a bibliography: exists, correct, retracted or fabricated; with corrections. Worst come
        first."""
        from veritas import audit_bibliography
        from veritas.use_cases.bibliographies import named_profile

        if bool(text) == bool(files):
            raise InputError("give files or a text")
        offline, heard = self._served.offline, _notices(ctx)
        if text:
            judged = await self._work.done(_audit_text, text, offline, profile, pages, heard)
            return answered(reference_verdicts(judged))
        places = [self._roots.path(each) for each in files]
        ruled = named_profile(profile)
        judged = await self._work.done(
            audit_bibliography, places, offline=offline, profile=ruled, pages=pages, told=heard
        )
        return answered(reference_verdicts(judged))

    async def cite(
        self,
        ctx: Context[Any, Any],
        claim: Annotated[Words, Field(description="What the paper must say, as a sentence.")],
        hint: Annotated[Name, Field(description="DOI, arXiv id, title, or `Baruch et al., 2019`.")] = "",
        corpus: Annotated[Paths, Field(description="Own copies of papers.")] = (),
        project: Annotated[Name, Field(description="Folder in which docs/citations is written.")] = "",
    ) -> Annotated[CallToolResult, CitationResult]:
        """Find a paper that says a claim, verify it and write a citation artifact; or say why not. Never cite a refused
        one."""
        from veritas import cite

        _no_file(claim, "the claim")
        _no_file(hint, "the hint")
        root = self._roots.project(project)
        copies, offline = self._roots.corpora(corpus), self._served.offline
        outcome = await self._work.done(
            cite, claim, hint or None, root=root, corpus=copies, offline=offline, told=_notices(ctx)
        )
        return answered(citation_result(outcome, root))

    async def research(
        self,
        ctx: Context[Any, Any],
        question: Annotated[Words, Field(description="A question; or give resume.")] = "",
        corpus: Annotated[Paths, Field(description="Files or folders. Without any, the web.")] = (),
        web: Annotated[bool, Field(description="The web besides the corpus.")] = False,
        tier: Annotated[Depth, Field(description="Effort.")] = "quick",
        budget_usd: Annotated[float | None, Field(ge=0, description="Most to spend.")] = None,
        resume: Annotated[Name, Field(description="Id of a run to go on with.")] = "",
    ) -> Annotated[CallToolResult, RunResult]:
        """Answer a question from admitted sources, each claim with a verbatim passage judged by another. Takes minutes;
        cancelling stops it, `resume` goes on."""
        from veritas.use_cases.background import new_id

        if bool(question) == bool(resume):
            raise InputError("give a question, or resume with the id of a run")
        _no_file(question, "the question")
        settings: dict[str, Any] | None = None
        if resume:
            run_id = await self._work.done(_to_go_on, resume, self._roots)
        else:
            limits = [each for each in (budget_usd, self._served.budget) if each is not None]
            paths = self._corpus(corpus)
            run_id = new_id()
            settings = {
                "question": question, "corpus": paths, "web": web, "tier": tier, "council": self._served.council,
                "budget": {"usd": min(limits)} if limits else None,
            }  # fmt: skip
        try:
            caller = self._served.caller_of(ctx.request_context.request)
            home = self._roots.settings.home
            graph = await carry_out(
                self._served.begin or for_oneself(home), ctx.report_progress, run_id=run_id, settings=settings,
                caller=caller, home=home,
            )  # fmt: skip
        except Unavailable as error:
            return answered(not_begun(question, in_words_of("mcp", self._roots.without(str(error)))))
        return answered(run_result(plain_graph(graph, self._roots.settings)))


def _no_file(text: str, what: str) -> None:
    """Raise `InputError` for a text that can only be a file name, because it would be sent out."""
    from veritas.use_cases.given import file_meant

    if text and file_meant(text) is not None:
        raise InputError(f"{what} looks like the name of a file: give its words")


def _verify(claim: str, paths: list[str], shown_path: Callable[[str], str] = str) -> ClaimVerdict:
    from veritas import Verifier, verify

    if not any(sign.isalnum() for sign in claim):
        verify(claim, paths)  # says what a claim is
    verifier = Verifier(paths)
    verdict = asyncio.run(verifier.verify(claim))
    verdict = verdict.model_copy(update={"unread": tuple(map(shown_path, verdict.unread))})
    shown = {each.url: verifier.document(each.url) for each in verdict.evidence}
    return claim_verdict(verdict, [url for url, whole in shown.items() if whole and gives_orders(whole.text)])


def _verify_in_text(claim: str, text: str, paths: list[str]) -> ClaimVerdict:
    return in_file(text, "given.md", lambda path: _verify(claim, [*paths, str(path)]))


def _notices(ctx: Context[Any, Any]) -> Callable[[str], None]:
    """Return what reports a line at once, from any thread, to a client that asked for the progress of its call."""
    loop, steps = asyncio.get_running_loop(), count(1)

    def told(said: str) -> None:
        asyncio.run_coroutine_threadsafe(ctx.report_progress(next(steps), None, said), loop)

    return told


def _audit_text(
    text: str, offline: bool, profile: str = "lenient", pages: bool | None = None,
    told: Callable[[str], None] | None = None,
) -> list[EntryVerdict]:  # fmt: skip
    from veritas import audit_bibliography
    from veritas.use_cases.bibliographies import named_profile

    ruled = named_profile(profile)
    name = "given.json" if text.lstrip()[:1] in ("[", "{") else "given"
    return in_file(
        text, name, lambda path: audit_bibliography(path, offline=offline, profile=ruled, pages=pages, told=told)
    )


def _to_go_on(run: str, roots: Roots) -> str:
    """Return the id of a run that can be resumed, stored or only begun in the background. Raises `UnknownRun`, and
    `InputError` for one that is still stopping."""
    from veritas.use_cases.run_states import run_state

    state = run_state(run, home=roots.settings.home)
    if state.stopping:
        raise InputError(f"run {state.run_id} {STOPPING}")
    return state.run_id


def stored_run(run: str, roots: Roots) -> RunResult:
    """Return the result of a run, finished or not. Raises `UnknownRun`."""
    from veritas.use_cases.run_states import run_state

    state = run_state(run, home=roots.settings.home)
    if state.state != "finished":
        return unfinished(state, roots.without)
    return run_result(load_graph(state.run_id, roots.settings))
