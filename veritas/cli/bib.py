"""`veritas bib`: whether every entry of a bibliography exists and is right."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._inputs import CitationsPolicy, OneJson, Quiet
from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas import EntryVerdict
    from veritas.use_cases.bibliographies import Entry


def bib(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="BibTeX, BibLaTeX, CSL-JSON or YAML, RIS, NBIB, JATS, LaTeX, Markdown, DOCX, PDF or "
            "text. Or `snapshot SOURCE=DUMP...`, or `retractions FILE`.",
        ),
    ],
    fix: Annotated[
        Path | None,
        typer.Option("--fix", metavar="FILE", help="Tell on stderr what is corrected, then write it; .bak keeps FILE."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --fix: print on stderr what would change, and write nothing.")
    ] = False,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF.")] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="No network: use only the cache and the snapshot.")
    ] = False,
    snapshot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A local snapshot made by `veritas bib snapshot`.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="For `bib snapshot`: the file to write.")] = None,
    policy: CitationsPolicy = None,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="What stops, and what counts as hallucinated: lenient, strict, …"),
    ] = None,
    pages: Annotated[
        bool | None,
        typer.Option("--pages/--no-pages", help="Read the pages that entries without a record link."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="The profile strict: what nothing confirms is refused, slips included.")
    ] = False,
    quiet: Quiet = False,
    as_json: OneJson = False,
) -> None:
    """Check whether every entry of a bibliography exists and is correct.

    Verdicts: verified, minor (what differs, with the corrected entry), misattributed, retracted, withdrawn, fabricated,
    cannot_confirm, unavailable. An outage is never reported as a fabrication, nor is a web page, book, standard, thesis
    or program that registries do not cover. Answers are cached for 30 days, misses for one day, so an interrupted run
    continues where it stopped.

    `veritas bib snapshot crossref=DUMP.jsonl.gz openalex=DUMP.jsonl --out FILE` makes a local snapshot of metadata
    dumps, which --snapshot then uses instead of those registries.

    --fix corrects an entry only where an identifier, or its title with a person or with venue and year, ties it to its
    record. Format and encoding stay.

    A profile decides what stops a pipeline and what a venue calls a hallucinated reference: `lenient` (the default),
    `strict`, `neurips-2026`, or a file of your own. `strict` and `neurips-2026` read the linked pages of works that no
    registry has.

    `veritas bib retractions FILE.csv` makes an index of a Retraction Watch file in VERITAS_HOME; every later check of a
    paper's standing, of any command and without a network, asks it as well.

    Exit code 1 if the profile refuses an entry (by default misattributed, retracted, withdrawn, fabricated), else 2 if
    an entry cannot be read, else 3 if a registry or a page that was needed did not answer.
    """
    if str(files[0]) == "snapshot" and not files[0].exists():
        _make_snapshot([str(file) for file in files[1:]], out, as_json)
        return
    if str(files[0]) == "retractions" and not files[0].exists():
        _index(files[1:], as_json)
        return
    import asyncio

    from veritas.report.bibliography_verdicts import as_json as document_of
    from veritas.report.bibliography_verdicts import line, profile_line, unanswered_line
    from veritas.use_cases.bibliographies import audit_bibliography, check_correction, correct_bibliography

    if fix is not None:
        if len(files) != 1:
            raise InputError("--fix takes one bibliography at a time")
        check_correction(files[0], fix)
    elif dry_run:
        raise InputError("--dry-run says what --fix FILE would change: give both")
    if strict and profile is not None:
        raise InputError("--strict is the profile strict: give it or --profile")
    ruled = "strict" if strict else profile
    progress = _Progress(quiet)
    judged = asyncio.run(
        audit_bibliography(
            files, snapshot=snapshot, offline=offline, policy=policy, profile=ruled, pages=pages,
            done=progress.done, looking_ahead=progress.ahead, begun=progress.begun, told=progress.told,
        )
    )  # fmt: skip
    tell = partial(print, file=sys.stderr)
    if fix is not None and correct_bibliography(files[0], fix, judged, told=tell, dry_run=dry_run):
        print(f"{files[0]} is not UTF-8 and has no room for a correction; {fix} is UTF-8", file=sys.stderr)
    _write(judged, report, sarif)
    document = document_of(judged)
    if as_json:
        print(json.dumps(document))
    else:
        for each in judged:
            if each.verdict.value not in ("verified", "unavailable") or each.refused:
                print(line(each))
        for cause in document["unanswered"]:
            print(f"unavailable: {unanswered_line(cause)}")
        print(", ".join(f"{number} {name}" for name, number in document["counts"].items() if number), file=sys.stderr)
        print(profile_line(judged), file=sys.stderr)
    if any(each.refused for each in judged):
        raise typer.Exit(1)
    if any(each.entry.problem for each in judged):
        raise typer.Exit(2)
    if document["unanswered"]:
        raise typer.Exit(3)


def _make_snapshot(dumps: list[str], out: Path | None, as_json: bool) -> None:
    from veritas.settings import home
    from veritas.use_cases.bibliographies import make_snapshot

    given = []
    for dump in dumps:
        name, equals, path = dump.partition("=")
        given.append((name if equals else "", path or dump))
    target = out or home() / "snapshot.duckdb"
    count = make_snapshot(given, target)
    print(json.dumps({"snapshot": str(target), "works": count}) if as_json else f"{count:,} works in {target}")


def _index(files: list[Path], as_json: bool) -> None:
    from veritas.use_cases.bibliographies import index_retractions

    if len(files) != 1:
        raise InputError("name one file, as veritas bib retractions FILE.csv")
    count, target = index_retractions(files[0])
    print(json.dumps({"index": str(target), "notices": count}) if as_json else f"{count:,} notices in {target}")


class _Progress:
    """Progress on stderr: a line that is overwritten on a terminal, every tenth part elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._total, self._quiet, self._count = 0, quiet, 0
        self._live = sys.stderr.isatty()

    def begun(self, entries: Sequence[Entry]) -> None:
        self._total = len(entries)

    def ahead(self, identifiers: int) -> None:
        self.told(f"{identifiers} identifiers are looked up together")

    def told(self, said: str) -> None:
        if not self._quiet:
            print(f"{said} …", file=sys.stderr, flush=True)

    def done(self, judged: EntryVerdict) -> None:
        self._count += 1
        if self._quiet:
            return
        if self._live:
            end = "\n" if self._count == self._total else ""
            print(f"\r\x1b[K{self._count}/{self._total} {judged.verdict.value}", end=end, file=sys.stderr, flush=True)
        elif self._count == self._total or self._count % max(1, self._total // 10) == 0:
            print(f"{self._count}/{self._total}", file=sys.stderr, flush=True)


def _write(judged: list[EntryVerdict], report: Path | None, sarif: Path | None) -> None:
    from veritas.files import write_whole
    from veritas.report.bibliography_verdicts import as_html, as_sarif

    if report is not None:
        write_whole(report, as_html(judged, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")))
    if sarif is not None:
        write_whole(sarif, as_sarif(judged) + "\n")
