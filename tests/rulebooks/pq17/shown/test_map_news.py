"""What PQ-17 numbers on a map: battles, losses, raids, and where they rank."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.nations.victory_points import place_of, score, score_raid
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, side_board
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, world

WHY = because("PQ-17 T5")
NOW = "\nturn 2 impulse 1 half A"
MET = "A1 0405 CA\nA2 0405 DD\nC1 0405 CA+FF\nsettled 0405 alliance Amberline"


def met(text: str = MET) -> TurnContext[State]:
    """A world in which everybody has found whom he shares a hex with."""
    at = table(world(text + NOW, raid_table="pq17"))
    at.set_time(2, 1, "now")
    announce_detections(at)
    return at


def seen(at: TurnContext[State], side: str = "alliance") -> Board:
    return side_board(at.state, side, at.knowledge(side))


def news(at: TurnContext[State], side: str = "alliance") -> list[tuple[str, str]]:
    return [(place.fact, place.aside) for place in seen(at, side).news]


def battle(at: TurnContext[State], **more: Any) -> None:
    """A battle of A1 against C1."""
    plain: dict[str, Any] = {"key": "1", "hex": "0405", "attacker": "alliance", "defender": "coalition"}
    parts: dict[str, Any] = {"original": ["C1"], "attackers": ["A1"], "conditions": 1}
    at.state.battles = [Battle.from_json(plain | parts | more)]


@pytest.mark.rule("pq17", "6.2.2")
def test_a_contact_is_numbered_for_both_by_each_ones_own_numbers():
    at = met()
    assert news(at) == [("Amberline: E1 meets A1 and A2", "new")]
    assert news(at, "coalition") == [("Amberline: E1 and E2 meet C1", "new")]
    (place,) = seen(at).news
    assert (place.title, place.note) == ("Amberline 0405", ""), "nothing is known of it"
    assert place.choice == "A1 and A2 may search, attack or slip away"


@pytest.mark.rule("pq17", "8.4.6")
def test_an_open_battle_comes_first_and_its_hex_is_marked_for_those_who_know_of_it():
    at = met(f"{MET}\nA3 0808 CA\nC2 0808 CA")
    battle(at)
    first, second = news(at)
    assert first == ("Amberline: A1 in battle with E1", "thread is open")
    assert second == ("0808: E2 meets A3", "new")
    assert news(at, "coalition")[0][0].startswith("Amberline: C1 in battle with E")
    for board in (seen(at), seen(at, "coalition"), omniscient_board(at.state)):
        assert [one.hex for one in board.counters if one.form == "battle"] == ["0405"]
    assert "battle" not in [one.form for one in public_board(at.state).counters]
    assert public_board(at.state).news == ()
    assert omniscient_board(at.state).news[0].fact == "Amberline: A1 in battle with C1"
    at.state.battles[0].winner = "alliance"
    assert news(at)[0] == ("Amberline: A1 in battle with E1", "thread is closed")


def test_the_other_sides_forces_are_named_in_the_order_of_the_readers_numbers():
    at = met("A1 0405 CA\nC5 0405 CA\nC1 0405 DD")
    at.state.tracks["alliance"].current = {"C5": "E1", "C1": "E2"}
    battle(at, original=["C1"], joiners={"C5": "A1"})
    assert news(at)[0][0] == "0405: A1 in battle with E1 and E2"


@pytest.mark.rule("pq17", "2.1", "T5.1")
def test_a_loss_is_numbered_for_everybody_with_the_points_as_each_counts():
    at = met("A1 0808 CA")
    score(at, "T5.1", Fraction(-5, 2), WHY, text="A Tester CA destroyed in 0405.")
    assert news(at) == [("0405: a Tester CA destroyed", "−2½ VP")]
    assert news(at, "coalition") == [("0405: a Tester CA destroyed", "+2½ VP")]
    assert [place.fact for place in public_board(at.state).news] == ["0405: a Tester CA destroyed"]
    at.state.turn = 4
    assert news(at) == [], "it is news for one turn"


def test_several_losses_are_counted_by_whose_they_are():
    at = met("A1 0808 CA")
    for amount in (-2, 1, 1):
        score(at, "T5.3", Fraction(amount), WHY, text="A Tester DD crippled by mines in 0405.")
    assert news(at) == [("0405: 1 of yours, 2 of theirs lost or crippled", "")]
    assert news(at, "coalition") == [("0405: 2 of yours, 1 of theirs lost or crippled", "")]
    assert public_board(at.state).news[0].fact == "0405: 3 ships lost or crippled"


def test_what_the_reader_may_not_know_is_not_numbered():
    at = met("A1 0808 CA")
    score(at, "T5.1", Fraction(2), WHY, text="A Tester CA destroyed in 0405.", seen_by=["coalition"])
    assert news(at) == []
    assert len(news(at, "coalition")) == 1


def test_own_losses_come_before_those_of_others():
    at = met("A1 0808 CA")
    score(at, "T5.1", Fraction(3), WHY, text="A Tester CA destroyed in 0101.")
    score(at, "T5.1", Fraction(-1), WHY, text="A Tester DD destroyed in 0707.")
    assert [place.hexes[0] for place in seen(at).news] == ["0707", "0101"]
    assert [place.hexes[0] for place in seen(at, "coalition").news] == ["0101", "0707"]


@pytest.mark.rule("pq17", "8.6.2.7")
def test_a_raid_is_numbered_and_so_is_the_chance_of_one():
    at = met("C1 0602 CA\nsettled 0602 alliance Amberline")
    assert news(at) == [("Amberline: E1 in your settled hex", "new")]
    assert news(at, "coalition") == [("Amberline: C1 can raid the settled hex", "")]
    at.state.settled["0602"].raided_on = 2
    assert news(at)[0] == ("Amberline: your settled hex was raided", "")
    assert news(at, "coalition") == [("Amberline: raided", "")]
    score_raid(at, text="A raid on 0602 succeeded.", why=WHY)
    assert news(at)[0] == ("Amberline: raided", "−1 VP")


def test_where_own_forces_fought_without_losses_is_numbered():
    at = met("A1 0405 CA\nC1 0808 CA")
    unit = at.state.units["A1.CA"]
    unit.repairs = unit.repairs.with_values(fought=2)
    assert news(at) == [("0405: A1 has been in battle", "")]
    assert news(at, "coalition") == []


@pytest.mark.rule("pq17", "T5.1", "T5.4", "C.vp.11")
@cases("line, text, hex_id")
def test_the_place_of_a_line_of_points(line: Any, text: str, hex_id: str):
    assert place_of(VpLine(line=line, amount=Fraction(1), turn=1, impulse=1, text=text)) == hex_id


def test_a_line_that_a_referee_wrote_may_be_anything():
    at = met("A1 0808 CA")
    for text in ("", " in ", "in in in", "x" * 4000 + " in 0405.", "\u202e in 0405"):
        score(at, "T5.1", Fraction(1), WHY, text=text)
    (place,) = seen(at).news
    assert isinstance(place, News)
    assert place.hexes == ("0405",)
