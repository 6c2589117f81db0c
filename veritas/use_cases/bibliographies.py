"""Bibliographies: every entry judged, corrected, and the local snapshot that they may be judged by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import unified_diff
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.errors import InputError
from veritas.use_cases.citations import configured_registries
from veritas.use_cases.given import Paths, given_paths, unheard

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry import Entry as Entry
    from veritas.citations.bibliography.entry_verdict import Judged
    from veritas.reading.reader import Reader

_CSL = frozenset({".json", ".csljson", ".csl"})
_SAME = (_CSL, frozenset({".yaml", ".yml"}), frozenset({".ris"}))
"""Suffixes of formats that are corrected as they are."""
_NOT_BIBTEX = frozenset({".docx", ".pdf", ".md", ".markdown", ".tex", ".bbl", ".html", ".xml", ".nbib"}).union(*_SAME)


async def audit_bibliography(
    files: Paths,
    *,
    snapshot: str | Path | None = None,
    offline: bool = False,
    policy: str | Path | None = None,
    profile: str | Path | None = None,
    pages: bool | None = None,
    done: Callable[[Judged], None] | None = None,
    looking_ahead: Callable[[int], None] | None = None,
    begun: Callable[[Sequence[Entry]], None] | None = None,
    told: Callable[[str], None] | None = None,
) -> list[Judged]:
    """Return the verdict on every entry of bibliographies, in their order: whether it exists and is what it says.

    Reads BibTeX, BibLaTeX, CSL-JSON, CSL-YAML, RIS, NBIB, JATS, LaTeX, Markdown, DOCX, PDF and
    text. `snapshot` is asked in place of the
    registries it was made of; `offline` answers from it and the cache alone. `begun` hears of the entries before
    anybody is asked, `done` of each verdict, `told` of a registry that does not
    answer. `profile` is the name or the file of what rules on the verdicts
    (`policies/references`, by default `lenient`); `pages` says whether the pages are read that entries without a record
    link, by default what the profile says. An outage is `unavailable`, never a fabrication. Raises `InputError`.
    """
    from veritas.citations.bibliography.judging import verify
    from veritas.citations.bibliography.parse import read_bibliography
    from veritas.policy.reference_profile import load_profile

    ruled = load_profile(profile)
    if pages is not None:
        ruled = ruled.model_copy(update={"pages": pages})
    entries = [entry for file in given_paths(files, "files") for entry in read_bibliography(Path(file))]
    local: tuple[Any, ...] = ()
    if snapshot is not None:
        from veritas.citations.bibliography.snapshot import Snapshot

        local = Snapshot(Path(snapshot)).sources
    registries = configured_registries(policy, offline=offline, local=local, told=told or unheard)
    (begun or unheard)(entries)
    reader = page_reader() if ruled.pages and not offline else None
    return await verify(
        entries, registries, profile=ruled, reader=reader, done=done or unheard, looking_ahead=looking_ahead or unheard
    )


def page_reader() -> Reader | None:
    """Return the reader of linked pages; None where the packages that read pages are not installed."""
    try:
        from veritas.reading.web import WebReader
    except ModuleNotFoundError:
        return None
    from veritas.policy.source_tiers import load_source_policy

    return WebReader(load_source_policy())


def profiles() -> tuple[str, ...]:
    """Return the names of the profiles of the policies folder."""
    from veritas.policy.reference_profile import profile_names

    return profile_names()


def check_profile(profile: str | Path) -> None:
    """Raise `InputError` for a profile that is none, by its name or its file."""
    from veritas.policy.reference_profile import load_profile

    load_profile(profile)


def named_profile(name: str | None) -> str | None:
    """Return the name of a profile of the policies folder, or none. Raises `InputError` for a file and for any other
    name: who asks from elsewhere names no file on this machine."""
    if name is not None and name not in profiles():
        raise InputError(f"there is no profile {name[:60]!r}: use one of {', '.join(profiles())}")
    return name


def check_correction(source: str | Path, target: str | Path) -> None:
    """Raise `InputError` where the corrections of `source` would be written in another format than the name of `target`
    says: they keep the format of `source` if `target` has its suffix, and are BibTeX otherwise. Nobody is asked."""
    written, read = Path(target).suffix.lower(), Path(source).suffix.lower()
    if written in _NOT_BIBTEX and not any({written, read} <= same for same in _SAME):
        own = next((f", or in {min(same, key=len)} as it is" for same in _SAME if read in same), "")
        raise InputError(
            f"--fix {target}: corrections of {Path(source).name} are BibTeX; name a file that ends in .bib{own}"
        )


def correct_bibliography(
    source: str | Path,
    target: str | Path,
    judged: Sequence[Judged],
    told: Callable[[str], None] = lambda line: None,
    *,
    dry_run: bool = False,
) -> bool:
    """Write the corrected bibliography; `judged` are the verdicts on the entries of `source`, all of them.

    `told` hears of every change before anything is written; with `dry_run`, of the lines that differ, and nothing is
    written. What `target` held is kept beside it as `.bak`, or as
    `.bak1` and so on.
    BibTeX, CSL-JSON, CSL-YAML and RIS are mended in place and keep their encoding, all else in
    them as it was; of other formats the entries are written as BibTeX. Return whether the corrections hold characters
    that the encoding of the source does not have, so that the file became UTF-8. Raises `InputError`.
    """
    from veritas.citations.bibliography.correction import change_lines, corrected_entry, entry_text, mend_bibtex
    from veritas.citations.bibliography.encodings import encoded, encoding_of
    from veritas.citations.bibliography.formats.bibtex_entries import parse_bibtex
    from veritas.citations.bibliography.parse import decoded, read_data
    from veritas.files import write_new, write_whole
    from veritas.keys import withheld
    from veritas.text.visible import printable

    check_correction(source, target)
    source, target = Path(source), Path(target)
    data = read_data(source) if source.suffix.lower() not in (".docx", ".pdf") else b""
    text = decoded(data, str(source)) if data else ""
    encoding = (encoding_of(data) if data else None) or "utf-8"
    spans = {each.entry.span[0] for each in judged if each.entry.span is not None and not each.entry.guessed}
    if target.suffix.lower() in _NOT_BIBTEX:
        text = _mended(text, source.suffix.lower(), judged)
    elif len(spans) == len(judged) and spans == {entry.start for entry in parse_bibtex(text)}:
        text = mend_bibtex(text, judged)
    else:
        text = "\n".join(corrected_entry(each) or entry_text(each.entry, {}) for each in judged)
        encoding = "utf-8"
    written, kept = encoded(withheld(text), encoding, data)
    for line in (line for each in judged for line in change_lines(each)):
        told(line)
    if dry_run:
        old, new = (each.decode(encoding).splitlines() for each in (data, written))
        for line in unified_diff(old, new, str(source), str(target), n=0, lineterm=""):
            told(printable(line))
        return False
    if target.is_file() and (before := target.read_bytes()) != written:
        names = (target.with_name(f"{target.name}.bak{number or ''}") for number in count())
        told(f"{target} as it was: {next(name for name in names if write_new(name, before))}")
    write_whole(target, written)
    return not kept


def _mended(text: str, suffix: str, judged: Sequence[Judged]) -> str:
    """Return the text of a file that is no BibTeX with the corrections in it. Raises `InputError` for a file that holds
    another format than its name says."""
    from veritas.citations.bibliography import correction_in_place as in_place
    from veritas.citations.bibliography.correction import mend_csl
    from veritas.citations.bibliography.parse import Format, form_of_text

    forms = {
        Format.CSL_JSON: mend_csl, Format.CSL_YAML: in_place.mend_csl_yaml, Format.RIS: in_place.mend_ris,
    }  # fmt: skip
    form = form_of_text(text, suffix)
    if form not in forms:
        raise InputError(f"{judged[0].entry.file} cannot be corrected in its own format: name a file that ends in .bib")
    return forms[form](text, judged)


def make_snapshot(dumps: Sequence[tuple[str, str | Path]], target: str | Path) -> int:
    """Make a local snapshot of metadata dumps, each given with its source (`crossref`, `openalex` …); return how many
    works it holds. `audit_bibliography(snapshot=…)` asks it in place of those registries. Raises `InputError`."""
    from veritas.citations.bibliography.snapshot import build_snapshot
    from veritas.registries.records import SOURCES

    known = [source for source in SOURCES if source != "bibtex"]
    given = []
    for name, path in dumps:
        source = next((each for each in known if each == name), None)
        if source is None:
            said = f"{name}={path}" if name else path
            raise InputError(f"{said}: name each dump's source, as crossref=FILE; one of {', '.join(SOURCES[:-1])}")
        given.append((source, Path(path)))
    if not given:
        raise InputError("name at least one dump, as crossref=FILE")
    return build_snapshot(given, Path(target))


def index_retractions(source: str | Path) -> tuple[int, Path]:
    """Make the index of a Retraction Watch CSV file, which every later check of a paper's standing asks as well; return
    how many notices it holds and where it is kept. Nobody is asked. Raises `InputError`."""
    from veritas.registries.retraction_watch import build_index, index_path

    return build_index(Path(source)), index_path()
