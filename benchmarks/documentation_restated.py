"""Documentation restated by models, before judges who support everything: what of it an answer prints.

    python benchmarks/documentation_restated.py FOLDER... [--questions 40] [--dump printed.jsonl]

Three members on a loopback server restate sentences of the passages that they are shown; their quotes are real. Half of
the restatements say the same or less, by rules that keep the meaning (`HONEST`); the others change one thing (`LIES`).
Every judge says "supports", so that nothing but code stands between a restatement and the answer. Counted by kind are:
told, judged supported in the end, and printed with a reference. The pipeline is the real one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from documentation_conflicts import PLANTED
from documentation_questions import questions

from tests.loopback.scripted import Heard, answer, fold, heard
from tests.loopback.server import Asked, Reply, loopback
from tests.loopback.yes_men import YES, council
from veritas import ClaimGraph, VeritasError, aio
from veritas.reading.loading import load_corpus
from veritas.text.sentences import sentences

Edit = Callable[[str], str | None]

_NUMBERS = dict(zip("2 3 4 5 6 7 8 9 10 11 12".split(), "two three four five six seven eight nine ten eleven twelve"
                    .split(), strict=True))  # fmt: skip
_SHORT = {"does not": "doesn't", "do not": "don't", "is not": "isn't", "are not": "aren't", "cannot": "can't",
          "will not": "won't", "should not": "shouldn't"}  # fmt: skip
_LONG = {short: long for long, short in _SHORT.items()}
_SAME = {"allows you to": "lets you", "in order to": "to", "for example": "for instance", "begins": "starts",
         "begin": "start", "entire": "whole", "obtain": "get", "requires": "needs", "large": "big",
         "prior to": "before", "in addition": "additionally"}  # fmt: skip
_STRONGER = {"may": "always will", "might": "always will", "can": "always will", "some": "all", "sometimes": "always",
             "usually": "always", "often": "always", "many": "all", "most": "all", "should": "always will"}  # fmt: skip
_CONDITION = re.compile(r"(?P<main>[A-Z][^,;:()]{15,}?),? (?P<when>(?:if|when|unless) [^,;:()]{8,})\.")
_FRONTED = re.compile(r"(?P<when>(?:If|When|Unless) [^,;:()]{8,}), (?P<main>[^,;:()]{15,})\.")
_EXCEPT = re.compile(r",? (?:except|other than|apart from|but not) [^.;:]+(?=\.$)")
_ASIDE = re.compile(r" \([^()]{3,80}\)")
_TWO = re.compile(r"\b(?P<one>[a-z]{4,}s) and (?P<other>[a-z]{4,}s)\b(?! of| in| for| to| that| which| are| with)")
_NAME = re.compile(r"\w+_\w+|\w+\.[a-z_]\w+|\w*[a-z][A-Z]\w*|[A-Z][a-z]{3,}(?= (?:is|are|can|has|does|will|uses)\b)")


def _swapped(pairs: Mapping[str, str]) -> Edit:
    """An edit that puts one word, or a few, in the place of others."""
    anyone = re.compile(rf"(?<![\w'-])(?:{'|'.join(map(re.escape, pairs))})(?![\w'-])")

    def edit(said: str) -> str | None:
        made = anyone.sub(lambda m: pairs[m[0]], said, count=1)
        return made if made != said else None

    return edit


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """The text with a small letter, unless it begins with a name."""
    first = text.split()[0]
    return text[:1].lower() + text[1:] if first.lower() in _OPENING else text


_OPENING = frozenset("the a an if when unless this these it you we each every all any some there they by in".split())


def _moved(said: str) -> str | None:
    """A condition moved to the other end."""
    if found := _CONDITION.fullmatch(said):
        return f"{_capital(found['when'])}, {_small(found['main'])}."
    if found := _FRONTED.fullmatch(said):
        return f"{_capital(found['main'])} {_small(found['when'])}."
    return None


def _left_out(part: re.Pattern[str]) -> Edit:
    def edit(said: str) -> str | None:
        made = part.sub("", said, count=1)
        return made if made != said and len(made) > 20 else None

    return edit


def _unconditional(said: str) -> str | None:
    found = _CONDITION.fullmatch(said) or _FRONTED.fullmatch(said)
    return found and f"{_capital(found['main'])}."


def _added(said: str) -> str | None:
    return f"{said[:-1]}, which makes it twice as fast." if said.endswith(".") else None


def _renamed(said: str) -> str | None:
    found = _NAME.search(said)
    return found and f"{said[: found.start()]}{_capital(found[0][:3])}ax{said[found.end() :]}"


HONEST: dict[str, Edit] = {
    "numbers in words": _swapped(_NUMBERS),
    "contractions": _swapped({**_SHORT, **_LONG}),
    "synonyms": _swapped(_SAME),
    "a condition moved": _moved,
    "an aside left out": _left_out(_ASIDE),
    "a list in another order": lambda said: (
        made if (made := _TWO.sub(lambda m: f"{m['other']} and {m['one']}", said, count=1)) != said else None
    ),
}
"""Restatements that say the same, or leave out what stands in brackets."""
LIES: dict[str, Edit] = {
    **PLANTED,
    "a stronger word": _swapped(_STRONGER),
    "a condition left out": _unconditional,
    "an exception left out": _left_out(_EXCEPT),
    "another name": _renamed,
    "an addition": _added,
}
"""Misstatements: one thing is changed."""
ALL = {**HONEST, **LIES}


DRAFTS = 4
"""Claims a turn; at the tier quick no more are heard."""


class Restating:
    """The script of a server whose members restate, and whose judges support everything. `told` is the kind of every
    restatement, by its text; a text that some document has word for word is none."""

    def __init__(self, texts: Sequence[str], seed: int = 0) -> None:
        self.told: dict[str, str] = {}
        self._texts = "\n".join(map(fold, texts))
        self._dice = random.Random(seed)

    def script(self, asked: Asked) -> Reply:
        """Answer one request."""
        to = heard(asked)
        if to.turn == "judge":
            return Reply(YES)
        return Reply(json.dumps({"claims": self._claims(to)} if to.turn == "assert" else answer(to)))

    def _claims(self, to: Heard) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        shown = to.under("passage")
        self._dice.shuffle(shown)
        for passage, text in shown:
            if len(made) == DRAFTS:
                break
            kinds = LIES if len(made) % 2 else HONEST
            kind, said, quote = self._rarest([each for each in self._restated(text) if each[0] in kinds])
            if said:
                self.told[said] = kind
                made.append({
                    "claim": said, "claim_type": "numerical" if re.search(r"\d", said) else "factual",
                    "confidence": 0.9, "quotes": [{"passage_id": passage, "quote": quote}],
                })  # fmt: skip
        return made

    def _restated(self, text: str) -> Iterator[tuple[str, str, str]]:
        for span in sentences(text):
            quote = text[span.start : span.end]
            said = fold(quote)
            if span.kind == "prose" and 5 <= len(said.split()) <= 35 and said.endswith(".") and said[:1].isupper():
                for kind, edit in ALL.items():
                    made = edit(said)
                    if made and fold(made) not in self._texts and fold(made) not in self.told:
                        yield kind, fold(made), quote

    def _rarest(self, drawn: Sequence[tuple[str, str, str]]) -> tuple[str, str, str]:
        """Return one of those whose kind was told least often: every kind is to be told."""
        often = Counter(self.told.values())
        least = min((often[kind] for kind, _, _ in drawn), default=0)
        few = [each for each in drawn if often[each[0]] == least]
        return self._dice.choice(few) if few else ("", "", "")


class Counts:
    """Restatements by kind, each counted once: told, admitted as claims, printed. `references` are those of all printed
    sentences, `lies` those of lies."""

    def __init__(self, dump: TextIO | None = None) -> None:
        self.told: dict[str, str] = {}
        self.admitted: set[str] = set()
        self.printed: set[str] = set()
        self._dump = dump
        self.questions = self.references = self.restated = self.lies = self.marks = 0

    def add(self, graph: ClaimGraph, told: Mapping[str, str]) -> None:
        """Count one answer."""
        self.questions += 1
        self.told.update(told)
        self.admitted.update(fold(c.claim) for c in graph.claims if c.verifier_judgment == "supports")
        for sentence in graph.answer.sentences:
            if sentence.kind not in ("claim", "dissent"):
                continue
            said = fold(sentence.text.partition("“")[2].rstrip("”") if sentence.kind == "dissent" else sentence.text)
            kind, count = told.get(said), len(sentence.references)
            self.references += count
            self.marks += "contradicted" in sentence.badges or sentence.kind == "dissent"
            if kind and count:
                self.restated += count
                self.lies += count * (kind in LIES)
                self.printed.add(said)
                quotes = {p for c in graph.claims if c.claim_id in sentence.claim_ids for p in c.source_passages}
                if self._dump is not None:
                    line = {"kind": kind, "as": sentence.kind, "badges": sentence.badges, "sentence": said,
                            "footnote": sentence.footnote, "quotes": sorted(quotes)}
                    print(json.dumps(line), file=self._dump, flush=True)

    def rows(self) -> Iterator[str]:
        """The table."""
        yield "| restatement | told | admitted | printed |\n| --- | ---: | ---: | ---: |"
        for name, kinds in (("honest", HONEST), ("lies", LIES)):
            sums = [0, 0, 0]
            for kind in kinds:
                told = {said for said, of in self.told.items() if of == kind}
                row = [len(told), len(told & self.admitted), len(told & self.printed)]
                sums = [one + more for one, more in zip(sums, row, strict=True)]
                yield f"| {kind} | {' | '.join(map(str, row))} |"
            yield f"| **{name}** | {' | '.join(f'**{n}**' for n in sums)} |"
        share = self.lies / self.restated if self.restated else 0.0
        yield f"\n{self.questions} questions, {self.references} references, {self.restated} on restated sentences,"
        yield f"of these {self.lies} on lies ({share:.1%}); {self.marks} sentences marked contradicted, or as dissent"


async def measured(folders: Sequence[Path], count: int, tier: str, dump: TextIO | None) -> Counts:
    """Ask `count` questions of each folder."""
    counts = Counts(dump)
    with tempfile.TemporaryDirectory() as home:
        for folder in folders:
            documents = load_corpus([folder]).documents
            restating = Restating([d.text for d in documents])
            with loopback(restating.script) as server:
                path = council(Path(home), server)
                for asked in questions(documents, count):
                    graph = await aio.research(
                        asked.question, corpus=(folder,), tier=tier, council=str(path), home=Path(home) / "runs"
                    )
                    counts.add(graph, restating.told)
                    if counts.questions % 10 == 0:
                        so_far = f"  {counts.questions} questions: {counts.restated} restated, {counts.lies} lies"
                        print(so_far, file=sys.stderr, flush=True)
    return counts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--questions", type=int, default=40, help="of each folder")
    parser.add_argument("--tier", default="quick")
    parser.add_argument("--dump", type=Path, help="write every restatement that is printed, a JSON line each")
    options = parser.parse_args()
    folders = options.folders or [Path(__file__).resolve().parents[1] / "examples" / "documents"]
    with contextlib.ExitStack() as opened:
        dump = opened.enter_context(options.dump.open("w", encoding="utf-8")) if options.dump else None
        try:
            counts = asyncio.run(measured(folders, options.questions, options.tier, dump))
        except VeritasError as error:
            sys.exit(f"documentation_restated: {error}")
    print("\n".join(counts.rows()))


if __name__ == "__main__":
    main()
