"""Courses that are typed step by step, what was meant by those that cannot be flown, and what is drawn of them."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from tests.expected.kept import cases
from tests.rulebooks.cutler.worlds import world

FLEETS = "hydran F1 0404 CA\nhydran F3 0205 CA+FF course 0206\nlyran F1 0707 CA\n"


def typed(text: str) -> tuple[list[str], list[str]]:
    """What is read back of the Hydran's fleets, and the warnings."""
    ask = turn_ask(world(FLEETS), "hydran")
    answer = ask.answer_from(read_sheet(ask.form, text, ask.refusals_of))  # type: ignore[arg-type]
    return [one for one in ask.read_back(answer) if one.startswith("F")], list(ask.warn(answer))


def refused(text: str) -> str:
    with pytest.raises(Refused) as fault:
        typed(text)
    return str(fault.value)


@pytest.mark.rule("cutler", "2.2")
@pytest.mark.parametrize("text", ["F3: 0206 > 0207", "F3: 0206>0207", "F3 0206 > 0207", "F3: 0205 > 0206 > 0207"])
def test_a_course_is_written_step_by_step(text: str) -> None:
    assert typed(text)[0][1] == "F3 (Hydran F3 Ca, Hydran F3 Ff): 0205 → 0206 → 0207."


@pytest.mark.rule("cutler", "2.2")
def test_steps_that_are_no_neighbours_are_filled_in_and_said() -> None:
    said, warned = typed("F3: 0206 > 0209 > 0309")
    assert said[1] == "F3 (Hydran F3 Ca, Hydran F3 Ff): 0205 → 0206 → 0207 → 0208 → 0209 → 0309."
    assert warned[0] == "F3: 0206 and 0209 are no neighbours; it goes by 0207 0208."
    assert not [one for one in typed("F3: to 0209")[1] if "neighbours" in one]  # which asks for just that
    assert not [one for one in typed("F3: 0206 > 0207")[1] if "neighbours" in one]


@cases("text, said")
def test_what_cannot_be_flown_is_refused_with_what_was_meant(text: str, said: str) -> None:
    assert said in refused(text)


@pytest.mark.rule("cutler", "2.2", "2.7")
def test_stored_courses_and_those_of_convoys_are_on_their_owners_map_alone() -> None:
    state = world(FLEETS + "hydran V1 0204 FL+FL course 0304 0404\n")

    def drawn(side: str) -> dict[str, tuple[str, ...]]:
        board = RULEBOOK.side_board(state, side, Knowledge())
        return {one.counter: one.hexes for one in board.courses if one.kind == "plotted"}

    assert drawn("hydran") == {"F3": ("0205", "0206"), "V1": ("0204", "0304", "0404")}
    assert drawn("lyran") == drawn("klingon") == {}
