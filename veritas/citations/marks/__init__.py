"""The citations of a text: keys, links and footnotes in each markup, with their places."""
