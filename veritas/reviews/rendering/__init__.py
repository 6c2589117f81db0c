"""The manuscript as text other programs take: LaTeX with natbib, Markdown with Pandoc citations."""
