"""The body of an artifact: its sections, its excerpts, and strangers' text made harmless in Markdown and restored."""

from __future__ import annotations

import re
from collections.abc import Sequence

ABSTRACT = "Abstract"
EXCERPTS = "Excerpts supporting the claim"
SNIPPET = "Citation snippet"
BIBTEX = "BibTeX"
SECTIONS = (ABSTRACT, EXCERPTS, SNIPPET, BIBTEX)

_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
# Markup that a stranger's text could smuggle in; everything else stays as it is, so that an excerpt reads verbatim.
_HARMFUL = re.compile(r"&(?=(?:lt|amp|#\d{1,3});)|<(?=[A-Za-z/!?])|(?<=!)\[|\](?=\()|^[#>`~]")
_ENTITY = re.compile(r"&(lt|amp|#(\d{1,3}));")
_KEY = re.compile(r"^\s*@\s*[A-Za-z]+\s*\{\s*([^\s,{}]+)\s*,", re.MULTILINE)


def harmless(text: str) -> str:
    """Defuse HTML, images and links in `text`, put on one line. `restored` undoes all but the folding of whitespace."""
    return _HARMFUL.sub(_entity, " ".join(text.split()))


def _entity(found: re.Match[str]) -> str:
    sign = found.group()
    return {"<": "&lt;", "&": "&amp;"}.get(sign, f"&#{ord(sign)};")


def restored(text: str) -> str:
    """Undo `harmless`; whitespace stays folded."""
    return _ENTITY.sub(
        lambda found: {"lt": "<", "amp": "&"}.get(found[1]) or chr(int(found[2])), " ".join(text.split())
    )


def sections(body: str) -> dict[str, str]:
    """Return heading -> text of each level-two section. Headings in code fences and repeated ones do not count."""
    found: dict[str, list[str]] = {}
    name: str | None = None
    fence: str | None = None
    for line in body.splitlines():
        opened = _FENCE.match(line)
        if opened and fence is None:
            fence = opened[1]
        elif opened and fence is not None and opened[1][0] == fence[0] and len(opened[1]) >= len(fence):
            fence = None
        heading = _HEADING.match(line) if fence is None else None
        if heading is not None and heading[1] not in found:
            name = heading[1]
            found[name] = []
        elif name is not None:
            found[name].append(line)
    return {heading: "\n".join(lines).strip() for heading, lines in found.items()}


def excerpt_block(text: str, location: str) -> str:
    """Return one excerpt as a block quote (section 6.3)."""
    place = " ".join(location.split())
    return f'> "{harmless(text)}"\n> ({harmless(place)})'


def excerpts(section: str) -> list[tuple[str, str]]:
    """Return the excerpts of a section as `(text, location)`; a block quote without quotation marks is no excerpt."""
    found = []
    for block in re.split(r"\n[ \t]*(?:\n|$)", section):
        lines = [line.strip() for line in block.splitlines()]
        quoted = [line[1:].strip() for line in lines if line.startswith(">")]
        if not quoted:
            continue
        place = ""
        if len(quoted) > 1 and quoted[-1].startswith("(") and quoted[-1].endswith(")"):
            place = quoted.pop()[1:-1]
        text = " ".join(quoted).strip()
        if len(text) > 2 and text[0] in '"“' and text[-1] in '"”':
            found.append((restored(text[1:-1].strip()), restored(place)))
    return found


def fenced(section: str) -> str:
    """Return the content of a section's first code fence, or the whole section if it has none."""
    lines = section.splitlines()
    starts = [i for i, line in enumerate(lines) if _FENCE.match(line)]
    if not starts:
        return section
    end = starts[1] if len(starts) > 1 else len(lines)
    return "\n".join(lines[starts[0] + 1 : end])


def bibtex_keys(section: str) -> Sequence[str]:
    """Return the keys of the entries in a BibTeX section."""
    return _KEY.findall(section)
