"""Chapter 4.2.4.5 in battle: minefields at the features of a hex."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.encounter import note_features
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import lay_mines
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import fields_at
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid, MinesToLay
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Moment
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, sees, table_of, world
from tests.rulebooks.cutler.yards import refused, refused_in_words

SIEGE = """
turn 2 impulse 3
planet capital 0205 hydran
planet minor 0404 hydran rock
hydran F1 0404 CA+DD
lyran F1 0404 CC+CW
"""
POSTS = {"hydran-F1-CA": {"place": "planet"}}  # the destroyer fights the approach battle


def lay(state: CutlerState, around: str, race: str = "hydran", hex_id: str = "0404", **places: int) -> MinesLaid:
    field = MinesLaid(race=race, around=around, hex=hex_id, places=places or {"A8": 30})
    state.minefields[field.key] = field
    return field


def siege(text: str = SIEGE) -> CutlerState:
    """The Hydran, who have been there since before, defend a planet with a moon."""
    state = world(text)
    state.systems["0404"] = StarSystem(moons=(7,))
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=2, impulse=3)}
    return state


def fought(state: CutlerState, posts: object = POSTS, partners: object = None) -> Run:
    """A combat phase in which the Lyran show combat, and attack the planet with all."""
    table = table_of(state)
    answers = {("card", "lyran"): {"force": {"card": "combat"}}, ("allocate", "hydran"): posts}
    answers[("allocate", "klingon")] = partners
    return Run(table, combat_phase_steps(table.at("combat")), answers)


def charts(run: Run, side: str) -> dict[str, list[str]]:
    """What a side reads of mines on the sheet of each battle, by its title, without how maps are read."""
    return {
        ask.setup.title.split(":")[0]: [
            row for panel in ask.setup.secret[side] for row in panel.rows[:-1] if panel.title == "Your minefields here"
        ]
        for ask in run.asks
        if ask.kind == "battle" and ask.setup is not None
    }


@pytest.mark.rule("cutler", "3.5.2", "4.2.4.5.2")
def test_mines_are_in_the_battle_at_what_they_surround_and_in_no_other(kept: Kept):
    state = siege()
    rock, moon = lay(state, "rock", A8=30), lay(state, "moon 0404/1", B8=7)
    theirs = lay(state, "rock", "lyran", C5=9)
    run = fought(state)
    planet = "Battle at the planet Rock in 0404"
    assert charts(run, "hydran") == {"Battle in 0404": [], planet: ["Rock: 30 CPV at A8=30"]}
    assert charts(run, "lyran") == {"Battle in 0404": [], planet: ["Rock: 9 CPV at C5=9"]}
    # What is swept is said of those alone at which there was a battle.
    assert (rock.fought, moon.fought, theirs.fought) == (True, False, True)
    assert refused(state, N1={"lost": 30}) == []
    assert refused_in_words(state, N2={"lost": 1}) == ["N2: no battle was fought at such a minefield. Legal: N1."]
    assert charts(fought(state), "hydran")[planet] == kept()


@pytest.mark.rule("cutler", "3.5.2", "4.2.4.5.2")
def test_mines_are_in_no_battle_in_open_space_and_defend_nothing_by_themselves():
    state = siege()
    field = lay(state, "rock")
    run = fought(state, {})  # all fight the approach battle
    assert charts(run, "hydran") == {"Battle in 0404": []}
    assert "Nobody of the Hydran is at the planet Rock in 0404." in run.texts("lyran")
    assert not field.fought


@cases("around, feature")
def test_the_feature_that_mines_belong_to(around, feature):
    state = world("planet minor 0404 lyran rock\nhydran base 0404 Far[orbit=apart]\nhydran base 0505\nlyran base 0404")
    state.systems["0404"] = StarSystem(moons=(7, 9), gas_giant=3, giant_moons=(8,))
    state.terrain["0707"] = "neutron_star"
    hex_id = next(hex_id for hex_id in ("0505", "0707", "0404") if hex_id in around or hex_id == "0404")
    state.fights = {hex_id: Fight()}
    assert note_features(state, hex_id)
    field = lay(state, around, hex_id=hex_id)
    places = [one.key for one in state.fights[hex_id].ground.features]
    assert [key for key in places if field in fields_at(state, "hydran", hex_id, key)] == [feature]
    assert fields_at(state, "hydran", hex_id, "") == fields_at(state, "lyran", hex_id, feature) == []


@pytest.mark.rule("cutler", "4.2.4.5.2")
def test_mines_around_a_base_that_orbits_a_moon_or_was_captured_are_where_it_is():
    state = world("planet minor 0404 hydran rock\nhydran base 0404 Luna[orbit=moon1]")
    state.systems["0404"] = StarSystem(moons=(7,))
    field = lay(state, "hydran-base-0404")
    base = state.units["hydran-base-0404"]
    for race in ("hydran", "lyran"):
        base.race = race
        state.fights = {"0404": Fight()}
        note_features(state, "0404")
        assert fields_at(state, "hydran", "0404", "moon1") == [field]
        assert fields_at(state, "hydran", "0404", "planet") == []
    base.destroyed = True  # and what surrounded it is gone
    assert fields_at(state, "hydran", "0404", "moon1") == fields_at(state, "hydran", "0404", "") == []


@pytest.mark.rule("cutler", "4.2.4.5.2", "3.5.2")
def test_mines_are_laid_around_stars_and_bases_apart_but_in_no_location(kept: Kept):
    text = "turn 1 impulse 3\nplanet capital 0205 hydran\nhydran base 0205 Far[orbit=apart]\nasteroids 0706\n"
    state = world(text + "hydran F1 0707 MS[mines=40]")
    state.terrain["0707"] = "black_hole"
    assert refused(state, K1={"around": "star 0707"}) == refused(state, K1={"around": "hydran-base-0205"}) == []
    assert refused_in_words(state, K1={"around": "star 0706"}) == kept()
    state.units["hydran-F1-MS"].lays = MinesToLay(around="star 0707", cpv=12)
    lay_mines(table_of(state))
    assert state.minefields["hydran/star 0707"].cpv == 12


@pytest.mark.rule("cutler", "4.2.4.5.2", "3.5.4.2")
def test_who_sends_units_to_features_is_told_of_its_own_mines_there_and_nobody_of_others():
    ends: list[str] = []
    for mined in (True, False):
        state = siege(SIEGE + "klingon F1 0405 CC")
        if mined:
            lay(state, "rock")
        run = fought(state)
        (ask,) = run.asked("hydran", "allocate")
        said = " Your mines take part in the battle at what they surround: 30 CPV around Rock."
        assert ask.text.endswith(said) == mined
        ends.append(sees(run.table, run.asks, "lyran") + sees(run.table, run.asks, "klingon"))
    assert ends[0] == ends[1]


@pytest.mark.rule("cutler", "4.2.4.5.2", "2.10")
def test_partners_do_not_read_each_others_maps():
    state = siege(SIEGE + "klingon F1 0404 DN\ntogether hydran klingon")
    lay(state, "rock")
    theirs = lay(state, "rock", "klingon", C5=9)
    run = fought(state, POSTS, {"klingon-F1-DN": {"place": "planet"}})
    planet = "Battle at the planet Rock in 0404"
    assert charts(run, "hydran")[planet] == ["Rock: 30 CPV at A8=30"]
    assert charts(run, "klingon")[planet] == ["Rock: 9 CPV at C5=9"]
    assert theirs.fought


@pytest.mark.rule("cutler", "4.2.4.5.2")
def test_mines_of_a_race_that_does_not_fight_there_take_no_part():
    state = siege()
    field = lay(state, "rock", "klingon")
    run = fought(state)
    assert not field.fought
    assert run.told("klingon", "combat") == run.told("klingon", "battle") == []
