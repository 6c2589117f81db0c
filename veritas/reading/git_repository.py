"""A Git repository as a corpus, named by its URL: the documentation at one commit, fetched once by the program `git`.

Nothing of a repository is executed: `git archive` packs it from a bare clone without history, so there are no hooks,
submodules, filters (such as LFS) or working tree, and it is unpacked like any zip.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from veritas.errors import CorpusError, Unavailable
from veritas.keys import withheld
from veritas.reading._archive import tidy
from veritas.text.visible import one_line

MAX_SECONDS = 300.0
"""Limit in seconds of one call of git."""
MAX_BYTES = 1024**3
"""Limit in bytes of a clone."""
_URL = re.compile(r"(git\+)?([A-Za-z][A-Za-z0-9+.-]*):/+(.*)", re.DOTALL)
_REF = re.compile(r"[A-Za-z0-9][\w./+-]{0,200}")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_DOCUMENTATION = frozenset(("doc", "docs", "documentation", "guide", "guides", "man", "manual", "manuals", "wiki"))
_KEPT = ("PATH", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
         "GIT_SSL_CAINFO", "SYSTEMROOT")  # fmt: skip
"""Variables of the environment that git is given; no other one, so that none carries a key."""
_SETTINGS = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.askPass=", "credential.helper=", "gc.auto=0",
    "maintenance.auto=false", "submodule.recurse=false", "protocol.allow=never", "transfer.fsckObjects=true",
    "http.lowSpeedLimit=1000", "http.lowSpeedTime=30", "http.followRedirects=initial",
)  # fmt: skip
_PLAIN = "* -export-ignore -export-subst -text -eol -ident -filter -working-tree-encoding\n"


@dataclass(frozen=True)
class Repository:
    """A repository: its URL, the branch or tag (`""` for the default one), and the folder of it that is meant (`None`
    for its documentation)."""

    url: str
    ref: str = ""
    folder: str | None = None

    @property
    def name(self) -> str:
        """The corpus name for this repository."""
        ref = f"@{self.ref}" if self.ref else ""
        return f"git+{self.url}{ref}" + (f"#subdirectory={self.folder}" if self.folder is not None else "")

    @property
    def short(self) -> str:
        """The name of its documents in URLs."""
        return PurePosixPath(self.url).name.removesuffix(".git") or "repository"


def git_named(corpus: Path | str) -> Repository | None:
    """Return the repository that a corpus name means: `git+https://HOST/PATH`, or `https://HOST/PATH.git`, with `@REF`
    and `#subdirectory=FOLDER` at the end; None for a path.

    A `file:` URL names one on this machine. Raises `CorpusError` for any other URL, one with a password, and an invalid
    reference or folder.
    """
    match = _URL.fullmatch(str(corpus))
    if match is None or os.path.lexists(corpus) or len(match[2]) == 1:  # one letter is a drive
        return None
    scheme, (place, _, fragment) = match[2].lower(), match[3].partition("#")
    place = place.rstrip("/")
    at = place.rfind("@")
    ref = ""
    if at > place.find("/") >= 0:  # before the first slash it parts a user from the host
        place, ref = place[:at], place[at + 1 :]
    shown = one_line(withheld(str(corpus)))[:200]
    if not match[1] and not place.endswith(".git"):
        raise CorpusError(
            f"{shown} is no path: a corpus is a folder, a file, package:NAME, or a Git repository, "
            "git+https://HOST/PATH"
        )
    if scheme not in ("https", "file"):
        raise CorpusError(f"{shown} cannot be read: of Git repositories, those at https: and file: are")
    if scheme == "https" and "@" in place.split("/")[0]:
        raise CorpusError("a repository is named without user and password: only public ones are read")
    if not place or any(sign.isspace() or not sign.isprintable() for sign in place):
        raise CorpusError(f"{shown} names no repository")
    if ref and (not _REF.fullmatch(ref) or ".." in ref):
        raise CorpusError(f"{shown}: {ref[:80]!r} is no name of a branch or a tag")
    return Repository(f"https://{place}" if scheme == "https" else f"file:///{place}", ref, _folder(fragment, shown))


def _folder(fragment: str, shown: str) -> str | None:
    if not fragment:
        return None
    key, _, folder = fragment.partition("=")
    path = PurePosixPath(folder)
    if key != "subdirectory" or path.is_absolute() or ".." in path.parts or not folder or ":" in folder:
        raise CorpusError(f"{shown}: only subdirectory=FOLDER may follow #")
    return str(path)


def packed(repository: Repository, cache: Path) -> Path:
    """Return a zip of the repository at its present commit, from the cache below `cache` if possible.

    Raises `Unavailable` without git, without an answer, or after a timeout; `CorpusError` for a missing branch, tag or
    folder, and for a repository that is too large.
    """
    git = shutil.which("git")
    if git is None:
        raise Unavailable(f"{repository.name} cannot be fetched: the program git is not installed")
    told = f"{repository.url}\0{repository.folder or ''}"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", suffix=".part", dir=cache, ignore_cleanup_errors=True) as work:
            call = _Git(git, repository, Path(work).absolute())
            commit = call.commit()
            target = cache / f"{hashlib.sha256(told.encode()).hexdigest()[:32]}-{commit}.zip"
            if target.exists():
                with suppress(OSError):
                    os.utime(target)
            else:
                tidy(cache)
                os.replace(call.packed(commit), target)
    except OSError as error:
        raise Unavailable(f"{repository.name} cannot be fetched: {error.strerror or error}") from error
    return target


def documentation(names: Sequence[str]) -> frozenset[str] | None:
    """Return the documentation files of a repository: files at its top, and those in folders with a documentation name.
    None if there is no such folder."""
    inside = [name for name in names if _DOCUMENTATION.intersection(part.lower() for part in name.split("/")[:-1])]
    return frozenset((*inside, *(name for name in names if "/" not in name))) if inside else None


class _GitFailed(Unavailable):
    """git ended with an error."""


class _Git:
    """Calls of git for one repository, in a folder of their own."""

    def __init__(self, git: str, repository: Repository, work: Path) -> None:
        self._git, self._repository, self._work = git, repository, work
        self._ends = time.monotonic() + MAX_SECONDS

    def commit(self) -> str:
        """Return the hash of the commit that the repository stands at."""
        ref = self._repository.ref
        wanted = [f"refs/heads/{ref}", f"refs/tags/{ref}", f"refs/tags/{ref}^{{}}"] if ref else ["HEAD"]
        said = self._run("ls-remote", "--", self._repository.url, *wanted)
        found = [line.split("\t") for line in said.splitlines() if "\t" in line]
        if not found:
            what = f"no branch or tag {ref}" if ref else "no commit"
            raise CorpusError(f"{self._repository.url} has {what}")
        commit = found[-1][0]
        if not _COMMIT.fullmatch(commit):
            raise Unavailable(f"{self._repository.name} gave an answer that git does not document")
        return commit

    def packed(self, commit: str) -> Path:
        """Clone the repository without its history, and return a zip of it. Raises as `packed` does."""
        bare, target = self._work / "bare", self._work / "tree.zip"
        branch = ["--branch", self._repository.ref] if self._repository.ref else []
        self._run(
            "clone", "--quiet", "--bare", "--depth=1", "--single-branch", "--no-tags", "--no-local",
            "--no-recurse-submodules", "--template=", *branch, "--", self._repository.url, str(bare),
        )  # fmt: skip
        (bare / "info").mkdir(exist_ok=True)
        (bare / "info" / "attributes").write_text(_PLAIN)
        folder = self._repository.folder
        tree = f"HEAD:{folder}" if folder not in (None, ".") else "HEAD"
        try:
            self._run(f"--git-dir={bare}", "archive", "--format=zip", "-1", f"--output={target}", tree)
        except _GitFailed as error:
            if folder is None:
                raise
            raise CorpusError(f"{self._repository.url} has no folder {folder}") from error
        return target

    def _run(self, *arguments: str) -> str:
        """Return what git prints. Raises `Unavailable`, with its message, if it fails or takes too long."""
        self._check_time()
        scheme = self._repository.url.partition(":")[0]
        settings = [part for each in (*_SETTINGS, f"protocol.{scheme}.allow=always") for part in ("-c", each)]
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {
            "HOME": str(self._work), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C",
            "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_PROTOCOL_FROM_USER": "0", "GIT_NO_LAZY_FETCH": "1",
        }  # fmt: skip
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [self._git, *settings, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=said, cwd=self._work,
                env=environment, start_new_session=True,
            )  # fmt: skip
            try:
                self._wait(process)
            finally:
                if process.poll() is None:
                    _kill(process)
            out.seek(0)
            said.seek(0)
            if process.returncode:
                told = said.read(10_000).decode("utf-8", "replace").strip().split("\n")[-1]
                reason = one_line(withheld(told)).removeprefix("fatal: ")[:300]
                raise _GitFailed(f"{self._repository.name} cannot be fetched: {reason or 'git failed'}")
            return out.read(1_000_000).decode("utf-8", "replace")

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for git, and look at what it writes meanwhile."""
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.25)
                return
            self._check_time()
            if _size(self._work) > MAX_BYTES:
                raise CorpusError(f"{self._repository.url} has more than {MAX_BYTES >> 20} MB: name a folder of a copy")

    def _check_time(self) -> None:
        if time.monotonic() > self._ends:
            raise Unavailable(f"{self._repository.name} takes longer than {MAX_SECONDS:g} s to fetch")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End git with the programs that it started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _size(folder: Path) -> int:
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(here, name)).st_size
    return total
