"""What holds for every test: no network outside loopback, no keys, no store but the test's own."""

from __future__ import annotations

import gc
import ipaddress
import itertools
import os
import re
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# On a busy machine an example may take long and still be right. HYPOTHESIS_PROFILE=thorough takes many examples.
settings.register_profile("unhurried", deadline=None, max_examples=40)
settings.register_profile("ci", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "unhurried"))

# Before anything imports Prefect or LiteLLM: neither may report or fetch.
os.environ.update(
    {
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
)
for name in list(os.environ):
    if name.endswith(("_API_KEY", "_API_TOKEN", "_API_BASE")) or name.startswith(("VERITAS_", "PREFECT_API_URL")):
        del os.environ[name]
# Every HTTP client reads the certificates it trusts, and a bundle of 150 takes 30 ms. No test talks to anybody outside.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "loopback_web" / "nobody.pem")


def _is_loopback(host: Any) -> bool:
    if host is None or host in ("", "localhost", b"localhost"):
        return True
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _no_network(event: str, args: tuple[Any, ...]) -> None:
    """Audit hook: an attempt to leave this machine is an error, from whatever library it comes."""
    if event == "socket.connect":
        address = args[1]
        if isinstance(address, tuple) and not _is_loopback(address[0]):
            raise RuntimeError(f"a test tried to reach {address[0]}:{address[1]}")
    elif event == "socket.getaddrinfo" and not _is_loopback(args[0]):
        raise RuntimeError(f"a test tried to look up {args[0]!r}")


sys.addaudithook(_no_network)


_FOLDERS = itertools.count(1)


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """As pytest's own, but numbered through: pytest lists the thousands of folders there are to number the next."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{name}_{next(_FOLDERS)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`VERITAS_HOME` in a folder of the test's own."""
    home = tmp_path / "veritas-home"
    monkeypatch.setenv("VERITAS_HOME", str(home))
    return home


SLOW = (
    "browser", "doors", "flows", "faults",
    "answers/test_overrides.py", "cli/test_cli_endings.py", "cli/test_cli_outage.py", "cli/test_cli_serve.py",
    "cli/test_cli_up.py",
    "council/test_failover.py", "council/test_hanging_servers.py", "council/test_model_runs.py",
    "council/test_models_elsewhere.py", "council/test_odd_answers.py", "council/test_ready_councils.py",
    "editor/test_light.py", "editor/test_stdio.py",
    "engine/test_budget_runs.py", "papers/test_paper_audits.py", "reviews/test_reviews_budget.py",
    "reviews/test_reviews_corpus.py", "reviews/test_reviews_one_family.py", "reviews/test_reviews_stages.py",
    "reviews/test_reviews_writing.py", "reviews/test_reviews_zotero.py",
    "server/mcp/test_mcp_background.py", "server/mcp/test_mcp_stdio.py",
    "store/test_store_faults.py", "store/test_store_queue.py", "use_cases/test_background.py",
    "use_cases/test_new_plugin.py",
    "test_docs.py", "test_examples.py", "test_mutants.py", "test_plugins.py", "test_wheel.py",
)  # fmt: skip
"""Folders and files whose tests start servers, browsers or many processes, or carry out many whole runs: `make test`
leaves them out, `make test-slow` has them."""


TOGETHER = ("tests/doors/", "tests/flows/")
"""Folders whose files one worker takes, for they share what is long in making: a Prefect server, a filled store."""
OWN_SERVER = "tests/flows/test_deployments.py"


def _scope(nodeid: str) -> str:
    """What one worker carries out: a file, or a folder of `TOGETHER`."""
    file = nodeid.split("::", 1)[0]
    return next((folder for folder in TOGETHER if file.startswith(folder) and file != OWN_SERVER), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The scheduler of `--dist loadfile`, with `_scope` in place of the file alone."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByScope(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _scope(nodeid)

        def _assign_work_unit(self, node: Any) -> None:
            """Every second worker begins at the other end: beside tests that wait for servers and browsers there are
            always some that do not, and no processor is idle."""
            if self.nodes.index(node) % 2:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            super()._assign_work_unit(node)

    return ByScope(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Leave garbage alone: a million objects are made here and stay, and were looked through again and again. The tests
    make more of it than Python's thresholds are for."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.set_threshold(50_000, 20, 20)
        gc.enable()
        gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()  # so that the interpreter's end finds it, and libraries do not report it as leaked


LONG = ("tests/flows/", "tests/cli/test_cli_up.py", "tests/test_wheel.py", "tests/browser", "tests/doors/")
"""What takes longest, and waits for others most of the time."""


def _is_slow(file: Path) -> bool:
    place = file.relative_to(Path(__file__).parent)
    return not {str(place), place.parts[0]}.isdisjoint(SLOW)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which `-m slow` or `-m 'not slow'` leaves out every test: every worker would."""
    if config.option.markexpr not in ("slow", "not slow") or not collection_path.match("test_*.py"):
        return None
    if _is_slow(collection_path):
        return True if config.option.markexpr == "not slow" else None
    if config.option.markexpr == "slow" and "mark.slow" not in collection_path.read_text(encoding="utf-8"):
        return True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of `SLOW`, and put them first: a long file that begins last keeps one worker busy alone."""
    for item in items:
        if _is_slow(item.path):
            item.add_marker(pytest.mark.slow)
    items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[bool, int]:
    """What is sorted by: the long ones first, one after the other, then the rest of the slow ones."""
    scope = _scope(item.nodeid)
    long = next((number for number, begin in enumerate(LONG) if scope.startswith(begin)), len(LONG))
    return item.get_closest_marker("slow") is None, long
