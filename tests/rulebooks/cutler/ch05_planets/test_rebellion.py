"""5.3.2 to 5.3.6: captured planets rebel."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch05_planets.rebellion import losses_to, note_revolts, rebellion_segment, why_major
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_classes, ground_units, stand_on
from rules_engine.rulebooks.cutler.records.planetary import garrison
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import cases
from tests.rulebooks.cutler.armed import SIEGE, armed, taken
from tests.rulebooks.cutler.worlds import Run, sees, table_of


def held(kind: str = "minor", **values: Any) -> CutlerState:
    """A world in which the Hydran holds Cub, a Klingon planet."""
    state = armed(cub={"kind": kind})
    taken(state, "cub", "hydran", 1, **values)
    return state


def rebellion(state: CutlerState, **dice: list[int]) -> Run:
    """The segment; ``rebels`` and ``losses`` are the dice."""
    table = table_of(state, {"losses to rebels": dice.get("losses", []), "rebels": dice.get("rebels", [])})
    rebellion_segment(table)
    return Run(table, iter(()))  # type: ignore[arg-type]


@cases("kind, dice, rebels")
def test_a_captured_planet_produces_rebels_by_its_kind(kind: str, dice: int, rebels: int) -> None:
    run = rebellion(held(kind, boarding_parties=60), rebels=[3, 4, 5, 2])
    assert f"Rebellion on Cub (0404): {rebels} rebels" in run.texts("hydran")
    rolled = next(roll for roll in run.table.shared.rolls if roll.purpose == "rebels")
    assert (len(rolled.dice), rolled.seen_by) == (dice, frozenset({"hydran"}))


@pytest.mark.rule("cutler", "5.3.2")
def test_a_planet_in_the_hands_of_its_people_does_not_rebel() -> None:
    assert rebellion(armed(cub={"boarding_parties": 1})).table.shared.rolls == []


@cases("kind, needed")
def test_too_small_a_garrison_doubles_the_rebels(kind: str, needed: int) -> None:
    enough = rebellion(held(kind, boarding_parties=needed), rebels=[2] * 4)
    number = 2 * {"capital": 4, "major": 2, "minor": 1}[kind]
    assert f"Rebellion on Cub (0404): {number} rebels" in enough.texts("hydran")
    few = rebellion(held(kind, boarding_parties=needed - 1), rebels=[2] * 4)
    text = f"Major revolt on Cub (0404), for the garrison counts {needed - 1}, and {needed} are needed: {2 * number} "
    assert text in few.texts("hydran")


@pytest.mark.rule("cutler", "5.3.3")
def test_ground_vehicles_count_in_a_garrison_and_troops_aboard_ships_do_not() -> None:
    state = held(boarding_parties=18, gcv=1)
    assert garrison(state.planets["cub"]) == 19
    assert why_major(state, state.planets["cub"]) != ""  # the force above it has 20 boarding parties aboard
    assert state.units["hydran-F1-CA"].boarding_parties == 10
    state.planets["cub"].boarding_parties = 19
    assert why_major(state, state.planets["cub"]) == ""


@pytest.mark.rule("cutler", "6.4.1.7", "5.3.2", "5.3.3")
def test_insurrections_add_their_rebels_after_the_doubling() -> None:
    state = held(boarding_parties=10)
    state.rebels = {"cub": 4}
    run = rebellion(state, rebels=[3])
    assert ": 10 rebels" in run.texts("hydran")  # 2 x 3 + 4
    assert state.rebels == {}


@pytest.mark.rule("cutler", "6.4.1.7")
def test_a_mission_of_insurrection_is_felt_at_the_end_of_the_turn() -> None:
    state = armed(SIEGE + "reserve klingon 100\n")
    taken(state, "cub", "hydran", 1, boarding_parties=40)
    stir = {"M1": {"kind": "insurrection", "against": "hydran", "other": "cub", "ip": 30}}
    dice = {"mission": [1], "insurrection": [5], "losses to rebels": [6], "rebels": [4]}
    run = Run(table := table_of(state, dice), turn_steps(table), {("turn", "klingon"): stir})
    assert "5 more rebels will rise on Cub." in run.texts("klingon")
    # 4 + 5 rebels, a group of nine: 6 x 9 / 10.
    assert "Rebellion on Cub (0404): 9 rebels, 5 boarding parties lost." in run.texts("hydran")
    assert (state.planets["cub"].boarding_parties, state.rebels) == (35, {})


@cases("rebels, dice, losses")
def test_each_group_of_ten_rolls_for_its_losses_and_the_rest_for_its_share(rebels, dice, losses):
    assert losses_to(rebels, dice) == losses


@pytest.mark.rule("cutler", "5.3.6")
def test_rebels_are_not_left_for_the_next_turn_and_lose_nothing() -> None:
    state = held(boarding_parties=50, gcv=5)
    run = rebellion(state, rebels=[6], losses=[5])
    planet = state.planets["cub"]
    assert (planet.boarding_parties, planet.gcv) == (47, 4)  # 5 x 6 / 10; vehicles one for ten at most
    assert ": 6 rebels, 3 boarding parties lost." in rebellion(state, rebels=[6], losses=[5]).texts("hydran")
    assert run.texts("klingon") == run.texts("lyran") == ""


@pytest.mark.rule("cutler", "5.3.6", "5.3")
def test_a_planet_without_a_garrison_goes_back_to_its_first_owner() -> None:
    state = held(boarding_parties=2)
    run = rebellion(state, rebels=[6], losses=[6, 6])  # 12 rebels, 6 + 1 losses
    planet = state.planets["cub"]
    assert (planet.owner, planet.captured_turn, planet.boarding_parties) == ("klingon", None, 0)
    assert "Cub (0404) rises against the Hydran: the Klingon has it back." in run.texts("lyran")
    assert "12 rebels, 2 boarding parties lost." in run.texts("hydran")
    assert "12" not in run.texts("klingon")
    assert state.empires["hydran"].alerts == state.empires["klingon"].alerts == ["Cub changed hands"]


@pytest.mark.rule("cutler", "5.3.6", "4.2.4.8")
def test_who_is_in_ground_bases_is_lost_with_a_planet_that_rises() -> None:
    """They are no garrison (CU-N143), so rebels do not fight them."""
    state = held(boarding_parties=2)
    state.ground_base_cost = GroundBaseCost(boarding_parties=5)
    (kind,) = ground_classes(state, "hydran").values()
    stand_on(state, state.planets["cub"], {"A": 1}, kind)
    rebellion(state, rebels=[6], losses=[6, 6])
    (base,) = ground_units(state, state.planets["cub"])
    assert (state.planets["cub"].owner, base.race, base.boarding_parties) == ("klingon", "klingon", 0)


def test_troops_of_the_first_owner_that_fight_there_are_its_garrison_then() -> None:
    state = held(boarding_parties=1, landed={"klingon": 7, "lyran": 3})
    rebellion(state, rebels=[6], losses=[6, 6])
    assert (state.planets["cub"].boarding_parties, state.planets["cub"].landed) == (7, {"lyran": 3})


# --- 5.3.5 -----------------------------------------------------------------------------------------------------------
def standing(state: CutlerState, **places: str) -> list[str]:
    """The revolts noted with units standing there: ``klingon_F1_CW="0404"``."""
    for key, hex_id in places.items():
        state.units[key.replace("_", "-")].hex = hex_id
    note_revolts(state)
    return state.revolts


@cases("kind, revolts")
def test_police_is_a_ship_and_pfs_and_bases_are_none(kind: str, revolts: list[str]) -> None:
    line = "klingon F2 0404 PF\n" if kind == "PF" else f"klingon {kind} 0404 Guard\n"
    state = armed(SIEGE.replace("hydran F1 0404", "hydran F1 0405") + line)
    taken(state, "cub", "hydran", 1, boarding_parties=40)
    assert standing(state) == revolts


@pytest.mark.rule("cutler", "5.3.5", "5.3.4")
def test_such_a_revolt_is_major_and_takes_the_place_of_the_rebellion() -> None:
    state = armed(SIEGE.replace("hydran F1 0404", "hydran F1 0101").replace("klingon F1 0908", "klingon F1 0404"))
    taken(state, "cub", "hydran", 1, boarding_parties=40)
    run = Run(table := table_of(state, {"losses to rebels": [2], "rebels": [5]}), turn_steps(table))
    text = "Major revolt on Cub (0404), for a friendly ship was there and none of yours: 10 rebels, 2 boarding parties"
    assert run.texts("hydran").count("rebels") == 1
    assert text in run.texts("hydran")
    assert (state.planets["cub"].boarding_parties, state.revolts) == (38, [])


@pytest.mark.rule("cutler", "5.3.4")
def test_a_planet_with_both_reasons_rises_once() -> None:
    state = held(boarding_parties=15)
    state.revolts = ["cub"]
    run = rebellion(state, rebels=[2])
    assert run.texts("hydran").count("rebels") == 1
    assert ": 4 rebels" in run.texts("hydran")
    assert state.revolts == []


def test_a_planet_that_is_free_again_does_not_rise() -> None:
    state = held(boarding_parties=40)
    standing(state, klingon_F1_CW="0404", hydran_F1_CA="0405", hydran_F1_DD="0405")
    taken(state, "cub", "klingon", 0, captured_turn=None)
    assert rebellion(state).table.shared.rolls == []


@pytest.mark.unseen("cutler", reports=("planet",))
def test_the_number_of_rebels_is_unseen_by_others() -> None:
    runs = []
    for parties in (60, 41):
        state = held(boarding_parties=parties)
        state.units["lyran-F1-CC"].hex = "0404"
        runs.append(rebellion(state, rebels=[parties // 10], losses=[3]))
    for side in ("lyran", "klingon"):
        assert sees(runs[0].table, [], side) == sees(runs[1].table, [], side)
