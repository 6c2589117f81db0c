"""A response's body, decompressed within a limit; a declared length is never trusted."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import httpx

from veritas.errors import Unavailable

ACCEPT_ENCODING = "gzip, deflate"
"""Encodings that are asked for; any other is refused, so that no bomb meets a decoder without a limit."""

_GZIP_OR_ZLIB = 47
_RAW_DEFLATE = -15
_PIECE = 256 * 1024
_MEMBERS = 1000
"""Most members of a gzip stream that are read."""


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """Return the decompressed body of at most `limit` bytes. Raises `Unavailable` for a longer one, for an encoding
    that was not requested, and for a damaged or truncated body."""
    try:
        declared = int(response.headers.get("content-length", "0"))
    except ValueError:
        declared = 0
    if declared > limit:
        raise Unavailable(f"is {declared:,} bytes long; at most {limit:,} are read")
    named = [part.strip().lower() for part in response.headers.get("content-encoding", "").split(",")]
    encodings = [part for part in named if part and part != "identity"]
    if len(encodings) > 1 or not set(encodings) <= {"gzip", "x-gzip", "deflate"}:
        raise Unavailable(f"is compressed in a way that was not asked for ({', '.join(encodings)[:80]})")
    inflate = _Inflate() if encodings else None
    body = bytearray()
    received = 0
    async for chunk in response.aiter_raw():
        received += len(chunk)
        for piece in inflate.feed(chunk) if inflate else (chunk,):
            body += piece
            if len(body) > limit:
                break
        if max(len(body), received) > limit:  # padding behind a stream, and empty blocks in it, make no body
            raise Unavailable(f"goes on after {limit:,} bytes, which is the limit (it sent {received:,})")
    if inflate and received and not inflate.whole:
        raise Unavailable("is compressed and was cut off in the middle")
    return bytes(body)


class _Inflate:
    """An incremental decompressor, so that the caller can stop."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._begun = False
        self._members = 1
        self._over = False

    @property
    def whole(self) -> bool:
        return self._over or self._stream.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._over:
            if self._stream.eof:
                if not data.startswith(b"\x1f\x8b") or self._members >= _MEMBERS:
                    self._over = True  # the rest behind a stream is padding
                    return
                self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
                self._members += 1
            try:
                piece = self._stream.decompress(data, _PIECE)
            except zlib.error:
                if self._begun:
                    raise Unavailable("is compressed and damaged") from None
                # "deflate" is sent with and without the header that it should have.
                self._stream = zlib.decompressobj(_RAW_DEFLATE)
                try:
                    piece = self._stream.decompress(data, _PIECE)
                except zlib.error:
                    raise Unavailable("is said to be compressed and is not") from None
            self._begun = True
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            if piece:
                yield piece
