"""The words of battles, as both Teams read them, and captured units: whose they are then, and what they bring."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.short_forms import WhichLines
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.battles.captures import capture
from rules_engine.rulebooks.border_patrol.battles.results import UnitAccount
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import Played, after, play, world

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
    assert (figures["BU1"], figures["BU3"]) == ({"dcr": (0, 8), **others}, {"warp": (0, 15), "dcr": (0, 2), **others})
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


def test_the_picture_of_the_sheet(ask: AnyAsk, kept: Kept):
    assert ask.setup is not None
    scene = ask.setup.scene
    assert scene is not None
    assert scene.start is not None
    assert (scene.title, scene.when, scene.start.feature) == ("Battle in 0505", "Turn 1 · phase 4", "ion storm")
    assert scene.columns == ("Size Class", "BPV")
    assert [(one.code, one.side, one.kind, one.under) for one in scene.units][1:3] == kept()
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
        "BU1": {"fate": "disengaged"}, "BU2": {"crippled": False}, "BU4": {"fate": "disengaged"},
        "RU1": {"fate": "disengaged", **too_much, "dropped": True},
    }  # fmt: skip
    assert refused(ask, account(ask, **lines)) == kept()
    assert ask.answer_from(account(ask, RU1={key: most - 1 for key, most in too_much.items()}))


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
    assert [(place.fields, place.what, place.said) for place in found.places] == kept("#2")
    (place,) = ask.agree({"blue": none, "red": one}).places
    assert (place.what, place.brief) == ("RU1 R1-CA", {"blue": "intact", "red": "damaged"})
    assert place.said["red"].startswith(f"{IN_WORDS}, ")
    assert ask.agree({"blue": one, "red": one}).settled == one


def test_how_units_came_out_at_a_glance(ask: AnyAsk, kept: Kept):
    assert ask.guide is not None
    fates = {"BU1": "destroyed", "BU2": "damaged", "BU3": "disengaged", "BU4": "intact"}
    shown = ask.guide.units(account(ask, **{key: {"fate": fate} for key, fate in fates.items()}))
    assert [(one.code, one.side, one.says, one.ending) for one in shown] == kept()


def test_what_is_told_of_it(fought: Played, kept: Kept):
    assert fought.texts("blue", "battle") == kept()
    assert fought.texts("blue", "contact") == [], "the report of the battle tells of it"
    assert [one.why.rule for one in fought.told("blue", "battle") if one.why] == ["BP-N26", "G-6"]
    contact = fought.table.knowledge("blue").contacts["E1"].latest
    assert (contact.level, contact.level_name, contact.headline) == (4, "known", "R1-CA (CA)")


MEET = {"R1": {"route": "0506 0505"}}


"""The hexes beside 0505."""


@cases("case, lines, orders, holds", "")
def test_what_is_told_of_those_that_leave_and_what_points_were_for(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


def test_what_is_told_of_an_emergency_that_ends():
    lines = "blue B1 0505 CA[emergency_used=1 chief_engineer=7]\nred R1 0507 CA"
    account = {"BU1": {"fate": "damaged", "dcr": 1}}
    game = play(world(lines), {"B1": {"emergency": ["B1-CA"]}}, MEET, battle=account, dice={"engineer": [4, 4]})
    (told,) = game.told("blue", "engines")
    assert told.text == "B1-CA uses Emergency Movement no longer."
    assert told.why is not None
    assert [(roll.purpose, roll.faces, roll.total) for roll in told.why.dice] == [("chief engineer of B1-CA", 6, 8)]
    assert game.texts("red", "engines") == []


def test_an_account_that_is_not_finished_is_shown_as_far_as_it_goes(ask: AnyAsk):
    assert ask.guide is not None
    assert {one.says for one in ask.guide.units({})} == {"still there"}
    begun = {one.code: one.says for one in ask.guide.units({"RU1": {"warp": 3}, "BU2": {"fate": "disengaged"}})}
    assert (begun["RU1"], begun["BU2"]) == ("damaged", "left")


"""By what is told of it, what comes of a battle in 0505, to which Red comes."""


@cases("lines, orders, told", "")
def test_battle_is_told_before_what_comes_of_it(lines: str, orders: Any, told: str):
    game = play(world(lines), red=MEET, **orders)
    found = False
    for team in ("blue", "red"):
        outcome = [one.text for one in game.told(team) if "/outcome/" in f"{one.place}/"]
        first, *others = [text.startswith("The battle in 0505 is over.") for text in outcome]
        assert (first, any(others)) == (True, False), outcome
        found = found or any(told in text for text in outcome)
    assert found


# --- captures --------------------------------------------------------------------------------------------------------
CAPTURE_LINES = "blue B1 0505 CA+DD\nred R1 0507 CA+DD[flagship=yes]"


def captured(account: dict[str, dict[str, Any]], lines: str = CAPTURE_LINES) -> Played:
    """Red comes to Blue's hex, in phase 4."""
    return play(world(lines), None, MEET, battle=account)


def refused_capture(account: dict[str, dict[str, Any]], lines: str = CAPTURE_LINES) -> list[tuple[str, str]]:
    (ask,) = captured({}, lines).asked("blue", "battle")[:1]
    filled: Any = {key: {**line, **account.get(key, {})} for key, line in ask.form.prefilled().items()}
    with pytest.raises(Refused) as found:
        ask.answer_from(filled)
    assert all(one.problem and one.legal for one in found.value.refusals)
    return [(one.path, one.rule) for one in found.value.refusals]


TAKEN = {"RU2": {"fate": "captured", "warp": 5, "crippled": True}}


@cases("case, proves, lines, orders, holds", "")
def test_what_becomes_of_the_captured(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.22")
def test_captors_alone_are_told_the_stack_of_what_they_captured():
    game = captured(TAKEN)
    said = "The battle in 0505 is over. RU2 R1-DD: captured, 5 warp engine boxes, crippled."
    assert game.texts("blue", "battle")[-2:] == [said, "Prize R1-DD captured in 0505, as B2."]
    assert game.texts("red", "battle")[-1] == said
    assert "as B2" not in game.seen_by("red")


@pytest.mark.rule("border_patrol", "V8.22")
def test_a_captured_unit_is_commanded_in_the_next_turn():
    state = captured(TAKEN).state
    state.units["R1-CA"].hex = state.stacks["R1"].hex = "1111"
    play(state, {"B2": {"route": "0506"}})
    assert state.stacks["B2"].hex == "0506"


class TestWhatIsRefused:
    def test_by_nobody_who_stays(self):
        account = {"BU1": {"fate": "disengaged"}, "BU2": {"fate": "destroyed"}, **TAKEN}
        assert refused_capture(account) == [("RU2.fate", "BP-N28")]
        assert refused_capture(
            {"BU1": {"fate": "captured"}, "BU2": {"fate": "captured"}, "RU1": {"fate": "captured"}, **TAKEN}
        )

    @pytest.mark.rule("border_patrol", "V8.18")
    def test_what_is_aboard_others(self):
        lines = CAPTURE_LINES.replace("CA+DD\n", "CA+DD[kind=fighter]\n")
        (ask,) = captured({}, lines).asked("blue", "battle")[:1]
        assert "captured" not in [one.value for one in ask.form.by_key["BU2"].fields[0].choices]
        assert refused_capture({"BU2": {"fate": "captured"}}, lines) == [("BU2.fate", "BP-N28")]

    def test_accounts_differ_by_who_was_captured(self):
        (ask,) = captured({}).asked("blue", "battle")[:1]
        assert ask.agree is not None
        filled: Any = ask.form.prefilled()
        mine = ask.answer_from({**filled, "RU1": {"fate": "captured"}})
        theirs = ask.answer_from({**filled, "RU1": {"fate": "destroyed"}})
        assert ask.agree({"blue": mine, "red": theirs}).differences == (
            "RU1 R1-CA: Blue Team says captured; Red Team says destroyed",
        )


def taking(key: str) -> Any:
    """That a unit is captured where it is, and nothing else."""

    def flow(turn: Any) -> Any:
        capture(turn, turn.state.units[key].hex, [turn.state.units[key]])
        return
        yield

    return flow


def test_nobody_goes_after_an_own_unit_that_was_the_others():
    state = world("blue B1 0505 CA\nblue B2 0606 CA[reacting=yes target=R1-CA]\nred R1 0505 CA")

    Played(state, steps=taking("R1-CA"))
    assert (state.units["R1-CA"].team, state.units["B2-CA"].target) == ("blue", "")


@pytest.mark.rule("border_patrol", "V8.63", "V8.66")
def test_one_that_had_left_its_station_by_points_it_held_has_still_done_so():
    """It has no point of its own for the hex that it entered in reaction: nothing is wrong, though that is over."""
    state = world("blue B1 0505 CA\nred R1 0505 CA[reacting=yes left_station=yes accrued=1]")
    state.units["R1-CA"].allowed_in, state.units["R1-CA"].moved_in = {2: 2}, {2: 1}
    Played(state, steps=taking("R1-CA"))
    assert (state.units["R1-CA"].team, state.units["R1-CA"].reacting, RULEBOOK.defects(state)) == ("blue", False, [])


# --- figures of battles ----------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.65")
def test_weapon_status_is_a_die_of_six_faces_that_its_team_alone_sees(fought: Played):
    rolls = [one for one in fought.table.shared.rolls if one.purpose.startswith("Weapon Status")]
    assert [one.purpose.removeprefix("Weapon Status of ") for one in rolls] == [*CODES.values()]
    assert {(one.faces, len(one.dice)) for one in rolls} == {(6, 1)}
    assert [*dict.fromkeys(one.seen_by for one in rolls)] == [frozenset({"blue"}), frozenset({"red"})]


@pytest.mark.parametrize("name", ["warp", "dcr", "tractors", "special"])
def test_account_takes_0_to_999_of_what_a_unit_has_left(name: str):
    for figure in (0, 999):
        assert getattr(UnitAccount.model_validate({name: figure}), name) == figure
    for figure in (-1, 1000, "7"):
        with pytest.raises(ValidationError, match=name):
            UnitAccount.model_validate({name: figure})
