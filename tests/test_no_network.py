"""The guard of the test run itself: what is not on this machine cannot be reached."""

from __future__ import annotations

import socket

import httpx
import pytest


def test_connecting_elsewhere_is_an_error() -> None:
    with socket.socket() as made, pytest.raises(RuntimeError, match="tried to reach"):
        made.connect(("192.0.2.1", 80))


def test_looking_up_a_name_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="tried to look up"):
        httpx.get("http://example.org/")


def test_loopback_is_open() -> None:
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
        assert client.getpeername() == server.getsockname()
