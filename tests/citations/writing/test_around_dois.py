"""References whose DOI stands in links, elements, marks of code and roles, and in national styles: each as the record
has it, and with lies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.citations.writing.diagnostic import Diagnostic
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import check_text, open_project

DOI, GONE = "10.1111/hives.17999", "10.1016/j.ponds.2014.09.998"
TITLE = "Winter losses of honeybee colonies near oilseed rape in lowland valleys"
OTHER = "Mycorrhizal networks of boreal spruce seedlings under drought"
LINK = f"https://doi.org/{DOI}"
TRUE = {"i": "A. Brandvold, M. Sousa, and K. Ito", "v": "Brandvold A, Sousa M, Ito K", "t": TITLE, "y": "2018"}
TRUE |= {"f": "Astrid Brandvold et al.", "s": "BRANDVOLD, A.; SOUSA, M.; ITO, K."}
TRUE |= {"w": "BRANDVOLD, Astrid; SOUSA, Miguel; ITO, Kenji", "o": "Brandvold, Astrid y otros"}
GHOSTS = {"i": "B. Quillfeather, P. Moorcastle, and L. Oduvane", "v": "Quillfeather B, Moorcastle P, Oduvane L"}
GHOSTS |= {"f": "Bram Quillfeather et al.", "s": "QUILLFEATHER, B.; MOORCASTLE, P.; ODUVANE, L."}
GHOSTS |= {"w": "QUILLFEATHER, Bram; MOORCASTLE, Pia; ODUVANE, Leo", "o": "Quillfeather, Bram y otros"}
LIES = {"authors": GHOSTS, "title": {"t": OTHER}, "both": GHOSTS | {"t": OTHER}}
ITEM = "\\begin{{thebibliography}}{{1}}\n\\bibitem{{b}} %s\n\\end{{thebibliography}}\n"
HOMES = {
    "again.tex": ITEM % f"{{i}}, {{t}}, J. Ponds 12, 33 ({{y}}), doi: \\href{{{{{LINK}}}}}{{{{{DOI}}}}}.",
    "venue.tex": ITEM % f"{{i}}, {{t}}, \\href{{{{{LINK}}}}}{{{{J. Ponds \\textbf{{{{12}}}}, 33 ({{y}})}}}}.",
    "word.tex": ITEM % f"{{i}}, {{t}}, J. Ponds 12, 33 ({{y}}), \\href {{{{{LINK}}}}}{{{{[doi]}}}}",
    "anchor.md": f'Text.\n\n## References\n\n1. {{v}}. {{t}}. J Ponds. {{y}}. <a href="{LINK}">doi</a>\n',
    "code.md": f"- {{v}}. {{t}}. J Ponds. {{y}};12:33-41. `{LINK}`\n",
    "marked.md": f"Text.[^1]\n\n[^1]: {{v}}. {{t}}. J Ponds. {{y}};12:33-41. DOI `{DOI}`\n",
    "role.md": f"1. {{v}}. {{t}}. J Ponds. {{y}}. {{{{doi}}}}`{DOI}`\n",
    "role.rst": f"Works\n=====\n\n1. {{v}}. {{t}}. J Ponds. {{y}}. :doi:`{DOI}`\n",
    "ieee.md": f'Text.[^1]\n\n[^1]: {{i}}, "{{t}}," *J. Ponds*, vol. 12, pp. 33–41, {{y}}, doi: {DOI}.\n',
    "online.md": f"1. {{i}}, “{{t}},” *Ponds*, vol. 12, {{y}}. [Online]. Available: {LINK}\n",
    "ieee.rst": f'Text\n====\n\n* {{i}}, "{{t}}," *J. Ponds*, vol. 12, no. 3, May {{y}}, doi: {DOI}.\n',
    "ieee.tex": f"Text\\footnote{{{{{{i}}, ``{{t}},'' \\emph{{{{Ponds}}}}, vol. 12, {{y}}, doi: {DOI}.}}}} more.\n",
    "abnt.md": f"{{s}} {{t}}. **Abelhas**, v. 12, p. 3–9, {{y}}. Disponível em: {LINK}. Acesso em: 3 mai. 2024.\n",
    "abnt.rst": f"Text\n====\n\n* {{s}} {{t}}. *Abelhas*, {{y}}. Disponível em: <{LINK}>. Acesso em: 12 set. 2023.\n",
    "listed.md": f"## References\n\n1. {{s}} {{t}}. **Abelhas**, v. 12, {{y}}. {LINK}. Acesso em: 3 mai. 2024.\n",
    "whole.md": f"## References\n\n{{w}}. {{t}}. **Abelhas**, Lisboa, v. 12, {{y}}. DOI: {DOI}.\n",
    "otros.md": f"## References\n\n1. {{o}} ({{y}}). «{{t}}». *Abejas*, 12 (3): 33-41. doi: {DOI}\n",
    "read.md": f"- {{v}}. {{t}}. J Ponds. {{y}} [cited 2024 May 3]; Available from: {LINK}\n",
    "gelesen.md": f"- {{v}}. {{t}}. J Ponds. {{y}}. {LINK} (abgerufen am 3. Mai 2024)\n",
    "anchor2.md": f"- {{v}} ({{y}}). <a href='{LINK}'><i>{{t}}</i></a>. J. Ponds, 12.\n",
    "law.md": f"Text.[^1]\n\n[^1]: {{f}}, *{{t}}*, 12 J. PONDS 33, 35 ({{y}}), {LINK}.\n",
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of a machine that knows the work under `DOI`, and a retracted one under `GONE`."""
    root = tmp_path_factory.mktemp("around")
    work = Work(TITLE, authors=("Astrid Brandvold", "Miguel Sousa", "Kenji Ito"), year=2018, doi=DOI)
    gone = Work("Copper restores ponds", authors=("Dario Belluno",), year=2014, doi=GONE, retracted=True)
    with pytest.MonkeyPatch.context() as patched, registry_server(work, gone) as server:
        settings = server.environment() | {"VERITAS_HOME": str(root)}
        for name, value in settings.items():
            patched.setenv(name, value)
        asyncio.run(check_text(f"doi:{DOI} and doi:{GONE}", root / "a.md", online=True))
    return settings


@pytest.fixture
def known(cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Project:
    for name, value in cache.items():
        monkeypatch.setenv(name, value)
    return open_project(Path(cache["VERITAS_HOME"]), root=Path(cache["VERITAS_HOME"]))


async def told(text: str, name: str, project: Project) -> list[Diagnostic]:
    return await check_text(text, Path(project.root) / name, project=project)


@pytest.mark.parametrize("name", HOMES)
async def test_a_true_reference_passes_and_its_lies_are_told(name: str, known: Project) -> None:
    assert await told(HOMES[name].format(**TRUE), name, known) == []
    found = {lie: await told(HOMES[name].format(**TRUE | LIES[lie]), name, known) for lie in LIES}
    assert found["both"], found
