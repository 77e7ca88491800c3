"""Corrections and edits by a referee: values as they are typed, what they set, tell and refuse, and replays."""

import json
import re
from dataclasses import field
from enum import IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Field

from rules_engine.core.basics import base, keys, rational, record, refusals
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.records.journal import Edited, JournalEntry
from rules_engine.core.running import edit_values, edits, state_paths
from rules_engine.core.running.corrections import plan_edit
from rules_engine.core.running.edits import assign
from rules_engine.core.running.replay import replay
from tests.core.running.test_adjudicator import AT, Game
from tests.core.small_rulebook import BLUE, PICKS, RED, SEED, PicksState
from tests.expected.kept import cases

FORMER = Path(__file__).parent / "edits_before_sides_were_told.jsonl"
"""A record with two corrections, one of them of a wrong type, written before sides were told of corrections."""


UNTYPED = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")


def texts(game: Game, side: str) -> list[str]:
    return [report.text for report in game.steps[-1].reports if report.is_for(side)]


GENERAL = "The referee made a correction; the journal records it."


class TestPlan:
    def test_old_and_new_stand_side_by_side_and_nothing_is_changed(self):
        game = Game()
        before = game.adjudicator.digest()
        plan = game.adjudicator.plan_edit("Secret_Die", "4")
        assert (plan.path, plan.value, plan.before, plan.after) == ("secret_die", 4, "0", "4")
        assert game.adjudicator.digest() == before
        assert game.adjudicator.head == game.entries[-1]

    def test_what_stands_there_already_is_no_correction(self):
        with pytest.raises(refusals.Refused, match="what stands there already"):
            Game().adjudicator.plan_edit("secret_die", "0")

    def test_a_units_battle_is_named(self):
        game = Game()
        game.turn(5, 5)
        assert game.adjudicator.plan_edit("scores.red", "4").battles == ("Battle of turn 1",)
        assert game.adjudicator.plan_edit("scores", '{"red": 1, "blue": 2}').battles == ("Battle of turn 1",)
        assert game.adjudicator.plan_edit("fail_on", "4").battles == ()

    def test_several_places_are_set_alike_at_once_or_none_of_them(self):
        game = Game()
        before = game.adjudicator.digest()
        plan = game.adjudicator.plan_edit(" scores.red , Picks.blue", "4")
        assert (plan.path, plan.value, plan.before, plan.after) == ("scores.red, picks.blue", 4, "0", "4")
        for path, value, words in (
            ("scores.red, nothing.here", "4", "nothing of that name"),
            ("scores.red, picks.blue", "-4", "below zero"),
            ("scores.red, picks.blue", "many", "a whole number"),
            ("scores.red, picks", "4", "a table is needed here"),
            (", ".join(["turn"] * 13), "4", "too many at once. Legal: at most 12"),
        ):
            with pytest.raises(refusals.Refused, match=words):
                game.adjudicator.edit(path, value, by="ref", reason="x", at=AT)
        with pytest.raises(refusals.Refused, match="at most 1"):
            game.adjudicator.edit("scores.red, scores.blue", None, remove=True, by="ref", reason="x", at=AT)
        assert game.adjudicator.digest() == before
        game.take(game.adjudicator.edit("scores.red,picks.blue", 4, by="ref", reason="x", at=AT))
        game.turn(3, 7)
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()
        assert game.adjudicator._state.scores[RED] == 4

    def test_a_state_that_the_rules_cannot_show_is_refused(self, monkeypatch: pytest.MonkeyPatch):
        game = Game()
        shown, before = PICKS.side_board, game.adjudicator.digest()

        def board(state: PicksState, side: str, knowledge: Any) -> Any:
            if state.fail_on == 3:
                raise KeyError(side)
            return shown(state, side, knowledge)

        monkeypatch.setattr(PICKS, "side_board", board)
        with pytest.raises(refusals.Refused, match="the state would become impossible: no view could be made of it"):
            game.adjudicator.edit("fail_on", 3, by="ref", reason="x", at=AT)
        assert game.adjudicator.digest() == before
        game.adjudicator._state.fail_on = 3
        game.take(game.adjudicator.edit("fail_on", 4, by="ref", reason="mended", at=AT))
        assert texts(game, RED) == [GENERAL], "what could not be shown before is compared with nothing"

    def test_a_defect_that_was_there_before_hinders_no_repair(self):
        game = Game()
        game.adjudicator._state.scores[BLUE] = -2
        game.take(game.adjudicator.edit("scores.red", 3, by="ref", reason="x", at=AT))
        game.take(game.adjudicator.edit("scores.blue", 0, by="ref", reason="x", at=AT))
        with pytest.raises(refusals.Refused, match="below zero"):
            game.adjudicator.edit("scores.blue", -1, by="ref", reason="x", at=AT)

    @UNTYPED
    def test_what_did_not_fit_before_hinders_no_repair(self):
        game = Game()
        game.adjudicator._state.picks[RED] = "a lot"  # type: ignore[assignment]
        game.take(game.adjudicator.edit("picks.blue", 3, by="ref", reason="x", at=AT))
        game.take(game.adjudicator.edit("picks.red", 3, by="ref", reason="x", at=AT))
        assert game.adjudicator._state.picks == {RED: 3, BLUE: 3}


class TestTelling:
    def test_only_the_side_that_sees_a_difference_is_told_of_it(self):
        game = Game()
        game.take(game.adjudicator.edit("secret_die", 4, by="ref", reason="It fell off the table.", at=AT))
        assert texts(game, BLUE) == [GENERAL]
        assert texts(game, RED) == [
            GENERAL,
            "The referee's correction changes what your side sees:\n• Die: “0” is now “4”",
        ], "the die is nobody's by its path, so the reason goes to nobody"
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()

    def test_a_public_figure_with_an_owner_gives_its_reason_to_nobody_who_does_not_see_it(self):
        plan = Game().adjudicator.plan_edit("scores.red", "4")
        assert (plan.told, plan.reason_to) == ({}, ()), "scores stand in the public view alone"

    def test_what_no_view_shows_is_told_to_nobody(self):
        game = Game()
        game.take(game.adjudicator.edit("fail_on", 4, by="ref", reason="secret", at=AT))
        assert texts(game, RED) == texts(game, BLUE) == [GENERAL]
        assert game.entries[-1].body.told == {}

    def test_what_was_told_is_told_again_word_for_word_whatever_views_read_by_now(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        game = Game()
        game.take(game.adjudicator.edit("secret_die", 4, by="ref", reason="x", at=AT))
        monkeypatch.setattr(PICKS.__class__, "side_board", lambda *_: PICKS.public_board(game.adjudicator._state))
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()


@UNTYPED
class TestFormerRecords:
    def test_they_play_back_to_the_byte(self):
        lines = FORMER.read_text(encoding="utf-8").splitlines()
        entries = [JournalEntry.model_validate_json(line) for line in lines]
        assert [entry.line() for entry in entries] == lines
        again = replay(PICKS, entries, SEED)  # which compares states and what was told
        assert again.head == entries[-1]
        assert [entry.body.kind for entry in entries].count("edited") == 2

    def test_a_value_of_a_wrong_type_stands_as_it_was_given(self):
        entries = [JournalEntry.model_validate_json(line) for line in FORMER.read_text(encoding="utf-8").splitlines()]
        assert isinstance(entries[1].body, Edited)
        assert entries[1].body.told is None
        assert replay(PICKS, entries[:2], SEED)._state.picks[RED] == "4"

    def test_today_it_has_the_type_of_its_table(self):
        game = Game()
        game.take(game.adjudicator.edit("picks.red", "4", by="ref", reason="x", at=AT))
        assert game.adjudicator._state.picks[RED] == 4


class TestOffers:
    def offered(self, typed: str, most: int = 25) -> list[tuple[str, str]]:
        return [(one.text, one.shown) for one in Game().adjudicator.offered_paths(typed, most)]

    def test_the_first_step_with_what_stands_there(self):
        assert self.offered("")[:3] == [("turn", "turn = 1"), ("scores", "scores …"), ("picks", "picks …")]

    def test_a_table_offers_what_it_holds(self):
        expected = [("scores.red", "scores.red = 0"), ("scores.blue", "scores.blue = 0")]
        assert self.offered("scores.") == expected
        assert self.offered("scores") == [("scores", "scores …"), *expected]
        assert self.offered("SCORES.b") == expected[1:]

    def test_behind_a_comma_another_path_begins(self):
        assert self.offered("turn, scores.b") == [("turn, scores.blue", "scores.blue = 0")]

    def test_an_entry_is_found_by_its_name_wherever_it_stands(self):
        assert self.offered("blue") == [("scores.blue", "scores.blue = 0"), ("picks.blue", "picks.blue = 0")]

    def test_never_more_than_asked_for(self):
        assert len(self.offered("", 2)) == 2
        assert len(self.offered("scores", 2)) == 2
        assert self.offered("", 0) == []

    @pytest.mark.parametrize("typed", ["scores..", "nothing.here", "turn.x", "turn.x.y", "x" * 400])
    def test_what_leads_nowhere_offers_nothing(self, typed: str):
        assert all(text.startswith(("turn", "scores")) for text, _ in self.offered(typed))

    def test_values_are_the_present_one_and_the_choices(self):
        game = Game()
        assert [one.shown for one in game.adjudicator.offered_values("turn", "", 25)] == ["1 (stands there now)"]
        with pytest.raises(refusals.Refused):
            game.adjudicator.offered_values("nothing.here", "", 25)


# --- what a referee's edit sets, and what it refuses: then the state is as it was, and the reason names the path ------
class Ship(record.Record):
    fuel: Annotated[int, Field(ge=0)]
    name: str = "Ship"


def with_flagship(ships: dict[str, Ship]) -> dict[str, Ship]:
    if "A1" not in ships:
        raise ValueError("the flagship A1 is missing")
    return ships


class Settings(base.Frozen):
    costs: dict[str, int]


class Campaign(record.Record):
    turn: Annotated[int, Field(ge=1)] = 1
    ships: Annotated[dict[str, Ship], AfterValidator(with_flagship)] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    hexes: list[str] = field(default_factory=list)
    settings: Settings = Settings(costs={"hull": 1})


def campaign() -> Campaign:
    return Campaign(ships={"A1": Ship(fuel=3), "A2": Ship(fuel=0)}, scores={"red": 1}, hexes=["0101"])


def refused(state: Campaign, path: str, value: Any, *, remove: bool = False) -> str:
    """The refusal's words; nothing was changed."""
    before = state.to_json()
    with pytest.raises(refusals.Refused) as caught:
        assign(state, path, value, remove=remove)
    assert state.to_json() == before
    (refusal, *_) = caught.value.refusals
    return f"{refusal.path}: {refusal.problem}"


def test_a_field_a_part_of_an_entry_and_an_entry_are_set_in_place() -> None:
    state = campaign()
    ships, flagship = state.ships, state.ships["A1"]
    assign(state, "turn", 7)
    assign(state, "ships.A1.fuel", 9)
    assign(state, "scores.red", 4)
    assign(state, "scores.blue", 2)
    assert (state.turn, flagship.fuel, state.scores) == (7, 9, {"red": 4, "blue": 2})
    assert state.ships is ships, "who looks at it sees the change"


def test_a_new_entry_is_of_the_kind_of_its_table() -> None:
    state = campaign()
    assign(state, "ships.A3", {"fuel": 5, "name": "Lark"})
    assert state.ships["A3"] == Ship(fuel=5, name="Lark")
    assign(state, "notes.first", "a word")
    assert state.notes == {"first": "a word"}, "and of a table with nothing in it, whatever may stand there"


def test_a_frozen_value_is_replaced_with_the_table_in_it() -> None:
    """What was kept of the state before shares it."""
    state = campaign()
    before = state.settings
    assign(state, "settings.costs.hull", 2)
    assign(state, "settings.costs.cargo", 1)
    assert state.settings.costs == {"hull": 2, "cargo": 1}
    assert before.costs == {"hull": 1}
    assign(state, "settings.costs.hull", None, remove=True)
    assert state.settings.costs == {"cargo": 1}


def test_an_entry_is_removed() -> None:
    state = campaign()
    assign(state, "ships.A2", None, remove=True)
    assert list(state.ships) == ["A1"]


@cases("path, value, said", "")
def test_what_does_not_fit_is_refused(path: str, value: Any, said: str) -> None:
    assert said in refused(campaign(), path, value)


@cases("path, said")
def test_what_cannot_be_removed_is_refused(path: str, said: str) -> None:
    assert said in refused(campaign(), path, None, remove=True)


# --- values as a referee types them: read by what stands there, and refused in plain words ----------------------------
LIBRARY_SAYS = re.compile(r"Input should|validation error|Value error|type=|pydantic|Extra inputs|Field required", re.I)
"""Words that no person should read."""


class Level(IntEnum):
    N = -2
    ID0 = 0
    ID2 = 2

    @property
    def label(self) -> str:
        return {-2: "Unidentified"}.get(int(self), self.name)


class Speed(StrEnum):
    CRUISE = "2"
    IMPULSE_CRAWL = "impulse crawl"


class Mark(base.Frozen):
    where: str
    worth: rational.Rational = Fraction(0)


class TypedShip(record.Record):
    hex: str = "0404"
    retreat_hex: str = ""
    plot: str = "0404"
    fuel: Annotated[rational.Rational, Field(ge=0)] = Fraction(0)
    boxes: Annotated[int, Field(ge=0, le=9)] = 3
    active: bool = True
    reserve: int | None = None
    quality: Literal["outstanding", "normal", "very_poor", ""] = "normal"
    level: Level = Level.N
    speed: Speed | None = None
    name: str = "Lark"
    course: list[str] = field(default_factory=lambda: ["0404"])
    track: list[int] = field(default_factory=list)
    goods: dict[str, int] = field(default_factory=dict)
    scans: list[str] = field(default_factory=list)
    fast: dict[Speed, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    pair: tuple[str, str] = ("a", "b")
    port: Annotated[str, keys.KeyOf("ports")] = ""
    seen: Annotated[str, keys.KeyOf("ports", or_other=True)] | None = None


PORTS = {"p1": "North Quay", "p2": "Mole", "p3": "mole", "p4": "Slip"}


class Port(record.Record):
    name: str


class World(record.Record):
    grid: Grid = Grid(columns=20, rows=20)
    ports: dict[str, Port] = field(default_factory=lambda: {key: Port(name=name) for key, name in PORTS.items()})
    ships: dict[str, TypedShip]


def world() -> World:
    return World(ships={"A1": TypedShip(marks=[Mark(where="0101")])})


def read(path: str, typed: Any) -> Any:
    """What stands there after it was typed."""
    state = world()
    spots = state_paths.follow(state, f"ships.A1.{path}", new=True)
    value = edit_values.read_value(spots, typed, state.grid)
    assert json.loads(json.dumps(value)) == value, "it can stand in the journal"
    edits.assign(state, state_paths.path_of(spots), value)
    return state_paths.follow(state, state_paths.path_of(spots))[-1].value


@cases("path, typed, stands", made="stands")
def test_what_people_write_is_understood(path: str, typed: Any, stands: Any) -> None:
    found = read(path, typed)
    assert (found, type(found)) == (stands, type(stands))


def test_a_text_is_refused_when_an_escape_stands_for_what_cannot_be_kept_and_loses_marks_that_nobody_sees() -> None:
    for path, typed in (("name", r'"a\u0000b"'), ("notes", r'{"a": ["b\u202e"]}'), ("course", r'["04\u0000"]')):
        with pytest.raises(refusals.Refused, match=r"U\+0000|U\+202E"):
            read(path, typed)
    assert read("name", r'"On\u200eward"') == "Onward"


def test_name_is_refused_in_a_correction_when_maps_have_no_letters_for_it() -> None:
    with pytest.raises(refusals.Refused) as refused:
        read("name", "Жар-птица")
    (wrong,) = refused.value.refusals
    assert (wrong.problem, wrong.legal) == ("maps have no letters for Ж а р п т и ц", "Latin letters, with any accents")
    assert read("name", "Zürich") == "Zürich"


@cases("path, typed, said", "", made="typed")
def test_what_does_not_fit_is_refused_with_what_would(path: str, typed: Any, said: str) -> None:
    with pytest.raises(refusals.Refused) as caught:
        read(path, typed)
    words = "\n".join(map(str, caught.value.refusals))
    assert said in words
    assert words.startswith("ships.A1.")
    assert LIBRARY_SAYS.search(words) is None, words


def test_the_nearest_path_is_named_whole() -> None:
    with pytest.raises(refusals.Refused) as caught:
        read("fule", "3")
    assert "Did you mean ships.A1.fuel?" in str(caught.value)
    with pytest.raises(refusals.Refused) as caught:
        state_paths.follow(world(), "shps.A1.fuel")
    assert "Did you mean ships.A1.fuel?" in str(caught.value)


def test_a_new_key_is_of_the_kind_that_its_table_has() -> None:
    state = world()
    edits.assign(state, "ships.A1.fast.2", 3)
    assert state.ships["A1"].fast == {Speed.CRUISE: 3}
    assert [type(key) for key in state.ships["A1"].fast] == [Speed]
    with pytest.raises(refusals.Refused, match=r"ships.A1.fast.warp.*that is no choice here"):
        edits.assign(state, "ships.A1.fast.warp", 3)
    assert state.ships["A1"].fast == {Speed.CRUISE: 3}


def test_what_no_journal_keeps_is_refused() -> None:
    with pytest.raises(refusals.Refused, match="this cannot stand in the record"):
        plan_edit(Anything(), world(), "ships.A1.notes.weight", "1.5", knowledge={})  # type: ignore[arg-type]


class Anything:
    def defects(self, _: World) -> list[str]:
        return []


def test_large_and_small_letters_do_not_matter_where_there_is_no_doubt() -> None:
    assert state_paths.path_of(state_paths.follow(world(), "Ships.a1.FUEL")) == "ships.A1.fuel"
    assert (
        state_paths.path_of(state_paths.follow(World(ships={"A1": TypedShip(), "a1": TypedShip()}), "ships.a1"))
        == "ships.a1"
    )
    with pytest.raises(refusals.Refused):
        state_paths.follow(World(ships={"AA": TypedShip(), "aa": TypedShip()}), "ships.Aa")
