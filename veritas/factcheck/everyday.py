"""Everyday words for one thing, and opposites, which a general lexicon keeps apart: "turnover" and "sales"."""

from __future__ import annotations

from functools import lru_cache

from veritas.text.stems import stem

_ALIKE = """
rise grow increase climb gain surge jump advance expand
fall drop decline shrink decrease diminish lessen slip sink reduce cut lower recede
begin start open launch commence
end finish close stop cease conclude
buy purchase acquire acquisition takeover
revenue turnover sales income
staff employee workforce headcount worker
pay fund finance sponsor cover
forbid ban prohibit bar outlaw illegal
allow permit let
cost price expense
build construct construction building erect
show demonstrate indicate reveal suggest report find found
say state tell note explain according
people person respondent participant inhabitant resident
study investigation survey research analysis
doctor physician
child pupil student kid
road street
car vehicle traffic
company firm group business manufacturer
result outcome finding
goal target aim objective
use employ apply utilise
help support assist aid
big large great huge major
small little minor tiny slight
fast quick rapid speedy
about roughly around approximately nearly almost
main chief principal mostly mainly primarily
yearly annual annually year
monthly month
daily day
get receive obtain
make produce manufacture create
choose select pick
give provide supply deliver offer
want wish demand request ask
need require
think believe regard consider
keep retain maintain remain stay
leave depart
die death kill drown
injure hurt wound
happen occur take
live dwell reside
join merge
replace substitute
move transfer shift
carry transport bear
ship vessel boat
plant factory
author researcher scientist auditor
scheme programme program project
size diameter
see observe notice
look search
compulsory mandatory required obligatory
random chance
free gratis charge
share stake portion proportion
lunch meal dish
trial test experiment
damage loss harm
agree consent approve
refuse reject decline
attribute credit blame put ascribe
meet encounter
plan intend expect
fix repair solve
lake pond
house home
town city
sea ocean
rock stone
illness disease
medicine drug medication
war conflict
fight battle
law statute rule
king monarch
film movie
picture image
speak talk
near close
far distant
former previous earlier before
later afterwards subsequent after
whole entire full
part portion share section
yes true
wrong false mistaken incorrect
"""
_OPPOSITE = """
rise grow increase climb gain surge expand up / fall drop decline shrink decrease down reduce recede
more higher larger bigger greater up / lower less fewer smaller down fall drop decline shrink decrease
rise grow increase climb gain / lower less fewer smaller
profit surplus / loss deficit
allow permit legal / forbid ban prohibit bar illegal
approve agree accept / refuse reject decline deny
open / closed close shut
win / lose
first / last
best / worst
most largest longest highest biggest / least smallest shortest lowest
majority / minority
before earlier / after later
begin start / end stop finish
include / exclude
support favour / oppose against
success succeed / fail failure
faster / slower
cheaper / dearer expensive
better / worse improve
improve / worsen deteriorate
raise upgrade / downgrade lower
buy / sell
near / far
north / south
east / west
full / empty
new / old
always / never sometimes
all every / none some most half
many / few
possible / impossible
known / unknown
safe / dangerous unsafe
survive survivor / die drown kill
guilty blame convict / innocent clear acquit
public / private
voluntary / compulsory mandatory
married / divorced
mandatory compulsory / optional
longer / shorter
warmer / colder
heavier / lighter
stronger / weaker
ellipse / circle
approach closer / away recede
positive / negative
present / absent
temporary / permanent
single / several
separate / together
"""


@lru_cache(maxsize=1)
def _alike() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _ALIKE.strip().splitlines():
        group = {stem(word) for word in line.split()}
        for word in group:
            found.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _opposite() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _OPPOSITE.strip().splitlines():
        one, other = ({stem(word) for word in side.split()} for side in line.split("/"))
        for mine, theirs in ((one, other), (other, one)):
            for word in mine:
                found.setdefault(word, set()).update(theirs)
    return {word: frozenset(others) for word, others in found.items()}


def alike(stemmed: str) -> frozenset[str]:
    """Return the stems of everyday words that may stand for a word, by its stem."""
    return _alike().get(stemmed, frozenset())


def opposites(stemmed: str) -> frozenset[str]:
    """Return the stems of the opposites of a word, by its stem."""
    return _opposite().get(stemmed, frozenset())
