"""The key that is being typed, and what it may become."""

from __future__ import annotations

import os
import re

from veritas.editor.open_document import OpenDocument
from veritas.use_cases.writing import Citable, some_citable_keys

_MARKDOWN = re.compile(r"(?<![\w.@/\\+])@\{?([\w:.#$%&+?<>~/-]*)\Z")
_LATEX = re.compile(r"\\\w{0,40}[Cc]ite\w{0,40}\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{(?:[^{}]*,)?\s*([^{},\s]*)\Z")
_RST = re.compile(r":(?:foot)?cite(?::[a-z]{1,40}){0,3}:`(?:[^`]*,)?\s*([^`,\s{}]*)\Z")
TRIGGERS = ["@", "{", ",", "`"]
"""Signs behind which a key may begin."""
_BEFORE = 4_000
MOST = 500
"""Most keys that are offered at once. Of more, an editor asks again with each letter."""


def complete(document: OpenDocument, at: int) -> tuple[int, list[Citable], bool]:
    """Return where the key begins that ends at a place, the keys it may become (none where no key is typed), and
    whether these are a part of them: of many, those that have the letters typed so far in their order; or those that
    are known while a bibliography is being read."""
    text = document.lines.text
    before = text[max(0, at - _BEFORE) : at]
    suffix = os.path.splitext(document.path)[1].lower()
    latex = document.kind == "latex" or suffix in (".tex", ".ltx", ".latex")
    rst = document.kind == "rst" or suffix in (".rst", ".rest")
    typed = (_LATEX if latex else _RST if rst else _MARKDOWN).search(before)
    if typed is None or document.is_bibliography:
        return at, [], False
    begun = typed[1]
    project = document.project
    keys, more = some_citable_keys(text, document.path, project, begun, MOST, kind=document.kind)
    return at - len(begun), keys, more or project.bibliographies.went_without
