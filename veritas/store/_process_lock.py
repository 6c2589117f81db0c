"""A file lock that ends with its process, between processes and between threads of one process.

The operating system holds it (`flock`), so a killed process leaves no lock behind, and a reused process number is not
mistaken for the owner. On Windows, which has no `flock`, a byte far behind the end of the file is locked instead; the
tests do not run there.
"""

from __future__ import annotations

import os
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Self
from weakref import WeakSet

_held: WeakSet[ProcessLock] = WeakSet()


class ProcessLock:
    """The lock on the file at `path`, which is created if necessary and stays when the lock ends."""

    def __init__(self, path: Path, file: int) -> None:
        self.path = path
        self.file: int | None = file
        """The open file, for appending to it; None once the lock has ended."""
        _held.add(self)

    @classmethod
    def take(cls, path: Path, patience: float = 0.0) -> Self | None:
        """Return the lock, or None if another holder keeps it for longer than `patience` seconds. Raises OSError if the
        file cannot be created or its file system has no locks."""
        until = time.monotonic() + patience
        while True:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                got = _lock(file, shared=False)
            except BaseException:
                os.close(file)
                raise
            if got and _same(file, path):
                return cls(path, file)
            os.close(file)
            # A file that was removed meanwhile is opened again at once.
            if not got:
                if time.monotonic() >= until:
                    return None
                time.sleep(random.uniform(0.005, 0.02))

    def release(self) -> None:
        """End the lock. Ending it twice does nothing."""
        file, self.file = self.file, None
        _held.discard(self)
        if file is not None:
            # A child that was forked meanwhile has the file too, and would keep the lock.
            with suppress(OSError):
                _unlock(file)
            os.close(file)

    def hand_over(self) -> None:
        """Leave the lock to a child process that inherited the file; it ends with the child."""
        file, self.file = self.file, None
        _held.discard(self)
        if file is not None:
            os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(path: Path) -> bool:
    """Return whether any process, this one included, holds the lock on the file at `path`."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        # The lock is shared, so that two callers at once do not take each other for the holder.
        return not _lock(file, shared=True)
    except OSError:
        return False
    finally:
        os.close(file)


def _same(file: int, path: Path) -> bool:
    """Return whether the open file is still the one at `path`."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40

    def _lock(file: int, *, shared: bool) -> bool:
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        if shared:
            _unlock(file)
        return True

    def _unlock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)

    def _close_in_child() -> None:
        """Close the parent's locks: a forked child that outlives its parent must not keep them."""
        for lock in list(_held):
            file, lock.file = lock.file, None
            if file is not None:
                with suppress(OSError):
                    os.close(file)
        _held.clear()

    os.register_at_fork(after_in_child=_close_in_child)
