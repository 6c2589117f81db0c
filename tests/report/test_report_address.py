"""Reports are served on loopback: those alone, read only, and to nobody who was led here under another name."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from veritas import InputError
from veritas.report.browser_address import serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "reports"
    (made / "r1").mkdir(parents=True)
    (made / "r1" / "report.html").write_text("<title>the report</title>", encoding="utf-8")
    (made / "r1" / ".report.html.half").write_text("half", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (made / "link.txt").symlink_to(tmp_path / "secret.txt")
    (made / "above").symlink_to(tmp_path)
    return made


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    with serving(folder, 0) as address:
        assert address.startswith("http://127.0.0.1:")
        yield int(address.rsplit(":", 1)[1])


def ask(port: int, path: str, *, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host if host is not None else f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def test_a_report_is_served_and_nothing_else(port: int) -> None:
    assert ask(port, "/r1/report.html") == (200, b"<title>the report</title>")
    assert ask(port, "/r1/report.html", host=f"localhost:{port}")[0] == 200
    for path in (
        "/", "/r1", "/r1/", "/r1/.report.html.half", "/.address", "/link.txt", "/above/secret.txt", "/../secret.txt",
        "/r1/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/r1/%2e%2e%2f%2e%2e%2fsecret.txt",
        "//etc/passwd", "/%2fetc%2fpasswd", "/..%5csecret.txt", "/r1/report.html%00", "/" + "a" * 5000,
    ):  # fmt: skip
        status, body = ask(port, path)
        assert status >= 400, path
        assert b"secret" not in body
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert ask(port, "/r1/report.html", method=method)[0] == 405


def test_a_page_whose_name_was_led_to_loopback_reads_no_report(port: int) -> None:
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example", ""):
        assert ask(port, "/r1/report.html", host=host)[0] == 400


def test_a_port_that_is_taken_is_said_and_a_closed_one_is_free_again(folder: Path) -> None:
    with serving(folder, 0) as address:
        port = int(address.rsplit(":", 1)[1])
        with pytest.raises(InputError, match=f"port {port}"), serving(folder, port):
            pass
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=5):
        pass
