"""Ask the source policy what it makes of some URLs, and write a policy of one's own that trusts one site more.

    python examples/source_tiers.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import veritas

URLS = [
    "https://www.nature.com/articles/s41586-020-2649-2",
    "https://www.reddit.com/r/vacuum/comments/1",
    "https://web.archive.org/web/2024/https://www.reuters.com/technology/",
    "https://pumps.example.com/handbook",
]
MINE = """\
name: pump-makers
extends: default
groups:
  handbooks:
    tier: 2
    why: handbook of a maker whose pumps we run
    sites:
      pumps.example.com: the maker of our pumps
"""


def main() -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mine.yaml"
        file.write_text(MINE, encoding="utf-8")
        for name, policy in (("default", None), ("mine", file)):
            print(f"Policy {name}")
            for url in URLS:
                verdict = veritas.tier(url, policy=policy)
                admitted = "admitted" if verdict.admitted else "rejected"
                print(f"  tier {verdict.tier}, {admitted}: {url}\n    {verdict.justification}")


if __name__ == "__main__":
    main()
