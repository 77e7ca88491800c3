"""Economies, standing budgets and what reminders say of losses: each race reads of its own alone.

The watcher asks for ``/economy`` whenever it may look at everything, lets deadlines come near so that it is reminded,
and presses all that the card offers.
"""

from functools import cache
from typing import Any

import pytest

from tests.secrecy.quiet_policies import by_default, cutler_sheet
from tests.secrecy.test_cutler import GUESSES, PLAIN
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike

LATE = PLAIN.but(late=frozenset({"hydran"}), curious=True)
STANDS = {"economy": {"reserve": 7, "pool": 11, "stands": "yes"}, "D1": {"work": "build frigate", "cpv": 9}}
WASTES = {"economy": {"reserve": 3, "pool": 0}}


def two(lyran: dict[str, dict[str, object]], klingon: dict[str, dict[str, object]]) -> World:
    """The Lyran and the Klingon with these sheets."""
    policies = {**PLAIN.policies, "lyran": cutler_sheet(lyran), "klingon": cutler_sheet(klingon)}
    return LATE.but(policies=policies)


@cache
def plain() -> Record:
    return watch(LATE, guesses=GUESSES)


def test_the_watcher_is_shown_its_own_economy_and_reminded_of_its_own_losses() -> None:
    """Else nothing would be compared."""
    told = "\n".join(line for moment in plain().moments for line in moment)
    assert "/economy" in told
    assert "Azure Station, bay 1" in told
    assert "your side's time is up" in told
    assert "50 repair boxes stand idle" in told
    assert "High Den" not in "\n".join(line for what, *lines in plain().moments if what == "/economy" for line in lines)


@pytest.mark.thorough
@pytest.mark.parametrize("worlds", [(STANDS, WASTES), (WASTES, STANDS)], ids=["lyran", "klingon"])
def test_what_others_save_spend_waste_and_let_stand_is_unseen(
    worlds: tuple[dict[str, dict[str, object]], dict[str, dict[str, object]]],
) -> None:
    # What CPV are spent on is written in secret (6.2, 6.4), and so is what stands of it for later turns (CU-N150).
    other = watch(two(*worlds), guesses=GUESSES)
    alike(plain(), other)
    assert plain().hidden != other.hidden


@pytest.mark.thorough
def test_a_standing_budget_that_is_carried_out_without_a_word_is_unseen() -> None:
    """The other's budget stands in the second turn, though its sheet says nothing there."""
    kept: list[tuple[int, str, bool]] = []

    def says(sheet: dict[str, dict[str, object]]) -> Any:
        def policy(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
            kept.append((adjudicator.turn, side, bool(adjudicator._state.empires[side].budget)))
            chosen = cutler_sheet(sheet) if adjudicator.turn == 1 else by_default
            return chosen(adjudicator, side, ask, chance)

        return policy

    two_turns = LATE.but(turns=2, policies={**PLAIN.policies, "lyran": says({})})
    plain = watch(two_turns, guesses=GUESSES)
    assert (2, "lyran", False) in kept
    other = watch(two_turns.but(policies={**PLAIN.policies, "lyran": says(STANDS)}), guesses=GUESSES)
    assert (2, "lyran", True) in kept
    alike(plain, other)
