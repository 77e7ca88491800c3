"""What a captain is asked for a piece of a turn, and a sheet read back: its cost, the vectors, and where it ends."""

import pytest
from pydantic import ValidationError

from bot.orders.examples import example_of
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.core.protocol.question import LineNow
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.plotting.judging import plots_of
from rules_engine.rulebooks.vector.records.plots import PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.sheets import PlotLine, PlotSheet
from rules_engine.rulebooks.vector.records.ships import FlightFigures
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import CRUISER, DRONE, HUNTERS, duel, planet, ship, three
from tests.rulebooks.vector.plotting.sheets import asked, read_back, refused, warned


def test_the_question(kept: Kept) -> None:
    ask = plot_ask(three(), HUNTERS)
    assert ask.title == "Turn 1, impulses 1–16: plots"
    assert ask.text == (
        "Say what each unit does, and on which impulse; what you do not say coasts. Thrust: 6 on 1. Turn: right on 4. "
        "All else in words: slip, het, reserve, launch, land, conditions."
    )
    assert ask.question is not None
    assert ask.question.situation == "In secret; what you do not say coasts."
    assert (ask.question.heading, ask.question.others, ask.question.noun, ask.question.lines) == (
        "Turn 1, impulses 1–16", "coast", "unit", ("H1", "H2"),
    )  # fmt: skip
    (offer,) = ask.question.offers
    assert (offer.label, [*offer.values]) == ("All coast", ["H1", "H2"])
    assert ask.default_says == "All units coast."
    line = ask.form.lines[0]
    assert line.label == "H1 Kestrel at 1020"
    assert line.note == "at 1020, faces A, vector 6A, speed 6; 30+1 points left, 4 in reserve"
    assert [(one.label, one.help, one.example) for one in line.fields] == kept()


@cases("pieces, impulse, heading")
def test_the_piece_that_is_asked_for(pieces: int, impulse: int, heading: str) -> None:
    ask = plot_ask(three(options=TacticalOptions.model_validate({"pieces": pieces}), impulse=impulse), HUNTERS)
    assert ask.title == f"{heading}: plots"


def test_who_has_no_unit_has_nothing_to_say() -> None:
    ask = plot_ask(duel(ship("R1", "1020", "6A")), HUNTERS)
    assert [*ask.read_back(PlotSheet({}))] == ["No unit is to be commanded."]
    assert not ask.leaves_choice
    assert ask.question is not None
    assert ask.question.offers == ()
    assert plot_ask(three(), HUNTERS).leaves_choice


def test_a_base_has_no_thrust_and_no_turn() -> None:
    battle = duel(ship("H1", "1020", "0"))
    battle.fixed = ["H1"]
    (line,) = plot_ask(battle, HUNTERS).form.lines
    assert line.note == "at 1020, faces A, stays where it is"
    assert [one.key for one in line.fields] == ["plot", "report"]


def test_examples_lie_within_the_piece_and_after_what_must_be_waited_for() -> None:
    """Thrust on impulse 12 is followed by thrust on 20, a turn in mode C on 15 by one on 22."""
    battle = duel(ship("H1", "1020", "6A", accelerated_on=12, turned_on=15), impulse=16)
    line = plot_ask(battle, HUNTERS).form.lines[0]
    assert [one.example for one in line.fields][:2] == ["1 on 20", "left on 22"]
    assert line.note.endswith("; accelerates from impulse 20 on; turns from impulse 22 on")
    late = duel(ship("H1", "1020", "6A", accelerated_on=9, turned_on=10), impulse=16)
    assert plot_ask(late, HUNTERS).form.lines[0].note.endswith("points left, 4 in reserve")
    never = duel(ship("H1", "1020", "6A", accelerated_on=31, turned_on=31), impulse=16)
    assert [one.example for one in plot_ask(never, HUNTERS).form.lines[0].fields][:2] == ["1 on 32", "left on 32"]
    short = duel(ship("H1", "1020", "6A"), impulse=30, options=TacticalOptions(pieces=32))
    assert "accelerate 6 on 31; turn right on 31" in plot_ask(short, HUNTERS).form.lines[0].fields[2].help


def test_what_is_paid_with_both_is_read_back_so(kept: Kept) -> None:
    """16 hexes are 32 points; 30 of warp and the point of impulse power pay 15 and one."""
    assert read_back(duel(ship("H1", "1020", "0")), "H1: accelerate 16 on 1") == kept()
    nearest = read_back(duel(ship("H1", "1020", "0")), "H1: when enemy within 3: turn left")
    assert nearest[0] == "H1: when nearest enemy within 3: turn left"


def test_a_line_of_a_card_has_a_hundred_and_twenty_letters() -> None:
    """A plot that fills them stands whole; of a longer one the last word goes, and then as many as must."""
    battle = duel(ship("H1", "1020", "34A", figures=CRUISER.with_values(turn_mode="B"), warp_left=30))
    end = " → 1003, 34A, faces F; 27+1 left"
    turns = "turn left on 1; turn right on 8; turn left on 15; path "
    room = 120 - len(turns) - len(end)

    def shown(moves: int) -> str:
        ask, answer = asked(battle, f"H1: {turns}{'A' * moves}")
        assert ask.lines_now is not None
        return ask.lines_now(answer)["H1"].now

    assert shown(room) == f"T{turns[1:]}{'A' * room}{end}"
    assert shown(room + 1) == f"T{turns[1:].rstrip()} …{end}"


def test_what_is_drawn_and_what_is_warned_of_on_the_way() -> None:
    """At speed 4 it moves on 8 and 16; at speed 2 on 16 alone."""

    def course(vector: str, *planets: str) -> tuple[list[int], list[str]]:
        battle = duel(ship("H1", "1020", vector), terrain=[planet(*planets)] if planets else [])
        ask, answer = asked(battle, "H1: coast")
        return [len(one.hexes) for one in ask.courses(answer)], [*ask.warn(answer)]

    assert course("0") == ([], [])
    assert course("2A") == ([2], [])
    assert course("4A", "1019") == ([3], ["H1: its course enters Rock at 1019 on impulse 8"])
    assert course("4A", "1018", "1019") == course("4A", "1019"), "it is told once"
    assert course("4A", "1018") == ([3], ["H1: its course enters Rock at 1018 on impulse 16"])
    assert course("4A", "1020") == ([3], []), "it leaves that hex"


@pytest.mark.parametrize(("on", "warned"), [(3, False), (4, True), (9, True)])
def test_what_comes_after_a_condition_may_fall_into_its_pause(on: int, warned: bool) -> None:
    said = f"H1: when R1 within 2 from 4 to 12: turn left; turn right on {on}"
    ask, answer = asked(three(), said)
    about = [one for one in ask.warn(answer) if "rules out" in one]
    told = f"H1: a condition that comes about shortly before rules out “turn right on {on}”"
    assert about == ([told] if warned else [])


def test_who_is_yet_to_arrive_is_said_to_its_own_captain_alone() -> None:
    battle = duel(ship("H1", "1020", "6A"), ship("H2", "1120", waits_for=3), ship("R1", "2020", side="raiders"))
    coasts = "In secret; what you do not say coasts."
    assert plot_ask(battle, HUNTERS).asks_for.situation == f"{coasts} H2 arrives on turn 3."
    assert plot_ask(battle, "raiders").asks_for.situation == coasts
    battle.turn = 3
    assert plot_ask(battle, HUNTERS).asks_for.situation == coasts


@pytest.mark.rule("vector", "CJD1.22")
def test_reserve_of_one_field_pays_for_what_another_has_on_its_impulse() -> None:
    spent = three(impulse=16)
    spent.units["H1"].warp_left = spent.units["H1"].impulse_left = 0
    said = read_back(spent, "H1: thrust 1 on 20; plot reserve 2 on 20")
    assert said[0] == "H1: reserve 2 on 20; accelerate 1 on 20"
    assert said[2].startswith("H1 on 20: accelerate 1 for 2 points: vector 7A")
    (late,) = refused(
        spent, "H1: plot accelerate 1 on 20; reserve 2 on 20"
    )  # in one field, in the order that was chosen
    assert "“accelerate 1 on 20”" in late


@cases("said, instead")
def test_thrust_before_a_turn_of_the_same_impulse_is_warned_of(said: str, instead: str) -> None:
    ask, answer = asked(three(), f"H1: {said}")
    told = f"H1: on impulse 4 it accelerates before it turns; else put “{instead}” in Plot"
    assert [*ask.warn(answer)] == ([told] if instead else [])


def test_a_hint_that_finds_no_room_leaves_out_what_the_next_field_has() -> None:
    battle = three()
    unit = battle.units["H1"]
    unit.vector, unit.accelerated_on = Vector(says="110B+116C"), 1
    thrust, turn = plot_ask(battle, HUNTERS).form.lines[0].fields[:2]
    assert thrust.help == "30+1 points left, 4 in reserve, 2 a hex; once in 8; flies 110B+116C; from 9 on, as 6 on 9"
    assert turn.help.endswith("; impulses 1 to 16; blank holds")


# --- read back -------------------------------------------------------------------------------------------------------
SAID = "H1: accelerate 6 on 1; turn right on 4; accelerate 4 on 12; path A first; reserve 3"


@pytest.mark.rule("vector", "CJD1.31", "CJD1.41", "CJD1.22")
def test_cost_vectors_and_the_end_are_read_back(kept: Kept) -> None:
    """6 hexes at 2 points, a turn at 1, 4 hexes at 2: 21 of 30, and 3 of reserve. At 12A hexes are moved on impulses 3,
    6, 8, 11; then, of 12A+4B at speed 16, on 12, 14 and 16: A first."""
    assert read_back(three(), SAID) == kept()


def test_what_is_read_back_can_be_typed_again() -> None:
    text = (
        f"{SAID}; report lost 6 warp; report tractor R1 3 to 2\n"
        "H2: when nearest enemy within 8: turn towards, reverse 1; energy 20+1; friction A; slip left on 16; het D on 9"
    )
    battle = three(options=TacticalOptions(pieces=1))
    ask, answer = asked(battle, text)
    said = [*ask.read_back(answer)]
    typed = [one for one in said if one.startswith(("H1: ", "H2: "))]
    assert len(typed) == 2
    again = ask.answer_from({**read_sheet(ask.form, "\n".join(typed))})
    assert plots_of(battle, HUNTERS, again) == plots_of(battle, HUNTERS, answer)
    assert [*ask.read_back(again)] == said
    file = write_sheet(ask.form, ask.sheet_of(answer), title="Turn 1")
    assert ask.answer_from({**read_sheet(ask.form, file)}) == answer


@pytest.mark.rule("vector", "CJD1.53")
def test_what_is_launched_is_read_back_with_its_own_vector() -> None:
    """6A and 12 hexes in C, 120 degrees off: 6 of each make 6B, 6 are left in C."""
    assert "H1 on 4: launch D1 C 12: D1 with vector 6B+6C, faces C" in read_back(
        three(), "H1: launch drone D1 C 12 on 4"
    )


@pytest.mark.rule("vector", "CJD1.53", "CJD1.411")
def test_a_launched_unit_pays_with_half_its_rated_speed(kept: Kept) -> None:
    drone = ship("D1", "1020", "12A", figures=DRONE, half_left=8)
    assert read_back(duel(ship("H1", "1020"), drone), "D1: accelerate 3 on 2; turn left on 3")[:4] == kept()


@pytest.mark.rule("vector", "CJD1.31")
def test_the_impulse_point_is_read_back() -> None:
    said = read_back(three(), "H1: accelerate 1 by impulse on 1\nH2: accelerate 16 on 1")
    assert "H1 on 1: accelerate 1 by impulse for the impulse point: vector 7A, faces A" in said
    assert "H2 on 1: accelerate 16 for 30 points and the impulse point: vector 20A, faces A" in said


def test_a_silent_captain_coasts() -> None:
    battle = three()
    ask = plot_ask(battle, HUNTERS)
    assert ask.default == PlotSheet({})
    assert ask.default is not None
    assert [one for one in ask.read_back(ask.default) if ": " in one[:4]] == ["H1: coast", "H2: coast"]
    assert plots_of(battle, HUNTERS, ask.default) == {"H1": UnitPlot(), "H2": UnitPlot()}


def test_plots_are_of_own_units_that_are_there() -> None:
    battle = three()
    sheet = PlotSheet.model_validate({"H1": {"thrust": "6"}, "H2": {"turn": "left on 3"}})
    assert plots_of(battle, HUNTERS, sheet) == {
        "H1": UnitPlot(events=(PlotEvent(action="accelerate", amount=6, impulse=1),)),
        "H2": UnitPlot(events=(PlotEvent(action="turn", hand="left", impulse=3),)),
    }
    battle.units["H1"].out = "destroyed"
    assert [*plots_of(battle, HUNTERS, sheet)] == ["H2"]


@pytest.mark.rule("vector", "CJD1.142")
def test_courses_are_drawn_hex_by_hex() -> None:
    ask, answer = asked(three(), "H2: accelerate 4 on 1; slip right on 8")
    drawn = {one.counter: one.hexes for one in ask.courses(answer)}
    assert drawn["H1"] == ("1020", "1019", "1018", "1017")
    # at speed 8 on impulses 4, 8, 12, 16; the second slips to B
    assert drawn["H2"] == ("1220", "1219", "1319", "1318", "1317")
    flown = {one.counter: one.plot for one in ask.courses(answer)}["H2"]
    assert flown is not None
    assert flown.events == (("1220", "1: accelerate 4"),)
    assert (flown.code, flown.hexes, flown.facing, flown.vector) == ("H2", drawn["H2"], "A", "8A")
    plot = next(one.plot for one in ask.courses(answer) if one.counter == "H2")
    assert plot is not None
    assert (plot.code, plot.vector, plot.facing, plot.events) == ("H2", "8A", "A", (("1220", "1: accelerate 4"),))
    rest, still = asked(duel(ship("H1", "1020")), "H1: turn left on 3")
    assert [*rest.courses(still)] == []


def test_what_a_captain_would_regret() -> None:
    rock = three(terrain=[planet("1018", "1017")])
    assert warned(rock, "H1: coast") == ["H1: its course enters Rock at 1018 on impulse 11"]
    assert warned(three(terrain=[planet("1019")]), "H1: coast") == ["H1: its course enters Rock at 1019 on impulse 6"]
    assert warned(three(terrain=[planet("1020")]), "H1: coast") == []
    assert warned(rock, "H2: coast\nH1: accelerate 1 on 1; turn left on 4; accelerate 9 on 10") == []
    assert warned(three(), "H1: accelerate 6 on 1") == []
    assert warned(three(), "H1: het E on 9") == ["H1: impulse 9: it breaks down on a D6 of 5 or more"]


def test_what_a_condition_may_make_impossible_is_warned_of() -> None:
    pause = "H1: a condition that comes about shortly before rules out “accelerate 4 on 12”"
    assert pause in warned(three(), "H1: when R1 within 8: accelerate 2; accelerate 4 on 12")
    turns = "H1: a condition that comes about shortly before rules out “turn right on 9”"
    assert turns in warned(three(), "H1: when R1 within 8 from 9: turn left; turn right on 9")
    others = "H1: when R1 within 8 from 9: turn left; turn right on 1; accelerate 2 on 12"
    assert not any("rules out" in one for one in warned(three(), others))


def test_a_card_says_what_each_unit_does_and_where_it_ends() -> None:
    ask, answer = asked(three(terrain=[planet("1017")]), SAID)
    now = ask.says_now(answer, ["H1", "H2"])
    assert now["H2"] == LineNow("Coast → 1218, 4A, faces A; 30+1 left", "H2", ("1220", "1218"))
    assert now["H1"].now == (
        "Accelerate 6 on 1; reserve 3 on 1; turn right on 4; accelerate 4 on 12; path A first → 1114, 12A+4B, "
        "faces B; 12+1 left"
    )
    long = asked(three(), f"{SAID}; slip left on 8; turn left on 15")
    said = long[0].says_now(long[1], ["H1"])["H1"].now
    assert " on 12; … → " not in said
    assert " … → " in said
    assert len(said) <= 120
    assert now["H1"].doubts == ("H1: its course enters Rock at 1017 on impulse 8",)


@pytest.mark.rule("vector", "CJD1.32", "CJD1.42-rate-of-turn")
def test_a_card_says_what_each_unit_waits_for_and_has_left() -> None:
    busy = ship("H1", "1020", "3A", "C", accelerated_on=46, turned_on=46, warp_left=20, impulse_left=0)
    drone = ship("D1", "1020", "12A", figures=DRONE, half_left=8)
    ask, answer = asked(duel(busy, drone, turn=2, impulse=16), "H1: coast\nD1: accelerate 3 on 18")
    now = ask.says_now(answer, ["H1", "D1"])
    # mode C turns once in 7 impulses, thrust once in 8; impulse 46 of all is 14 of turn 2
    assert now["H1"].now.endswith(", 3A, faces C; 20+0 left; turns from impulse 21; thrust from impulse 22")
    assert now["D1"].now.endswith(", 15A, faces A; 5 left")


@pytest.mark.parametrize(("turned", "said"), [(42, ""), (43, "; turns from impulse 18")])
def test_card_says_from_when_a_unit_turns_when_that_is_after_the_next_impulse(turned: int, said: str) -> None:
    """Impulse 17 of turn 2 comes next; mode C turns once in 7 impulses, and 43 of all is impulse 11."""
    ask, answer = asked(duel(ship("H1", "1020", turned_on=turned), turn=2, impulse=16), "H1: coast")
    assert ask.says_now(answer, ["H1"])["H1"].now.endswith(f"; 30+1 left{said}")


def test_a_base_is_told_what_it_can_do_when_it_would_turn() -> None:
    battle = duel(ship("H1", "1020", "0"))
    battle.fixed = ["H1"]
    assert refused(battle, "H1: plot turn left on 4") == [
        "H1.plot: “turn left on 4”: H1 stays where it is (VM-N61). Legal: launches, and reports."
    ]


@pytest.mark.rule("vector", "CJD1.12", "CJD1.32", "CJD1.42-rate-of-turn")
def test_a_line_says_how_its_unit_flies_and_what_it_waits_for(kept: Kept) -> None:
    busy = ship("H1", "1020", "3A+2B", "C", accelerated_on=30, turned_on=30, warp_left=20, impulse_left=0)
    lines = plot_ask(duel(busy, ship("H2", "1020", tumbling=True, tumbles_until=50), turn=2), HUNTERS).form.lines
    # mode C turns once in 7 impulses: 37 is impulse 5 of turn 2; thrust once in 8: 38
    assert lines[0].note == (
        "at 1020, faces C, vector 3A+2B, speed 5; 20+0 points left, 4 in reserve; "
        "accelerates from impulse 6 on; turns from impulse 5 on"
    )
    assert lines[1].note.endswith("; tumbles until impulse 18")
    note = plot_ask(duel(ship("H1", "1020", accelerated_on=25, turned_on=27), turn=2), HUNTERS).form.lines[0].note
    assert note.endswith("; 30+1 points left, 4 in reserve; turns from impulse 2 on")
    assert (lines[0].key, lines[0].label) == ("H1", "H1 Kestrel at 1020")
    assert [(one.key, one.help) for one in lines[0].fields][:2] == kept()
    at_once = plot_ask(three(), HUNTERS).form.lines[0].fields
    assert (
        at_once[0].help == "30+1 points left, 4 in reserve, 2 a hex; once in 8; flies 6A; as 6 on 1; impulses 1 to 16"
    )
    assert at_once[1].help == "Faces A; once in 7; as right on 1; impulses 1 to 16; blank holds"
    spent = ship("H1", "1020", "12A+13B", accelerated_on=64, turned_on=63)
    for one in plot_ask(duel(spent, turn=2, options=TacticalOptions(pieces=32), impulse=31), HUNTERS).form.lines:
        assert one.fields[0].help.endswith("flies 12A+13B; not before impulse 8 of turn 3")
        assert one.fields[1].help.startswith("Faces A; once in 7; not before impulse 6 of turn 3; ")
    later = plot_ask(three(impulse=16), HUNTERS).form.lines[0].fields
    assert later[2].help == "All else, or all of it: accelerate 6 on 17; turn right on 20; path A first; reserve 3"
    assert all(len(one.help) <= 100 for one in later)


def test_an_example_can_be_sent_as_it_stands() -> None:
    for unit, first in ((ship("H1", "1020"), 1), (ship("H1", "1020", accelerated_on=30, turned_on=31), 6)):
        ask = plot_ask(duel(unit, turn=2), HUNTERS)
        said = example_of(ask, None)
        assert said == f"H1: thrust 1 on {first}"
        assert ask.answer_from({**read_sheet(ask.form, said)})
    assert not example_of(plot_ask(duel(ship("H1", "1020", tumbling=True, tumbles_until=90), turn=2), HUNTERS), None)


def test_the_question_names_turn_and_piece() -> None:
    ask = plot_ask(three(impulse=16, turn=3), HUNTERS)
    assert (ask.title, ask.asks_for.heading) == ("Turn 3, impulses 17–32: plots", "Turn 3, impulses 17–32")
    assert (ask.asks_for.lines, ask.asks_for.others, ask.leaves_choice) == (("H1", "H2"), "coast", True)
    assert plot_ask(three(options=TacticalOptions(pieces=1)), HUNTERS).asks_for.heading == "Turn 1"
    single = plot_ask(three(options=TacticalOptions(pieces=32), impulse=4), HUNTERS)
    assert single.asks_for.heading == "Turn 1, impulse 5"
    assert plot_ask(duel(ship("R1", "1020")), HUNTERS).is_choice() is False
    assert plot_ask(duel(ship("H1", "1020")), HUNTERS).asks_for.offers == ()  # its one blank line says it
    offer = ask.asks_for.offers[0]
    assert offer.label == "All coast"
    assert ask.answer_from({**offer.values}).of("H1").plot is None


def test_shuttles_have_their_points_in_the_line() -> None:
    shuttle = FlightFigures(size_class=6, form="shuttle", turn_mode="shuttle", rated_speed=6)
    line = plot_ask(duel(ship("H1", "1020", figures=shuttle, half_left=3)), HUNTERS).form.lines[0]
    assert line.fields[0].help.startswith("3 of half its rated speed left, 1 a hex; once in 8; flies 0; ")
    assert line.note == "at 1020, faces A, vector 0, speed 0; 3 of half its rated speed left"


def test_a_sheet_is_bounded_and_says_what_it_is_for(kept: Kept) -> None:
    for name, most in (("thrust", 200), ("turn", 200), ("plot", 600), ("report", 200)):
        assert PlotLine.model_validate({name: "x" * most})
        with pytest.raises(ValidationError):
            PlotLine.model_validate({name: "x" * (most + 1)})
    ask = plot_ask(three(), HUNTERS)
    assert [(one.key, one.label, one.most) for one in ask.form.lines[0].fields] == kept()
    hint = "What happened to it: lost 6 warp; tractor R1 6 to 4; destroyed"
    assert ask.form.lines[0].fields[3].help == hint
    assert ask.text == (
        "Say what each unit does, and on which impulse; what you do not say coasts. Thrust: 6 on 1. Turn: right on 4. "
        "All else in words: slip, het, reserve, launch, land, conditions."
    )
    assert (ask.default_says, ask.rule) == ("All units coast.", "CJD1.21, VM-R36")
