"""Zotero: the library a corpus is curated in, read through pyzotero; the extra `zotero`."""
