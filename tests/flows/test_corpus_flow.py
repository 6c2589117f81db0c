"""The flows of a corpus on a real Prefect server: what they return, show, and how they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loopback.zotero_server import Fault, attachment, item, zotero_server
from tests.reviews.papers import TANG, library, pdf
from veritas import Unavailable
from veritas.reviews.claim_corpus import Corpus

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def test_corpus_add_makes_a_corpus_and_shows_what_was_added(tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client

    from veritas_flows.corpus import corpus_add

    (done,) = await corpus_add("drying", paths=[str(library(tmp_path / "papers"))], extractor="embedded")
    assert done["added"] == ["patel2005", "tang2005"]
    async with get_client() as client:
        (shown,) = [a for a in await client.read_artifacts() if a.description == "Corpus · drying"]
        await corpus_add("dry-storage", paths=[str(library(tmp_path / "papers"))], extractor="embedded")
        keys = {a.key for a in await client.read_artifacts() if (a.key or "").startswith("corpus-addition-")}
    assert {key.rpartition("-")[0] for key in keys} == {"corpus-addition-drying", "corpus-addition-dry-storage"}
    assert f"{len(Corpus.open('drying').claims())} claims, 0 of whose quotes" in str(shown.data)


async def test_the_nightly_look_fails_while_a_file_cannot_be_had_and_goes_on_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veritas_flows.corpus import corpus_topup

    items = [item("AAAA1111", TANG["title"], authors=["Xiaolin Tang"], date="2005"),
             attachment("AAAA2222", "AAAA1111", "tang.pdf")]  # fmt: skip
    with zotero_server(items, {}, {"AAAA2222": pdf(TANG)}) as server:
        monkeypatch.setenv("VERITAS_ZOTERO_URL", server.url)
        monkeypatch.setenv("VERITAS_ZOTERO_STORAGE", str(tmp_path))
        server.fault = lambda asked: Fault(503) if asked.path.endswith("/file") else None
        with pytest.raises(Unavailable, match="1 papers wait"):
            await corpus_topup("drying")
        server.fault = lambda asked: None
        (done,) = await corpus_topup("drying")
        assert done["added"] == ["tang2005"]
