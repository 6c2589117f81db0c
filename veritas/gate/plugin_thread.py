"""Plug-ins asked in a thread with its own event loop, so that a blocking one delays nothing else.

A thread cannot be ended from outside. One that does not return in time is abandoned, and the waiting questions go to a
new one; while two threads of a plug-in are abandoned, it is not asked. If two answers in a row are late without
blocking, the plug-in is asked one question at a time until it answers again.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

from veritas.errors import Unavailable, VeritasError
from veritas.plugins import said
from veritas.sinks import printing_aside

T = TypeVar("T")
GONE = 2
"""Threads that one plug-in may block beyond its time before it is asked no more."""
PING = 1.0
"""Seconds within which an event loop that is not blocked turns once."""


class _Blocked(VeritasError):
    """The thread is blocked; the question was not asked."""


class _Room:
    """A thread with its event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._waiting: set[Future[None]] = set()
        self._asked: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self.blocked = self._ended = False
        self.heard: set[Future[Any]] = set()
        """Answers that began and are waited for; their waiters find out whether the thread is blocked."""
        self._thread = threading.Thread(target=self._run, name="veritas plug-in", daemon=True)
        self._thread.start()

    @property
    def gone(self) -> bool:
        """True if it was abandoned and its thread still runs."""
        return self.blocked and not self._ended

    def _run(self) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        try:
            with suppress(BaseException):  # a task that the plug-in began may raise SystemExit through it
                loop.run_forever()
            self._give_up()
            left = asyncio.all_tasks(loop)
            for task in left:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()
            self._ended = True
            for done in list(self._asked):
                _settle(done, Unavailable("the plug-in ended the event loop in which it was asked"))

    def ask(self, ask: Callable[[], Awaitable[T]], who: str) -> tuple[Future[None], Future[T], Callable[[], None]]:
        """Return futures for the beginning and for the answer, and a function that cancels the question. The first
        holds `_Blocked` if it never began."""
        begun, done = Future[None](), Future[T]()
        with printing_aside():
            context = copy_context()
        tasks: list[asyncio.Task[None]] = []

        async def run() -> None:
            with self._lock:
                if begun not in self._waiting:
                    return
                self._waiting.discard(begun)
                if not begun.set_running_or_notify_cancel():
                    return
            begun.set_result(None)
            try:
                answer = await ask()
            except asyncio.CancelledError as problem:
                why = f"{who} failed: {type(problem).__name__}: it was cancelled, not by its asker"
                _settle(done, Unavailable(why))
            except StopIteration as problem:  # no future takes it
                _settle(done, Unavailable(f"{who} failed: StopIteration: {problem}"))
            except (Exception, KeyboardInterrupt) as problem:  # noqa: BLE001 (whoever waits decides, in its own thread)
                _settle(done, problem)
            except BaseException as problem:  # noqa: BLE001 (sys.exit(), a panic of Rust: it ends nothing but itself)
                _settle(done, Unavailable(f"{who} failed: {said(problem)}"))
            else:
                _settle(done, None, answer)

        with self._lock:
            if self.blocked:
                begun.set_exception(_Blocked())
                return begun, done, lambda: None
            self._waiting.add(begun)
            self._asked.add(done)
        done.add_done_callback(self._asked.discard)

        def never(_: asyncio.Task[None]) -> None:
            """Settle both futures if another task of the plug-in cancelled this one before its first step."""
            with self._lock:
                self._waiting.discard(begun)
            _settle(begun, None)
            _settle(done, Unavailable(f"{who} failed: CancelledError: it was cancelled, not by its asker"))

        def start() -> None:
            tasks.append(self._loop.create_task(run(), context=context))
            tasks[0].add_done_callback(never)

        def cancel() -> None:
            self._soon(lambda: [task.cancel() for task in tasks])

        self._soon(start)
        return begun, done, cancel

    async def turns(self, seconds: float) -> bool:
        """Return whether the event loop responds within so many seconds."""
        pong: Future[None] = Future()
        self._soon(lambda: _settle(pong, None))
        try:
            await asyncio.wait_for(asyncio.wrap_future(pong), seconds)
        except TimeoutError:
            return False
        return True

    def leave(self) -> None:
        """Abandon the thread, and tell the waiting questions."""
        self._give_up()
        self.close()

    def _give_up(self) -> None:
        with self._lock:
            self.blocked = True
            waiting, self._waiting = list(self._waiting), set()
            for begun in waiting:
                if begun.set_running_or_notify_cancel():
                    begun.set_exception(_Blocked())

    def close(self) -> None:
        """End the thread, once its loop responds."""
        self._soon(self._loop.stop)

    def _soon(self, do: Callable[[], Any]) -> None:
        with suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(do)


class Apart:
    """Asks all plug-ins of one class, in one thread, so that their state for an event loop stays usable."""

    def __init__(self) -> None:
        self._rooms: list[_Room] = []
        self._lock = threading.Lock()
        self._late = self._under_way = 0
        """Answers in a row that did not come in time, and questions that are under way."""

    async def ask(self, ask: Callable[[], Awaitable[T]], who: str, seconds: float | None) -> T:
        """Return the answer; `seconds` is its time limit from its beginning (None: no limit).

        Raises what the plug-in raises, `TimeoutError` if it takes longer, and `Unavailable` if it cancelled itself or
        is not asked any more.
        """
        with self._lock:
            if self._late >= GONE and self._under_way:
                raise Unavailable(f"{who} is not asked: {self._late} of its answers in a row have not come in time")
            self._under_way += 1
        try:
            answer = await self._asked(ask, who, seconds)
        except TimeoutError:
            self._late += 1
            raise
        finally:
            self._under_way -= 1
        self._late = 0
        return answer

    async def _asked(self, ask: Callable[[], Awaitable[T]], who: str, seconds: float | None) -> T:
        while True:
            room = self._room(who)
            begun, done, cancel = room.ask(ask, who)
            try:
                await _turn(room, begun)
            except _Blocked:
                continue
            room.heard.add(done)
            try:
                async with asyncio.timeout(seconds):
                    return await asyncio.wrap_future(done)
            except BaseException as problem:
                cancel()
                if isinstance(problem, TimeoutError) and not await room.turns(min(PING, seconds or PING)):
                    room.leave()
                raise
            finally:
                room.heard.discard(done)

    def _room(self, who: str) -> _Room:
        with self._lock:
            self._rooms = [room for room in self._rooms if room.gone or not room.blocked]
            if sum(room.gone for room in self._rooms) >= GONE:
                raise Unavailable(f"{who} is asked no more: {GONE} of its judgments have not come back")
            if not self._rooms or self._rooms[-1].blocked:
                self._rooms.append(_Room())
                weakref.finalize(self, self._rooms[-1].close)
            return self._rooms[-1]


async def _turn(room: _Room, begun: Future[None]) -> None:
    """Wait until the question has begun. Abandon a thread that is blocked without an active question, for example by
    remains of a judgment."""
    turn = asyncio.wrap_future(begun)
    try:
        while not (await asyncio.wait({turn}, timeout=PING))[0]:
            if not room.heard and not await room.turns(PING) and not room.heard:
                room.leave()
    finally:
        turn.cancel()
    await turn


_apart: weakref.WeakKeyDictionary[type, Apart] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def apart(plugin: object) -> Apart | None:
    """Return the asker of a plug-in; None for a built-in one, which does not block and is asked in this thread."""
    kind = type(plugin)
    if kind.__module__.partition(".")[0] == "veritas":
        return None
    with _lock:
        return _apart.setdefault(kind, Apart())


def _settle(future: Future[Any], problem: BaseException | None, answer: object = None) -> None:
    with suppress(InvalidStateError):  # nobody waits any more
        if problem is None:
            future.set_result(answer)
        else:
            future.set_exception(problem)
