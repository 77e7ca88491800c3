"""2.10: what is offered, agreed, ended and stored of coordinated forces, and every word that each race reads of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.rulebooks.cutler.ch02_movement import coordination
from rules_engine.rulebooks.cutler.records.orders import CoordinationLine
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Empire, Fight
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import table_of, world

H, L, K, G = "hydran", "lyran", "klingon", "gorn"
Wishes = Mapping[str, Sequence[str]]


def of_four(forces: Sequence[Sequence[str]] = (), more: Wishes | None = None) -> CutlerState:
    """Four races, in these forces, of which some wish for more; all of it is known to those whom it concerns."""
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0708 CW\n")
    state.sides = (*state.sides, SideLabel(key=G, name="Gorn", emblem="G"))
    state.empires[G] = Empire(race=G)
    named = {race: {other for force in forces if race in force for other in force} - {race} for race in state.races()}
    wishes = {race: [one for one in state.races() if one in named[race]] for race in state.races()}
    wishes |= {race: list(others) for race, others in (more or {}).items()}
    told = {race: list(others) for race, others in wishes.items()}
    state.coordination = Coordination(wishes=wishes, told=told, forces=[list(force) for force in forces])
    return state


def settled(state: CutlerState, wishes: Wishes) -> CutlerTurn:
    """The table after these races have changed what they wish for; settled again, nothing happens any more."""
    state.coordination.wishes |= {race: list(others) for race, others in wishes.items()}
    turn = table_of(state)
    coordination.settle_coordination(turn)
    told, agreed = list(turn.shared.reports), state.coordination.to_json()
    coordination.settle_coordination(turn)
    assert (turn.shared.reports, state.coordination.to_json()) == (told, agreed)
    assert coordination.coordination_defects(state) == []
    return turn


def texts(turn: CutlerTurn) -> dict[str, list[str]]:
    """What each race was told, but for those that were told nothing."""
    found = {race: [one.text for one in turn.shared.reports if one.is_for(race)] for race in turn.state.races()}
    assert not any(one.is_public() for one in turn.shared.reports)
    return {race: said for race, said in found.items() if said}


ACCEPT = "Name it on your sheet to accept."
PAIR = "Hydran and Lyran act as one force from now on."
ALL = "Hydran and Lyran and Klingon act as one force from now on."
NO_MORE = "You are one force with the {} no longer."


@cases("before, wishes, forces, told")
def test_what_comes_of_wishes_and_who_is_told_in_which_words(before, wishes, forces, told) -> None:
    turn = settled(of_four(before), wishes)
    assert (turn.state.coordination.forces, texts(turn)) == (forces, told)


@pytest.mark.rule("cutler", "2.10")
def test_offers_that_are_withdrawn_are_told_to_those_alone_who_had_them() -> None:
    state = of_four(more={H: [L, K]})
    assert texts(settled(state, {H: [K]})) == {L: ["The Hydran offers to act as one force with you no longer."]}
    assert [empire.alerts for empire in state.empires.values()] == [[], [], [], []]
    assert state.coordination.told == {H: [K], L: [], K: [], G: []}


@pytest.mark.rule("cutler", "2.10")
def test_offers_and_ends_are_reasons_to_be_asked(kept: Kept) -> None:
    state = settled(of_four([[H, L, K]]), {L: [G]}).state
    assert {race: empire.alerts for race, empire in state.empires.items()} == kept()
    # Who is left names it no longer, and goes on naming each other.
    assert state.coordination.wishes == {H: [K], L: [G], K: [H], G: []}
    assert state.coordination.told == {H: [K], L: [G], K: [H], G: []}


@pytest.mark.rule("cutler", "2.10")
@pytest.mark.parametrize(("force", "forces"), [([H, L], []), ([H, L, K], [[H, K]]), ([H, K], [[H, K]])])
def test_a_race_that_is_out_of_play_is_in_no_force_and_named_by_nobody(force, forces) -> None:
    state = of_four([force])
    state.out = [L]
    settled(state, {})
    assert state.coordination.forces == forces
    assert L not in {one for named in state.coordination.wishes.values() for one in named}
    assert state.coordination.wishes[L] == []


@cases("parted, forces, told")
def test_who_parted_as_combat_began_is_in_no_force_afterwards(parted, forces, told) -> None:
    state = of_four([[H, L, K]])
    turn = table_of(state)
    coordination.part_after_combat(turn, {"0303": Fight(), "0404": Fight(parted=parted)})
    assert (state.coordination.forces, texts(turn)) == (forces, told)


# --- the line --------------------------------------------------------------------------------------------------------
RATING = "The counter of a coordinated force goes by command rating."
OWN = "The counter of a coordinated force is to be that of the Hydran."


@cases("line, colour, said")
def test_a_line_is_read_back_against_what_stands(line: dict[str, Any], colour: str, said: list[str]) -> None:
    state = of_four([[H, L]])
    state.coordination.colours = {H: colour} if colour else {}
    assert coordination.read_coordination(state, H, CoordinationLine.model_validate(line)) == said


@cases("line, wishes, colour")
def test_what_a_line_leaves_out_stays_as_it_was(line: dict[str, Any], wishes: list[str], colour: str | None) -> None:
    state = of_four([[H, L]])
    state.coordination.colours = {H: K}
    coordination.store_coordination(state, H, CoordinationLine.model_validate(line))
    assert (state.coordination.wishes[H], state.coordination.colours.get(H)) == (wishes, colour)
    assert state.coordination.wishes[L] == [H]


@cases("out, colour, offered")
def test_a_line_offers_all_others_in_play(out, colour, offered) -> None:
    state = of_four([[H, L]])
    state.out, state.coordination.colours = out, {H: colour} if colour else {}
    (line,) = coordination.coordination_lines(state, H)
    partners, counter = line.fields
    assert (*[[one.value for one in field.choices] for field in line.fields], partners.value, counter.value) == offered


def test_who_is_alone_in_play_is_asked_nothing() -> None:
    state = of_four()
    state.out = [L, K, G]
    assert coordination.coordination_lines(state, H) == []


@cases("line, refused")
def test_what_is_refused_of_a_line(line: dict[str, Any], refused: list[str]) -> None:
    state = of_four()
    state.out = [L]
    assert [
        str(one) for one in coordination.judge_coordination(state, H, CoordinationLine.model_validate(line))
    ] == refused


@pytest.mark.rule("cutler", "2.10")
def test_what_a_race_reads_of_it_on_its_board(kept: Kept) -> None:
    state = of_four([[H, L]], more={H: [L, K], G: [H, L]})
    assert {race: coordination.coordination_rows(state, race) for race in state.races()} == kept()
    assert coordination.coordination_rows(of_four(), H) == []


@cases("forces, wishes, found")
def test_what_must_never_be_true_of_forces(forces, wishes, found) -> None:
    state = of_four()
    state.coordination = Coordination(forces=forces, wishes=wishes)
    assert coordination.coordination_defects(state) == found
