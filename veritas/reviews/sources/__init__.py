"""The roots of a corpus: folders, bibliographies, Zotero libraries, research runs; one file for each kind."""
