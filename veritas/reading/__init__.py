"""How we read: documents, passages with offsets, and the verbatim check.

`document.Document` and `reader.Reader` are what the rest of the system knows. `loading.load_corpus` makes a
`corpus.Corpus` of what a person names, `corpus.CorpusReader` reads it; `passages.cut_passages` and `best_passages` cut;
`verbatim.locate` checks (I1); `formats.convert` makes text of a file's bytes, whoever fetched them.
"""
