"""The page's colours: text keeps WCAG AA contrast on its ground in both modes."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

CSS = files("veritas.report").joinpath("templates", "report.css").read_text(encoding="utf-8")
PAIRS = {name: (light, dark) for name, light, dark in
         re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", CSS)}


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "raised", "mark"])
@pytest.mark.parametrize("text", ["ink", "soft", "link", "good", "bad", "warn"])
def test_text_stands_out(text: str, ground: str, mode: int) -> None:
    assert contrast(PAIRS[text][mode], PAIRS[ground][mode]) >= 4.5


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_the_edges_of_controls_stand_out(mode: int) -> None:
    assert contrast(PAIRS["strong-rule"][mode], PAIRS["raised"][mode]) >= 3
    assert contrast(PAIRS["paper"][mode], PAIRS["link"][mode]) >= 4.5  # a marker that is open


def test_no_colour_is_named_outside_the_two_palettes() -> None:
    rest = CSS[CSS.index("*, ::before"):]
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)", rest) == []
