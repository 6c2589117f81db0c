"""Citations: given, checked, audited; bibliographies and bibliographic records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.errors import InputError
from veritas.use_cases.given import Paths, given_paths, given_text

if TYPE_CHECKING:
    from veritas.citations.auditing.drift import Audited, AuditReport
    from veritas.citations.bibliography.entry import Entry
    from veritas.citations.bibliography.entry_verdict import Judged
    from veritas.citations.checking.findings import Report
    from veritas.citations.citing import Outcome
    from veritas.citations.citing.adviser import Adviser
    from veritas.citations.verdict import Triangulation
    from veritas.gate import Gate
    from veritas.policy.triangulation_policy import Rule
    from veritas.registries import contract
    from veritas.registries.all_registries import Registries

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
) -> Outcome:
    """Return a citation of a paper that says `claim`, with its artifact written, or a refusal that says why not.

    `hint` is an identifier, a title, or an attribution such as `Baruch et al., 2019`. `corpus` are own copies of
    papers, read before any other; `model` is a council file whose first language model advises and judges. `offline`
    asks nobody and reads no web. `override_reason` writes the artifact in spite of the gate, unsigned; refused where
    there is a roster of approvers. Raises `InputError`; an outage is the refusal `RetriesExhausted`, never an
    exception.
    """
    from veritas.citations.citing import verify_and_cite
    from veritas.citations.citing.gate_verdict import citation_gate
    from veritas.policy.source_tiers import load_source_policy
    from veritas.policy.triangulation_policy import load_triangulation_policy
    from veritas.reading.loading import load_corpus
    from veritas.reading.web import WebReader

    given_text(claim, "claim")
    copies = given_paths(corpus)
    registries = _registries(policy, offline=offline)
    council = Path(model) if model is not None else None
    adviser: Adviser | None = _adviser(council) if council else None
    gate: Gate | None = citation_gate(registries, load_triangulation_policy(), council) if council else None
    return await verify_and_cite(
        claim,
        hint,
        folder=Path(root) / artifacts,
        registries=registries,
        reader=None if offline else WebReader(load_source_policy()),
        corpus=load_corpus([Path(path) for path in copies]) if copies else None,
        adviser=adviser,
        gate=gate,
        override=override_reason is not None,
        override_reason=override_reason,
        override_name=override_name,
    )


def check(
    paths: Paths = ".",
    *,
    root: str | Path | None = None,
    artifacts: str = FOLDER,
    citation_map: str | Path | None = None,
) -> Report:
    """Return what is wrong with the citations in `paths` (files or trees) and with the artifacts among them.

    Mechanical: no model, no network. Raises `InputError` for a path that is not there.
    """
    from veritas.citations.checking.check import check as run

    return run(
        [Path(path) for path in given_paths(paths, "paths")],
        root=Path(root) if root is not None else None,
        folder=artifacts,
        citation_map=Path(citation_map) if citation_map is not None else None,
    )


async def audit_citations(
    root: str | Path = ".",
    *,
    artifacts: str = FOLDER,
    fresh: bool = False,
    policy: str | Path | None = None,
    done: Callable[[Audited, int, int], None] = lambda audited, count, total: None,
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
        Path(root),
        folder=artifacts,
        registries=lambda newer: Registries(settings, newer_than=newer),
        journal=journal,
        done=done,
    )


async def check_registries(
    *, policy: str | Path | None = None, done: Callable[[contract.Checked], None] = lambda checked: None
) -> list[contract.Checked]:
    """Return whether each live registry still answers in the form that its records are read in."""
    from veritas.registries import contract

    return list(await contract.check_contracts(_registries(policy, cached=False), done=done))


async def audit_bibliography(
    files: Paths,
    *,
    snapshot: str | Path | None = None,
    offline: bool = False,
    policy: str | Path | None = None,
    done: Callable[[Judged], None] = lambda judged: None,
    looking_ahead: Callable[[int], None] = lambda identifiers: None,
    begun: Callable[[Sequence[Entry]], None] = lambda entries: None,
) -> list[Judged]:
    """Return the verdict on every entry of bibliographies, in their order: whether it exists and is what it says.

    Reads BibTeX, BibLaTeX, CSL-JSON, RIS, LaTeX, Markdown, DOCX, PDF and text. `snapshot` is asked in place of the
    registries it was made of; `offline` answers from it and the cache alone. `begun` hears of the entries before
    anybody is asked, `done` of each verdict. An outage is `unavailable`, never a fabrication. Raises `InputError`.
    """
    from veritas.citations.bibliography.parse import read_bibliography
    from veritas.citations.bibliography.verify_entries import verify

    entries = [entry for file in given_paths(files, "files") for entry in read_bibliography(Path(file))]
    local: tuple[Any, ...] = ()
    if snapshot is not None:
        from veritas.citations.bibliography.snapshot import Snapshot

        local = Snapshot(Path(snapshot)).sources
    registries = _registries(policy, offline=offline, local=local)
    begun(entries)
    return await verify(entries, registries, done=done, looking_ahead=looking_ahead)


def triangulate(
    primary: Mapping[str, Any],
    secondary: Mapping[str, Any] | None = None,
    cited: Mapping[str, Any] | None = None,
    *,
    policy: str | Path | None = None,
    rule: Rule | None = None,
) -> Triangulation:
    """Return whether two records `{source, record}`, as independent registries returned them, describe one work, and
    whether `cited`, a dictionary of BibTeX fields, says the same. Raises `InputError` for an unknown source."""
    from veritas.citations.triangulation import triangulate_raw
    from veritas.policy.triangulation_policy import load_triangulation_policy

    rules = load_triangulation_policy(Path(policy)) if policy is not None else None
    second = dict(secondary) if secondary is not None else None
    return triangulate_raw(dict(primary), second, cited, policy=rules, rule=rule)


def _registries(policy: str | Path | None, **settings: Any) -> Registries:
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
