"""Chapter 4.2.4.8: boarding parties and crew units."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_economics.crews import crew_cost
from rules_engine.rulebooks.cutler.ch04_economics.docks import keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units, stand_on
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, table_of, world
from tests.rulebooks.cutler.yards import HOME, refused, refused_in_words, turn, yard

CA, FF = "hydran-F1-CA", "hydran-F1-FF"


def manned(base_type: str = "SB") -> CutlerState:
    """A cruiser with 40 crew units and 10 boarding parties, and a frigate with 20 and 4, in dock; half are aboard."""
    state = yard(HOME + "hydran F1 0205 CA+FF\n", base_type=base_type, boarding_parties=40)
    for key, crew, parties in ((CA, 40, 10), (FF, 20, 4)):
        unit = state.units[key]
        unit.record = kind_of(key[-2:], crew_units=crew, boarding_parties=parties)
        unit.crew_units, unit.boarding_parties = crew // 2, parties // 2
    return state


def order(item: str, count: int, to: str = CA, **more: object) -> dict[str, object]:
    return {"item": item, "count": count, "to": to, **more}


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.4")
def test_people_are_trained_for_ships_and_leave_them_for_others():
    state = manned()
    turn(
        state, A1=order("boarding_party", 5), A2=order("crew_normal", 20), A3=order("boarding_party", 1, FF, origin=CA)
    )
    cruiser, frigate = state.units[CA], state.units[FF]
    assert (cruiser.boarding_parties, cruiser.crew_units, frigate.boarding_parties) == (9, 40, 3)
    # Half a CPV each, rounded up, and one each.
    assert [(one.item, one.cpv) for one in state.spent] == [("5 x Boarding Party", 3), ("20 x Crew Unit", 20)]
    assert aboard(cruiser) == ["40 crew units"]
    assert cruiser.holds == cruiser.stowed == {}


@pytest.mark.rule("cutler", "4.2.4.8")
@cases("base_type, line, expected")
def test_where_people_are_trained_and_how_many_a_ship_takes(base_type, line, expected):
    assert refused_in_words(manned(base_type), A1=line) == expected


@pytest.mark.rule("cutler", "4.2.4.8")
@cases("aboard_are, come, then")
def test_a_mixed_crew_is_as_its_lowest_part(aboard_are, come, then):
    for count in (1, 3):
        state = manned()
        state.units[CA].crew_quality = aboard_are
        turn(state, A1=order(come, count))
        assert (state.units[CA].crew_units, state.units[CA].crew_quality) == (20 + count, then)


@pytest.mark.rule("cutler", "4.2.4.8", "5.3.3")
def test_squads_are_trained_and_moved_as_boarding_parties_of_their_own_kind(kept: Kept):
    state = manned()
    turn(state, A1=order("commando", 2), A2=order("heavy_weapons", 1), A3=order("commando", 1, FF, origin=CA))
    assert [(state.units[key].boarding_parties, state.units[key].squads) for key in (CA, FF)] == kept("#1")
    assert refused_in_words(state, A1=order("commando", 2, FF, origin=CA)) == kept("#2")
    assert refused_in_words(state, A1=order("heavy_weapons", 1, CA, origin=FF)) == kept("#3")


@pytest.mark.rule("cutler", "4.2.4.8")
def test_crews_that_are_moved_keep_their_quality(kept: Kept):
    state = manned()
    state.units[CA].crew_quality = "poor"
    turn(state, A1=order("crew_poor", 5, FF, origin=CA))
    assert [(state.units[key].crew_units, state.units[key].crew_quality) for key in (CA, FF)] == kept()


@pytest.mark.rule("cutler", "4.2.4.8")
def test_crew_units_are_lost_in_battle_and_with_a_captured_ship(kept: Kept):
    state = world("turn 1 impulse 3\nhydran F1 0404 CA+FF\nlyran F1 0404 CA")
    for key in (CA, FF):
        state.units[key].record = kind_of(key[-2:], crew_units=40)
        state.units[key].crew_units = 30
    result = {"H1": {"fate": "intact", "crew_lost": 7}, "H2": {"fate": "captured"}, "L1": {"fate": "intact"}}
    answers = {("card", "hydran"): {"force": {"card": "combat"}}, ("battle", ""): result}
    table = table_of(state)
    run = Run(table, combat_phase_steps(table.at("combat")), answers)
    assert [state.units[key].crew_units for key in (CA, FF)] == [23, 0]
    assert "H1 Hydran F1 Ca: intact, lost 7 crew units" in run.texts("lyran")
    (ask,) = [one for one in run.asks if one.kind == "battle"]
    whole = ask.form.prefilled() | {"H1": {"fate": "intact", "crew_lost": 51}}
    assert refusal_words(ask, whole) == kept()


# --- crews of ships that are built -----------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3", "7.3")
def test_a_better_crew_is_a_refit(kept: Kept):
    state = manned()
    cruiser = state.units[CA]
    cruiser.crew_quality, cruiser.penalties_doubled = "poor", True
    turn(state, D1={"work": f"crew normal for {CA}", "cpv": 30})
    assert (cruiser.crew_quality, cruiser.crew_units) == ("poor", 20)
    assert "normal crew for Hydran F1 Ca, 30 of 40 CPV" in dock_panel(state, "hydran").rows[0]
    run = turn(state)  # forty crew units, one CPV each
    assert (cruiser.crew_quality, cruiser.penalties_doubled, cruiser.crew_units) == ("normal", False, 40)
    assert "Hydran F1 Ca gets a new crew at Yard in 0205: normal." in run.texts("hydran")
    assert [(one.item, one.cpv) for one in state.spent] == kept()


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3.2", "4.2.3")
@cases("base_type, line, expected")
def test_where_crews_are_trained_and_which(base_type, line, expected):
    ask = turn_ask(manned(base_type), "hydran")
    assert refusals(ask, {"D1": line}) == expected
    if len(line) == 1:
        offered = [choice.value for choice in ask.form.line("D1").fields[0].choices]
        assert (line["work"] in offered) == (not expected)


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3.2", "4.2.3")
@pytest.mark.parametrize(
    ("base_type", "line", "words"),
    [
        (
            "SB",
            {"work": f"crew normal for {CA}"},
            ["D1.work: the crew of Hydran F1 Ca is normal (4.2.4.8). Legal: a better crew."],
        ),
    ],
)
def test_where_crews_are_trained_and_which_and_why(base_type, line, words):
    ask = turn_ask(manned(base_type), "hydran")
    assert refusal_words(ask, {"D1": line}) == words


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3.2")
def test_a_crew_costs_what_its_units_do_and_as_much_as_any_refit_at_least():
    state = manned()
    ships = state.units[CA], state.units[FF]
    # Two CPV a unit for outstanding ones, one for normal ones, half for poor ones.
    assert [crew_cost(state, ship, "outstanding") for ship in ships] == [80, 40]
    ships[1].record = kind_of("FF", crew_units=7)
    assert crew_cost(state, ships[1], "normal") == 10
    ships[1].record = kind_of("FF", crew_units=21)
    assert crew_cost(state, ships[1], "poor") == 11


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3")
def test_a_damaged_ship_gets_no_crew_and_one_that_leaves_loses_what_was_spent(kept: Kept):
    state = manned()
    state.units[CA].warp_ok -= 1
    ordered = {"work": f"crew outstanding for {CA}"}
    assert refused_in_words(state, D1=ordered) == kept()
    state.units[CA].warp_ok += 1
    turn(state, D1=ordered)
    state.units[CA].hex = "0204"
    keep_docks(table_of(state))
    assert state.works == {}


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.4.2.2")
def test_people_are_taken_to_a_ground_base_as_to_any_unit_and_craft_are_not(kept: Kept):
    state = manned()
    kind = GroundBaseCost(boarding_parties=4, crew_units=4, shuttles=2).record
    stand_on(state, state.planets["p0205"], {"B": 1}, kind)
    (post,) = ground_units(state, state.planets["p0205"])
    post.boarding_parties = 1
    turn(state, A1=order("boarding_party", 3, post.id, origin=CA), A2=order("boarding_party", 1, post.id))
    assert (post.boarding_parties, state.units[CA].boarding_parties) == (5, 2)  # a quarter more than four
    assert refused_in_words(state, A1=order("boarding_party", 1, post.id)) == kept("#1")
    # Its boxes for shuttles are for those that stay on the surface (5.3.3).
    assert refused_in_words(state, A1=order("shuttle", 1, post.id)) == kept("#2")
    assert refused(state, A1=order("officer_navigator", 1, post.id)) != []
