"""A stored stage: the hash of its inputs, and its whole output (I6)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from veritas.frozen import Frozen

Model = TypeVar("Model", bound=BaseModel)


class StageRow(Frozen):
    """The record of a finished stage: hash of its inputs, hash of its output, seconds it took."""

    stage: str
    position: int
    input_hash: str
    output_hash: str
    output_bytes: int
    seconds: float
    from_store: bool
    saved_at: datetime


class StoredStage(StageRow):
    """A stage's record with its whole output, as JSON text."""

    text: str

    def value(self) -> Any:
        """Return the output as JSON values."""
        return json.loads(self.text)

    def load(self, model: type[Model]) -> Model:
        """Return the output as the model it was."""
        return model.model_validate(self.value())
