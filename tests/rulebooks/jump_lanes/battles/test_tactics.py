"""Battles in the tracker: what it gets of them, must not tell and fills in, set up by JL-N17 and flown."""

from collections.abc import Callable

import pytest

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle
from rules_engine.core.tactics.judging import SetUpSpot as Placed
from rules_engine.core.tactics.placing import legal_placement
from rules_engine.core.tactics.tallies import Fate, ShipTally, TacticalTally
from rules_engine.rulebooks.jump_lanes.battles.fighting import open_battle
from rules_engine.rulebooks.jump_lanes.battles.ground import invasions_steps
from rules_engine.rulebooks.jump_lanes.battles.tactics import tactics_of
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, Unit
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import begin, fates
from tests.rulebooks.set_ups import broken, hex_off
from tests.rulebooks.vector.battles.tracked import Tracked


def contact() -> LanesState:
    """Two Terran ships with a base in tow, and two raiders, at Barnard."""
    state = frontier()
    base = ship("Base", kind="starbase", siz=1, ftl=0)
    squadron(state, "T1", "barnard", ship("Hermes", cargo=10), ship("Tug", siz=3, towing=4), base)
    state.units["Tug"].tows = base.towed = True
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI, siz=5), ship("Wolf", CENTAURI, siz=1))
    return state


def battle_ask(state: LanesState) -> AnyAsk:
    """The ask of the battle that comes about where nobody moves."""
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates())
    (ask,) = [one for one in play.asked if one.kind == "battle"]
    return ask


def tracked(state: LanesState) -> TacticalBattle:
    tactics = battle_ask(state).tactics
    assert tactics is not None
    return tactics.battle


@pytest.mark.rule("jump_lanes", "13.2")
def test_units_are_those_of_the_sheet_under_the_same_codes():
    ask = battle_ask(contact())
    assert ask.tactics is not None
    battle = ask.tactics.battle
    assert battle.title == "Battle at Barnard"
    assert [(ship.code, ship.name, ship.kind) for ship in battle.ships] == [
        ("TU1", "Tug", "starship"), ("TU2", "Base", "starbase"), ("TU3", "Hermes", "starship"),
        ("CU1", "Raider", "starship"), ("CU2", "Wolf", "starship"),
    ]  # fmt: skip
    assert [ship.code for ship in battle.ships] == [line.key for line in ask.form.lines]


def test_size_classes_stand_in_for_siz_and_all_figures_are_invented(kept: Kept):
    """JL-N17"""
    state = contact()
    squadron(state, "C2", "barnard", ship("Wasp", CENTAURI, kind="flight"), ship("Four", CENTAURI, siz=4))
    state.put(ship("Two", CENTAURI, siz=2), squadron="C2")
    standing(state, ship("Eye", kind="satellite"), "barnard")
    battle = tracked(state)
    classes = {ship.name: ship.flight.size_class for ship in battle.ships}
    assert classes == {
        "Raider": 2, "Four": 3, "Tug": 3, "Two": 4, "Hermes": 4, "Wolf": 4, "Base": 2, "Eye": 5, "Wasp": 6,
    }  # fmt: skip
    assert {ship.name for ship in battle.ships if ship.flight.stays} == {"Base", "Eye"}
    assert {ship.name: ship.most_speed for ship in battle.ships if ship.most_speed != 31} == kept()
    assert [ship.name for ship in battle.ships if ship.flight.form == "shuttle"] == ["Wasp"]
    assert {ship.flight.source for ship in battle.ships} == {"invented"}
    figures = {(one.flight.warp, one.flight.move_cost, one.flight.turn_mode, one.left) for one in battle.ships}
    assert figures == {(None, None, None, None)}


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_tows_are_among_the_notes():
    assert "Base: in tow, +1 Formation Level, no weapons fire" in tracked(contact()).notes


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_tows_go_into_the_tracker_with_the_strongest_tug_first():
    """Two tugs with 4 and 6 pull the base together; another squadron has a tow of its own, and a tug that tows nothing
    has none."""
    state = contact()
    state.put(ship("Titan", siz=2, towing=6, ftl=2), squadron="T1")
    state.units["Titan"].tows = True
    barge = ship("Barge", ftl=0, siz=1)
    squadron(state, "C2", "barnard", ship("Ox", CENTAURI, towing=2), ship("Mule", CENTAURI, towing=2))
    state.put(Unit.from_json(barge.to_json() | {"empire": CENTAURI}), squadron="C2")
    state.units["Ox"].tows = state.units["Barge"].towed = True
    battle = tracked(state)
    names = {one.code: one.name for one in battle.ships}
    tows = [([names[code] for code in tow.tugs], [names[code] for code in tow.towed]) for tow in battle.tows]
    assert tows == [(["Titan", "Tug"], ["Base"]), (["Ox"], ["Barge"])]
    speeds = {one.name: one.most_speed for one in battle.ships if one.most_speed != 31}
    assert speeds == {"Titan": 16, "Tug": 16, "Base": 0, "Ox": 16, "Barge": 0}


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_tug_that_tows_has_half_its_mobility_on_its_own_panel():
    """5 is halved to 2 1/2 and rounded up."""
    state = contact()
    state.units["Tug"].mobility = 5
    (panel,) = battle_ask(state).setup.secret[TERRAN]
    assert next(row for row in panel.rows if " Tug:" in row) == "TU1 Tug: Engines 1, Mobility 3, Towing 4"


def test_each_empire_is_set_up_in_the_order_of_the_sheet(kept: Kept):
    """JL-N17"""
    first, second = tracked(contact()).steps
    assert (first.units, second.units) == (("TU1", "TU2", "TU3"), ("CU1", "CU2"))
    assert broken(first, {"TU1": (0, 0), "TU2": (1, 0), "TU3": (10, 0)}) == []
    assert broken(first, {"TU1": (0, 0), "TU2": (1, 0), "TU3": (11, 0)}) == kept()
    assert broken(first, {"TU1": (0, 0), "TU2": (2, 0), "TU3": (3, 0)}) == ["TU2 is in tow, beside TU1."]
    terran = {"TU1": (0, 0), "TU2": (0, 0), "TU3": (10, 0)}
    away = ["Each of Centauri is 25 to 35 hexes from the nearest enemy."]
    for near, far, says in [(35, 45, []), (34, 44, away), (36, 46, away)]:
        assert broken(second, terran | {"CU1": (near, 0), "CU2": (far, 0)}) == says


def test_what_is_in_tow_is_beside_a_tug_of_its_own_squadron():
    state = contact()
    base = ship("Fort", kind="starbase", siz=1, ftl=0)
    squadron(state, "T2", "barnard", ship("Ox", siz=2, towing=4), base)
    state.units["Ox"].tows = base.towed = True
    first = tracked(state).steps[0]
    assert [one.says for one in first.conditions if "tow" in one.says] == [
        "TU3 is in tow, beside TU1.", "TU4 is in tow, beside TU2.",
    ]  # fmt: skip


def three(*, friends: bool) -> LanesState:
    """Three empires at one place; Argo and Centauri have a treaty, or all are at odds."""
    state = frontier(empires=3)
    for key, empire in (("T1", TERRAN), ("C1", CENTAURI), ("A1", ARGO)):
        squadron(state, key, "barnard", ship(f"of {empire}", empire))
    if friends:
        state.empires[ARGO].stances[CENTAURI] = state.empires[CENTAURI].stances[ARGO] = "passage"
    return state


@pytest.mark.rule("jump_lanes", "13.2")
def test_who_opposes_the_same_fights_as_one_and_is_set_up_together():
    battle = tracked(three(friends=True))
    assert battle.forces == ((TERRAN,), (CENTAURI, ARGO))
    assert [step.units for step in battle.steps] == [("TU1",), ("CU1",), ("AU1",)]
    last = battle.steps[2]
    there = {"TU1": (0, 0), "CU1": (30, 0)}
    assert broken(last, there | {"AU1": (30, 5)}) == []
    assert broken(last, there | {"AU1": (20, 10)}) == []
    assert broken(last, there | {"AU1": (-30, 0)}) == ["Each of Argo is within 10 hexes of one beside whom it fights."]


@pytest.mark.rule("jump_lanes", "13.2")
def test_where_all_oppose_each_other_each_is_a_force():
    battle = tracked(three(friends=False))
    assert battle.forces == ((TERRAN,), (CENTAURI,), (ARGO,))
    last = battle.steps[2]
    there = {"TU1": (0, 0), "CU1": (30, 0)}
    assert broken(last, there | {"AU1": (-30, 0)}) == []
    assert broken(last, there | {"AU1": (30, 5)}) != []


@pytest.mark.rule("jump_lanes", "13.2")
def test_treaties_make_forces_and_not_the_order_of_seats():
    state = three(friends=False)
    state.empires[ARGO].stances[TERRAN] = state.empires[TERRAN].stances[ARGO] = "passage"
    assert tracked(state).forces == ((TERRAN, ARGO), (CENTAURI,))


@pytest.mark.parametrize("world", [contact, lambda: three(friends=True), lambda: three(friends=False)])
def test_a_legal_set_up_is_found_for_who_says_nothing(world: Callable[[], LanesState]):
    placed: dict[str, Placed] = {}
    for step in tracked(world()).steps:
        found = legal_placement(step.units, step.conditions, placed, {})
        assert found is not None
        placed |= {code: Placed((at,)) for code, at in found.items()}


def test_what_an_empire_keeps_to_itself_is_not_in_it():
    """Two worlds: names of squadrons, cargo, ratings, fleets and orders differ."""
    one, two = contact(), contact()
    two.squadrons["C1"].name = "Secret squadron"
    two.squadrons["C1"].hold = [HoldLot(kind="census", amount=1)]
    two.put(ship("Guards", CENTAURI, kind="troop"), aboard="C1")
    two.units["Raider"].mobility, two.units["Raider"].cargo, two.units["Raider"].engines = 9, 9, 9
    assert tracked(one) == tracked(two)


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_a_battle_on_the_ground_is_not_tracked():
    state = frontier()
    squadron(state, "T1", "ross", ship("Hermes", cargo=10)).orders.invade = True
    state.put(ship("Marines", kind="troop", siz=2), aboard="T1")
    standing(state, ship("Militia", CENTAURI, kind="troop"), "ross")
    play = begin(state)
    play.run(invasions_steps(play.turn), fates())
    assert [one.tactics for one in play.asked] == [None]


# --- the account ------------------------------------------------------------------------------------------------------
def account(ask: AnyAsk, **fate: Fate) -> dict[str, dict[str, Json]]:
    """The account of a battle in which every tow goes on."""
    assert ask.tactics is not None
    tugs = {code: tow.tugs[0] for tow in ask.tactics.battle.tows for code in tow.towed}
    ships = tuple(
        ShipTally(code=one.code, side=one.side, fate=fate.get(one.code, ""), in_tow=tugs.get(one.code, ""))
        for one in ask.tactics.battle.ships
    )
    return ask.tactics.account(TacticalTally(turns=4, ships=ships))


@pytest.mark.rule("jump_lanes", "13.2")
def test_squadrons_withdraw_as_a_whole_and_with_what_they_tow():
    ask = battle_ask(contact())
    sheet = account(ask, TU1="disengaged", TU3="left the map", CU2="destroyed")
    assert sheet == {**{code: {"fate": "withdrew"} for code in ("TU1", "TU2", "TU3")}, "CU2": {"fate": "destroyed"}}
    filled = {key: {**line, **sheet.get(key, {})} for key, line in ask.form.prefilled().items()}
    assert ask.check(ask.model.model_validate(filled)) == []
    # What is in tow does not leave by itself.
    assert account(ask, TU1="destroyed", TU3="destroyed") == {one: {"fate": "destroyed"} for one in ("TU1", "TU3")}
    # One that is still there keeps its squadron there; one that is lost does not.
    assert account(ask, TU1="disengaged") == {}
    assert account(ask, TU1="disengaged", TU3="destroyed") == {
        "TU1": {"fate": "withdrew"}, "TU2": {"fate": "withdrew"}, "TU3": {"fate": "destroyed"},
    }  # fmt: skip
    assert account(ask, CU1="disengaged", CU2="disengaged") == {one: {"fate": "withdrew"} for one in ("CU1", "CU2")}


@pytest.mark.rule("jump_lanes", "13.2")
def test_nobody_withdraws_from_a_lane_nor_does_what_stands_by_itself():
    """JL-N14"""
    state = contact()
    standing(state, ship("Fort", kind="starbase", siz=9), "barnard")
    assert account(battle_ask(state), TU1="left the map") == {}
    battle = open_battle(begin(state).turn, "L3", [state.units["Raider"], state.units["Hermes"]], in_lane=True)
    tactics = tactics_of(state, battle)
    assert tactics is not None
    assert tactics.battle.title == "Battle in the lane Barnard to Ross"
    ships = tuple(ShipTally(code=one, side=TERRAN, fate="disengaged", turn=1) for one in battle.lines)
    assert tactics.account(TacticalTally(turns=1, ships=ships)) == {}


# --- in the tracker --------------------------------------------------------------------------------------------------
LABELS = [SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in (TERRAN, CENTAURI, ARGO)]


def met(*, empires: int = 2) -> LanesState:
    """Each empire's squadron of two ships, at Barnard; nobody has a treaty."""
    state = frontier(empires=empires)
    for key in (TERRAN, CENTAURI, ARGO)[:empires]:
        squadron(state, key[0].upper(), "barnard", ship(f"{key} one", key, siz=4), ship(f"{key} two", key, siz=1))
    return state


def flown(ask: AnyAsk, **sheets: str) -> Tracked:
    assert ask.tactics is not None
    typed = {(empire, "set-up"): [text] for empire, text in sheets.items()}
    labels = [one for one in LABELS if one.key in ask.parties]
    return Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=labels)


def test_a_set_up_is_refused_for_one_hex():
    game = flown(battle_ask(met()), terran=f"TU1: at {MIDDLE}\nTU2: at {hex_off(-10)}")
    (first,) = game.asked_now()
    assert first.parties == (TERRAN,)
    for apart, rules in ((10, set[str]()), (11, {"JL-N17"})):
        sheet: Sheet = {"TU1": {"at": MIDDLE}, "TU2": {"at": hex_off(apart)}}
        assert {one.rule for one in first.refusals_of(sheet)} == rules
    game.play(1)
    (second,) = game.asked_now()
    well = [
        far
        for far in (24, 25, 35, 36)
        if not second.refusals_of({"CU1": {"at": hex_off(far)}, "CU2": {"at": hex_off(far)}})
    ]
    assert well == [25, 35]


def test_three_empires_that_oppose_each_other_are_placed_one_after_the_other():
    game = flown(battle_ask(met(empires=3))).play(3)
    assert [ask.parties for ask in game.asks] == [(TERRAN,), (CENTAURI,), (ARGO,)]
    assert [ask.refusals_of({}) for ask in game.asks] == [(), (), ()]
    assert len({(one.one, one.other) for one in TRACKER.tally(game.until(1).state).ranges}) == 3


def test_what_the_tracker_counts_is_an_account_that_the_form_knows():
    ask = battle_ask(met())
    assert ask.tactics is not None
    tally = TRACKER.tally(flown(ask).until(1).state)
    assert {one.code for one in tally.ships} == {line.key for line in ask.form.lines}
    assert ask.tactics.account(tally) == {}


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_what_is_in_tow_is_moved_to_safety_by_its_tug():
    """The tug flies the base away and reports that it left the map: by the account the squadron withdrew as a whole."""
    state = met()
    base = ship("Base", kind="starbase", siz=1, ftl=0)
    squadron(state, "T9", "barnard", ship("Tug", towing=4, siz=2), base)
    state.units["Tug"].tows = base.towed = True
    ask = battle_ask(state)
    assert ask.tactics is not None
    codes = {one.name: one.code for one in ask.tactics.battle.ships}
    typed = {(TERRAN, "plot"): ["", f"{codes['Tug']}: report left the map"]}
    game = Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=[one for one in LABELS if one.key != ARGO])
    tug, towed = (game.until(1).state.battle.units[codes[name]] for name in ("Tug", "Base"))
    assert tug.vector == towed.vector
    assert tug.strained
    tally = TRACKER.tally(game.until(2).state)
    assert ask.tactics.account(tally) == {codes[name]: {"fate": "withdrew"} for name in ("Tug", "Base")}
