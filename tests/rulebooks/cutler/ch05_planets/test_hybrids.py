"""Chapter 5.1: prizes are converted into hybrids."""

import pytest

from rules_engine.rulebooks.cutler.ch04_economics.permits import refit_cost
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.planetary import razing_potential
from rules_engine.rulebooks.cutler.records.setup import RaceOffer, Setup, SetupRules
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import kind_of, refusal_words, refusals, sees
from tests.rulebooks.cutler.yards import HOME, turn, yard

PRIZE, FF = "hydran-F1-FF", "hydran-F2-FF"


def harbour(base_type: str = "SB", **figures: object) -> CutlerState:
    """A frigate that was a Lyran one, and another that never was, in a yard of the Hydran."""
    state = yard(HOME + "hydran F1 0205 FF\nhydran F2 0205 FF\nlyran F1 0902 CA\n", bays=(20, 20), base_type=base_type)
    hybrid = {"class_id": "hff", "name": "Hybrid Frigate", "hybrid": True, **figures}
    state.classes["hff"] = kind_of("FF", **hybrid)
    state.classes["ff"] = kind_of("FF", refits={"hff": 12, "sc": 30})
    for key in (PRIZE, FF):
        state.units[key].record = state.classes["ff"]
    state.units[PRIZE].captured_from = "lyran"
    return state


@pytest.mark.rule("cutler", "5.1", "5.1.2")
def test_a_prize_becomes_a_hybrid_and_may_fire_again():
    state = harbour()
    ship = state.units[PRIZE]
    assert razing_potential(ship) == 0
    run = turn(state, D1={"work": f"refit {PRIZE} into hff", "cpv": 14})
    assert (ship.record.class_id, ship.captured_from, razing_potential(ship)) == ("ff", "lyran", 0)
    again = turn(state)
    assert (ship.record.class_id, ship.captured_from, razing_potential(ship)) == ("hff", "", 2)
    assert "Hydran F1 Ff is made into a Hybrid Frigate at Yard in 0205." in again.texts("hydran")
    assert [work.paid for work in state.works.values()] == []
    assert [one.cpv for one in state.spent] == [14, 1]  # fifteen, although twelve are printed
    assert "Hybrid" not in sees(run.table, run.asks, "lyran") + sees(again.table, again.asks, "lyran")


@pytest.mark.rule("cutler", "5.1")
@cases("base_type, line, expected")
def test_what_is_made_of_prizes_and_where(base_type, line, expected):
    state = harbour(base_type)
    ask = turn_ask(state, "hydran")
    assert refusals(ask, {"D1": line}) == expected
    offered = [choice.value for choice in ask.form.line("D1").fields[0].choices]
    assert (line["work"] in offered) == (not expected)


@pytest.mark.rule("cutler", "5.1")
@cases("base_type, line, words")
def test_what_is_made_of_prizes_and_where_and_why(base_type, line, words):
    state = harbour(base_type)
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, {"D1": line}) == words


@pytest.mark.rule("cutler", "5.1")
def test_the_base_must_be_able_to_build_a_ship_of_the_prizes_size(kept: Kept):
    state = harbour("BATS")
    prize = state.units[PRIZE]
    prize.record = kind_of("CA", refits={"hff": 12})
    prize.warp_ok, prize.impulse_ok = 30, 4
    assert refusal_words(turn_ask(state, "hydran"), {"D1": {"work": f"refit {PRIZE} into hff"}}) == kept()


@pytest.mark.rule("cutler", "5.1", "4.2.3.3")
def test_a_hybrid_does_not_follow_on_a_new_ship(kept: Kept):
    state = harbour()
    state.classes["ff"] = kind_of("FF", refits={"hff": 12}, bpv_economic=5)
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, {"D1": {"work": "build ff", "then": "hff"}}) == kept()
    assert all(
        "hff" not in [one.value for one in field.choices] for field in ask.form.line("D1").fields if field.key == "then"
    )


@pytest.mark.rule("cutler", "5.1")
@pytest.mark.parametrize(
    ("printed", "new", "cost"), [(12, 60, 15), (15, 60, 15), (16, 60, 16), (3, 50, 15), (3, 40, 20)]
)
def test_a_hybrid_conversion_costs_fifteen_at_least(printed, new, cost):
    old, hybrid = kind_of("FF", refits={"hff": printed}), kind_of("FF", class_id="hff", hybrid=True, bpv_economic=new)
    assert refit_cost(old, hybrid) == cost


def test_hybrids_are_not_among_the_first_ships():
    races = tuple(RaceOffer(name=name, emblem=name[0]) for name in ("Hydran", "Lyran"))
    classes = {"ff": kind_of("FF"), "hff": kind_of("FF", class_id="hff", hybrid=True)}
    setup = Setup(rules=SetupRules(races=races), classes=classes)
    assert [kind.class_id for kind in setup.buyable("hydran")] == ["ff"]
