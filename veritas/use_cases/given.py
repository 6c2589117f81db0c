"""What a caller has given, checked and made plain before anything is done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from veritas.errors import CorpusError, InputError

if TYPE_CHECKING:
    from veritas.policy.cost_tiers import Budget

T = TypeVar("T")
Paths = str | Path | Iterable[str | Path]
"""A folder or file, or several."""
Tier = Literal["quick", "standard", "deep"]
"""How thorough a run is. A tier of another name in a file of cost tiers is passed with `typing.cast`."""
Form = Literal["markdown", "html", "json", "terminal"]
"""The form of a report; that of a plug-in is passed with `typing.cast`."""
Spending: TypeAlias = "float | Budget | Mapping[str, float | None]"
"""The most that may be spent: US dollars, a `Budget`, or its fields `usd`, `calls` and `seconds` by name."""


def given_paths(paths: Paths, name: str = "corpus") -> list[str]:
    """Return the paths as text, one or several. Raises `InputError` for an empty path and for what is no path."""
    several = [paths] if isinstance(paths, str | Path) else paths
    if isinstance(several, bytes) or not isinstance(several, Iterable):
        raise InputError(f"{name} is {_what(paths)}: give a path, or a list of paths")
    listed = list(several)
    for path in listed:
        if not isinstance(path, str | Path):
            raise InputError(f"{name} holds something of type {type(path).__name__}: give a path, or a list of paths")
        if not str(path).strip():
            raise InputError(f'{name} is an empty path: the current folder is "."')
    return [str(path) for path in listed]


def given_corpus(paths: Paths) -> list[str]:
    """Return the paths of a corpus as text. Raises `InputError` as `given_paths` does, and `CorpusError` for a file of
    a kind that is not read: no run over it could go on."""
    listed = given_paths(paths)
    for path in listed:
        refuse_unread(path)
    return listed


def refuse_unread(path: str | Path) -> None:
    """Raise `CorpusError` for a file of a kind that is not read. A folder, an address or a name of another kind
    passes."""
    if Path(path).is_file() and not is_read(path):
        kinds = "PDF, HTML, Markdown, reStructuredText, text, notebooks, DOCX, LaTeX, JATS, .jsonl and .zip"
        raise CorpusError(f"{path} is of no kind that is read: {kinds} are, among others")


def is_read(path: str | Path) -> bool:
    """Return whether a file is of a kind that is read, by its name: a document, or documents in a .jsonl or .zip."""
    from veritas.reading.formats import kind_of

    return kind_of(Path(path)) is not None or Path(path).suffix.lower() in (".jsonl", ".zip")


def in_file(text: str, name: str, use: Callable[[Path], T]) -> T:
    """Return the result of `use` for a file that holds the text; errors do not contain its path."""
    with TemporaryDirectory(prefix="veritas-given-") as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            return use(path)
        except InputError as error:
            raise InputError(str(error).replace(str(path), "the text").replace(folder, "the text")) from error


def given_text(text: str, name: str) -> str:
    """Return a text. Raises `InputError` for what is none."""
    if isinstance(text, str):
        return text
    of_run = getattr(getattr(text, "run", None), "run_id", None)
    hint = f"; the id of this one is {of_run!r}" if of_run else ""
    raise InputError(f"{name} is {_what(text)}: give a text{hint}")


def given_budget(budget: Spending | None) -> Budget | None:
    """Return the budget, of which a number is US dollars. Raises `InputError` for what is none."""
    from pydantic import ValidationError

    from veritas.frozen import first_fault
    from veritas.policy.cost_tiers import Budget

    if budget is None or isinstance(budget, Budget):
        return budget
    if isinstance(budget, Mapping):
        try:
            return Budget.model_validate(dict(budget))
        except ValidationError as error:
            raise InputError(f"budget.{first_fault(error)}") from error
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not budget >= 0:
        raise InputError(f"budget is {budget!r:.40}: give US dollars, 0 or more, or a veritas.Budget")
    return Budget(usd=budget)


def unheard(*told: object) -> None:
    """Take what nobody wants to hear."""


def given_home(home: str | Path | None) -> Path:
    """Return the folder where runs are stored: the one that is given, or `VERITAS_HOME`."""
    from veritas.settings import home as default

    return Path(home) if home is not None else default()


def file_meant(text: str) -> Path | None:
    """Return the path that a text can only be, be there such a file or not; None for what may be words.

    A door that is given words by hand refuses it: the name of a file would go out into the world in place of its text.
    """
    from veritas.registries.file_names import is_path, path_of

    return path_of(text) if is_path(text) else None


def means_file(text: str) -> bool:
    """Return whether a text that may name a paper means a file, existing or not, rather than words, an id or a URL."""
    from veritas.registries.file_names import is_file_name

    return is_file_name(text)


def _what(given: Any) -> str:
    return "None" if given is None else f"of type {type(given).__name__}"


