"""Denials, relative clauses, and what a claim must not drop: who says it, only, and of whom it holds."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare
from veritas.meaning.relation import Setting

HERE = Setting("manual")


def follows(source: str, claim: str) -> bool:
    return compare(source, claim, of_first=HERE, of_second=HERE).entailed


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The permit is not valid unless both owners sign it.", "The permit is valid only if both owners sign it."),
        ("The fort did not fall until the winter.", "The fort did not fall before the winter."),
        ("The gate opens only after the bell.", "The gate does not open before the bell."),
        ("Not all of the letters were answered.", "Some of the letters were not answered."),
        ("The firm denied that it had sold the land.", "The firm said that it had not sold the land."),
        ("The band does not tour any more.", "The band no longer tours."),
        ("Nobody but the captain may use the radio.", "Only the captain may use the radio."),
        ("The sailor failed to repair the mast.", "The sailor did not manage to repair the mast."),
        ("The valley was without roads.", "The valley had no roads."),
        ("The bread contains neither salt nor yeast.", "The bread contains no salt and no yeast."),
        ("The lake is deeper than the bay.", "The bay is not deeper than the lake."),
        ("The rule applies to new members only.", "The rule applies only to new members."),
        ("All of the guests but Carter stayed.", "All of the guests stayed except Carter."),
    ],
)
def test_a_denial_is_said_in_many_ways(source: str, claim: str) -> None:
    assert follows(source, claim)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The permit is not valid unless both owners sign it.", "The permit is valid unless both owners sign it."),
        ("Not all of the letters were answered.", "None of the letters was answered."),
        ("The bay is not deeper than the lake.", "The lake is deeper than the bay."),
        ("The firm denied that it had sold the land.", "The firm had not sold the land."),
        ("Nobody but the captain may use the radio.", "Nobody may use the radio."),
        ("The soup contains no eggs and no milk.", "The soup contains milk."),
    ],
)
def test_what_is_denied_otherwise_does_not_follow(source: str, claim: str) -> None:
    assert not follows(source, claim)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The castle that the baron built burned down in 1460.", "The baron built the castle."),
        ("The nurse whom the clinic dismissed has filed a complaint.", "The clinic dismissed the nurse."),
        ("The pianist whose hand was broken cancelled the tour.", "The hand of the pianist was broken."),
        ("The organ on which Bach played was sold.", "Bach played on the organ."),
        ("Bats that live in caves lose a third of their fat.", "Bats living in caves lose a third of their fat."),
        ("The lens measures light produced in the sun.", "The lens measures light that is produced in the sun."),
        ("Atoms that lack an electron are called ions.", "Atoms without an electron are called ions."),
        ("Runners wearing the new shoes finished earlier.", "Runners who wore the new shoes finished earlier."),
    ],
)
def test_a_relative_clause_is_told_of_its_noun(source: str, claim: str) -> None:
    assert follows(source, claim)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The castle that the baron built burned down in 1460.", "The baron burned down in 1460."),
        ("The camera discovered a planet orbiting two suns.", "The camera orbits two suns."),
        ("The duke was seized near Pskov, which ended the revolt.", "Pskov ended the revolt."),
        ("The mayor, who had promised a road, resigned in May.", "The mayor promised a road in May."),
        ("The surgeon is convinced that the growth is benign.", "The growth is benign."),
        ("To her publisher, the novel was a disaster.", "The novel was a disaster."),
        ("Under the hypothesis, the moon once had seas.", "The moon once had seas."),
        ("The pill is safe for healthy adults.", "The pill is safe for adults."),
        ("The drug helps children with mild asthma.", "The drug helps children with asthma."),
        ("Mice without the gene sleep less.", "Mice sleep less."),
        ("The club lost three of its eight matches.", "The club lost its matches."),
        ("The alloy is magnetic at pressures above 150 bar.", "The alloy is magnetic."),
        ("Worker bees live for six weeks in summer.", "Worker bees live for six weeks."),
    ],
)
def test_a_noun_a_speaker_and_a_group_keep_what_is_theirs(source: str, claim: str) -> None:
    assert not follows(source, claim)


def test_the_longer_name_is_another_one() -> None:
    found = compare("RabbitMQ is stable.", "RabbitMQBeta is not stable.", of_first=HERE, of_second=HERE)
    assert found.relation != "excludes"


def test_a_narrower_subject_is_another_one() -> None:
    found = compare("The symphony has four parts.", "The sonata has three parts.", of_first=HERE, of_second=HERE)
    assert found.relation != "excludes"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The soup needs 250 g of lentils and 3 onions.", "The soup needs 250 g of lentils and 8 onions."),
        ("Bake the loaf for 40 minutes.", "Bake the loaf for 60 minutes."),
        ("The amount is rounded up.", "The amount is rounded down."),
    ],
)
def test_an_amount_of_a_list_or_an_instruction_excludes_another(source: str, claim: str) -> None:
    assert compare(source, claim, of_first=HERE, of_second=HERE).relation == "excludes"


@pytest.mark.parametrize(
    ("source", "claim", "shown"),
    [
        ("The set includes ALIE.", "The set does not include ALIE.", "the claim says “does not include”"),
        ("The treaty has not been signed.", "The treaty has been signed.", "the source says “has not been signed”"),
    ],
)
def test_a_denied_verb_is_shown_with_its_denial(source: str, claim: str, shown: str) -> None:
    assert shown in " ".join(str(each) for each in compare(source, claim).differences)
