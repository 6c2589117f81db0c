"""References whose parts cannot be cut out, against the record of their DOI."""

from __future__ import annotations

import pytest

from veritas.citations.writing.reference_bags import bag_of, held_against
from veritas.citations.writing.reference_units import denied_by_record, reference_around
from veritas.registries.records import normalise

DOI = "10.1111/worms.14999"
TITLE = "Effects of nitrogen fertiliser on earthworm abundance in temperate grassland soils"
OTHER = "Mycorrhizal networks of boreal spruce seedlings under drought"
RECORD = normalise(
    "bibtex",
    {"title": TITLE, "author": "Lindqvist, Karin and Moreira, Pedro and Zhang, Wei", "year": "2018", "doi": DOI}
    | {"journal": "Global Change Biology", "entrytype": "article"},
)
TRUE = {"f": "Lindqvist", "g": "Moreira", "h": "Zhang", "t": TITLE, "y": "2018", "k": "Karin", "p": "Pedro", "w": "Wei"}
LIES = {
    "people": {"f": "Quillfeather", "g": "Moorcastle", "h": "Oduvane", "k": "Bram", "p": "Pia", "w": "Leo"},
    "title": {"t": OTHER},
    "both": {"f": "Quillfeather", "g": "Moorcastle", "h": "Oduvane", "k": "Bram", "p": "Pia", "w": "Leo", "t": OTHER},
    "denied": {"t": f"No {TITLE[0].lower()}{TITLE[1:]}"},
    "year": {"y": "2003"},
}
FORMS = {
    "Harvard": "{f}, K, {g}, P and {h}, W {y}, '{t}', *Global Change Biology*, vol. 55, pp. 1–9, doi:" + DOI,
    "French": "{f} ({k}), {g} ({p}) et {h} ({w}), « {t} », *Global Change Biology*, n° 55, {y}, DOI : " + DOI,
    "DOI first": "https://doi.org/" + DOI + " — {f}, {g} and {h} ({y}), {t}",
    "title first": "**{t}** {k} {f}, {p} {g}, {w} {h}. GCB {y}. [[paper]](https://doi.org/" + DOI + ")",
    "numeric": "[1] K. {f}, P. {g}, W. {h}, {t}, Glob. Change Biol. 55 ({y}) 1–9. https://doi.org/" + DOI + ".",
    "linked": "**{f} et al.** ({y}). [{t}](https://doi.org/" + DOI + "). *Glob. Change Biol.*",
    "dash": "[{y}] {t} - *{f} et al.*, GCB. [doi](https://doi.org/" + DOI + ")",
    "DIN": "{f}, {k}; {g}, {p}; {h}, {w}: {t}. In: Global Change Biology 55 ({y}), S. 1–9. DOI: " + DOI,
}


def level(said: str) -> str:
    bag = bag_of(said)
    assert bag is not None
    denied = held_against(bag, [RECORD])
    return "" if denied is None else "error" if denied.sure else "unknown"


@pytest.mark.parametrize("form", FORMS)
def test_the_reference_as_its_record_has_it_is_borne_out_and_each_lie_is_told(form: str) -> None:
    assert level(FORMS[form].format(**TRUE)) == ""
    found = {name: level(FORMS[form].format(**TRUE | lie)) for name, lie in LIES.items()}
    assert all(found.values()), found
    sure = "unknown" if form == "title first" else "error"  # full names alone may be two subjects
    assert found["people"] == found["both"] == sure


@pytest.mark.parametrize(
    "said",
    [
        f"**{TITLE}** Soil Ecology Group. [[paper]](https://doi.org/{DOI}) [[code]](https://github.com/x/y)",
        f"- Weng Lindquist et al. {TITLE}. https://doi.org/{DOI}",  # misspelt
        f"Translated by A. Ghost, B. Shade and C. Wight: {TITLE}, https://doi.org/{DOI}",
        f"K. Lindqvist, P. Moreira, W. Zhang, {TITLE}, Global Change Biology no. 3 (2018), doi:{DOI}",
    ],
)
def test_what_may_be_a_reference_to_the_work_is_left_alone(said: str) -> None:
    assert level(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        f"We follow A. Ghost and B. Shade, who described the sampling of worms; the data are at https://doi.org/{DOI}",
        f"The method of sampling earthworms is described in https://doi.org/{DOI}",
        f"See 10.1111/other.1 and https://doi.org/{DOI}",
    ],
)
def test_a_sentence_is_no_bag(said: str) -> None:
    assert bag_of(said) is None


@pytest.mark.parametrize("family", ["Hansen I", "Trans P", "Hansen US"])
@pytest.mark.parametrize("venue", ["Phil Trans R Soc B", "J Appl Ecol"])
def test_initials_and_names_of_journals_do_not_make_a_reference_prose(family: str, venue: str) -> None:
    said = f"{family}, Vrba T, Eze C. {OTHER}. {venue}. 2018;55(1):1-9. doi:{DOI}"
    unit = reference_around(f"- {said}\n", 60, "markdown")
    assert unit is not None
    assert denied_by_record(unit, [RECORD])


@pytest.mark.parametrize("verb", ["", "mirrored", "sparred over", "(Uppsala) quarrelled with"])
def test_a_sentence_of_what_others_did_with_a_work_accuses_nobody(verb: str) -> None:
    names = "P. Ghostley, A. Shadewell and C. Wightman" + ("" if verb else ",")
    said = f"{names} {verb} *{TITLE}* (2018; https://doi.org/{DOI})."
    assert level(said) == ("" if verb else "error")
    assert (reference_around(f"- {said}", 60, "markdown") is None) or not verb


@pytest.mark.parametrize(
    ("names", "people"),
    [
        ("O'NEILL, J.; LIM, X.; MÜLLER-THURGAU, G.", ("oneill", "lim", "muller", "thurgau")),
        ("SOUSA, Miguel; ITO, Kenji.", ("sousa", "miguel", "ito", "kenji")),
        ("Liao Y, Smyth GK, Shi W.", ("liao", "smyth", "shi")),
        ("Kim D, Paggi JM, Park C.", ("kim", "paggi", "park")),
    ],
)
def test_names_in_capitals_are_read_and_initials_are_none(names: str, people: tuple[str, ...]) -> None:
    bag = bag_of(f"{names} Of ponds and the bees that drink there. 2014. https://doi.org/10.1000/ponds.1")
    assert bag is not None
    assert bag.people == people
