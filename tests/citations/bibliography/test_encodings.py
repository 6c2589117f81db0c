"""A bibliography is read in the encoding it was written in, though nearly all of it is ASCII."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import InputError
from veritas.citations.bibliography.encodings import encoded, encoding_of
from veritas.citations.bibliography.parse import read_bibliography

SAID = {
    "深度学习在图像识别中的应用": ("gbk", "gb18030", "utf-16"),
    "中国科学技术大学学报": ("gbk",),
    "日本語の研究について": ("cp932", "euc_jp", "iso2022_jp", "utf-16-le", "utf-16-be"),
    "機械学習による文書分類": ("cp932", "euc_jp"),
    "Методы глубокого обучения": ("cp1251", "koi8_r", "utf-16"),
    "Иванов, Иван Петрович": ("cp1251", "koi8_r"),
    "Über die Größe der Straße": ("cp1252", "latin-1", "mac_roman"),
    "Étude à l’école de José Muñoz": ("cp1252",),
    "Η μελέτη της γλώσσας": ("cp1253",),
    "Łukasz Wałęsa": ("cp1250",),
    "한국어 연구": ("cp949",),
    "深度學習於影像辨識之應用": ("big5",),
}


def entry(title: str) -> str:
    return (
        "@article{first2019, title={An introduction to many things}, author={Smith, John and Doe, J}, year=2019}\n"
        f"@article{{key2020, title={{{title}}}, author={{Writer, Ann}}, journal={{Journal}}, year={{2020}}}}\n"
    )


@pytest.mark.parametrize(("title", "name"), [(title, name) for title, names in SAID.items() for name in names])
def test_one_title_in_an_old_encoding_is_read_right(tmp_path: Path, title: str, name: str) -> None:
    (tmp_path / "old.bib").write_bytes(entry(title).encode(name))
    assert read_bibliography(tmp_path / "old.bib")[1].record.title == title


def test_what_a_file_says_of_its_encoding_goes_before_a_guess(tmp_path: Path) -> None:
    # Without the line of JabRef, these four bytes read as Korean as well.
    (tmp_path / "said.bib").write_bytes(f"% Encoding: EUC_JP\n{entry('東京大学')}".encode("euc_jp"))
    assert read_bibliography(tmp_path / "said.bib")[1].record.title == "東京大学"
    latex = "\\usepackage[koi8-r]{inputenc}\n\\begin{thebibliography}{1}\\bibitem{a} К. Г. Да. О ЯЗЫКЕ. 1999.\n"
    (tmp_path / "said.tex").write_bytes(latex.encode("koi8-r"))
    assert read_bibliography(tmp_path / "said.tex")[0].text == "К. Г. Да. О ЯЗЫКЕ. 1999."


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "cp1251", "gb18030"])
def test_a_text_goes_back_into_its_encoding_byte_for_byte(name: str) -> None:
    data = entry("深度" if name == "gb18030" else "Методы глубокого обучения").encode(name)
    found = encoding_of(data)
    assert found is not None
    assert encoded(data.decode(found), found, data) == (data, True)


def test_a_letter_that_an_encoding_lacks_makes_the_file_utf_8() -> None:
    assert encoded("Müller, Šiška, 王", "cp1252", b"") == ("Müller, Šiška, 王".encode(), False)


def test_data_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.bib").write_bytes(b"\0\1\2\0\0\3@article{")
    with pytest.raises(InputError, match="no text file"):
        read_bibliography(tmp_path / "x.bib")
