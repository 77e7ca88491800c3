"""What cards say of a line where the rulebook does not say it."""

from rules_engine.core.forms.forms import Line
from rules_engine.core.protocol.question import LineNow, usual_lines

VANGUARD = Line("A1", "A1 Vanguard in 0405", ())


def test_what_is_said_of_the_only_line_does_not_name_it_again() -> None:
    said = ["A1 Vanguard in 0405: does not search.", "Nothing else is asked."]
    assert usual_lines([VANGUARD], {}, said, ["A1 is short of fuel."], is_all=True) == {
        "A1": LineNow("Does not search. Nothing else is asked.", "A1", doubts=("A1 is short of fuel.",))
    }


def test_what_is_said_of_the_whole_stays_as_it_is() -> None:
    assert usual_lines([VANGUARD], {}, ["All ships stay."], [], is_all=True)["A1"].now == "All ships stay."
