"""Chapter 6: plotting missions, announcing, countering, rolling, and what each of them finds."""

import re

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import espionage_steps, needed
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records.economy import BaseSite, Spent
from rules_engine.rulebooks.cutler.records.orders import CounterSheet, FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Mission
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import valued
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, refusal_words, refusals, set_fields, table_of, world

PLACES = """
planet capital 0205 hydran throne
planet capital 0902 lyran den
planet minor 0803 lyran cub
planet capital 0908 klingon hearth
hydran F1 0205 CA+DD
lyran F1 0902 CC+FF
lyran F2 0702 CW course 0602
lyran base 0902 Station
klingon F1 0908 CW
reserve hydran 200
reserve lyran 60
reserve klingon 60
"""
ORDER = {"espionage order, Hydran": [6, 6], "espionage order, Lyran": [3, 3], "espionage order, Klingon": [1, 1]}


def m(kind, target=None, ip=30, against="lyran"):
    return {"kind": kind, "against": against, "other": target, "ip": ip}


def phase(missions, *, pool=0, counter=None, die=1, text="", dice=None, klingon=None, changes=None):
    """Plot the Hydran's missions and play the phase. ``counter``: the Lyran's answers to announcements; ``changes``:
    fields of units and planets, by their keys."""
    turn = table_of(world("turn 1\n" + PLACES + text), {**ORDER, "mission": [die] * 9, **(dice or {})})
    for key, values in (changes or {}).items():
        set_fields((turn.state.units | turn.state.planets)[key], values)
    sheets = {
        ("turn", "hydran"): {f"M{n}": one for n, one in enumerate(missions, 1)},
        ("turn", "lyran"): {"counter": {"points": pool}},
        ("turn", "klingon"): klingon or {},
    }
    plans = Run(turn, turn_sheets_steps(turn.at("plan")), sheets)
    run = Run(turn, espionage_steps(turn.at("espionage")), {("counter", "lyran"): counter or []})
    run.plans = plans
    return run


def found(run, side="hydran") -> str:
    return "\n".join(one.text for one in run.told(side, "intelligence"))


# --- plotting --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "6.1", "6.4", "6.5.1")
def test_missions_and_the_pool_are_taken_from_the_reserve_at_once():
    state = world("turn 1\n" + PLACES)
    turn = table_of(state)
    sheet = {"economy": {"reserve": 50}, "counter": {"points": 25}, "M1": m("base", ip=40), "M3": m("base", ip=10)}
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): sheet})
    empire = state.empires["hydran"]
    assert (empire.reserve, empire.counter_pool) == (200 + 50 - 25 - 40 - 10, 25)
    assert [(one.line, one.kind, one.ip) for one in state.missions] == [("M1", "base", 40), ("M3", "base", 10)]


@cases("reserve, lines")
def test_there_are_as_many_lines_for_missions_as_the_reserve_could_pay_for(reserve: int, lines: int) -> None:
    # A capital makes 100 CPV, which may all go to the Reserve, up to 300 in it; a mission takes 10.
    state = world("turn 1\n" + PLACES)
    state.empires["hydran"].reserve = reserve
    missions = [line for line in turn_ask(state, "hydran").form.lines if line.group == "Missions"]
    assert [line.key for line in missions] == [f"M{number}" for number in range(1, lines + 1)]


def test_the_sheet_of_the_turn_is_found_by_those_who_look_for_missions() -> None:
    assert turn_ask(world("turn 1\n" + PLACES), "hydran").topics == {"missions"}


@cases("sheet, words", made="sheet")
def test_what_may_be_plotted(sheet, words):
    said = refusal_words(turn_ask(world("turn 1\n" + PLACES), "hydran"), sheet)
    assert [one.replace("9" * 5000, "9…") for one in said] == words


@cases("kind, written, read_back")
def test_a_target_may_be_written_as_people_say_it_and_as_it_is_read_back(kind, written, read_back):
    ask = turn_ask(world("turn 1\n" + PLACES), "hydran")
    (said,) = [line for line in ask.read_back(ask.answer_from({"M1": m(kind, written)})) if line.startswith("M1")]
    assert said.endswith(f", {read_back} with 30 IP.")


@cases("target")
def test_no_planets_name_stands_for_another_planet(target):
    """Names are typed by players: one that reads as another planet's hex or key draws no mission to it."""
    state = world("turn 1\n" + PLACES)
    state.planets["den"].name = target
    ask = turn_ask(state, "hydran")
    (said,) = [line for line in ask.read_back(ask.answer_from({"M1": m("planet", target)})) if line.startswith("M1")]
    assert "the planet Cub in 0803" in said
    turn = table_of(state, {**ORDER, "mission": [1]})
    Run(turn, turn_sheets_steps(turn.at("plan")), {("turn", "hydran"): {"M1": m("planet", target)}})
    assert "the planet Cub in 0803" in found(Run(turn, espionage_steps(turn.at("espionage"))))


def test_the_hint_of_a_target_says_how_it_is_written(kept: Kept):
    fields = {field.key: field for field in turn_ask(world("turn 1\n" + PLACES), "hydran").form.line("M1").fields}
    assert "0404" in fields["other"].help
    assert refusal_words(turn_ask(world("turn 1\n" + PLACES), "hydran"), {"M1": m("location", "north")}) == kept()


@pytest.mark.rule("cutler", "6.4.1")
def test_the_form_says_what_each_mission_is_aimed_at(kept: Kept):
    fields = {field.key: field for field in turn_ask(world("turn 1\n" + PLACES), "hydran").form.line("M1").fields}
    hints = {choice.value: choice.hint for choice in fields["kind"].choices}
    assert {kind: re.split(r"[.,(]", hint.partition(": ")[2])[0].strip() for kind, hint in hints.items()} == kept()
    assert "or a ship whose name you know" in hints["ship"]
    assert max(map(len, hints.values())) <= 100
    assert "none for Base Plans" in fields["target"].help


@pytest.mark.rule("cutler", "6.4")
def test_several_missions_may_have_the_same_target():
    sheet = {f"M{n}": m("minefield", "0902") for n in (1, 2, 3)}
    assert refusals(turn_ask(world("turn 1\n" + PLACES), "hydran"), sheet) == []


@pytest.mark.rule("cutler", "6.4")
def test_all_defects_of_a_sheet_come_at_once():
    sheet = {
        "economy": {"reserve": 500}, "counter": {"points": 3}, "M1": m("location", "9999"),
        "M2": m("planet", "Atlantis", ip=5), "F1": {"course": "1299 0404"}, "F9": {"course": "0404"},
    }  # fmt: skip
    paths = [path for path, _ in refusals(turn_ask(world("turn 1\n" + PLACES), "hydran"), sheet)]
    assert set(paths) >= {"economy.reserve", "counter.points", "M1.other", "M2.other", "M2.ip", "F1.course", "F9"}


# --- the roll --------------------------------------------------------------------------------------------------------
@cases("net, limit")
def test_thresholds(net, limit):
    assert needed(net) == limit


@cases("ip, die, succeeds")
def test_an_uncountered_mission(ip, die, succeeds):
    run = phase([m("base", ip=ip)], die=die)
    assert ("Base Pool" in found(run)) is succeeds
    reserve = run.table.state.empires["hydran"].reserve
    # A failed mission's points are gone, those of a successful one come back.
    assert reserve == (200 if succeeds else 200 - ip)


@cases("points, die, succeeds, hydran, lyran")
def test_counter_intelligence(points, die, succeeds, hydran, lyran):
    run = phase([m("base", ip=30)], pool=30, counter=[{"counter": {"points": points}}], die=die)
    assert ("Base Pool" in found(run)) is succeeds
    assert (run.table.state.empires["hydran"].reserve, run.table.state.empires["lyran"].reserve) == (hydran, lyran)


@pytest.mark.rule("cutler", "6.4.1.8", "6.5.1", "6.4.1.3")
def test_a_victims_sheet_says_what_is_spied_upon_and_what_may_be_done_about_it(kept: Kept):
    seen: list = []

    def look(ask):
        seen.append((ask.title, ask.text, ask.default_says))
        seen.extend((line.label, offered(line)) for line in ask.form.lines)
        seen.append(refusal_words(ask, {"counter": {"points": 31}, "F1": {"to": "0101"}, "F2": {"to": "stay"}}))
        seen.append(ask.read_back(ask.answer_from({"counter": {"points": 1}, "F1": {"to": "0802"}})))
        seen.append(ask.read_back(ask.answer_from({"counter": {"points": 30}, "F1": {"to": "stay"}})))

    phase([m("movement", "0902")], pool=30, counter=[look])
    assert seen == kept()


@pytest.mark.rule("cutler", "6.4.1.8", "6.5.1")
def test_the_pool_is_split_freely_and_cannot_be_overdrawn():
    run = phase(
        [m("base"), m("base"), m("base")], pool=30, counter=[{"counter": {"points": 10}}, {"counter": {"points": 20}}]
    )
    asks = run.asked("lyran", "counter")
    assert len(asks) == 2  # with nothing left in the pool it is told, not asked
    assert "pool holds 20 points" in asks[1].text
    assert len([one for one in run.told("lyran", "espionage") if "attempts" in one.text]) == 3
    turn = table_of(world("turn 1\n" + PLACES), ORDER)
    sheets = {("turn", "hydran"): {"M1": m("base")}, ("turn", "lyran"): {"counter": {"points": 30}}}
    Run(turn, turn_sheets_steps(turn), sheets)
    judged: list = []

    def overdraw(ask):
        judged.extend(refusals(ask, {"counter": {"points": 31}}) + refusals(ask, {"F1": {"to": "stay"}}))
        judged.extend(refusals(ask, {"bogus": {}}))

    Run(turn, espionage_steps(turn), {("counter", "lyran"): [overdraw]})
    assert judged == [("counter.points", "6.4.1.8, CU-R108"), ("F1", ""), ("", "")]


@pytest.mark.rule("cutler", "6.4.1.8")
def test_points_that_are_not_used_come_back():
    assert phase([], pool=30).table.state.empires["lyran"].reserve == 60


@pytest.mark.rule("cutler", "6.5.1")
def test_missions_go_in_rounds_in_the_rolled_order_and_ties_are_rolled_again():
    dice = {
        "espionage order, Hydran": [4, 4, 1, 1],  # ties with the Lyran at 8, then 2
        "espionage order, Lyran": [4, 4, 6, 6],  # then 12
        "espionage order, Klingon": [1, 1],
    }
    klingon = {"M1": m("base", ip=10, against="lyran")}
    run = phase([m("location", "0404", 10), m("resources", "0902", 10)], dice=dice, klingon=klingon)
    assert "Espionage order: Lyran, Hydran, Klingon." in run.texts("klingon")
    heard = [one.text for one in run.told("lyran", "espionage") if "attempts" in one.text]
    assert [text.split()[1] for text in heard] == ["Hydran", "Klingon", "Hydran"]
    assert "Location Detection" in heard[0]
    assert "Resource Check" in heard[2]


# --- the victim and the others ---------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "6.5.1")
def test_the_victim_hears_type_target_and_race_and_nobody_else_hears_anything():
    run = phase([m("resources", "0902", 30)], pool=20)
    assert "A Hydran spy attempts Resource Check on hex 0902." in run.texts("lyran")
    assert "30" not in run.texts("lyran").replace("6.4.1", "").split("attempts")[1].split("\n")[0]
    espionage = [one.text for one in run.told("klingon") if one.kind in ("espionage", "intelligence")]
    assert espionage == ["Espionage order: Hydran, Lyran, Klingon."]
    assert run.asked("klingon") == []


@cases("points, die, fate")
def test_the_fate_of_committed_points_tells_the_victim_and_without_any_it_never_learns(points, die, fate):
    run = phase([m("base", ip=30)], pool=20, counter=[{"counter": {"points": points}}], die=die)
    assert [one.text for one in run.told("lyran", "espionage")][2:] == fate
    (ask,) = run.asked("lyran")
    said = ["1 point against the mission."] if points == 1 else [f"{points} points against the mission."]
    assert ask.read_back(CounterSheet.model_validate({"counter": {"points": points}})) == said


@pytest.mark.rule("cutler", "6.5.2")
def test_what_became_of_a_mission_is_told_once_and_kept_in_the_file():
    run = phase([m("location", "0404")], die=6)
    (failed,) = [one for one in run.told("hydran") if "Location Detection" in one.text]
    assert failed.text == "M1, Location Detection against the Lyran (hex 0404): failed."
    assert [roll.dice for roll in failed.why.dice] == [(6,)]
    file = run.table.knowledge("hydran").logs["Intelligence file"]
    assert [row for row in file if "Location" in row] == [f"Turn 1: {failed.text}"]


# --- what they find --------------------------------------------------------------------------------------------------
@cases("proves, missions, changes, finds", made="missions")
def test_what_missions_find(missions, changes, finds):
    """All is kept in the intelligence file, too."""
    run = phase(missions, changes=changes)
    assert found(run).splitlines() == finds
    file = run.table.knowledge("hydran").logs["Intelligence file"]
    assert list(file) == [f"Turn 1: {one}" for one in finds]


@pytest.mark.rule("cutler", "6.4.1.3")
def test_a_movement_plot_is_lodged_ahead_told_and_binding(kept: Kept):
    run = phase([m("movement", "0902")], counter=[{"F1": {"to": "0802"}}])
    state = run.table.state
    assert [line.key for line in run.asked("lyran", "counter")[0].form.lines] == ["F1"]
    assert "in impulse 1, CC, FF go to 0802" in found(run)
    assert state.empires["lyran"].lodged == {"lyran-F1-CC": "0802", "lyran-F1-FF": "0802"}
    assert state.fleet("lyran", "F1").course == ["0802"]
    state.impulse = 1
    ask = plot_ask(state, "lyran")
    assert refusal_words(ask, {"F1": {"go": "hold"}}) == kept("#1")
    assert refusal_words(ask, {"new": {"ships": ["lyran-F1-FF"], "course": "0901"}}) == kept("#2")
    assert refusals(ask, {"F1": {"course": "0802 0801"}}) == []
    assert refusals(ask, {"F2": {"go": "hold"}}) == []  # another hex is not bound


@pytest.mark.rule("cutler", "6.4.1.3")
def test_the_lodged_plot_binds_even_if_the_mission_fails(kept: Kept):
    run = phase([m("movement", "0702")], die=6)
    assert run.table.state.empires["lyran"].lodged == {"lyran-F2-CW": "0602"}  # silence lodges the stored course
    run.table.state.impulse = 1
    assert refusal_words(plot_ask(run.table.state, "lyran"), {"F2": {"go": "hold"}}) == kept()
    assert "0602" not in found(run)


@pytest.mark.rule("cutler", "6.4.1.3")
def test_a_slow_ship_lodges_that_it_stays_and_an_illegal_hex_is_refused():
    judged: list = []

    def check(ask):
        judged.append([choice.value for choice in ask.form.lines[0].fields[0].choices])
        judged.append(refusals(ask, {"F1": {"to": "0404"}}))

    phase([m("movement", "0902")], counter=[check])
    assert judged == [["stay", "0901", "1001", "1002", "0903", "0802", "0801"], [("F1.to", "6.4.1.3, 2.4")]]
    # A monitor cannot move in impulse 1: there is nothing to choose, so nobody is asked.
    slow = phase([m("movement", "1004")], text="lyran F3 1004 MON course 1003")
    assert slow.asked("lyran", "counter") == []
    assert "monitor stay" in found(slow)


@pytest.mark.rule("cutler", "6.4.1.4")
def test_ship_plans_show_a_random_ships_record_and_teach_its_name(kept: Kept):
    run = phase([m("ship", "0902")], dice={"random ship": [2]})
    # By id: CC, FF; the base there is no ship (CU-R112a).
    assert "Lyran F1 Ff, FF (FF, size class 4); BPV 60/60; warp 12 of 12; impulse 2 of 2; crew normal" in found(run)
    assert run.table.state.empires["hydran"].known_ships == {"lyran-F1-FF": "lyran"}
    pick = next(roll for roll in run.table.shared.rolls if roll.purpose == "random ship")
    assert (pick.faces, pick.seen_by) == (2, frozenset())
    again = turn_ask(run.table.state, "hydran")
    assert refusals(again, {"M1": m("ship", "lyran f1 ff")}) == []
    assert refusal_words(again, {"M1": m("ship", "lyran f1 cc")}) == kept()


@pytest.mark.rule("cutler", "6.4.1.4")
def test_a_ship_known_by_name_is_found_wherever_it_is_unless_it_is_gone():
    for destroyed, text in ((False, "warp 7 of 12"), (True, "no such ship in service")):
        state = world("turn 1\n" + PLACES)
        state.empires["hydran"].known_ships = {"lyran-F1-FF": "lyran"}
        state.units["lyran-F1-FF"].warp_ok = 7
        turn = table_of(state, ORDER)
        if destroyed:
            state.units["lyran-F1-FF"].destroyed = True
            state.fleet("lyran", "F1").units = ["lyran-F1-CC"]
        Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): {"M1": m("ship", "Lyran F1 FF")}})
        assert text in found(Run(turn, espionage_steps(turn)))


@pytest.mark.rule("cutler", "6.4.1.6")
def test_location_detection_gives_s1_to_s5_of_that_race_as_a_contact(kept: Kept):
    run = phase([m("location", "0902"), m("location", "0404")], text="klingon F2 0902 DD")
    assert "3 Lyran units (size 1: base; size 3: CC; size 4: FF)" in found(run)
    assert "no unit of theirs in 0404" in found(run)
    contacts = run.table.knowledge("hydran").contacts
    assert [(c.form, c.latest.headline, c.latest.details, c.latest.level_name) for c in contacts.values()] == kept()


def captured(missions: int, die: int = 1) -> tuple[CutlerTurn, Run]:
    state = world("turn 1\n" + PLACES)
    state.planets["cub"].captured_turn, state.planets["cub"].owner = 0, "klingon"
    turn = table_of(state, {**ORDER, "mission": [die] * 9, "insurrection": [4] * 9})
    sheet = {f"M{n}": m("insurrection", "cub", 20, "klingon") for n in range(1, missions + 1)}
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): sheet})
    return turn, Run(turn, espionage_steps(turn))


@pytest.mark.rule("cutler", "6.4.1.7")
def test_each_success_adds_a_die_of_rebels_on_a_captured_planet():
    table, run = captured(2)
    assert table.state.rebels == {"cub": 8}
    assert "4 more rebels will rise on Cub" in found(run)


@pytest.mark.rule("cutler", "6.0", "6.4.1")
def test_all_nine_missions_and_the_pool_are_on_the_sheet(kept: Kept):
    form = turn_ask(world("turn 1\n" + PLACES), "hydran").form
    assert {choice.value for choice in form.line("M1").fields[0].choices} == kept()
    assert form.line("counter") is not None


# --- word for word ---------------------------------------------------------------------------------------------------
@cases("mission, points, die, says")
def test_what_a_victim_is_told_and_keeps_in_its_file(mission, points, die, says):
    run = phase([mission], pool=30, counter=[{"counter": {"points": points}}], die=die)
    aims = {"base": "your bases", "planet": "the planet Cub in 0803", "location": "hex 0404"}
    names = {"base": "Base Plans", "planet": "Planet Check", "location": "Location Detection"}
    kind = mission["kind"]
    tried = f"A Hydran spy attempts {names[kind]} on {aims[kind]}."
    told = [one for one in run.told("lyran", "espionage") if "order" not in one.text]
    assert [one.text for one in told] == [tried, says] if says else [tried]
    assert told[0].place == "T1/espionage/lyran/notice/1"
    assert list(run.table.knowledge("lyran").logs["Intelligence file"]) == [f"Turn 1: {one.text}" for one in told]
    assert run.table.state.empires["lyran"].counter_pool == 0


@cases("points, die, fate, needs", "")
def test_a_spy_is_told_the_fate_of_a_mission_with_its_reason(points, die, fate, needs):
    run = phase([m("base", ip=30)], pool=30, counter=[{"counter": {"points": points}}], die=die)
    (told,) = [one for one in run.told("hydran") if one.text.endswith(f": {fate}.")]
    assert told.text == f"M1, Base Plans against the Lyran (all bases of the Lyran): {fate}."
    inputs = {"IP": "30", "countered by": str(points), "net": str(30 - points), "needs": needs}
    assert dict(told.why.inputs) == inputs
    assert [roll.dice for roll in told.why.dice] == ([] if needs == "at least 10 net" else [(die,)])
    succeeded = fate == "succeeded"
    assert told.kind == ("espionage" if succeeded else "intelligence")
    assert run.table.state.empires["hydran"].alerts == (["M1 brought news"] if succeeded else [])
    assert run.table.state.missions == []


@pytest.mark.rule("cutler", "6.4.1.7")
def test_of_six_insurrections_the_last_is_called_off_in_words_and_rolled_for_no_more():
    table, run = captured(6, die=6)
    fates = [one.text for one in run.told("hydran", "intelligence")]
    what = "Insurrection against the Klingon (the planet Cub in 0803)"
    called_off = f"M6, {what}: called off: five were conducted there already; its IP come back."
    assert fates == [called_off, *(f"M{number}, {what}: failed." for number in range(1, 6))]
    assert table.state.insurrections == {"cub": 5}
    # Five fail and are lost, the sixth comes back: 200 - 6 x 20 + 20.
    assert table.state.empires["hydran"].reserve == 100
    assert len([one for one in run.told("klingon") if "attempts" in one.text]) == 5
    assert len([roll for roll in table.shared.rolls if roll.purpose == "mission"]) == 5


@cases("course, answer, lodged, left")
def test_what_is_lodged_is_the_course_afterwards(course, answer, lodged, left):
    state = world("turn 1\n" + PLACES)
    turn = table_of(state, {**ORDER, "mission": [6, 6]})
    sheets = {("turn", "hydran"): {"M1": m("movement", "0702"), "M2": m("movement", "0702")}}
    Run(turn, turn_sheets_steps(turn.at("plan")), sheets)
    state.fleet("lyran", "F2").course = course.split()
    run = Run(turn, espionage_steps(turn.at("espionage")), {("counter", "lyran"): [answer]})
    (ask,) = run.asked("lyran", "counter")  # and not again for the second mission
    assert [line.key for line in ask.form.lines] == ["F2"]
    assert ask.form.lines[0].fields[0].value == ("stay" if course == "0502" else "0602")
    assert (state.empires["lyran"].lodged, state.fleet("lyran", "F2").course) == ({"lyran-F2-CW": lodged}, left)


@pytest.mark.rule("cutler", "6.4.1.3", "2.6.2.1")
def test_no_plot_is_asked_for_of_fleets_under_cloak_or_driven_off_or_elsewhere(kept: Kept):
    text = "lyran F3 0404 CW[cloak=up]+FF[cloak=up]\nlyran F4 0404 DD+FF\nlyran F5 0404 DW+FF\nlyran F6 0405 DD\n"
    state = world("turn 1\n" + PLACES + text)
    turn = table_of(state, ORDER)
    Run(turn, turn_sheets_steps(turn.at("plan")), {("turn", "hydran"): {"M1": m("movement", "0404")}})
    for key in ("lyran-F4-DD", "lyran-F4-FF"):
        state.units[key].retreat_hex = "0403"
    run = Run(turn, espionage_steps(turn.at("espionage")))
    (ask,) = run.asked("lyran", "counter")
    assert [line.label for line in ask.form.lines] == ["F5: Lyran F5 Dw, Lyran F5 Ff"]
    assert ask.text == kept()
    assert state.empires["lyran"].lodged == {"lyran-F5-DW": "", "lyran-F5-FF": ""}
    assert found(run).endswith("in impulse 1, DW, FF stay; DD, FF go to 0403.")


@pytest.mark.rule("cutler", "6.4.1.8", "6.5.1")
def test_a_victims_sheet_of_another_mission_asks_for_points_alone():
    (ask,) = phase([m("planet", "cub")], pool=10).asked("lyran", "counter")
    assert (ask.title, ask.default_says) == ("A Hydran spy: Planet Check", "No points are used.")
    assert ask.text == "A Hydran spy attempts Planet Check on the planet Cub in 0803. Your pool holds 10 points."
    assert (ask.rule, [line.key for line in ask.form.lines]) == ("6.4.1.8, 6.5.1", ["counter"])
    assert offered(ask.form.lines[0]) == [("Points against it", "0 to 10", 0, "0 to 10; lost if the mission succeeds")]


def news(run, side="hydran"):
    return [one.text for one in run.told(side)]


HEXES = ("minefield", "construction", "movement", "ship", "location", "resources")
EVERYTHING = [m(kind, "0902", 20) for kind in HEXES]
EVERYTHING += [m("base", ip=20), m("planet", "den", 20), m("insurrection", "den", 20)]


@pytest.mark.rule(
    "cutler", "6.4.1", "6.4.1.1", "6.4.1.2", "6.4.1.3", "6.4.1.5", "6.4.1.9", "6.4.1.10", "6.5.1", "6.5.2"
)
def test_all_that_spies_and_their_victim_are_told(kept: Kept):
    run = phase(EVERYTHING, text="lyran base 0902 Fort\nlyran F3 0902 SC\n", pool=20, dice={"random ship": [3]})
    assert news(run) == kept("news(run)")
    assert news(run, "lyran") == kept("news(run, lyran)")
    assert run.table.knowledge("hydran").logs["Intelligence file"][:3] == kept("#1")
    assert run.table.knowledge("lyran").logs["Intelligence file"][:2] == kept("#2")
    assert run.table.state.empires["hydran"].alerts == kept("#3")
    why = [one.why for one in run.told("hydran", "espionage") if one.why is not None]
    assert dict(why[-1].inputs) == {"IP": "20", "countered by": "0", "net": "20", "needs": "1-4"}


@pytest.mark.rule("cutler", "6.4.1.4", "6.4.1.2", "6.4.1.5", "6.4.1.7", "6.4.1.10")
def test_what_missions_find_in_all_their_words(kept: Kept):
    state = world("turn 2\n" + PLACES)
    turn = table_of(state, {"insurrection": [3]})
    ship = state.units["lyran-F1-CC"]
    ship.record = ship.record.model_copy(update={"cargo": 3, "boarding_parties": 9, "special_sensors": 2})
    ship.officers, ship.special_sensors_ok, ship.boarding_parties, ship.squads = (
        ("captain", "doctor"), 2, 4, {"heavy": 1},
    )  # fmt: skip
    state.sites["lyran/S1"] = BaseSite(
        key="S1", race="lyran", hex="0803", into=kind_of("base"), named="Rock", cost=9, set_aside=9,
        builder="lyran-F1-CC",
    )  # fmt: skip
    state.sites["lyran/S2"] = state.sites["lyran/S1"].changed(key="S2", hex="0902", upgrades="lyran-base-0902")
    state.spent = [Spent(base="lyran-base-0902", race="lyran", item="an FF", cpv=9)]
    state.units["lyran-base-0803"] = state.units["lyran-base-0902"].copied()
    state.units["lyran-base-0808"] = state.units["lyran-base-0902"].copied()
    for key in ("lyran-base-0803", "lyran-base-0808"):
        state.units[key].id, state.units[key].hex = key, "0808"
    state.planets["cub"].captured_turn, state.planets["cub"].race = 1, "klingon"
    den = state.planets["den"]
    valued(state, den, boarding_parties=9, gcv=1, crew_units=2, squads={"commando": 1}, ground={"A": 1, "C": 2})
    den.landed, den.shuttles = {"klingon": 2}, 1
    for unit in state.units.values():
        if unit.kind == "ground_base":
            unit.boarding_parties, unit.crew_units = 2, 1
    aims = [("ship", "lyran-F1-CC", "unit"), ("ship", "0902", "hex"), ("construction", "0902", "hex")]
    aims += [
        ("construction", "0606", "hex"),
        ("movement", "0606", "hex"),
        ("ship", "0606", "hex"),
        ("ship", "x", "unit"),
    ]
    aims += [
        ("construction", "0808", "hex"),
        ("base", "lyran", "race"),
        ("location", "0606", "hex"),
        ("insurrection", "den", "planet"),
    ]
    aims += [
        ("insurrection", "cub", "planet"),
        ("resources", "0902", "hex"),
        ("planet", "den", "planet"),
        ("minefield", "0902", "hex"),
    ]
    for number, (kind, target, aimed) in enumerate(aims, 1):
        mission = Mission(
            spy="hydran", line=f"M{number}", kind=kind, against="lyran", target=target, ip=30, aimed=aimed,
            said=f"{target}!",
        )  # fmt: skip
        report_success(turn, mission, "Intelligence file")
    assert [one.text for one in turn.shared.reports] == kept()


@pytest.mark.rule("cutler", "6.4.1.7", "6.4.1.3", "6.5.2")
def test_what_is_said_of_missions_that_are_called_off_countered_and_lodged(kept: Kept):
    assert news(phase([m("insurrection", "den")] * 6, die=6))[-8:] == kept("news(phase(missions, die=6))(-8:)")
    run = phase([m("movement", "0902"), m("base", ip=20)], pool=40, counter=[{"counter": {"points": 15}}])
    ask = run.asked("lyran", "counter")[0]
    assert [ask.title, ask.text, ask.default_says] == kept("#2")
    assert [(line.label, line.note, *offered(line)) for line in ask.form.lines] == kept("#3")
    run.table.state.empires["lyran"].counter_pool = 40  # as it was when this was asked
    sheets = ({"counter": {"points": 3}, "F1": {"to": "0903"}}, {"F1": {"to": "stay"}}, {})
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept("#4")
    wrong = ({"counter": {"points": 99}}, {"F1": {"to": "0404"}}, {"F9": {"to": "0404"}}, {"moon": {}})
    assert [refusal_words(ask, one) for one in wrong] == kept("#5")
    assert news(run) == kept("news(run)")
    few = phase([m("base", ip=10)], pool=10, counter=[{"counter": {"points": 10}}])
    (inputs,) = (dict(one.why.inputs) for one in few.told("hydran") if one.why and "needs" in dict(one.why.inputs))
    assert inputs == {"IP": "10", "countered by": "10", "net": "0", "needs": "at least 10 net"}


@pytest.mark.rule("cutler", "6.4.1")
def test_each_mission_says_what_it_is_aimed_at(kept: Kept):
    line = turn_ask(world("turn 1\n" + PLACES), "hydran").form.line("M1")
    assert [f"{one.label}: {one.hint}" for one in line.fields[0].choices] == kept()


def test_missions_are_read_back(kept: Kept):
    ask = turn_ask(world("turn 1\n" + PLACES), "hydran")
    read = ask.read_back(ask.answer_from({"M1": m("base"), "M2": m("ship", "0902")}))
    assert [one for one in read if "M" in one] == kept()


# --- what a mission leaves as it was ---------------------------------------------------------------------------------


def flown(state: CutlerState, unit: str) -> list[str]:
    """Where a unit is after each impulse's moves."""
    places: list[str] = []
    for impulse in range(1, 7):
        state.impulse = impulse
        execute_moves(table_of(state))
        tidy_fleets(state)
        places.append(state.units[unit].hex)
    return places


@cases("die")
def test_a_slow_fleet_keeps_its_course_when_its_plot_is_spied_upon(die: int) -> None:
    # A speed of 3 moves in impulses 2, 4 and 6, so in impulse 1 there is nothing but to stay.
    state = phase([m("movement", "0505")], die=die, text="lyran F3 0505 AUX course 0504 0503 0502\n").table.state
    assert state.fleet("lyran", "F3").course == ["0504", "0503", "0502"]
    assert flown(state, "lyran-F3-AUX") == ["0505", "0504", "0504", "0503", "0503", "0502"]


@pytest.mark.rule("cutler", "6.4.1.3")
@pytest.mark.parametrize("die", [1, 6])
@pytest.mark.parametrize(
    ("to", "places"),
    [
        ("stay", ["0702", "0602", "0502", "0502", "0502", "0502"]),
        ("0602", ["0602", "0502", "0502", "0502", "0502", "0502"]),
        ("0701", ["0701", "0601", "0502", "0502", "0502", "0502"]),  # by a shortest path to 0502
    ],
)
def test_what_is_lodged_is_flown_in_impulse_1_and_the_rest_of_the_course_after_it(
    die: int, to: str, places: list[str]
) -> None:
    text = "lyran F3 0702 DD course 0602 0502\n"
    state = phase([m("movement", "0702")], die=die, text=text, counter=[{"F3": {"to": to}}]).table.state
    assert flown(state, "lyran-F3-DD") == places


@pytest.mark.rule("cutler", "6.4.1.3")
def test_what_stands_of_a_course_is_read_back_with_what_is_lodged(kept: Kept) -> None:
    seen: list[list[str]] = []

    def look(ask: AnyAsk) -> None:
        seen.extend(list(ask.read_back(ask.answer_from({"F3": {"to": to}}))) for to in ("stay", "0701", "0602"))

    phase([m("movement", "0702")], text="lyran F3 0702 DD course 0602 0502\n", counter=[look])
    assert [said[1] for said in seen] == kept()


@pytest.mark.rule("cutler", "6.4.1.3")
def test_a_course_may_be_plotted_in_impulse_1_for_later_by_who_lodged_to_stay() -> None:
    state = phase([m("movement", "0902")], counter=[{"F1": {"to": "stay"}}]).table.state
    state.impulse = 1
    ask = plot_ask(state, "lyran")
    assert refusals(ask, {"F1": {"course": "0802 0702"}}) == []
    said = ask.read_back(ask.answer_from({"F1": {"course": "0802 0702"}}))
    waits = "waits in 0902 this impulse: its plot for impulse 1 is lodged"
    assert said[0] == f"F1 (Lyran F1 Cc, Lyran F1 Ff): 0902 → 0802 → 0702; {waits}."
    carry_out_plot(state, "lyran", FleetPlots.model_validate({"F1": {"course": "0802 0702"}}))
    assert flown(state, "lyran-F1-CC")[:3] == ["0902", "0802", "0702"]


@pytest.mark.rule("cutler", "6.4.1.3")
def test_who_joins_a_ship_that_lodged_to_stay_waits_with_it() -> None:
    state = world("turn 1 impulse 1\nlyran F1 0505 CA+DD course 0504 0503\n")
    state.empires["lyran"].lodged = {"lyran-F1-CA": ""}
    assert flown(state, "lyran-F1-DD")[:3] == ["0505", "0504", "0503"]
    assert state.units["lyran-F1-CA"].hex == "0503"
    assert [fleet.key for fleet in state.fleets_of("lyran")] == ["F1"]
