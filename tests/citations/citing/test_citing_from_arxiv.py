"""Citing with everything over real HTTP: registries, and the paper from arXiv in the fullest form it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.citations.arxiv_site import environment, html_page, pages, pdf
from tests.citations.citing.test_citing import ALIE, CLAIM, FLPOISON
from tests.citations.program import veritas
from tests.citations.registry_server import RegistryServer, registry_server
from tests.loopback_web.web import Web, reader, web
from veritas.citations.artifacts import read_artifact
from veritas.citations.citing import NoSupportingExcerpts, Outcome, verify_and_cite

BODY = (
    "Federated learning trains a shared model on data that never leaves its owner, in many rounds. " * 40
    + "\n\nThe headliner attack set of FLPoison includes ALIE, Fang and sign-flipping.\n\n"
    + "Each attack was run against each defence on the same data sets, with five seeds apiece. " * 10
)


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(ALIE, FLPOISON) as running:
        yield running


async def cite(server: RegistryServer, served: Web, tmp_path: Path, claim: str = CLAIM) -> Outcome:
    folder = tmp_path / "docs" / "citations"
    read_by = reader(served, tmp_path / "fetched")
    return await verify_and_cite(claim, folder=folder, registries=server.registries(), reader=read_by)


def forms(served: Web) -> list[str]:
    """The forms of the paper that were asked for, in order."""
    return [path.split("/")[2] for path in served.paths() if path.startswith("/arxiv/")]


def test_the_command_reads_arxiv_where_the_settings_say_it_is(server: RegistryServer, tmp_path: Path) -> None:
    with web(pages(FLPOISON, as_html=html_page(FLPOISON, BODY), as_pdf=pdf(FLPOISON, BODY))) as served:
        done = veritas(server, tmp_path, "cite", CLAIM, "--json", **environment(served))
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout)
        assert (said["cited"], said["flags"]) == (True, [])
        assert read_artifact(tmp_path / said["artifact"]).text_url == served.url("/arxiv/html/2502.03801")


async def test_another_paper_under_the_same_number_is_not_read_as_this_one(
    server: RegistryServer, tmp_path: Path
) -> None:
    other = type(FLPOISON)(**{**vars(FLPOISON), "title": "Cooking with lentils", "abstract": "Lentils."})
    with web(pages(other, as_html=html_page(other, BODY))) as served:
        assert isinstance(await cite(server, served, tmp_path), NoSupportingExcerpts)
