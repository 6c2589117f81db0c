"""The scheduled audit: every artifact of a project triangulated anew, with a table in the Prefect UI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from veritas.citations.artifacts import artifact_files
from veritas.citations.auditing import Audited, audit_existing_citations
from veritas.citations.auditing.audit import journal_of
from veritas.citations.auditing.render_audit import as_diff, as_html, as_json, as_markdown, summary
from veritas.errors import InputError, Unavailable, VeritasError
from veritas.files import write_whole
from veritas_flows.nothing_to_do import nothing_to_do
from veritas_flows.run_names import named


class CitationsDrifted(VeritasError):
    """The audit found something: the run fails, so that its watchers are notified."""

    exit_code = 1


@flow(name="audit", flow_run_name=named("audit · {project}"), persist_result=False)
async def audit(
    project: str = ".",
    artifacts: str = "docs/citations",
    report: str = "data/audits/citations.html",
    fail_on_findings: bool = True,
) -> dict[str, Any]:
    """Find what went wrong with a project's citations since they were verified.

    Args:
        project: Folder of the project on the machine that runs the flow.
        artifacts: Folder of its citation artifacts, relative to the project.
        report: Path of the HTML report; a patch with the proposed changes is written beside it. Empty for none.
        fail_on_findings: Fail the run if anything is found or a needed registry did not answer, so that notifications
            are sent. A new start continues with the unanswered questions.
    """
    logger = get_run_logger()

    def done(audited: Audited, count: int, total: int) -> None:
        if audited.findings or not audited.complete or count == total:
            said = "; ".join(finding.message for finding in audited.findings) or "; ".join(audited.problems)
            logger.info("[%d/%d] %s %s", count, total, audited.path, said)

    root = Path(project)
    if not _artifacts_of(root, artifacts):
        said = f"Nothing to audit: {root / artifacts} holds no citation artifact; veritas cite writes them."
        await acreate_markdown_artifact(said, key="citation-audit", description="Citation audit")
        nothing: dict[str, Any] = {"root": project, "ok": None, "artifacts": []}
        return nothing_to_do(said, dict[str, Any], name="Nothing to audit", data=nothing)
    found = await audit_existing_citations(root, folder=artifacts, journal=journal_of(root / artifacts), done=done)
    if report:
        write_whole(Path(report), as_html(found))
        write_whole(Path(report).with_suffix(".diff"), as_diff(found))
    await acreate_markdown_artifact(as_markdown(found), key="citation-audit", description="Citation audit")
    rows = [
        {"artifact": each.path, "what": finding.drift.value, "how": finding.message}
        for each in found.artifacts
        for finding in each.findings
    ]
    await acreate_table_artifact(
        rows or [{"artifact": "", "what": "", "how": "every citation stands"}],
        key="citation-audit-findings",
        description="What the audit found",
    )
    if found.failed and fail_on_findings:
        raise CitationsDrifted(summary(found))
    if not found.complete and fail_on_findings:
        raise Unavailable(summary(found))
    return as_json(found)


def _artifacts_of(root: Path, folder: str) -> bool:
    """Return whether a project has artifacts. Raises `InputError` if its folder does not exist."""
    if not root.is_dir():
        raise InputError(f"{root}: there is no such folder on the machine that runs the audit")
    return bool(artifact_files(root / folder))
