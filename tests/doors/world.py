"""One store with its material, and every door to it, in this process: Python, command line, HTTP, pages, MCP."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from starlette.testclient import TestClient

import veritas
from tests.in_process import veritas as command
from tests.papers.pump_papers import write_paper
from tests.pumps import QUESTION, ROWS
from tests.server.pages.pages import Page
from veritas import approvals
from veritas.engine.progress import Silent
from veritas.errors import Cancelled
from veritas.server.app import create_app
from veritas.server.mcp.app import make_server
from veritas.server.mcp.tools import Roots, Served
from veritas.server.settings import Settings, named_roots
from veritas.server.tokens import new_token
from veritas.use_cases import background, background_run, events

AUTHORITY = "127.0.0.1:8765"
BIBLIOGRAPHY = "@article{nobody2020, title={On pumps that nobody built}, author={Nobody, Ann}, year={2020}}\n"
NOTES = "As shown[^1].\n\n[^1]: [Nobody 2020](docs/citations/nobody-2020.md)\n"


class Refused(Exception):
    """A door refused what it was asked for, in these words."""


class Stopping(Silent):
    """A progress that stops its run when a stage begins."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def stage_started(self, stage: str) -> None:
        if stage == self._stage:
            raise Cancelled("stopped for the test")


@dataclass
class World:
    """The store, its documents below `library`, and how each door is used."""

    home: Path
    library: Path
    run: str = ""
    """A finished run."""
    other: str = ""
    """A replay of it."""
    audit: str = ""
    review: str = ""
    waiting: str = ""
    """A case that waits for a person."""
    cases: int = 0

    def __post_init__(self) -> None:
        settings = Settings(
            home=self.home, roots=named_roots([self.library]), authorities=frozenset({AUTHORITY}), burst=100_000
        )
        token, record = new_token("doors", ["run", "approve"])
        self._app = create_app(settings, [record])
        self._bearer = {"Authorization": f"Bearer {token}"}
        self.tools = make_server(Served(roots=Roots(settings, absolute=True), offline=True))

    def fill(self) -> None:
        """Make what several use cases need: a finished run, a replay of it, an audit."""
        self.run = veritas.research(QUESTION, corpus=self.pumps, tier="quick").run.run_id
        self.other = veritas.replay(self.run, "synthesize").run.run_id
        self.audit = veritas.audit_paper(self.paper, graphs=1).audit_id

    @property
    def pumps(self) -> str:
        return str(self.library / "pumps.jsonl")

    @property
    def paper(self) -> str:
        return str(self.library / "pumps.txt")

    # -- doors -------------------------------------------------------------------------------------------------------

    def cli(self, *arguments: str, given: str = "", exits: tuple[int, ...] = (0,)) -> str:
        """What a command prints."""
        ended = command(*arguments, given=given.encode(), cwd=self.library)
        if ended.returncode not in exits:
            raise Refused(" ".join(ended.stderr.decode().removeprefix("veritas: ").split()))
        return ended.stdout.decode()

    def cli_json(self, *arguments: str, **more: Any) -> Any:
        return json.loads(self.cli(*arguments, **more))

    def cli_lines(self, *arguments: str, **more: Any) -> list[Any]:
        return [json.loads(line) for line in self.cli(*arguments, **more).splitlines()]

    def _client(self, **headers: str) -> TestClient:
        base = f"http://{AUTHORITY}"
        return TestClient(self._app, base_url=base, headers={**self._bearer, **headers}, raise_server_exceptions=False)

    def http(self, method: str, path: str, **more: Any) -> Any:
        """What the interface for programs answers: JSON, or the text of a file."""
        answer = self._client().request(method, f"/api/v1{path}", **more)
        if answer.status_code >= 400:
            raise Refused(answer.json()["detail"])
        return answer.json() if answer.headers["content-type"] == "application/json" else answer.text

    def work(self, path: str, **body: Any) -> Any:
        """What work in the background comes to."""
        begun = self.http("POST", path, json=body)
        stands = self.http("GET", f"/work/{begun['id']}")
        if stands["state"] != "finished":
            raise Refused(stands["problem"])
        return self.http("GET", f"/work/{begun['id']}/result")

    def page(self, path: str, **form: Any) -> str:
        """The words of a page; with fields, of the one that their form leads to."""
        client = self._client(Accept="text/html")
        answer = client.post(path, data=form) if form else client.get(path)
        self.at = answer.url.path
        page = Page(answer)
        if answer.status_code >= 400:
            raise Refused(page.text)
        return page.text

    def source(self, path: str) -> str:
        """A page as it is sent."""
        answer = self._client(Accept="text/html").get(path)
        if answer.status_code >= 400:
            raise Refused(answer.text)
        return answer.text

    def mcp(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool tells a language model."""

        async def call() -> Any:
            async with Client(self.tools, raise_exceptions=True) as client:
                return await client.call_tool(tool, arguments)

        answer = asyncio.run(call())
        if answer.is_error:
            raise Refused(answer.content[0].text)
        assert answer.structured_content is not None
        return dict(answer.structured_content)

    # -- material ----------------------------------------------------------------------------------------------------

    def stopped_run(self) -> str:
        """A new run that was stopped after its first stage."""
        before = {each.run_id for each in veritas.list_runs()}
        with pytest.raises(Cancelled):
            veritas.research(QUESTION, corpus=self.pumps, tier="quick", progress=Stopping("research"))
        (made,) = {each.run_id for each in veritas.list_runs()} - before
        return made

    def stopped_audit(self) -> str:
        """A new audit that was stopped before its score."""
        before = {each.audit_id for each in veritas.list_paper_audits()}
        with pytest.raises(Cancelled):
            veritas.audit_paper(self.paper, graphs=1, progress=Stopping("score"))
        (made,) = {each.audit_id for each in veritas.list_paper_audits()} - before
        return made

    def case(self) -> approvals.Approval:
        """A new case that waits for a person."""
        self.cases += 1
        claim = f"The pump needs no oil in winter {self.cases}."
        passage = approvals.CasePassage(text=f"{claim} I think.", source="A forum")
        said = f"You probably expected “{claim}” to be citable; it was left out because the forum only thinks so."
        asked = approvals.ask("citation", f"s{self.cases}", said, approvals.Case(claim=claim, passages=(passage,)))
        return asyncio.run(asked)


def make_world(folder: Path, patch: pytest.MonkeyPatch) -> World:
    """The store with its material. Work in the background is carried out in a thread of this process when it begins: a
    process takes seconds to start."""

    def start(home: Path, run_id: str, limit: int) -> bool:
        events.tell(home, run_id, background.events.Begun(attempt=1))
        with ThreadPoolExecutor(1) as thread:
            thread.submit(background_run.main, [run_id]).result()
        return True

    patch.setattr(background, "_start", start)
    patch.setattr(background_run, "withhold_on_streams", lambda: None)
    patch.setattr(background_run, "withhold_in_logs", lambda: None)
    patch.setattr(background_run, "advance", lambda **given: [])
    home, library = folder.resolve() / "store", folder.resolve() / "library"
    library.mkdir()
    home.mkdir()
    patch.setenv("VERITAS_HOME", str(home))
    rows = "\n".join(json.dumps(row) for row in ROWS[:2])
    (library / "pumps.jsonl").write_text(rows, encoding="utf-8")
    write_paper(library)
    (library / "nobody.bib").write_text(BIBLIOGRAPHY, encoding="utf-8")
    (library / "notes.md").write_text(NOTES, encoding="utf-8")
    world = World(home, library)
    world.fill()
    return world
