"""Reading: corpora, file formats and the web, from a name or URL to a document (`veritas.documents`).

`loading.load_corpus` makes a `corpus.Corpus` of named files and folders, `corpus.CorpusReader` reads it;
`reader.Reader` is the seam; `formats.convert` turns a file's bytes into text.
"""
