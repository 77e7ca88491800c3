"""The set-up, in secret and at once, and when a duel is over, and who has won. VM-N25, VM-N26"""

from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.campaign.setting_up import SetUpSheet, set_up_ask
from rules_engine.rulebooks.vector.campaign.victory import ending, is_decided, say_clock
from rules_engine.rulebooks.vector.records.aims import DuelRules  # noqa: F401 - in cells of tables
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain
from rules_engine.rulebooks.vector.scenario.ground import disc
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened


def refusals(state: VectorState, side: str, sheet: Json) -> list[str]:
    try:
        set_up_ask(state, side).answer_from(sheet)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []


@cases("sheet")
def test_what_fits_the_zone_is_legal(sheet: Json):
    assert refusals(opened(), "courier", sheet) == []


@cases("sheet, path, said")
def test_what_does_not_is_refused(sheet: Json, path: str, said: str):
    found = refusals(opened(), "courier", sheet)
    assert len(found) == 1
    assert found[0].startswith(path)
    assert said in found[0]


def test_all_that_is_wrong_is_told_at_once():
    assert len(refusals(opened(), "courier", {"C1": {"at": "0628", "vector": "9C"}, "H1": {}})) == 3


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
    field = set_up_ask(opened(), "courier").form.lines[0].fields[0]
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


def test_a_set_up_is_read_back(kept: Kept):
    ask = set_up_ask(opened(), "courier")
    assert list(ask.read_back(ask.answer_from({"C1": {"at": "0626", "facing": "A", "vector": "2C+2D"}}))) == kept("#1")
    assert list(ask.read_back(ask.answer_from({"C1": {"vector": "3A+3D"}}))) == kept("#2")


def test_a_captain_is_told_what_a_set_up_is(kept: Kept):
    ask = set_up_ask(opened(), "courier")
    assert ask.title == "Set-up"
    assert ask.text == (
        "Place your ships within 2 hexes of 0625, at speed 8 or less. All captains do so at once; nobody sees yours "
        "before all are in."
    )
    assert ask.question is not None
    assert ask.question.situation == (
        "Hex, facing and vector of each ship, within 2 hexes of 0625, at speed 8 or less."
    )
    assert (ask.question.others, ask.question.noun, ask.question.lines) == ("begin where they stand", "ship", ("C1",))
    assert ask.default_says == "The ships begin where the scenario has them."
    line = ask.form.lines[0]
    assert (line.label, line.note) == ("Quicksilver", "C1, within 2 hexes of 0625, at speed 8 or less")
    assert [(one.label, one.help, one.most) for one in line.fields] == kept()


def test_a_zone_that_lies_about_each_ship_is_said_so(kept: Kept):
    ask = set_up_ask(opened("rendezvous"), "north")
    assert "Place each of your ships within 2 hexes of where it stands now, at speed 6 or less" in ask.text
    assert [one.note for one in ask.form.lines][:2] == kept()


def test_refusals_of_a_set_up_in_words(kept: Kept):
    state = opened("ambush")
    planet = next(one for one in state.battle.terrain if one.kind == "planet")
    zone = state.captains["raiders"].zone
    assert zone is not None
    state.captains["raiders"].zone = zone.with_values(at=planet.hexes[0], within=1)
    assert refusals(state, "raiders", {"R1": {"at": planet.hexes[0]}}) == kept("#1")
    assert refusals(opened(), "courier", {"C1": {"vector": "fast"}}) == kept("#2")
    # twelve characters are looked at as a hex, and forty as a vector; more are not
    assert "is no hex" in refusals(opened(), "courier", {"C1": {"at": "x" * 12}})[0]
    assert "the text is too long" in refusals(opened(), "courier", {"C1": {"at": "x" * 13}})[0]
    assert "is no vector" in refusals(opened(), "courier", {"C1": {"vector": "x" * 40}})[0]
    assert "the text is too long" in refusals(opened(), "courier", {"C1": {"vector": "x" * 41}})[0]


def test_a_zone_of_more_than_a_menus_hexes_is_typed_in_so_many_letters():
    state = opened()
    zone = state.captains["courier"].zone
    assert zone is not None
    # 19 hexes within 2; of 37 within 3, a planet that leaves 25 makes a menu, one that leaves 26 does not
    state.captains["courier"].zone = zone.with_values(within=3)
    around = disc("0625", 3)
    for taken, kind in ((12, "one"), (11, "text")):
        state.battle.terrain = [TacticalTerrain(id="rock", kind="planet", hexes=around[-taken:])]
        assert set_up_ask(state, "courier").form.lines[0].fields[0].kind == kind
    field = set_up_ask(state, "courier").form.lines[0].fields[0]
    assert (field.most, field.value, field.help) == (12, "0625", "column and row, as 0412")


def test_who_arrives_later_says_when():
    said = set_up_ask(opened("ambush"), "raiders").read_back(SetUpSheet({}))
    assert said[1] == "R2 Leer arrives on turn 2 in 2923, facing E, at rest."
    assert said[0].startswith("R1 Grin begins in 2922, facing E")


# --- victory ---------------------------------------------------------------------------------------------------------
@cases("case, ships, settings, captains, over", "", made="settings")
def test_when_a_duel_is_over_and_who_has_won(
    ships: str, settings: dict[str, Any], captains: dict[str, dict[str, Any]], over: tuple[Any, ...] | None
):
    """The winners and what is told, and the scores where they are said; of captains, what is noted of them by then."""
    state = duel(ships.replace("; ", " | "), **settings)
    for key, noted in captains.items():
        for name, value in noted.items():
            setattr(state.captains[key], name, value)
    found = ending(state)
    assert (found and (found.winners, found.text, found.scores)[: len(over or ())]) == over


def test_nothing_is_decided_before_the_set_up_is_revealed():
    state = duel("C1 courier 0410 8C out:caught | H1 hunter 2020 0", turn=0)
    assert ending(state) is None
    state.revealed = False
    assert not is_decided(state)


@cases("clock, said")
def test_impulses_are_said_by_their_turn(clock: int, said: str):
    assert say_clock(clock) == said
