"""`veritas bib`: whether every entry of a bibliography exists and is right."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.errors import InputError

_CSL = frozenset({".json", ".csljson", ".csl"})
_NOT_BIBTEX = _CSL | {".ris", ".nbib", ".docx", ".pdf", ".md", ".markdown", ".tex", ".bbl", ".html", ".xml"}

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry import Entry
    from veritas.citations.bibliography.entry_verdict import Judged


def bib(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="BibTeX, BibLaTeX, CSL-JSON, RIS, LaTeX, Markdown, DOCX, PDF or text. Or `snapshot SOURCE=DUMP...`.",
        ),
    ],
    fix: Annotated[
        Path | None,
        typer.Option("--fix", metavar="FILE", help="Write the corrected bibliography here (BibTeX; CSL-JSON as such)."),
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF.")] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nobody: answer from the cache and snapshot.")] = False,
    snapshot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A local snapshot, as `veritas bib snapshot` makes it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where `bib snapshot` writes the snapshot.")] = None,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy file in place of policies/citations.yaml.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 for minor errors as well.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Check whether every entry of a bibliography exists and is correct.

    Verdicts: verified, minor (what differs, with the corrected entry), misattributed, retracted, withdrawn, fabricated,
    cannot_confirm, unavailable. An outage is never reported as a fabrication, nor is a web page, book, standard, thesis
    or program that registries do not cover. Answers are cached for 30 days, misses for one day, so an interrupted run
    continues where it stopped.

    `veritas bib snapshot crossref=DUMP.jsonl.gz openalex=DUMP.jsonl --out FILE` makes a local snapshot of metadata
    dumps, which --snapshot then uses instead of those registries.

    Exit code 1 if an entry is misattributed, retracted, withdrawn or fabricated; 3 if none is, but a registry that was
    needed did not answer.
    """
    if str(files[0]) == "snapshot" and not files[0].exists():
        _make_snapshot([str(file) for file in files[1:]], out, as_json)
        return
    import asyncio

    from veritas.citations.bibliography.entry_verdict import FINDINGS, Verdict
    from veritas.citations.bibliography.render_verdicts import counts, entry_json, line
    from veritas.use_cases.citations import audit_bibliography

    if fix is not None:
        _may_fix(files, fix)
    progress = _Progress(quiet)
    judged = asyncio.run(
        audit_bibliography(
            files, snapshot=snapshot, offline=offline, policy=policy,
            done=progress.done, looking_ahead=progress.ahead, begun=progress.begun,
        )
    )  # fmt: skip
    if fix is not None:
        _fix(files[0], fix, judged)
    _write(judged, report, sarif)
    if as_json:
        print(json.dumps({"entries": [entry_json(each) for each in judged], "counts": counts(judged)}))
    else:
        for each in judged:
            if each.verdict is not Verdict.VERIFIED:
                print(line(each))
        print(", ".join(f"{number} {name}" for name, number in counts(judged).items() if number), file=sys.stderr)
    found = {each.verdict for each in judged}
    if found & FINDINGS or (strict and Verdict.MINOR in found):
        raise typer.Exit(1)
    if Verdict.UNAVAILABLE in found:
        raise typer.Exit(3)


def _make_snapshot(dumps: list[str], out: Path | None, as_json: bool) -> None:
    from veritas.citations.bibliography.snapshot import build_snapshot
    from veritas.registries.records import SOURCES
    from veritas.settings import home

    given = []
    for dump in dumps:
        name, equals, path = dump.partition("=")
        source = next((known for known in SOURCES if known == name and known != "bibtex"), None)
        if not equals or source is None:
            raise InputError(f"{dump}: name each dump's source, as crossref=FILE; one of {', '.join(SOURCES[:-1])}")
        given.append((source, Path(path)))
    if not given:
        raise InputError("name at least one dump, as crossref=FILE")
    target = out or home() / "snapshot.duckdb"
    count = build_snapshot(given, target)
    print(json.dumps({"snapshot": str(target), "works": count}) if as_json else f"{count:,} works in {target}")


class _Progress:
    """Progress on stderr: a line that is overwritten on a terminal, every tenth part elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._total, self._quiet, self._count = 0, quiet, 0
        self._live = sys.stderr.isatty()

    def begun(self, entries: Sequence[Entry]) -> None:
        self._total = len(entries)

    def ahead(self, identifiers: int) -> None:
        if not self._quiet:
            print(f"{identifiers} identifiers are looked up together …", file=sys.stderr, flush=True)

    def done(self, judged: Judged) -> None:
        self._count += 1
        if self._quiet:
            return
        if self._live:
            end = "\n" if self._count == self._total else ""
            print(f"\r\x1b[K{self._count}/{self._total} {judged.verdict.value}", end=end, file=sys.stderr, flush=True)
        elif self._count == self._total or self._count % max(1, self._total // 10) == 0:
            print(f"{self._count}/{self._total}", file=sys.stderr, flush=True)


def _may_fix(files: list[Path], target: Path) -> None:
    """Refuse, before anybody is asked, a target whose name promises another format than is written."""
    if len(files) != 1:
        raise InputError("--fix takes one bibliography at a time")
    written, read = target.suffix.lower(), files[0].suffix.lower()
    if written in _NOT_BIBTEX and not (written in _CSL and read in _CSL):
        raise InputError(f"--fix {target}: corrections of {files[0].name} are BibTeX; name a file that ends in .bib")


def _fix(source: Path, target: Path, judged: list[Judged]) -> None:
    """Write the corrected bibliography: BibTeX in place, all else kept; other formats as BibTeX of their entries."""
    from veritas.citations.bibliography.correction import corrected_entry, mend_bibtex, mend_csl
    from veritas.citations.bibliography.formats.bibtex_entries import parse_bibtex
    from veritas.citations.bibliography.parse import decoded
    from veritas.files import write_whole

    data = source.read_bytes() if source.suffix not in (".docx", ".pdf") else b""
    text = decoded(data, str(source)) if data else ""
    if source.suffix.lower() in _CSL and target.suffix.lower() in _CSL:
        write_whole(target, mend_csl(text, judged))
        return
    spans = {each.entry.span[0] for each in judged if each.entry.span is not None and not each.entry.guessed}
    if len(spans) == len(judged) and spans == {entry.start for entry in parse_bibtex(text)}:
        begin = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
        text = begin + mend_bibtex(text, judged)
        if not _is_utf8(data):
            print(f"{source} is not UTF-8; {target} is, with the same characters", file=sys.stderr)
    else:
        text = "\n".join(corrected_entry(each) or _as_it_stands(each.entry) for each in judged)
    write_whole(target, text.encode("utf-8", "replace").decode("utf-8"))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _as_it_stands(entry: Entry) -> str:
    if entry.problem:
        return entry.text or f"% {entry.key}: {entry.problem}\n"
    fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in entry.fields.items())
    return f"@{entry.type}{{{entry.key},\n{fields}\n}}\n"


def _write(judged: list[Judged], report: Path | None, sarif: Path | None) -> None:
    from veritas.citations.bibliography.render_verdicts import as_html, as_sarif
    from veritas.files import write_whole

    if report is not None:
        write_whole(report, as_html(judged, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")))
    if sarif is not None:
        write_whole(sarif, as_sarif(judged) + "\n")
