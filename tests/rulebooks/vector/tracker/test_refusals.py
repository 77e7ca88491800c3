"""What a captain reads of a plot that is refused: what is wrong, the rule, and what would be legal."""

from typing import Any

from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.expected.kept import cases
from tests.rulebooks.vector.skies import plot, sky


@cases("units, events, fields, said")
def test_a_refusal_names_what_is_wrong_the_rule_and_what_would_be_legal(
    units: str, events: str, fields: dict[str, Any], said: str
):
    found = foresee(sky(units.replace("; ", "\n")), "H1", plot(*filter(None, events.split("; ")), **fields), 32).defects
    assert [str(one.refusal).removeprefix("H1: ") for one in found] == [said]
