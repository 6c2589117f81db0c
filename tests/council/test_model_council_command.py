"""`veritas council`, called as its entry point is."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.loopback.scripted import honest
from tests.loopback.server import loopback


def veritas(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    from veritas.cli import main

    with pytest.raises(SystemExit) as end:
        main(["council", *map(str, args)])
    printed = capsys.readouterr()
    return (end.value.code if isinstance(end.value.code, int) else 0), printed.out, printed.err


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VERITAS_COUNCIL", "VERITAS_LOCAL_URL", "VERITAS_LOCAL_MODEL", "OLLAMA_API_BASE"):
        monkeypatch.delenv(name, raising=False)


def test_json_is_one_document_with_a_fixed_shape(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    code, out, err = veritas(capsys, "--json", "--offline")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert "sk-secret" not in out
    assert set(told) == {
        "council", "file", "because", "description", "seats", "judges", "verifiers", "writer", "tiers", "review",
        "passed_over",
        "missing",
    }
    claude = told["seats"][0]
    assert claude["family"] == "anthropic"
    assert claude["judged_by"] == "embedded"
    assert claude["quorum"] is None
    assert claude["reachable"] is None
    assert claude["price"]["input"] > 0
    assert "claims of claude halt" in told["tiers"]["deep"]
    assert told["tiers"]["standard"] == "every claim has a judge of another family"
    assert "(lenses-alone)" in told["review"]


def test_local_server_needs_no_key_and_is_asked_what_it_serves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with loopback(honest, models=("Qwen/Qwen3-8B",)) as server:
        monkeypatch.setenv("VERITAS_LOCAL_URL", server.url)
        code, out, _ = veritas(capsys, "--json")
        assert code == 0
        assert json.loads(out)["council"] == "llama-cpp"
        assert json.loads(out)["seats"][0]["reachable"] is True
        monkeypatch.setenv("VERITAS_LOCAL_MODEL", "other/model")
        code, out, _ = veritas(capsys, "--json")
        assert code == 3
        assert json.loads(out)["seats"][0]["detail"] == "it serves Qwen/Qwen3-8B, not other/model"
        monkeypatch.setenv("VERITAS_LOCAL_MODEL", "Qwen/Qwen3-8B")
        code, out, _ = veritas(capsys)
        assert code == 0
        assert "Council: vllm" in out
        assert "reachable" in out


def test_server_that_does_not_answer_is_a_finding_with_code_3(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    monkeypatch.setenv("OLLAMA_API_BASE", f"http://127.0.0.1:{port}")
    code, out, _ = veritas(capsys)
    assert code == 3
    assert "NOT REACHABLE" in out
    code, _, _ = veritas(capsys, "--offline")
    assert code == 0


def test_named_council_that_cannot_sit_is_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = veritas(capsys, "--council", "ollama", "--json")
    assert (code, out) == (2, "")
    assert "OLLAMA_API_BASE" in err
    code, _, err = veritas(capsys, "--council", tmp_path / "none.yaml")
    assert code == 2
    assert "there is no such file" in err
