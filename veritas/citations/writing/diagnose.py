"""The check of one text while it is written. It reads no file that did not change, and asks nobody."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from veritas.citations.bibliography.entry import Entry
from veritas.citations.checking.artifact import is_artifact_name
from veritas.citations.marks.known_keys import keys_of_sources, known_places
from veritas.citations.marks.links import Kind, Place, is_bibliography, kind_of, other_markup, places, uncommented
from veritas.citations.marks.notebooks import cells, is_notebook
from veritas.citations.marks.other_markup import definitions, labels, rst_prose
from veritas.citations.writing.diagnostic import Diagnostic, Level, SeeAlso
from veritas.citations.writing.entry_diagnostics import at_citation, of_bibliography, of_entry
from veritas.citations.writing.evidence_edits import identity
from veritas.citations.writing.known_artifacts import KnownArtifact, read
from veritas.citations.writing.printed_diagnostics import of_dois_in_comments, of_references
from veritas.citations.writing.printed_lists import printed_references
from veritas.citations.writing.project import Project, Resolver
from veritas.citations.writing.sentence_diagnostics import Cited, of_comments, of_sentences
from veritas.works.printed_dois import printed_dois

_NOTE = re.compile(r"\[\^([^\]\s]{1,200})\]:")
_DOI = re.compile(r"10\.(?<!\w10\.)\d{4,9}/\S")
_OPENED = re.compile(r"(?:\([^()\n\"“”]{0,160}|\[[^\[\]\n\"“”]{0,160}\]\(\S{0,30}|<?https?://\S{0,30}|doi: ?)\Z")
"""What leads up to a DOI and belongs to the citation: a bracket with names, the words of a link."""
_NOTE_ENDS = re.compile(r"\n[ \t]*\n|\n(?=[ \t>]*\[\^)")
_MARKED = re.compile(r"[/*_=~+#$\\\[\]{}<>^]")
_OLD = frozenset({"stale"})
_SLIGHT = frozenset({"unsealed"})


@dataclass(frozen=True, slots=True)
class Resolved:
    """A citation and what it leads to: the artifact, the entry of a bibliography, or neither."""

    place: Place
    artifact: KnownArtifact | None
    entry: Entry | None
    problem: tuple[str, str, str | None] | None

    @property
    def key(self) -> str | None:
        """The citation key, if it is cited by one."""
        return self.place.link.target if self.place.link.kind == "key" else None


def lined(text: str) -> str:
    """Return a text with `\\n` as its only line end, as all places count it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def diagnose(text: str, path: str, project: Project, kind: Kind | None = None) -> list[Diagnostic]:
    """Return what is wrong in a text, in order; places count in `lined(text)`.

    `path` is where it is or will be saved, `kind` what it is if the name does not tell. What takes long is looked up
    in what `project` knows; where it knows nothing yet, the question is kept for `Project.settle`, and the text is not
    accused. Never raises for what stands in the text.
    """
    path = os.path.abspath(path)
    text = lined(text)
    kind = kind or ("bibtex" if is_bibliography(path, text) else kind_of(path))
    if kind == "bibtex":
        faults = of_bibliography(project.bibliographies.read(path, text), project.verdicts)
        return sorted(faults, key=lambda each: (each.start, each.end))
    if is_artifact(path, project):
        return sorted(_of_artifact(text, path, project))
    if path.lower().endswith(".ipynb") and text.strip():
        if is_notebook(text):
            return sorted(_of_notebook(text, path, project))
        message = "this is no notebook of the format's version 4, so its citations were not checked"
        return [Diagnostic(0, 0, "not-checked", "unknown", message, path)]
    resolver = project.resolver()
    found = resolve(text, path, project, kind, resolver)
    if any(one.artifact for one in found):
        resolver.keys()  # reads the artifacts of the project, which a sentence may be of
    cited = [Cited(one.place.start, one.place.end, one.artifact) for one in found]
    cited = sorted([*cited, *_by_doi(text, kind, project, resolver)], key=lambda each: each.start)
    told = sorted((
        *(_of_labels(text, project, resolver) if kind == "rst" else ()),
        *(each for one in found for each in _of_citation(one, text, kind, project, resolver)),
        *of_references(text, kind, project.verdicts),
        *(
            _of_other_markup(text, cited, project) if other_markup(path)
            else of_sentences(uncommented(text, kind), kind, cited, project)
        ),
        *(_of_source(text, os.path.basename(path), cited, project) if kind == "source" else ()),
        *(_of_unknown_keys(text, os.path.basename(path), found) if kind == "source" else ()),
    ))  # fmt: skip
    return told if resolver.keeps_artifacts else _said_once(told)


def _said_once(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics of a project that keeps no artifacts, which is said once and not of each citation."""
    lacking: list[Diagnostic] = []
    others: list[Diagnostic] = []
    for each in found:
        (lacking if (each.code, each.level) == ("no-artifact", "information") else others).append(each)
    if len(lacking) < 2:
        return list(found)
    said = f"this project keeps no artifacts, so nothing shows what the works of {len(lacking):,} citations here say. "
    return sorted([*others, replace(lacking[0], message=f"{said}Make them with veritas cite")])


def _by_doi(text: str, kind: Kind, project: Project, resolver: Resolver) -> Iterator[Cited]:
    """Yield the DOIs of sentences, if one of them is that of an artifact: a quotation beside it is its work's."""
    if kind not in ("markdown", "latex", "rst") or not resolver.keeps_artifacts or not _DOI.search(text):
        return
    led = [(each, resolver.artifact_of_doi(each.doi.lower())) for each in printed_dois(text)]
    if not any(path for _, path in led):
        return
    listed = [(start, end) for start, end, _ in printed_references(text, kind)]
    for each, path in led:
        if not any(start <= each.start < end for start, end in listed):
            opened = _OPENED.search(text, max(0, each.start - 200), each.start)
            start = opened.start() if opened else each.start
            yield Cited(start, each.end, project.artifacts.get(path) if path else None, by_doi=True)


def _of_source(text: str, name: str, cited: Sequence[Cited], project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong in the comments of source code: quotations, and DOIs."""
    yield from of_comments(text, name, cited)
    yield from of_dois_in_comments(text, name, project.verdicts)


def _of_other_markup(text: str, cited: Sequence[Cited], project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with the sentences of Org and Typst, which are read as plain text: a quotation with markup in
    it may be right."""
    for each in of_sentences(text, "markdown", cited, project):
        if each.code in ("quote-altered", "quote-not-found") and _MARKED.search(text, each.start, each.end):
            yield replace(each, code="unknown", level="unknown")
        else:
            yield each


def _of_unknown_keys(text: str, name: str, found: Sequence[Resolved]) -> Iterator[Diagnostic]:
    """Yield the keys of a file that is text and code at once which no bibliography here has: another's may."""
    known = {one.place.end for one in found if one.key and (one.entry or one.artifact)}
    for at, key in keys_of_sources(text, name):
        if at + len(key) not in known:
            message = f"@{key}: no bibliography that was found has this key, and another that this file is for may"
            yield Diagnostic(at, at + len(key), "unknown", "unknown", message, key, key)


def _of_notebook(text: str, path: str, project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong in the cells of a notebook, at the places of the notebook's own text."""
    defined = {f"[^{label}]" for label in _NOTE.findall(text)}
    for cell in cells(text):
        for each in diagnose(cell.source, os.path.join(os.path.dirname(path), cell.name), project):
            if each.code == "undefined-footnote" and each.subject in defined:  # in another cell
                continue
            start = cell.place(each.start)
            yield replace(each, start=start, end=max(start, cell.place(each.end)))


def _of_labels(text: str, project: Project, resolver: Resolver) -> Iterator[Diagnostic]:
    """Yield the labels that no file defines. A package's docstrings may: nobody is accused."""
    cited = list(labels(rst_prose(text)))
    here = {label.casefold() for label, _, _ in definitions(text)} if cited else set()
    for start, end, label in cited:
        if label.casefold() in here or resolver.artifact_of_key(label) or project.labels.defined(label):
            continue
        message = f"[{label}]_: no file of the project defines this label. Define it with `.. [{label}] …`"
        yield Diagnostic(start, end, "unknown", "unknown", message, f"[{label}]_", label)


def is_artifact(path: str, project: Project) -> bool:
    """Return whether a path is one of an artifact of the project."""
    folder, name = os.path.split(path)
    inside = os.path.normpath(os.path.join(project.root, project.folder))
    return folder == inside and is_artifact_name(name)


def resolve(
    text: str, path: str, project: Project, kind: Kind, resolver: Resolver | None = None
) -> list[Resolved]:
    """Return the citations of a text with what each leads to, in order."""
    resolver = resolver or project.resolver()
    cited = places(resolver.finder, text, os.path.basename(path))

    def listed() -> set[str]:
        return {key for one in project.bibliographies.of(path, text, kind).there for key in one.by_key}

    if more := known_places(text, os.path.basename(path), kind, cited, listed):
        cited = sorted([*cited, *more], key=lambda place: place.start)
    entries: dict[str, Entry] = {}
    if any(place.link.kind == "key" for place in cited):
        resolver.listed = project.bibliographies.of(path, text, kind)
        for bibliography in reversed(resolver.listed.there):
            entries |= bibliography.by_key
        entries |= {entry.key: entry for _, _, entry in printed_references(text, kind)} if kind == "latex" else {}
        entries |= _of_others(cited, entries, project, resolver)
    return [_resolved(place, path, project, resolver, entries) for place in cited]


def wrong_keys(text: str, path: str, project: Project) -> dict[int, str]:
    """Return where a page cites a key that surely is in no bibliography, each with the reason. Places count in
    `lined(text)`; of a notebook, in its file."""
    text = lined(text)
    if path.lower().endswith(".ipynb"):
        folder = os.path.dirname(path)
        return {cell.place(at): said for cell in cells(text)
                for at, said in wrong_keys(cell.source, os.path.join(folder, cell.name), project).items()}  # fmt: skip
    kind, resolver = kind_of(path), project.resolver()
    told = {one.place.link.offset: _unresolved(one, kind, project, resolver)
            for one in resolve(text, path, project, kind, resolver) if one.key and one.problem is not None}  # fmt: skip
    return {at: said for at, (code, level, said) in told.items() if (code, level) == ("unknown-key", "error")}


def _of_others(
    cited: Sequence[Place], entries: Mapping[str, Entry], project: Project, resolver: Resolver
) -> dict[str, Entry]:
    """Return the entries of keys that only another bibliography of the project has, which the page does not rule out;
    why the others cannot be told is kept in `resolver.elsewhere`."""
    asked = {one.link.target for one in cited if one.link.kind == "key"} - entries.keys()
    asked = {key for key in asked if resolver.artifact_of_key(key) is None}
    if not asked:
        return {}
    others, whole = project.bibliographies.everywhere()
    found: dict[str, Entry] = {}
    for key in asked:
        having = [each for each in others if key in each.by_key]
        if not having:
            if not whole:
                resolver.elsewhere[key] = "this project is too large to be looked through for a bibliography with it"
            continue
        name = os.path.relpath(having[0].path, project.root)
        if resolver.listed.named:
            resolver.elsewhere[key] = f"the bibliography that the page names does not have it, and {name} has"
        elif len({each.by_key[key].subject for each in having}) > 1:
            resolver.elsewhere[key] = "bibliographies of this project have it for different works. Name one of them"
        else:
            found[key] = having[0].by_key[key]
    return found


def _resolved(
    place: Place, path: str, project: Project, resolver: Resolver, entries: dict[str, Entry]
) -> Resolved:
    link = place.link
    problem = resolver.resolve(path, link)
    where = None
    if problem is None and link.kind in ("key", "path"):
        where = resolver.artifact_of_key(link.target) if link.kind == "key" else resolver.locate(path, link.target)[0]
    artifact = resolver.known(where) if where else None
    return Resolved(place, artifact, entries.get(link.target) if link.kind == "key" else None, problem)


def _note(text: str, start: int) -> str:
    """Return the footnote whose definition begins at a place."""
    end = _NOTE_ENDS.search(text, start)
    return text[start : end.start() if end else len(text)]


def _of_citation(
    one: Resolved, text: str, kind: Kind, project: Project, resolver: Resolver
) -> Iterator[Diagnostic]:
    start, end, key = one.place.start, one.place.end, one.key
    told = False
    noted = one.place.link.kind == "no-artifact" and one.place.link.target.startswith("[^")
    # A note that gives the DOI of an artifact leads to it; where none are kept, one is judged by its DOI.
    note = _note(text, start) if noted and one.problem is not None else ""
    told_by_doi = _DOI.search(note) is not None and (
        not project.keeps_artifacts or any(resolver.has_doi(each.doi.lower()) for each in printed_dois(note))
    )
    if one.problem is not None and not told_by_doi:
        code, level, message = _unresolved(one, kind, project, resolver)
        told = level == "error"
        there = os.path.join(project.root, one.problem[2]) if one.problem[2] else None
        related = (SeeAlso(there, 1, "the artifact would be here"),) if there else ()
        yield Diagnostic(start, end, code, level, message, one.place.link.target, key, related)
    if one.artifact is not None:
        yield from _of_cited_artifact(one, one.artifact)
        unsealed = any(rule in _SLIGHT for rule, _ in one.artifact.checked.problems)
        if unsealed and one.entry is None and (wrong := _of_identity(one.artifact, project)):
            yield Diagnostic(start, end, *wrong, subject=one.artifact.path, key=key)
    if one.entry is not None:
        found = resolver.fault(one.entry, lambda entry: at_citation(entry, project.verdicts))
        # An artifact shows that the work exists; where it is asked for, that is all that there is to say.
        if found and not (found.level == "unknown" and (one.artifact is not None or told)):
            yield replace(found, start=start, end=end)


def _unresolved(one: Resolved, kind: Kind, project: Project, resolver: Resolver) -> tuple[str, Level, str]:
    """Return the fault of a citation that leads to no artifact, as the check of a tree names it; a key that stands in a
    bibliography lacks an artifact only. In a project without artifacts its bibliography is all that is asked for."""
    assert one.problem is not None
    rule, message, _ = one.problem
    if rule == "no-artifact" and one.place.link.target.startswith("[^") and not project.keeps_artifacts:
        return "unknown", "unknown", "this note may be a reference; nothing here tells whether the work exists"
    if rule == "undefined-footnote" and one.place.link.doubt:
        said = "is defined nowhere here; it may be of a regular expression. Define it, or mark it as code"
        return "unknown", "unknown", f"{one.place.link.target} {said}"
    if rule != "unknown-key":
        return rule, "error", message
    # what `veritas check` reads
    checked = (kind == "markdown" and not one.place.link.foreign) or resolver.map is not None
    if one.entry is not None:
        level: Level = "error" if checked and resolver.keeps_artifacts else "information"
        wrong = of_entry(one.entry, project.verdicts)
        said = "the bibliography has it; no artifact shows what it says. "
        if wrong is None or wrong[1] in ("information", "warning"):
            said += "Make one with veritas cite"
        elif wrong[1] == "unknown":
            said += "Ask with veritas bib whether the work exists, and if it does, make one with veritas cite"
        else:
            said += "Do not make one: the work is not what the entry says, or should not be cited"
        return "no-artifact", level, f"@{one.key}: {said}"
    if doubt := resolver.elsewhere.get(one.key or ""):
        return "unknown", "unknown", f"@{one.key}: {doubt}"
    if one.place.link.doubt == "alone":
        said = "no bibliography has this key; it may be the name of a user or of a macro. Correct it, or write `\\@`"
        return "unknown", "unknown", f"@{one.key}: {said}"
    kept = resolver.keeps_artifacts or resolver.map is not None
    if not (checked and kept and not one.place.link.doubt) and not resolver.listed.tells:
        said = "no bibliography was found that could have it. Name one, or correct the key"
        # An editor shows what surely is a key; nobody is accused.
        shown: Level = "information" if checked and not one.place.link.doubt else "unknown"
        return "unknown", shown, f"@{one.key}: {said}"
    if resolver.listed.missing and not (checked and kept):
        said = "a bibliography that the page names is not there or cannot be read, and may have it"
        return "unknown", "unknown", f"@{one.key}: {said}"
    said = "no bibliography and no artifact has this key. Correct it, or add the entry"
    return rule, "error", f"@{one.key}: {said}"


def _of_cited_artifact(one: Resolved, artifact: KnownArtifact) -> Iterator[Diagnostic]:
    if not artifact.checked.problems and artifact.standing == "current":
        return
    start, end, key = one.place.start, one.place.end, one.key
    name, told = os.path.basename(artifact.path), artifact.checked.problems
    own = [(rule, message) for rule, message in told if rule != "withdrawn"]
    for rule, message in told:
        if rule == "withdrawn":
            there = (SeeAlso(artifact.path, 1, f"{message} ({rule})"),)
            subject = f"{artifact.path}: {rule}"
            yield Diagnostic(start, end, "retracted", "error", f"{name}: {message}", subject, key, there)
    if own:  # one for all of them: they are about the artifact's file, and not about the sentence
        level: Level = min((_level(rule) for rule, _ in own), key=_GRAVEST.index)
        first = next(message for rule, message in own if _level(rule) == level)
        more = f" and {len(own) - 1} more" if own[1:] else ""
        said = f"{name}: {first}" if not more else f"{name} does not pass its check: {first}{more}"
        related = tuple(SeeAlso(artifact.path, 1, f"{message} ({rule})") for rule, message in own)
        subject = f"{artifact.path}: {', '.join(dict.fromkeys(rule for rule, _ in own))}"
        yield Diagnostic(start, end, "artifact", level, said, subject, key, related)
    if artifact.standing in ("corrected", "expression_of_concern"):
        said = artifact.standing.replace("_", " ")
        there = (SeeAlso(artifact.path, 1, f"standing: {artifact.standing}"),)
        message = f"since it was published: {said}"
        yield Diagnostic(start, end, "corrected", "warning", message, artifact.path, key, there)


def _of_identity(artifact: KnownArtifact, project: Project) -> tuple[str, Level, str] | None:
    """Return what is known to be wrong with the work that an artifact names: that there is none, or it is another's."""
    work = identity(artifact.fields)
    wrong = of_entry(work, project.verdicts) if work is not None else None
    return wrong if wrong is not None and wrong[1] == "error" and wrong[0] != "retracted" else None


def _of_artifact(text: str, path: str, project: Project) -> Iterator[Diagnostic]:
    """Yield what the check of an artifact finds in its own text, and what is wrong with the work that it names."""
    line = text.find("\n")
    artifact = read(path, project.now, text.encode("utf-8", "replace"))
    if wrong := _of_identity(artifact, project):
        yield Diagnostic(0, max(line, 0), *wrong, subject=f"{artifact.title} {artifact.checked.doi}")
    for rule, message in artifact.checked.problems:
        code = "retracted" if rule == "withdrawn" else "artifact"
        yield Diagnostic(0, max(line, 0), code, _level(rule), message, rule)


_GRAVEST: tuple[Level, ...] = ("error", "warning", "information", "unknown")


def _level(rule: str) -> Level:
    return "information" if rule in _SLIGHT else "warning" if rule in _OLD else "error"
