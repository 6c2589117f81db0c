"""Where a review's stages are kept: a folder a review, a file a stage, each written whole (I6).

Files and not rows: a review is settled by people in other processes while it waits, and nothing here is asked in SQL.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from veritas.errors import InputError, StoreUnavailable
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen, content_hash
from veritas.reviews.review_document import REVIEW_STAGES, CorpusState, ReviewStage
from veritas.settings import home as default_home

M = TypeVar("M", bound=Frozen)


@dataclass(frozen=True)
class Loaded(Generic[M]):
    """A stored stage: its output, the seconds it took, the hash by which the next one knows it."""

    output: M
    seconds: float
    output_hash: str

_ID = re.compile(r"review-[0-9a-z-]{6,60}")


class Begun(Frozen):
    """What a review was begun with."""

    review_id: str
    parent_review_id: str | None = None
    request: dict[str, Any]
    started_at: datetime
    version: str


class StageFolder:
    """The folder of one review. Each stage is of certain inputs and of the output before it; of two processes that do
    the same stage at once, the first to save it is right."""

    def __init__(self, path: Path, begun: Begun) -> None:
        self.path, self.begun = path, begun

    @classmethod
    def create(
        cls, request: dict[str, Any], version: str, *, parent: str | None = None, home: Path | None = None
    ) -> StageFolder:
        """A new review."""
        now = datetime.now(UTC)
        review_id = f"review-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        begun = Begun(
            review_id=review_id, parent_review_id=parent, request=request, started_at=now, version=version
        )
        path = reviews_folder(home) / review_id
        if not write_new(path / "review.begun.json", begun.model_dump_json(indent=1) + "\n"):
            raise InputError(f"there is a review {review_id} already")
        return cls(path, begun)

    @classmethod
    def open(cls, review_id: str, *, home: Path | None = None) -> StageFolder:
        """A review that was begun. Raises `InputError` for an unknown one, `StoreUnavailable` for a damaged one."""
        path = reviews_folder(home) / review_id
        file = path / "review.begun.json"
        if not _ID.fullmatch(review_id) or not file.is_file():
            known = review_ids(home)
            hint = f"the newest are {', '.join(known[-3:])}" if known else "there is none yet"
            raise InputError(f"no review {review_id[:80]!r}: {hint}")
        return cls(path, _read(file, Begun))

    def _file(self, stage: ReviewStage) -> Path:
        return self.path / "stages" / f"{REVIEW_STAGES.index(stage)}-{stage}.json"

    def load(self, stage: ReviewStage, input_hash: str, after: str, model: type[M]) -> Loaded[M] | None:
        """What is stored of a stage, or None if it is not there, or was made of another output of the stage before
        (`after`, its hash). Raises `InputError` when it was made of other inputs: going on would mix two states of the
        world."""
        file = self._file(stage)
        if not file.is_file():
            return None
        stored = _json(file)
        if stored.get("input_hash") != input_hash:
            raise InputError(
                f"{self.begun.review_id} stopped after another state of the corpus or its settings; replay it as a new "
                f"review: veritas review --replay {self.begun.review_id} --from {stage}"
            )
        if content_hash(stored.get("output")) != stored.get("output_hash"):
            raise StoreUnavailable(f"{file} was changed: its output does not fit its hash. Remove it to do it anew")
        if stored.get("after") != after:
            return None
        try:
            return Loaded(_output(stored, file, model), float(stored["seconds"]), stored["output_hash"])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreUnavailable(f"{file} cannot be read as the stage {stage}: {error}") from error

    def read(self, stage: ReviewStage, model: type[M]) -> M:
        """The output of a stage that is there, of whatever inputs."""
        file = self._file(stage)
        return _output(_json(file), file, model)

    def whole(self) -> bool:
        """Whether every stage is there."""
        return all(self._file(stage).is_file() for stage in REVIEW_STAGES)

    def corpus_state(self) -> CorpusState | None:
        """The corpus as the first stage found it."""
        file = self._file("retrieve")
        try:
            return CorpusState.model_validate(_json(file)["corpus"]) if file.is_file() else None
        except (ValidationError, KeyError):
            return None

    def save(
        self, stage: ReviewStage, input_hash: str, after: str, output: Frozen, seconds: float, corpus: CorpusState
    ) -> bool:
        """Stores a stage's whole output; False if another process stored its own of the same inputs first. Raises
        `StoreUnavailable`, with nothing written."""
        plain = output.model_dump(mode="json")
        document = {
            "stage": stage,
            "input_hash": input_hash,
            "after": after,
            "corpus": corpus.model_dump(mode="json"),
            "output_hash": content_hash(plain),
            "seconds": round(seconds, 3),
            "saved_at": datetime.now(UTC).isoformat(),
            "output": plain,
        }
        file, text = self._file(stage), json.dumps(document, ensure_ascii=False) + "\n"
        if write_new(file, text):
            return True
        there = _json(file)
        if (there.get("input_hash"), there.get("after")) == (input_hash, after):
            return False
        write_whole(file, text)
        return True

    def take_over(self, parent: StageFolder, before: ReviewStage, hashes: dict[ReviewStage, str]) -> None:
        """Copies the parent's stages before one; `hashes` are the inputs they count as here."""
        for stage in REVIEW_STAGES[: REVIEW_STAGES.index(before)]:
            file = parent._file(stage)
            if not file.is_file():
                raise InputError(f"{parent.begun.review_id} has no stage {stage} to go on from")
            stored = _json(file)
            stored["input_hash"] = hashes[stage]
            write_whole(self._file(stage), json.dumps(stored, ensure_ascii=False) + "\n")


def reviews_folder(home: Path | None = None) -> Path:
    """Where reviews are kept."""
    return (home or default_home()) / "reviews"


def review_ids(home: Path | None = None) -> list[str]:
    """The ids of all reviews, oldest first."""
    return sorted(p.name for p in reviews_folder(home).glob("review-*") if _ID.fullmatch(p.name))


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise StoreUnavailable(f"{file} cannot be read: {error}. Remove it to do the stage anew") from error
    if not isinstance(found, dict):
        raise StoreUnavailable(f"{file} holds no stage. Remove it to do the stage anew")
    return found


def _output(stored: dict[str, Any], file: Path, model: type[M]) -> M:
    try:
        return model.model_validate(stored.get("output"))
    except ValidationError as error:
        raise StoreUnavailable(f"{file} cannot be read as a stage: {error}. Remove it to do the stage anew") from error


def _read(file: Path, model: type[M]) -> M:
    try:
        return model.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise StoreUnavailable(f"{file} cannot be read: {error}") from error
