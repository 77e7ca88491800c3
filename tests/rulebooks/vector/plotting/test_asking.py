"""What a captain is asked for a piece of a turn, in words."""

import pytest

from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import CRUISER, HUNTERS, duel, planet, ship, three
from tests.rulebooks.vector.plotting.sheets import asked, read_back, refused


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
        "Turn 1, impulses 1–16",
        "coast",
        "unit",
        ("H1", "H2"),
    )
    (offer,) = ask.question.offers
    assert (offer.label, [*offer.values]) == ("All coast", ["H1", "H2"])
    assert ask.default_says == "All units coast."
    line = ask.form.lines[0]
    assert line.label == "H1 Kestrel at 1020"
    assert line.note == "at 1020, faces A, vector 6A, speed 6; 30+1 points left, 4 in reserve"
    assert [(one.label, one.help, one.example) for one in line.fields] == kept()


@cases("pieces, impulse, heading")
def test_the_piece_that_is_asked_for(pieces: int, impulse: int, heading: str) -> None:
    battle = three(options=TacticalOptions.model_validate({"pieces": pieces}), impulse=impulse)
    ask = plot_ask(battle, HUNTERS)
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
    said = read_back(duel(ship("H1", "1020", "0")), "H1: accelerate 16 on 1")
    assert said == kept()
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
