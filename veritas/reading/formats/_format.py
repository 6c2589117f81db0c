"""The seam of file formats: a file's bytes in, its text out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from veritas.reading.formats.converted import Converted


@runtime_checkable
class Format(Protocol):
    """A reader of one file format. It is made without arguments and run in its own process with 3 GB of memory."""

    @property
    def media_type(self) -> str:
        """Media type of the format's documents, such as `application/toml`."""
        ...

    def convert(self, data: bytes) -> Converted:
        """Convert a file. Raises `veritas.errors.CorpusError` if it is not of this format, with the reason as the end
        of a sentence that begins with the file's name."""
        ...


@dataclass(frozen=True)
class BuiltInFormat:
    """A format of ours.

    `converter` is `module:function` below this package, imported when a file is read; it takes the bytes, or with
    `decoded` the text. `quick` formats are safe and fast enough to be converted in this process.
    """

    kind: str
    media_type: str
    converter: str
    decoded: bool = False
    quick: bool = False

    def convert(self, data: bytes) -> Converted:
        """Convert a file (see `Format`)."""
        from dataclasses import replace

        from veritas.reading.charset import decode

        if not self.decoded:
            return self._converter(data)
        text, remark = decode(data)
        converted = self._converter(text)
        return replace(converted, remarks=(*converted.remarks, remark)) if remark else converted

    @property
    def _converter(self) -> Callable[[Any], Converted]:
        module, _, function = self.converter.partition(":")
        found: Callable[[Any], Converted] = getattr(import_module(f"veritas.reading.formats.{module}"), function)
        return found
