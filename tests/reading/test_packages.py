"""An installed package as a corpus: the docstrings of its modules, which are not imported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from veritas.errors import CorpusError
from veritas.reading.loading import load_corpus
from veritas.use_cases.runs import make_request


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    folder = tmp_path / "site" / "tarnlib"
    (folder / "tests").mkdir(parents=True)
    (folder / "__init__.py").write_text('"""Tarn reads folders."""\nraise SystemExit("imported")\n')
    (folder / "_reader.py").write_text(
        "import sys\n"
        "class Reader(Base, kind=3):\n    '''Reads a folder.'''\n"
        "    async def read(self, path: str = '.', *, deep=True) -> list[str]:\n        '''Return its files.\n\n"
        "        :param deep: also below.\n        '''\n"
        "    def _hidden(self):\n        'Hidden.'\n    def bare(self): ...\n"
        "if sys.version_info > (3,):\n    def close():\n        '''Close it.'''\n"
    )
    (folder / "empty.py").write_text("X = 1\n")
    (folder / "broken.py").write_text("def (:\n")
    (folder / "tests" / "test_it.py").write_text('"""A test."""\n')
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    return folder


def test_a_package_is_its_docstrings_below_their_signatures() -> None:
    for _ in range(2):
        corpus = load_corpus(["package:tarnlib"])
        assert {document.url: (document.title, document.text) for document in corpus.documents} == {
            "corpus://tarnlib/__init__.py": ("tarnlib", "Tarn reads folders."),
            "corpus://tarnlib/_reader.py": (
                "tarnlib._reader",
                "class Reader(Base)\n\nReads a folder.\n\n"
                "async Reader.read(self, path: str='.', *, deep=True) -> list[str]\n\n"
                "Return its files.\n\n:param deep: also below.\n\nclose()\n\nClose it.",
            ),
        }
        assert [(Path(p.path).name, p.reason, p.kept) for p in corpus.problems] == [
            ("broken.py", "is no Python that can be read", False), ("empty.py", "documents nothing", True),
        ]  # fmt: skip


def test_the_name_of_its_distribution_is_known_too_and_another_is_an_error() -> None:
    assert load_corpus(["package:PyYAML"]).by_url["corpus://pyyaml/__init__.py"].title == "yaml"
    for name in ("no-such-package-anywhere", "", "../tarnlib", "sys", "a" * 5000):
        with pytest.raises(CorpusError, match="is no installed package"):
            load_corpus([f"package:{name}"])


def test_a_request_keeps_the_name() -> None:
    assert make_request(question="What does Tarn read?", corpus="package:tarnlib").corpus == ("package:tarnlib",)
