"""A claim: looked up in a corpus, judged against a passage; and the tier of the source it stands on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.errors import InputError
from veritas.use_cases.given import Paths, given_paths, given_text

if TYPE_CHECKING:
    from veritas.claims.judgment import Judgment
    from veritas.documents.document import Document
    from veritas.judging.lens import Lens
    from veritas.policy.source_policy import SourcePolicy, TierVerdict
    from veritas.reading.corpus import CorpusProblem
    from veritas.verification.open_claims import OpenVerdict


class Verifier:
    """Verifies claims against one corpus, which is read and indexed once (no web, no language model)."""

    def __init__(
        self,
        corpus: Paths,
        *,
        policy: str | Path | None = None,
        on_problem: Callable[[CorpusProblem], None] | None = None,
    ) -> None:
        """Read `corpus`: folders or files of documents, or a `.jsonl` of `{id, title, text}`.

        `policy` is a source policy file in place of `policies/source_tiers.yaml`; `on_problem` hears of documents that
        could not be read. Raises `InputError`, `PolicyError`.
        """
        from veritas.reading.loading import load_corpus
        from veritas.verification.open_claims import OpenVerifier

        paths = [Path(path) for path in given_paths(corpus)]
        if not paths:
            raise InputError("name a corpus: a folder or file of documents, or a .jsonl of {id, title, text}")
        rules = source_policy(policy)
        corpus_read = load_corpus(paths, on_problem=on_problem)
        self._unread = tuple(str(problem) for problem in corpus_read.problems if not problem.kept)
        self._inner = OpenVerifier(corpus_read, policy=rules)

    async def verify(self, claim: str) -> OpenVerdict:
        """Return the verdict on one assertion: supports, refutes or insufficient, with verbatim evidence."""
        verdict = await self._inner.verify(claim)
        return verdict.model_copy(update={"unread": self._unread}) if self._unread else verdict

    def document(self, url: str) -> Document | None:
        """Return the document that evidence is from, whole, by its URL; None for a URL that is not of the corpus."""
        return next((each for each in self._inner.documents if each.url == url), None)


async def verify(claim: str, corpus: Paths, *, policy: str | Path | None = None) -> OpenVerdict:
    """Return whether the documents of `corpus` support or refute `claim`, with the passages that say so.

    Sources that the policy rejects are not read. Several claims are verified faster by one `Verifier`. Raises
    `InputError` for a claim without words and a corpus without documents.
    """
    asserted = _asserted(claim)
    return await Verifier(corpus, policy=policy).verify(asserted)


async def judge(claim: str, passage: str, *, lens: str | None = None, strict: bool = False) -> Judgment:
    """Return what one lens says of a bare claim and a passage: supports, refutes, silent, or unavailable with the
    reason (I5). `lens` is the name of an installed lens, by default the embedded one. `strict`: it says `supports` only
    where the comparison of claim and passage lets it. Raises `InputError`."""
    chosen = lens_named(lens, strict=strict)
    return await judge_with(chosen, given_text(claim, "claim"), given_text(passage, "passage"))


async def judge_with(lens: Lens, claim: str, passage: str) -> Judgment:
    """Return what `lens` says of a bare claim and a passage; a lens that fails is unavailable (I5)."""
    from veritas.gate.lens_calls import Ask, checked, judged
    from veritas.policy.gate_policy import load_gate_policy

    ask = Ask(lens, claim, passage)
    return checked(ask, await judged(ask.lens, ask.claim, ask.passage, load_gate_policy().lens_seconds))


def lens_named(name: str | None = None, *, strict: bool = False) -> Lens:
    """Return an installed lens by its name, in strict mode if asked; the embedded one without a name. Raises
    `InputError`, `PluginError`."""
    from veritas.judging.lenses import strict_lens

    lens = _installed(name)
    return strict_lens(lens) if strict else lens


def is_own_lens(name: str | None) -> bool:
    """Return whether a lens is a part of VERITAS, which asks no model."""
    from veritas.judging.lenses import builtin_lenses

    return name is None or name in builtin_lenses()


def _installed(name: str | None) -> Lens:
    from veritas import plugins
    from veritas.judging.lenses import builtin_lenses

    builtin = builtin_lenses()
    if name is None or name in builtin:
        return builtin[name or next(iter(builtin))]()
    others = sorted(set(plugins.installed("lens")) - set(builtin))
    if name not in others:
        raise InputError(f"there is no lens {name!r}; there are {', '.join([*builtin, *others])}")
    from veritas.council.lenses.setup import bare_lens

    return bare_lens(name)


def tier(url: str, *, policy: str | Path | None = None) -> TierVerdict:
    """Return what the source policy makes of a URL, and why. Nothing is fetched. Raises `PolicyError`."""
    return source_policy(policy).classify(given_text(url, "url"))


def source_policy(policy: str | Path | None = None) -> SourcePolicy:
    """Return the rules for sources: those of a policy file, or of the policies folder. Raises `PolicyError`."""
    from veritas.policy.source_tiers import load_source_policy

    return load_source_policy(Path(policy) if policy is not None else None)


def _asserted(claim: str) -> str:
    if not any(character.isalnum() for character in given_text(claim, "claim")):
        raise InputError('the claim has no words; give one assertion, such as "Zinc shortens colds."')
    return claim
