"""Made-up works, reference lists of them in the styles that are in use, and the lists as converters lay them out."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import NamedTuple

PEOPLE = [
    tuple(name.split("|"))
    for name in (
        "Rosa|Almeida;Tor Henrik|Berg;Luis M.|Costa;Thandi|Dube;Lars|Eriksson;Awa|Fofana;Jean-Paul|Garnier"
        ";Samira|Haddad;Kenji|Ito;Mette|Jensen;Deniz|Kaya;Elena|López García"
        ";John|Mbeki;Petra|Nováková;Chidi|Okafor;Ivan|Petrov"
        ";Jan|van der Meer;Carlos|de la Cruz;Siobhan|O'Neil;Hanna|Müller-Schmidt;Xu|Li;Wei|Ng;Łukasz|Żak;Søren|Ågren"
        ";Mary Ann|St. James;Omar|El-Sayed;Thu Ha|Nguyễn;Ali|Yılmaz;Ana|D'Angelo;Peter|McDonald;Yi|Wu;Éva|Szabó"
    ).split(";")
]
BODIES = (
    "World Barley Organization;Institute of Wetland Studies;OpenBarley;Barley Collaboration;UNESCO"
    ";Ministry of Estuaries;International Organization for Standardization;European Drought Agency;The Lattice Project"
).split(";")
SUBJECTS = (
    "adaptive sampling;barley genomes;carbon diffusion;estuary models;federated learning;thermal lattices;yeast growth"
    ";zeolite membranes;drought forecasts;seismic noise;plasma oxidation;urban wetlands;isotope kinetics"
    ";catalytic surfaces;viral harvests;E. coli cultures;COVID-19 wards;2D materials;self-supervised encoders"
).split(";")
SHAPES = (
    "{A} of {b}: a Bayesian view;{A} for {b};On {a} and {b};Is {a} robust? Evidence from 12 {b};Towards {a} in {b}"
    ";{A}, {b}, and {c};A survey of {a} and {b};Learning {a} from {b} without {c};{A}Net: fast {b} at scale"
    ";Why {a} fail: lessons from {b} vs. {c};{A} in the 1990s and after;The role of {a} in {b} (and {c})"
    ";{A} – {b} revisited;How do {a} shape {b}?;Non-linear {a} under {b}"
).split(";")
JOURNALS = (
    "Journal of Crop Statistics;Annals of Wetland Biology;Nature Barley;Estuary Letters;IEEE Transactions on Drought"
    ";Physical Review Q;Barley;Proceedings of the Barley Academy;Water, Soil, and Air"
).split(";")
MEETINGS = (
    "Proceedings of the 5th Conference on Estuary Modelling;Advances in Wetland Information Processing Systems 31"
    ";International Conference on Barley Representations;Proc. Symposium on Thermal Lattices (STL 2018)"
).split(";")
SITES = "Barley Weekly;Wetland Data Portal;Drought Blog;Lattice Documentation".split(";")


class Work(NamedTuple):
    kind: str
    people: tuple[tuple[str, str], ...]
    body: str
    title: str
    venue: str
    year: int
    volume: int
    issue: int
    pages: tuple[int, int]
    doi: str
    arxiv: str
    url: str

    @property
    def surnames(self) -> list[str]:
        return [family for _, family in self.people] or ([self.body] if self.body else [])


KINDS = {"article": 40, "meeting": 22, "preprint": 10, "book": 8, "thesis": 4, "report": 6, "web": 6, "standard": 4}
KINDS |= {"manual": 3, "dataset": 3, "anonymous": 2}


def work(chance: random.Random, number: int) -> Work:
    """A record. Kinds are in rough proportion to real lists, with more of what has no author."""
    kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
    count = chance.choices((1, 2, 3, 4, 6, 9, 14), (22, 25, 20, 13, 10, 6, 4))[0]
    a, b, c = chance.sample(SUBJECTS, 3)
    title = chance.choice(SHAPES).format(a=a, b=b, c=c, A=a[0].upper() + a[1:])
    if kind == "standard":
        title = f"{chance.choice(('ISO', 'IEC', 'RFC'))} {chance.randrange(1000, 99999)}: Determination of {a}"
    if kind == "manual":
        title = f"{a.title()} User Manual, Version {chance.randrange(1, 9)}.{chance.randrange(9)}"
    if kind == "dataset":
        title = f"The {a} dataset"
    nobody = kind in ("standard", "manual", "anonymous") or (kind in ("web", "dataset") and chance.random() < 0.5)
    organised = kind == "report" or (kind == "web" and chance.random() < 0.5)
    year = chance.randrange(1985, 2025)
    first = chance.randrange(1, 2400)
    doi = chance.choice(("10.5555/jcs.{y}.{n:04d}", "10.5555/s41598-{m:03d}-{n:05d}-x", "10.5555/{n}.{m}{n}"))
    has_doi = kind in ("article", "meeting", "dataset") and chance.random() < 0.5
    page = re.sub(r"\W+", "-", title.lower()).strip("-")
    return Work(
        kind=kind,
        people=() if nobody or organised else tuple(chance.sample(PEOPLE, count)),
        body=chance.choice(BODIES) if organised else "",
        title=title,
        venue=chance.choice(JOURNALS if kind == "article" else MEETINGS if kind == "meeting" else SITES),
        year=year,
        volume=chance.randrange(1, 90),
        issue=chance.randrange(1, 12),
        pages=(first, first + chance.randrange(3, 30)),
        doi=doi.format(y=year, n=1000 + number, m=number % 900) if has_doi else "",
        arxiv=f"{chance.randrange(10, 24)}{chance.randrange(1, 13):02d}.{chance.randrange(10000, 99999)}"
        if kind == "preprint"
        else "",
        url=f"https://www.example.org/{page[:30]}/{number}" if kind in ("web", "dataset", "manual") else "",
    )


def initials(given: str, dots: bool = True, gap: str = " ") -> str:
    first = [re.sub(r"(?<=\w)\w+", "", part) for part in given.replace(".", "").split()]
    if not dots:
        return "".join(part.replace("-", "") for part in first)
    return gap.join("-".join(f"{letter}." for letter in part.split("-")) for part in first)


def listed(names: list[str], last: str, most: int = 99, others: str = " et al.", keep: int = 1) -> str:
    """`a, b<last>c`, or the first `keep` of them and `others` if there are more than `most`."""
    if len(names) > most:
        return ", ".join(names[:keep]) + others
    if len(names) == 2 and last.strip() != ",":
        last = last.lstrip(",")
    return last.join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def inverted(w: Work, gap: str = " ") -> list[str]:
    return [f"{family}, {initials(given, gap=gap)}" for given, family in w.people]


def straight(w: Work, short: bool) -> list[str]:
    return [f"{initials(given) if short else given} {family}" for given, family in w.people]


def tail(w: Work, journal: str, meeting: str) -> str:
    """Where it appeared, by the pattern of the style for journals and for meetings; in one form for the rest."""
    place = {"v": w.volume, "i": w.issue, "a": w.pages[0], "b": w.pages[1], "venue": w.venue, "y": w.year}
    if w.kind in ("article", "meeting"):
        return (journal if w.kind == "article" else meeting).format(**place)
    return {
        "preprint": f"arXiv preprint arXiv:{w.arxiv}",
        "book": "Northern University Press, Oslo",
        "thesis": "PhD thesis, University of Somewhere",
        "report": f"Technical Report {w.issue}, Geneva",
        "standard": "International Organization for Standardization, Geneva",
        "web": f"{w.venue}. {w.url}",
        "manual": f"{w.venue}, {w.url}",
        "dataset": f"{w.venue} [Data set]. {w.url}",
        "anonymous": "Barley Press, London",
    }[w.kind]  # fmt: skip


def dot(text: str) -> str:
    return text if text[-1] in ".?!" else f"{text}."


def doi(w: Work, form: str) -> str:
    return f" {form}{w.doi}" if w.doi else ""


def apa(w: Work) -> str:
    who = listed(inverted(w), ", & ", 20, ", … ", 19) if w.people else w.body
    link = doi(w, "https://doi.org/")
    if not who:
        return f"{dot(w.title)} ({w.year}). {tail(w, '', '')}.{link}"
    where = tail(w, "{venue}, {v}({i}), {a}–{b}", "In {venue} (pp. {a}–{b})")
    return f"{dot(who)} ({w.year}). {dot(w.title)} {where}.{link}"


def ieee(w: Work) -> str:
    who = listed(straight(w, True), ", and ", 6) if w.people else w.body
    where = tail(w, "{venue}, vol. {v}, no. {i}, pp. {a}–{b}", "in {venue}, pp. {a}–{b}")
    return f"{who + ', ' if who else ''}“{w.title},” {where}, {w.year}.{doi(w, 'doi: ')}"


def acm(w: Work) -> str:
    who = listed(straight(w, False), ", and ") if w.people else w.body
    where = tail(w, "{venue} {v}, {i} ({y}), {a}–{b}", "In {venue}. ACM, {a}–{b}")
    return f"{dot(who) + ' ' if who else ''}{w.year}. {dot(w.title)} {where}.{doi(w, 'https://doi.org/')}"


def vancouver(w: Work) -> str:
    names = [f"{family} {initials(given, dots=False)}" for given, family in w.people]
    who = listed(names, ", ", 6, ", et al", 6) if names else w.body
    where = tail(w, "{venue}. {y};{v}({i}):{a}-{b}", "In: {venue}; {y}. p. {a}-{b}")
    year = "" if w.kind in ("article", "meeting") else f"; {w.year}"
    return f"{dot(who) + ' ' if who else ''}{dot(w.title)} {where}{year}.{doi(w, 'doi:')}"


def nature(w: Work) -> str:
    who = listed(inverted(w), " & ", 5) if w.people else w.body
    where = tail(w, "{venue} {v}, {a}–{b}", "in {venue} {a}–{b}")
    return f"{dot(who) + ' ' if who else ''}{dot(w.title)} {where} ({w.year}).{doi(w, 'https://doi.org/')}"


def chicago(w: Work) -> str:
    rest = straight(w, False)[1:]
    first = f"{w.people[0][1]}, {w.people[0][0]}" if w.people else w.body
    who = listed([first, *rest], ", and ", 10, ", et al.", 7)
    where = tail(w, "{venue} {v} ({i}): {a}–{b}", "In {venue}, {a}–{b}")
    if not who:
        return f"“{dot(w.title)}” {w.year}. {where}."
    return f"{dot(who)} {w.year}. “{dot(w.title)}” {where}.{doi(w, 'https://doi.org/')}"


def harvard(w: Work) -> str:
    who = listed(inverted(w, ""), " and ", 4) if w.people else w.body
    where = tail(w, "{venue}, {v}({i}), pp. {a}–{b}", "in {venue}, pp. {a}–{b}")
    quoted = f"‘{w.title}’, " if w.kind != "book" else f"{dot(w.title)} "
    return f"{who} ({w.year}) {quoted}{where}." if who else f"{w.title} ({w.year}) {where}."


def plain(w: Work) -> str:
    who = listed(straight(w, False), ", and ") if w.people else w.body
    where = tail(w, "{venue}, {v}({i}):{a}–{b}", "In {venue}, pages {a}–{b}. Springer")
    return f"{dot(who) + ' ' if who else ''}{dot(w.title)} {where}, {w.year}.{doi(w, 'doi: ')}"


def apalike(w: Work) -> str:
    who = listed(inverted(w), ", and ") if w.people else w.body
    where = tail(w, "{venue}, {v}({i}):{a}–{b}", "In {venue}, pages {a}–{b}")
    return f"{who + ' ' if who else ''}({w.year}). {dot(w.title)} {where}."


def elsevier(w: Work) -> str:
    who = listed(straight(w, True), ", ") if w.people else w.body
    where = tail(w, "{venue} {v} ({i}) ({y}) {a}–{b}", "in: {venue}, {y}, pp. {a}–{b}")
    year = "" if w.kind in ("article", "meeting") else f", {w.year}"
    return f"{who + ', ' if who else ''}{w.title}, {where}{year}.{doi(w, 'doi:')}"


def springer(w: Work) -> str:
    who = listed(inverted(w, ""), ", ") if w.people else w.body
    where = tail(w, "{venue} {v}({i}), {a}–{b}", "In: {venue}. pp. {a}–{b}. Springer")
    return f"{who + ': ' if who else ''}{dot(w.title)} {where} ({w.year}).{doi(w, 'https://doi.org/')}"


def mla(w: Work) -> str:
    first = f"{w.people[0][1]}, {w.people[0][0]}" if w.people else w.body
    names = [first, *straight(w, False)[1:]]
    who = listed(names, ", and ", 2, ", et al.")
    where = tail(w, "{venue}, vol. {v}, no. {i}, {y}, pp. {a}–{b}", "{venue}, {y}, pp. {a}–{b}")
    year = "" if w.kind in ("article", "meeting") else f", {w.year}"
    return f"{dot(who) + ' ' if who else ''}“{dot(w.title)}” {where}{year}.{doi(w, 'https://doi.org/')}"


STYLES: dict[str, tuple[Callable[[Work], str], str]] = {
    "APA": (apa, ""), "IEEE": (ieee, "[{n}]"), "ACM": (acm, "[{n}]"), "Vancouver": (vancouver, "{n}."),
    "Nature": (nature, "{n}."), "Chicago": (chicago, ""), "Harvard": (harvard, ""), "plain": (plain, "[{n}]"),
    "plainnat": (plain, ""), "alpha": (plain, "[{k}]"), "apalike": (apalike, ""), "Elsevier": (elsevier, "[{n}]"),
    "Springer": (springer, "{n}."), "MLA": (mla, ""),
}  # fmt: skip
LAYOUTS = ("lines", "blank", "hanging", "wrapped", "column", "pages")


def wrapped(text: str, width: int, narrow: bool) -> Iterator[str]:
    """Lines as a typesetter breaks them: addresses after their marks, in a narrow column long words anywhere."""
    line = ""
    for token in text.split():
        parts = re.split(r"(?<=[/.-])(?=\w)", token) if re.search(r"https?:|10\.\d{4}/", token) else [token]
        for place, part in enumerate(parts):
            gap = " " if line and not place else ""
            if len(line) + len(gap) + len(part) <= width:
                line += gap + part
                continue
            room = width - len(line) - len(gap) - 1
            if narrow and len(parts) == 1 and part.isalpha() and len(part) > 7 and 3 <= room < len(part) - 3:
                yield f"{line}{gap}{part[:room]}-"
                line = part[room:]
                continue
            yield line
            line = part
    yield line


def laid_out(items: list[str], layout: str) -> tuple[str, list[int]]:
    """The list as a converter gives it, and where its pages begin."""
    if layout == "lines":
        return "\n".join(items), []
    if layout == "blank":
        return "\n\n".join(items), []
    if layout == "hanging":
        return "\n".join(textwrap.fill(item, 84, subsequent_indent="    ") for item in items), []
    width = 46 if layout == "column" else 84
    broken = ["\n".join(wrapped(item, width, narrow=layout == "column")) for item in items]
    if layout == "column":
        return "\n".join(broken), []
    if layout == "wrapped":
        return "\n".join(broken), []
    lines = "\n".join(broken).split("\n")  # a page begins in the middle of a reference
    pages, text = [], ""
    for at in range(0, len(lines), 25):
        pages.append(len(text))
        text += "\n".join(lines[at : at + 25]) + "\n\n"
    return text, pages
