"""A person's request for an audit: everything it depends on except the paper, in one value that can be stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from veritas.errors import InputError
from veritas.frozen import Frozen, first_fault
from veritas.policy.cost_tiers import Budget
from veritas.reading.corpus_names import kept_name
from veritas.scoring.evaluation import Rules

MAX_NODES = 300


class PaperRequest(Frozen):
    """A request for an audit. `asked` is a file, a URL, an arXiv id, a DOI or words. Paths are absolute; None means the
    default of `policies/`.

    `graphs` is K, the number of readings of the argument; `samples` M, the assessments of a node by models; `nodes` N,
    the most nodes of a graph. `web`: the web may be asked: scholarly registries about the references, search providers
    about the statements.
    """

    asked: str
    mode: str = "academic"
    corpus: tuple[str, ...] = ()
    web: bool = False
    graphs: int = Field(default=5, ge=1, le=64)
    samples: int = Field(default=3, ge=1, le=64)
    nodes: int = Field(default=16, ge=3, le=MAX_NODES)
    rules: Rules = "veritas"
    council: str | None = None
    policy: str | None = None
    verification: str | None = None
    weights: str | None = None
    budget: Budget = Budget()
    seed: int = Field(default=0, ge=0, lt=2**31)

    def settings(self) -> dict[str, Any]:
        """Return the settings as JSON, without `asked`."""
        return self.model_dump(mode="json", exclude={"asked"})


def make_paper_request(asked: str, **fields: Any) -> PaperRequest:
    """Return a request from loose fields, paths made absolute. Raises `InputError` for anything wrong."""
    given = {key: value for key, value in fields.items() if value is not None}
    if isinstance(given.get("corpus"), str | Path):
        given["corpus"] = [given["corpus"]]
    if "corpus" in given:
        given["corpus"] = tuple(map(kept_name, given["corpus"]))
    for key in ("policy", "verification", "weights"):
        if key in given:
            given[key] = str(Path(given[key]).expanduser().resolve())
    if "council" in given:
        from veritas.council.select_council import council_file

        given["council"] = str(council_file(given["council"]))
    mode = str(given.get("mode", ""))
    if mode.endswith((".yaml", ".yml")):
        given["mode"] = str(Path(mode).expanduser().resolve())
    try:
        return PaperRequest.model_validate({"asked": asked, **given})
    except ValidationError as error:
        raise InputError(first_fault(error)) from error
