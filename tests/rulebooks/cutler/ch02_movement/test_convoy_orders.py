"""Chapter 2.7: what is ordered of convoys, refused and read back, what random players can do, and what others learn."""

from collections.abc import Mapping
from typing import Any

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
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch08_scanning.phase import scanning_phase
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import Fight
from rules_engine.rulebooks.cutler.sequence import impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch01_setup.ring import opened
from tests.rulebooks.cutler.scenario_files import HAULER, intro_files
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of, world
from tests.rulebooks.scenario_defects import without_line

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


@cases("sheet, problems")
def test_what_a_sheet_may_say_of_convoys(sheet, problems):
    for ask in (turn_ask(world(TEXT), "hydran"), plot_ask(world(TEXT), "hydran")):
        assert refusal_words(ask, sheet) == problems


@pytest.mark.rule("cutler", "2.7")
def test_freighters_are_in_no_fleet():
    found = refusals(plot_ask(world(TEXT), "hydran"), {"F1": {"ships": ["hydran-F1-FF", FL]}})
    assert ("F1.ships", "2.7, CU-R34") in found


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
    assert ", ".join(choice.value for choice in line.fields[0].choices) == "0307, 0504, 0902"
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
    assert warnings_of(state, "hydran", FleetPlots.model_validate({"E0302": {"to": "0307"}})) == kept()


@pytest.mark.rule("cutler", "2.7")
def test_its_owner_sees_its_convoys_and_may_share_out_their_lines(kept: Kept):
    state = world(TEXT)
    board = RULEBOOK.side_board(state, "hydran", table_of(state).knowledge("hydran"))
    assert [(one.id, one.hex, one.sub) for one in board.counters if one.form in ("convoy", "freighters")] == kept()
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
def found_in(files: dict[str, str]) -> list[tuple[str, str]]:
    """Where a scenario's files are refused, and by which rule."""
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        return [(without_line(one.path), one.rule) for one in refused.refusals]
    return []


@cases("hex_id, fleet, problems")
def test_a_freighter_of_a_scenario_begins_at_a_port_and_in_no_fleet(hex_id, fleet, problems):
    files = intro_files()
    files["ships.toml"] += HAULER
    files["units.toml"] += f'\n[units.ox]\nrace = "hydran"\nname = "Ox"\ntype = "hauler"\nhex = "{hex_id}"\n{fleet}'
    assert found_in(files) == problems


@pytest.mark.parametrize(("kind", "size"), [("freighter", None), ("q_ship", None), ("ship", "large")])
def test_freighters_and_q_ships_and_nothing_else_have_a_freighter_size(kind, size):
    with pytest.raises(ValueError, match="a freighter or a Q-ship, and nothing else, has a freighter_size"):
        kind_of("CA", kind=kind, freighter_size=size)


@pytest.mark.rule("cutler", "3.1.3", "2.7.3")
@pytest.mark.parametrize(("size", "problems"), [(4, []), (3, [("ships.trap.size_class", "3.1.3, CU-R48")])])
def test_no_q_ship_is_told_from_a_freighter_by_its_size_class(size: int, problems: list[tuple[str, str]]) -> None:
    q_ship = HAULER.replace("hauler", "trap").replace('"Hauler"', '"Trap"').replace('"freighter"', '"q_ship"')
    files = intro_files()
    files["ships.toml"] += HAULER + q_ship.replace("size_class = 4", f"size_class = {size}")
    assert found_in(files) == problems


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


@cases("waits, ships")
def test_the_largest_legal_convoy_is_filled_in(waits, ships):
    ask = plot_ask(world(f"{PORT}hydran waits 0302 {waits}"), "hydran")
    assert ask.form.line("E0302").filled_in()["ships"] == [f"{W}{code}" for code in ships.split()]
    if ships:
        assert refusals(ask, {"E0302": {"to": "0307"}}) == []


@cases("units, offered")
def test_which_q_ships_turn_back_first_is_asked_where_there_are_several_in_a_convoy(units, offered):
    lines = convoy_lines(world(f"{PORT}hydran V1 0304 {units} course 0305 0306 0307"), "hydran")
    assert [way.value for line in lines for way in line.fields[0].choices] == offered


AWAY = "0402 0303 " + "0304 0303 " * 17  # 36 hexes, the last of them 0303
LONG = "E0302.{}: a course has at most 40 hexes, this one {}"


@cases("line, words")
def test_a_way_has_forty_hexes_at_most(line, words):
    ask = plot_ask(world(f"{PORT}hydran waits 0302 FL"), "hydran")
    assert refusal_words(ask, {"E0302": line}) == words
    if not words:
        ways = [one.hexes for one in ask.courses(ask.answer_from({"E0302": line}))]
        assert [(len(way), way[-1]) for way in ways] == ([(41, "0307")] if line.get("course") else [])


@cases("course, goal, way")
def test_a_way_goes_on_to_its_goal_from_where_the_course_ends(course, goal, way):
    ask = plot_ask(world(f"{PORT}planet minor 0303 hydran\nplanet minor 0304 hydran\nhydran waits 0302 FL"), "hydran")
    (plotted,) = ask.courses(ask.answer_from({"E0302": {"to": goal, "course": course}}))
    assert plotted.hexes == ("0302", *way.split())


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


# --- convoy secrecy --------------------------------------------------------------------------------------------------
BASE = """
turn 0
planet capital 0902 lyran den
planet minor 0803 lyran post
planet capital 0205 hydran throne
hydran F1 0205 SC
lyran F1 0902 CC
lyran base 0902 Lair
klingon F1 0504 CW
nebula 0903
reserve hydran 100
"""
WAITING = f"{BASE}lyran waits 0902 FL+FL+QL\n"


def whole_turn(text: str, sheet: Mapping[str, Any] | None = None, **answers: Any) -> Run:
    turn = table_of(world(text), {"nebula": [3, 5], "mission": [1] * 9})
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    return Run(turn, turn_steps(turn), {**scripted, ("turn", "lyran"): sheet or {}})


def alike(one: Run, other: Run, *sides: str) -> None:
    for side in sides:
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)
    # Who is asked what, and when, is the same for everybody; so are the maps that are sent.
    assert [(ask.kind, ask.parties) for ask in one.asks] == [(ask.kind, ask.parties) for ask in other.asks]


@cases("sheet")
def test_a_convoy_that_nobody_meets_is_seen_by_nobody(sheet: Mapping[str, Any]) -> None:
    sailed = whole_turn(WAITING, sheet)
    assert sailed.table.state.convoys or "Arrived" in sailed.texts("lyran")
    alike(whole_turn(BASE), sailed, "hydran", "klingon")
    assert sees(sailed.table, sailed.asks, "lyran") != sees(*_parts(whole_turn(WAITING)), "lyran")


def _parts(run: Run) -> tuple[Any, Any]:
    return run.table, run.asks


@pytest.mark.rule("cutler", "2.7")
def test_its_arrival_its_q_ships_turning_back_and_a_member_left_behind_are_seen_by_nobody() -> None:
    turn0 = BASE.replace("turn 0", "turn 1")
    runs: list[Run] = []
    for text in (turn0, f"{turn0}lyran V1 0804 FL[warp=0,imp=0]+FL+QL+QS course 0803\n"):
        turn = table_of(world(text))
        runs.append(Run(turn, impulse_steps(turn, 2)))
    assert "Left behind" in runs[1].texts("lyran")
    assert "returns to 0804" in runs[1].texts("lyran")
    assert "Arrived in 0803" in runs[1].texts("lyran")
    alike(runs[0], runs[1], "hydran", "klingon")


@pytest.mark.rule("cutler", "2.7")
@pytest.mark.parametrize("more", ["lyran waits 0902 FL", "lyran V1 0902 FL+FS course 0903 0904"])
def test_freighters_do_not_decide_whether_a_race_is_asked_to_plot(more: str) -> None:
    # A monitor has no move in impulse 2, freighters have; that a race was asked is seen from the time.
    text = BASE.replace("turn 0", "turn 1 impulse 2").replace("lyran F1 0902 CC", "lyran F1 0902 MON")
    runs: list[Run] = []
    for one in (text, f"{text}{more}\n"):
        state = world(one)
        state.empires["lyran"].alerts = ["something befell you"]
        turn = table_of(state)
        runs.append(Run(turn, impulse_steps(turn, 2)))
    assert runs[0].asks == []
    alike(runs[0], runs[1], "hydran", "klingon")


# --- meetings --------------------------------------------------------------------------------------------------------
MEET = "turn 1 impulse 2\nhydran F1 0404 CA\nlyran V1 0404 {ships} course 0405\nklingon F1 0908 CW\n"


def meeting(ships: str, **cards: str) -> Run:
    turn = table_of(world(MEET.format(ships=ships)))
    answers = {("card", race): {"force": {"card": card}} for race, card in cards.items()}
    return Run(turn, combat_phase_steps(turn.at("combat")), answers)


@cases("case, proves, text, cards", "", made="text")
def test_the_whole_account_of_a_convoy_that_meets_others(text: str, cards: str, kept: Kept) -> None:
    answers = {("card", race): {"force": {"card": "combat"}} for race in cards.split()}
    assert combats.account(combats.met(text, answers)) == kept()


@pytest.mark.rule("cutler", "2.7.1")
def test_a_convoy_that_meets_one_race_is_unseen_by_all_others() -> None:
    text = WAITING.replace("klingon F1 0504 CW", "klingon F1 0802 CW")
    away, met = whole_turn(text), whole_turn(text, {"E0902": {"to": "0803", "course": "0802"}})
    assert "announces a convoy in 0802" in met.texts("klingon")
    assert sees(away.table, away.asks, "hydran") == sees(met.table, met.asks, "hydran")


@pytest.mark.rule("cutler", "2.7.1", "3.1.3")
def test_q_ships_look_like_freighters_also_when_they_run() -> None:
    alike(meeting("FL+FL+FL"), meeting("FL+FL+QL"), "hydran", "klingon")
    runs: list[Run] = []
    for ships in ("FL+FL", "FL+QL"):
        turn = table_of(world(MEET.format(ships=ships)))
        away = {"wave": {"ships": [key for key in turn.state.units if key.startswith("lyran")]}}
        answers = {("card", "hydran"): {"force": {"card": "combat"}}, ("wave", "lyran"): away}
        runs.append(Run(turn, combat_phase_steps(turn.at("combat")), answers))
    assert "Escape wave 1 in 0404: 2 Lyran units (size 4: freighter ×2)" in runs[0].texts("hydran")
    alike(runs[0], runs[1], "hydran", "klingon")


# --- scans and missions ----------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.7", "8.9")
@pytest.mark.parametrize("moves", [True, False])
def test_what_was_scanned_is_held_until_the_next_movement_whether_or_not_it_moves(moves: bool) -> None:
    text = "turn 1 impulse 1\nhydran F1 0304 SC\nlyran F1 1109 CC\n"
    text += "lyran V1 0404 FL+QL course 0405 0406" if moves else "lyran waits 0404 FL+QL"
    state = world(text)
    state.fleet("hydran", "F1").scans = ["0404"]
    turn = table_of(state, {"scan of": [2]})
    scanning_phase(turn)
    contact = turn.knowledge("hydran").contacts["C1"]
    assert (contact.form, contact.latest.headline, contact.live) == ("convoy", "2 Lyran units", True)
    state.fleet("hydran", "F1").scans = []
    Run(turn, impulse_steps(turn, 2))
    assert state.units[f"lyran-{'V1' if moves else 'waits'}-FL"].hex == ("0405" if moves else "0404")
    assert turn.shared.reports[-1].text == "C1, the Lyran convoy in 0404, may have sailed on."
    assert (contact.live, contact.latest.hex) == (False, "0404")


@pytest.mark.rule("cutler", "2.7")
def test_who_shares_the_hex_of_waiting_freighters_holds_them() -> None:
    turn = table_of(world("turn 1 impulse 1\nhydran F1 0404 CA\nlyran waits 0404 FL\nlyran police 0404"))
    Run(turn, combat_phase_steps(turn))
    tacintel.fade_convoys(turn)
    assert {one.form: one.live for one in turn.knowledge("hydran").contacts.values()} == {"base": True, "convoy": True}


@pytest.mark.rule("cutler", "6.4.1.3", "6.4.1.6", "6.4.1.4")
def test_missions_find_convoys_and_show_no_more_of_their_plot_than_impulse_1() -> None:
    def mission(kind: str) -> dict[str, Any]:
        return {"kind": kind, "against": "lyran", "other": "0902", "ip": 30}

    spy = {"M1": mission("movement"), "M2": mission("location"), "M3": mission("ship")}
    sheet = {"E0902": {"to": "0803"}}
    alone = WAITING.replace("lyran F1 0902 CC\n", "lyran F1 1109 CC\n")
    found = whole_turn(alone, sheet, turn_hydran={**spy, "economy": {"reserve": 0}}).texts("hydran")
    # No freighter has a move in impulse 1: the chart gives a speed of 3 the impulses 2, 4 and 6.
    assert "in impulse 1, freighter, freighter, freighter stay." in found
    assert "4 Lyran units (size 1: base; size 4: freighter ×3)." in found
    assert "no ship of theirs in 0902" in found  # a random ship is never a freighter or a base
    assert "0803" not in found.replace("Post, 0803", "")
