"""The weights of VERITAS' learned judge, its tokenizer and its card; `veritas.judging` reads them from here."""
