"""Chapter 3.5: the features of a hex by name, who defends there and why, and how the battles there are set up."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.terrain.defender import designate
from rules_engine.rulebooks.cutler.ch03_combat.terrain.encounter import note_features, note_features_for_sortie
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in, features_of, features_of_bases
from rules_engine.rulebooks.cutler.ch03_combat.terrain.presence import note_presence
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Moment
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch03_combat.terrain.test_terrain import SIEGE, at, fought
from tests.rulebooks.cutler.worlds import Run, table_of, world


# --- features --------------------------------------------------------------------------------------------------------
def found_in(state: CutlerState, hex_id: str) -> list[tuple[str, str, str, str]]:
    """All features of a hex: key, name, kind, and what else a sheet says of it."""
    return [(one.key, one.name, one.kind, one.says) for one in features_of(state, hex_id, bases_in(state, hex_id))]


@pytest.mark.rule("cutler", "3.5", "3.5.1", "3.5.2")
def test_the_features_of_a_star_system_are_named_and_counted_from_one(kept: Kept) -> None:
    state = world("planet minor 0404 hydran rock\nplanet minor 0202 lyran cub\n")
    state.systems["0404"] = StarSystem(moons=(4, 9), gas_giant=2, giant_moons=(8, 7), rings=True, asteroid_field=True)
    assert found_in(state, "0404") == kept()
    bare = [("planet", "the planet Cub", "point", ""), ("sun", "the sun", "location", "")]
    assert found_in(state, "0202") == bare
    state.systems["0202"] = StarSystem(gas_giant=1)
    assert found_in(state, "0202")[1] == ("giant", "the gas giant", "point", "The gas giant is of size 1.")


@cases("terrain, expected")
def test_terrain_is_a_point_or_a_location_or_fills_its_hex(terrain: Any, expected: list[Any]) -> None:
    state = world("hydran F1 0404 CA")
    state.terrain["0404"] = terrain
    assert found_in(state, "0404") == expected


@pytest.mark.rule("cutler", "3.5", "3.5.1")
def test_bases_orbit_the_planet_or_another_body_or_are_features_by_themselves(kept: Kept) -> None:
    state = world(
        "planet minor 0404 hydran rock\nhydran base 0404 Fort\nlyran base 0404 Den[orbit=apart]\n"
        "hydran base 0101 Post\nklingon base 0404 Hut[orbit=moon2]\nlyran base 0102 Lair[orbit=moon3]\n"
        "lyran F1 0404 CC\n"
    )
    state.systems["0404"] = StarSystem(moons=(4, 9))
    for key in ("hydran-base-0101", "lyran-base-0102"):  # of the third moon there is none
        state.units[key].hex = "0404"
    state.units["hydran-base-0101"].orbit = "apart"
    bases = bases_in(state, "0404")
    assert [base.name for base in bases] == ["Post", "Fort", "Hut", "Lair", "Den"]
    assert [one[:3] for one in found_in(state, "0404")][3:] == kept("#1")
    assert features_of_bases(features_of(state, "0404", bases), bases) == kept("#2")
    state.units["hydran-base-0404"].destroyed = True
    assert "hydran-base-0404" not in [base.id for base in bases_in(state, "0404")]


@pytest.mark.rule("cutler", "3.5", "3.5.10")
def test_without_a_planet_a_base_is_a_feature_even_in_terrain_that_fills_its_hex(kept: Kept) -> None:
    state = world("hydran base 0505 Post\nlyran base 0505 Den\nnebula 0505\nhydran base 0606 Far[orbit=apart]\n")
    bases = bases_in(state, "0505")
    assert [one[:2] for one in found_in(state, "0505")] == kept("#1")
    assert features_of_bases(features_of(state, "0505", bases), bases) == kept("#2")
    assert [one[:2] for one in found_in(state, "0606")] == [("base1", "the base 1 of the Hydran")]


@pytest.mark.rule("cutler", "3.5", "3.5.1")
def test_features_keep_their_numbers_through_an_impulse_and_a_sortie_meets_those_attacked_alone() -> None:
    state = world("hydran base 0505 Post\nlyran base 0505 Den\nhydran F1 0404 CA\n")
    state.fights = {"0505": Fight(), "0404": Fight()}
    ground = state.fights["0505"].ground
    assert note_features(state, "0505")
    both = {"hydran-base-0505": "base1", "lyran-base-0505": "base2"}
    assert ground.bases == both
    state.units["hydran-base-0505"].destroyed = True
    assert note_features(state, "0505")
    assert ground.bases == both
    assert [one.key for one in ground.features] == ["base1", "base2"]
    state.units["hydran-base-0505"].destroyed = False
    assert note_features_for_sortie(state, "0505", [state.units["lyran-base-0505"]])
    assert ground.bases == {"lyran-base-0505": "base1"}
    assert [one.name for one in ground.features] == ["the base 1 of the Lyran"]
    assert not note_features_for_sortie(state, "0505", [])
    assert not note_features(state, "0404")


# --- the defender ----------------------------------------------------------------------------------------------------
def reason(state: CutlerState, pair: tuple[str, str] = ("hydran", "lyran")) -> tuple[str, str, str]:
    """Who defends 0404, who attacks, and why, in words."""
    found = designate(table_of(state, {"defender, Hydran": [2], "defender, Lyran": [5]}), "0404", pair)
    return found.defender, found.attacker, found.reason


def partners(**since: int) -> CutlerState:
    """Three races, the Hydran and the Klingon as one force; each came in the impulse that is named."""
    state = world("turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 CW\n")
    state.fights["0404"] = Fight(forces=[["hydran", "klingon"]])
    state.presence["0404"] = {race: Moment(turn=2, impulse=impulse) for race, impulse in since.items()}
    return state


@pytest.mark.parametrize("pair", [("hydran", "lyran"), ("lyran", "hydran")])
@cases("since, expected")
def test_the_race_of_a_force_that_was_there_first_counts(since, expected, pair):
    assert reason(partners(**since), pair) == expected


@cases("forces, passage, navigators, expected", "")
def test_who_came_at_once_is_told_apart_by_passage_then_by_navigators_then_by_a_die(
    forces: Any, passage: str, navigators: str, expected: Any
) -> None:
    """``passage`` is the last to move through alone; navigators are aboard of these races' ships."""
    state = partners(hydran=3, lyran=3, klingon=3)
    state.fights["0404"].forces = forces
    state.last_through |= {"0404": passage} if passage else {}
    for unit in state.units.values():
        unit.officers = ("navigator",) if unit.race in navigators else ()
    assert reason(state) == expected


@pytest.mark.rule("cutler", "3.5.4.1", "2.10")
def test_a_force_has_the_higher_die_in_the_plural() -> None:
    turn = table_of(partners(hydran=3, lyran=3, klingon=3), {"defender, Hydran": [5], "defender, Lyran": [2]})
    assert designate(turn, "0404", ("hydran", "lyran")).reason == "have the higher die"


@cases("ships, since, noted, defender", "defender")
def test_who_has_been_there_since_the_beginning_was_there_before_the_first_impulse(ships, since, noted, defender):
    """Units that never entered count as there since before turn 0; of those that are seen the first one counts. What is
    noted counts before what is seen."""
    state = world(f"turn 2 impulse 4; asteroids 0404; {ships}")
    for key, (turn, impulse) in since.items():
        state.units[key].entered_at = Moment(turn=turn, impulse=impulse)
    if noted:
        state.presence["0404"] = {"hydran": Moment(turn=1, impulse=3)}
    found, other, why = reason(state)
    assert (found, {found, other}, why) == (defender, {"hydran", "lyran"}, "was here first")


@pytest.mark.rule("cutler", "3.5.4", "2.6.2.1")
def test_a_force_of_which_nobody_is_left_was_there_since_before_all() -> None:
    state = world("turn 2 impulse 4\nasteroids 0404\nhydran F1 0404 CA[cloak=up]+DD[cloak=up]\nlyran F1 0404 CC")
    for key, since in {"hydran-F1-CA": 3, "hydran-F1-DD": 1, "lyran-F1-CC": 2}.items():
        state.units[key].entered_at = Moment(turn=2, impulse=since)
    found = [reason(state)[0]]
    for key in ("hydran-F1-DD", "lyran-F1-CC"):  # at last nobody at all: as since before turn 0
        state.units[key].destroyed = True
        found.append(reason(state)[0])
    assert found == ["hydran", "lyran", "lyran"]


@pytest.mark.rule("cutler", "3.5.4")
def test_what_is_lost_or_under_cloak_is_nobodys_presence() -> None:
    state = world("turn 2 impulse 1\nhydran F1 0404 CA+DD\nlyran F1 0404 CC[cloak=up]\nklingon F1 0404 CW\n")
    state.units["klingon-F1-CW"].destroyed = True
    state.units["hydran-F1-DD"].destroyed = True
    note_presence(state, state.moment())
    assert state.presence == {"0404": {"hydran": Moment(turn=2, impulse=1)}}
    state.units["hydran-F1-CA"].destroyed = True
    note_presence(state, state.moment())
    assert state.presence == {}


# --- the set-up ------------------------------------------------------------------------------------------------------
def first_panels(run: Run) -> list[tuple[str, tuple[str, ...]]]:
    """The panels of the last battle that tell of its set-up."""
    setup = [ask for ask in run.asks if ask.kind == "battle"][-1].setup
    assert setup is not None
    return [(panel.title, panel.rows) for panel in setup.panels if panel.title.startswith("Set-up")]


LEFT = at(CA="planet", DD="planet", PF="planet")


@pytest.mark.rule("cutler", "3.5.9", "3.5.10")
@pytest.mark.parametrize("terrain", ["nebula", "dust", "heat", "", "asteroids"])
def test_terrain_that_fills_the_hex_covers_the_map_of_a_battle_at_a_point_too(terrain: Any) -> None:
    state = world(SIEGE)
    if terrain:
        state.terrain["0404"] = terrain
    ((title, rows),) = first_panels(fought(state, {("allocate", "hydran"): LEFT}))
    assert title == "Set-up (3.5.9)"
    covers = terrain in ("nebula", "dust", "heat")
    assert rows[5:] == (
        "Nobody flanks here (3.7).",
        *([f"The {terrain} covers the whole map (3.5.10, CU-R68)."] if covers else []),
    )


@pytest.mark.rule("cutler", "3.5.9")
def test_what_is_known_of_a_moon_stands_below_its_set_up() -> None:
    text = SIEGE.replace("Fort", "Fort[orbit=moon2]")
    state = world(text)
    run = fought(
        state, {("allocate", "hydran"): LEFT, ("allocate", "lyran"): {}}, systems={"0404": StarSystem(moons=(4, 9))}
    )
    assert first_panels(run)[0][1][6:] == ()
    sent = {f"lyran-F1-{ship}": {"place": "moon2"} for ship in ("CC", "CW", "FF")}
    run = fought(
        text, {("allocate", "hydran"): LEFT, ("allocate", "lyran"): sent}, systems={"0404": StarSystem(moons=(4, 9))}
    )
    ((_, rows),) = first_panels(run)
    assert rows[0] == ("Hydran (defending) sets up first, within 20 hexes of moon 2 of Rock, facing any way.")
    assert rows[6:] == ("The moon is 9 hexes from the planet.",)


FIELD = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nklingon F1 0404 DD\nlyran F1 0404 CC[from=0505]\n"
FORCE = f"{FIELD}together hydran klingon\n"
THERE = {
    ("allocate", "hydran"): {"hydran-F1-CA": {"place": "asteroids"}},
    ("allocate", "klingon"): {"klingon-F1-DD": {"place": "asteroids"}},
}
DEEP = {("depth", side): {"battle": {"depth": "deep"}} for side in ("hydran", "")}


@pytest.mark.rule("cutler", "3.5.9", "2.10")
def test_a_force_at_the_edge_or_deep_within_is_spoken_of_in_the_plural(kept: Kept) -> None:
    ((_, rows),) = first_panels(fought(FORCE, THERE))
    assert rows[1:3] == kept()
    run = fought(FORCE, THERE | DEEP, {"set-up, Hydran": [6], "set-up, Lyran": [1]})
    assert [title for title, _ in first_panels(run)] == ["Set-up (3.5.9)", "Set-up (3.4.3)"]
    assert "Battle within the asteroid belt in 0404. The Hydran and Klingon set up first." in run.texts("lyran")
    run = fought(FORCE, THERE | DEEP, {"set-up, Hydran": [1], "set-up, Lyran": [6]})
    assert "Battle within the asteroid belt in 0404. The Lyran sets up first." in run.texts("klingon")
    assert run.told("hydran", "battle")[0].why is not None


@pytest.mark.rule("cutler", "3.5.9")
def test_a_side_is_asked_how_deep_it_fights_and_its_answer_is_read_back(kept: Kept) -> None:
    (ask,) = fought(FORCE, THERE).asked("klingon", "depth")
    assert (ask.parties, ask.forces) == (("hydran", "klingon"), (("hydran", "klingon"),))
    sheets = [{}, {"battle": {}}, {"battle": {"depth": "edge"}}, {"battle": {"depth": "deep"}}]
    edge, deep = ["You fight at its edge."], ["You fight deep within it."]
    assert [ask.read_back(ask.answer_from(sheet)) for sheet in sheets] == [edge, edge, edge, deep]
    attackers = fought(
        "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]\n"
        "klingon F1 0404 DD[from=0505]\ntogether lyran klingon\n",
        {("allocate", "hydran"): {"hydran-F1-CA": {"place": "asteroids"}}},
    )
    ((_, rows),) = first_panels(attackers)
    assert rows[1:3] == kept()
