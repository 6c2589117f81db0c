"""How often the check of a text is right: `python benchmarks/factcheck.py [--sample] [--marks] [--wrong] [--json]`.

The reports of `benchmarks/factcheck` are read and checked against the recorded pages beside them, without a language
model and without the network. For each style of mark: the marks that are resolved to the right address, among those
found (precision) and among those there (recall), the scopes and the verdicts. Then, over all: the accuracy, the
macro-F1, contradicted statements that are called supported, others that are called contradicted, and altered ones that
are found. `--sample` measures `dev` only, `--marks` reads without judging, `--wrong` lists the statements of `dev` that
come out wrong. Cases of `apart` are never printed. Markdown on stdout.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.factcheck_score import (  # noqa: E402
    FOLDER,
    HEADS,
    SET_ASIDE,
    Found,
    Judged,
    Marks,
    Report,
    cited,
    judged_of,
    marks_of,
    matched,
    plain,
    reports,
    told_of,
)

DEV, APART = "dev", "apart"


def _statements(told: Sequence[Any]) -> list[Found]:
    return [
        Found(
            str(each.statement),
            tuple(citation.url for citation in each.citations),
            each.scope,
            getattr(each, "verdict", None),
            getattr(each, "kind", "statement"),
            _words(getattr(each, "passage", None)),
            _words(getattr(each, "difference", None)),
        )
        for each in told
    ]


def _words(told: object) -> str | None:
    return None if told is None else str(getattr(told, "text", told))


def read_marks(report: Report) -> list[Found]:
    """Return what the text of a report says and leans on, without judging it."""
    from veritas.factcheck import read_conversation, read_text

    text = report.file.read_text(encoding="utf-8")
    if report.file.suffix == ".json":
        return _statements(read_conversation(text).statements)
    form = {".html": "html", ".tex": "latex"}.get(report.file.suffix, "markdown")
    beside = report.sources.read_text(encoding="utf-8") if report.sources else None
    return _statements(read_text(text, sources=beside, format=form).statements)


def check(report: Report) -> list[Found]:
    """Return the statements of a report with their verdicts, against the pages recorded beside it."""
    from veritas import check_facts

    text = report.file.read_text(encoding="utf-8")
    recorded = report.file.parent.parent / "recorded"
    return _statements(check_facts(text, recorded=recorded, sources=report.sources).statements)


def measure(part: str, folder: Path, only_marks: bool) -> tuple[dict[str, Marks], list[Judged], list[str]]:
    """Return the marks of a part by style, its judged statements, and the marks of it that are wrong, as lines."""
    marks: dict[str, Marks] = {}
    judged: list[Judged] = []
    wrong: list[str] = []
    for report in reports(part, folder):
        found = read_marks(report)
        marks.setdefault(report.style, Marks()).add(marks_of(report.labels, found))
        wrong += wrong_marks(report, found)
        if report.verdicts and not only_marks:
            judged += judged_of(report, check(report))
    return marks, judged, wrong


def wrong_marks(report: Report, found: Sequence[Found]) -> Iterator[str]:
    """Yield a line for each labelled statement that is not read as it is labelled."""
    for label, at in zip(report.labels, matched(report.labels, found), strict=True):
        told = found[at] if at is not None else None
        if label.kind in HEADS:
            continue
        if label.verdict == SET_ASIDE:
            if told is not None and told.kind == "statement":
                yield f"- {report.file.name} · not set aside ({label.kind}) · {label.statement}"
            continue
        asked = {str(url) for url in cited(label)}
        has = {str(plain(url)) for url in told.citations} if told is not None else set()
        if told is None or told.kind != "statement" or asked != has or told.scope != label.scope:
            shown = f"{told.kind}, {told.scope}, {sorted(has)}: {told.statement}" if told is not None else "nothing"
            yield f"- {report.file.name} · {label.statement} · {label.scope}, {sorted(asked)} · found: {shown}"


def wrong_verdicts(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield a line for each statement with another verdict than its label."""
    for j in judged:
        if j.verdict != j.label.verdict:
            told = f"{j.found.passage} ({j.found.difference})" if j.found is not None else "–"
            kind = f" ({j.label.altered})" if j.label.altered else ""
            yield f"- {j.report} · {j.label.statement} · {j.label.verdict}{kind} · found: {j.verdict} · {told}"


def shown(value: object) -> str:
    """Return a figure for a table."""
    if isinstance(value, dict):
        return f"{value['percent']} % of {value['of']}" if value["of"] else "–"
    return "–" if value is None else str(value)


def printed(part: str, told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a part."""
    yield f"\n## {part}\n\n| style | marks | precision % | recall % | scopes % | verdicts right |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for style, each in [*sorted(told["styles"].items()), ("all", told["marks"])]:
        yield f"| {style} | {' | '.join(shown(value) for value in each.values())} |"
    yield f"\n- set aside rightly: {shown(told['set aside rightly'])}"
    yield f"- statements not set aside: {shown(told['statements kept'])}"
    for name, value in (told["verdicts"] or {}).items():
        yield f"- {name}: {shown(value)}"
    for name, row in told["by verdict"].items():
        yield f"- {name}: {row['right']} of {row['there']}, F1 {row['F1']}"
    for kind, value in told["by kind of alteration"].items():
        yield f"- altered ({kind}), found: {shown(value)}"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--folder", type=Path, default=FOLDER, help="a folder with a folder for each part")
    reader.add_argument("--sample", action="store_true", help="measure dev only")
    reader.add_argument("--marks", action="store_true", help="read the marks, without verdicts")
    reader.add_argument("--wrong", action="store_true", help="list what comes out wrong in dev")
    reader.add_argument("--json", action="store_true", help="one JSON object instead of Markdown")
    asked = reader.parse_args()
    parts = [DEV] if asked.sample else [part for part in (DEV, APART) if (asked.folder / part).is_dir()]
    whole = {}
    for part in parts:
        marks, judged, wrong = measure(part, asked.folder, asked.marks)
        whole[part] = told_of(marks, judged)
        if not asked.json:
            print("\n".join(printed(part, whole[part])))
        if asked.wrong and part == DEV:
            lines = ["\n### Marks read wrongly\n", *wrong, "\n### Verdicts that are wrong\n", *wrong_verdicts(judged)]
            print("\n".join(lines), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(json.dumps(whole, indent=1))


if __name__ == "__main__":
    main()
