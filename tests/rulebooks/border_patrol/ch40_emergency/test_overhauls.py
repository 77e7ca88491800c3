"""Overhauls of engines (V8.45)."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import judge_emergency, turns_left
from rules_engine.rulebooks.border_patrol.ch40_emergency.overhauls import (
    OverhaulPlace,
    begin_overhaul,
    break_off,
    finish_overhaul,
    judge_overhaul,
)
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.fleet import rules, ship

SYSTEM = {"kind": "system", "original_of": "blue", "held_last_turn_by": "blue"}


def place(**given: Any) -> OverhaulPlace:
    return OverhaulPlace.from_json({"id": "p", "name": "Port", "kind": "SB", "hex": "0505", "team": "blue"} | given)


def refused(at: OverhaulPlace, **given: Any) -> list[str]:
    return rules(judge_overhaul(ship(**given), at, "plot"))


@pytest.mark.rule("border_patrol", "V8.45")
@pytest.mark.parametrize("kind", ["SB", "MB", "BS", "BATS", "FRD"])
def test_own_bases_of_these_kinds_overhaul(kind: str):
    assert refused(place(kind=kind)) == []
    assert refused(place(kind=kind, team="red")) == ["V8.45"]


@pytest.mark.rule("border_patrol", "V8.45")
def test_so_do_own_original_systems_that_were_held_and_not_bombarded():
    assert refused(place(**SYSTEM)) == []
    assert refused(place(**SYSTEM | {"original_of": "red"})) == ["V8.45"]
    assert refused(place(**SYSTEM | {"held_last_turn_by": "red"})) == ["V8.45"]
    assert refused(place(**SYSTEM, bombarded=True)) == ["V8.45"]


@pytest.mark.rule("border_patrol", "V8.45")
def test_nothing_else_does_nor_elsewhere_nor_beside_other_work():
    assert refused(place(kind="other")) == ["V8.45"]
    assert refused(place(hex="0506")) == ["V8.45"]
    assert refused(place(busy=True)) == ["V8.45"]
    assert refused(place(), towed_by="x") == ["V8.45"]


def test_of_others_places_nothing_is_told():
    quiet, busy = (judge_overhaul(ship(), place(team="red", busy=flag), "plot") for flag in (False, True))
    assert quiet == busy


@pytest.mark.rule("border_patrol", "V8.45", "V8.47")
def test_a_whole_turn_of_it_gives_the_allotment_back_and_lifts_the_bar_but_repairs_nothing():
    unit, port = ship(emergency_used=4, emergency_barred=True, warp_ok=27), place()
    begin_overhaul(unit, port)
    assert port.busy
    assert allowance(unit) == 0
    assert "V8.45" in rules(judge_emergency(unit, "plot"))
    assert turns_left(unit) == 0
    assert finish_overhaul(unit)
    assert (turns_left(unit), unit.emergency_barred, unit.warp_ok, unit.overhauls) == (4, False, 27, 1)
    assert allowance(unit) == 4
    assert not finish_overhaul(unit)


@pytest.mark.rule("border_patrol", "V8.45")
def test_an_attack_ends_it_without_gain():
    unit = ship(emergency_used=4, emergency_barred=True)
    begin_overhaul(unit, place())
    break_off(unit)
    assert not finish_overhaul(unit)
    assert not unit.overhaul_broken
    assert (turns_left(unit), unit.emergency_barred, unit.overhaul_at, unit.overhauls) == (0, True, "", 0)


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    unit = ship(name="Lance")
    places = ({"kind": "other", "hex": "0101"}, {"kind": "system", "bombarded": True}, {"team": "red"}, {"busy": True})
    told = [one for given in places for one in judge_overhaul(unit, place(**given))]
    told += judge_overhaul(ship(name="Lance", towing=["x"]), place())
    assert [str(one).replace(" (V8.45, BP-R37)", "") for one in told] == kept()
