"""The parts of which the report's page is made, for pages that show the same in another frame: templates, styles."""

from veritas.report._html_report import environment, link, package_file, page_values

__all__ = ["environment", "link", "package_file", "page_values"]
