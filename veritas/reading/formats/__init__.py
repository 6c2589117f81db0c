"""Converters of file formats to text: a module for each format, registered by file extension.

A name in the entry-point group `veritas.reader` is the extension of the files that the plug-in reads, without its dot.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath

from veritas import plugins
from veritas.errors import CorpusError, PluginError, VeritasError
from veritas.reading.formats._format import BuiltInFormat, Format
from veritas.reading.formats.converted import Converted, without, without_keys, without_tags
from veritas.text.structure import is_sound

Kind = str
"""Name of a format: a built-in one's own (`html` for `.htm`), else the ending that it is registered for."""

FORMATS_VERSION = 15
"""Version of the converters, raised when one makes other text of a file; cached conversions are then remade."""

QUICK_BYTES = 256 * 1024
"""Limit in bytes of a file converted in this process, if its kind is quick; others go to the pool."""

SEAM = "reader"
_SOFT_HYPHEN = re.compile("\u00ad")


@cache
def suffixes() -> tuple[str, ...]:
    """Return the extensions of the readable files, with their dots: the built-in ones, then other packages'."""
    known = plugins.installed(SEAM)
    return tuple(f".{name}" for name in sorted(known, key=lambda name: not plugins.is_built_in(SEAM, name)))


def kind_of(path: PurePath) -> Kind | None:
    """Return the format from a file's name; None if it is not readable. Imports no plug-in."""
    name = path.name.lower()
    endings = (".".join(name.split(".")[-2:]), name.rpartition(".")[2]) if "." in name[1:] else ()
    ending = next((each for each in endings if each in plugins.installed(SEAM)), None)  # `.1.gz` before `.gz`
    if ending is None:
        return None
    return _built_in(ending).kind if plugins.is_built_in(SEAM, ending) else ending


def media_type_of(kind: Kind) -> str:
    """Return the media type of a format; `application/octet-stream` if its plug-in cannot be loaded."""
    try:
        return _format(kind).media_type
    except PluginError:
        return "application/octet-stream"


def is_quick(kind: Kind) -> bool:
    """Return whether small files of the format are converted in this process; others get a process of their own."""
    return plugins.is_built_in(SEAM, kind) and _built_in(kind).quick


def longest(kind: Kind) -> float:
    """The time limit in seconds for converting one file of the format, from `providers.yaml`."""
    from veritas.policy.search_providers import load_providers

    limits = load_providers().reading
    return limits.convert_seconds if plugins.is_built_in(SEAM, kind) else limits.plugin_seconds


def reader_of(kind: Kind) -> str:
    """The reader of the format, in words that name a plug-in and its package."""
    return f"the reader of {kind} files" if plugins.is_built_in(SEAM, kind) else plugins.named(SEAM, kind)


def version_of(kind: Kind) -> int | str:
    """Return the converter's version, which a cached conversion must have."""
    return FORMATS_VERSION if plugins.is_built_in(SEAM, kind) else f"{FORMATS_VERSION} {plugins.release(SEAM, kind)}"


def convert(data: bytes, kind: Kind) -> Converted:
    """Convert a file. Raises `CorpusError` with the problem as the end of a sentence that begins with the file's name;
    a failing plug-in is named too."""
    try:
        converted = _convert(data, kind)
        if "\u00ad" in converted.text and not converted.page_starts:
            # A soft hyphen marks where a word may be broken; it is no part of the word.
            converted = without(converted, _SOFT_HYPHEN)
        return without_keys(without_tags(converted))
    except RecursionError as error:
        raise CorpusError("is nested too deeply to be read") from error


def _convert(data: bytes, kind: Kind) -> Converted:
    if plugins.is_built_in(SEAM, kind):
        return _built_in(kind).convert(data)
    try:
        converted = _format(kind).convert(data)
        if not isinstance(converted, Converted) or not isinstance(converted.text, str):
            raise TypeError(f"it gave {type(converted).__name__}, which is no Converted with a text")
        if not is_sound(converted.blocks, len(converted.text)):
            raise ValueError("its blocks are not parts of its text, in order")
    except PluginError as error:
        raise CorpusError(f"cannot be read: {error}") from error
    except (VeritasError, KeyboardInterrupt, RecursionError):
        raise
    except BaseException as error:  # a stranger's code
        raise CorpusError(f"cannot be read: {plugins.failed(SEAM, kind, error)}") from error
    return converted


@cache
def _format(kind: Kind) -> Format:
    return plugins.make(SEAM, kind, Format)


@cache
def _built_in(ending: str) -> BuiltInFormat:
    return plugins.make(SEAM, ending, BuiltInFormat)


__all__ = [
    "FORMATS_VERSION", "QUICK_BYTES", "SEAM", "Converted", "Format", "Kind", "convert", "is_quick", "kind_of",
    "longest", "media_type_of", "reader_of", "suffixes", "version_of",
]  # fmt: skip
