"""What a page is made of, as a test reads it: its elements, their texts, what it would load or run."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

FIELDS = ("input", "select", "textarea")
VOID = {"meta", "link", "input", "img", "br", "hr"}


class Page(HTMLParser):
    """A parsed page. `elements` are (tag, attributes, text below it), in order."""

    def __init__(self, response: Any) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self.labelled: set[int] = set()
        """Places of the fields that stand in their label."""
        self._open: list[int] = []
        self.status = response.status_code
        self.source = response.text
        self.feed(response.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}, []))
        if tag in FIELDS and any(self.elements[place][0] == "label" for place in self._open):
            self.labelled.add(len(self.elements) - 1)
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self.elements[self._open.pop()][0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for place in self._open:
            self.elements[place][2].append(data)

    def all(self, tag: str, **wanted: str) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of the elements of a kind that have these attributes."""
        return [
            (attributes, " ".join("".join(texts).split()))
            for name, attributes, texts in self.elements
            if name == tag and all(attributes.get(key.rstrip("_")) == value for key, value in wanted.items())
        ]

    def texts(self, tag: str, **wanted: str) -> list[str]:
        return [text for _, text in self.all(tag, **wanted)]

    @property
    def text(self) -> str:
        return " ".join("".join(self.elements[0][2]).split()) if self.elements else ""


def check_frame(page: Page) -> None:
    """A page has its landmarks, runs nothing of its own, and loads nothing from elsewhere."""
    assert page.all("html", lang="en")
    assert len(page.all("main")) == 1
    assert len(page.all("h1")) == 1
    assert page.all("a", class_="skip", href="#main")
    assert page.all("nav", **{"aria-label": "Areas"})
    assert not page.all("style")
    for place, (tag, attributes, texts) in enumerate(page.elements):
        assert not {name for name in attributes if name.startswith("on") or name == "style"}, (tag, attributes)
        if tag == "script":
            assert attributes.get("type") == "application/json" or (attributes.get("src") and not texts)
        for name in ("src", "action", "formaction"):
            assert attributes.get(name, "/").startswith("/"), (tag, attributes)
        address = attributes.get("href", "")
        assert not address.startswith("javascript:")
        if tag == "a" and address.startswith("http"):
            assert attributes["rel"] == "noopener noreferrer"
        if tag in FIELDS and attributes.get("type") != "hidden" and place not in page.labelled:
            assert page.all("label", **{"for": attributes["id"]}), attributes
    ids = [attributes["id"] for _, attributes, _ in page.elements if attributes.get("id")]
    assert len(ids) == len(set(ids)), sorted(each for each in ids if ids.count(each) > 1)
