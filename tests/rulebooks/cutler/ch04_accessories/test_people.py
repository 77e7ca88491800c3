"""Chapter 4.2.4.8 and legendary officers: boarding parties, crew units, and who must not learn of officers."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.navigators import navigators_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers
from rules_engine.rulebooks.cutler.ch04_economics.crews import crew_cost
from rules_engine.rulebooks.cutler.ch04_economics.docks import keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch09_surveying.orders import sites
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units, stand_on
from rules_engine.rulebooks.cutler.records.state import CutlerState, Mission
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.scenario_files import intro_files
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, refusal_words, sees, table_of, world
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


@cases("base_type, line, expected")
def test_where_people_are_trained_and_how_many_a_ship_takes(base_type, line, expected):
    assert refused_in_words(manned(base_type), A1=line) == expected


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
    run = Run(table := table_of(state), combat_phase_steps(table.at("combat")), answers)
    assert [state.units[key].crew_units for key in (CA, FF)] == [23, 0]
    assert "H1 Hydran F1 Ca: intact, lost 7 crew units" in run.texts("lyran")
    (ask,) = [one for one in run.asks if one.kind == "battle"]
    assert refusal_words(ask, ask.form.prefilled() | {"H1": {"fate": "intact", "crew_lost": 51}}) == kept()


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


@cases("base_type, line, words")
def test_where_crews_are_trained_and_which(base_type, line, words):
    ask = turn_ask(manned(base_type), "hydran")
    assert refusal_words(ask, {"D1": line}) == words
    if len(line) == 1:
        offered = [choice.value for choice in ask.form.line("D1").fields[0].choices]
        assert (line["work"] in offered) == (not words)


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


# --- officers --------------------------------------------------------------------------------------------------------
FIGHT = {"force": {"card": "combat"}}


def impulse_after(text, *, dice, add=None):
    """Movement with navigators' choices; then the impulse after it, in which nobody is asked."""
    state = world(text)
    turn = table_of(state, dice)
    answers = {} if add is None else {("navigator", "hydran"): {"navigator": {"add": add}}}

    def steps():
        execute_moves(turn, steered=(yield from navigators_steps(turn, {})))
        tidy_fleets(state)

    return Run(turn, steps(), answers)


NEBULA = "turn 1 impulse 1\nnebula 0605\nhydran F1 0605 CA+DD[officers=navigator] course 0604\n"


@cases("die, add, hex_id, promise")
def test_a_navigator_may_add_one_after_the_die_was_seen(die, add, hex_id, promise):
    run = impulse_after(NEBULA, dice={"/nebula": [die], "drift": [4]}, add=add)
    ship = run.table.state.units["hydran-F1-CA"]
    assert (ship.hex, ship.nebula_exit) == (hex_id, promise)
    (ask,) = run.asks
    assert f"the die shows {die}" in ask.text
    assert [roll.purpose for roll in run.table.shared.rolls].count("nebula") == 1


@cases("text, die")
def test_no_navigator_is_asked_where_there_is_nothing_to_choose(text, die):
    assert impulse_after(text, dice={"/nebula": [die]}).asks == []


@cases("die, added")
def test_one_is_added_only_where_it_lets_a_group_out_that_would_stay(die, added):
    turn = table_of(world(NEBULA), {"/nebula": [die]})
    (steered,) = Run(turn, navigators_steps(turn, {})).result.values()
    assert (steered.die.total, steered.added) == (die, added)


@pytest.mark.rule("cutler", "2.4.1.10")
def test_who_was_set_free_by_an_earlier_roll_needs_neither_die_nor_navigator():
    run = impulse_after(NEBULA, dice={"/nebula": [3]}, add=False)
    run.table.state.impulse = 2
    again = Run(run.table, navigators_steps(run.table, {}))
    assert (again.asks, again.result) == ([], {})


@cases("die, as_rolled, with_one, default")
def test_a_navigators_sheet_says_what_comes_of_the_die_and_of_one_more(die, as_rolled, with_one, default):
    (ask,) = impulse_after(NEBULA, dice={"/nebula": [die]}).asked("hydran", "navigator")
    assert on_sheet(ask) == [
        "0605: the navigator of F1",
        f"Hydran F1 Ca, Hydran F1 Dd: the die shows {die}, so {as_rolled}. With your navigator's 1 more, {with_one}.",
        default,
        "F1, leaving the nebula",
        f"- Add 1: flag; {die == 4}",
    ]
    said = [ask.read_back(ask.answer_from({"navigator": {"add": add}})) for add in (False, True)]
    assert said == [[f"Your navigator adds nothing: {as_rolled}."], [f"Your navigator adds 1: {with_one}."]]


@pytest.mark.unseen("cutler", asks=("navigator",))
def test_a_navigators_choice_reaches_nobody_else():
    one, other = (impulse_after(NEBULA, dice={"/nebula": [4]}, add=False) for _ in range(2))
    none = impulse_after(NEBULA.replace("[officers=navigator]", ""), dice={"/nebula": [4]})
    assert sees(one.table, one.asks, "lyran") == sees(none.table, none.asks, "lyran")
    assert sees(one.table, one.asks, "hydran") != sees(none.table, none.asks, "hydran")
    assert sees(one.table, one.asks, "hydran") == sees(other.table, other.asks, "hydran")


@pytest.mark.parametrize("text", [NEBULA, NEBULA.replace("nebula 0605", "nebula 0101") + "lyran F1 0101 FF\n"])
def test_where_windows_are_fixed_all_wait_alike_whether_or_not_a_navigator_chooses(text):
    state = world(text)
    state.navigators = True
    turn = table_of(state, {"/nebula": [4]})
    turn.shared.patient = True
    run = Run(turn, navigators_steps(turn, {}))
    asked = {ask.parties: ask.kind for ask in run.asks}
    mine = "navigator" if "0605" in text.split("\n")[1] else "waiting"
    assert asked == {("hydran",): mine, ("lyran",): "waiting", ("klingon",): "waiting"}
    assert [one.added for one in run.result.values()] == ([1] if mine == "navigator" else [])


def test_where_windows_are_fixed_hidden_navigators_do_not_make_others_wait():
    state = world("turn 1 impulse 2\nnebula 0605\nlyran F1 0605 CA[officers=navigator,cloak=up] course 0604\n")
    state.navigators = True
    for patient, asked in ((True, []), (False, [("lyran",)])):
        turn = table_of(state, {"/nebula": [4]})
        turn.shared.patient = patient
        run = Run(turn, navigators_steps(turn, {}))
        assert [ask.parties for ask in run.asks] == asked
        assert [one.added for one in run.result.values()] == [1]


# --- escape, surround, flank -----------------------------------------------------------------------------------------
@cases("runner, hunter, total")
def test_navigators_in_the_escape_roll(runner, hunter, total):
    state = world(f"hydran F1 0404 CA[officers={runner}]\nlyran F1 0404 CC[officers={hunter}]")
    assert sum(escape_modifiers(state, "0404", state.alive("hydran"), state.alive("lyran")).values()) == total


def caught(runner, hunter):
    """The sheet of the escape battle of a Hydran frigate that a Lyran cruiser caught, with these officers aboard."""
    text = f"turn 1 impulse 3\nhydran F1 0404 FF{runner}+CA\nlyran F1 0404 CC{hunter}+CW\n"
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF"]}}],
        ("pursuit", "lyran"): [{"lyran-F1-CC": {"group": 1}}],
    }
    run = Run(turn := table_of(world(text), {"escape from": [6]}), combat_phase_steps(turn.at("combat")), answers)
    return run, next(ask.setup for ask in run.asks if ask.kind == "battle")


def test_officers_stand_on_their_owners_sheet_alone_and_navigators_who_do_nothing_stay_unseen():
    with_one, setup = caught("[officers=captain/doctor]", "")
    without, _ = caught("", "")
    panels = {panel.title: panel.rows for panel in setup.secret["hydran"]}
    assert panels["Your officers"] == ("H1 Hydran F1 Ff: legendary captain and doctor",)
    assert sees(with_one.table, with_one.asks, "lyran") == sees(without.table, without.asks, "lyran")
    # Aboard what stays for the main battle a navigator changes no roll, so that nobody sees of it.
    stays, _ = caught("", "")
    elsewhere = world("turn 1 impulse 3\nhydran F1 0404 FF+CA[officers=navigator]\nlyran F1 0404 CC\n")
    assert escape_modifiers(elsewhere, "0404", [elsewhere.units["hydran-F1-FF"]], elsewhere.alive("lyran")) == {}
    assert "navigator" not in stays.texts("lyran")


def flanking(sheet):
    dice = {"flank 1, hydran": [4], "flank 2, hydran": [1]}
    turn = table_of(world("turn 1 impulse 3\nhydran F1 0404 CA[officers=navigator]+DD+FF\nlyran F1 0404 CC+FF\n"), dice)
    answers = {("card", "hydran"): FIGHT, ("flank", "hydran"): sheet}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    setup = next(ask.setup for ask in run.asks if ask.kind == "battle")
    rows = [row for panel in setup.secret["hydran"] if "flanking" in panel.title for row in panel.rows]
    return run, [row.split(":")[0].removeprefix("Arrives on turn ") for row in rows if row.startswith("Arrives")]


@cases("first, second, early, turns")
def test_a_navigator_may_bring_his_flanking_group_a_turn_sooner(first, second, early, turns):
    sheet = {f"hydran-F1-{first}": {"group": 1}, f"hydran-F1-{second}": {"group": 2}}
    sheet["hydran-F1-CA"]["early"] = early
    run, arrivals = flanking(sheet)
    assert arrivals == turns
    ask = run.asked("hydran", "flank")[0]
    assert [line.key for line in ask.form.lines if len(line.fields) == 2] == ["hydran-F1-CA"]
    assert refusal_words(ask, {"hydran-F1-DD": {"group": 1, "early": True}}) == [
        "hydran-F1-DD.early: no legendary navigator brings a flanking group (3.7.7, CU-R72). Legal: not a turn sooner."
    ]
    assert "navigator" not in sees(run.table, run.asks, "lyran")


# --- science officers ------------------------------------------------------------------------------------------------
SURVEY = "turn 1\nunsurveyed 0404\nhydran F1 0404 SUR{hydran}+DD{escort}\nlyran F1 0404 SUR\n"


@cases("aboard, escort, dice, winner", "")
def test_a_science_officer_adds_one_where_several_would_survey(aboard, escort, dice, winner):
    state = world(SURVEY.format(hydran=aboard, escort=escort))
    for race in ("hydran", "lyran"):
        state.empires[race].surveys = sites(state, race)
    turn = table_of(state, {"order, Hydran": [dice[0], 1], "order, Lyran": [dice[1], 6], "/survey": [1, 2, 2]})
    surveying_phase(turn)
    said = next(one for one in turn.shared.reports if "would survey" in one.text)
    assert f"the {winner or 'Lyran'} does" in said.text
    assert ("Hydran", "+1 for a legendary science officer") in said.why.inputs or aboard != "[officers=science]"


@cases("aboard, escort, lost")
def test_a_science_officer_takes_one_off_the_monsters_dice(aboard, escort, lost):
    state = world(f"turn 1\nunsurveyed 0404\nhydran F1 0404 SUR{aboard}+DD{escort}\nlyran F1 0505 CC")
    state.empires["hydran"].surveys = ["0404"]
    surveying_phase(table_of(state, {"monster": [6, 5], "/survey": [5, 5, 6]}))
    assert [unit.destroyed for unit in state.units.values()].count(True) == lost


# --- as data ---------------------------------------------------------------------------------------------------------
def test_officers_come_from_the_scenario_and_are_lost_with_a_capture():
    files = intro_files()
    key, unit_id = "[units.undertow]", "undertow"
    named = files | {"units.toml": files["units.toml"].replace(key, f'{key}\nofficers = ["navigator", "captain"]')}
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(named))
    unit = state.units[unit_id]
    assert (unit.officers, state.navigators) == (("navigator", "captain"), True)
    assert not RULEBOOK.set_up(RULEBOOK.read_scenario(files)).navigators
    unit.taken_by("lyran" if unit.race != "lyran" else "hydran")
    assert unit.officers == ()
    twice = files | {"units.toml": files["units.toml"].replace(key, f'{key}\nofficers = ["doctor", "doctor"]')}
    with pytest.raises(Refused, match="officer twice"):
        RULEBOOK.read_scenario(twice)


@pytest.mark.rule("cutler", "6.4.1.4")
def test_ship_plans_show_officers():
    state = world("turn 1\nhydran F1 0404 CA\nlyran F1 0505 CC[officers=science]")
    mission = Mission(
        line="M1", spy="hydran", kind="ship", against="lyran", target="0505", aimed="hex", said="hex 0505", ip=30
    )
    report_success(turn := table_of(state), mission, "Intelligence file")
    assert "crew normal; legendary science officer" in turn.shared.reports[-1].text
