"""Citations: given, checked, audited; and pairs of bibliographic records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from veritas.errors import InputError
from veritas.use_cases.given import Paths, given_paths, given_text, unheard

if TYPE_CHECKING:
    from veritas.citations.auditing.drift import Audited as Audited
    from veritas.citations.auditing.drift import AuditReport
    from veritas.citations.checking.findings import Report as Report
    from veritas.citations.citing import Outcome as Outcome
    from veritas.citations.citing.adviser import Adviser
    from veritas.citations.verdict import Triangulation
    from veritas.gate import Gate
    from veritas.policy.triangulation_policy import Rule as Rule
    from veritas.policy.triangulation_policy import TriangulationPolicy as TriangulationPolicy
    from veritas.registries.all_registries import Registries
    from veritas.registries.contract import Checked as Checked

FOLDER = "docs/citations"
"""The folder of a project's artifacts."""


async def cite(
    claim: str,
    hint: str | None = None,
    *,
    root: str | Path = ".",
    artifacts: str = FOLDER,
    corpus: Paths = (),
    model: str | Path | None = None,
    offline: bool = False,
    override_reason: str | None = None,
    override_name: str = "",
    policy: str | Path | None = None,
    told: Callable[[str], None] | None = None,
) -> Outcome:
    """Return a citation of a paper that says `claim`, with its artifact written, or a refusal that says why not.

    `hint` is an identifier, a title, or an attribution such as `Baruch et al., 2019`. `corpus` are own copies of
    papers, read before any other; `model` is a council file whose first language model advises and judges. `offline`
    asks nobody and reads no web. `override_reason` writes the artifact in spite of the gate, unsigned; refused where
    there is a roster of approvers. `told` hears of a registry that does not answer. Raises `InputError`; an outage is
    the refusal `RetriesExhausted`, never an exception.
    """
    from veritas.citations.citing import verify_and_cite
    from veritas.citations.citing.gate_verdict import citation_gate
    from veritas.policy.source_tiers import load_source_policy
    from veritas.policy.triangulation_policy import load_triangulation_policy
    from veritas.reading.loading import load_corpus
    from veritas.reading.web import WebReader

    given_text(claim, "claim")
    copies = given_paths(corpus)
    registries = configured_registries(policy, offline=offline, told=told or unheard)
    council = Path(model) if model is not None else None
    adviser: Adviser | None = _adviser(council) if council else None
    gate: Gate | None = citation_gate(registries, load_triangulation_policy(), council) if council else None
    return await verify_and_cite(
        claim, hint, folder=Path(root) / artifacts, registries=registries,
        reader=None if offline else WebReader(load_source_policy()),
        corpus=load_corpus([Path(path) for path in copies]) if copies else None, adviser=adviser, gate=gate,
        override=override_reason is not None, override_reason=override_reason, override_name=override_name,
    )  # fmt: skip


def check(
    paths: Paths = ".",
    *,
    root: str | Path | None = None,
    artifacts: str = FOLDER,
    citation_map: str | Path | None = None,
    keys_only: bool = False,
) -> Report:
    """Return what is wrong with the citations in `paths` (files or trees) and with the artifacts among them.

    Mechanical: no model, no network. With `keys_only` a key without an artifact passes if a bibliography of the project
    lists it. Raises `InputError` for a path that is not there.
    """
    from veritas.citations.checking.check import check as run

    return run(
        [Path(path) for path in given_paths(paths, "paths")], root=Path(root) if root is not None else None,
        folder=artifacts, citation_map=Path(citation_map) if citation_map is not None else None,
        keys_only=keys_only,
    )  # fmt: skip


def check_text(text: str, name: str, *, root: str | Path | None, artifacts: str = FOLDER) -> Report:
    """Return what is wrong with the citations of a text, as if it stood in the file `name` of the project `root`;
    without one nothing is known of what it cites. Mechanical, as `check`."""
    from veritas.citations.checking.check import check_text as run

    with TemporaryDirectory() as nothing:
        return run(given_text(text, "text"), name, root=Path(nothing if root is None else root), folder=artifacts)


async def audit_citations(
    root: str | Path = ".",
    *,
    artifacts: str = FOLDER,
    fresh: bool = False,
    policy: str | Path | None = None,
    done: Callable[[Audited, int, int], None] | None = None,
) -> AuditReport:
    """Return how the papers that a project cites have drifted from its artifacts since they were verified.

    Asks the registries at the pace they allow; an audit that was cut off goes on where it stopped unless `fresh`.
    `done` hears of each artifact with its number and how many there are. Raises `InputError` where there is none.
    """
    from veritas.citations.auditing import audit_existing_citations
    from veritas.citations.auditing.audit import journal_of
    from veritas.policy.citation_policy import load_citation_policy
    from veritas.registries.all_registries import Registries

    settings = load_citation_policy(Path(policy) if policy is not None else None)
    journal = journal_of(Path(root) / artifacts)
    if fresh:
        journal.unlink(missing_ok=True)
    return await audit_existing_citations(
        Path(root), folder=artifacts, registries=lambda newer: Registries(settings, newer_than=newer),
        journal=journal, done=done or unheard,
    )  # fmt: skip


async def check_registries(
    *, policy: str | Path | None = None, done: Callable[[Checked], None] | None = None
) -> list[Checked]:
    """Return whether each live registry still answers in the form that its records are read in."""
    from veritas.registries.contract import check_contracts

    return await check_contracts(configured_registries(policy, cached=False), done=done or unheard)


def triangulate(
    primary: Mapping[str, Any],
    secondary: Mapping[str, Any] | None = None,
    cited: Mapping[str, Any] | None = None,
    *,
    policy: str | Path | TriangulationPolicy | None = None,
    rule: Rule | None = None,
) -> Triangulation:
    """Return whether two records `{source, record}`, as independent registries returned them, describe one work, and
    whether `cited`, a dictionary of BibTeX fields, says the same. Raises `InputError` for an unknown source."""
    from veritas.citations.triangulation import triangulate_raw

    rules = triangulation_policy(policy) if policy is None or isinstance(policy, str | Path) else policy
    second = dict(secondary) if secondary is not None else None
    return triangulate_raw(dict(primary), second, cited, policy=rules, rule=rule)


def triangulation_policy(policy: str | Path | None = None) -> TriangulationPolicy:
    """Return the rules by which records are compared: those of a file, or of the policies folder. Raises
    `PolicyError`."""
    from veritas.policy.triangulation_policy import load_triangulation_policy

    return load_triangulation_policy(Path(policy) if policy is not None else None)


def configured_registries(policy: str | Path | None = None, **settings: Any) -> Registries:
    """Return the scholarly registries of a policy file, or of the policies folder. Raises `PolicyError`."""
    from veritas.policy.citation_policy import load_citation_policy
    from veritas.registries.all_registries import Registries

    return Registries(load_citation_policy(Path(policy) if policy is not None else None), **settings)


def _adviser(council: Path) -> Adviser:
    """Return the first language model of a council file, as an adviser. Raises `InputError` where there is none."""
    from veritas.citations.citing.model_adviser import ModelAdviser
    from veritas.council.connections import Switchboard
    from veritas.council.select_council import choose_council

    chosen = choose_council(council)
    for member in chosen.policy.members:
        if (model := member.as_model()) is not None:
            connected = Switchboard(chosen.policy.providers).connect(model)
            return ModelAdviser(connected, model.model, model.family or model.model)
    raise InputError(f"{council}: no member of this council is a language model")
