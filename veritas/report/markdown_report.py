"""The report as Markdown: the answer with numbered references, its footnotes, and how it was checked in numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import quote

from veritas.claims.answer import Reference, Sentence
from veritas.claims.brief import BriefPassage
from veritas.claims.graph import ClaimGraph
from veritas.report.brief_lines import Line, Run, brief_lines, item_of, tables
from veritas.report.decisions import HEADINGS, settled
from veritas.report.graph_index import GraphIndex
from veritas.report.planted_sources import planted
from veritas.report.tally import Tally, dollars, expense, unpriced
from veritas.report.wording import ROUNDS, again, authorship, cut_back, lacking, missing
from veritas.text.plural import plural
from veritas.text.visible import one_line, web_address

_SPECIAL = re.compile(r"([\\`*_\[\]|~$#^])")
_WORD = re.compile(r"[^\w+#.-]")
_LEADING = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+=])")


def plain(text: str) -> str:
    """Escape a stranger's text so that Markdown renders that very text: no markup, HTML, link or list comes of it."""
    text = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _SPECIAL.sub(r"\\\1", text)
    text = _LEADING.sub(lambda m: rf"{m[1]}\{m[2]}" if m[1] else rf"\{m[3]}", text)
    # Bare addresses are links in many dialects; only those of the bibliography should be.
    return text.replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")


def for_prefect(markdown: str) -> str:
    """Adapt Markdown to the Prefect UI, which shows numeric entities literally: an invisible word joiner keeps a
    stranger's address from becoming a link there."""
    return markdown.replace("&#58;//", ":\u2060//").replace("www&#46;", "www\u2060.").replace("&#64;", "\u2060@")


def address(url: str) -> str:
    """Return a link for http and https, the address as text for anything else."""
    web = web_address(url)
    if web is None:
        return plain(url)
    return f"<{quote(web, safe=':/?#@!$&()*+,;=%-._~[]' + chr(39))}>"


def render_markdown(graph: ClaimGraph) -> str:
    """Return the answer as text: CommonMark with footnotes (`[^a]`). Ends in a newline."""
    index, answer = GraphIndex(graph), graph.answer
    written = f"; {authorship(graph)} {plain(answer.written_by)}" if answer.written_by and answer.sentences else ""
    day = graph.run.started_at
    blocks = [
        f"# {plain(graph.run.question)}",
        f"*{plain(graph.run.tier.capitalize())} search by {plural(len(graph.council), 'member')} of the council, "
        f"{day.day} {day:%B %Y}{written}*",
    ]
    if answer.status == "unavailable":
        said, command = again(graph)
        blocks.append(f"**Unavailable.** {plain(lacking(answer))}\n\n{said} `{command}`")
    if answer.status == "insufficient_evidence":
        blocks.append(f"**Insufficient evidence.** {plain(lacking(answer))}")
    for paragraph in index.paragraphs:
        text = _paragraph(paragraph, index)
        dissent = all(sentence.kind == "dissent" for sentence in paragraph)
        said = "" if paragraph[0].text.startswith("Dissent") else "**Dissent.** "
        blocks.append(f"> {said}{text}" if dissent else text)
        if paragraph[0].kind == "frame" and answer.brief is not None:
            blocks += [_passage(each, index) for each in answer.brief.passages]
    if answer.missing:
        blocks.append(f"*{plain(missing(graph))}*")
    if index.notes:
        blocks.append("\n".join(
            f"[^{index.notes[s.sentence_id]}]: Note: {plain(s.footnote)}" for s in answer.sentences if s.footnote))
    cited = [r for r in answer.bibliography if r.tier in (1, 2)]
    third = [r for r in answer.bibliography if r.tier not in (1, 2)]
    if cited or third:
        blocks.append("## References")
    if cited:
        blocks.append("\n".join(_reference(r, index) for r in cited))
    if third:
        blocks += ["### Vetted secondary sources (tier 3)", "\n".join(_reference(r, index) for r in third)]
    blocks += _persons(graph)
    blocks += ["## How this was checked", "\n".join(f"- {line}" for line in _checks(index))]
    return "\n\n".join(blocks) + "\n"


def _persons(graph: ClaimGraph) -> list[str]:
    """Return the cases before a person, and persons' decisions."""
    rows = settled(graph)
    if not rows:
        return []
    lines = []
    for row in rows:
        command = f" `{row.next}`" if row.next else ""
        lines.append(f"- **{HEADINGS[row.fate]}**: “{plain(row.claim.claim)}” {plain(row.words)}{command}")
    return ["## Before a person", "\n".join(lines)]


def _paragraph(paragraph: Sequence[Sentence], index: GraphIndex) -> str:
    """Return the sentences as running text, and their lists as lists."""
    text = ""
    for sentence in paragraph:
        items = index.lines(sentence)[1:]
        if items:
            marked = (item_of(item) for item in items)
            listed = "\n".join(f"{mark if mark[:1].isdecimal() else '-'} {plain(said)}" for mark, said in marked)
            text += f"{_sentence(sentence, index)}\n\n{listed}\n\n"
        else:
            text += f"{_sentence(sentence, index)} "
    return text.strip()


def _passage(passage: BriefPassage, index: GraphIndex) -> str:
    """Return a passage of a brief under its headings, the words that answer in bold, program text in a fence."""
    sentence = index.sentences[passage.sentence_id]
    note = f"[^{index.notes[sentence.sentence_id]}]" if sentence.sentence_id in index.notes else ""
    badges = "".join(f" `{badge}`" for badge in sentence.badges)
    parts = [f"**{plain(' › '.join(passage.headings) or 'untitled')}** [{passage.reference}]{note}{badges}"]
    before = ""
    for line in tables(brief_lines(passage)):
        kind, said = ("table", _table(line)) if isinstance(line, list) else (line.kind, _line(line))
        glue = "\n" if kind == before == "item" else "\n\n"
        parts.append(f"{glue}{said}")
        before = kind
    return "".join(parts)


def _line(line: Line) -> str:
    if line.kind == "code":
        code = line.runs[0].text
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
        return f"{fence}{_WORD.sub('', line.language)}\n{code}\n{fence}"
    said = _marked(line.runs)
    if line.kind == "item":
        mark, rest = item_of(line.text)
        number = re.match(r"[0-9]{1,9}", mark)
        bare = f"{number[0]}." if number else "-"
        return f"{'   ' * line.level}{bare} {plain(rest)}" if mark else f"- {said}"
    return f"**{plain(line.text)}**" if line.kind in ("heading", "admonition") else said


def _table(rows: Sequence[Line]) -> str:
    """Return the rows as a table, whose columns have no names if no row names them."""
    wide = max(len(row.cells) for row in rows)
    lines = [[_marked(cell) for cell in row.cells] + [""] * (wide - len(row.cells)) for row in rows]
    if rows[0].kind != "head":
        lines.insert(0, [""] * wide)
    lines.insert(1, ["---"] * wide)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _marked(runs: Sequence[Run]) -> str:
    return " ".join(f"**{plain(run.text)}**" if run.marked else plain(run.text) for run in runs)


def _sentence(sentence: Sentence, index: GraphIndex) -> str:
    numbers = "".join(f"[{number}]" for number in sentence.references if number in index.references)
    note = f"[^{index.notes[sentence.sentence_id]}]" if sentence.sentence_id in index.notes else ""
    badges = "".join(f" `{badge}`" for badge in sentence.badges)
    text = plain(index.lines(sentence)[0])
    if sentence.kind in {"gap", "frame"}:
        text = f"*{text}*"
    return f"{text}{' ' if numbers else ''}{numbers}{note}{badges}"


def _reference(reference: Reference, index: GraphIndex) -> str:
    r = reference
    authors = f"{plain(', '.join(r.authors[:6]))}{' and others' if len(r.authors) > 6 else ''}. " if r.authors else ""
    year = f", {r.year}" if r.year else ""
    doi = f" {address('https://doi.org/' + r.doi)}." if r.doi else ""
    source = index.sources.get(r.source_id)
    was_planted = source is not None and source.note is not None
    tags = [f"tier {r.tier}", *["paywalled"] * r.paywalled, *["planted"] * was_planted]
    return f"- [{r.number}] {authors}*{plain(r.title or r.url)}*{year}.{doi} {address(r.url)} ({', '.join(tags)})"


def _checks(index: GraphIndex) -> list[str]:
    """Return the checks behind the answer, a line each."""
    graph, tally, total = index.graph, Tally.of(index), expense(index.graph.calls)
    verdicts = ", ".join(f"{tally.judged.get(k, 0)} {k}" for k in ("supports", "silent", "refutes", "unavailable"))
    resolutions = ", ".join(f"{count} {name}" for name, count in sorted(tally.resolutions.items()))
    agreement = ", ".join(
        f"{ROUNDS[r.round]} (R{r.round}) {'–' if r.agreement is None else f'{r.agreement:.0%}'}" for r in graph.rounds)
    cases, _ = planted(index)
    lines = [
        f"{plural(tally.searches, 'search', 'searches')} for {plural(len(graph.sub_queries), 'sub-question')}"
        + (f"; {tally.searches_failed} without an answer" if tally.searches_failed else ""),
        f"{plural(tally.sources, 'source')} found: {tally.read} read, {tally.rejected} rejected by the policy, "
        f"{tally.orientation} for orientation only, {tally.unread} left unread, {tally.unreadable} unreadable",
        f"{plural(tally.claims, 'claim')} drafted, each verbatim in a stored document: {verdicts}",
        plural(tally.contestations, "objection") + (f": {resolutions}" if resolutions else ""),
        f"{plural(tally.cited_claims, 'claim')} cited from {plural(tally.references, 'reference')}",
        f"{plural(tally.left_out, 'line')} in the log of what was left out",
    ]
    if agreement:
        lines.insert(4, f"Agreement: {agreement}")
    if cases:
        fates: Counter[str] = Counter(case.fate for case in cases)
        named = {"caught": "caught", "idle": "not cited", "disclosed": "cited with a warning", "escaped": "not caught"}
        said = ", ".join(f"{fates[fate]} {name}" for fate, name in named.items() if fates[fate])
        lines.insert(2, f"{plural(len(cases), 'planted source')} among them: {said}")
    if graph.calls:
        price = f"at least {dollars(total.cost)}; the price of {plain(unpriced(graph.calls))} is unknown" \
            if total.unpriced else dollars(total.cost)
        tokens = f"{total.input_tokens:,} tokens in and {total.output_tokens:,} out"
        kept = f" and {total.from_ledger:,} more that a ledger answered" if total.from_ledger else ""
        lines.append(f"{plural(total.calls - total.from_ledger, 'call')}{kept}, {tokens}, {price}")
    lines += [f"Cut back: {plain(step)}" for step in cut_back(graph)]
    policy = f", policy `{graph.run.policy_hash[:12]}`" if re.fullmatch("[0-9a-f]{12,}", graph.run.policy_hash) else ""
    return [*lines, f"Run {plain(graph.run.run_id)}, VERITAS {plain(graph.run.version)}, seed {graph.run.seed}{policy}"]
