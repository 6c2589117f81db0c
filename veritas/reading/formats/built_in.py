"""The built-in formats, as entry points of the group `veritas.reader` name them. No converter is imported here."""

from __future__ import annotations

from functools import partial

from veritas.reading.formats._format import BuiltInFormat

text = partial(BuiltInFormat, "text", "text/plain", "plain:convert_plain", decoded=True, quick=True)
markdown = partial(BuiltInFormat, "markdown", "text/markdown", "markdown:convert_markdown", decoded=True, quick=True)
mdx = partial(BuiltInFormat, "mdx", "text/markdown", "mdx:convert_mdx", decoded=True, quick=True)
notebook = partial(
    BuiltInFormat, "ipynb", "application/x-ipynb+json", "notebook:convert_notebook", decoded=True, quick=True
)
rst = partial(BuiltInFormat, "rst", "text/x-rst", "rst:convert_rst", decoded=True, quick=True)
html = partial(BuiltInFormat, "html", "text/html", "html:convert_html", quick=True)
pdf = partial(BuiltInFormat, "pdf", "application/pdf", "pdf:convert_pdf")
docx = partial(
    BuiltInFormat, "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "docx:convert_docx",
)  # fmt: skip
latex = partial(BuiltInFormat, "latex", "text/x-tex", "latex:convert_latex", decoded=True)
jats = partial(BuiltInFormat, "jats", "application/jats+xml", "jats:convert_jats")
pptx = partial(
    BuiltInFormat, "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "office:convert_pptx",
)  # fmt: skip
xlsx = partial(
    BuiltInFormat, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "office:convert_xlsx",
)  # fmt: skip
odt = partial(BuiltInFormat, "odt", "application/vnd.oasis.opendocument.text", "office:convert_odt")
ods = partial(BuiltInFormat, "ods", "application/vnd.oasis.opendocument.spreadsheet", "office:convert_ods")
odp = partial(BuiltInFormat, "odp", "application/vnd.oasis.opendocument.presentation", "office:convert_odp")
epub = partial(BuiltInFormat, "epub", "application/epub+zip", "office:convert_epub")
