"""A result for a notebook or a terminal: a heading, a line below it, paragraphs, and a numbered list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from veritas.text.visible import one_line, web_address


@dataclass(frozen=True)
class Numbered:
    """An entry of the list: its number, its words, and its address, if it has one."""

    number: int
    text: str
    url: str = ""


@dataclass(frozen=True)
class Shown:
    """The parts of a result. Each may hold strangers' words, which are made safe here."""

    heading: str
    note: str
    paragraphs: Sequence[str] = ()
    entries: Sequence[Numbered] = ()

    def text(self) -> str:
        """Return it as plain text; no character in it drives a terminal."""
        blocks = [one_line(self.heading), one_line(self.note), *map(one_line, self.paragraphs)]
        listed = [f"[{e.number}] {one_line(e.text)}{'  ' + one_line(e.url) if e.url else ''}" for e in self.entries]
        return "\n\n".join([*(block for block in blocks if block), *(["\n".join(listed)] if listed else [])])

    def html(self) -> str:
        """Return it as HTML without script, style sheet or picture; only web addresses become links."""
        parts = [f"<p><strong>{_safe(self.heading)}</strong><br><small>{_safe(self.note)}</small></p>"]
        parts += [f"<p>{_safe(paragraph)}</p>" for paragraph in self.paragraphs]
        if self.entries:
            parts.append("<ol>" + "".join(_item(entry) for entry in self.entries) + "</ol>")
        return "<div>" + "".join(parts) + "</div>"


class Showing:
    """A result that shows itself: as text where it is printed, as HTML in a notebook."""

    def _shown(self) -> Shown:
        raise NotImplementedError

    def __str__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        return self._shown().html()


def _safe(text: str) -> str:
    return escape(one_line(text))


def _item(entry: Numbered) -> str:
    address = web_address(entry.url) if entry.url else None
    link = f'<a href="{escape(address)}" rel="noopener noreferrer">{_safe(entry.text)}</a>' if address else None
    return f'<li value="{entry.number}">{link or _safe(entry.text)}</li>'
