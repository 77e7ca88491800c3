"""The demo's officers read a sheet as it is sent, and write what a player would."""

import pytest

from bot.demo.officers import CUTLER_PLANS, PQ17_PLANS, Officer

BATTLE = """# The battle
#   winner: Alliance, Coalition, nobody
#   turns: a whole number from 1 to 99
outcome:
# A1.CA Kestrel (Alliance)
#   fate: survived, destroyed, disengaged
#   turn: a whole number from 1 to 99, or - for none
A1.CA: fate survived
# A1.DD Merlin (Alliance)
#   (fields as above)
A1.DD: fate survived
# C1.CA Talon (Coalition)
#   fate: survived, destroyed
C1.CA: fate survived
"""


def test_an_account_costs_the_first_force_a_ship_and_lets_the_rest_withdraw() -> None:
    officer = Officer("Alliance", PQ17_PLANS)
    assert officer.orders("Battle in 0505", BATTLE).splitlines() == [
        "outcome: winner Coalition; turns 6",
        "A1.CA: fate destroyed",
        "A1.DD: fate disengaged; turn 4",
    ]


def test_who_is_mistaken_sends_a_wrong_account_first_and_the_right_one_when_told() -> None:
    officer = Officer("Coalition", PQ17_PLANS, mistaken=True)
    assert "turns 5" in officer.orders("Battle in 0505", BATTLE)
    officer.correct("Battle in 0505")
    assert "turns 6" in officer.orders("Battle in 0505", BATTLE)
    assert "turns 5" in officer.orders("Battle in 0606", BATTLE)


@pytest.mark.parametrize(
    ("sheet", "orders"),
    [
        ("# The fleets\n#   card: bypass, combat\nF1: card bypass\n", "F1: card combat"),
        ("# Whom to tell\n#   race: hydran, lyran\nnews: race lyran\n", "news: race hydran"),
        (
            "# E1 in 0404\n#   target: A2, A3, or - for none\n#   shadow: yes or no\nA1: target -\n",
            "A1: target A2; shadow yes",
        ),
        ("# E1 in 0404\n#   target: A2, A3\nA1: target A3\n", "A1: target A2"),
        ("# Anything else\n#   colour: red, blue\nA1: colour red\n", ""),
    ],
)
def test_sheets_are_told_apart_by_what_they_ask(sheet: str, orders: str) -> None:
    assert Officer("Alliance", PQ17_PLANS).orders("Sheet", sheet) == orders


def test_turn_sheets_are_answered_by_the_plan_of_that_turn() -> None:
    sheet = "# The economy\n#   reserve: a whole number from 0 to 999\neconomy: reserve 0\n"
    officer = Officer("Lyran", CUTLER_PLANS)
    assert officer.orders("Turn 1", sheet) == CUTLER_PLANS["Lyran", 1]
    assert officer.orders("Turn 2", sheet) == CUTLER_PLANS["Lyran", 2]
    assert officer.orders("Turn 3", sheet) == ""
    whole = Officer("Alliance", {("Alliance", 0): "side: run on"})
    assert [whole.orders("Turn", "# Side\n#   bid: 0, 1\nside: bid 0\n") for _ in range(2)] == ["side: run on"] * 2
