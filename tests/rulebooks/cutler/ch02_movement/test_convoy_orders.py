"""Chapter 2.7 on sheets: who may sail where, what is refused, how it is read back, and what random players can do."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.glance import Stage
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup.forces import judge_force
from rules_engine.rulebooks.cutler.ch02_movement.convoys.orders import convoy_lines
from rules_engine.rulebooks.cutler.ch02_movement.convoys.soundness import convoy_defects
from rules_engine.rulebooks.cutler.ch02_movement.plot_words import courses_of, warnings_of
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import Fight
from rules_engine.rulebooks.cutler.sequence import impulse_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch01_setup.ring import opened
from tests.rulebooks.cutler.worlds import HAULER, Run, intro_files, kind_of, refusal_words, refusals, table_of, world

W = "hydran-waits-"
FL, FL2, FS, QL, QS = (f"{W}{code}" for code in ("FL", "FL2", "FS", "QL", "QS"))
TEXT = """
turn 1
planet capital 0302 hydran home
planet minor 0307 hydran front
planet capital 0902 lyran den
hydran base 0504 Post
lyran base 0608 Lair
hydran waits 0302 FL+FL+FS+QL+QS
hydran V1 0303 FL+QL+QS course 0304 0305 0306 0307
hydran F1 0302 FF
lyran F1 1101 CC
"""
OTHERS = "0307, 0504, 0902"


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.7.3", "2.7.4")
@cases("sheet, problems")
def test_what_a_sheet_may_say_of_convoys(sheet, problems):
    for ask in (turn_ask(world(TEXT), "hydran"), plot_ask(world(TEXT), "hydran")):
        assert refusal_words(ask, sheet) == problems


@pytest.mark.rule("cutler", "2.7")
def test_freighters_are_in_no_fleet():
    found = refusals(plot_ask(world(TEXT), "hydran"), {"F1": {"ships": ["hydran-F1-FF", FL]}})
    assert ("F1.ships", "2.7, CU-R34") in found


@pytest.mark.rule("cutler", "2.7.2", "2.7.3")
@cases("sheet, said")
def test_a_refusal_says_what_would_be_legal(sheet, said):
    with pytest.raises(Refused) as caught:
        plot_ask(world(TEXT), "hydran").answer_from(sheet)
    assert said in str(caught.value)


@pytest.mark.rule("cutler", "2.7", "2.7.3")
def test_the_form_offers_ports_and_the_largest_legal_convoy_and_sends_nobody_by_itself():
    state = world(TEXT)
    ask = turn_ask(state, "hydran")
    line = ask.form.line("E0302")
    assert ", ".join(choice.value for choice in line.fields[0].choices) == OTHERS
    # Two large freighters and a small one: one large Q-ship, and no small one.
    assert line.filled_in()["ships"] == [FL, FL2, FS, QL]
    assert [choice.value for choice in ask.form.line("V1").fields[0].choices] == ["hydran-V1-QL", "hydran-V1-QS"]
    assert refusals(ask, ask.form.prefilled()) == []
    Run(table := table_of(state), impulse_steps(table, 2), {})
    assert sorted(state.convoys) == ["hydran/V1"]
    assert convoy_lines(world("hydran waits 0302 FL"), "hydran") == []  # there is nowhere to go


@pytest.mark.rule("cutler", "2.7")
def test_a_way_is_filled_in_read_back_and_drawn(kept: Kept):
    state = world(f"{TEXT}nebula 0304\n")
    sheet = FleetPlots.model_validate({"E0302": {"to": "0307", "course": "0303 0403 0404 0305"}})
    (course,) = [one for one in courses_of(state, "hydran", sheet) if one.counter == "E0302"]
    assert course.hexes == ("0302", "0303", "0403", "0404", "0305", "0306", "0307")
    assert warnings_of(state, "hydran", sheet) == []
    text = "\n".join(plot_ask(state, "hydran").read_back(sheet))
    assert "0302 → 0303 → 0403 → 0404 → 0305 → 0306 → 0307, for good; unloads on arrival." in text
    straight = FleetPlots.model_validate({"E0302": {"to": "0307"}})
    assert warnings_of(state, "hydran", straight) == kept()


@pytest.mark.rule("cutler", "2.7")
def test_its_owner_sees_its_convoys_and_may_share_out_their_lines():
    state = world(TEXT)
    board = RULEBOOK.side_board(state, "hydran", table_of(state).knowledge("hydran"))
    assert [(one.id, one.hex, one.sub) for one in board.counters if one.form in ("convoy", "freighters")] == [
        ("V1", "0303", "speed 3"),
        ("E0302", "0302", "5 waiting"),
    ]
    assert [one.hexes for one in board.courses if one.counter == "V1"] == [("0303", "0304", "0305", "0306", "0307")]
    assert board.panel("Convoys").rows[0].startswith("V1 at 0303, under way 0304 0305 0306 0307: Hydran V1 Fl, FL")
    assert not [row for row in board.panel("Fleets").rows if "Waits" in row or "V1" in row]
    lines = {ship[0]: ship[2] for ship in RULEBOOK.roster(state, "hydran")}
    assert (lines[FL], lines["hydran-V1-QL"]) == ("E0302", "V1")
    assert {"E0302", "V1"} <= {line.key for line in plot_ask(state, "hydran").form.lines}


def test_what_is_impossible_of_convoys_is_named(kept: Kept):
    state = world(TEXT)
    assert defects(state) == []
    state.convoys["hydran/V1"].units.append("hydran-F1-FF")
    state.convoys["hydran/V1"].course = ["0304", "0707"]
    assert defects(state) == kept()
    state = world(TEXT)
    state.fleet("hydran", "F1").units.append(FL)
    assert defects(state) == [f"unit {FL} sails in convoys and is in fleet hydran/F1"]


# --- scenarios -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.7")
@cases("hex_id, fleet, problems")
def test_a_freighter_of_a_scenario_begins_at_a_port_and_in_no_fleet(hex_id, fleet, problems):
    files = intro_files()
    files["ships.toml"] += HAULER
    files["units.toml"] += f'\n[units.ox]\nrace = "hydran"\nname = "Ox"\ntype = "hauler"\nhex = "{hex_id}"\n{fleet}'
    found = []
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        found = [(one.path, one.rule) for one in refused.refusals]
    assert found == problems


@pytest.mark.parametrize(("kind", "size"), [("freighter", None), ("q_ship", None), ("ship", "large")])
def test_freighters_and_q_ships_and_nothing_else_have_a_freighter_size(kind, size):
    with pytest.raises(ValueError, match="a freighter or a Q-ship, and nothing else, has a freighter_size"):
        kind_of("CA", kind=kind, freighter_size=size)


@pytest.mark.rule("cutler", "3.1.3", "2.7.3")
def test_no_q_ship_is_told_from_a_freighter_by_its_size_class():
    files = intro_files()
    q_ship = HAULER.replace("hauler", "trap").replace('"Hauler"', '"Trap"').replace('"freighter"', '"q_ship"')
    for size, problems in ((4, []), (3, [("ships.trap.size_class", "3.1.3, CU-R48")])):
        ships = files["ships.toml"] + HAULER + q_ship.replace("size_class = 4", f"size_class = {size}")
        found = []
        try:
            RULEBOOK.read_scenario({**files, "ships.toml": ships})
        except Refused as refused:
            found = [(one.path, one.rule) for one in refused.refusals]
        assert found == problems


@pytest.mark.rule("cutler", "1.1.3")
def test_the_ring_offers_freighters_for_a_quarter_of_the_points(kept: Kept):
    _, setup = opened(2)
    kinds = {kind.class_id: kind.kind for kind in setup.buyable("Hydran")}
    assert [kinds[key] for key in ("large_freighter", "small_freighter", "large_q_ship")] == kept()
    # 60 + 60 + 60 + 90 + 90 + 90 = 450 of 500 points.
    assert judge_force(setup, {"all": {"large_freighter": 3, "large_q_ship": 3}}) == []
    more = {"all": {"large_freighter": 3, "large_q_ship": 3, "small_q_ship": 2}}
    assert [one.problem for one in judge_force(setup, more)] == ["freighters for 550 points"]


@pytest.mark.rule("cutler", "2.7")
def test_freighters_sail_to_sites_of_their_own_race_and_are_told_nothing_of_others():
    state = world(TEXT)
    for race, hex_id in (("hydran", "0406"), ("lyran", "0407")):
        site = BaseSite(key=race, race=race, hex=hex_id, into=kind_of("base"), named="Reef", cost=100, set_aside=100)
        state.sites[site.key] = site
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {"E0302": {"to": "0406"}}) == []
    with pytest.raises(Refused) as refused:
        ask.answer_from({"E0302": {"to": "0407"}})
    (refusal,) = refused.value.refusals
    assert (refusal.path, refusal.rule) == ("E0302.to", "2.7, CU-N80")
    assert refusal.legal.split(", ") == ["0307", "0406", "0504", "0902"]


# --- on both sides of each bound -------------------------------------------------------------------------------------

PORT = "turn 1 impulse 1\nplanet capital 0302 hydran home\nplanet minor 0307 hydran front\n"


@pytest.mark.parametrize(("second", "named"), [(39, True), (40, False)])
def test_freighters_that_wait_are_named_in_up_to_eighty_characters(second, named):
    state = world(f"{PORT}hydran waits 0302 FL+FL")
    state.units[FL].name, state.units[FL2].name = "A" * 39, "B" * second
    (line,) = convoy_lines(state, "hydran")
    names = f"{'A' * 39}, {'B' * second}" if named else f"{'A' * 39} and 1 more"
    assert line.label == f"Freighters in 0302: {names}"


@pytest.mark.rule("cutler", "2.7.3")
@cases("waits, ships")
def test_the_largest_legal_convoy_is_filled_in(waits, ships):
    ask = plot_ask(world(f"{PORT}hydran waits 0302 {waits}"), "hydran")
    assert ask.form.line("E0302").filled_in()["ships"] == [f"{W}{code}" for code in ships.split()]
    if ships:
        assert refusals(ask, {"E0302": {"to": "0307"}}) == []


@pytest.mark.rule("cutler", "2.7.3")
@cases("units, offered")
def test_which_q_ships_turn_back_first_is_asked_where_there_are_several_in_a_convoy(units, offered):
    lines = convoy_lines(world(f"{PORT}hydran V1 0304 {units} course 0305 0306 0307"), "hydran")
    assert [way.value for line in lines for way in line.fields[0].choices] == offered


AWAY = "0402 0303 " + "0304 0303 " * 17  # 36 hexes, the last of them 0303
LONG = "E0302.{}: a course has at most 40 hexes, this one {}"


@pytest.mark.rule("cutler", "2.7")
@cases("line, words")
def test_a_way_has_forty_hexes_at_most(line, words):
    ask = plot_ask(world(f"{PORT}hydran waits 0302 FL"), "hydran")
    assert refusal_words(ask, {"E0302": line}) == words
    if not words:
        ways = [one.hexes for one in ask.courses(ask.answer_from({"E0302": line}))]
        assert [(len(way), way[-1]) for way in ways] == ([(41, "0307")] if line.get("course") else [])


@pytest.mark.rule("cutler", "2.7")
@cases("course, goal, way")
def test_a_way_goes_on_to_its_goal_from_where_the_course_ends(course, goal, way):
    state = world(f"{PORT}planet minor 0303 hydran\nplanet minor 0304 hydran\nhydran waits 0302 FL")
    ask = plot_ask(state, "hydran")
    (plotted,) = ask.courses(ask.answer_from({"E0302": {"to": goal, "course": course}}))
    assert plotted.hexes == ("0302", *way.split())


@pytest.mark.rule("cutler", "2.7", "2.7.2")
@cases("text, sheet, words")
def test_what_is_refused_of_convoys_and_what_is_not(text, sheet, words):
    assert refusal_words(plot_ask(world(PORT + text), "hydran"), sheet) == words


def test_a_convoy_that_is_driven_off_at_its_goal_has_no_way_that_could_be_named(kept: Kept):
    state = world(f"{PORT}hydran V1 0307 FL course 0307")
    state.convoys["hydran/V1"].course = []
    assert refusal_words(plot_ask(state, "hydran"), {"V1": {"to": "0302"}}) == kept()


@pytest.mark.rule("cutler", "2.7", "4.1.6.1", "2.7.3")
@pytest.mark.parametrize(("unload", "does"), [(None, "unloads"), (True, "unloads"), (False, "keeps its load")])
def test_what_a_departure_is_told_to_do_is_read_back_drawn_and_carried_out(unload, does):
    state = world(f"{PORT}hydran waits 0302 FL+FS\nhydran V1 0304 FL+QL+QS course 0305")
    ask = plot_ask(state, "hydran")
    sheet = ask.answer_from({"E0302": {"to": "0307", "unload": unload}, "V1": {"back": ["hydran-V1-QS"]}})
    assert ask.read_back(sheet)[:2] == [
        f"Convoy (Hydran Waits Fl, Hydran Waits Fs): 0302 → 0303 → 0304 → 0305 → 0306 → 0307, for good; {does} on "
        "arrival.",
        "V1: first to turn back Hydran V1 Qs.",
    ]
    (course,) = ask.courses(sheet)
    # Three hexes a turn, in impulses 2, 4 and 6.
    assert course.stages == (Stage(after=3, said="T2"), Stage(after=5, said="T3"))
    carry_out_plot(state, "hydran", sheet)
    convoy = state.convoys["hydran/V2"]
    assert (convoy.kind, convoy.units, convoy.at, convoy.embarked) == ("convoy", [FL, FS], "0302", "0302")
    assert convoy.course == ["0303", "0304", "0305", "0306", "0307"]
    assert [state.units[key].unload for key in (FL, FS)] == [unload is not False] * 2
    assert state.convoys["hydran/V1"].back == ["hydran-V1-QS"]


@pytest.mark.rule("cutler", "2.7.1", "2.4.1.9", "2.4.1.10", "9.3")
@cases("text, ships, said")
def test_what_holds_a_convoy_up_is_warned_of(text, ships, said):
    state = world(f"{PORT}{text}\nhydran waits 0302 {ships}")
    assert warnings_of(state, "hydran", FleetPlots.model_validate({"E0302": {"to": "0307"}})) == said


@cases("change, found")
def test_what_must_never_be_true_of_convoys(change, found):
    state = world(
        f"{PORT}hydran V1 0304 FL course 0305\nhydran waits 0302 FL\nhydran police 0304\nhydran F1 0304 FF\n"
        "lyran waits 0304 FL"
    )
    for name, value in change.items():
        if name == "lost":
            state.units[value].destroyed = True
        elif name == "fights":
            state.fights = {"0304": Fight()}
        else:
            setattr(state.convoys["hydran/V1"], name, value)
    told = convoy_defects(state)
    assert [one.removeprefix("convoy hydran/V1 ") if one not in found else one for one in told] == found
