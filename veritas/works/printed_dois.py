"""DOIs in prose: where each begins and ends, despite surrounding punctuation, links and markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

_SUFFIX = r"(?:\\[_%#&]|<\d[^<>\s]{0,60}>|\[\d+:[^\[\]\s]{1,40}\]|[!$%()+,\-./0-9:;=@A-Z_a-z~])"
"""A sign of a DOI's suffix: also one that LaTeX or Markdown escapes, and the pages that old DOIs name in brackets."""
_DOI = re.compile(rf"10\.\d{{4,9}}(?:\.\d+)*(?:/|%2[Ff]){_SUFFIX}+")
_RESOLVER = re.compile(
    r"(?:doi\.org(?:/|%2F)|(?<![A-Za-z])doi:\s?|(?<![A-Za-z])doi:?\**\s?`|\{(?:doi|cite(?::[a-z]{1,4})?)\}`"
    r"|(?<![A-Za-z])doi\s|\\doi\{)\Z",
    re.IGNORECASE,
)
"""What leads to a DOI, as `doi:`, also in marks of code, and the roles of reStructuredText and MyST."""
_TITLED_ROLE = re.compile(r"(?:\{doi\}|:doi:)`[^`<>]{1,150}<\Z", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w./%=&?#@:+~-])\Z")
_PUBLISHER = re.compile(r"https?://[^\s<>\"()\[\]]{3,160}/\Z")
_PAGE = re.compile(
    r"/(?:full(?:text)?|abstract|abs|e?pdf(?:direct)?|meta|html?|summary|references|figures|citations?)\Z",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"(?:/suppl_file/.*|\.(?:svg|png|jpe?g|gif|pdf|bib|ris|json|xml|html?|zip|epub|tex|csv|xlsx?|docx?))\Z",
    re.IGNORECASE,
)
"""The end of the address of a picture or a file that is called by a DOI, as that of a badge."""
_NEXT = re.compile(r"[,;](?:doi\b|https?://|10\.\d{4}).*", re.IGNORECASE)
_TAIL = ".,;:!_~=$"
_CLOSES = re.compile(r"[\s)\]}>\"'*`|<\\“”’»,.;:!?^\[。，、；：！？）」—–_]|\Z")


@dataclass(frozen=True, slots=True)
class PrintedDoi:
    """A DOI at the characters `[start, end)` of a text.

    `bare` means that nothing marks it as a DOI. `sure` means that it certainly is one and ends there: only such a DOI
    may be reported as unregistered.
    """

    start: int
    end: int
    doi: str
    sure: bool
    bare: bool


def printed_dois(text: str) -> Iterator[PrintedDoi]:
    """Yield the DOIs of a text in order: after `doi:` or `DOI`, in links of resolvers and publishers, and bare ones."""
    done = 0
    while found := _DOI.search(text, done):  # a pattern that begins with plain signs is found ten times as fast
        start, done = found.span()
        marked = _RESOLVER.search(text, max(0, start - 14), start)
        if marked is None and start and text[start - 1] == "<":
            marked = _TITLED_ROLE.search(text, max(0, start - 160), start)
        linked = None if marked else _PUBLISHER.search(text, max(0, start - 200), start)
        bare = not marked and not linked
        if bare and not _BARE.search(text, max(0, start - 1), start):
            continue
        raw = _cut(found.group())
        if linked:
            raw = _FILE.sub("", _PAGE.sub("", raw))
        doi = unquote(re.sub(r"\\(?=[_%#&])", "", raw))
        end = done = start + len(raw)
        if doi.endswith("/"):
            continue
        telling = not bare or re.search(r"/.*(?:[A-Za-z]|\d{6})", doi) is not None
        closed = _CLOSES.match(text, end) is not None and not _goes_on(text, end)
        sure = telling and closed and not linked and "--" not in doi
        yield PrintedDoi(start, end, doi, sure, bare)


def _cut(raw: str) -> str:
    """Return the DOI at the beginning of the text: up to an unbalanced closing bracket, without the punctuation of the
    sentence."""
    depth = 0
    for at, sign in enumerate(raw):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            raw = raw[:at]
            break
    raw = _NEXT.sub("", raw)
    while raw and (raw[-1] in _TAIL or (raw[-1] == "(" or (raw[-1] == ")" and raw.count(")") > raw.count("(")))):
        raw = raw[:-1]
    return raw


def _goes_on(text: str, end: int) -> bool:
    """Return whether the character after a DOI may belong to it: an opening angle bracket, or a bracket that is still
    open."""
    return text.startswith("<", end) and re.match(r"<\d", text[end : end + 2]) is not None
