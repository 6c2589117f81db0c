"""Short records of papers that exist, as each source's API shapes them, for the tests of this folder."""

from __future__ import annotations

from typing import Any

AUTHORS = ("Jacky Liang", "Wenlong Huang", "Fei Xia", "Peng Xu")
TITLE = "Code as Policies: Language Model Programs for Embodied Control"
DOI = "10.1109/ICRA48891.2023.10160591"
ARXIV = "2209.07753"


def semantic_scholar(**changes: Any) -> dict[str, Any]:
    record = {
        "paperId": "91deaf9d324c8feafc189da0da03e60a60287bca",
        "externalIds": {"ArXiv": ARXIV, "DOI": DOI, "DBLP": "conf/icra/LiangHXXHIFZ23"},
        "publicationVenue": {"name": "IEEE International Conference on Robotics and Automation", "type": "conference"},
        "title": TITLE,
        "venue": "IEEE International Conference on Robotics and Automation",
        "year": 2022,
        "authors": [{"name": name} for name in ("Jacky Liang", "Wenlong Huang", "F. Xia", "Peng Xu")],
    }
    return record | changes


def openalex(**changes: Any) -> dict[str, Any]:
    record = {
        "id": "https://openalex.org/W4383097638",
        "doi": f"https://doi.org/{DOI.lower()}",
        "title": TITLE,
        "publication_year": 2023,
        "type": "article",
        "primary_location": {"raw_source_name": "2023 IEEE International Conference on Robotics and Automation (ICRA)"},
        "authorships": [{"author": {"display_name": name}, "raw_author_name": name} for name in AUTHORS],
    }
    return record | changes


def crossref(**changes: Any) -> dict[str, Any]:
    record = {
        "DOI": DOI.lower(),
        "type": "proceedings-article",
        "title": [TITLE],
        "author": [{"given": name.split()[0], "family": name.split()[1]} for name in AUTHORS],
        "container-title": ["2023 IEEE International Conference on Robotics and Automation (ICRA)"],
        "issued": {"date-parts": [[2023, 5, 29]]},
    }
    return record | changes


def dblp(**changes: Any) -> dict[str, Any]:
    info = {
        "authors": {"author": [{"text": name} for name in (*AUTHORS[:2], "Fei Xia 0002", "Peng Xu 0010")]},
        "title": f"{TITLE}.",
        "venue": "ICRA",
        "year": "2023",
        "type": "Conference and Workshop Papers",
        "key": "conf/icra/LiangHXXHIFZ23",
        "doi": DOI,
    }
    return {"@score": "9", "info": info | changes}


def bibtex(**changes: Any) -> dict[str, Any]:
    record = {
        "title": "{Code as Policies}: Language Model Programs for Embodied Control",
        "author": "Liang, Jacky and Huang, Wenlong and Xia, Fei and Xu, Peng",
        "booktitle": "ICRA",
        "year": "2023",
        "doi": DOI,
    }
    return {key: value for key, value in (record | changes).items() if value is not None}


ATOM = f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <title>arXiv Query</title>
  <entry>
    <id>http://arxiv.org/abs/{ARXIV}v4</id>
    <title>Code as Policies:
      Language Model Programs for Embodied Control</title>
    <updated>2023-05-25T07:00:00Z</updated>
    <published>2022-09-16T07:17:23Z</published>
    <arxiv:comment>withdraws nothing; code at a web page</arxiv:comment>
    <author><name>Jacky Liang</name></author>
    <author><name>Wenlong Huang</name></author>
    <author><name>Fei Xia</name></author>
    <author><name>Peng Xu</name></author>
  </entry>
</feed>
"""
