"""A short form over a long sheet: it asks what usually changes, and writes what forms of single lines write."""

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet, choices
from rules_engine.core.forms.short_forms import EachLine, OneField, ShortForm, ShortPage, WhichLines

SHIPS = ("A1", "A2", "B1")
LINES = tuple(Choice(key, f"{key} cruiser") for key in SHIPS)
FATES = choices(ok="still there", lost="destroyed", left="left")


def ship(key: str, *, crippled: bool = False) -> Line:
    """A ship's line: its fate, whether it is crippled, when it left."""
    fields = (
        Field("fate", "Fate", "one", choices=FATES, value="ok"),
        Field("crippled", "Crippled", "flag", value=crippled),
        Field("turn", "Left on turn", "number", least=1, most=9, optional=True),
    )
    return Line(key, f"{key} cruiser", fields)


HEAD = Line(
    "battle",
    "Battle",
    (
        Field("winner", "Winner", "one", choices=choices(red="Red Fleet", blue="Blue Fleet"), value="red"),
        Field("turns", "Turns it lasted", "number", least=1, most=9, value=1),
    ),
)
FORM = Form((HEAD, *(ship(key, crippled=key == "B1") for key in SHIPS)))
SHORT = ShortForm(
    (
        ShortPage(
            "What happened",
            (
                OneField("battle", "winner"),
                OneField("battle", "turns", "It lasted"),
                WhichLines("lost", "Destroyed", "fate", "lost", "ok", LINES),
                WhichLines("left", "Left", "fate", "left", "ok", LINES),
                WhichLines("crippled", "Crippled", "crippled", True, False, LINES),
            ),
        ),
        ShortPage("When they left", (EachLine("turn", "{} on turn", "fate", "left", LINES, ("battle", "turns")),)),
    )
)
START: Sheet = FORM.prefilled()


def after(sheet: Sheet, page: int = 0, **said: Json) -> Sheet:
    """The sheet with a page put in; ``_`` in a name stands for a dot."""
    changes = SHORT.put_in(page, FORM, sheet, {key.replace("_", "."): value for key, value in said.items()})
    return {key: {**line, **changes.get(key, {})} for key, line in sheet.items()}


def test_it_asks_at_once_with_what_the_sheet_says_now() -> None:
    line = SHORT.line(0, FORM, START)
    assert [(field.key, field.label, field.value) for field in line.fields] == [
        ("battle.winner", "Winner", "red"),
        ("battle.turns", "It lasted", 1),
        ("lost", "Destroyed", []),
        ("left", "Left", []),
        ("crippled", "Crippled", ["B1"]),
    ]
    assert [choice.label for choice in line.fields[2].choices] == ["A1 cruiser", "A2 cruiser", "B1 cruiser"]
    assert not SHORT.is_asked(1, FORM, START), "nobody has left"


def test_a_page_changes_the_lines_that_were_chosen_and_no_other() -> None:
    said = {"battle.turns": 6, "lost": ["A1"], "left": ["B1"], "crippled": ["B1"]}
    assert SHORT.put_in(0, FORM, START, said) == {
        "battle": {"turns": 6},
        "A1": {"fate": "lost"},
        "B1": {"fate": "left", "turn": 6},
    }
    assert SHORT.put_in(0, FORM, START, {}) == {}


def test_who_is_not_chosen_any_more_is_as_the_others_again() -> None:
    sheet = after(START, lost=["A1"], left=["B1"], battle_turns=4)
    again = after(sheet, lost=[], left=["A1"], crippled=[])
    assert again["A1"] == {"fate": "left", "crippled": False, "turn": 4}
    assert again["B1"] == {"fate": "ok", "crippled": False, "turn": None}, "who did not leave left on no turn"
    assert SHORT.put_in(0, FORM, {**sheet, "A1": {"fate": "captured"}}, {"lost": []}) == {}, "another fate is its own"


def test_a_ship_moves_from_one_choice_to_another_whichever_stands_first() -> None:
    lost = after(START, lost=["A1"], left=[])
    assert after(lost, lost=[], left=["A1"])["A1"]["fate"] == "left"
    left = after(START, lost=[], left=["A1"])
    assert after(left, lost=["A1"], left=[])["A1"]["fate"] == "lost"


def test_nothing_is_chosen_for_two_things_at_once() -> None:
    with pytest.raises(Refused, match="A2 cannot be both “Destroyed” and “Left”"):
        SHORT.put_in(0, FORM, START, {"lost": ["A1", "A2"], "left": ["A2"]})
    assert after(START, lost=["A1"], crippled=["A1", "B1"])["A1"]["crippled"] is True, "another field is no conflict"


def test_when_they_left_follows_the_battles_length_until_somebody_says_otherwise() -> None:
    sheet = after(START, left=["A1", "A2"], battle_turns=6)
    line = SHORT.line(1, FORM, sheet)
    assert [(field.key, field.label, field.value) for field in line.fields] == [
        ("A1.turn", "A1 on turn", 6),
        ("A2.turn", "A2 on turn", 6),
    ]
    sheet = after(sheet, page=1, A1_turn=4, A2_turn=6)
    assert (sheet["A1"]["turn"], sheet["A2"]["turn"]) == (4, 6)
    sheet = after(sheet, battle_turns=5)
    assert (sheet["A1"]["turn"], sheet["A2"]["turn"]) == (4, 5)


def test_what_it_says_is_in_the_words_of_the_form() -> None:
    sheet = after(START, left=["A1"], battle_turns=6, battle_winner="blue")
    assert SHORT.said(0, FORM, sheet) == (
        ("Winner", "Blue Fleet"),
        ("It lasted", "6"),
        ("Left", "A1"),
        ("Crippled", "B1"),
    )
    assert SHORT.said(1, FORM, sheet) == (("A1", "6"),)


def test_what_is_not_asked_is_not_put_in() -> None:
    assert SHORT.put_in(0, FORM, START, {"A1.turn": 3, "battle.secret": 1, "lost": "A1", "nothing": []}) == {}
    assert SHORT.put_in(1, FORM, START, {"A1.turn": 3}) == {}, "a ship that did not leave"
