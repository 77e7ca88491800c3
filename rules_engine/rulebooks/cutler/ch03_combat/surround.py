"""Chapter 3.6.1.1: surrounding who was caught. The players roll on the table; their sheet says what a roll needs."""

from collections.abc import Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.state import Unit

SURROUNDED = 3
"""The highest result at which a group surrounds. 3.6.1.1"""


@rule("3.6.1.1", "3.6.1.1.1", "3.6.1.1.2")
def surround_limit(escaping: Sequence[Unit], pursuing: Sequence[Unit]) -> int:
    """The highest die at which a group surrounds: a pursuing navigator takes 1 from it, an escaping one adds 1, and two
    have no effect. 3.6.1.1, 3.6.1.1.1, 3.6.1.1.2, CU-R71"""
    return SURROUNDED + has_navigator(pursuing) - has_navigator(escaping)


@rule("3.6.1.1", "3.6.1.1.1", "3.6.1.1.2")
def surround_row(runner: str, hunter: str, escaping: Sequence[Unit], pursuing: Sequence[Unit]) -> str:
    """How to surround, for both sides' sheet. Who has a navigator showed in the escape roll.

    3.6.1.1, 3.6.1.1.1, 3.6.1.1.2, CU-R71
    """
    limit = surround_limit(escaping, pursuing)
    row = f"To surround: name groups; each succeeds on 1-{limit} and is set up in the direction of a second die"
    if limit == SURROUNDED:
        both = has_navigator(escaping)
        return f"{row} (3.6.1.1)." + (" Two legendary navigators have no effect (3.6.1.1.2)." if both else "")
    who, law = (hunter, "3.6.1.1.1") if limit > SURROUNDED else (runner, "3.6.1.1.2")
    return f"{row}, which the legendary navigator of the {who} may shift by 1 either way ({law})."
