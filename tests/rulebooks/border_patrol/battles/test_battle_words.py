"""The words of battles, as both Teams read them: the sheet, the form, what is refused, and how accounts differ."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.short_forms import WhichLines
from rules_engine.core.protocol.asks import AnyAsk
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.plays import Played, play, world

LINES = """
blue B1 0505 CA[crippled=yes bpv=120]
blue B2 0505 DD[towing=B2-FF]+FF
blue base 0505 BATS
red R1 0507 CA[special_sensors_ok=2]
storm gale 0505
"""
CODES = {"BU1": "Base 0505", "BU2": "B1-CA", "BU3": "B2-DD", "BU4": "B2-FF", "RU1": "R1-CA"}
"""By Size Class, then by name."""


@pytest.fixture(scope="module")
def fought() -> Played:
    """Red comes to Blue's hex in phase 4; the account is as it is filled in."""
    return play(world(LINES), None, {"R1": {"route": "0506 0505"}})


@pytest.fixture(scope="module")
def ask(fought: Played) -> AnyAsk:
    return fought.asked("blue", "battle")[0]


def account(ask: AnyAsk, **lines: dict[str, Any]) -> dict[str, Any]:
    """The form as it is filled in, but for these."""
    return {key: {**line, **lines.get(key, {})} for key, line in ask.form.prefilled().items()}


def test_what_is_asked(ask: AnyAsk, kept: Kept):
    assert (ask.title, ask.text) == kept()
    assert (ask.asks_for.heading, ask.asks_for.hexes) == ("Battle in 0505", ("0505",))
    assert [line.label for line in ask.form.lines] == [
        f"{code}: {name} ({'Red' if code == 'RU1' else 'Blue'} Team)" for code, name in CODES.items()
    ]
    assert ask.guide is not None
    (page,) = ask.guide.short.pages
    assert page.title == "How it ended"
    asked = [one for one in page.questions if isinstance(one, WhichLines)]
    assert [(one.label, [line.value for line in one.lines]) for one in asked] == [
        ("Destroyed", [*CODES]),
        ("Still there, damaged", [*CODES]),
        ("Disengaged", [one for one in CODES if one != "BU1"]),  # a base stays
        ("Captured", [*CODES]),
        ("Crippled", [*CODES]),
    ]


def test_how_much_may_be_left(ask: AnyAsk):
    """No more than a unit has undamaged, which both Teams know; of special sensors one has two."""
    figures = {
        line.key: {field.key: (field.least, field.most) for field in line.fields if field.kind == "number"}
        for line in ask.form.lines
    }
    others = {"tractors": (0, 3)}
    assert figures["BU1"] == {"dcr": (0, 8), **others}
    assert figures["BU3"] == {"warp": (0, 15), "dcr": (0, 2), **others}
    assert figures["RU1"] == {"warp": (0, 30), "dcr": (0, 4), "special": (0, 2), **others}
    helps = {field.help for line in ask.form.lines for field in line.fields if field.kind == "number"}
    assert helps == {"How many are left; blank is as before"}


def test_the_sheet(ask: AnyAsk, kept: Kept):
    setup = ask.setup
    assert setup is not None
    assert (setup.title, setup.where) == ("Battle in 0505: Blue Team against Red Team", "0505, turn 1, phase 4")
    assert [(panel.title, panel.rows) for panel in setup.panels] == kept()
    (own,) = setup.secret["red"]
    assert (own.title, own.rows) == kept("own fleet")


def test_the_picture_of_the_sheet(ask: AnyAsk):
    assert ask.setup is not None
    scene = ask.setup.scene
    assert scene is not None
    assert scene.start is not None
    assert (scene.title, scene.when, scene.start.feature) == ("Battle in 0505", "Turn 1 · phase 4", "ion storm")
    assert [(one.code, one.side, one.kind, one.under) for one in scene.units][1:3] == [
        ("BU2", "blue", "B1-CA, CA", "crippled"),
        ("BU3", "blue", "B2-DD, DD", ""),
    ]
    assert [(one.label.key, one.seat) for one in scene.parties] == [("blue", 0), ("red", 1)]
    assert [(one.sides, one.does) for one in scene.forces] == [(("blue",), "fights"), (("red",), "fights")]
    (open_space,) = play(world("blue B1 0505 CA\nred R1 0506 CA"), {"B1": {"route": "0506"}}).asked("red", "battle")
    assert open_space.setup is not None
    assert open_space.setup.scene is not None
    assert open_space.setup.scene.start is not None
    assert open_space.setup.scene.start.feature == "", "of open space nothing is drawn"


def refused(ask: AnyAsk, sheet: dict[str, Any]) -> list[str]:
    with pytest.raises(Refused) as found:
        ask.answer_from(sheet)
    return [str(one) for one in found.value.refusals]


def test_what_is_refused_is_said_in_words_with_what_would_be_right(ask: AnyAsk, kept: Kept):
    assert refused(ask, {"BU1": {}, "BU2": {}, "BU3": {}, "BU4": {}, "RU9": {}}) == kept("#1")
    assert refused(ask, account(ask, BU3={"fate": "destroyd"})) == kept("#2")
    too_much = {"warp": 31, "dcr": 5, "tractors": 4, "special": 3}
    lines = {
        "BU1": {"fate": "disengaged"},
        "BU2": {"crippled": False},
        "BU4": {"fate": "disengaged"},
        "RU1": {"fate": "disengaged", **too_much, "dropped": True},
    }
    assert refused(ask, account(ask, **lines)) == kept()
    all_that_there_is = account(ask, RU1={key: most - 1 for key, most in too_much.items()})
    assert ask.answer_from(all_that_there_is)


HURT = {"fate": "damaged", "warp": 3, "dcr": 2, "tractors": 1, "special": 1}
BROKEN = {"sensors": True, "crippled": True, "dropped": True}
IN_WORDS = "damaged, 3 warp engine boxes, Damage Control Rating 2, 1 tractor beam, 1 special sensor"


def test_what_is_read_back(ask: AnyAsk):
    lines = {"BU1": {"fate": "destroyed", "dcr": 0}, "RU1": {**HURT, **BROKEN}}
    said = list(ask.read_back(ask.answer_from(account(ask, **lines))))
    assert said[0] == "BU1 Base 0505: destroyed", "what is left of it does not matter"
    assert said[1] == "BU2 B1-CA: intact"
    assert said[-1] == (f"RU1 R1-CA: {IN_WORDS}, sensors or scanners damaged, crippled, dropped its warp engines")


def test_where_accounts_differ_each_is_said_in_its_words(ask: AnyAsk, kept: Kept):
    assert ask.agree is not None
    one = ask.answer_from(account(ask, RU1={**HURT, **BROKEN}))
    other = ask.answer_from(account(ask, RU1={**HURT, **BROKEN, "warp": None, "sensors": False}))
    none = ask.answer_from(account(ask))
    found = ask.agree({"blue": one, "red": other})
    assert found.differences == kept()
    assert [(place.fields, place.what, place.said) for place in found.places] == [
        (("warp",), "RU1 R1-CA: Warp engine boxes that work", {"blue": "3", "red": "as before"}),
        (("sensors",), "RU1 R1-CA: Sensors or scanners damaged", {"blue": "yes", "red": "as before"}),
    ]
    (place,) = ask.agree({"blue": none, "red": one}).places
    assert (place.what, place.brief) == ("RU1 R1-CA", {"blue": "intact", "red": "damaged"})
    assert place.said["red"].startswith(f"{IN_WORDS}, ")
    assert ask.agree({"blue": one, "red": one}).settled == one


def test_how_units_came_out_at_a_glance(ask: AnyAsk):
    assert ask.guide is not None
    fates = {"BU1": "destroyed", "BU2": "damaged", "BU3": "disengaged", "BU4": "intact"}
    shown = ask.guide.units(account(ask, **{key: {"fate": fate} for key, fate in fates.items()}))
    assert [(one.code, one.side, one.says, one.ending) for one in shown] == [
        ("BU1", "blue", "destroyed", "lost"),
        ("BU2", "blue", "damaged", "hurt"),
        ("BU3", "blue", "left", "left"),
        ("BU4", "blue", "still there", "there"),
        ("RU1", "red", "still there", "there"),
    ]


def test_what_is_told_of_it(fought: Played, kept: Kept):
    assert fought.texts("blue", "battle") == kept()
    assert fought.texts("blue", "contact") == [], "the report of the battle tells of it"
    told = fought.told("blue", "battle")
    assert [one.why.rule for one in told if one.why] == ["BP-N26", "G-6"]
    contact = fought.table.knowledge("blue").contacts["E1"].latest
    assert (contact.level, contact.level_name, contact.headline) == (4, "known", "R1-CA (CA)")


MEET = {"R1": {"route": "0506 0505"}}
AROUND = ("0504", "0604", "0605", "0506", "0405", "0404")
"""The hexes beside 0505."""


def test_what_is_told_of_those_that_leave():
    lines = "blue B1 0505 CA+DD\nred R1 0507 CA"
    game = play(world(lines), None, MEET, battle={"BU2": {"fate": "disengaged"}, "RU1": {"fate": "disengaged"}})
    assert "B1-DD disengaged to 0404, as B2." in game.texts("blue", "movement")
    assert "R1-CA disengaged to 0506, as R1." in game.texts("red", "movement")
    ring = "".join(f"\nred R{at} {hex_id} CA" for at, hex_id in enumerate(AROUND, 2))
    game = play(world(f"{lines}{ring}"), None, MEET, battle={"BU1": {"fate": "disengaged"}})
    assert "B1 disengaged and finds no way out of 0505." in game.texts("blue", "movement")
    assert game.state.stacks["B1"].hex == "0505"


def test_what_is_told_of_an_emergency_that_ends():
    lines = "blue B1 0505 CA[emergency_used=1 chief_engineer=7]\nred R1 0507 CA"
    account = {"BU1": {"fate": "damaged", "dcr": 1}}
    game = play(world(lines), {"B1": {"emergency": ["B1-CA"]}}, MEET, battle=account, dice={"engineer": [4, 4]})
    (told,) = game.told("blue", "engines")
    assert told.text == "B1-CA uses Emergency Movement no longer."
    assert told.why is not None
    assert [(roll.purpose, roll.faces, roll.total) for roll in told.why.dice] == [("chief engineer of B1-CA", 6, 8)]
    assert game.texts("red", "engines") == []


def test_what_points_were_for():
    lines = "blue B1 0505 FT\nconvoy blue B1 0505 0506 0507 0508 0509\nred R1 0606 CA"
    caught = play(world(lines), None, {"R1": {"route": "P2 0506"}}, battle={"BU1": {"fate": "destroyed"}})
    assert caught.texts("blue", "score")[1] == "Red Team 9 (+9): B1-FT destroyed 6, a convoy caught 3."
    came_in = play(world("blue B1 0505 FT\nconvoy blue B1 0505 0506\nred R1 1105 CA"))
    assert came_in.texts("red", "score")[0] == "Blue Team 2 (+2): a convoy 2."
    both = {"BU1": {"fate": "damaged", "crippled": True}, "BU2": {"fate": "destroyed"}}
    hurt = play(world("blue B1 0505 CA+DD\nred R1 0507 CA"), None, MEET, battle=both)
    assert hurt.texts("blue", "score")[1] == "Red Team 11 (+11): B1-CA crippled 5, B1-DD destroyed 6."


def test_an_account_that_is_not_finished_is_shown_as_far_as_it_goes(ask: AnyAsk):
    assert ask.guide is not None
    assert {one.says for one in ask.guide.units({})} == {"still there"}
    begun = {one.code: one.says for one in ask.guide.units({"RU1": {"warp": 3}, "BU2": {"fate": "disengaged"}})}
    assert (begun["RU1"], begun["BU2"]) == ("damaged", "left")


def test_who_leaves_goes_back_by_the_last_hex_of_its_way():
    """Blue goes 0503 0504 0505, where Red stands: back to 0504, and not to the hexes nearer to home."""
    lines = "blue base 0606 BATS\nblue B1 0502 CA\nred R1 0505 CA"
    game = play(world(lines), {"B1": {"route": "0503 0504 0505"}}, battle={"BU1": {"fate": "disengaged"}})
    assert "B1-CA disengaged to 0504, as B1." in game.texts("blue", "movement")
