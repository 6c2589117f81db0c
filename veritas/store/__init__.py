"""The claim graph in DuckDB: one file a run, a catalogue over all of them."""
