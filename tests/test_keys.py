"""Where keys are read, and the sinks of every process that withhold them."""

from __future__ import annotations

import io
import json
import logging
import sys
from pathlib import Path

import pytest

from veritas.errors import InvariantBroken, Unavailable
from veritas.files import write_whole
from veritas.keys import key, withheld, withheld_from_bytes, withheld_from_message
from veritas.reading.formats import convert
from veritas.reading.loading import load_corpus
from veritas.sinks import Withholding, withhold_in_logs

SECRET = "Vt7-Kp3+Wq9/Xz5=Rm2"


def test_a_key_that_was_read_is_withheld_whatever_its_variable_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_GATEWAY", f" {SECRET}a ")
    assert withheld(f"x {SECRET}a") == f"x {SECRET}a"
    assert key(("NOT_SET", "MY_GATEWAY")) == f"{SECRET}a"
    assert withheld(f"x {SECRET}a") == "x MY_GATEWAY-withheld"
    assert withheld_from_bytes(f"x {SECRET}a é".encode()) == "x MY_GATEWAY-withheld é".encode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPENAI_API_KEY", f"{SECRET}b"), ("HF_TOKEN", f"{SECRET}c"), ("AWS_SECRET_ACCESS_KEY", f"{SECRET}d"),
        ("PREFECT_API_AUTH_STRING", f"admin:{SECRET}e"), ("VERITAS_ZOTERO_KEY", f"{SECRET}f"),
        ("HTTPS_PROXY", f"http://me:{SECRET.replace('/', '_')}g@proxy:3128"),
        ("PREFECT_SERVER_DATABASE_CONNECTION_URL", f"postgresql+asyncpg://u:{SECRET.replace('/', '_')}h@db/prefect"),
    ],
)  # fmt: skip
def test_what_a_library_may_send_unasked_is_withheld_unread(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    part = value.partition("@")[0].rpartition(":")[2]
    assert part not in str(Unavailable(f"the server said {part} and {value}"))
    assert part not in withheld(f"it said {part}")


def test_the_message_of_every_error_is_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_API_KEY", f"{SECRET}i")
    assert str(Unavailable(f"no: {SECRET}i")) == "no: EXA_API_KEY-withheld"
    import pickle

    broken = InvariantBroken("I1", f"no: {SECRET}i")
    assert SECRET not in pickle.dumps(broken).decode("latin-1")
    assert str(pickle.loads(pickle.dumps(broken))) == "I1: no: EXA_API_KEY-withheld"


def test_files_are_without_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EXA_API_KEY", f"{SECRET}j")
    write_whole(tmp_path / "x.json", json.dumps({"said": f"{SECRET}j"}))
    assert json.loads((tmp_path / "x.json").read_text()) == {"said": "EXA_API_KEY-withheld"}


def test_streams_and_log_records_are_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_API_KEY", f"{SECRET}k")
    out = io.StringIO()
    print(f"said {SECRET}k", file=Withholding(out, withheld))
    assert out.getvalue() == "said EXA_API_KEY-withheld\n"
    made = logging.getLogRecordFactory()
    heard = io.StringIO()
    logger = logging.getLogger("a.library.of.others")
    handler = logging.StreamHandler(heard)
    logger.addHandler(handler)
    try:
        withhold_in_logs()
        logger.warning("asked with %s and %d", {"key": f"{SECRET}k"}, 1)
        try:
            raise RuntimeError(f"inner {SECRET}k")
        except RuntimeError:
            logger.exception("failed")
        logger.warning("one %s too few %s", "argument")
    except TypeError:
        pass
    finally:
        logging.setLogRecordFactory(made)
        logger.removeHandler(handler)
    assert SECRET not in heard.getvalue()
    assert "asked with {'key': 'EXA_API_KEY-withheld'} and 1" in heard.getvalue()
    assert "RuntimeError: inner EXA_API_KEY-withheld" in heard.getvalue()
    assert sys.stderr is not None


def test_a_document_loses_the_key_before_its_hash_and_its_pages_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tests.reading.pdf_writer import Run, write_pdf
    from veritas.documents.document import document_id

    monkeypatch.setenv("EXA_API_KEY", "kz81mq02xv93")
    converted = convert(
        write_pdf([[Run(70, 700, "The key is kz81mq02xv93 here.")], [Run(70, 700, "Copper melts at 1084 degrees.")]]),
        "pdf",
    )
    assert "kz81mq02xv93" not in converted.text
    assert converted.text[converted.page_starts[1] :].startswith("Copper melts")
    (tmp_path / "c.jsonl").write_text(json.dumps({"id": "a", "text": "Copper. The key is kz81mq02xv93, EMPTY."}))
    document = load_corpus([tmp_path / "c.jsonl"]).documents[0]
    assert document.text == "Copper. The key is EXA_API_KEY-withheld, EMPTY."
    assert document.document_id == document_id(document.text)


def test_the_path_of_a_key_file_is_no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERITAS_APPROVAL_KEY", str(tmp_path / "id_ed25519"))
    said = f"there is no key file {tmp_path}/id_ed25519"
    assert withheld_from_message(said) == said
