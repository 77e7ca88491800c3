"""Commands: Discord's limits on them and on forms, and `/brief`."""

import json
import re
from dataclasses import replace
from typing import Any

import discord
import pytest
from pydantic import RootModel

from bot.cards import cards, frame_sizes, menus
from bot.cards.prompts.state import PromptState
from bot.interactions.modals import clip, fields_of_part, line_modal, modal_id, text_modal
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.protocol.asks import Ask
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said
from tests.expected.kept import cases
from tests.message_words import pressable, words_of
from tests.toy import Orders

MOST_COMMANDS = 100
MOST_OPTIONS = 25
MOST_CHARACTERS = 8_000


def payloads(here: SimulatedServer) -> list[dict[str, Any]]:
    return [command.to_dict(here.bot.tree) for command in here.bot.tree.get_commands()]


def nodes(command: dict[str, Any]) -> list[dict[str, Any]]:
    found = [command]
    for option in command.get("options", []):
        found += nodes(option)
    return found


def characters(command: dict[str, Any]) -> int:
    """Names, descriptions and choice values, as Discord counts them."""
    own = len(command["name"]) + len(command.get("description", ""))
    own += sum(len(one["name"]) + len(str(one["value"])) for one in command.get("choices", []))
    return own + sum(characters(one) for one in command.get("options", []))


async def test_the_command_tree_is_within_discords_limits(here: SimulatedServer) -> None:
    commands = payloads(here)
    assert len(commands) <= MOST_COMMANDS
    for command in commands:
        assert characters(command) <= MOST_CHARACTERS, command["name"]
        for node in nodes(command):
            assert 1 <= len(node["name"]) <= 32
            assert node["name"] == node["name"].lower()
            assert 1 <= len(node["description"]) <= 100, node["name"]
            assert len(node.get("options", [])) <= MOST_OPTIONS, node["name"]
            assert len(node.get("choices", [])) <= MOST_OPTIONS, node["name"]


async def test_every_command_says_what_each_option_means(here: SimulatedServer) -> None:
    for command in payloads(here):
        for node in nodes(command):
            assert node["description"] != "…", node["name"]


async def test_commands_work_in_servers_and_in_direct_messages(here: SimulatedServer) -> None:
    for command in payloads(here):
        assert sorted(command["contexts"]) == [0, 1], command["name"]
        assert command["integration_types"] == [0], command["name"]


async def test_commands_are_registered_once_and_not_again_at_a_restart(here: SimulatedServer) -> None:
    def puts() -> int:
        return sum(one.method == "PUT" and one.path.endswith("/commands") for one in here.env.http_requests)

    assert puts() == 1
    await here.restart()
    assert puts() == 1


# --- forms ---------------------------------------------------------------------------------------------------------
LONG = "x" * 500


def long_line(fields: int = 7) -> Line:
    choices = tuple(Choice(value=f"v{one}", label=LONG, hint=LONG) for one in range(25))
    made = tuple(
        Field(
            key=f"k{number}",
            label=LONG,
            kind=("one", "many", "number", "flag", "text")[number % 5],
            choices=choices if number % 5 < 2 else (),
            help=LONG,
            optional=number % 2 == 0,
            most=9_000 if number % 5 == 4 else None,
        )
        for number in range(fields)
    )
    return Line(key="a", label=LONG, note=LONG, fields=made)


def check_modal(modal: discord.ui.Modal) -> list[dict[str, Any]]:
    made: dict[str, Any] = json.loads(json.dumps(modal.to_dict()))
    assert 1 <= len(made["title"]) <= 45
    assert 1 <= len(made["custom_id"]) <= 100
    assert 1 <= len(made["components"]) <= 5
    for label in made["components"]:
        assert label["type"] == 18
        assert 1 <= len(label["label"]) <= 45
        assert len(label.get("description") or "") <= 100
        control = label["component"]
        assert len(control["custom_id"]) <= 100
        if control["type"] == 4:
            assert (control.get("max_length") or 4_000) <= 4_000
            assert len(control.get("value") or "") <= control.get("max_length", 4_000)
            assert len(control.get("placeholder") or "") <= 100
        if control["type"] == 3:
            assert 1 <= len(control["options"]) <= 25
            for option in control["options"]:
                assert 1 <= len(option["label"]) <= 100
                assert len(option["value"]) <= 100
                assert len(option.get("description") or "") <= 100
    return made["components"]


@cases("count, together, sizes")
def test_fields_that_belong_together_are_asked_together(count: int, together: int, sizes: list[int]) -> None:
    number = Field(key="number", label="Number", kind="number")
    fields = tuple(number._replace(key=str(n)) for n in range(count))
    line = Line(key="a", label="A", fields=fields, together=together)
    assert [len(part) for part in menus.parts_of(line)] == sizes
    assert tuple(field for part in menus.parts_of(line) for field in part) == fields
    assert fields_of_part(line, len(sizes)) == ()


@pytest.mark.parametrize("part", [0, 1])
async def test_forms_keep_discords_limits_whatever_a_rulebook_says(part: int) -> None:
    line = long_line()
    modal = line_modal("t" * 16, 999, part, line, {"k4": "y" * 9_000})
    assert len(check_modal(modal)) == len(fields_of_part(line, part))
    assert modal.is_finished()  # so discord.py does not keep it


async def test_a_choice_too_big_for_a_menu_is_typed() -> None:
    many = tuple(Choice(value=f"{number:03}", label=str(number)) for number in range(60))
    line = Line(key="a", label="A", fields=(Field(key="f", label="F", kind="many", choices=many, value=["001"]),))
    (control,) = check_modal(line_modal("t", 0, 0, line, {"f": ["001", "059"]}))
    assert (control["component"]["type"], control["component"]["value"]) == (4, "001, 059")


async def test_text_forms_keep_the_limits() -> None:
    check_modal(text_modal(modal_id("t" * 16, "text"), title=LONG, label=LONG, text="z" * 4_000, help_text=LONG))


def test_ids_of_forms_are_used_once() -> None:
    assert len({modal_id("t", "0.0") for _ in range(100)}) == 100


def test_clip_says_that_something_was_cut() -> None:
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdefg", 6) == "abcde…"


# --- cards ---------------------------------------------------------------------------------------------------------
class Numbers(RootModel[dict[str, dict[str, int]]]):
    """An answer whose lines have numbers."""


def state_of(form: Form) -> PromptState:
    ask = Ask(
        kind="orders", parties=("red",), title="Orders", text="text", model=Orders, form=form, rule="1",
        default=Orders.model_validate({"fleet": {"number": 1}}),
    )  # fmt: skip
    return PromptState(token="t" * 12, ask=ask, campaign="C", side="Red", closes=None)


def test_a_long_sheet_is_turned_page_by_page_and_no_line_is_lost() -> None:
    lines = tuple(long_line(7)._replace(key=f"l{number}") for number in range(30))
    form = Form(lines=lines)  # two forms a line: sixty entries
    offered: list[str] = []
    for page in range(3):
        (menu,) = cards.prompt_card(state_of(form), page=page).rows[0]
        assert len(menu["options"]) <= 25
        assert all(len(one["label"]) <= 100 and len(one["description"]) <= 100 for one in menu["options"])
        offered += [one["value"] for one in menu["options"] if not one["value"].startswith("page.")]
    assert offered == [f"{line}.{part}" for line in range(30) for part in range(2)]
    assert cards.page_of(state_of(form), 29, 1) == 2


def test_of_a_series_the_menu_offers_the_next_line_and_the_search_finds_them_all() -> None:
    number = Field(key="number", label="Number", kind="number", optional=True)
    lines = tuple(Line(key=f"m{n}", label=f"Mission {n}", fields=(number,), series="missions") for n in range(40))
    form = Form(lines=(Line(key="fleet", label="Fleet", fields=(number,)), *lines))

    def offered(state: PromptState, find: str = "") -> list[str]:
        (menu,) = cards.prompt_card(state, find=find).rows[0]
        return [one["label"] for one in menu["options"]]

    fresh = state_of(form)
    assert offered(fresh) == ["Fleet", "Mission 0"]
    used = replace(fresh, answer=Numbers.model_validate({"m0": {"number": 1}, "m2": {"number": 3}}))
    assert offered(used) == ["Fleet", "Mission 0", "Mission 1", "Mission 2", "Mission 3"]
    assert cards.page_of(used, 40) == 0
    assert offered(fresh, "mission 39")[0] == "Mission 39"


def test_a_card_that_says_too_much_says_so() -> None:
    state = state_of(Form(lines=(long_line(),)))
    crowded = PromptState(**{**vars(state), "problems": [f"problem {number} {LONG}" for number in range(30)]})
    layout = cards.prompt_card(crowded).layout
    assert layout is not None
    assert frame_sizes.fits(layout)
    content = "\n".join(frame_sizes.words_of(layout))
    assert "problem 0" in content  # what was refused comes first
    assert re.search(r"\n… and \d+ more: \*\*All orders\*\* has them\.\n", content)


def grouped_form() -> Form:
    """Ten task forces, sixty ships, thirty task forces that could be formed; a ship's line is two forms long."""
    short = long_line(1)
    return Form(
        lines=(
            *(short._replace(key=f"A{n}", label=f"A{n}", group="Task forces") for n in range(10)),
            *(long_line(7)._replace(key=f"s{n}", label=f"Ship {n} in 04{n:02}", group="Ships") for n in range(60)),
            *(short._replace(key=f"N{n}", label=f"N{n}", group="New ones") for n in range(30)),
        )
    )


def test_a_sheet_of_groups_leads_from_every_page_to_every_group() -> None:
    form = grouped_form()
    first = cards.prompt_card(state_of(form)).rows[0][0]["options"]
    assert [one["label"] for one in first[:10]] == [f"A{n}" for n in range(10)]
    ways = {one["label"]: one["value"] for one in first[10:]}
    assert list(ways) == ["Ships …", "New ones …", "Find a line …"]
    seen: set[str] = set()
    todo = [0]
    pages: set[int] = set()
    while todo:
        number = todo.pop()
        if number in pages:
            continue
        pages.add(number)
        (menu,) = cards.prompt_card(state_of(form), page=number).rows[0]
        assert len(menu["options"]) <= 25
        values = [one["value"] for one in menu["options"]]
        assert len(set(values)) == len(values)
        assert "page.find" in values
        seen |= {value for value in values if not value.startswith("page.")}
        todo += [int(value[5:]) for value in values if value.startswith("page.") and value != "page.find"]
        assert all(one["description"] for one in menu["options"] if one["value"].startswith("page."))
    assert len(seen) == 10 + 60 * 2 + 30
    (ships,) = cards.prompt_card(state_of(form), page=int(ways["Ships …"][5:])).rows[0]
    assert ships["options"][0]["label"] == "Ship 0 in 0400 (1/2)"


def test_lines_are_found_by_a_part_of_their_names() -> None:
    form = grouped_form()
    (menu,) = cards.prompt_card(state_of(form), find="SHIP 0417").rows[0]
    assert [one["value"] for one in menu["options"]] == ["27.0", "27.1", "page.find", "page.0"]
    assert "SHIP 0417" in menu["placeholder"]
    (everything,) = cards.prompt_card(state_of(form), find="ship").rows[0]
    assert len(everything["options"]) == 25
    (nothing,) = cards.prompt_card(state_of(form), find="x" * 60).rows[0]
    assert nothing["placeholder"].startswith("No line has “xxx")
    assert len(nothing["placeholder"]) <= 150
    assert nothing["options"] == cards.prompt_card(state_of(form)).rows[0][0]["options"]


def test_what_a_menu_says_ends_between_words() -> None:
    assert menus.cut("Meridian, Resolute, Concord", 27) == "Meridian, Resolute, Concord"
    assert menus.cut("Meridian, Resolute, Concord", 26) == "Meridian, Resolute …"
    assert menus.cut("x" * 30, 10) == "x" * 9 + "…"


def test_the_parts_of_a_long_line_say_what_they_ask() -> None:
    (menu,) = cards.prompt_card(state_of(Form(lines=(long_line(7)._replace(note=""),)))).rows[0]
    labels = [field.label for field in long_line(7).fields]
    assert menu["options"][1]["description"].startswith(menus.cut(", ".join(labels[5:]), 100))


# --- `/brief`, and the briefing that comes before the first order -----------------------------------------------------
HEAD = "## You command Red Fleet\n**First Duel:** "
BLUE = "## You command Blue Fleet\n**First Duel:** "


async def test_each_commander_is_briefed_before_the_first_sheet_with_the_map(game: SimulatedServer) -> None:
    told = game.dms(game.ann)
    briefed = [place for place, one in enumerate(told) if words_of(one).startswith(HEAD)]
    assert len(briefed) == 1
    labels = [[part.get("label") for part in pressable(one)] for one in told]
    first_card = next(place for place, offered in enumerate(labels) if "Ready" in offered)
    assert briefed[0] < first_card
    message = told[briefed[0]]
    assert message.attachments
    assert "E1: the first escort" in words_of(message)
    assert message.attachments[0].filename.startswith("map")
    assert not [one for one in game.dms(game.rita) if "command" in words_of(one)], "the referee commands nobody"
    assert [one for one in game.dms(game.leo) if words_of(one).startswith(BLUE)]


async def test_it_is_told_again_at_any_time_to_commanders_alone(game: SimulatedServer) -> None:
    again = await game.dm_slash(game.ann, "brief")
    assert HEAD in said(again)
    assert message_of(again).attachments
    assert "You command no side of this campaign." in said(await game.slash(game.rita, "brief"))


async def test_its_buttons_answer_beside_it_and_only_its_side(game: SimulatedServer) -> None:
    """The orders, the rules, the forces and all of it in words: one press each, and the briefing stays."""
    message = next(one for one in game.dms(game.ann) if words_of(one).startswith(HEAD))
    ids = {one["label"]: one["custom_id"] for one in pressable(message)}
    told = {label: said(await game.forge(game.ann.user, message, custom_id)) for label, custom_id in ids.items()}
    assert "Missions" in told["Open my orders"]
    assert "**Victory:**" in told["Rules"]
    assert "ships 5" in told["Show"]
    assert told["Everything"].startswith("**First Duel: you command Red Fleet**\n")
    assert "**Letters:** E1: the first escort" in told["Everything"]
    assert words_of(next(one for one in game.dms(game.ann) if one.id == message.id)).startswith(HEAD)
    for label, custom_id in ids.items():
        assert "Red Fleet" not in said(await game.forge(game.leo.user, game.dms(game.leo)[0], custom_id)), label
    nonsense = ids["Everything"].replace("whole", "half")
    assert "not something I offered" in said(await game.forge(game.ann.user, message, nonsense))


async def test_who_takes_a_seat_over_is_briefed_and_who_leaves_is_not_told_again(game: SimulatedServer) -> None:
    left = len(game.dms(game.leo))
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user)
    await game.press(game.leo, "is to take the seat", "Agree")
    assert len([one for one in game.dms(game.zoe) if words_of(one).startswith(BLUE)]) == 1
    assert not [one for one in game.dms(game.leo)[left:] if words_of(one).startswith(BLUE)]
