"""Documents in arrays that may be in a file; each is created when it is requested, and its text is checked then."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from datetime import date
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from veritas.documents.document import Document
from veritas.frozen import content_hash, text_hash
from veritas.keys import redactor, withheld
from veritas.search.local._array_file import DamagedFile
from veritas.search.postings import term_key
from veritas.text.structure import Structure, TextBlock, moved

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRUCTURE = "structure"
AT_HAND = 64
"""Number of documents that are held after they were made."""


class DocumentWriter:
    """Collects documents and their additional data as arrays."""

    def __init__(self) -> None:
        self._rows: list[bytes] = []
        self._texts: list[bytes] = []
        self._urls: list[int] = []
        self._keys: list[bytes] = []
        self.size = 0
        """Bytes so far."""

    def add(self, document: Document, key: bytes, beside: Mapping[str, Any]) -> None:
        """Add a document with the key (32 bytes) of its inputs. The day of fetching is not stored: it is that of the
        reading."""
        row = withheld(row_of(document).decode())
        blocks = json.dumps(document.blocks, separators=(",", ":"))
        self._rows.append(f"{row}\n{withheld(json.dumps(beside))}\n{blocks}".encode())
        self._texts.append(document.text.encode("utf-8"))
        self._urls.append(term_key(json.loads(row)["url"]))
        self._keys.append(key)
        self.size += len(self._rows[-1]) + len(self._texts[-1])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of all documents added."""
        import numpy as np

        found: dict[str, NDArray[Any]] = {}
        for name, blocks in (("rows", self._rows), ("texts", self._texts)):
            found[name] = np.frombuffer(b"".join(blocks), dtype=np.uint8)
            found[f"{name}.starts"] = np.concatenate(
                ([0], np.cumsum([len(block) for block in blocks], dtype=np.int64))
            ).astype(np.int64)
        urls = np.array(self._urls, dtype=np.uint64)
        order = np.argsort(urls, kind="stable")
        found |= {"urls": urls[order], "urls.rows": order.astype(np.uint32)}
        found["keys"] = np.frombuffer(b"".join(self._keys), dtype=np.uint8)
        return found


def row_of(document: Document) -> bytes:
    """Return a document as JSON without its text, its blocks (which ids represent) and the day of fetching."""
    row = document.model_dump_json(exclude={"text", "fetched_at", "blocks"}).encode("utf-8", "replace")
    if not document.blocks:
        return row
    return row[:-1] + f',"{STRUCTURE}":"{content_hash(document.blocks)}"}}'.encode()


class StoredDocuments:
    """The documents in arrays of a `DocumentWriter`, fetched on the given day."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], fetched_at: date) -> None:
        self._arrays, self._fetched_at = arrays, fetched_at
        self._made: OrderedDict[int, Document] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._arrays["rows.starts"]) - 1

    def row(self, i: int) -> bytes:
        """Return document i without its text (see `row_of`)."""
        return self._block("rows", i).partition(b"\n")[0]

    def url(self, i: int) -> str:
        """Return the URL of document i."""
        found: str = json.loads(self.row(i))["url"]
        return found

    def places(self, url: str) -> list[int]:
        """Return the documents under a URL."""
        import numpy as np

        key = np.uint64(term_key(url))
        sides: tuple[Literal["left"], Literal["right"]] = ("left", "right")
        first, last = (int(np.searchsorted(self._arrays["urls"], key, side)) for side in sides)
        return [i for i in sorted(self._arrays["urls.rows"][first:last].tolist()) if self.url(i) == url]

    def keys(self) -> list[bytes]:
        """Return the key of each document's inputs, 32 bytes."""
        held = self._arrays["keys"].tobytes()
        return [held[at : at + 32] for at in range(0, len(held), 32)]

    def beside(self, i: int) -> dict[str, Any]:
        """Return the additional data of document i."""
        found: dict[str, Any] = json.loads(self._block("rows", i).split(b"\n")[1])
        return found

    def blocks(self, i: int) -> Structure:
        """Return the structure of the text of document i."""
        return tuple(TextBlock(*block) for block in json.loads(self._block("rows", i).split(b"\n")[2]))

    def __getitem__(self, i: int) -> Document:
        """Return document i, without the values of this process's keys. Raises `DamagedFile` if its text does not match
        its id (I1)."""
        with self._lock:
            if (known := self._made.get(i)) is not None:
                self._made.move_to_end(i)
                return known
        row = json.loads(self.row(i))
        text = self._block("texts", i).decode("utf-8")
        if text_hash(text) != row["document_id"]:
            raise DamagedFile(f"the kept text of {row['url']} is not the one that was read")
        blocks = self.blocks(i)
        if row.pop(STRUCTURE, None) != (content_hash(blocks) if blocks else None):
            raise DamagedFile(f"the kept structure of {row['url']} is not the one that was read")
        keys = redactor()
        kept = keys.exact(text)
        if kept is not text:  # a key was set that the text holds, after it was read
            row |= {"document_id": text_hash(kept), "page_starts": keys.moved(text, tuple(row["page_starts"]))}
            blocks = moved(blocks, lambda offsets: keys.moved(text, offsets))
        made = Document(
            **{**row, "title": keys.exact(row["title"]), "text": kept, "fetched_at": self._fetched_at, "blocks": blocks}
        )
        with self._lock:
            self._made[i] = made
            while len(self._made) > AT_HAND:
                self._made.popitem(last=False)
        return made

    def _block(self, name: str, i: int) -> bytes:
        starts = self._arrays[f"{name}.starts"]
        return self._arrays[name][int(starts[i]) : int(starts[i + 1])].tobytes()
