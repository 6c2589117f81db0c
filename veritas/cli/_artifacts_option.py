"""Where the artifacts of citations are: what several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Artifacts = Annotated[str, typer.Option("--artifacts", metavar="DIR", help="The artifacts' folder in the project.")]
CitationMap = Annotated[
    Path | None,
    typer.Option("--map", metavar="FILE", help="JSON or YAML of citation key: artifact, for \\cite and @key."),
]
