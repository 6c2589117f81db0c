"""Reasons: the chain that let a sentence, a claim or a source of a run in, or left it out.

    from veritas.use_cases.why import why

    chain = why("latest", "zinc shortens colds")
    print(chain.because)
"""

from __future__ import annotations

from pathlib import Path

from veritas.claims.chain import Chain, Chains
from veritas.claims.find_in_graph import Candidate, seek
from veritas.claims.graph import ClaimGraph
from veritas.errors import Absent, InputError
from veritas.text.visible import one_line
from veritas.use_cases.given import given_text
from veritas.use_cases.run_states import loaded


class Ambiguous(InputError):
    """Several things may be meant; `candidates` lists them."""

    def __init__(self, asked: str, candidates: tuple[Candidate, ...]) -> None:
        listed = "".join(f"\n  {c.id}  {c.kind}: {one_line(c.text)[:110]}" for c in candidates)
        super().__init__(f"{len(candidates)} things may be meant by {asked!r}; name one by its id:{listed}")
        self.candidates = candidates


def why(run: str | ClaimGraph, asked: str, *, home: str | Path | None = None) -> Chain:
    """Return the chain that let a sentence, claim, source or URL of a run in or left it out, from hit to sentence.

    `run` is an id, a beginning of it, `latest`, or a graph; `asked` an id, a number of the answer's references (`[2]`),
    a part of its words, or a URL. Raises `UnknownRun`; `InputError` for a run that is not finished and for what is not
    in it, with what is near; `Ambiguous` where several things may be meant.
    """
    graph = loaded(run, home)
    given_text(asked, "asked")
    if not asked.strip():
        raise InputError("say what is meant: an id, a number such as [2], a URL, or words of a sentence or claim")
    sought = seek(graph, asked)
    if len(sought.found) > 1:
        raise Ambiguous(asked, sought.found)
    if not sought.found:
        listed = "".join(f"\n  {c.id}  {c.kind}: {one_line(c.text)[:110]}" for c in sought.near)
        near = f"; near it are:{listed}" if listed else ", and nothing in it is near"
        raise Absent(f"nothing in run {graph.run.run_id} is {asked[:200]!r}{near}")
    chain = Chains(graph).of(sought.found[0].id)
    assert chain is not None, "what was found in the graph has a chain"
    return chain
