"""Where a corpus is made from: folders, bibliographies, Zotero libraries, research runs; one file a kind of root."""
