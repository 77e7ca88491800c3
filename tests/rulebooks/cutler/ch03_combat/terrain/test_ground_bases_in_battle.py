"""Ground bases are units: met at their planet, fought there, lost there; hidden before, and bound to their ground."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in, features_of, features_of_bases
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import reach_of, stations
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on, ground_units
from rules_engine.rulebooks.cutler.records.planetary import garrison
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.armed import mooned, valued
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world

CUB = """
turn 2 impulse 3
planet minor 0404 klingon cub
hydran F1 0404 CA[from=0303]+DD[from=0303]
klingon F1 0908 CW
lyran F1 0902 CC
"""
"""A Hydran force has just come to a Klingon planet."""
FIGHT = {"force": {"card": "combat"}}


def based(text: str = CUB, people: int = 2, shuttles: int = 1, **ground: int) -> CutlerState:
    """The world, with ground bases on these hexsides of Cub; in each of them so many boarding parties."""
    state = world(text)
    state.ground_base_cost = GroundBaseCost(cpv=20, shuttles=shuttles, boarding_parties=people, crew_units=2)
    valued(state, state.planets["cub"], ground=ground or {"A": 1, "C": 1})
    assert defects(state) == []
    return state


def fought(state: CutlerState, result: Any = None) -> Run:
    table = table_of(state)
    run = Run(table, combat_phase_steps(table.at("combat")), {("card", "hydran"): FIGHT, ("battle", ""): result})
    assert defects(state) == []
    return run


def losing(*lost: str, **lines: Any) -> dict[str, Any]:
    """A result of the Hydran and two ground bases, of which these are destroyed."""
    fates = {key: {"fate": "destroyed" if key in lost else "intact"} for key in ("H1", "H2", "K1", "K2")}
    return {key: fate | lines.get(key, {}) for key, fate in fates.items()}


@pytest.mark.rule("cutler", "2.6.1", "3.1.3", "4.4.9")
def test_ground_bases_are_no_campaign_units_and_are_met_at_their_planet_as_ground_bases(kept: Kept):
    state = based()
    units = ground_units(state, state.planets["cub"])
    assert [(unit.name, unit.facing, unit.is_cu, unit.is_mobile) for unit in units] == kept()
    assert ("klingon", "0404") not in state.counters()
    run = fought(state)
    assert "In 0404: 2 Klingon units (size 6: ground base ×2)." in run.texts("hydran")
    assert "In 0404: 2 Hydran units (size 3: CA; size 4: DD)." in run.texts("klingon")
    assert run.asked("lyran") == []


@pytest.mark.rule("cutler", "3.5", "3.5.3", "3.5.4.2", "3.5.6", "3.5.9")
def test_they_defend_at_the_feature_on_which_they_stand_and_nowhere_else(kept: Kept):
    state = mooned(based(), "0404")
    valued(state, state.moons["moon2_0404"], ground={"F": 1})
    bases = bases_in(state, "0404")
    assert sorted(features_of_bases(features_of(state, "0404", bases), bases).values()) == ["moon2", "planet", "planet"]
    run = fought(state, losing("K2"))
    assert "The Klingon forces no approach battle in 0404." in run.texts("hydran")  # nobody is sent there
    (battle,) = [ask for ask in run.asks if ask.kind == "battle"]
    assert battle.title == "Result of the battle at the planet Cub in 0404"
    assert [line.label for line in battle.form.lines if line.key.startswith("K")] == kept()
    rows = [row for panel in battle.setup.panels for row in panel.rows]
    assert "K1 Cub A1: Ground Base (ground base, size 6, BPV 20, invented)" in rows
    assert run.asked("klingon", "allocate") == []  # where they stand leaves no choice
    assert (ground_on(state, state.planets["cub"]), ground_on(state, state.moons["moon2_0404"])) == ({"A": 1}, {"F": 1})


@cases("text, asked, sheet, words", made="text, sheet")
def test_a_ground_base_is_sent_to_no_other_feature_and_neither_leaves_nor_is_captured(text, asked, sheet, words):
    """Two boarding parties come with it, and a quarter more may be there: 2 in whole numbers."""
    found: list[Any] = []
    asks = {tuple(asked.split("/")): lambda ask: found.append((ask, refusal_words(ask, sheet)))}
    combats.met(based(text), {("card", "hydran"): FIGHT, **asks})
    ask, said = found[0]
    assert said == words
    fates = [way.value for line in ask.form.lines if line.key == "K1" for way in line.fields[0].choices]
    assert fates == (["intact", "damaged", "destroyed"] if asked == "battle/" else [])


@pytest.mark.rule("cutler", "3.5.4.2")
def test_of_those_who_defend_at_a_planet_only_others_than_ground_bases_are_asked_for():
    state = based(CUB + "klingon police 0404 Watch")
    assert ground_units(state, state.planets["cub"])[0].id == "klingon-1"
    assert [line.label for line in fought(state).asked("klingon", "allocate")[0].form.lines] == ["Watch (Police)"]


@pytest.mark.rule("cutler", "3.4.5", "5.3", "4.2.4.8")
def test_what_becomes_of_them_is_destruction_or_damage():
    state = based()
    fought(state, losing("K2", K1={"fate": "damaged", "parties_lost": 1, "crew_lost": 1}))
    (left,) = ground_units(state, state.planets["cub"])
    assert (left.name, left.boarding_parties, left.crew_units) == ("Cub A1", 1, 1)
    assert state.empires["hydran"].known_ships == {}  # it is no ship whose plans are spied upon (CU-N140)
    assert set(state.empires["klingon"].known_ships) == {"hydran-F1-CA", "hydran-F1-DD"}


@pytest.mark.rule("cutler", "5.2.3", "4.2.4.8")
@pytest.mark.parametrize(("lost", "razed", "shuttles"), [((), 0, 2), (("K1",), 0, 1), (("K1", "K2"), 5, 0)])
def test_a_planet_can_be_razed_once_the_last_is_lost_in_battle_and_shuttles_go_with_their_boxes(lost, razed, shuttles):
    state = based()
    state.planets["cub"].shuttles = 2
    fought(state, losing(*lost))
    assert state.planets["cub"].shuttles == shuttles
    state.fleet("hydran", "F1").raze = "cub"
    raze_planets(table_of(state))
    assert state.planets["cub"].razed == razed  # size 3 and size 4: 3 + 2


@pytest.mark.rule("cutler", "3.2", "3.5")
def test_a_planets_holder_takes_part_where_two_others_meet_if_it_has_a_ground_base_there():
    text = CUB + "lyran F2 0404 CW[from=0505]\n"
    for ground, parties in (({"A": 1}, {"hydran", "klingon", "lyran"}), ({}, {"hydran", "lyran"})):
        state = world(text)
        valued(state, state.planets["cub"], ground=ground)
        assert {ask.parties[0] for ask in fought(state).asks if ask.kind == "card"} == parties


@pytest.mark.rule("cutler", "2.6.1", "8.9", "4.4.9")
def test_nobody_sees_them_before_they_are_met():
    seen = []
    for ground in ({"A": 2, "D": 1}, {}):
        state = world(CUB.replace("0404 CA[from=0303]+DD[from=0303]", "0303 CA+DD").replace("impulse 3", "impulse 0"))
        valued(state, state.planets["cub"], ground=ground)
        run = Run(table := table_of(state), turn_steps(table), {})
        assert ("Cub A1" in sees(table, run.asks, "klingon")) is bool(ground)
        seen.append([sees(table, run.asks, side) for side in ("hydran", "lyran")])
    assert seen[0] == seen[1]


# --- scans, people, holders -------------------------------------------------------------------------------------------
def of_kind(**figures: Any) -> UnitClass:
    return GroundBaseCost().record.model_copy(update=figures)


@pytest.mark.rule("cutler", "8.3.1", "8.1")
def test_a_ground_base_with_special_sensors_makes_base_scans(kept: Kept):
    state = world(CUB)
    state.classes = {
        "post": of_kind(class_id="post", name="Post", special_sensors=1, bpv_economic=30),
        "fort": of_kind(class_id="fort", name="Fort", bpv_economic=10),
    }
    line = {"build": 1, "type": "post"}
    ask = turn_ask(state, "klingon")  # the planet makes 25 CPV
    assert refusal_words(ask, {"economy": {"pool": 0}, "G1": line}) == kept("#1")
    state.classes["post"] = of_kind(class_id="post", name="Post", special_sensors=1, bpv_economic=20)
    ask = turn_ask(state, "klingon")
    assert refusals(ask, {"economy": {"pool": 0}, "G1": line}) == []
    assert refusal_words(ask, {"economy": {"pool": 0}, "G1": {"build": 1, "type": "pst"}}) == kept("#2")
    # Two of the cheaper ones cost 20, two posts 40.
    assert refusals(ask, {"economy": {"pool": 0}, "G1": {"build": 2, "type": "fort"}}) == []
    assert refusals(ask, {"economy": {"pool": 0}, "G1": {"build": 2}}) == []
    assert refusal_words(ask, {"economy": {"pool": 0}, "G1": {"build": 2, "type": "post"}}) == kept("#3")
    run = Run(table := table_of(state), turn_steps(table), {("turn", "klingon"): {"economy": {"pool": 0}, "G1": line}})
    (post,) = stations(state, "klingon").values()
    assert (post.record.name, post.name, reach_of(post)) == ("Post", "Cub A1", 3)
    assert "Cub (0404) builds 1 for 20 CPV (Post), and has 1 ground base (hexside A 1)." in run.texts("klingon")


@pytest.mark.rule("cutler", "4.2.4.8", "5.3.3")
def test_people_come_with_a_ground_base_and_are_no_garrison():
    state = based(people=3)
    run_line = {"economy": {"pool": 0}, "G1": {"build": 1, "sides": ["E"]}}
    Run(table := table_of(state), turn_steps(table), {("turn", "klingon"): run_line})
    new = next(unit for unit in ground_units(state, state.planets["cub"]) if unit.facing == "E")
    assert (new.boarding_parties, new.crew_units) == (3, 2)
    assert (garrison(state.planets["cub"]), state.planets["cub"].crew_units) == (0, 0)


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_ground_bases_that_are_intact_go_to_the_captor_without_those_who_were_in_them():
    state = based()
    state.planets["cub"].landed = {"hydran": 4}
    hand_over(state, state.planets["cub"], "hydran")
    units: list[Unit] = ground_units(state, state.planets["cub"])
    held = [(unit.race, unit.boarding_parties, unit.crew_units, unit.captured_from) for unit in units]
    assert held == [("hydran", 0, 0, "")] * 2  # their weapons serve: no ships, so no prizes (5.1.2)
    assert defects(state) == []
