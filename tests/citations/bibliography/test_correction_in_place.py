"""Corrections of RIS and CSL-YAML are written into the file; nothing else in it changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.citations.registry_server import RegistryServer, Work, registry_server
from veritas import InputError
from veritas.citations.bibliography.judging import verify
from veritas.citations.bibliography.parse import read_bibliography
from veritas.use_cases.bibliographies import check_correction, correct_bibliography

RESNET = Work(
    title="Deep Residual Learning for Image Recognition",
    authors=("Kaiming He", "Xiangyu Zhang", "Shaoqing Ren", "Jian Sun"),
    year=2016,
    doi="10.1109/cvpr.2016.90",
    venue="Conference on Computer Vision and Pattern Recognition",
    kind="proceedings-article",
)
WRONG, RIGHT = ("Liu, Yifei", "Zhang, Xiangyu", "Ren, Shaoqing", "Sun, Jian"), "He, Kaiming"


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(RESNET) as running:
        yield running


RIS = "".join(
    f"{line}\r\n"
    for line in (
        "TY  - CPAPER", "ID  - he", "TI  - Deep Residual Learning for Image", "      Recognition",
        *(f"A1  - {name}" for name in WRONG), "PY  - 2015/06/27/", "T2  - CVPR", "DO  - 10.1109/cvpr.2016.90",
        "KW  - mine — ünïcode", "ER  - ", "", "TY  - ELEC", "TI  - Our page", "UR  - https://e.example", "ER  - ",
    )
)  # fmt: skip
YAML = (
    "# kept: ü\nreferences:\n- id: he   # mine\n  type: paper-conference\n"
    "  title: >-\n    Deep Residual Learning\n    for Image Recognition\n  author:\n"
    + "".join("  - family: {}\n    given: {}\n".format(*name.split(", ")) for name in WRONG)
    + "  issued: {date-parts: [[2015, 6]]}  # the year\n  container-title: CVPR\n  DOI: 10.1109/cvpr.2016.90\n"
    "- {id: page, type: webpage, title: Our page, URL: 'https://e.example'}\n"
)


async def mended(server: RegistryServer, folder: Path, name: str, text: str, encoding: str = "utf-8") -> str:
    """What `--fix` makes of a file in its own format."""
    source, target = folder / name, folder / f"fixed{Path(name).suffix}"
    source.write_bytes(text.encode(encoding))
    judged = await verify(read_bibliography(source), server.registries())
    assert correct_bibliography(source, target, judged) is False
    again = await verify(read_bibliography(target), server.registries())
    assert again[0].verdict == "verified", again[0].reason
    return target.read_bytes().decode(encoding)


async def test_ris_keeps_its_other_lines(server: RegistryServer, tmp_path: Path) -> None:
    fixed = await mended(server, tmp_path, "a.ris", RIS)
    assert fixed == RIS.replace(WRONG[0], RIGHT).replace("2015/", "2016/")


async def test_yaml_keeps_comments_and_the_other_item(server: RegistryServer, tmp_path: Path) -> None:
    fixed = await mended(server, tmp_path, "a.yaml", YAML)
    begin, end = YAML.index("  author:"), YAML.index("  issued")
    assert fixed.startswith(YAML[:begin] + '  author: [{"family": "He", "given": "Kaiming"}, ')
    assert fixed.endswith(YAML[end:].replace("{date-parts: [[2015, 6]]}", '{"date-parts": [[2016]]}'))


async def test_a_doi_that_is_not_there_yet_is_left_out_and_a_wrong_one_replaced(
    server: RegistryServer, tmp_path: Path
) -> None:
    fixed = await mended(server, tmp_path, "a.ris", RIS.replace("cvpr.2016.90", "cvpr.2016.99999"))
    assert "DO  - 10.1109/cvpr.2016.90\r\n" in fixed
    assert fixed.count("DO  - ") == 1


def test_a_correction_in_another_format_than_its_name_is_refused(tmp_path: Path) -> None:
    for source, target in (("a.ris", "b.nbib"), ("a.xml", "b.ris"), ("a.bib", "b.yaml"), ("a.docx", "b.docx")):
        with pytest.raises(InputError, match=r"\.bib"):
            check_correction(source, target)
    for source, target in (("a.ris", "b.ris"), ("a.yml", "b.yaml"), ("a.ris", "b.bib"), ("a.docx", "b.bib")):
        check_correction(source, target)
