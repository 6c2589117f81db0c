"""The renderer seam: a claim graph in, a report as text out. The built-ins are made here."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Protocol, runtime_checkable

from veritas import plugins
from veritas.claims.graph import ClaimGraph
from veritas.documents.document import Document
from veritas.errors import InputError, PluginError
from veritas.sinks import printing_aside

SEAM = "report_renderer"


@runtime_checkable
class Renderer(Protocol):
    """Renders the report of a run. Pure: the same graph gives the same text, and nothing is asked or fetched. What a
    graph holds was written by strangers: it must do nothing in the form it is rendered in."""

    @property
    def ending(self) -> str:
        """The ending of a file with such a report, without the dot."""
        ...

    def render(self, graph: ClaimGraph) -> str:
        """Return the whole report."""
        ...


class Html:
    """The report as one HTML file that loads nothing."""

    ending = "html"

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._documents = tuple(documents)

    def render(self, graph: ClaimGraph) -> str:
        """See `Renderer`."""
        from veritas.report.html_report import render_html

        return render_html(graph, self._documents)


class Markdown:
    """The answer as Markdown, with its references and the work behind it."""

    ending = "md"

    def render(self, graph: ClaimGraph) -> str:
        """See `Renderer`."""
        from veritas.report.markdown_report import render_markdown

        return render_markdown(graph)


class Json:
    """The whole claim graph as JSON."""

    ending = "json"

    def render(self, graph: ClaimGraph) -> str:
        """See `Renderer`."""
        from veritas.report.graph_json import render_json

        return render_json(graph)


class Terminal:
    """The answer as plain text of 100 columns."""

    ending = "txt"

    def render(self, graph: ClaimGraph) -> str:
        """See `Renderer`."""
        from veritas.report._terminal import render_terminal

        return render_terminal(graph, width=100, color=False) + "\n"


def renderers() -> tuple[str, ...]:
    """Return the names of all renderers that are installed."""
    return tuple(sorted(plugins.installed(SEAM)))


def ending_of(name: str) -> str:
    """Return the ending of files that the renderer of that name makes. Raises as `rendered` does."""
    if name not in plugins.installed(SEAM):
        raise InputError(f"there is no report renderer {name!r}; there are {', '.join(renderers())}")
    return plugins.make(SEAM, name, Renderer).ending


def rendered(graph: ClaimGraph, name: str, documents: Iterable[Document] = ()) -> str:
    """Return the report of a run by the renderer of that name; the built-in page has those of `documents` that the
    answer cites in full. Raises `InputError` where there is none, `PluginError` where it fails or gives no text."""
    if name not in plugins.installed(SEAM):
        raise InputError(f"there is no report renderer {name!r}; there are {', '.join(renderers())}")
    made = plugins.make(SEAM, name, Renderer)
    if isinstance(made, Html):
        made = Html(documents)
    try:
        with printing_aside():
            text: object = made.render(graph)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's code may raise anything
        raise PluginError(plugins.failed(SEAM, name, error)) from error
    if isinstance(text, Coroutine):
        text.close()
        raise PluginError(f"{plugins.named(SEAM, name)} has an asynchronous render: it must be a plain def")
    if not isinstance(text, str):
        raise PluginError(plugins.failed(SEAM, name, TypeError(f"{type(text).__name__} is no text")))
    return text
