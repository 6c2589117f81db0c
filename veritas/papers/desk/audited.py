"""The paper of a stored audit, as it was read."""

from __future__ import annotations

from pathlib import Path

from veritas.errors import StoreUnavailable
from veritas.papers.audit_runs import papers_home
from veritas.papers.audit_stages import AUDITS
from veritas.papers.reading.paper_text import PaperText
from veritas.store import RunStore


def paper_of_audit(audit_id: str, home: Path | None = None) -> PaperText:
    """Return the text and parts of an audited paper. Raises `StoreUnavailable` if the audit no longer has them."""
    with RunStore.open(papers_home(home), audit_id, read_only=True) as store:
        output = AUDITS.stored("read", store.stage_output("read"))
    if output is None:
        raise StoreUnavailable(f"audit {audit_id} does not hold the paper that it read: open the paper itself")
    return PaperText.model_validate(output)
