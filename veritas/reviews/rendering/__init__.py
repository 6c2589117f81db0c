"""The manuscript as text for other programs: LaTeX with natbib, Markdown with Pandoc citations."""
