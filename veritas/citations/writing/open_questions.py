"""What takes too long to be asked while a key is pressed: verdicts on entries, and what an excerpt says of a claim.

An answer is looked up at once; a question without one is kept until `settle` works it out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from veritas.citations.writing.known_artifacts import KnownArtifact

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry import Entry
    from veritas.citations.bibliography.entry_verdict import Judged
    from veritas.judging import Verdict
    from veritas.registries.all_registries import Registries

T = TypeVar("T")

_MOST = 8_000_000
"""Most signs of the texts of one generation, each with `_MORE` for what is kept of it: more than a text has that is
looked through."""
_MORE = 200


class KeptWork:
    """Results by what they depend on, in two generations: when the younger one is full, the older one is forgotten.

    Whatever was asked for since the last turn is still there, so a text that is smaller than a generation is never
    worked out twice. Several threads may use it: a race only costs that something is worked out again.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most, self._signs = most, 0
        self._young: dict[Hashable, Any] = {}
        self._old: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, of: Hashable, signs: int, work: Callable[[], T]) -> T:
        """Return what `work` returns, or returned when it was asked for with the same key `of`, which holds all that
        the result depends on. `signs` is about how many characters key and result have. The result is shared: nobody
        may change it."""
        found = self._young.get(of, self)
        if found is not self:
            return found  # type: ignore[no-any-return]
        found = self._old.get(of, self)
        if found is self:
            found = work()
        if self._signs + signs + _MORE > self._most:
            self._young, self._old, self._signs = {}, self._young, 0
        self._young[of] = found
        self._signs += signs + _MORE
        return found  # type: ignore[no-any-return]


_AT_ONCE = 200
"""Entries that are judged before it is asked whether to go on: a fraction of a second from the cache."""
_SIGNS = 20_000_000
"""Signs of entries, as `KeptWork` counts them, of which it is kept what is said of them: some 50,000 entries."""
_OPEN_QUESTIONS_MOST = 0.5
"""Least share, 0 to 1, of a claim's weighted words in a sentence whose other exact term denies the claim."""
_SURE = 0.95
"""Least probability of `refutes` with which an excerpt denies a claim: it accuses the writer."""


def subject_of(entry: Entry) -> str:
    """Return what an entry says, as the same text wherever it stands and whatever its key is."""
    return entry.subject


class EntryVerdicts:
    """The verdicts of the bibliography judge, by what an entry says. `profile` names or is the file of what rules on
    them; without one, the editor shows them as they are."""

    def __init__(self, profile: str | Path | None = None) -> None:
        self.profile = profile
        self._known: dict[str, Judged] = {}
        self._open: dict[str, Entry] = {}
        self._left: frozenset[str] = frozenset()
        self.told = KeptWork(_SIGNS)
        """What was said of entries by these verdicts."""

    def get(self, entry: Entry) -> Judged | None:
        """Return the verdict on an entry; None while it is not worked out."""
        subject = subject_of(entry)
        known = self._known.get(subject)
        if known is None and subject not in self._left:
            self._open[subject] = entry
        return known

    @contextmanager
    def leaving(self, subjects: Collection[str]) -> Iterator[None]:
        """Ask for no verdict on these entries meanwhile, by what they say; what is known of them is still returned."""
        self._left = frozenset(subjects)
        try:
            yield
        finally:
            self._left = frozenset()

    def knows(self, entry: Entry) -> bool:
        """Whether there is a verdict on an entry; asks for none."""
        return subject_of(entry) in self._known

    @property
    def waiting(self) -> bool:
        """Whether an entry waits for its verdict."""
        return bool(self._open)

    async def settle(self, registries: Registries, going_on: Callable[[], bool] = lambda: True) -> None:
        """Judge the entries that wait, by what the registries answer, some at a time while `going_on` says so. Never
        raises for an outage."""
        from veritas.citations.bibliography.judging import verify
        from veritas.policy.reference_profile import load_profile

        profile = load_profile(self.profile)
        while self._open and going_on():
            some = {subject: self._open.pop(subject) for subject in list(self._open)[:_AT_ONCE]}
            judged = await verify(list(some.values()), registries, profile=profile)
            for subject, each in zip(some, judged, strict=True):
                self._known[subject] = each
            self.told = KeptWork(_SIGNS)

    def ask_again(self) -> None:
        """Forget the verdicts that were none because an answer was missing."""
        self._known = {subject: judged for subject, judged in self._known.items() if judged.verdict != "unavailable"}
        self.told = KeptWork(_SIGNS)


class ExcerptReadings:
    """Whether an artifact's excerpts deny a claim, by the claim and the artifact's digest."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}
        self._open: dict[tuple[str, str], KnownArtifact] = {}

    def get(self, claim: str, artifact: KnownArtifact) -> str:
        """Return how the excerpts deny a claim; nothing if they do not, if it cannot be told, and if it is not worked
        out yet."""
        asked = claim, artifact.digest
        known = self._known.get(asked)
        if known is None:
            self._open[asked] = artifact
            return ""
        return known

    @property
    def waiting(self) -> bool:
        """Whether a claim waits to be compared."""
        return bool(self._open)

    def settle(self, going_on: Callable[[], bool] = lambda: True) -> None:
        """Compare the claims that wait with their excerpts, one after the other while `going_on` says so."""
        while self._open and going_on():
            asked, artifact = self._open.popitem()
            self._known[asked] = denial(asked[0], [quote for quote, _ in artifact.excerpts])


def denial(claim: str, excerpts: Sequence[str]) -> str:
    """Return how excerpts deny a claim, in a sentence; nothing where one carries it, or where it cannot be told.

    An excerpt denies a claim if the sentence with most of the claim has another exact term in the place of one of it,
    or if the judge is sure that it says otherwise.
    """
    from veritas.judging import Question, judge_all

    verdicts = judge_all([Question(claim, each) for each in excerpts])
    if any(each.label in ("supports", "unavailable") for each in verdicts):
        return ""
    return next(filter(None, (_accusation(claim, each) for each in verdicts)), "")


def _accusation(claim: str, found: Verdict) -> str:
    from veritas.judging.evidence import share

    apart = found.difference
    if apart is not None and apart.first and apart.second and share(claim, found.sentence) >= _OPEN_QUESTIONS_MOST:
        return str(apart)
    return found.reason if found.label == "refutes" and found.chances.refutes >= _SURE else ""
