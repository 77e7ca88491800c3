"""Battles: their sheets, what is refused of an account, what it changes, and where a squadron withdraws (13.2)."""

from collections.abc import Callable

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.battles.account import FateAccount, is_crippled
from rules_engine.rulebooks.jump_lanes.battles.ground import invasions_steps
from rules_engine.rulebooks.jump_lanes.battles.outcome import held_by_others, refuges, space_units_at
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, lane, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import Answer, Play, begin, fates


def fought(state: LanesState, **units: str) -> Play:
    """A turn in which nobody moves, with the fates of units."""
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates(**units))
    return play


def contact() -> LanesState:
    """Two groups at Barnard: Hermes with its cargo and a tug with a base in tow, and a raider."""
    state = frontier()
    hermes = squadron(state, "T1", "barnard", ship("Hermes", cargo=10), ship("Zeus", cargo=5, ftl=2))
    hermes.hold = [HoldLot(kind="census", amount=1)]
    state.put(ship("Guards", kind="troop", siz=3, worth=9), aboard="T1")
    state.put(ship("Crates", kind="satellite", siz=2, worth=1), aboard="T1")
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI, siz=3), ship("Wolf", CENTAURI, siz=1))
    return state


def asks(play: Play, kind: str) -> list[AnyAsk]:
    """What was asked of one kind."""
    return [one for one in play.asked if one.kind == kind]


@pytest.mark.rule("jump_lanes", "13.2")
def test_all_see_who_fights_and_each_alone_what_it_carries():
    (ask,) = asks(fought(contact()), "battle")
    assert ask.setup is not None
    shown = str(ask.setup.common())
    assert all(name in shown for name in ("Hermes", "Zeus", "Raider", "Wolf"))
    assert not any(name in shown + str(ask.form) for name in ("Guards", "Crates", "census", "T1", "C1"))
    assert "Guards, Crates" in str(ask.setup.seen_by(TERRAN)) or "Crates, Guards" in str(ask.setup.seen_by(TERRAN))
    assert "Guards" not in str(ask.setup.seen_by(CENTAURI))
    # Each alone has ratings, and those alone that there are; all have what a unit is, and how large.
    own = ask.setup.seen_by(TERRAN).secret[TERRAN][0].rows
    assert own[:2] == ("TU1 Hermes: Engines 1, Cargo 10", "TU2 Zeus: Engines 1, Cargo 5")
    assert ask.setup.scene is not None
    assert [(unit.kind, unit.under) for unit in ask.setup.scene.units][2:] == [
        ("Raider, starship", "SIZ 3"), ("Wolf, starship", "SIZ 1"),
    ]  # fmt: skip
    assert ask.setup.scene.start is None, "the chapter says nothing of where a battle begins"
    assert [line.key for line in ask.form.lines] == ["TU1", "TU2", "CU1", "CU2"]
    assert [line.label for line in ask.form.lines][2:] == ["CU1: Raider (Centauri)", "CU2: Wolf (Centauri)"]


def test_who_is_set_up_first_is_drawn_in_space():
    """JL-N17"""
    assert [roll.purpose for roll in fought(contact()).turn.shared.rolls] == ["who is set up first"]


@pytest.mark.rule("jump_lanes", "13.2")
def test_those_who_fought_and_nobody_else_are_shown_their_maps():
    """Argo would learn by a map of its own that others met."""
    state = frontier(empires=3)
    assert fought(state).turn.shared.maps_for == set()
    squadron(state, "T1", "barnard", ship("Hermes"))
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    assert fought(state).turn.shared.maps_for == {TERRAN, CENTAURI}


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_the_owner_chooses_which_cargo_is_lost():
    """Hermes destroyed leaves Cargo rating 5: census 10, guards 3 and crates 2 do not fit; census is enough."""
    state = contact()
    play = begin(state)
    base = fates(Hermes="destroyed")

    def answer(ask: AnyAsk) -> Answer | None:
        if ask.kind != "cargo_loss":
            return base(ask)
        too_little = ask.model.model_validate({"T1": {"units": ["Crates"]}})
        too_much = ask.model.model_validate({"T1": {"units": ["Crates", "Guards"], "census": 1}})
        assert [[one.rule for one in ask.check(losses)] for losses in (too_little, too_much)] == [["13.3.3"]] * 2
        assert ask.read_back(too_much) == ["T1: loses Crates, Guards, 1 census point"]
        return {"T1": {"units": [], "census": 1}}

    play.run(movement_steps(play.turn, ()), answer)
    (ask,) = asks(play, "cargo_loss")
    assert ask.parties == (TERRAN,)
    assert ask.question is not None
    assert ask.question.situation == "What does not fit after the battle is lost; you choose what."
    assert ask.default_says == "The cheapest cargo is lost first."
    assert sorted(unit.name for unit in state.carried("T1")) == ["Crates", "Guards"]
    assert "Squadron T1: cargo lost: 1 census point." in play.told(TERRAN, "loss")
    assert play.told(CENTAURI, "loss") == []


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_who_has_nothing_to_choose_is_not_asked():
    state = contact()
    for key in ("Guards", "Crates"):
        state.take_out(state.units[key])
    play = fought(state, Hermes="destroyed")
    assert asks(play, "cargo_loss") == []
    assert state.squadrons["T1"].hold == []
    state = contact()
    play = fought(state, Hermes="destroyed", Zeus="destroyed")
    assert asks(play, "cargo_loss") == []
    assert "T1" not in state.squadrons
    assert "Guards" not in state.units


@pytest.mark.rule("jump_lanes", "13.4.2", "13.4.1")
def test_tows_are_on_the_sheet_and_let_go_when_the_tug_is_lost():
    state = contact()
    squadron(state, "T2", "barnard", ship("Tug", towing=4), ship("Base", kind="starbase", ftl=0, towed=True))
    state.units["Tug"].tows = state.units["Base"].towed = True
    shown = str(asks(fought(state, Tug="destroyed"), "battle")[0].setup)
    assert "Base: in tow, +1 Formation Level, no weapons fire" in shown
    assert state.units["Base"].at == "barnard"
    assert not state.units["Base"].towed


@pytest.mark.rule("jump_lanes", "13.2")
def test_an_account_names_every_unit_and_squadrons_withdraw_as_a_whole():
    (ask,) = asks(fought(contact()), "battle")
    lines = ask.form.prefilled()
    assert ask.check(ask.model.model_validate(lines)) == []
    missing = {key: line for key, line in lines.items() if key != "CU1"}
    assert "Raider is not accounted for" in str(ask.check(ask.model.model_validate(missing))[0])
    strange = {**lines, "CU9": {"fate": "intact"}}
    assert "no such unit took part" in str(ask.check(ask.model.model_validate(strange))[0])
    wrong = {**lines, "CU1": {"fate": "distroyed"}}
    assert str(ask.check(ask.model.model_validate(wrong))[0]) == (
        "CU1.fate: no such fate (G-6, JL-N14). Legal: intact, crippled, withdrew, destroyed. Did you mean destroyed?"
    )
    apart = {**lines, "TU1": {"fate": "withdrew"}}
    (refusal,) = ask.check(ask.model.model_validate(apart))
    assert refusal.problem == "TU1, TU2: one squadron, which withdraws as a whole or not at all"
    assert refusal.path == "TU2.fate"
    gone = {**apart, "TU2": {"fate": "destroyed"}}
    assert ask.check(ask.model.model_validate(gone)) == []


@pytest.mark.rule("jump_lanes", "13.2")
def test_parties_agree_line_by_line():
    (ask,) = asks(fought(contact()), "battle")
    lines = ask.form.prefilled()
    one = ask.model.model_validate({**lines, "CU1": {"fate": "destroyed"}})
    other = ask.model.model_validate({**lines, "CU1": {"fate": "withdrew", "hurt": True}})
    assert ask.agree is not None
    assert ask.agree({TERRAN: one, CENTAURI: one}).settled == one
    apart = ask.agree({TERRAN: one, CENTAURI: other})
    assert apart.settled is None
    assert apart.differences == ("CU1 Raider: Terran says destroyed, Centauri says withdrew, crippled",)


@pytest.mark.rule("jump_lanes", "13.2")
def test_who_withdraws_goes_back_where_it_came_from_or_to_its_own_or_the_cheapest_place():
    state = contact()
    state.lanes["L3"].lane_class = "major"
    state.colonies["sol"].owner, state.colonies["ross"].owner = CENTAURI, TERRAN
    play = fought(state, Raider="withdrew", Wolf="withdrew")
    # To Sol, though Ross is nearer.
    assert state.squadrons["C1"].at == "sol"
    assert "Squadron C1 withdrew to Sol." in play.told(CENTAURI)
    # Sol is held by others now, and Ross is the other way.
    state = contact()
    state.colonies["sol"].owner = CENTAURI
    squadron(state, "T2", "sol", ship("Guard"))
    fought(state, Raider="withdrew", Wolf="withdrew")
    assert state.squadrons["C1"].at == "ross"
    # Both are nobody's: the cheaper.
    state = contact()
    state.lanes["L2"].lane_class = "major"
    state.colonies["ross"].owner = ""
    fought(state, Raider="withdrew", Wolf="withdrew")
    assert state.squadrons["C1"].at == "sol"
    # Where others are on both sides it stays.
    state = contact()
    squadron(state, "T2", "sol", ship("Guard"))
    squadron(state, "T3", "ross", ship("Picket"))
    play = fought(state, Raider="withdrew", Wolf="withdrew")
    assert state.squadrons["C1"].at == "barnard"
    assert "Squadron C1 withdrew and finds no way out of Barnard." in play.told(CENTAURI)


def test_a_base_cannot_withdraw_by_itself():
    state = frontier()
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI, siz=3))
    standing(state, ship("Fort", kind="starbase", ftl=0), "barnard")
    (ask,) = asks(fought(state), "battle")
    fort = next(line for line in ask.form.lines if "Fort" in line.label)
    raider = next(line for line in ask.form.lines if "Raider" in line.label)
    assert [one.value for one in fort.fields[0].choices] == ["intact", "crippled", "destroyed"]
    assert [one.value for one in raider.fields[0].choices] == ["intact", "crippled", "withdrew", "destroyed"]
    assert ([one.key for one in fort.fields], [one.key for one in raider.fields]) == (["fate"], ["fate", "hurt"])
    state.units["Raider"].crippled = True
    (ask,) = asks(fought(state), "battle")
    raider = next(line for line in ask.form.lines if "Raider" in line.label)
    assert [one.key for one in raider.fields] == ["fate"]
    assert [one.value for one in raider.fields[0].choices] == ["intact", "withdrew", "destroyed"]


def test_of_three_parties_only_those_fight_who_oppose_somebody():
    state = frontier(empires=3)
    for key, empire in (("T1", TERRAN), ("C1", CENTAURI), ("A1", ARGO)):
        squadron(state, key, "barnard", ship(f"of {empire}", empire))
    for one in (TERRAN, CENTAURI):
        state.empires[one].stances[ARGO] = state.empires[ARGO].stances[one] = "passage"
    (ask,) = asks(fought(state), "battle")
    assert ask.parties == (TERRAN, CENTAURI)
    state.empires[ARGO].stances[TERRAN] = "none"
    (ask,) = asks(fought(state), "battle")
    assert ask.parties == (TERRAN, CENTAURI, ARGO)
    assert ask.setup is not None
    assert ask.setup.scene is not None
    assert [force.sides for force in ask.setup.scene.forces] == [(TERRAN,), (CENTAURI, ARGO)]


def landing() -> LanesState:
    """Terran troops aboard at Ross, Centauri's colony with its guards."""
    state = frontier()
    squadron(state, "T1", "ross", ship("Hermes", cargo=10)).orders.invade = True
    state.put(ship("Marines", kind="troop", siz=2), aboard="T1")
    return state


def invaded(state: LanesState, **units: str) -> Play:
    """The invasions of a turn."""
    play = begin(state)
    play.run(invasions_steps(play.turn), fates(**units))
    return play


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_a_colony_without_defenders_is_taken_and_its_census_with_it():
    state = landing()
    play = invaded(state)
    assert (state.colonies["ross"].owner, state.colonies["ross"].census) == (TERRAN, 9)
    assert state.units["Marines"].at == "ross"
    assert not state.squadrons["T1"].orders.invade
    assert (play.told(CENTAURI), play.asked) == (["Terran takes Ross."], [])


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_defenders_are_fought_on_the_ground_and_hold_unless_all_are_destroyed():
    for fate, owner in (("intact", CENTAURI), ("destroyed", TERRAN)):
        state = landing()
        standing(state, ship("Militia", CENTAURI, kind="troop"), "ross")
        play = invaded(state, Militia=fate)
        (ask,) = asks(play, "battle")
        assert "Ground battle at Ross." in play.told(TERRAN, "battle")
        assert ask.setup is not None
        assert ask.setup.scene is not None
        assert [force.does for force in ask.setup.scene.forces] == ["lands", "defends"]
        assert [one.value for one in ask.form.lines[0].fields[0].choices] == ["intact", "destroyed"]
        assert (state.colonies["ross"].owner, state.units["Marines"].aboard == "T1") == (owner, owner == CENTAURI)
    state = landing()
    standing(state, ship("Militia", CENTAURI, kind="troop"), "ross")
    play = invaded(state, Militia="destroyed", Marines="destroyed")
    assert state.colonies["ross"].owner == CENTAURI
    assert play.told(TERRAN, "invasion") == ["Centauri holds Ross."]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
@pytest.mark.parametrize(("die", "lands", "stays"), [(1, TERRAN, ARGO), (2, ARGO, TERRAN)])
def test_of_two_empires_that_would_land_at_one_colony_a_die_says_which(die: int, lands: str, stays: str):
    """They let each other pass, and both oppose Centauri, whose colony it is. JL-N15"""
    state = frontier(empires=3)
    state.empires[TERRAN].stances[ARGO] = state.empires[ARGO].stances[TERRAN] = "passage"
    for empire in (TERRAN, ARGO):
        squadron(state, f"{empire[0].upper()}1", "ross", ship(f"of {empire}", empire, cargo=9)).orders.invade = True
        state.put(ship(f"Marines of {empire}", empire, kind="troop"), aboard=f"{empire[0].upper()}1")
    play = begin(state, first=[die])
    play.run(invasions_steps(play.turn), fates())
    assert state.colonies["ross"].owner == lands
    assert state.units[f"Marines of {stays}"].aboard
    assert play.told(stays) == [f"{lands.title()} lands at Ross first: Marines of {stays} stay aboard."]
    assert f"Marines of {stays}" not in str(play.told(lands))


def test_whoever_would_invade_where_nobody_has_a_colony_finds_none():
    state = landing()
    state.colonies["ross"].owner = ""
    assert invaded(state).told(TERRAN) == ["Squadron T1 finds no colony to invade at Ross."]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_nobody_lands_where_opposing_units_of_space_are_left():
    state = landing()
    standing(state, ship("Fort", CENTAURI, kind="starbase"), "ross")
    play = invaded(state)
    assert state.colonies["ross"].owner == CENTAURI
    assert play.told(TERRAN) == ["Squadron T1 cannot land at Ross: opposing units are there."]


@cases("fate, hurt, before, after")
def test_who_is_crippled_after_a_battle(fate: str, *, hurt: bool | None, before: bool, after: bool):
    unit = ship("x")
    unit.crippled = before
    assert is_crippled(unit, FateAccount(fate=fate, hurt=hurt)) is after


# --- refuge ----------------------------------------------------------------------------------------------------------
Change = Callable[[LanesState], object]


def at_ross() -> LanesState:
    """A Terran ship at Ross, whose lanes lead to Barnard for 1, to Wolf 359 for 1/2, and unexplored to Vega."""
    state = frontier(empires=3)
    squadron(state, "T1", "ross", ship("Hermes"))
    state.colonies = {}
    return state


def guarded(place: str) -> Change:
    """Others stand there."""
    return lambda state: standing(state, ship(f"fort of {place}", CENTAURI, kind="starbase"), place)


def settled(place: str, owner: str = TERRAN) -> Change:
    """A colony is there."""
    return lambda state: state.colonies.update({place: Colony(id=place, name=place, at=place, owner=owner)})


def came_from(place: str) -> Change:
    return lambda state: setattr(state.squadrons["T1"], "came_from", place)


def passage(state: LanesState) -> None:
    """The Terrans and Centauri let each other pass."""
    state.empires[TERRAN].stances[CENTAURI] = state.empires[CENTAURI].stances[TERRAN] = "passage"


NOTATION = {one.__name__: one for one in (came_from, guarded, passage, settled)} | {
    "CENTAURI": CENTAURI,
    "TERRAN": TERRAN,
}


@cases("case, changes, goal")
def test_where_a_squadron_withdraws_to(changes: list[Change], goal: str | None):
    state = at_ross()
    for change in evaluated(changes, NOTATION):
        change(state)
    assert refuges(state, state.squadrons["T1"]) == (goal or "").split()


@pytest.mark.rule("jump_lanes", "13.2")
def test_a_lane_of_engines_is_one_for_those_that_have_them():
    state = frontier(system_maps=True)
    squadron(state, "T1", "sol/mars", ship("Hermes", engines=1, ftl=9))
    state.colonies = {}
    assert refuges(state, state.squadrons["T1"]) == [], "the lane to Earth costs 2"
    state.units["Hermes"].engines = 2
    assert refuges(state, state.squadrons["T1"]) == ["sol/earth"]


def test_who_holds_a_place():
    state = at_ross()
    assert not held_by_others(state, TERRAN, "ross")
    assert held_by_others(state, CENTAURI, "ross")
    squadron(state, "A1", "wolf", ship("Argo", ARGO))
    state.put(ship("Pod", ARGO, kind="flight"), aboard="A1")
    standing(state, ship("Guards", ARGO, kind="troop"), "wolf")
    standing(state, ship("Moon", ARGO, kind="satellite"), "wolf")
    assert [one.id for one in space_units_at(state, "wolf")] == ["Argo", "Moon"]
    state.take_out(state.units["Argo"])
    state.take_out(state.units["Moon"])
    assert not held_by_others(state, TERRAN, "wolf"), "who stands on the ground holds nothing"


def test_a_lane_that_is_known_at_one_end_alone_is_no_way_out():
    state = at_ross()
    state.lanes["L9"] = lane("L9", "ross", "vega", "major")
    state.index()
    for place in ("wolf", "barnard"):
        guarded(place)(state)
    assert refuges(state, state.squadrons["T1"]) == []
    state.empires[TERRAN].places.append("vega")
    assert refuges(state, state.squadrons["T1"]) == ["vega"]
