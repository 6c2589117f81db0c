"""The scorer's weights from labelled papers: search over cached graphs, and an honest account of what it found."""
