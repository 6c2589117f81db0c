"""What the editor's doors load: nothing heavy, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact


def test_a_check_a_guarded_edit_and_the_server_load_nothing_heavy(tmp_path: Path) -> None:
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "refs.bib").write_text("@article{other2020, title={A study of things}, author={A, B}, year={2020}}")
    heavy = ("prefect", "docling", "litellm", "duckdb", "pyarrow", "numpy", "spacy", "fastapi", "torch")
    code = f"""
import asyncio, os, sys
os.environ["VERITAS_HOME"] = {str(tmp_path / "home")!r}
from veritas.use_cases.writing import Edit, check_text, guard_edits
text = 'A perturbation of 3 standard deviations suffices [@baruch2019little]. "words of nobody who is" [@other2020].'
assert asyncio.run(check_text(text, {str(tmp_path / "a.md")!r}))
assert asyncio.run(guard_edits([Edit({str(tmp_path / "b.md")!r}, "", text)]))
import veritas.editor.features
veritas.editor.features.make_server()
print([name for name in {heavy} if name in sys.modules])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert said.stdout.strip() == "[]", said.stderr
