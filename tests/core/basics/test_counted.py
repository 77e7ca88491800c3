"""Numbers with what they count."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.counted import counted, noun, singular, verb, with_article
from rules_engine.rulebooks.pq17.ch10_supply.stores import say_goods
from rules_engine.rulebooks.pq17.tables.supply import Goods


@pytest.mark.parametrize(
    ("count", "thing", "said"),
    [
        (1, "probe", "1 probe"), (2, "probe", "2 probes"), (0, "box", "0 boxes"), (1, "AWR box", "1 AWR box"),
        (2, "boarding party", "2 boarding parties"), (1, "boarding party", "1 boarding party"), (3, "day", "3 days"),
        (12, "CPV", "12 CPV"), (Fraction(1), "point", "1 point"), (Fraction(3, 2), "point", "1 1/2 (1.5) points"),
    ],
)  # fmt: skip
def test_one_is_not_spoken_of_as_many(count: int | Fraction, thing: str, said: str) -> None:
    assert counted(count, thing) == said
    assert said.endswith(f" {noun(count, thing)}")


def test_goods_have_a_singular() -> None:
    assert [singular(goods.value) for goods in (Goods.BOARDERS, Goods.SUPPLY, Goods.UIMS)] == [
        "boarding party",
        "supply",
        "UIM",
    ]
    assert (
        say_goods([(Goods.PROBES, Fraction(1)), (Goods.CREW, Fraction(2)), (Goods.FUEL, Fraction(1))])
        == "1 probe, 2 crew units, 1 fuel"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ash", "an Ash"), ("Birch", "a Birch"), ("elm", "an elm"), ("ISC", "an ISC"), ("LDR", "an LDR"),
        ("WYN", "a WYN"),
        ("FRD of a port", "an FRD of a port"), ("SAMS", "a SAMS"), ("Auxiliary Cruiser", "an Auxiliary Cruiser"),
        ("Large Freighter", "a Large Freighter"),
    ],
)  # fmt: skip
def test_an_article_goes_by_the_sound_of_the_name(name: str, said: str) -> None:
    assert with_article(name) == said


def test_a_verb_goes_by_the_number() -> None:
    assert [verb(count, "acts", "act") for count in (0, 1, 2)] == ["act", "acts", "act"]
