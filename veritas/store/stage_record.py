"""A stage as it is stored: that it was done, on what, and its whole output (I6)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from veritas.frozen import Frozen

Model = TypeVar("Model", bound=BaseModel)


class StageRow(Frozen):
    """That a stage was done: on what (hash of its inputs), with what result (hash of its output), how long it took."""

    stage: str
    position: int
    input_hash: str
    output_hash: str
    output_bytes: int
    seconds: float
    from_store: bool
    saved_at: datetime


class StoredStage(StageRow):
    """A stage's whole output, as JSON text."""

    text: str

    def value(self) -> Any:
        """The output as JSON values."""
        return json.loads(self.text)

    def load(self, model: type[Model]) -> Model:
        """The output as the model it was."""
        return model.model_validate(self.value())
