"""A case on one screen: for a terminal, and as Markdown for a form. External text is escaped for both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from veritas.approvals.approval import Approval, Case, CasePassage
from veritas.claims.override import PersonDecision
from veritas.text.tokens import index_terms
from veritas.text.visible import one_line, web_address
from veritas.text.wrapping import wrap

PASSAGE = 1_200
"""Most characters of a passage on the screen; the file has it whole."""

_MARKUP = re.compile(r"([\\`*_\[\]|~$#^<>&!@{}])|(?<=:)(//)|(?<=\bwww)(\.)", re.I)
_LEADING = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+=])")

DONE = {"approve": "approved", "reject": "rejected", "withdraw": "withdrawn"}


def shortened(text: str, most: int) -> str:
    """Return an external text on one line, cut after `most` characters."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def said(decision: PersonDecision) -> str:
    """Return a decision as a line, with its signature and, if it has no effect, the reason."""
    at = f"{decision.at:%Y-%m-%d %H:%M} UTC"
    signed = f", signed with {decision.key}" if decision.signed else ""
    void = f" [counts for nothing: {decision.void}]" if decision.void else ""
    return f"{DONE[decision.verdict]} by {one_line(decision.who)} on {at}{signed}: {one_line(decision.reason)}{void}"


def drafted(draft: PersonDecision) -> str:
    """Return a form's proposal in a line."""
    return f"Drafted, and not signed: {draft.verdict}, by {one_line(draft.name)}: {one_line(draft.reason)}"


def _origin(passage: CasePassage) -> str:
    tier = f"tier {one_line(passage.tier)}" if passage.tier else ""
    url = passage.url if passage.url != passage.source else ""
    return ", ".join(filter(None, (one_line(passage.source), tier, one_line(url))))


def grouped(cases: Iterable[Approval]) -> list[list[Approval]]:
    """Return the cases in their order, with open ones of a run that wait for one `cause` together."""
    groups: dict[object, list[Approval]] = {}
    for one in cases:
        pending = one.state() == "pending"
        groups.setdefault((one.kind, one.run_id, cause(one)) if pending else one.approval_id, []).append(one)
    return list(groups.values())


def cause(approval: Approval) -> str:
    """Return why a case waits; of one that was filed without it, its sentence."""
    return approval.case.why or approval.sentence


def decided_on(one: Approval) -> tuple[object, ...]:
    """Return what a person decides on: the claim and its passages. Cases in which it is the same are one decision."""
    passages = sorted({" ".join(p.text.split()) for p in one.case.passages})
    return one.kind, one.run_id, " ".join(one.case.claim.split()), *passages


Pieces = list[tuple[str, bool]]
"""A text in pieces, each with whether it differs."""


def side_by_side(claim: str, passage: str) -> tuple[Pieces, Pieces]:
    """Return claim and passage, with the words marked in which the claim and the part of the passage that comes nearest
    to it differ."""
    left, right = claim.split(), passage.split()
    bare, other = ([word.strip(".,;:!?()[]\"'“”").casefold() for word in words] for words in (left, right))
    matched = SequenceMatcher(None, bare, other, autojunk=False)
    blocks = [block for block in matched.get_matching_blocks() if block.size]
    first, last = (blocks[0].b, blocks[-1].b + blocks[-1].size) if blocks else (0, 0)
    told: tuple[Pieces, Pieces] = ([], [])
    for kind, at, to, other_at, other_to in matched.get_opcodes():
        differs = kind != "equal"
        told[0].append((" ".join(left[at:to]), differs))
        near = first <= other_at < last or other_to - other_at <= 2 * (to - at)
        told[1].append((" ".join(right[other_at:other_to]), differs and near))
    return [each for each in told[0] if each[0]], [each for each in told[1] if each[0]]


def screen(approval: Approval, width: int = 100) -> str:
    """Return the whole case as lines of at most `width` columns (20 at least), ending in a newline."""
    return "\n".join(line.rstrip() for line in _screen(approval, max(width, 20))) + "\n"


def _screen(approval: Approval, width: int) -> Iterator[str]:
    a, case = approval, approval.case
    state = a.state()
    limit = f", until {a.expires_at:%Y-%m-%d %H:%M} UTC" if a.expires_at and state == "pending" else ""
    of_run = f" of run {one_line(a.run_id)}" if a.run_id else ""
    yield f"{a.approval_id}  {state}{limit}"
    yield from wrap(f"{a.kind}{of_run}, asked on {a.created_at:%Y-%m-%d %H:%M} UTC", width)
    yield ""
    yield from wrap(one_line(a.sentence), width, "Why:        ", "            ")
    if case.question:
        yield from wrap(shortened(case.question, 500), width, "Asked for:  ", "            ")
    yield from wrap(one_line(case.claim), width, "Claim:      ", "            ")
    if case.asserted_by:
        yield from wrap(one_line(", ".join(case.asserted_by)), width, "Asserted:   by ", "            ")
    for passage in case.passages:
        yield from wrap(f"“{shortened(passage.text, PASSAGE)}”", width, "Passage:    ", "            ")
        if _origin(passage):
            yield from wrap(_origin(passage), width, "            — ", "              ")
    if beyond := _beyond(case):
        yield from wrap(one_line(beyond), width, "Differs:    ", "            ")
    if case.oracle:
        yield from wrap(one_line(case.oracle), width, "Oracle:     ", "            ")
    for judgment in case.judgments:
        score = "" if judgment.label == "unavailable" else f" {judgment.score:.2f}"
        line = f"{judgment.lens} ({judgment.family}): {judgment.label}{score}. {judgment.rationale}"
        yield from wrap(one_line(line), width, "Lens:       ", "            ")
    yield ""
    for decision in a.decisions:
        yield from wrap(said(decision), width)
    if a.required > 1:
        yield from wrap(f"{a.required} different persons have to approve it", width)
    if not a.recorded:
        yield from wrap(
            "Not checked: whoever asked this has no record of it in this home. What you sign counts only where the "
            "record is, and only for the case as you read it here",
            width,
        )
    yield from wrap(f"{a.fingerprint[:32]} is the fingerprint of this case", width)
    if a.draft is not None:
        yield from wrap(drafted(a.draft), width)
    if state in ("pending", "withdrawn"):
        for option in a.options:
            yield from wrap(one_line(option), width, "- ", "  ")
        yield from _how(a)
    elif state == "expired":
        named = a.recorded and a.run_id and a.kind == "research-claim"  # no command from a case that nobody checked
        again = f": veritas replay {a.run_id} --from synthesize" if named else ""
        yield from wrap(f"Its time is up, so it is left out. Asked anew, it waits once more{again}", width)
    elif state in ("approved", "rejected"):
        yield f'veritas approve {a.approval_id} --withdraw --name "…" --reason "…"'


def _beyond(case: Case) -> str:
    """Return the claim's words that no passage has."""
    said = set(index_terms(" ".join(passage.text for passage in case.passages)))
    words = [w for w in case.claim.split() if not set(index_terms(w)) <= said] if said else []
    return f"its passages have no {', '.join(f'“{word}”' for word in words)}" if words else ""


def _how(approval: Approval) -> Iterator[str]:
    """Yield the command that settles an open case."""
    seen = "" if approval.recorded else f" --seen {approval.fingerprint[:32]}"
    yield f'veritas approve {approval.approval_id} --name "…" --reason "…" [--reject]{seen}'
    if approval.draft is not None:
        yield f"veritas approve {approval.approval_id} --draft"


def plain(text: str) -> str:
    """Return an external text as Markdown that renders as the same text.

    It uses only backslashes: the form of the Prefect UI shows HTML entities unrendered.
    """
    text = _MARKUP.sub(lambda m: f"\\{m[0]}", one_line(text))
    return _LEADING.sub(lambda m: rf"{m[1]}\{m[2]}" if m[1] else rf"\{m[3]}", text)


def _link(url: str) -> str:
    web = web_address(url)
    return plain(url) if web is None or not web.isascii() else f"<{web}>"


def markdown(approval: Approval) -> str:
    """Return the case for a form: a heading, the sentence, and everything the decision needs."""
    a, case = approval, approval.case
    blocks = [f"### {plain(shortened(case.claim, 300))}", plain(a.sentence)]
    if case.asserted_by:
        blocks.append(f"Asserted by {plain(', '.join(case.asserted_by))}")
    for passage in case.passages:
        origin = ", ".join(filter(None, (plain(passage.source), f"tier {plain(passage.tier)}" if passage.tier else "")))
        link = f" {_link(passage.url)}" if passage.url else ""
        blocks.append(f"> {plain(shortened(passage.text, PASSAGE))}\n>\n> — {origin}{link}")
    lines = [f"- **Oracle** {plain(case.oracle)}"] if case.oracle else []
    for j in case.judgments:
        score = "" if j.label == "unavailable" else f" {j.score:.2f}"
        lines.append(f"- **{plain(j.lens)}** ({plain(j.family)}): {j.label}{score}. {plain(j.rationale)}")
    lines += [f"- {plain(option)}" for option in a.options]
    if lines:
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)
