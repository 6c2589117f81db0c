"""Papers whose files link their citations: JATS and TEI, ranges, raised numbers; and .bbl files of Biber."""

from __future__ import annotations

from pathlib import Path

from veritas.papers.reading.paper_text import PaperText, read_file

FILLER = "Dry pumps were observed for two years in twelve rooms, and each failure was written down. " * 6


def jats(body: str, references: int = 6) -> str:
    listed = "".join(
        f'<ref id="B{n}"><label>{n}</label><mixed-citation><name><surname>Berg{n}</surname></name>'
        f"<article-title>Pumps of kind {n} in rooms</article-title><year>{2000 + n}</year></mixed-citation></ref>"
        for n in range(1, references + 1)
    )
    return (
        '<?xml version="1.0"?><article><front><article-meta><title-group><article-title>Dry pumps</article-title>'
        "</title-group><abstract><p>We observed pumps.</p></abstract>"
        '<abstract abstract-type="highlights"><p>Pumps are a highlight.</p></abstract></article-meta></front>'
        f"<body><p>Pumps are old. {body}</p><sec><title>Methods</title><p>{FILLER}</p></sec></body>"
        f"<back><ref-list>{listed}</ref-list></back></article>"
    )


def read(tmp_path: Path, name: str, text: str) -> PaperText:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_file(tmp_path / name)


def cited(paper: PaperText) -> list[tuple[str, tuple[str, ...]]]:
    for marker in paper.markers:
        assert paper.text[marker.place.start : marker.place.end] == marker.text
    return [(marker.text, marker.references) for marker in paper.markers]


def xref(*numbers: int, said: str | None = None) -> str:
    rids = " ".join(f"B{n}" for n in numbers)
    return f'<xref ref-type="bibr" rid="{rids}">{said or numbers[0]}</xref>'


def test_a_range_between_two_links_stands_for_all_works_in_it(tmp_path: Path) -> None:
    body = f"Oil creeps [{xref(1)}, {xref(3)}–{xref(6)}]. It is old [{xref(2)}]."
    paper = read(tmp_path, "p.xml", jats(body))
    assert cited(paper) == [("[1, 3–6]", ("1", "3", "4", "5", "6")), ("[2]", ("2",))]


def test_raised_links_are_read_as_one_citation(tmp_path: Path) -> None:
    body = f"Oil creeps.<sup>{xref(2)}–{xref(4)}</sup> It takes 10<sup>6</sup> hours."
    paper = read(tmp_path, "p.xml", jats(body))
    assert [keys for _, keys in cited(paper)] == [("2", "3", "4")]
    assert "10⁶" in paper.text


def test_names_and_years_are_linked_by_the_file_not_by_their_words(tmp_path: Path) -> None:
    body = f"Oil creeps ({xref(5, said='Nobody et al., 1999')}), as others saw (Berg3, 2003)."
    paper = read(tmp_path, "p.xml", jats(body))
    assert ("(Nobody et al., 1999)", ("5",)) in [(text, keys) for text, keys in cited(paper)]
    assert not any(marker.unresolved for marker in paper.markers)


def test_the_abstract_and_the_introduction_are_sections_and_highlights_are_not_read(tmp_path: Path) -> None:
    paper = read(tmp_path, "p.xml", jats("They run."))
    assert [section.name for section in paper.sections] == ["title", "abstract", "introduction", "methods"]
    assert "highlight" not in paper.text


TEI = f"""<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title>Dry pumps</title></titleStmt><sourceDesc><biblStruct><analytic><author><persName><forename>Tor</forename>
<surname>Berg</surname></persName></author></analytic><idno type="DOI">10.1000/X1</idno></biblStruct></sourceDesc>
</fileDesc><profileDesc><abstract><p>We observed pumps.</p></abstract></profileDesc></teiHeader><text><body>
<div><head>Introduction</head><p>Oil creeps <ref type="bibr" target="#b0">[1]</ref>, see
<ref type="figure" target="#f1">Fig. 1</ref>. {FILLER}</p></div>
<figure xml:id="f1"><head>Figure 1</head><label>1</label><figDesc>A pump.</figDesc></figure></body><back>
<div type="acknowledgement"><div><head>Acknowledgments</head><p>We thank nobody.</p></div></div>
<div type="references"><listBibl><biblStruct xml:id="b0"><analytic><title>Pumps in rooms</title><author><persName>
<forename>Ana</forename><surname>Costa</surname></persName></author></analytic><monogr><title>Pump Letters</title>
<imprint><biblScope unit="volume">3</biblScope><date when="2019-03"/></imprint></monogr>
<idno type="DOI">10.1000/pl.3</idno></biblStruct></listBibl></div></back></text></TEI>"""


def test_tei_is_read_like_jats(tmp_path: Path) -> None:
    paper = read(tmp_path, "p.xml", TEI)
    identity = paper.identity
    assert (identity.title, identity.authors, identity.doi) == ("Dry pumps", ("Tor Berg",), "10.1000/x1")
    names = {"abstract", "introduction", "acknowledgements"}
    assert names <= {section.name for section in paper.sections}
    (reference,) = paper.references
    fields = {name: reference.fields[name] for name in ("title", "author", "year", "journal", "doi")}
    assert fields == {
        "title": "Pumps in rooms", "author": "Costa, Ana", "year": "2019", "journal": "Pump Letters",
        "doi": "10.1000/pl.3",
    }  # fmt: skip
    assert cited(paper) == [("[1]", (reference.key,))]


BIBER = r"""% $ biblatex bbl format version 3.1 $
\entry{berg2019}{article}{}
  \name{author}{2}{}{%
    {{hash=aa}{%
       family={Berg},
       given={Tor}}}%
    {{hash=bb}{%
       family={L{\'o}pez},
       given={Ana}}}%
  }
  \field{journaltitle}{Pump Letters}
  \field{title}{Dry pumps in {Clean} rooms}
  \field{year}{2019}
  \verb{doi}
  \verb 10.1000/pl.2019.4
  \endverb
\endentry
"""


def test_the_bbl_of_biber_stands_for_a_bib_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "output.bbl").write_text(BIBER, encoding="utf-8")
    source = (
        "\\documentclass{article}\\addbibresource{lost.bib}\\begin{document}\\title{Pumps}\n"
        f"\\section{{Introduction}}\nOil creeps \\parencite{{berg2019}}. {FILLER}\n\\printbibliography\\end{{document}}"
    )
    paper = read(tmp_path, "paper.tex", source)
    (reference,) = paper.references
    assert reference.fields["author"] == "Berg, Tor and López, Ana"
    assert reference.fields["doi"] == "10.1000/pl.2019.4"
    assert [marker.references for marker in paper.markers] == [("berg2019",)]
    assert not [event for event in paper.events if event.kind == "no-bibliography"]


def test_the_labels_of_entries_may_nest_braces_and_brackets(tmp_path: Path) -> None:
    label = r"{{Berg} {et~al.}(2015){Berg}, {L{\'o}pez}, [{Costa}], \& " + r"{Dub{\'e}}, " * 40 + "}"
    source = (
        "\\documentclass{article}\\begin{document}\n"
        f"\\section{{Introduction}}\nOil creeps \\citep{{berg2015}}. {FILLER}\n\\begin{{thebibliography}}{{2}}\n"
        f"\\bibitem[{label}]{{berg2015}} Berg, T. 2015, Pump Letters, 3, 1\n"
        "\\bibitem[Unclosed{costa} Costa, A. 2016, Pump Letters, 4, 2\n"
        "\\bibitem{dube} Dube, T. 2017, Pump Letters, 5, 3\n\\end{thebibliography}\\end{document}"
    )
    paper = read(tmp_path, "paper.tex", source)
    assert [reference.key for reference in paper.references] == ["berg2015", "dube"]
    assert [marker.references for marker in paper.markers] == [("berg2015",)]


def test_the_sections_of_a_file_are_nested_as_it_nests_them(tmp_path: Path) -> None:
    def sec(title: str, inner: str) -> str:
        return f"<sec><title>{title}</title>{inner}</sec>"

    prose = f"<p>{FILLER}</p>"
    caption = f"<fig><label>Figure 1</label><caption><title>Results of care.</title>{prose}</caption></fig>"
    inner = sec("Ethics", prose) + sec("Study design, follow-up, and randomisation", prose + caption)
    inner += sec("Outcomes", prose + "<p>Secondary outcomes measures were</p>" + prose)
    trial = sec("Materials and Methods", inner) + sec("Results", sec("Patient data", prose))
    trial += sec("Experiment 1", sec("Method", prose) + sec("Results", prose))
    whole = jats("").replace("<sec><title>Methods</title>", f"{trial}<sec><title>Close</title>")
    paper = read(tmp_path, "p.xml", whole)
    assert [(s.level, s.name, s.heading) for s in paper.sections[3:]] == [
        (1, "methods", "Materials and Methods"),
        (2, "methods", "Ethics"),
        (2, "methods", "Study design, follow-up, and randomisation"),
        (2, "methods", "Outcomes"),
        (1, "results", "Results"),
        (2, "results", "Patient data"),
        (1, "results", "Experiment 1"),
        (2, "methods", "Method"),
        (2, "results", "Results"),
        (1, "other", "Close"),
    ]


def test_a_chain_of_capitals_and_hyphens_is_read_in_one_pass_and_a_name_with_a_hyphen_is_a_name(tmp_path: Path) -> None:
    chain = "Ala-Gly-Ser-" * 150
    (tmp_path / "peptide.txt").write_text(
        f"Peptides\n\n1 Introduction\n\nThe chain was {chain}end, and Smith-Jones and Bell (2004) say it folds.\n\n"
        "References\n\nSmith-Jones A, Bell C. 2004. Folding of chains. Journal of Blood 12: 1-9.\n"
    )
    paper = read_file(tmp_path / "peptide.txt")
    assert [paper.text[each.place.start : each.place.end] for each in paper.markers] == ["Smith-Jones and Bell (2004)"]
