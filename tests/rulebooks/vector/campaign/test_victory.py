"""When a duel is over, and who has won. VM-N25"""

import pytest

from rules_engine.rulebooks.vector.campaign.victory import ending, is_decided, say_clock
from rules_engine.rulebooks.vector.records.aims import DuelRules
from rules_engine.rulebooks.vector.records.state import VectorState
from tests.rulebooks.vector.duels import duel


def winners(state: VectorState) -> tuple[str, ...] | None:
    found = ending(state)
    return None if found is None else found.winners


class TestChase:
    """A courier and its hunters."""

    def test_it_goes_on_while_both_have_ships(self):
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=5)) is None
        assert winners(duel("C1 courier 0410 8C from:7 | H1 hunter 2020 0", turn=5)) is None
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0 from:7", turn=5)) is None

    def test_nothing_is_decided_before_the_first_turn_and_before_the_set_up_is_revealed(self):
        state = duel("C1 courier 0410 8C out:caught | H1 hunter 2020 0", turn=0)
        assert winners(state) is None
        state.revealed = False
        assert not is_decided(state)

    def test_a_courier_that_is_caught_has_lost(self):
        state = duel("C1 courier 0410 8C out:caught | H1 hunter 2020 0 | P1 hunter 2021 0")
        state.captains["p"].caught.append("C1")
        assert winners(state) == ("p",)
        found = ending(state)
        assert found is not None
        assert found.text == "Captain P caught the courier. Captain P has won."
        assert found.scores == {"c": "0 ships away", "h": "0 ships caught", "p": "1 ship caught"}

    def test_a_courier_that_is_destroyed_has_lost_to_all_hunters(self):
        found = ending(duel("C1 courier 0410 8C out:destroyed | H1 hunter 2020 0 | P1 hunter 2021 0"))
        assert found is not None
        assert found.winners == ("h", "p")
        assert found.text == "The courier was destroyed. Captain H and Captain P have won."

    def test_a_courier_that_is_away_has_won(self):
        found = ending(duel("C1 courier 0410 8C out:left | H1 hunter 2020 0"))
        assert found is not None
        assert (found.winners, found.text) == (("c",), "Captain C got away. Captain C has won.")

    @pytest.mark.parametrize(("second", "won"), [("out:left", ("c",)), ("out:caught", ("h",))])
    def test_half_of_a_couriers_ships_are_enough(self, second: str, won: tuple[str, ...]):
        state = duel(f"C1 courier 0410 8C out:caught | C2 courier 0410 8C {second} | H1 hunter 2020 0")
        state.captains["h"].caught.append("C1")
        assert winners(state) == won

    def test_one_of_three_is_not_enough(self):
        ships = "C1 courier 0410 8C out:caught | C2 courier 0410 8C out:caught | C3 courier 0410 8C out:left"
        assert winners(duel(f"{ships} | H1 hunter 2020 0")) == ("h",)

    def test_of_two_couriers_each_wins_or_loses_by_itself(self):
        state = duel("C1 courier 0410 8C out:caught | D1 courier 0410 8C out:left | H1 hunter 2020 0")
        assert winners(state) == ("d",)

    def test_only_the_winners_count_as_away(self):
        """D has saved one of three ships, which is too few; C was not caught, and is still there."""
        ships = "D1 courier 0410 8C out:left | D2 courier 0410 8C out:caught | D3 courier 0410 8C out:caught"
        found = ending(duel(f"C1 courier 0410 8C | {ships} | H1 hunter 2020 0", turn=12))
        assert found is not None
        assert (found.winners, found.text) == (("c",), "Captain C was not caught in time. Captain C has won.")

    def test_who_is_not_caught_by_turn_11_never_is(self):
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=10, turns=20)) is None
        found = ending(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=11, turns=20))
        assert found is not None
        assert (found.winners, found.text) == (("c",), "Captain C was not caught in time. Captain C has won.")

    def test_couriers_win_at_the_last_turn(self):
        rules = DuelRules(match_before=0)
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=11, rules=rules)) is None
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=12, rules=rules)) == ("c",)

    def test_without_hunters_a_courier_has_won(self):
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0 out:destroyed")) == ("c",)


class TestRace:
    """Racers."""

    def test_it_goes_on_while_two_have_ships(self):
        assert winners(duel("L1 racer 0410 8C | M1 racer 2020 0", turn=3)) is None

    def test_the_first_over_the_line_has_won(self):
        state = duel("L1 racer 0410 8C | M1 racer 2020 0 | N1 racer 2020 0", turn=3)
        assert winners(state) is None
        state.captains["m"].done_on, state.captains["n"].done_on = 70, 71
        assert winners(state) == ("m",)
        found = ending(state)
        assert found is not None
        assert found.text == "Captain M crossed the line first, on turn 3, impulse 6. Captain M has won."
        assert found.scores["m"] == "over the line on turn 3, impulse 6"
        state.captains["n"].done_on = 70
        assert winners(state) == ("m", "n")
        both = ending(state)
        assert both is not None
        assert both.text.endswith("Captain M and Captain N have won.")

    def test_at_the_last_turn_most_buoys_count(self):
        state = duel("L1 racer 0410 8C | L2 racer 0410 8C | M1 racer 2020 0", turn=12, buoys=("0101", "0202", "0303"))
        assert winners(state) == (), "nobody is ahead"
        undecided = ending(state)
        assert undecided is not None
        assert undecided.text == "Nobody crossed the line, and nobody is ahead. Nobody has won."
        state.captains["l"].passed = {"L1": 1, "L2": 2}
        state.captains["m"].passed = {"M1": 1}
        assert winners(state) == ("l",)
        ahead = ending(state)
        assert ahead is not None
        assert ahead.text == "Nobody crossed the line. Captain L passed most buoys: 2. Captain L has won."
        state.captains["m"].passed = {"M1": 2}
        assert winners(state) == ()
        found = ending(state)
        assert found is not None
        assert found.scores["l"] == "2 of 3 buoys"

    def test_who_alone_has_ships_left_has_won(self):
        found = ending(duel("L1 racer 0410 8C | M1 racer 2020 0 out:destroyed"))
        assert found is not None
        assert (found.winners, found.text) == (("l",), "Captain L alone has ships left. Captain L has won.")


class TestRendezvous:
    """Squadrons."""

    def test_the_first_to_gather_has_won(self):
        state = duel("N1 squadron 0410 8C | S1 squadron 2020 0")
        state.captains["s"].done_on = 20
        found = ending(state)
        assert found is not None
        assert found.winners == ("s",)
        assert found.text == "Captain S gathered first, on turn 1, impulse 20. Captain S has won."
        assert found.scores == {"n": "not gathered", "s": "gathered on turn 1, impulse 20"}

    def test_at_the_last_turn_it_is_a_draw(self):
        found = ending(duel("N1 squadron 0410 8C | S1 squadron 2020 0", turn=12))
        assert found is not None
        assert (found.winners, found.text) == ((), "No squadron has gathered. Nobody has won.")


@pytest.mark.parametrize(
    ("clock", "said"),
    [(1, "turn 1, impulse 1"), (32, "turn 1, impulse 32"), (33, "turn 2, impulse 1"), (64, "turn 2, impulse 32")],
)
def test_impulses_are_said_by_their_turn(clock: int, said: str):
    assert say_clock(clock) == said
