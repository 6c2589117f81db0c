"""Zotero, the library in which a corpus is curated, read through pyzotero (the extra `zotero`)."""
