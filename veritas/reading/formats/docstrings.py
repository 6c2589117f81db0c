"""Docstrings of a Python module, in the order of its source; the module is not imported."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterator

from veritas.errors import CorpusError
from veritas.reading.formats.converted import Converted

_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MAX_NESTING = 20
DOCUMENTS_NOTHING = "documents nothing"


def convert_docstrings(text: str) -> Converted:
    """Return the module's docstring, and those of its public classes and functions below their signatures.

    Raises `CorpusError` for a file that is no Python, or documents nothing.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # of a stranger's escapes in strings
            module = ast.parse(text)
        blocks = [*_doc(module), *_documented(module, "", 0)]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CorpusError("is no Python that can be read") from error
    if not blocks:
        raise CorpusError(DOCUMENTS_NOTHING)
    return Converted("\n\n".join(blocks))


def _documented(parent: ast.Module | ast.ClassDef, path: str, depth: int) -> Iterator[str]:
    for node in _statements(parent.body):
        if not isinstance(node, _DOCUMENTED) or node.name.startswith("_") or depth > _MAX_NESTING:
            continue
        doc = list(_doc(node))
        if doc:
            yield _signature(node, path)
            yield from doc
        if isinstance(node, ast.ClassDef):
            yield from _documented(node, f"{path}{node.name}.", depth + 1)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, those under an `if` or `try` too: a definition may depend on the version of Python."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from _statements(node.body)
        else:
            yield node


def _doc(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    if (doc := ast.get_docstring(node)) and doc.strip():
        yield inspect.cleandoc(doc).strip()


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, path: str) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        return f"class {path}{node.name}" + (f"({bases})" if bases else "")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    begin = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    return f"{begin}{path}{node.name}({ast.unparse(node.args)}){returns}"
