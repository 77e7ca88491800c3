"""Numbers with what they count."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.counted import counted, singular
from rules_engine.rulebooks.pq17.ch10_supply.stores import say_goods
from rules_engine.rulebooks.pq17.tables.supply import Goods


@pytest.mark.parametrize(
    ("count", "thing", "said"),
    [(1, "probe", "1 probe"), (2, "probe", "2 probes"), (0, "box", "0 boxes"), (1, "AWR box", "1 AWR box")],
)
def test_one_is_not_spoken_of_as_many(count: int, thing: str, said: str) -> None:
    assert counted(count, thing) == said


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
