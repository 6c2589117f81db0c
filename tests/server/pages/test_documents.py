"""Documents are found however deep they lie, by a path, a part of a name, or folder by folder; none outside a root."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.pages.conftest import Opened
from tests.server.pages.pages import check_frame
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


@pytest.mark.usefixtures("no_process", "deep")
def test_a_deep_document_is_asked_about_by_its_path_and_none_outside_a_root(
    browse: Callable[..., Any],
) -> None:
    refused = browse().post("/ask", data={"question": "What does it weigh?", "corpus": ["", "measured.md"]})
    assert refused.status_code == 422
    assert 'value="measured.md"' in refused.text, "it can be mended where it was typed"
    asked = browse().post("/ask", data={"question": "What does it weigh?", "corpus": ["", DEEP], "tier": "quick"})
    assert asked.status_code == 303, asked.text
    (job,) = background.list_jobs()
    assert [Path(each).name for each in job.wanted.settings["corpus"]] == ["measured.md"]
    for name in ("link/measured-secret.md", "../outside/measured-secret.md", "/etc/passwd"):
        answer = browse().post("/ask", data={"question": "What?", "corpus": name})
        assert answer.status_code == 422


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
