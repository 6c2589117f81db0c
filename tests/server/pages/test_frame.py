"""Every page has its frame, says errors in words, and shows strangers' text as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.server.conftest import Called
from tests.server.pages.conftest import HOSTILE, Opened
from tests.server.pages.pages import Page, check_frame
from veritas.use_cases import background

EMPTY = (
    "/", "/library", "/check", "/check/claim", "/check/passage", "/check/bibliography", "/check/source", "/papers",
    "/reviews", "/approvals",
)  # fmt: skip


@pytest.mark.parametrize("path", EMPTY)
def test_a_page_of_an_empty_store_has_its_frame(opened: Opened, path: str) -> None:
    page = opened(path)
    assert page.status == 200
    check_frame(page)
    assert [attributes["href"] for attributes, _ in page.all("a") if "aria-current" in attributes][:1] == [
        "/" + path.split("/")[1]
    ]


def test_a_page_tells_its_origin_to_the_server_alone(browse: Callable[..., Any]) -> None:
    answer = browse().get("/")
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_the_pages_of_a_run_have_their_frame(opened: Opened, finished: str) -> None:
    for path in (f"/runs/{finished}", f"/runs/{finished}/why?about=[1]", f"/runs/{finished}/replay",
                 f"/runs/{finished}/compare", f"/runs/{finished}/compare/{finished}", "/library",
                 "/sources?url=corpus://pumps/manual"):  # fmt: skip
        page = opened(path)
        assert page.status == 200, path
        check_frame(page)


def test_hostile_text_is_text_on_every_page(opened: Opened, hostile: str) -> None:
    for path in (f"/runs/{hostile}", f"/runs/{hostile}/why?about=[1]", f"/runs/{hostile}/replay",
                 f"/runs/{hostile}/compare/{hostile}", "/library", "/library?q=borealis&within=source",
                 f"/library?q={HOSTILE}", f"/check/source?url={HOSTILE}", f"/runs/{hostile}/why?about={HOSTILE}",
                 f"/sources?url={HOSTILE}"):  # fmt: skip
        page = opened(path)
        check_frame(page)
        assert not page.all("img"), path
        assert "alert(1)</script>" not in page.source.replace("&lt;", "<<"), path
    assert HOSTILE.split()[0] in opened(f"/runs/{hostile}").text


@pytest.mark.usefixtures("no_process")
def test_hostile_text_is_text_while_a_run_goes(opened: Opened) -> None:
    job = background.begin(f"What is {HOSTILE}?", corpus="package:pytest")
    page = opened(f"/runs/{job.run_id}")
    check_frame(page)
    assert HOSTILE.split()[0] in page.texts("h1")[0]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nothing", 404, "library"),
        ("/runs/20260101-000000-abcdef", 404, "library"),
        ("/library?page=0", 422, "Page: input should be"),
        ("/sources", 422, "Url: field required"),
    ],
)
def test_an_error_is_a_page_in_words(opened: Opened, path: str, status: int, said: str) -> None:
    page = opened(path)
    assert page.status == status
    check_frame(page)
    assert said in page.text


def test_whoever_has_no_token_is_told_what_to_open(called: Called) -> None:
    answer = called(None, Accept="text/html").get("/")
    page = Page(answer)
    assert (page.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "veritas serve" in page.text
    assert not page.all("a", href="/library", class_="")


def test_a_defect_is_a_page_in_words_too(app: Any, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    from veritas.server.pages import ask

    def broken(*given: Any) -> None:
        raise ZeroDivisionError("/home/ada/secret")

    monkeypatch.setattr(ask, "offered", broken)
    page = opened("/")
    assert page.status == 500
    check_frame(page)
    assert "defect of veritas" in page.text
    assert "secret" not in page.source
