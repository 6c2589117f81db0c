"""Python processes of the tests that begin as forks of one that has loaded the program.

Each is a process like any other, with arguments, environment, working directory, streams and exit code of its own; it
only does not import a thousand modules again, which takes longer than what most of the tests do. Tests of how the
program itself starts (what it imports, how the wheel installs) start Python as usual.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
USED = (
    "duckdb", "httpx", "numpy", "veritas.citations.bibliography.entry_verdict", "veritas.cli.progress",
    "veritas.council.embedded", "veritas.use_cases.plugin_listing", "veritas.use_cases.reports",
    "veritas.use_cases.runs",
)  # fmt: skip
"""What most commands import when they run, beyond the modules of the commands."""

_SHIM = """#!{python} -SIE
import json, os, signal, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    asked = dict(arguments=[*{first!r}, *sys.argv[1:]], env=dict(os.environ), cwd=os.getcwd())
    socket.send_fds(line, [b"x"], [0, 1, 2])
    line.sendall(json.dumps(asked).encode() + b"\\n")
    said = line.makefile().read().split()
code = int(said[-1])
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if -code not in (9, 19) else None
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


def run(
    arguments: Sequence[object],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    given: str = "",
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """What `python ARGUMENTS…` prints and how it ends: `-m MODULE …`, `-c CODE …` or `FILE …`, and `given` to read."""
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        read.write(given.encode())
        read.seek(0)
        words = [str(each) for each in arguments]
        code = _ended(words, dict(os.environ if env is None else env), cwd or Path.cwd(), (read, out, err), timeout)
        out.seek(0)
        err.seek(0)
        said = [stream.read().decode("utf-8", "replace") for stream in (out, err)]
    return subprocess.CompletedProcess(words, code, *said)


def commands() -> Path:
    """A folder for the search path, in which `veritas` is such a process."""
    return _started()[1]


def _ended(
    words: list[str], env: dict[str, str], cwd: Path, streams: tuple[IO[bytes], ...], timeout: float
) -> int:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(_started()[0])
        line.settimeout(timeout)
        socket.send_fds(line, [b"x"], [each.fileno() for each in streams])
        line.sendall(json.dumps({"arguments": words, "env": env, "cwd": str(cwd)}).encode() + b"\n")
        said = line.makefile()
        pid = int(said.readline())
        try:
            return int(said.readline())
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(words, timeout) from None


@cache
def _started() -> tuple[str, Path]:
    """The address of the process to fork, which this process starts once, and a folder of commands that use it."""
    folder = Path(tempfile.mkdtemp(prefix="preloaded-"))
    address = str(folder / "line")
    (folder / "bin").mkdir()
    shim = folder / "bin" / "veritas"
    shim.write_text(_SHIM.format(python=sys.executable, address=address, first=["-m", "veritas"]), encoding="utf-8")
    shim.chmod(0o755)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("VERITAS_", "PYTHONPATH"))}
    plain |= {"OPENBLAS_NUM_THREADS": "1"}  # a process that is to be forked has one thread
    process = subprocess.Popen(
        [sys.executable, "-c", f"from tests.preloaded import _serve; _serve({address!r})"],
        cwd=ROOT, env=plain, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip

    def end() -> None:
        process.communicate()  # it ends when its stdin does
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return address, folder / "bin"


def _load() -> None:
    """Load what does not depend on environment, home or plug-ins: modules, and the templates of reports."""
    from veritas.cli.app import COMMANDS
    from veritas.report import page_parts

    for module in (*USED, *(module for module, _ in COMMANDS.values())):
        importlib.import_module(module)
    templates = ROOT / "veritas" / "report" / "templates"
    for each in templates.rglob("*.html"):
        page_parts.environment().get_template(str(each.relative_to(templates)))


def _serve(address: str) -> None:
    """Fork a process for each that asks, until stdin ends. Returns in the forks alone, which end as they were asked."""
    _load()
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        os.write(1, b"ready\n")
        while listener in (ready := select.select([listener, 0], [], [])[0]) or not ready:
            line, _ = listener.accept()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if os.fork() == 0:
                listener.close()
                asked = _asked(line)
                child = os.fork()
                if child:
                    _report(line, child)
                line.close()
                break
            line.close()
        else:
            return
    _become(asked)


def _asked(line: socket.socket) -> dict[str, Any]:
    """What is asked for, with the streams of it in place of our own."""
    _, streams, _, _ = socket.recv_fds(line, 1, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    with line.makefile() as said:
        return dict(json.loads(said.readline()))


def _report(line: socket.socket, child: int) -> None:
    """Tell the process id and, at its end, its exit code."""
    with contextlib.suppress(BrokenPipeError):
        line.sendall(f"{child}\n".encode())
        line.sendall(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n".encode())
    os._exit(0)


def _become(asked: dict[str, Any]) -> None:
    """Do as `python ARGUMENTS…` would in this environment and folder."""
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    first, *words = asked["arguments"]
    added = [each for each in asked["env"].get("PYTHONPATH", "").split(os.pathsep) if each]
    here = str(Path(first).parent) if not first.startswith("-") else asked["cwd"] if first == "-m" else ""
    sys.path[:1] = [here, *added]
    importlib.invalidate_caches()
    if first == "-c":
        sys.argv = ["-c", *words[1:]]
        exec(compile(words[0], "<string>", "exec"), vars(sys.modules["__main__"]))
    elif first == "-m":
        sys.argv = words
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *words]
        runpy.run_path(first, run_name="__main__")
