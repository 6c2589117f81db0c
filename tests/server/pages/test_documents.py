"""Documents are found however deep they lie, by a path, a part of a name, or folder by folder; none outside a root."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.pages.conftest import Opened
from tests.server.pages.pages import check_frame
from veritas.server import below
from veritas.use_cases import background

DEEP = "library/papers/2025/pumps/measured.md"


@pytest.fixture
def deep(root: Path) -> Path:
    folder = root / "papers" / "2025" / "pumps"
    folder.mkdir(parents=True)
    (folder / "measured.md").write_text("The pump weighs 12 kg.", encoding="utf-8")
    (folder / "refs.bib").write_text("@misc{a, title={A pump}}", encoding="utf-8")
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "measured-secret.md").write_text("secret", encoding="utf-8")
    (root / "link").symlink_to(outside)
    (folder / ".measured-hidden.md").write_text("hidden", encoding="utf-8")
    return root


@pytest.mark.usefixtures("deep")
def test_a_name_that_is_typed_is_completed_from_what_lies_below_the_roots(browse: Callable[..., Any]) -> None:
    def known(q: str, kind: str = "corpus") -> Any:
        return browse("read").get("/documents/known", params={"q": q, "kind": kind}).json()

    assert known("measured") == [DEEP]
    assert known("2025/pumps/MEAS") == [DEEP]
    assert known("refs", "document") == ["library/papers/2025/pumps/refs.bib"]
    assert known("pumps", "folder")[0] == "library/papers/2025/pumps"
    assert known("measured-secret") == known("../outside") == known("hidden") == []


@pytest.mark.usefixtures("no_process", "deep")
def test_a_deep_document_is_asked_about_by_its_path_and_a_wrong_one_is_told_with_the_nearest(
    browse: Callable[..., Any],
) -> None:
    refused = browse().post("/ask", data={"question": "What does it weigh?", "corpus": ["", "measured.md"]})
    assert refused.status_code == 422
    assert f"do you mean {DEEP}?" in refused.text
    for misspelt in ("measurred.md", "library/papers/2025/pumps/measured.markdown", "pumps/maesured"):
        assert f"do you mean {DEEP}?" in browse().post("/ask", data={"question": "What?", "corpus": misspelt}).text
    folder = browse().post("/ask", data={"question": "What?", "corpus": "library/papers/2025/pupms"}).text
    assert f"do you mean {DEEP.rpartition(chr(47))[0]}" in folder
    assert "do you mean" not in browse().post("/ask", data={"question": "What?", "corpus": "library/zebra.md"}).text
    assert 'value="measured.md"' in refused.text, "it can be mended where it was typed"
    asked = browse().post("/ask", data={"question": "What does it weigh?", "corpus": ["", DEEP], "tier": "quick"})
    assert asked.status_code == 303, asked.text
    (job,) = background.list_jobs()
    assert [Path(each).name for each in job.wanted.settings["corpus"]] == ["measured.md"]
    for name in ("link/measured-secret.md", "../outside/measured-secret.md", "/etc/passwd"):
        answer = browse().post("/ask", data={"question": "What?", "corpus": name})
        assert answer.status_code == 422
        assert "do you mean" not in answer.text or "secret" not in answer.text.split("do you mean")[1].split("<")[0]


@pytest.mark.usefixtures("deep")
def test_folders_are_opened_one_after_the_other_and_what_is_chosen_stands_in_the_form(opened: Opened) -> None:
    page = opened("/documents")
    check_frame(page)
    (root,) = [each for each, _ in page.all("a") if each["href"] == "/documents?at=library"]
    assert root["aria-label"] == "Open the folder library"
    page = opened("/documents?at=library/papers/2025/pumps")
    check_frame(page)
    assert [each["value"] for each, _ in page.all("input", name="corpus")] == [
        DEEP, "library/papers/2025/pumps/refs.bib"
    ]  # fmt: skip
    (chosen,) = [each for each, _ in opened(f"/?corpus={DEEP}").all("input", value=DEEP)]
    assert "checked" in chosen
    assert opened(f"/papers?corpus={DEEP}").all("input", name="document")[0][0]["value"] == DEEP
    assert opened(f"/check/bibliography?corpus={DEEP}").all("input", name="document")[0][0]["value"] == DEEP
    several = opened(f"/papers?corpus={DEEP}&corpus=library")
    assert "one: 2 were chosen" in several.texts("p", role="alert")[0], "and not the first of them, unasked"
    for at in ("library/link", "library/../..", "/etc", "library/none"):
        page = opened(f"/documents?at={at}")
        assert page.status == 404, at
        assert "secret" not in page.text
    assert "measured-secret" not in opened("/documents?at=library").source


def test_a_search_ends_and_tells_the_nearest_first(
    settings: Any, deep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (deep / "measured.md").write_text("near", encoding="utf-8")
    (deep / "unmeasured.md").write_text("holds it", encoding="utf-8")
    names = [each.name for each in below.found("measured.md", settings)]
    assert names == ["library/measured.md", DEEP, "library/unmeasured.md"]
    monkeypatch.setattr(below, "LOOKED_AT", 3)
    assert len(list(below.nearest(settings))) == 4, "a root and three more"
