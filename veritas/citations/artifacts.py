"""The artifact of a verified citation: a Markdown file with its identity, its trail and its excerpts (section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from veritas.citations import _artifact_body as body
from veritas.citations.checking.artifact import TEXTS, moment
from veritas.citations.frontmatter import MAX_BYTES, SEAL, NotFrontmatter, dump, load, seal_of, split_artifact
from veritas.errors import InputError
from veritas.files import write_whole
from veritas.frozen import Frozen

VERSION = "2.0"
"""Version of the artifacts that this code writes. Version 1 is the specification's own format, which has no seal."""

Standing = Literal["current", "corrected", "expression_of_concern", "retracted", "withdrawn"]


def _folded(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


class Excerpt(Frozen):
    """A passage, verbatim in the paper's text (whitespace folded), and its location there."""

    text: str = Field(min_length=1)
    location: str = "text"

    @field_validator("text", "location")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return _folded(value)


class Trail(Frozen):
    """The trail of a verification: which sources, which decisive fields, what was noted."""

    primary_source: str
    secondary_source: str | None = None
    decisive_fields_agreed: bool
    decisive_fields_checked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @field_validator("notes")
    @classmethod
    def _one_line(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_folded(note) for note in value)


class Artifact(Frozen):
    """An artifact. Identity, identifiers and URLs are a source's, never a model's (section 7.1).

    `text_sha256` is the hash of the paper's text as it was read (UTF-8); the text itself lies in `texts/<slug>.txt`
    only if it was kept. `verified_at` is in UTC, to the second. Raises `ValidationError` for an artifact that says it
    is verified and is not: without agreement, without being a lone source, and without a person's reason.
    """

    title: str = Field(min_length=1)
    authors: tuple[str, ...] = Field(min_length=1)
    year: int = Field(ge=1000, le=2200)
    venue: str | None = None
    venue_full: str | None = None
    arxiv_id: str | None = None
    doi: str | None = None
    urls: dict[str, str] = Field(default_factory=dict)
    sources_consulted: tuple[str, ...] = Field(min_length=1)
    triangulation: Trail
    single_source_verified: bool = False
    text_excerpts_unavailable: bool = False
    text_url: str | None = None
    text_sha256: str | None = None
    standing: Standing = "current"
    verified_by: str = "veritas"
    verified_at: datetime
    verification_version: str = VERSION
    human_overridden: bool = False
    override_reason: str | None = None
    claim_supported: str = Field(min_length=1)
    review: tuple[str, ...] = ()
    """Claims that no excerpt can show and a reviewer has to judge, such as who was first."""
    abstract: str = Field(min_length=1)
    excerpts: tuple[Excerpt, ...] = ()
    snippet: str = Field(min_length=1)
    bibtex: str = Field(min_length=1)

    @field_validator("title", "claim_supported", "abstract", "snippet")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return _folded(value)

    @field_validator("authors")
    @classmethod
    def _names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_folded(name) for name in value)

    @field_validator("bibtex")
    @classmethod
    def _lines(cls, value: str) -> str:
        lines = value.encode("utf-8", "replace").decode("utf-8").replace("```", "'''").splitlines()
        return "\n".join(line.rstrip() for line in lines).strip()

    @field_validator("verified_at")
    @classmethod
    def _utc(cls, value: datetime) -> datetime:
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)

    @model_validator(mode="after")
    def _holds(self) -> Self:
        """Refuse an artifact that was not verified, unless a person gives a reason (section 7.1)."""
        if not all((self.title, self.claim_supported, self.abstract, self.snippet, self.bibtex, *self.authors)):
            raise ValueError("a title, name, claim, abstract or citation is blank")
        if self.human_overridden:
            if not (self.override_reason or "").strip():
                raise ValueError("an override needs a reason")
            return self
        if not (self.triangulation.decisive_fields_agreed or self.single_source_verified):
            raise ValueError("its sources do not agree, so it is not verified")
        if not (self.doi or self.arxiv_id or self.single_source_verified):
            raise ValueError("it has neither DOI nor arXiv id")
        if not self.excerpts:
            raise ValueError("it has no excerpt that supports the claim")
        if self.standing in ("retracted", "withdrawn"):
            raise ValueError(f"the paper was {self.standing}")
        return self


def render(artifact: Artifact) -> str:
    """Return the file's text: frontmatter in canonical form, the four sections, sealed."""
    fields: dict[str, Any] = artifact.model_dump(
        mode="python", exclude={"abstract", "excerpts", "snippet", "bibtex", "verified_at"}
    )
    fields["verified_at"] = artifact.verified_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    order = [name for name in Artifact.model_fields if name in fields]
    front = dump({name: fields[name] for name in order})
    quotes = "\n\n".join(body.excerpt_block(each.text, each.location) for each in artifact.excerpts)
    parts = {
        body.ABSTRACT: body.harmless(artifact.abstract),
        body.EXCERPTS: quotes or "None: a person overrode the check; see override_reason.",
        body.SNIPPET: body.harmless(artifact.snippet),
        body.BIBTEX: f"```bibtex\n{artifact.bibtex}\n```",
    }
    rest = "\n\n".join(f"## {name}\n\n{text}" for name, text in parts.items())
    unsealed = f"---\n{front}---\n\n{rest}\n"
    return f"---\n{front}{SEAL}: {_quoted(seal_of(unsealed))}\n---\n\n{rest}\n"


def _quoted(seal: str) -> str:
    return f'"{seal}"'


def parse(text: str) -> Artifact:
    """Return the artifact in a file's text, whether this code or a person wrote it. Raises `InputError` with what is
    wrong.

    The seal is not checked here; `veritas check` does that.
    """
    try:
        front, rest = split_artifact(text.replace("\r\n", "\n"))
        fields = load(front)
    except NotFrontmatter as error:
        raise InputError(str(error)) from error
    parts = body.sections(rest)
    fields.pop(SEAL, None)
    fields["verified_at"] = moment(fields.get("verified_at"))
    known = {name: value for name, value in fields.items() if name in Artifact.model_fields}
    known["urls"] = {name: url for name, url in dict(known.get("urls") or {}).items() if url is not None}
    try:
        return Artifact(
            **known,
            abstract=body.restored(parts.get(body.ABSTRACT, "")),
            excerpts=tuple(
                Excerpt(text=quote, location=place or "text")
                for quote, place in body.excerpts(parts.get(body.EXCERPTS, ""))
            ),
            snippet=body.restored(parts.get(body.SNIPPET, "")),
            bibtex=body.fenced(parts.get(body.BIBTEX, "")),
        )
    except (ValidationError, TypeError, ValueError) as error:
        raise InputError(f"it is no valid artifact: {_first(error)}") from error


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        listed = error.errors()
        return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'artifact'}: {one['msg']}" for one in listed[:5])
    return str(error)


def read_artifact(path: Path) -> Artifact:
    """Read the artifact in a file. Raises `InputError`, with the file's name."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(raw) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES:,} bytes")
    try:
        return parse(raw.decode("utf-8"))
    except (UnicodeDecodeError, InputError) as error:
        raise InputError(f"{path}: {error}") from error


def write_artifact(artifact: Artifact, folder: Path, slug: str, *, text: str | None = None) -> Path:
    """Write `<folder>/<slug>.md`, and with `text` the paper's text beside it. Existing files are replaced.

    Raises `StoreUnavailable` for a folder that cannot be written.
    """
    if text is not None:
        write_whole(folder / TEXTS / f"{slug}.txt", text)
    path = folder / f"{slug}.md"
    write_whole(path, render(artifact))
    return path


def artifact_files(folder: Path) -> Sequence[Path]:
    """Return the paths of a folder's artifacts, sorted; README and index files are left out."""
    return [path for path in sorted(folder.glob("*.md")) if path.name.lower() not in ("readme.md", "index.md")]
