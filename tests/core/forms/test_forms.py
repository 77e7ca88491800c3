"""Forms: misfits, movers, lists of items, lines with a notation of their own, and short forms."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Json
from rules_engine.core.basics.refusals import Refused, illegal, malformed
from rules_engine.core.forms import misfits, movers, order_text
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, Sheet, choices, text_field
from rules_engine.core.forms.item_lists import ItemNotation, named_additions, pieces, with_count
from rules_engine.core.forms.short_forms import EachLine, OneField, ShortForm, ShortPage, WhichLines
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.asks import Ask
from tests.expected.kept import Kept, cases


class Course(Frozen):
    """A line."""

    speed: Literal["1", "2", "3"] | None = None
    signals: tuple[Literal["red", "green"], ...] | None = None
    fuel: Annotated[int, Bounded(ge=1, le=9)] | None = None
    lights: bool | None = None
    port: Annotated[str, Bounded(pattern=r"^\d{4}$")] | None = None
    name: Annotated[str, Bounded(max_length=5)] | None = None


class Courses(RootModel[dict[str, Course]]):
    """A sheet."""


class Wrapped(Frozen):
    """A sheet that keeps its lines under a name of its own."""

    lines: dict[str, Course]


FORM = Form(
    lines=(
        Line(
            key="A1",
            label="A1",
            fields=(
                Field(key="speed", label="Speed", kind="one", choices=choices("1", "2"), optional=True),
                Field(key="signals", label="Signals", kind="many", choices=choices("red", "green")),
                Field(key="fuel", label="Fuel", kind="number", least=1, most=9),
                Field(key="lights", label="Lights", kind="flag"),
                Field(key="port", label="Port", kind="text", most=4, help="For example 1217"),
                Field(key="name", label="Name", kind="text", most=5),
            ),
        ),
    ),
    why_absent=lambda: (
        Absence(key="A2", label="A2 Vanguard", problem="A2 has gone home", rule="Book 7.1"),
        Absence(key="A1", label="A1", problem="A1 has no boats", rule="Book 7.2", field="boat_crew"),
    ),
)


def refused(document: Any) -> list[tuple[str, str, str]]:
    ask = Ask("course", ("red",), "", "", Courses, "", FORM, default=Courses({}))
    with pytest.raises(Refused) as caught:
        ask.answer_from(document)
    return [(one.path, one.problem, one.legal) for one in caught.value.refusals]


@cases("line, path, problem, legal")
def test_a_field_is_refused_with_what_it_takes(line: Any, path: str, problem: str, legal: str) -> None:
    assert refused({"A1": line}) == [(path, problem, legal)]


def test_what_is_no_line_or_no_sheet_is_refused_with_the_lines() -> None:
    assert refused({"B7": {"wings": 2}}) == [("B7", "there is no such line", "A1")]
    assert refused("x") == [("", "this is no sheet of lines", "A1")]


def test_lines_under_a_name_of_the_model_are_named_as_on_the_sheet() -> None:
    ask = Ask("course", ("red",), "", "", Wrapped, "", FORM, default=Wrapped(lines={}))
    with pytest.raises(Refused) as caught:
        ask.answer_from({"lines": {"A1": {"fuel": "much"}}})
    assert [one.path for one in caught.value.refusals] == ["A1.fuel"]


def test_a_typed_line_that_is_absent_is_explained_by_key_and_by_label() -> None:
    for name in ("A2", "a2 vanguard"):
        with pytest.raises(Refused) as caught:
            order_text.read_sheet(FORM, f"{name}: fuel 3")
        found = [(one.path, one.problem, one.rule, one.legal) for one in caught.value.refusals]
        assert found == [("line 1", "A2 has gone home", "Book 7.1", "A1")]


@pytest.mark.parametrize("name", ["boat_crew", "boat-crew", "Boat_Crew"])
def test_a_typed_field_that_is_absent_is_explained(name: str) -> None:
    with pytest.raises(Refused) as caught:
        order_text.read_sheet(FORM, f"A1: {name} 3")
    found = [(one.path, one.problem, one.rule, one.legal) for one in caught.value.refusals]
    assert found == [("line 1", "A1 has no boats", "Book 7.2", "speed, signals, fuel, lights, port, name")]


def test_why_a_field_is_absent_does_not_explain_a_line() -> None:
    """A1 has a line; its label names that, and nothing else of the sheet is explained by the missing field."""
    with pytest.raises(Refused) as caught:
        order_text.read_sheet(FORM, "A1: wings 3")
    assert caught.value.refusals[0].problem == "A1 has no field “wings”"


def test_where_something_is_wrong_is_said_in_words_that_the_sheet_shows() -> None:
    """A line that is called by its key keeps it, one that is not goes by its field alone, and no path is guessed."""
    speed = Field("speed", "Speed", "number", least=0, most=9)
    named = Line("T1", "Merchants", (speed,), note="T1 at Sol")
    form = Form(
        (Line("A1", "A1 Vanguard", (speed,)), Line("battle", "How it ended", (speed,), note="In battle"), named)
    )

    def said(path: str) -> str:
        return str(misfits.in_words(form, illegal("too fast", "Toy 1", path)))

    assert said("A1.speed") == "A1, Speed: too fast (Toy 1)"
    assert said("battle.speed") == "Speed: too fast (Toy 1)"
    assert said("T1.speed") == "T1, Speed: too fast (Toy 1)", "its note has its key"
    assert said("line 12, A1.speed") == "line 12, A1, Speed: too fast (Toy 1)"
    assert said("line 1, battle.speed") == "line 1, battle, Speed: too fast (Toy 1)"
    for path in ("", "A1", "A1.posture", "line 1, A1", "line 1, B2.speed", "line A1.speed", "B2.speed"):
        assert said(path) == str(illegal("too fast", "Toy 1", path))


# --- what of a sheet moves, the ways that a menu makes longer, and steps that are typed one by one --------------------
GO = Field("go", "Next", "one", (Choice("course", "By its course"), Choice("0405", "0405"), Choice("hold", "Hold")))
MOVE = Field("move", "Move to", "one", (Choice("stay", "Stay"), Choice("0404", "0404"), Choice("0304", "0304")))
STAYS = Field("move", "Move", "one", (Choice("go", "Go to 0404"), Choice("stay", "Stay")))
COURSE, ROUTE = text_field("course", "Course", 300, ""), text_field("route", "Route", 300, "")
MOVERS = Form(
    lines=(
        Line("side", "The whole side", (Field("bid", "Bid", "number"),)),
        Line("F1", "F1", (GO, COURSE)),
        Line("A1", "A1 in 0403", (MOVE,)),
        Line("A2", "A2 in 0402", (ROUTE,)),
        Line("A3", "A3 in 0401, if you form it", (ROUTE,)),
        Line("A4", "A4 in 0401", (STAYS,)),
    )
)
GRID = Grid(columns=8, rows=8)


def test_lines_that_choose_the_next_hex_or_have_a_way_of_their_own_counter_move() -> None:
    found = movers.movers_of(MOVERS, {"F1": "0505", "A1": "0403", "A2": "0402", "A4": "0401"}, GRID)
    assert [(one.line.key, one.hex) for one in found] == [("A2", "0402"), ("A1", "0403"), ("F1", "0505")]
    shown = [(one.next is not None, one.way is not None) for one in found]
    assert shown == [(False, True), (True, False), (True, True)]


def test_a_way_is_made_longer_by_the_neighbours_of_its_end() -> None:
    longer = movers.longer_ways("0404 0405", "0405", GRID, is_docked=False)
    assert set(longer.values()) == set(GRID.neighbours("0405"))
    assert all(text == f"0404 0405 {hex_id}" for text, hex_id in longer.items())
    assert all(text.startswith("port ") for text in movers.longer_ways("", "0405", GRID, is_docked=True))
    assert not any("port" in text for text in movers.longer_ways("0404", "0404", GRID, is_docked=True))


@cases("way, end", "", made="way")
def test_patrols_and_ways_that_are_too_long_are_not(way: str, end: str) -> None:
    assert movers.longer_ways(way, end, GRID, is_docked=False) == {}


@cases("key, chosen, put_in")
def test_what_a_choice_puts_into_a_line(key: str, chosen: str, put_in: dict[str, str] | None) -> None:
    line = MOVERS.line(key)
    assert line is not None
    assert movers.values_for(line, chosen) == put_in


def test_courses_end_at_their_last_hex() -> None:
    assert movers.ends_of([("A1", ("0403", "0404")), ("A2", ())]) == {"A1": "0404"}


@pytest.mark.parametrize("text", ["A1: 0403 > 0404", "A1 0403 > 0404", "A1 to 0404", "A1: 0404"])
def test_a_step_is_typed_from_where_the_line_stands(text: str) -> None:
    assert order_text.read_sheet(MOVERS, text) == {"A1": {"move": "0404"}}


@pytest.mark.parametrize("text", ["A1: 0303 > 0404", "A1: 0403 > 0808", "A1: 0403 > 0404 > 0304"])
def test_from_elsewhere_or_to_what_is_no_choice_it_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        order_text.read_sheet(MOVERS, text)


# --- lists of items as they are written, whatever a book counts -------------------------------------------------------
ORE = ItemNotation(("gold", "tin"), "ounces")


@cases("part, count, name, additions, extras", "count, name, additions", made="extras")
def test_an_item(part: str, count: int, name: str, additions: tuple[str, ...], extras: dict[str, Fraction]) -> None:
    item, refusals = ORE.read(part, "buy", "a mine")
    assert (item.count, item.name, item.additions, item.extras, refusals) == (count, name, additions, extras, [])


def test_what_is_wrong_with_an_item(kept: Kept) -> None:
    assert [str(one) for one in ORE.read("100 CA", "buy", "a mine")[1]] == kept()
    assert "is no number of ounces" in str(ORE.read("CA gold 1/0", "buy", "a mine")[1][0])
    assert "says gold twice" in str(ORE.said_twice("CA gold 1 gold 2, DD tin 1", "buy")[0])


def test_lists_are_divided_and_counted() -> None:
    assert pieces(" 6  CA,; DD\n,FF ") == ["6 CA", "DD", "FF"]
    assert [with_count(one) for one in ("6 CA", "6×CA", "CA6")] == [(6, "CA"), (6, "CA"), (1, "CA6")]


def test_additions_are_named_once_by_their_first_words() -> None:
    def unknown(word: str):
        return malformed(f"no {word}", "buy")

    assert named_additions(["awr"], ["AWR refit"], "buy", each="refit", unknown=unknown) == (("AWR refit",), [])
    chosen, refusals = named_additions(["awr", "AWR refit", "x"], ["AWR refit"], "buy", each="refit", unknown=unknown)
    assert (chosen, [one.problem for one in refusals]) == (("AWR refit",), ["AWR refit is named twice", "no x"])


# --- own notation -----------------------------------------------------------------------------------------------------
# lines with a notation of their own: what is typed to them is shared out among their texts, and nothing is lost.
TURN = text_field("turn", "Turn", 30, None)
PLOT = text_field("plot", "All else", 60, None)._replace(others=True)
SPEED = Field("speed", "Speed", "number", least=0, most=9, optional=True)
OWN_FORM = Form(
    lines=(
        Line("H1", "H1 Falcon", (SPEED, TURN, PLOT)),
        Line("H2", "H2 Kestrel", (SPEED, TURN, PLOT)),
        Line("B1", "Base", (SPEED, text_field("note", "Note", 30, None))),
    )
)


@cases("text, sheet")
def test_what_is_typed_is_shared_out(text: str, sheet: Sheet) -> None:
    read = order_text.read_sheet(OWN_FORM, text)
    assert read == sheet
    assert order_text.read_sheet(OWN_FORM, order_text.write_sheet(OWN_FORM, read)) == sheet


@cases("text, told")
def test_what_is_no_line_of_such_a_kind_is_refused_as_before(text: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        order_text.read_sheet(OWN_FORM, text)
    assert str(refused.value.refusals[0]).startswith(told), refused.value.refusals


Parts = list[tuple[str, list[tuple[str, str]], dict[str, Json]]]


def asked_of(text: str, stands: Sheet | None = None) -> tuple[Parts, Sheet]:
    """What a form is asked that says how texts follow each other, and the sheet that comes of it."""
    asked: Parts = []

    def in_order(key: str, parts: Sequence[tuple[str, str]], there: Mapping[str, Json]) -> dict[str, Json]:
        asked.append((key, [*parts], {**there}))
        return {**dict.fromkeys(name for name, _ in parts), "plot": " + ".join(said for _, said in parts)}

    form = Form(lines=OWN_FORM.lines, in_order=in_order)
    return asked, order_text.read_sheet(form, text, stands=stands)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("H1: turn left on 1; slip left", [("turn", "left on 1"), ("plot", "slip left")]),
        ("H1: slip left; turn left on 1", [("plot", "slip left"), ("turn", "left on 1")]),
        ("H1: plot slip left; turn left on 1", [("plot", "slip left"), ("turn", "left on 1")]),
        ("H1: slip left\nH1: turn left on 1", [("plot", "slip left"), ("turn", "left on 1")]),
        (
            "H1: turn left on 1; slip left; turn right on 9",
            [("turn", "left on 1"), ("plot", "slip left"), ("turn", "right on 9")],
        ),
    ],
)
def test_form_is_asked_for_texts_in_the_order_in_which_they_were_typed(text: str, parts: list[tuple[str, str]]) -> None:
    asked, sheet = asked_of(text, {"H1": {"plot": "before"}})
    assert asked == [("H1", parts, {"plot": "before"})]
    assert sheet["H1"] == {"turn": None, "plot": " + ".join(said for _, said in parts)}


def test_form_is_asked_line_by_line_and_not_of_lines_without_a_notation() -> None:
    asked, sheet = asked_of('H1: slip left\nH2: turn left on 1\nB1: note "left"')
    assert asked == [("H1", [("plot", "slip left")], {}), ("H2", [("turn", "left on 1")], {})]
    assert sheet["B1"] == {"note": "left"}


# --- a short form over a long sheet: it asks what usually changes, and writes what forms of single lines write --------
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
LONG_FORM = Form((HEAD, *(ship(key, crippled=key == "B1") for key in SHIPS)))
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
START: Sheet = LONG_FORM.prefilled()


def after(sheet: Sheet, page: int = 0, **said: Json) -> Sheet:
    """The sheet with a page put in; ``_`` in a name stands for a dot."""
    changes = SHORT.put_in(page, LONG_FORM, sheet, {key.replace("_", "."): value for key, value in said.items()})
    return {key: {**line, **changes.get(key, {})} for key, line in sheet.items()}


def test_it_asks_at_once_with_what_the_sheet_says_now() -> None:
    line = SHORT.line(0, LONG_FORM, START)
    assert [(field.key, field.label, field.value) for field in line.fields] == [
        ("battle.winner", "Winner", "red"), ("battle.turns", "It lasted", 1), ("lost", "Destroyed", []),
        ("left", "Left", []), ("crippled", "Crippled", ["B1"]),
    ]  # fmt: skip
    assert [choice.label for choice in line.fields[2].choices] == ["A1 cruiser", "A2 cruiser", "B1 cruiser"]
    assert not SHORT.is_asked(1, LONG_FORM, START), "nobody has left"


def test_a_page_changes_the_lines_that_were_chosen_and_no_other() -> None:
    found = SHORT.put_in(0, LONG_FORM, START, {"battle.turns": 6, "lost": ["A1"], "left": ["B1"], "crippled": ["B1"]})
    assert found == {"battle": {"turns": 6}, "A1": {"fate": "lost"}, "B1": {"fate": "left", "turn": 6}}
    assert SHORT.put_in(0, LONG_FORM, START, {}) == {}


def test_who_is_not_chosen_any_more_is_as_the_others_again() -> None:
    sheet = after(START, lost=["A1"], left=["B1"], battle_turns=4)
    again = after(sheet, lost=[], left=["A1"], crippled=[])
    assert again["A1"] == {"fate": "left", "crippled": False, "turn": 4}
    assert again["B1"] == {"fate": "ok", "crippled": False, "turn": None}, "who did not leave left on no turn"
    assert SHORT.put_in(0, LONG_FORM, {**sheet, "A1": {"fate": "captured"}}, {"lost": []}) == {}, (
        "another fate is its own"
    )


def test_a_ship_moves_from_one_choice_to_another_whichever_stands_first() -> None:
    assert after(after(START, lost=["A1"], left=[]), lost=[], left=["A1"])["A1"]["fate"] == "left"
    assert after(after(START, lost=[], left=["A1"]), lost=["A1"], left=[])["A1"]["fate"] == "lost"


def test_nothing_is_chosen_for_two_things_at_once() -> None:
    with pytest.raises(Refused, match="A2 cannot be both “Destroyed” and “Left”"):
        SHORT.put_in(0, LONG_FORM, START, {"lost": ["A1", "A2"], "left": ["A2"]})
    assert after(START, lost=["A1"], crippled=["A1", "B1"])["A1"]["crippled"] is True, "another field is no conflict"


def test_when_they_left_follows_the_battles_length_until_somebody_says_otherwise() -> None:
    sheet = after(START, left=["A1", "A2"], battle_turns=6)
    found = [(field.key, field.label, field.value) for field in SHORT.line(1, LONG_FORM, sheet).fields]
    assert found == [("A1.turn", "A1 on turn", 6), ("A2.turn", "A2 on turn", 6)]
    sheet = after(sheet, page=1, A1_turn=4, A2_turn=6)
    assert (sheet["A1"]["turn"], sheet["A2"]["turn"]) == (4, 6)
    sheet = after(sheet, battle_turns=5)
    assert (sheet["A1"]["turn"], sheet["A2"]["turn"]) == (4, 5)


def test_what_it_says_is_in_the_words_of_the_form() -> None:
    sheet = after(START, left=["A1"], battle_turns=6, battle_winner="blue")
    found = SHORT.said(0, LONG_FORM, sheet)
    assert found == (("Winner", "Blue Fleet"), ("It lasted", "6"), ("Left", "A1"), ("Crippled", "B1"))
    assert SHORT.said(1, LONG_FORM, sheet) == (("A1", "6"),)


def test_what_is_not_asked_is_not_put_in() -> None:
    assert SHORT.put_in(0, LONG_FORM, START, {"A1.turn": 3, "battle.secret": 1, "lost": "A1", "nothing": []}) == {}
    assert SHORT.put_in(1, LONG_FORM, START, {"A1.turn": 3}) == {}, "a ship that did not leave"
