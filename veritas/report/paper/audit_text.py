"""Render an audit for the terminal: findings, specific flaws, the score or what it would need, and what is open."""

from __future__ import annotations

import textwrap
from collections import Counter

from veritas.claims.override import ApprovalNote
from veritas.documents.paper_parts import Candidate
from veritas.papers.audit import AuditNode, Headline, PaperAudit
from veritas.papers.flaw import Flaw
from veritas.papers.headline import headline_of
from veritas.papers.open_points import lacking
from veritas.report.paper.findings_text import argument_lines, findings_lines, said_in_all
from veritas.report.paper.paper_wording import FLAWS, OPEN, reasons
from veritas.scoring.parameters import COMPONENTS
from veritas.text.plural import plural

SHOWN = 8
"""Number of flaws listed; the report has all."""


def show_audit(audit: PaperAudit, *, width: int = 100, color: bool = False) -> str:
    """Return the audit in a few dozen lines. Control characters of the paper's are not printed."""
    bold, dim, end = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if color else ("", "", "")
    lines = [f"{bold}{_plain(audit.paper.title)}{end}", f"{dim}{_whence(audit)}{end}", ""]
    if audit.unheard is not None:
        said = f"Unavailable: {_plain(audit.unheard)}. The results below were found without them."
        lines += [*(f"{bold}{line}{end}" for line in textwrap.wrap(said, width)), ""]
    if audit.partly_read is not None:
        said = f"Not the whole paper: {_plain(audit.partly_read)}."
        lines += [*(f"{bold}{line}{end}" for line in textwrap.wrap(said, width)), ""]
    if audit.findings:
        lines += [f"{bold}Numbers that do not hold together{end}", ""]
        lines += findings_lines(audit.findings[:SHOWN], width, bold, end)
        if len(audit.findings) > SHOWN:
            lines += [f"and {len(audit.findings) - SHOWN} more in the report", ""]
    if audit.unchecked is not None and not audit.recomputed:
        lines += [*textwrap.wrap(said_in_all(audit), width), ""]
    lines += _flaws(audit, width, bold, dim, end)
    lines += ["", *_headline(audit, width, bold, end)]
    lines += textwrap.wrap(_looked(audit), width, initial_indent="  ", subsequent_indent="  ")
    for label, missing in (("no models", _without_models(audit)), ("not asked", _unasked(audit))):
        if missing:
            lines += textwrap.wrap(missing, width, initial_indent=f"  {bold}{label}:{end} ", subsequent_indent="  ")
    if audit.open_points:
        lines += textwrap.wrap(_open(audit), width, initial_indent=f"  {bold}left open:{end} ", subsequent_indent="  ")
    lines += argument_lines(audit.argument, width, bold, end)
    lines += _persons(audit, width, bold, end)
    lines += ["", *textwrap.wrap(audit.caveat, width)]
    return "\n".join(lines)


def _flaws(audit: PaperAudit, width: int, bold: str, dim: str, end: str) -> list[str]:
    """Return the specific flaws, at most `SHOWN`, under their own count."""
    if not audit.flaws and not audit.nodes:
        return ["No statement was assessed for flaws: none was read as part of an argument."]
    if not audit.flaws:
        looked = plural(len(audit.nodes), "statement")
        return [f"No specific flaw was found in {looked}, which is no proof that there is none."]
    lines = [f"{bold}Specific flaws: {len(audit.flaws)}{end}"]
    for flaw in audit.flaws[:SHOWN]:
        lines += _flaw(audit, flaw, width, dim, end)
    more = len(audit.flaws) - SHOWN
    return [*lines, f"  and {more} more in the report"] if more > 0 else lines


def _headline(audit: PaperAudit, width: int, bold: str, end: str) -> list[str]:
    """Return the score with its interval, its components and its baseline, or what a score would need."""
    scoring, headline = audit.scoring(), headline_of(audit)
    if scoring is None:
        where = "it" if audit.partly_read is None else "what was found of it"
        why = f", since {lacking(audit)}" if audit.partly_read is None and lacking(audit) else ""
        said = f"{bold}No score:{end} no argument could be read in {where}{why}."
        return textwrap.wrap(said, width + len(bold + end))
    if headline.score is None:
        lines = [f"{bold}No score:{end} nothing was verified. That says nothing against the paper. It would need"]
        for each in headline.needs:
            lines += textwrap.wrap(_plain(each), width, initial_indent="  - ", subsequent_indent="    ")
        return lines
    lines = [f"{bold}Score {headline.score:.2f}{end}{_interval(audit, headline)}"]
    lines += textwrap.wrap(f"{headline.worth}.", width, initial_indent="  ", subsequent_indent="  ")
    values = scoring.values["components"]
    parts = [f"{name.replace('_', ' ')} {values[name]:.2f}" for name in COMPONENTS if name in values]
    lines += textwrap.wrap(" · ".join(parts), width, initial_indent="  ", subsequent_indent="  ")
    path = scoring.values["best_path_nodes"]
    if path:
        lines.append("  best path: " + " → ".join(f"{n} {audit.node(n).role}" for n in path))
    return lines


def _open(audit: PaperAudit) -> str:
    """Return what the audit leaves open, counted by kind."""
    kinds = Counter(kind for kind, _, _ in reasons(audit.open_points))
    said = "; ".join(f"{OPEN[kind][:1].lower()}{OPEN[kind][1:]}: {count}" for kind, count in kinds.items())
    return f"{said}. None of it says anything against the paper; the report has the reasons"


def show_candidates(candidates: tuple[Candidate, ...]) -> str:
    """Return the papers that may be meant, a line for each."""
    lines = []
    for candidate in candidates:
        who = ", ".join(candidate.authors[:3]) + (" et al." if len(candidate.authors) > 3 else "")
        name = f"arXiv:{candidate.arxiv_id}" if candidate.arxiv_id else candidate.doi or candidate.url or ""
        said = f"{_plain(candidate.title)} ({_plain(who)}, {candidate.year or 'n.d.'}) {_plain(name)}"
        lines.append(f"  {candidate.likeness:.2f}  {said}")
    return "\n".join(lines)


def _whence(audit: PaperAudit) -> str:
    paper = audit.paper
    parts = [
        ", ".join(paper.authors[:3]) + (" et al." if len(paper.authors) > 3 else "") if paper.authors else "",
        str(paper.year or ""),
        f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else "",
        f"doi:{paper.doi}" if paper.doi else "",
        plural(paper.pages, "page") if paper.pages else "",
        f"mode {audit.mode}",
        f"now {paper.standing}" if paper.standing not in (None, "current") else "",
    ]
    return _plain(" · ".join(part for part in parts if part))


def _interval(audit: PaperAudit, headline: Headline) -> str:
    low, high = headline.interval or (0.0, 1.0)
    said = f"  between {low:.2f} and {high:.2f} by what is not known" if high - low > 0.005 else ""
    if headline.trials:
        first, last = headline.trials
        said += f"; over {plural(headline.readings, 'reading')} of the argument {first:.2f} to {last:.2f}"
    return f"{said} (rules {audit.rules})"


def _looked(audit: PaperAudit) -> str:
    nodes = [audit.node(n) for g in audit.graphs if g.index == audit.primary for n in g.nodes]
    assessed = sum(m.value is not None for node in nodes for m in node.metrics.values() if m.applies)
    possible = sum(m.applies for node in nodes for m in node.metrics.values())
    checked = audit.references_checked
    extractor = next((g.extractor for g in audit.graphs if g.index == audit.primary), "")
    parts = [f"{plural(len(nodes), 'statement')} in the reading shown, read by {extractor}" if nodes else ""]
    parts.append(f"{assessed} of {possible} metrics assessed")
    unread = any(event.kind == "references-unread" and event.stage == "read" for event in audit.events)
    listed = f"{checked} of {len(audit.references)} references checked"
    parts.append(listed if audit.references else "references not read" if unread else "no references")
    if not audit.asked_outside:
        parts.append("checked against itself alone: --corpus or --web checks it against others")
    silent = sum(any(e.startswith("unavailable:") for e in g.errors) for g in audit.graphs)
    broken = sum(not g.ok for g in audit.graphs) - silent
    if silent:
        parts.append(f"{silent} of {len(audit.graphs)} readings could not be obtained")
    if broken and audit.scoring() is not None:
        parts.append(f"{broken} of {len(audit.graphs)} graphs stayed broken and are not scored")
    return "; ".join(part for part in parts if part)


def _without_models(audit: PaperAudit) -> str:
    """Return a note on models that did not read or assess, and why; the embedded member's result then stands."""
    fell_back = next((e.reason for e in audit.events if e.kind == "extractor-fallback"), "")
    unread = next((e.reason for e in audit.events if e.kind in ("extractor-unavailable", "graph-broken")), "")
    unassessed = [e for e in audit.events if e.kind == "assessor-unavailable"]
    parts = [f"{fell_back} ({_cut(unread, 160)})" if fell_back and unread else fell_back]
    if unassessed:
        failed = f"assessments of {plural(len(unassessed), 'statement')} failed"
        parts.append(f"{failed}, such as {_cut(unassessed[0].reason, 160)}")
    return _plain("; ".join(part for part in parts if part))


def _unasked(audit: PaperAudit) -> str:
    """Return a note on sources that did not answer: they say nothing about the paper, and readers must know it."""
    failed = [e for e in audit.events if e.kind == "source-unavailable" and e.stage == "verify"]
    if not failed:
        return ""
    named = (_plain(e.reason).split(":", 1)[0] for e in failed)
    sources = list(dict.fromkeys(name for name in named if name and " " not in name and "/" not in name))
    pages = sum(e.reason.startswith("http") for e in failed)
    parts = [f"{', '.join(sources[:8])} did not answer" if sources else ""]
    parts.append(f"{plural(pages, 'page')} could not be read" if pages else "")
    said = "; ".join(part for part in parts if part) or f"{len(failed)} look-ups failed"
    return f"{said}. What they know is unknown here, and no sign of anything"


def _persons(audit: PaperAudit, width: int, bold: str, end: str) -> list[str]:
    """Return lines on persons' decisions about statements that the gate could not decide, and on how many wait."""
    waiting = sum(note.state == "pending" for note in audit.approvals)
    waits = "waits" if waiting == 1 else "wait"
    lines = [f"  {plural(waiting, 'statement')} {waits} for a person: veritas approvals"] if waiting else []
    for note in audit.approvals:
        told = said_of(note)
        if told:
            node = audit.node(note.subject_id)
            lines.append(f"  {node.id} {node.role}{_page(node)}: “{_cut(_plain(node.text), width - 24)}”")
            lines += textwrap.wrap(_plain(told), width, initial_indent="    ", subsequent_indent="    ")
    return ["", f"{bold}Before a person{end}", *lines] if lines else []


def said_of(note: ApprovalNote) -> str:
    """Return a person's decision on a statement, with name and reason; empty while there is none."""
    last = note.last
    if last is None:
        return ""
    if last.verdict == "approve" and note.state != "approved":
        more = "it waits for another person" if note.state == "pending" else "nobody else did in time"
        return f"approved by {note.by}: {last.reason}; not let in, {more}"
    did = {"approve": "let in", "reject": "rejected", "withdraw": "taken back"}[last.verdict]
    return f"{did} by {note.by}: {last.reason}"


def _flaw(audit: PaperAudit, flaw: Flaw, width: int, dim: str, end: str) -> list[str]:
    """Return a flaw in a few lines: its subject, its words, and at most three lines of the reason."""
    by_id = {node.id: node for node in audit.nodes}
    node = by_id.get(flaw.subject)
    about = f"{flaw.subject} {node.role}{_page(node)}" if node is not None else flaw.subject.removeprefix("paper:")
    about = "the paper" if about == "paper" else about.replace("reference:", "reference ")
    kind = FLAWS[flaw.kind].lower()
    lines = [f"  {kind}: {about}"]
    if node is not None:
        lines.append(f"    {dim}“{_cut(_plain(node.text), width - 6)}”{end}")
    why = textwrap.wrap(_plain(flaw.why), width, initial_indent="    ", subsequent_indent="    ")
    return [*lines, *why[:3]]


def _page(node: AuditNode) -> str:
    return f", p. {node.place.page}" if node.place.page else ""


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
