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
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
USED = (
    "duckdb", "httpcore", "httpx", "lxml.html", "markdown_it", "numpy", "publicsuffixlist",
    "veritas.citations.bibliography.entry_verdict", "veritas.cli.run_commands", "veritas.council.embedded",
    "veritas.factcheck.checking", "veritas.papers.audit_runs", "veritas.reading.formats.built_in",
    "veritas.use_cases.corpora", "veritas.use_cases.papers", "veritas.use_cases.plugin_listing",
    "veritas.use_cases.reports", "veritas.use_cases.reviews", "veritas.use_cases.runs",
)  # fmt: skip
"""What most commands import when they run, beyond the modules of the commands."""

_SHIM = """#!{python} -SIE
import json, os, signal, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    asked = dict(arguments=[*{first!r}, *sys.argv[1:]], env=dict(os.environ), cwd=os.getcwd(), also=[])
    socket.send_fds(line, [b"x"], [0, 1, 2])
    line.sendall(json.dumps(asked).encode() + b"\\n")
    said = line.makefile().read().split()
code = int(said[-1])
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if -code not in (9, 19) else None
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


class Child:
    """A process that was started: its id, and its exit code when it has ended."""

    def __init__(
        self, arguments: Sequence[object], env: Mapping[str, str], cwd: Path, given: str, also: Sequence[str]
    ) -> None:
        self.arguments = [str(each) for each in arguments]
        asked = {"arguments": self.arguments, "env": dict(env), "cwd": str(cwd), "also": list(also)}
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(_started()[0])
        out, err = os.pipe(), os.pipe()
        with tempfile.TemporaryFile() as read:
            read.write(given.encode())
            read.seek(0)
            socket.send_fds(self._line, [b"x"], [read.fileno(), out[1], err[1]])
        os.close(out[1])
        os.close(err[1])
        self._out, self._err = _Reader(out[0]), _Reader(err[0])
        self._line.sendall(json.dumps(asked).encode() + b"\n")
        self._said = self._line.makefile()
        self.pid = int(self._said.readline())

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._said.close()
        self._line.close()

    def kill(self) -> None:
        """End it as `kill -9` does, unless it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def printed(self) -> str:
        """What it has printed on its error stream so far."""
        return self._err.text()

    def ended(self, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        """Wait for its end. One that takes longer is killed, and TimeoutExpired raised."""
        self._line.settimeout(timeout)
        try:
            code = int(self._said.readline())
        except TimeoutError:
            self.kill()
            raise subprocess.TimeoutExpired(self.arguments, timeout) from None
        self._out.join()
        self._err.join()
        return subprocess.CompletedProcess(self.arguments, code, self._out.text(), self._err.text())


class _Reader(threading.Thread):
    """Reads a pipe to its end."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self._pipe, self._parts = pipe, list[bytes]()
        self.start()

    def run(self) -> None:
        with open(self._pipe, "rb", buffering=0) as stream:
            while part := stream.read(65_536):
                self._parts.append(part)

    def text(self) -> str:
        return b"".join(self._parts).decode("utf-8", "replace")


def start(
    arguments: Sequence[object],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    given: str = "",
    also: Sequence[str] = (),
) -> Child:
    """Start `python ARGUMENTS…`: `-m MODULE …`, `-c CODE …` or `FILE …`. `also` names heavy modules to load before."""
    return Child(arguments, os.environ if env is None else env, cwd or Path.cwd(), given, also)


def run(
    arguments: Sequence[object],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    given: str = "",
    also: Sequence[str] = (),
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """What `python ARGUMENTS…` prints and how it ends, as for `start`."""
    with start(arguments, env=env, cwd=cwd, given=given, also=also) as child:
        return child.ended(timeout)


def commands() -> Path:
    """A folder for the search path, in which `veritas` is such a process."""
    return _started()[1]


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
    """Load what does not depend on environment, home or plug-ins: modules, models, lexica, and the templates of
    reports."""
    from veritas.cli.app import COMMANDS
    from veritas.frozen import Frozen
    from veritas.judging.exact import read
    from veritas.policy.source_tiers import load_source_policy
    from veritas.report import html_report

    for module in (*USED, *(module for module, _ in COMMANDS.values())):
        importlib.import_module(module)
    templates = ROOT / "veritas" / "report" / "templates"
    for each in templates.rglob("*.html"):
        html_report.environment().get_template(str(each.relative_to(templates)))
    waiting = [Frozen]
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        if not model.__pydantic_complete__:
            model.model_rebuild()
    read("The new pumps use 14 percent less power.")
    load_source_policy()


def _serve(address: str) -> None:
    """Fork a process for each that asks, until stdin ends. Returns in the forks alone, which end as they were asked."""
    _load()
    gc.collect()
    gc.freeze()  # the forks would look through all of it for garbage, and so copy it
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        os.write(1, b"ready\n")
        while listener.fileno() in select.select([listener.fileno(), 0], [], [])[0]:
            line, _ = listener.accept()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            streams = socket.recv_fds(line, 1, 3)[1]
            with line.makefile() as said:
                asked = json.loads(said.readline())
            for module in asked["also"]:
                importlib.import_module(module)
                gc.freeze()
            if os.fork() == 0:
                listener.close()
                for number, stream in enumerate(streams):
                    os.dup2(stream, number)
                    os.close(stream)
                child = os.fork()
                if child:
                    _report(line, child)
                line.close()
                break
            line.close()
            for stream in streams:
                os.close(stream)
        else:
            gc.unfreeze()
            return
    try:
        _become(asked)
    except SystemExit as ended:
        _end(ended.code)
        raise
    except BaseException:
        gc.unfreeze()
        raise
    _end(0)


def _report(line: socket.socket, child: int) -> None:
    """Tell the process id and, at its end, its exit code."""
    with contextlib.suppress(BrokenPipeError):
        line.sendall(f"{child}\n".encode())
        line.sendall(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n".encode())
    os._exit(0)


def _end(code: object) -> None:
    """End as the interpreter does, but for taking a thousand modules apart. Returns where the interpreter has something
    to tell: an exit that is no number, or output that cannot be written."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if code is None or isinstance(code, int):
        with contextlib.suppress(OSError, ValueError):
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            os._exit((code or 0) & 0xFF)
    gc.unfreeze()  # or libraries would report what is frozen as leaked


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
