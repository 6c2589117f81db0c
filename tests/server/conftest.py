"""A server in this process, with tokens of every kind, over a store with one finished run where that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import veritas
from tests.pumps import QUESTION, write_corpus
from veritas.server.app import create_app
from veritas.server.settings import Settings
from veritas.server.tokens import Token, new_token

AUTHORITY = "127.0.0.1:8765"
ROLES = {"read": ("read",), "run": ("run",), "approve": ("approve",), "all": ("run", "approve")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder under which corpora may lie; the pumps are in it."""
    folder = tmp_path / "library"
    folder.mkdir()
    write_corpus(folder)
    return folder


@pytest.fixture
def tokens() -> dict[str, tuple[str, Token]]:
    """A token for each kind of caller."""
    return {name: new_token(name, roles) for name, roles in ROLES.items()}


@pytest.fixture
def settings(own_home: Path, root: Path) -> Settings:
    """What the server is started with."""
    return Settings(
        home=own_home.resolve(), roots={"library": root.resolve()}, authorities=frozenset({AUTHORITY}), burst=100_000
    )


@pytest.fixture
def app(settings: Settings, tokens: dict[str, tuple[str, Token]]) -> FastAPI:
    """The application."""
    return create_app(settings, [record for _, record in tokens.values()])


Called = Callable[..., TestClient]


@pytest.fixture
def called(app: FastAPI, tokens: dict[str, tuple[str, Token]]) -> Called:
    """Makes a client with the token of a kind of caller, or with none. Its lifespan does not run: nothing begins by
    itself."""

    def make(name: str | None = "all", **headers: str) -> TestClient:
        if name is not None:
            headers["Authorization"] = f"Bearer {tokens[name][0]}"
        return TestClient(
            app, base_url=f"http://{AUTHORITY}", headers=headers, follow_redirects=False, raise_server_exceptions=False
        )

    return make


@pytest.fixture
def client(called: Called) -> TestClient:
    """A client that may do everything."""
    return called()


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps runs in line: no process is started for them."""
    from veritas.use_cases import background

    monkeypatch.setattr(background, "_start", lambda *given: False)


@pytest.fixture(scope="session")
def finished_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one finished run, made once."""
    folder = tmp_path_factory.mktemp("finished")
    veritas.research(QUESTION, corpus=write_corpus(folder), tier="quick", home=folder / "store")
    return folder / "store"


@pytest.fixture
def finished(finished_store: Path, own_home: Path) -> str:
    """The id of a finished run in the test's own store."""
    import shutil

    shutil.copytree(finished_store, own_home, dirs_exist_ok=True)
    (run,) = veritas.list_runs()
    return run.run_id


def detail(answer: Any, status: int) -> str:
    """The sentence of a problem, of which the status is checked."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status
    return str(told["detail"])
