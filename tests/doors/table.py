"""Every use case, and how each door is used for it. What stands in place of a door is the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.doors.world import World

Door = Callable[[World], Any]


@dataclass(frozen=True)
class UseCase:
    """A use case: names of `veritas.__all__` and commands that it is, and a function for each door.

    What `python` returns is what the others return: JSON values that are the same; of a tool, an object whose fields
    are among those of Python; of a page, its words, in which all of `shown` stand.
    """

    name: str
    of: tuple[str, ...]
    python: Door
    cli: Door | str
    http: Door | str
    page: Door | str
    mcp: Door | str = "it is none of the tools for language models"
    shown: Callable[[Any], list[str]] = str.split


NO_DOOR = {
    "aio": "the same as coroutines",
    "open_corpus": "an object: its use cases are rows of their own",
    "read_paper": "a step of an audit, for programs",
    "triangulate": "two records that a program holds; persons give a bibliography",
    "check_registries": "looks after the snapshots of one project's artifacts, over the network",
    "audit_citations": "looks through a checkout for what was changed since, over the network: a job for CI",
    "Verifier": "an object that keeps a corpus open: its use case is verify",
    "demo": "research on documents that come with the package",
    "ask": "research, told in short",
    "store": "maintenance of files, for whoever owns the machine",
    "lenses": "a measurement, for whoever configures the machine",
    "council": "configuration of the machine",
    "providers": "configuration of the machine",
    "plugins": "configuration of the machine",
    "calibrate": "a measurement, for whoever configures the machine",
    "automations": "configuration of a Prefect server",
    "audit": "looks through a checkout for what was changed since, over the network: a job for CI",
    "guard": "a hook on standard input, on the rules of check",
    "lsp": "a door itself",
    "serve": "a door itself",
    "mcp": "a door itself",
    "up": "a door itself",
}
"""Names of the face and commands that are in no row, each with the reason."""


def answer_of(graph: Any) -> dict[str, Any]:
    """What a claim graph says, without ids and times."""
    return {
        **told_of(graph["answer"]),
        "claims": sorted((each["claim"], each["verifier_judgment"], each["debate_status"]) for each in graph["claims"]),
    }


def told_of(result: dict[str, Any]) -> dict[str, Any]:
    """The same of an answer, in a graph or a tool's result: a field that holds nothing is left out there."""
    return {
        **{name: result[name] for name in ("status", "chance")},
        "sentences": [(each["text"], each.get("references", [])) for each in result["sentences"]],
        "bibliography": [(each["number"], each["url"], each.get("title", "")) for each in result["bibliography"]],
    }


def said_of(answer: dict[str, Any]) -> list[str]:
    """What a page of an answer shows."""
    told = [text for text, _ in answer["sentences"][1:]] + [title for _, _, title in answer["bibliography"]]
    return [f"{answer['chance']:.0%}", *told]


def graph_of(model: Any) -> dict[str, Any]:
    return answer_of(model.model_dump(mode="json"))


def fields(found: Any, *names: str) -> dict[str, Any]:
    """Some fields of JSON values."""
    return {name: found[name] for name in names}
