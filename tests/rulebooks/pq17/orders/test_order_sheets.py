"""What is said of lines that a sheet does not have, and of towing that cannot be read."""

import pytest

from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanLine, misplaced, read_tows, write_tows
from tests.expected.kept import Kept

FORM = Form(lines=(Line(key="A1", label="A1", fields=(Field(key="route", label="Route", kind="text"),)),))


@pytest.mark.parametrize(
    ("lines", "refusals"),
    [
        ({"A2": PlanLine(route="0405")}, ["A2: there is no such line. Legal: A1."]),
        ({"A11": PlanLine(route="0405")}, ["A11: there is no such line. Legal: A1. Did you mean A1?"]),
        ({"A1": PlanLine(shadow=True)}, ["A1.shadow: this line has no such field. Legal: route."]),
        ({"A1": PlanLine(route="0405")}, []),
    ],
)
def test_what_the_sheet_does_not_have_is_refused(lines: dict[str, PlanLine], refusals: list[str]) -> None:
    assert [str(one) for one in misplaced(FORM, lines)] == refusals


@pytest.mark.rule("pq17", "5.4.2", "5.4.4", "5.4.7.3.2")
@pytest.mark.parametrize("text", ["lance", "lance>", ">orb", "lance>orb*x", "lance>orb moth"])
def test_towing_that_cannot_be_read_is_refused_with_how_it_is_written(text: str, kept: Kept) -> None:
    groups, refusals = read_tows(f"vigil>mote, {text}", "A1.tow")
    assert write_tows(groups) == "vigil>mote"
    assert [str(one) for one in refusals] == kept()
