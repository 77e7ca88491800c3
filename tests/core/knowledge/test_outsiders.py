"""Outsiders: owners on a board that are no sides."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.reports import Report, Sighted
from rules_engine.core.knowledge.side_tables import contacts_table
from rules_engine.core.knowledge.views import Board, Counter, Knowledge, contact_counters
from rules_engine.core.records.journal import Checkpoint, Genesis

RED = SideLabel(key="red", name="Red League", emblem="R")
MONSTERS = Outsider(key="monsters", name="Beasts of the Rim", emblem="B")
PIRATES = Outsider(key="pirates", name="Pirates", emblem="Pi")


def board(**parts: Any) -> Board:
    fields = {"campaign": "C", "rulebook": "none", "heading": "Turn 1", "when": When(turn=1), "sides": (RED,)}
    return Board(**(fields | {"grid": Grid(columns=4, rows=4)} | parts))


def known_to_red() -> Knowledge:
    """A monster, and something of which nobody knows whose it is."""
    knowledge = Knowledge()
    beast = Sighted(track="E1", hex="0101", owner="monsters", level_name="ID1", headline="it is large")
    blip = Sighted(track="E2", hex="0102", level_name="U", headline="a blip")
    when = When(turn=1, label="Turn 1")
    knowledge.learn(Report(number=1, place="T1", when=when, to=("red",), kind="x", text="x", facts=(beast, blip)))
    return knowledge


class TestOnABoard:
    def test_a_board_without_them_is_written_as_ever(self):
        assert "outsiders" not in board().model_dump()
        assert b"outsiders" not in board().spelling
        assert board() == board(outsiders=())

    def test_a_board_with_them_is_read_as_it_was_written(self):
        one = board(outsiders=(MONSTERS, PIRATES), counters=(Counter(id="1", hex="0101", owner="pirates", label="P"),))
        assert Board.model_validate_json(one.model_dump_json()) == one

    @pytest.mark.parametrize(
        ("outsiders", "what"),
        [
            ((MONSTERS.with_values(key="red"),), "red"),
            ((MONSTERS, PIRATES.with_values(key="monsters")), "monsters"),
            ((MONSTERS, PIRATES.with_values(emblem="B")), "B"),
        ],
        ids=["a side's key", "one key twice", "one emblem twice"],
    )
    def test_no_two_owners_are_called_alike(self, outsiders: tuple[Outsider, ...], what: str):
        with pytest.raises(ValidationError, match=rf"two owners are called {what} \["):
            board(outsiders=outsiders)

    @pytest.mark.parametrize("emblem", ["", "ABC", "7", "B-", " B"])
    def test_an_emblem_is_one_or_two_letters(self, emblem: str):
        with pytest.raises(ValidationError, match="emblem"):
            Outsider(key="monsters", name="Monsters", emblem=emblem)
        assert Outsider(key="monsters", name="Monsters", emblem="Ж").emblem == "Ж"

    @pytest.mark.parametrize("key", ["", "*", "@referee", "Monsters", "red+blue", "a b"])
    def test_a_key_is_none_that_an_audience_could_have(self, key: str):
        with pytest.raises(ValidationError, match="key"):
            Outsider(key=key, name="Monsters", emblem="M")

    def test_a_board_names_all_its_owners(self):
        one = board(outsiders=(MONSTERS,))
        assert [one.name_of(key) for key in ("red", "monsters", "", "who")] == [
            "Red League",
            "Beasts of the Rim",
            "",
            "who",
        ]


class TestNoSide:
    def test_they_never_stand_among_the_sides(self):
        outcome = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=1)
        rest: dict[str, Any] = {"rulebook": "r", "version": "1", "commitment": "c", "scenario": {}, "outcome": outcome}
        Genesis(title="t", sides=(RED,), **rest)
        monsters: Any = MONSTERS
        with pytest.raises(ValidationError, match="sides"):
            Genesis(title="t", sides=(RED, monsters), **rest)
        with pytest.raises(ValidationError, match="sides"):
            board(sides=(RED, monsters))
        with pytest.raises(ValidationError, match="outsiders"):
            board(outsiders=(RED,))


class TestAsContacts:
    def test_a_sighting_keeps_its_owner(self):
        (beast, blip) = contact_counters(known_to_red(), When(turn=1), grade_of=lambda level: level)
        assert (beast.owner, blip.owner) == ("monsters", "")

    def test_the_table_of_contacts_says_whose_they_are_by_name(self):
        table = contacts_table(known_to_red(), board(outsiders=(MONSTERS,)))
        assert table.columns[:6] == ("Contact", "Whose", "When", "Hex", "Level", "What was seen")
        assert table.columns[6:] == ("Source", "Age", "Confidence")
        assert table.rows == (
            ("E1", "Beasts of the Rim", "Turn 1", "0101", "ID1", "it is large", "", "now", ""),
            ("E2", "unknown", "Turn 1", "0102", "U", "a blip", "", "now", ""),
        )

    def test_where_there_are_none_the_table_is_as_ever(self):
        table = contacts_table(known_to_red(), board())
        assert table.columns[:5] == ("Contact", "When", "Hex", "Level", "What was seen")
        assert table.rows[1] == ("E2", "Turn 1", "0102", "U", "a blip", "", "now", "")
