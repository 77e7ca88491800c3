"""Chapter 3.5: features, defenders, the approach battle and the ways past it, and the battles at the features."""

import re

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.fighter_results import lose_fighters
from rules_engine.rulebooks.cutler.ch03_combat.terrain.defender import designate
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in, features_of
from rules_engine.rulebooks.cutler.ch03_combat.terrain.flights import launch
from rules_engine.rulebooks.cutler.ch03_combat.terrain.presence import before_moving, note_presence
from rules_engine.rulebooks.cutler.ch05_planets.razing import razers_of
from rules_engine.rulebooks.cutler.records.parts.craft import recover
from rules_engine.rulebooks.cutler.records.planetary import is_free_to_act
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import Fight, Moment
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.armed import ALLOCATION, BATSF, HEX, hydraxx
from tests.rulebooks.cutler.shown import battles_of
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, table_of, world

FIGHT = {"force": {"card": "combat"}}
SIEGE = """
turn 2 impulse 3
planet minor 0404 hydran rock
hydran base 0404 Fort
hydran F1 0404 CA+DD+PF
lyran F1 0404 CC[from=0505]+CW[from=0505]+FF[from=0505]
"""
"""The Hydran, who have been there since before, defend a planet with a sun."""


def fought(text=SIEGE, answers=None, dice=None, systems=None):
    """A combat phase in which the Lyran show combat."""
    state = text if not isinstance(text, str) else world(text)
    state.systems |= systems or {}
    turn = table_of(state, dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, **(answers or {})})


def battles(run):
    return [ask.setup.title.split(":")[0] for ask in run.asks if ask.kind == "battle"]


def at(**places):
    """An allocation of Hydran units: ``at(CA="planet")``."""
    return {f"hydran-F1-{ship}": {"place": place} for ship, place in places.items()}


def wave(*ships, **more):
    return {"wave": {"ships": list(ships), **more}}


# --- features --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.5", "3.5.1", "3.5.2")
def test_points_are_bodies_and_bases_and_locations_are_the_sun_and_asteroids(kept: Kept):
    state = world(
        "planet minor 0404 hydran rock\nhydran base 0404 Fort\nhydran base 0505 Post\nlyran base 0606\n"
        "asteroids 0707\nnebula 0606 0608"
    )
    state.systems["0404"] = StarSystem(moons=(4, 9), gas_giant=2, giant_moons=(8,), asteroid_field=True)
    state.terrain["0303"] = "black_hole"

    def found(hex_id):
        return [(one.key, one.kind) for one in features_of(state, hex_id, bases_in(state, hex_id))]

    assert found("0404") == kept("#1")
    assert found("0505") == [("base1", "point")]
    assert found("0606") == [("base1", "point")]  # the nebula itself fills the hex
    assert found("0608") == []
    assert found("0707") == [("asteroids", "location")]
    assert found("0303") == [("black_hole", "point")]
    assert found("0101") == []
    state.units["hydran-base-0404"].orbit = "apart"
    assert ("base1", "point") in found("0404")
    assert next(one.says for one in features_of(state, "0404", []) if one.key == "moon2") == kept()


@pytest.mark.rule("cutler", "3.5.10")
def test_a_hex_that_terrain_fills_is_fought_over_as_open_space():
    run = fought("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nnebula 0404")
    assert battles(run) == ["Battle in 0404"]
    assert [ask.kind for ask in run.asks] == ["card", "card", "wave", "wave", "flank", "flank", "battle"]
    assert "The nebula covers the whole map (3.5.10, CU-R68)." in run.asks[-1].setup.panels[0].rows


# --- the defender ----------------------------------------------------------------------------------------------------
def presence(state):
    """Who defends 0404, and how many dice it took."""
    turn = table_of(state, {"defender, Hydran": [2], "defender, Lyran": [5]})
    found = designate(turn, "0404", ("hydran", "lyran"))
    return found.defender, found.why.rule, len(turn.shared.rolls)


@cases("case, proves, text, moves, noted, defender", "noted, defender")
def test_who_was_there_first_defends(text, moves, noted, defender):
    """Both come to 0404 in impulse 1."""
    state = world(f"turn 2 impulse 1; {text}")
    note_presence(state, before_moving(state))
    for key in moves.split():
        state.units[key].hex = "0404"
    note_presence(state, state.moment())
    assert " ".join(f"{race} {at.impulse}" for race, at in state.presence["0404"].items()) == noted
    if defender:
        assert presence(state) == (defender, "3.5.4, CU-R65", 0)


@cases("case, proves, text, since, forces, defender", "defender")
def test_who_is_lost_or_hidden_makes_nobody_the_defender(text, since, forces, defender):
    state = world(f"turn 2 impulse 4; {text}")
    for unit, impulse in zip(state.units.values(), since, strict=True):
        unit.entered_at = Moment(turn=2, impulse=impulse)
    for key, values in forces.items():
        for name, value in values.items():
            setattr(state.units[key], name, value)
    if "klingon" in text:
        state.fights["0404"] = Fight(forces=[["lyran", "klingon"]])
    found, rule, rolls = presence(state)
    assert (found, rule, rolls) == (defender, "3.5.4, CU-R65", 0)


@pytest.mark.rule("cutler", "3.5.4")
def test_ships_that_relieve_each_other_are_no_break_and_leaving_is_one():
    state = world("turn 2 impulse 2\nhydran F1 0404 CA\nhydran F2 0303 DD\nlyran F1 0405 CC")
    note_presence(state, state.moment())
    state.impulse = 3
    state.units["hydran-F1-CA"].hex, state.units["hydran-F2-DD"].hex = "0403", "0404"
    note_presence(state, state.moment())
    assert state.presence["0404"] == {"hydran": Moment(turn=2, impulse=2)}
    state.impulse, state.units["hydran-F2-DD"].hex, state.units["lyran-F1-CC"].hex = 4, "0303", "0404"
    note_presence(state, state.moment())
    assert state.presence["0404"] == {"lyran": Moment(turn=2, impulse=4)}
    state.impulse, state.units["hydran-F2-DD"].hex = 5, "0404"
    note_presence(state, state.moment())
    assert presence(state)[0] == "lyran"


@pytest.mark.rule("cutler", "3.5.4.1", "9.7")
def test_of_two_that_came_at_once_a_die_decides_unless_one_was_the_last_through_neutral_space():
    state = world("turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA[from=0303]\nlyran F1 0404 CC[from=0405]")
    note_presence(state, state.moment())
    assert presence(state) == ("lyran", "3.5.4.1, CU-R65", 2)
    state.last_through["0404"] = "hydran"
    assert presence(state) == ("hydran", "9.7, CU-R124", 0)
    state.territory["0404"] = "hydran"  # not neutral: passage counts for nothing
    assert presence(state) == ("lyran", "3.5.4.1, CU-R65", 2)
    state.presence["0404"]["hydran"] = Moment(turn=2, impulse=2)
    assert presence(state)[0] == "hydran"


@cases("hydran, lyran, defender, dice", "")
def test_of_two_that_came_at_once_the_one_with_the_only_navigator_defends(hydran, lyran, defender, dice):
    found = presence(world(f"asteroids 0404\nhydran F1 0404 CA{hydran}\nlyran F1 0404 CC{lyran}"))
    assert found == (defender, "3.5.4.1, CU-R65", dice)


# --- allocating ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.5.3", "3.5.4.2", "3.5.8")
def test_defenders_go_to_features_or_to_the_approach_battle_and_bases_stay(kept: Kept):
    judged: list = []

    def allocate(ask):
        judged.append([line.key for line in ask.form.lines])
        sheets = (
            {"hydran-base-0404": {"place": "sun"}},
            {"hydran-F1-CA": {"place": "giant"}},
            {"lyran-F1-CC": {"place": "planet"}},
            {"hydran-F1-CA": {"fighters": 1, "fighters_to": "sun"}},
            {"hydran-base-0404": {"fighters": 7, "fighters_to": "sun"}},
            {"hydran-base-0404": {"fighters": 6}},
            {"hydran-base-0404": {"fighters": 6, "fighters_to": "moon1"}},
            {"hydran-base-0404": {"fighters": 6, "fighters_to": "sun"}, **at(CA="sun", PF="planet")},
        )
        judged.extend(refusal_words(ask, sheet) for sheet in sheets)
        return at(CA="planet", DD="planet", PF="planet")

    fought(SIEGE.replace("Fort", "Fort[fighters=6]"), {("allocate", "hydran"): allocate})
    assert judged == kept()


HOLD = {("allocate", "hydran"): at(CA="planet", DD="planet", PF="planet")}
RUN_PAST = {
    ("wave", "lyran"): [wave("lyran-F1-CC", to="planet")],
    ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 1}, "hydran-F1-PF": {"group": 1}},
}


@cases("case, proves, answers, dice", "", made="answers")
def test_the_whole_account_of_a_siege(answers, dice, kept: Kept):
    assert combats.account(fought(SIEGE, answers, dice)) == kept()


@cases("case, proves, answers, asked, sheet, words", made="answers, sheet")
def test_what_may_not_be_ordered_in_a_siege(answers, asked, sheet, words):
    said: list = []
    judged = {tuple(asked.split()): lambda ask: said.append(refusal_words(ask, sheet))}
    fought(SIEGE.replace("CA+", "CA[fighters=6]+"), answers | judged)
    assert said[0] == words


# --- at the features -------------------------------------------------------------------------------------------------
@cases("place, die, away", "")
def test_an_escape_from_the_asteroid_field_of_a_planets_hex_is_as_from_an_asteroid_hex(place, die, away):
    """One ship escapes: nothing is added but 2 off from the field. From the planet beside it nothing."""
    answers = {
        ("allocate", "hydran"): at(CA=place, DD="sun", PF="sun"),
        ("allocate", "lyran"): {f"lyran-F1-{ship}": {"place": place} for ship in ("CC", "CW", "FF")},
        ("wave", "hydran"): [wave("hydran-F1-CA")],
        ("pursuit", "lyran"): {"lyran-F1-FF": {"group": 1}},
    }
    run = fought(SIEGE, answers, {"escape from": [die]}, {"0404": StarSystem(asteroid_field=True)})
    told = "gets away from group 1" if away else "is caught by group 1"
    assert told in run.texts("hydran")


@cases("case, proves, text, presence, answers", "", made="text, answers")
def test_the_whole_account_of_other_hexes(text, presence, answers, kept: Kept):
    """``presence`` are the moments since which races are there."""
    state = world(f"turn 2 impulse 3; {text}")
    if presence:
        state.presence["0404"] = {race: Moment(turn=turn, impulse=at) for race, (turn, at) in presence.items()}
    run = fought(state, answers)
    rows = [row for ask in battles_of(run) for panel in ask.setup.panels for row in panel.rows]
    assert [*combats.account(run), *(row for row in rows if re.search(r"defending|attacking", row))] == kept()


@pytest.mark.rule("cutler", "3.5.8", "3.3.2")
def test_a_carrier_that_escapes_leaves_only_the_fighters_that_it_still_has(kept: Kept):
    sheet = at(CA="planet", DD="planet", PF="planet")
    sheet["hydran-F1-CA"] |= {"fighters": 4, "fighters_to": "planet"}
    leave = [wave("hydran-F1-CA", left=["hydran-F1-CA"]), wave()]
    run = fought(SIEGE.replace("CA+", "CA[fighters=6]+"), {("allocate", "hydran"): sheet, ("wave", "hydran"): leave})
    fields = run.asked("hydran", "wave")[0].form.lines[0].fields
    assert {field.key: [choice.value for choice in field.choices] for field in fields} == kept("fields")
    assert [row for panel in battles_of(run)[0].setup.panels for row in panel.rows if "fighters" in row] == kept("rows")


@pytest.mark.rule("cutler", "3.5.8")
def test_a_flight_without_fighters_is_no_more():
    here, state = Fight(), world("hydran F1 0404 CA[fighters=6]")
    carrier = state.units["hydran-F1-CA"]
    flight = launch(here, carrier, 4, "planet")
    assert (carrier.fighters, flight.destroyed) == (2, False)
    lose_fighters(flight, 4, 0)
    recover(state, "0404", here)
    assert (carrier.fighters, flight.destroyed) == (2, True)


@pytest.mark.rule("cutler", "3.5.8")
def test_a_flight_that_finds_no_box_is_not_replaced_by_a_new_one():
    # Eight fighters, two of them in shuttle boxes, to which none comes back: two of the second flight stay outside.
    here = Fight()
    carrier = (state := world("hydran F1 0404 CA[fighters=6,aboard=8]")).units["hydran-F1-CA"]
    launch(here, carrier, 4, "planet")
    launch(here, carrier, 4, "planet")
    recover(state, "0404", here)
    assert (carrier.fighters, [unit.fighters for unit in here.flights.values()]) == (6, [2])
    launch(here, carrier, 3, "sun")
    assert (carrier.fighters, sorted(unit.fighters for unit in here.flights.values())) == (3, [2, 3])


@pytest.mark.rule("cutler", "3.5.6")
def test_a_ship_that_has_fought_at_a_feature_does_not_escape_to_another():
    # The Hydran come last: the Klingon, who fight the Lyran at the planet first, defend against them and wait forward.
    text = "turn 2 impulse 3\nplanet minor 0404 klingon rock\nklingon F1 0404 CW\nlyran F1 0404 CC[from=0303]\n"
    text += "hydran F1 0404 CA[from=0505]"
    judged: list = []

    def run_past(ask):
        judged.extend(refusals(ask, wave("lyran-F1-CC", to=to)) for to in ("sun", "planet", "away"))
        return wave()

    state = world(text)
    state.presence = {"0404": {"hydran": Moment(turn=2, impulse=2), "klingon": Moment(turn=1, impulse=1)}}
    dice = {f"{n}/acting player, Lyran": [6] for n in (1, 2)}
    dice |= {f"{n}/acting player, {race}": [1] for n in (1, 2) for race in ("Klingon", "Hydran")}
    answers = {
        ("challenge", "lyran"): [{"challenge": {"race": "klingon"}}, {"challenge": {"race": "hydran"}}],
        ("allocate", "klingon"): {"klingon-F1-CW": {"place": "planet"}},
        ("allocate", "hydran"): {"hydran-F1-CA": {"place": "approach"}},
        ("allocate", "lyran"): {},
        ("wave", "lyran"): run_past,
    }
    fought(state, answers, dice)
    assert judged == [[("wave.ships", "3.5.6")], [], []]


@pytest.mark.rule("cutler", "3.5.6")
def test_a_ship_fights_at_one_feature_in_an_impulse(kept: Kept):
    # The Lyran fights both others at Rock: at the planet first, so that it may not defend the sun afterwards.
    text = "turn 2 impulse 3\nplanet minor 0404 lyran rock\nlyran F1 0404 CC[fighters=6]\n"
    text += "hydran F1 0404 CA[from=0303]\nklingon F1 0404 CW[from=0505]"
    judged: list = []

    def result(ask):
        lost = {"fate": "damaged", "fighters_lost": 3}
        return {line.key: lost if "fighters" in line.label else {"fate": "intact"} for line in ask.form.lines}

    def second(ask):
        judged.append(refusal_words(ask, {"lyran-F1-CC": {"place": "sun"}}))
        judged.append([choice.value for choice in ask.form.lines[0].fields[0].choices])
        judged.append(ask.form.lines[0].fields[1].most)  # of its six fighters three were lost
        return {"lyran-F1-CC": {"place": "planet"}}

    dice = {"1/acting player, Hydran": [6], "1/acting player, Lyran": [1], "1/acting player, Klingon": [2]}
    dice |= {"2/acting player, Klingon": [6], "2/acting player, Lyran": [1], "2/acting player, Hydran": [2]}
    answers = {
        ("challenge", "hydran"): {"challenge": {"race": "lyran"}},
        ("challenge", "klingon"): {"challenge": {"race": "lyran"}},
        ("allocate", "lyran"): [{"lyran-F1-CC": {"place": "planet", "fighters": 4, "fighters_to": "planet"}}, second],
        ("battle", ""): [result],
    }
    fought(text, answers, dice)
    assert judged[0] == kept()
    assert judged[1:] == [["approach", "planet"], 3]


# --- razing ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.2.4")
def test_ships_that_escaped_to_the_planet_may_raze_it_and_those_that_escaped_elsewhere_not():
    text = SIEGE.replace("hydran base 0404 Fort\n", "")
    answers = {
        ("allocate", "hydran"): at(CA="sun", DD="sun", PF="sun"),
        ("allocate", "lyran"): {"lyran-F1-FF": {"place": "sun"}},
    }
    run = fought(text, answers)
    state = run.table.state
    state.fleet("lyran", "F1").raze = "rock"
    assert [unit.id for unit in razers_of(state, state.planets["rock"], "lyran")] == ["lyran-F1-CC", "lyran-F1-CW"]
    state.units["lyran-F1-CC"].disengaged_from = ["hydran"]
    assert not is_free_to_act(state.units["lyran-F1-CC"])
    end_impulse(run.table)
    assert [state.units[f"lyran-F1-{ship}"].escaped_to for ship in ("CC", "CW", "FF")] == ["", "", ""]
    assert is_free_to_act(state.units["lyran-F1-FF"])


# --- secrets ---------------------------------------------------------------------------------------------------------
def seen_until(state, answers, kind, side):
    """What a side has seen when it is first asked something of this kind."""
    turn = table_of(state, {"defender": [6]})
    return combats.seen_until(turn, combat_phase_steps(turn.at("combat")), answers, kind, side)


@pytest.mark.rule("cutler", "3.5.4.2")
def test_the_attacker_learns_nothing_of_the_allocation_before_the_battles_show_it():
    def seen(kind, allocation, **other):
        answers = {("card", "klingon"): FIGHT, ("allocate", "hydran"): {**allocation, **other.get("posts", {})}}
        return seen_until(hydraxx(), answers, kind, "klingon")

    apart = {BATSF: {"fighters": 12, "fighters_to": "giant"}}
    sun = {f"hydran-F1-{ship}": {"place": "sun"} for ship in ("CC", "CA")}
    posts = [{}, {"hydran-F2-DW": {"place": "planet"}}, apart, sun]
    assert len({seen("wave", ALLOCATION, posts=one) for one in posts}) == 1
    # Where no approach battle is forced, they send their ships without knowing who is where.
    nobody = {key: {"place": "planet"} for key in ALLOCATION if key != BATSF}
    posts = [{}, {"hydran-F1-CA": {"place": "giant"}}, {BATSF: ALLOCATION[BATSF] | {"fighters_to": "sun"}}]
    (sent,) = {seen("allocate", nobody, posts=one) for one in posts}
    assert "Batsf" not in sent
    assert HEX in sent


@pytest.mark.rule("cutler", "3.5.4.2", "3.5.10")
def test_the_defender_learns_nothing_of_attackers_who_are_where_it_has_nobody():
    def leaving(**places):
        sent = {f"lyran-F1-{ship}": {"place": place} for ship, place in places.items()}
        state = world(SIEGE)
        state.systems["0404"] = StarSystem(gas_giant=2)
        return seen_until(state, {("card", "lyran"): FIGHT, ("allocate", "lyran"): sent, **HOLD}, "wave", "hydran")

    one = leaving(CC="planet", CW="sun", FF="giant")
    assert one == leaving(CC="planet", CW="giant", FF="giant")
    assert "At the planet Rock in 0404: 1 Lyran unit (size 3: CC)." in one


# --- who holds what others were at first -----------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.5.4", "5.1")
def test_the_former_owner_of_a_captured_base_is_the_attacker_from_then_on() -> None:
    state = world("turn 2 impulse 3\nhydran base 0404 Fort\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]\n")
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=2, impulse=3)}
    turn = table_of(state)
    assert designate(turn, "0404", ("hydran", "lyran")).defender == "hydran"
    state.units["hydran-base-0404"].taken_by("lyran")
    for pair in (("hydran", "lyran"), ("lyran", "hydran")):
        found = designate(turn, "0404", pair)
        assert (found.defender, found.attacker, found.reason) == ("lyran", "hydran", "holds a base there")


@cases("others, fights", "")
def test_no_cards_are_shown_where_nothing_could_be_fought(others: str, fights: bool) -> None:
    state = world(f"turn 2 impulse 3\nlyran base 0404 Den\n{others}")
    run = fought(state, {("card", "hydran"): FIGHT})
    assert bool(run.asks) is fights
    assert bool(state.empires["lyran"].alerts) is fights
    assert "base" in run.texts("hydran")  # S1-S5 of each other are shown all the same


@pytest.mark.rule("cutler", "3.5.4", "3.5.5.3")
def test_a_base_that_was_taken_from_another_asks_nobody_again_and_again() -> None:
    # A third race was in the hex before the base changed hands; it does not want to fight, and the base cannot come.
    state = world("turn 1\nlyran base 0404 Den\nhydran F1 0404 CA[warp=0,imp=0]\n")
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=1, impulse=1)}
    asked = 0
    for impulse in range(1, 7):
        state.impulse = impulse
        asked += len(fought(state, {("card", "hydran"): FIGHT}).asks)
        end_impulse(table_of(state))
    assert asked == 0
