"""The set-up, in secret and at once. VM-N26"""

from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.campaign.setting_up import set_up_ask
from rules_engine.rulebooks.vector.records.state import VectorState
from tests.rulebooks.vector.scenarios import opened


def refusals(state: VectorState, side: str, sheet: Json) -> list[str]:
    try:
        set_up_ask(state, side).answer_from(sheet)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []


LEGAL: list[dict[str, Any]] = [
    {},
    {"C1": {}},
    {"C1": {"at": "0625", "facing": "D", "vector": "8C"}},
    {"C1": {"at": "0824", "vector": "0"}},
    {"C1": {"vector": "20A+20D"}},
    {"C1": {"vector": "5A+5C+3B"}},
]


@pytest.mark.parametrize("sheet", LEGAL)
def test_what_fits_the_zone_is_legal(sheet: Json):
    assert refusals(opened(), "courier", sheet) == []


ILLEGAL: list[tuple[dict[str, Any], str, str]] = [
    ({"C1": {"at": "0628"}}, "C1.at", "0628 is 3 hexes from 0625 (VM-N26). Legal: 2 hexes or fewer from 0625"),
    ({"C1": {"at": "9925"}}, "C1.at", "Did you mean 0824"),
    ({"C1": {"at": "6-25"}}, "C1.at", "is no hex"),
    ({"C1": {"vector": "9C"}}, "C1.vector", "9C is speed 9 (VM-N26). Legal: speed 8 or less"),
    ({"C1": {"vector": "5A+5B"}}, "C1.vector", "speed 10"),
    ({"C1": {"vector": "fast"}}, "C1.vector", "'fast' is no vector"),
    ({"C1": {"facing": "G"}}, "C1.facing", ""),
    ({"C1": {"at": "x" * 13}}, "C1.at", ""),
    ({"H1": {"at": "1412"}}, "H1", "H1 is no ship of yours. Legal: C1"),
    ({"C9": {"at": "1412"}}, "C9", "C9 is no ship of yours. Legal: C1"),
]


@pytest.mark.parametrize(("sheet", "path", "said"), ILLEGAL)
def test_what_does_not_is_refused(sheet: Json, path: str, said: str):
    found = refusals(opened(), "courier", sheet)
    assert len(found) == 1
    assert found[0].startswith(path)
    assert said in found[0]


def test_all_that_is_wrong_is_told_at_once():
    found = refusals(opened(), "courier", {"C1": {"at": "0628", "vector": "9C"}, "H1": {}})
    assert len(found) == 3


def test_nobody_is_set_up_in_a_planet():
    state = opened("ambush")
    planet = next(one for one in state.battle.terrain if one.kind == "planet")
    zone = state.captains["raiders"].zone
    assert zone is not None
    state.captains["raiders"].zone = zone.with_values(at=planet.hexes[0], within=3)
    assert "is in a planet" in refusals(state, "raiders", {"R1": {"at": planet.hexes[3]}})[0]
    offered = {choice.value for field in set_up_ask(state, "raiders").form.lines[0].fields for choice in field.choices}
    assert not offered & {*planet.hexes}


def test_a_small_zone_is_offered_as_a_menu_without_what_is_illegal():
    ask = set_up_ask(opened(), "courier")
    field = ask.form.lines[0].fields[0]
    assert (field.kind, len(field.choices), field.value) == ("one", 19, "0625")
    for choice in field.choices:
        assert refusals(opened(), "courier", {"C1": {"at": choice.value}}) == []


def test_a_large_zone_is_typed():
    state = opened()
    zone = state.captains["courier"].zone
    assert zone is not None
    state.captains["courier"].zone = zone.with_values(within=3)
    assert set_up_ask(state, "courier").form.lines[0].fields[0].kind == "text"


def test_a_zone_without_a_middle_lies_about_each_ship():
    state = opened("rendezvous")
    assert refusals(state, "north", {"N1": {"at": "0806"}, "N2": {"at": "1410"}}) == []
    assert "0807 is 3 hexes from 0804" in refusals(state, "north", {"N1": {"at": "0807"}})[0]


def test_a_set_up_is_read_back():
    ask = set_up_ask(opened(), "courier")
    assert list(ask.read_back(ask.answer_from({"C1": {"at": "0626", "facing": "A", "vector": "2C+2D"}}))) == [
        "C1 Quicksilver begins in 0626, facing A, moving 2C+2D, speed 4."
    ]
    assert list(ask.read_back(ask.answer_from({"C1": {"vector": "3A+3D"}}))) == [
        "C1 Quicksilver begins in 0625, facing B, at rest."
    ]
