"""Tows that change in a battle (13.4.2): the form, what is refused, what the tracker fills in, and what comes of it."""

import pytest

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.tallies import Fate, ShipTally, TacticalTally
from rules_engine.rulebooks.jump_lanes.battles.fighting import open_battle
from rules_engine.rulebooks.jump_lanes.battles.results import result_form
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.expected.kept import cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import Answer, Play, begin
from tests.rulebooks.vector.battles.tracked import Tracked

TUG, BASE, HERMES, FORT = "TU1", "TU2", "TU3", "TU4"


def contact() -> LanesState:
    """At Barnard: a tug with a base in tow beside Hermes; a fort that stands by itself; a raider."""
    state = frontier()
    base = ship("Base", kind="starbase", siz=2, ftl=0)
    squadron(state, "T1", "barnard", ship("Tug", siz=3, towing=9, ftl=4), base, ship("Hermes", siz=2, ftl=4))
    state.units["Tug"].tows = base.towed = True
    standing(state, ship("Fort", kind="starbase", siz=1, ftl=0), "barnard")
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI, siz=5))
    return state


def battle_ask(state: LanesState) -> AnyAsk:
    play = begin(state)
    play.run(movement_steps(play.turn, ()), lambda ask: None if ask.kind != "battle" else {})
    return next(one for one in play.asked if one.kind == "battle")


def fought(state: LanesState, said: Answer) -> Play:
    """A turn in which nobody moves and that is what all say of the battle, by codes."""
    play = begin(state)
    play.run(movement_steps(play.turn, ()), lambda ask: said if ask.kind == "battle" else None)
    return play


def refused(state: LanesState, said: dict[str, dict[str, Json]]) -> list[str]:
    ask = battle_ask(state)
    sheet = {key: {**line, **said.get(key, {})} for key, line in ask.form.prefilled().items()}
    return [str(one) for one in ask.check(ask.model.model_validate(sheet))]


def tows(state: LanesState) -> dict[str, list[str]]:
    """By squadron, what it has in tow."""
    return {key: [one.name for one in state.members(key) if one.towed] for key in state.squadrons}


# --- the form ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.4.2")
def test_form_asks_what_has_a_base_in_tow_at_the_end_filled_in_as_it_stands():
    form = battle_ask(contact()).form
    asked = {
        line.key: ([one.label for one in field.choices], field.value)
        for line in form.lines for field in line.fields if field.key == "tow"
    }  # fmt: skip
    assert asked == {
        BASE: (["Not in tow", "In tow of TU1 Tug", "In tow of TU3 Hermes"], TUG),
        FORT: (["Not in tow", "In tow of TU1 Tug", "In tow of TU3 Hermes"], "none"),
    }


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_form_asks_of_no_tow_where_nothing_can_be_in_tow():
    state = contact()
    for name in ("Tug", "Base", "Hermes"):
        state.take_out(state.units[name])
    del state.squadrons["T1"]
    form = battle_ask(state).form
    assert {field.key for line in form.lines for field in line.fields} == {"fate", "hurt"}
    assert [one.value for one in form.lines[0].fields[0].choices] == ["intact", "crippled", "destroyed"]


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_in_a_lane_nothing_is_taken_in_tow_and_a_base_that_is_let_go_is_lost():
    state = contact()
    battle = open_battle(begin(state).turn, "L3", [state.units[one] for one in ("Tug", "Base", "Raider")], in_lane=True)
    (field,) = [one for line in result_form(state, battle).lines for one in line.fields if one.key == "tow"]
    assert [one.label for one in field.choices] == ["Let go, and lost in the lane", "In tow of TU1 Tug"]


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_form_is_the_same_whatever_an_empire_keeps_to_itself():
    """Ratings, cargo and squadrons' names are its own; all parties see the form and what it refuses."""
    one, two = contact(), contact()
    for state in (one, two):
        state.put(ship("Ox", siz=1, towing=1), squadron="T1")
        state.units["Ox"].tows = True
    two.units["Ox"].towing = 999
    two.units["Hermes"].towing, two.units["Hermes"].cargo, two.units["Tug"].towing = 9, 30, 99
    two.squadrons["T1"].name = "Secret squadron"
    two.squadrons["T1"].hold = [HoldLot(kind="census", amount=1)]
    assert battle_ask(one).form == battle_ask(two).form
    for said in ({FORT: {"tow": HERMES}}, {FORT: {"tow": "CU1"}}, {FORT: {"fate": "withdrew"}}):
        assert refused(one, said) == refused(two, said)


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_short_form_asks_what_each_tug_has_in_tow():
    guide = battle_ask(contact()).guide
    assert guide is not None
    page = guide.short.pages[1]
    assert [one.label for one in page.questions if hasattr(one, "label")] == ["In tow of TU1: Tug (Terran)"]
    form = battle_ask(contact()).form
    assert guide.short.put_in(1, form, {}, {"towTU1": [BASE, FORT]}) == {FORT: {"tow": TUG}}
    assert guide.short.put_in(1, form, {}, {"towTU1": []}) == {BASE: {"tow": "none"}}


# --- what is refused --------------------------------------------------------------------------------------------------
@cases("said, problem", "")
def test_tow_is_refused_that_cannot_be(said: dict[str, dict[str, Json]], problem: str):
    first, *_ = refused(contact(), said)
    assert problem in first


@cases("said", "")
def test_tow_is_taken_that_can_be(said: dict[str, dict[str, Json]]):
    assert refused(contact(), said) == []


# --- what is read back, compared and told -----------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.4.2")
def test_tow_is_read_back_where_it_has_changed():
    ask = battle_ask(contact())
    lines = ask.form.prefilled()
    said = {**lines, BASE: {**lines[BASE], "tow": "none"}, FORT: {**lines[FORT], "tow": HERMES}}
    assert ask.read_back(ask.model.model_validate(said)) == [
        "TU1 Tug: intact", "TU2 Base: intact, let go", "TU3 Hermes: intact", "TU4 Fort: intact, in tow of TU3",
        "CU1 Raider: intact",
    ]  # fmt: skip


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_accounts_agree_on_tows_line_by_line():
    ask = battle_ask(contact())
    lines = ask.form.prefilled()
    # Whoever says nothing of a tow says that it stands.
    silent = {key: {"fate": line["fate"]} for key, line in lines.items()}
    changed = {**lines, BASE: {**lines[BASE], "tow": "none"}}
    one, other, third = (ask.model.model_validate(sheet) for sheet in (lines, silent, changed))
    assert ask.agree is not None
    assert ask.agree({TERRAN: one, CENTAURI: other}).settled == one
    apart = ask.agree({TERRAN: one, CENTAURI: third})
    assert apart.differences == ("TU2 Base: Terran says intact, Centauri says intact, let go",)


# --- what comes of it -------------------------------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.4.2")
def test_base_that_is_taken_in_tow_is_moved_to_safety():
    state = contact()
    state.units["Tug"].towing = 12
    state.colonies["sol"].owner = TERRAN
    gone: dict[str, dict[str, Json]] = {code: {"fate": "withdrew"} for code in (TUG, BASE, HERMES)}
    play = fought(state, {**gone, FORT: {"fate": "withdrew", "tow": TUG}})
    assert (state.squadrons["T1"].at, tows(state)["T1"]) == ("sol", ["Base", "Fort"])
    assert state.units["Fort"].squadron == "T1"
    assert "TU4 Fort: withdrew, in tow of TU1" in str(play.told(CENTAURI, "battle"))


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_tug_that_takes_a_base_in_tow_and_stays_has_it_in_tow_afterwards():
    state = contact()
    state.units["Tug"].towing = 12
    fought(state, {FORT: {"tow": HERMES}})
    assert tows(state)["T1"] == ["Base", "Fort"]
    assert [one.name for one in state.members("T1") if one.tows] == ["Tug"], "Hermes has no Towing rating to add"


@pytest.mark.rule("jump_lanes", "13.4.2", "13.4.1")
def test_base_that_is_let_go_stands_where_the_battle_was_while_its_squadron_withdraws():
    state = contact()
    state.colonies["sol"].owner = TERRAN
    fought(state, {BASE: {"tow": "none"}, TUG: {"fate": "withdrew"}, HERMES: {"fate": "withdrew"}})
    assert (state.squadrons["T1"].at, tows(state)["T1"]) == ("sol", [])
    assert (state.units["Base"].at, state.units["Base"].squadron) == ("barnard", "")
    assert not state.units["Tug"].tows


@pytest.mark.rule("jump_lanes", "13.4.2", "13.4.1")
def test_what_is_too_much_for_the_tugs_is_let_go_and_stays():
    """Base takes 8 and Fort 4 of a rating of 9: all is let go (JL-N37), and no form has told of the rating before."""
    state = contact()
    state.colonies["sol"].owner = TERRAN
    gone: dict[str, dict[str, Json]] = {code: {"fate": "withdrew"} for code in (TUG, BASE, HERMES)}
    play = fought(state, {**gone, FORT: {"fate": "withdrew", "tow": HERMES}})
    assert state.squadrons["T1"].at == "sol"
    assert [state.units[name].at for name in ("Base", "Fort")] == ["barnard", "barnard"]
    assert play.told(TERRAN, "loss") == ["Squadron T1: let go: Base, Fort."]
    assert play.told(CENTAURI, "loss") == []


@pytest.mark.rule("jump_lanes", "13.4.2", "13.4.1")
@pytest.mark.parametrize("fate", ["destroyed", "crippled"])
def test_tow_ends_with_a_tug_that_is_lost_in_the_battle(fate: str):
    state = contact()
    fought(state, {TUG: {"fate": fate}})
    assert tows(state)["T1"] == []
    assert state.units["Base"].at == "barnard"


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_one_tug_takes_over_what_another_lets_go():
    state = contact()
    state.units["Hermes"].towing = 9
    fought(state, {BASE: {"tow": HERMES}, TUG: {"fate": "destroyed"}})
    assert tows(state)["T1"] == ["Base"]
    assert [one.name for one in state.members("T1") if one.tows] == ["Hermes"]


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_flights_of_a_base_that_is_let_go_stay_with_it():
    state = contact()
    state.colonies["sol"].owner = TERRAN
    state.units["Base"].basing = 5
    state.put(ship("Wasp", kind="flight", siz=1, ftl=0), squadron="T1")
    state.units["Wasp"].based_on = "Base"
    form = battle_ask(state).form
    codes = {line.label.partition(": ")[2].partition(" (")[0]: line.key for line in form.lines}
    gone: dict[str, dict[str, Json]] = {codes[name]: {"fate": "withdrew"} for name in ("Tug", "Hermes")}
    fought(state, {**gone, codes["Base"]: {"tow": "none"}})
    assert [state.units[name].at for name in ("Base", "Wasp")] == ["barnard", "barnard"]
    assert state.squadrons["T1"].at == "sol"


# --- what the tracker fills in ----------------------------------------------------------------------------------------
LABELS = [SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in (TERRAN, CENTAURI)]


def account(ask: AnyAsk, *, in_tow: dict[str, str], **fates: Fate) -> dict[str, dict[str, Json]]:
    assert ask.tactics is not None
    ships = tuple(
        ShipTally(code=one.code, side=one.side, fate=fates.get(one.code, ""), in_tow=in_tow.get(one.code, ""))
        for one in ask.tactics.battle.ships
    )
    return ask.tactics.account(TacticalTally(turns=4, ships=ships))


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_account_says_what_the_tracker_counted_of_tows():
    ask = battle_ask(contact())
    assert account(ask, in_tow={BASE: TUG}) == {}
    assert account(ask, in_tow={}) == {BASE: {"tow": "none"}}
    assert account(ask, in_tow={BASE: TUG, FORT: TUG}) == {FORT: {"tow": TUG}}
    # What the form does not know, as a ship that is held, is no tow of the account's.
    assert account(ask, in_tow={BASE: TUG, HERMES: TUG}) == {}
    # A squadron leaves without the base that it let go, and with what it took in tow.
    left: dict[str, Fate] = {TUG: "left the map", HERMES: "disengaged"}
    assert account(ask, in_tow={}, **left) == {
        TUG: {"fate": "withdrew"}, BASE: {"tow": "none"}, HERMES: {"fate": "withdrew"},
    }  # fmt: skip
    assert account(ask, in_tow={BASE: TUG, FORT: HERMES}, **left) == {
        **{code: {"fate": "withdrew"} for code in (TUG, BASE, HERMES)}, FORT: {"tow": HERMES, "fate": "withdrew"},
    }  # fmt: skip
    assert account(ask, in_tow={}, TU1="destroyed") == {TUG: {"fate": "destroyed"}, BASE: {"tow": "none"}}


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_tugs_that_pull_together_are_one_tow_whichever_of_them_leads():
    state = contact()
    state.units["Hermes"].tows, state.units["Hermes"].towing = True, 20
    ask = battle_ask(state)
    assert account(ask, in_tow={BASE: HERMES}) == account(ask, in_tow={BASE: TUG}) == {}


def flown(ask: AnyAsk, *plots: str, late: tuple[str, str] | None = None) -> Tracked:
    assert ask.tactics is not None
    typed = {(TERRAN, "plot"): list(plots)}
    if late is not None:
        typed |= {(side, "positions"): [text] for side, text in zip((TERRAN, CENTAURI), late, strict=True)}
    return Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=LABELS, late=late is not None)


def filled_in(ask: AnyAsk, game: Tracked) -> dict[str, dict[str, Json]]:
    """What the tracker says, which the form must take."""
    assert ask.tactics is not None
    sheet = ask.tactics.account(TRACKER.tally(game.state))
    assert ask.refusals_of({key: {**line, **sheet.get(key, {})} for key, line in ask.form.prefilled().items()}) == ()
    return sheet


@cases("plots, sheet", "")
def test_tows_of_a_tracked_battle_come_into_its_account(plots: list[str], sheet: dict[str, dict[str, Json]]):
    """JL-R47"""
    ask = battle_ask(contact())
    assert filled_in(ask, flown(ask, *plots).until(3)) == sheet


@cases("tug, base, sheet", "")
def test_tows_of_a_battle_that_is_taken_up_on_the_way_end_with_their_tug(
    tug: str, base: str, sheet: dict[str, dict[str, Json]]
):
    ask = battle_ask(contact())
    terran = f"battle: turn 3\n{TUG}: {tug}\n{BASE}: {base}\n{HERMES}: at 5051\n{FORT}: at 5052"
    game = flown(ask, late=(terran, "battle: turn 3\nCU1: at 5080"))
    while game.state.begun:
        game.rest()
    assert filled_in(ask, game) == sheet


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_all_parties_see_in_the_tracker_who_tows_whom():
    ask = battle_ask(contact())
    game = flown(ask, "", f"{HERMES}: report tractor {FORT} 1 to 0").until(2)
    for side in (TERRAN, CENTAURI):
        scene = TRACKER.side_board(game.state, game.battle, side).tactical
        assert scene is not None
        remarks = {one.code: [said for said in one.remarks if "tow" in said] for one in scene.units}
        assert (remarks[HERMES], remarks[FORT]) == (["tows TU4"], ["in tow of TU3"])
