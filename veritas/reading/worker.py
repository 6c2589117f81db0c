"""The process that converts external files: `python -m veritas.reading.worker`, jobs in, conversions out.

A job is one line of JSON `{"kind", "size"}` on standard input and the bytes after it; the answer is one line of JSON,
`{"converted": …}` or `{"problem": …, "passing": …}`, which says whether the problem is temporary. A file that crashes a
parser, or never lets it end, affects only this process.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO

from veritas.errors import CorpusError

MAX_MEMORY = 3 * 1024**3
"""Limit in bytes of the address space of a conversion."""


def serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Answer jobs until there are no more."""
    while line := jobs.readline():
        job = json.loads(line)
        answers.write(json.dumps(_answer(jobs.read(job["size"]), job["kind"])).encode("ascii") + b"\n")
        answers.flush()


def _answer(data: bytes, kind: Any) -> dict[str, Any]:
    from veritas.reading._cache import to_json
    from veritas.reading.formats import convert

    try:
        return {"converted": to_json(convert(data, kind))}
    except CorpusError as error:
        return {"problem": str(error), "passing": False}
    except MemoryError:
        return {"problem": f"takes more than {MAX_MEMORY >> 30} GB of memory to read", "passing": True}


def main() -> None:
    """Serve jobs on standard input and output, with a limit on memory; output that a library prints is discarded."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        import resource
    except ImportError:  # not a POSIX system
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
