"""Orders as people write them, and sheets as text that are taken line by line."""

import contextlib
from collections.abc import Sequence

import pytest

from rules_engine.core.basics.refusals import Refusal, Refused, illegal
from rules_engine.core.forms import meanings, naming, order_text
from rules_engine.core.forms.fitting import MOST_AGAIN, fitting
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet, choices, number_field, text_field
from rules_engine.core.forms.order_rows import MOST_ROWS, is_about, names_line, read_rows, take_rows
from tests.expected.kept import cases
from tests.quick import at_most

ROUTE = Field(key="route", label="Route", kind="text", most=60, optional=True)
SPEED = Field(key="speed", label="Speed", kind="one", choices=choices("0", "1", "2", crawl="Warp Crawl (1/2)"))
POSTURE = Field(
    key="posture", label="Posture", kind="many", choices=choices("warp off", "passive", "logistics"), none="active"
)
TARGET = Field(key="target", label="Attacks", kind="one", choices=choices("E1", "E2"), optional=True)
PROBES = Field(key="probes", label="Probes", kind="number", least=0, most=5)
SHADOW = Field(key="shadow", label="Shadow it", kind="flag")
NOTE = Field(key="note", label="Note", kind="text", most=60, optional=True)
GOES = (POSTURE, SPEED, ROUTE, TARGET, PROBES, SHADOW, NOTE)
JOINS = Field(key="task_force", label="Task force", kind="one", choices=choices("A1", "A2"))

FORM = Form(
    lines=(
        Line(key="A1", label="A1 Vanguard in 0403", fields=GOES),
        Line(key="A2", label="A2 Lookout in 0304, in port", fields=GOES),
        Line(key="swift", label="Swift (FF) in 0304", fields=(JOINS,)),
    )
)
PLACES = {"Grimhold": "0508", "Skarn Hold": "0308", "E1": "0405", "A2": "0304"}

FATE = Field(
    key="fate",
    label="Fate",
    kind="one",
    choices=(Choice("ok", "still there"), *choices("destroyed", "captured", disengaged="disengaged by separation")),
)
TURN = Field(key="turn", label="Disengaged on battle turn", kind="number", least=1, most=200)
CRIPPLED = Field(key="crippled", label="Crippled", kind="flag")
BATTLE = Form(
    lines=tuple(
        Line(key=key, label=f"{key} {name}", fields=(FATE, TURN, CRIPPLED))
        for key, name in (("DF1", "Briar"), ("DF2", "Talon"), ("DF3", "Old Talon"))
    )
)
PLOT = Form(
    lines=(
        Line(
            key="F1",
            label="F1: Yakback (at 0902)",
            fields=(
                Field(key="go", label="Next", kind="one", choices=choices("course", "hold", "0901", "1001")),
                Field(key="course", label="Course", kind="text", most=60, optional=True),
            ),
        ),
        Line(key="F2", label="F2: Lynxeye, Manticore (at 0902)", fields=(NOTE, SPEED)),
    )
)


def read(text: str, form: Form = FORM) -> Sheet:
    """What a text says, by somebody who knows the places."""
    return order_text.read_sheet(form, text, places=lambda: PLACES)


def why(text: str, form: Form = FORM) -> str:
    """Why a text is refused."""
    with pytest.raises(Refused) as refused:
        read(text, form)
    return str(refused.value)


@cases("text, sheet")
def test_what_people_write_is_read(text: str, sheet: Sheet) -> None:
    assert read(text) == sheet


def test_accounts_of_battles_and_plots_are_read_too() -> None:
    found = read("Briar destroyed, DF2 disengaged turn 3 crippled", BATTLE)
    assert found == {"DF1": {"fate": "destroyed"}, "DF2": {"fate": "disengaged", "turn": 3, "crippled": True}}
    assert read("Yakback to 0901", PLOT) == {"F1": {"go": "0901"}}
    assert read("F1 0905", PLOT) == {"F1": {"course": "to 0905", "go": "course"}}
    assert read("F1 hold", PLOT) == {"F1": {"go": "hold"}}


@cases("text, said")
def test_what_is_not_understood_whole_is_refused_word_for_word(text: str, said: str) -> None:
    assert said in why(text)


def test_a_name_that_two_lines_have_and_a_ship_of_several_are_not_guessed() -> None:
    assert "could be several lines" in why("Talon destroyed", BATTLE)
    assert "Did you mean DF2 or DF3?" in why("Talon destroyed", BATTLE)
    assert read("Old Talon destroyed", BATTLE) == {"DF3": {"fate": "destroyed"}}
    assert "there is no line" in why("Lynxeye at 2", PLOT)


def test_meanings_are_proposed_and_never_taken() -> None:
    assert "Did you mean destroyed?" in why("DF1 dead", BATTLE)
    assert "disengaged" not in why("DF1: fate dead", BATTLE).partition("Did you mean")[2]
    assert "Did you mean disengaged?" in why("DF1: fate fled", BATTLE)
    assert "Did you mean ok?" in why("DF1: fate alive", BATTLE)
    assert meanings.near("dead", ["ok", "disengaged"]) == ()  # it means something else, whatever its letters are like
    assert meanings.near("disengagd", ["ok", "disengaged"]) == ("disengaged",)


def test_the_notation_comes_first_and_what_is_written_is_read_back() -> None:
    sheet: Sheet = {"A1": {"route": "to 0405", "speed": "2", "posture": ["passive"], "note": "A2 to 0405, not passive"}}
    assert read(order_text.write_sheet(FORM, sheet)) == sheet
    assert "fields" not in why("A1: note A2 to 0405; sped 2")
    assert "has no field “sped”" in why("A1: note A2 to 0405; sped 2")


def test_whether_a_text_speaks_of_a_form_at_all() -> None:
    assert naming.names_in(FORM, "A1 and the Lookout, please") == 2
    assert naming.names_in(FORM, "A11 to 0405") == 1
    assert naming.names_in(FORM, "good luck to your vanguard!") == 0
    assert naming.names_in(FORM, "see you at 5 then") == 0
    assert naming.names_in(FORM, "x" * 5_000) == 0


@cases("text", made="text")
def test_it_takes_no_longer_than_the_text_is_long(text: str) -> None:
    with at_most(2), contextlib.suppress(Refused):
        read(text)
    assert order_text.MOST_PLAIN < 1_900


# --- lines of a series ------------------------------------------------------------------------------------------------
KINDS = (
    Choice("base", "Base Plans"),
    Choice("ship", "Ship Plans"),
    Choice("location", "Location Detection"),
    Choice("resources", "Resource Check"),
)
MISSION = (
    Field(key="kind", label="Mission", kind="one", choices=KINDS, optional=True),
    Field(key="against", label="Against", kind="one", choices=choices(elm="Elm", oak="Oak"), optional=True),
    Field(key="target", label="Target", kind="one", choices=(Choice("aur", "Aur, 0308 (Elm)"), *choices("0405"))),
    Field(key="other", label="Or another target", kind="text", most=60, optional=True),
    Field(key="ip", label="IP", kind="number", least=10, most=300, optional=True),
)
SPIES = Form(
    lines=(
        Line(key="base", label="New base", fields=(SPEED, PROBES)),
        *(Line(key=f"M{at}", label=f"Mission {at}", fields=MISSION, series="missions") for at in (1, 2, 3)),
        Line(key="F1", label="F1: Yakback (at 0902)", fields=(ROUTE,)),
    )
)
ALL_SAID = {"kind": "location", "against": "elm", "other": "0308", "ip": 20}


@cases("text")
def test_a_mission_is_written_as_it_comes_to_mind(text: str):
    assert read(text, SPIES) == {"M1": ALL_SAID}


@cases("text, said")
def test_what_it_is_aimed_at_is_found_among_the_choices_or_said_in_words(text: str, said: dict[str, object]):
    assert read(text, SPIES) == {"M1": said}


def test_each_takes_the_next_line_that_says_nothing_yet():
    text = "base plans against elm\nresource check against oak\nM3: ship plans"
    kinds = {key: line["kind"] for key, line in read(text, SPIES).items()}
    assert kinds == {"M1": "base", "M2": "resources", "M3": "ship"}
    stands: Sheet = {"M1": {"kind": "ship"}, "M2": {"kind": None}}
    found = order_text.read_sheet(SPIES, "base plans against elm", places=lambda: PLACES, stands=stands)
    assert found == {"M2": {"kind": "base", "against": "elm"}}
    by_name = order_text.read_sheet(SPIES, "M1: base plans", places=lambda: PLACES, stands=stands)
    assert by_name == {"M1": {"kind": "base"}}, "who names a line changes that one"


def test_where_all_lines_are_used_it_is_said():
    stands: Sheet = {key: {"kind": "ship"} for key in ("M1", "M2", "M3")}
    with pytest.raises(Refused) as refused:
        order_text.read_sheet(SPIES, "base plans against elm", stands=stands)
    assert "all lines for missions are used" in str(refused.value)
    assert "name the line that is to change" in str(refused.value)
    with pytest.raises(Refused):
        order_text.read_sheet(SPIES, "base plans\n" * 4)


@cases("text, told")
def test_nothing_of_a_mission_is_guessed(text: str, told: str):
    assert told in why(text, SPIES)


@pytest.mark.parametrize("text", ["thanks, see you at 0308", "our plans are good", "ship", "F1 to 0405 0406", "plans"])
def test_other_words_are_no_missions(text: str):
    with contextlib.suppress(Refused):
        assert not any(key.startswith("M") for key in read(text, SPIES))


@pytest.mark.parametrize("text", ["base plans against elm", "Location detecton, elm", "hello\nresource check, oak"])
def test_a_text_that_begins_with_what_a_line_is_for_speaks_of_the_form(text: str):
    assert naming.names_in(SPIES, text) > 0


@pytest.mark.parametrize("text", ["hello there", "what do our plans say?", "the location is fine"])
def test_one_that_does_not_speaks_of_something_else(text: str):
    assert naming.names_in(SPIES, text) == 0


def test_a_line_without_a_field_for_other_places_reads_at_as_ever():
    with pytest.raises(Refused):
        read("A1 at Grimhold")


def test_many_missions_are_read_in_linear_time():
    lines = tuple(Line(key=f"M{at}", label=f"Mission {at}", fields=MISSION, series="m") for at in range(1, 301))
    form = Form(lines=lines)
    with at_most(10):
        with contextlib.suppress(Refused):
            read("location detection against the Elm at 0308 with 20 IP\n" * 2_000, form)
        with contextlib.suppress(Refused):
            read("location " * 40_000, form)
        with contextlib.suppress(Refused):
            naming.names_in(form, "lokation detektion " * 20_000)


@cases("text, route")
def test_a_way_from_system_to_system_is_typed_by_names(text: str, route: str) -> None:
    """A place's name may have several words, its id has one; a way from name to name its book reads as it is typed."""
    fields = (text_field("route", "Route", 300, ""), Field("invade", "Invade", "flag"))
    form = Form(lines=(Line("T1", "T1 at Sol", fields), Line("T2", "T2 at Sol", fields)))
    names = {"Sol": "sol", "Wolf 359": "wolf-359", "Vega": "vega"}
    assert order_text.read_sheet(form, text, places=lambda: names) == {"T1": {"route": route}}


# --- sheets as text that are taken line by line: what is good stands, and each other line says why it does not --------
STORES = Form(
    lines=(
        *(Line(f"H{n}", f"Stores {n}", (number_field("cargo", "Cargo", range(100), 0),)) for n in range(1, 5)),
        Line("F1", "Fleet 1", (number_field("speed", "Speed", range(7), 0),)),
    )
)
BUDGET = frozenset({"H1", "H2", "H3", "H4"})


def most(limit: int) -> object:
    """A judge of stores that hold so much together; H4 takes nothing."""

    def trial(values: Sheet) -> Sequence[Refusal]:
        if values.get("H4", {}).get("cargo"):
            return [illegal("H4 takes nothing", "1.2", "H4.cargo", legal="0")]
        total = sum(int(str(line.get("cargo", 0))) for key, line in values.items() if key in BUDGET)
        return [illegal(f"{total} of {limit}", "1.1", "", legal=str(limit))] if total > limit else []

    return trial


def taken(text: str, limit: int = 1_000) -> tuple[Sheet, list[str], str]:
    """What is taken of a text, why not of each other line, and what is left of it."""
    found = take_rows(STORES, read_rows(STORES, text), BUDGET, most(limit))  # type: ignore[arg-type]
    return found.sheet, [str(one) for one in found.refusals], found.left


def test_good_lines_stand_and_each_other_says_what_is_wrong_where_and_what_would_be_right():
    text = "H1: cargo 5\n# a note\nH2: cargo 700\nH9: cargo 1\n\nH3: cargo 6\nF1: speed 2\nH4: cargo 1"
    sheet, why, left = taken(text)
    assert sheet == {"H1": {"cargo": 5}, "H3": {"cargo": 6}}
    assert why[0] == "line 3, H2.cargo: 700 is out of range. Legal: 0 to 99."
    assert why[1].startswith("line 4: ")
    assert "H9" in why[1]
    assert why[2] == "line 7, F1: this is no line of the budget. Legal: H1, H2, H3, H4."
    assert why[3] == "line 8, H4.cargo: H4 takes nothing (1.2). Legal: 0."
    assert len(why) == 4
    assert left == "H2: cargo 700\nH9: cargo 1\nF1: speed 2\nH4: cargo 1"


def test_a_line_is_taken_whole_or_not_at_all():
    assert taken("H1: cargo 5; mood 3")[0] == {}


def test_lines_that_are_legal_together_alone_are_taken_together():
    def pair(values: Sheet) -> Sequence[Refusal]:
        alone = [key for key in ("H1", "H2") if key in values]
        return [illegal("never alone", "1.3", f"{alone[0]}.cargo")] if len(alone) == 1 else []

    found = take_rows(STORES, read_rows(STORES, "H1: cargo 1\nH2: cargo 1"), BUDGET, pair)
    assert (found.refusals, found.sheet) == ([], {"H1": {"cargo": 1}, "H2": {"cargo": 1}})


def test_of_nobodys_line_in_particular_the_last_ones_are_too_many():
    sheet, why, left = taken("H1: cargo 40\nH2: cargo 40\nH3: cargo 40", limit=80)
    assert sheet == {"H1": {"cargo": 40}, "H2": {"cargo": 40}}
    assert why == ["line 3: 120 of 80 (1.1). Legal: 80."]
    assert left == "H3: cargo 40"


def test_what_was_refused_for_anothers_sake_is_tried_again():
    """H1 and H4 are both too many for 50, but without H4, which takes nothing, H1 fits."""
    good, left = fitting(
        ["H1", "H4"],
        lambda some: [illegal("H1 stands beside H4", "1", "H1")] if [*some] == ["H1", "H4"] else [],
        lambda one, refusal: refusal.path == one,
    )
    assert (good, [*left]) == (["H4"], ["H1"])
    good, left = fitting(
        ["H1", "H4"],
        lambda some: [illegal("no H4", "1", "H4"), illegal("and H1", "1", "H1")] if "H4" in some else [],
        lambda one, refusal: refusal.path == one,
    )
    assert (good, [*left]) == (["H1"], ["H4"])


def test_what_is_said_twice_and_differently_is_refused_the_second_time():
    sheet, why, _ = taken("H1: cargo 5\nH1: cargo 5\nH1: cargo 6")
    assert sheet == {"H1": {"cargo": 5}}
    assert why == ["line 3, H1.cargo: a line before this says something else of it. Legal: one."]


def test_so_many_lines_are_read_and_no_more():
    rows = read_rows(STORES, "\n".join(f"H1: cargo {number}" for number in range(MOST_ROWS + 5)))
    assert len(rows) == MOST_ROWS + 1
    assert rows[-1].refusals[0].problem == "this and what follows was not read"
    assert rows[-1].text.endswith(f"H1: cargo {MOST_ROWS + 4}")


def test_trials_are_bounded():
    count = 0

    def never(some: Sequence[int]) -> Sequence[Refusal]:
        nonlocal count
        count += 1
        return [illegal("no", "1", str(one)) for one in some]

    good, left = fitting(range(500), never, lambda one, refusal: refusal.path == str(one))
    assert (good, len(left)) == ([], 500)
    assert count <= 1 + MOST_AGAIN


@cases("text, is_so")
def test_a_text_is_about_a_budget_if_all_of_it_that_can_be_read_is(text: str, is_so: bool):
    assert is_about(STORES, read_rows(STORES, text), BUDGET) is is_so


@cases("text", made="text")
def test_hostile_text_is_refused_in_few_words(text: str):
    _, why, _ = taken(text)
    assert sum(map(len, why)) < 5_000


@cases("path, is_named", "")
def test_a_refusal_names_a_line_whose_key_has_dots_in_it(path: str, is_named: bool):
    assert names_line(path, "A1.CA") is is_named


def test_so_many_lines_with_dots_in_their_keys_are_each_told_their_own_reason():
    lines = tuple(Line(f"A1.C{n}", f"Ship {n}", (number_field("give", "Gives", range(9), 0),)) for n in range(40))
    form = Form(lines=lines)
    rows = read_rows(form, "\n".join(f"A1.C{n}: give 1" for n in range(40)))

    def trial(values: Sheet) -> Sequence[Refusal]:
        return [illegal(f"{key} has nothing", "1.1", f"{key}.give") for key in values if key != "A1.C7"]

    found = take_rows(form, rows, frozenset(form.by_key), trial)
    assert found.sheet == {"A1.C7": {"give": 1}}
    assert [one.problem for one in found.refusals] == [f"A1.C{n} has nothing" for n in range(40) if n != 7]
