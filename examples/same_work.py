"""Hold entries of a bibliography against the record of a registry: the same work, and right where it counts?

    python examples/same_work.py
"""

import veritas

PREPRINT = {
    "title": "SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning",
    "authors": [{"name": "Heyi Zhang"}, {"name": "Yule Liu"}],
    "year": 2025,
    "externalIds": {"ArXiv": "2502.03801"},
}
RIGHT = {
    "title": "SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning",
    "author": "Zhang, Heyi and Liu, Yule",
    "year": "2025",
    "eprint": "2502.03801",
}
WRONG = RIGHT | {"author": "Liu, Yifei"}


def main() -> None:
    for name, entry in (("the right entry", RIGHT), ("the wrong entry", WRONG)):
        ours, theirs = {"source": "bibtex", "record": entry}, {"source": "semantic_scholar", "record": PREPRINT}
        found = veritas.triangulate(theirs, ours)
        print(f"{name}: verified {found.verified}, same work {found.same_work}")
        for conflict in found.conflicts:
            print(f"  {conflict.field}: {conflict.primary} / {conflict.secondary}")


if __name__ == "__main__":
    main()
