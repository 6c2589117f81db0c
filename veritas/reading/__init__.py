"""Reading: documents, passages with offsets, and the verbatim check.

The rest of the system uses `document.Document` and `reader.Reader`. `loading.load_corpus` makes a `corpus.Corpus` of
named files and folders, `corpus.CorpusReader` reads it; `passages.cut_passages` and `best_passages` cut;
`verbatim.locate` checks (I1); `formats.convert` turns a file's bytes into text.
"""
