"""A bulletin's buttons, and the campaign's name in answers to people in several campaigns."""

from collections.abc import Iterator
from typing import Any

import pytest
from discord import app_commands
from simcord.results import InteractionResult

from bot.cards.told import A_PAGE, told_file, told_page, why_text
from bot.store.tables import BulletinRow, JournalRow, LetterRow, PromptRow
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Report, because
from tests.bot.direct.test_plain_messages import answered
from tests.bot.worlds.simulated_server import TITLE, SimulatedServer, message_of, said
from tests.expected.sections import section_rows
from tests.message_words import pressable, words_of

UNKNOWN = "I know of no such bulletin to you. `/log` tells what your side was told."


async def to_turn_2(here: SimulatedServer) -> None:
    """Red named the higher number, a spy of blue's told it so; both plan the second turn."""
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.fill(here.leo, "Missions", "0.0", f0=True, f1="2")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    assert "spy" not in await here.texts("side:blue"), "blue is told when it is asked something"
    await here.press(here.ann, "The spoils", "gold")
    await here.press(here.ann, "The spoils", "Ready")


async def newest(here: SimulatedServer, place: str) -> Any:
    """The newest message of a place that has buttons."""
    return [one for one in (await here.channel(place)).history() if one.components][-1]


def ids(message: Any) -> dict[str, str]:
    return {one["label"]: one["custom_id"] for one in pressable(message)}


async def test_a_side_is_told_once_with_its_map_and_asks_for_the_rest(here: SimulatedServer) -> None:
    await to_turn_2(here)
    message = await newest(here, "side:blue")
    assert message.content == "## Turn 2\n• Our spy reports: Red Fleet named 7."
    (picture,) = message.attachments
    assert picture.filename.startswith("map-")
    assert picture.description is not None
    assert "Blue Fleet" in picture.description
    assert list(ids(message)) == ["Next", "Map", "Log"]
    page = await here.leo.click(message, label="Log")
    assert page.ephemeral
    assert said(page) == "__Turn 1__\n1. Our spy reports: Red Fleet named 7.\n2. Red Fleet named the higher number."
    why = await here.leo.click(message_of(page), label="1 Why?")
    assert why.ephemeral
    assert "• bribe 2\n• Dice: spying, 1D6: " in said(why)
    assert said(why).endswith("\n• Rule: 3.1")
    assert "1.1" not in said(why), "of that report alone"
    red = await here.texts("side:red")
    assert "spy" not in red
    assert red.endswith("**Turn 2** · nothing new"), "what everybody was told stands in the public channel"


async def test_what_everybody_was_told_has_its_reason_behind_a_button_for_anybody(here: SimulatedServer) -> None:
    await to_turn_2(here)
    message = await newest(here, "public")
    assert message.content == "**Turn 1**\nRed Fleet named the higher number."
    for who in (here.ann, here.sam, here.zoe):
        why = await here.forge(who, message, ids(message)["Why?"])
        assert why.ephemeral
        assert said(why) == "**Turn 1**\nRed Fleet named the higher number.\n• Rule: 1.1"


async def test_nobody_else_is_shown_what_lies_behind_it(here: SimulatedServer) -> None:
    await to_turn_2(here)
    token = ids(await newest(here, "side:blue"))["Log"].split("|")[1]
    message = await newest(here, "public")
    before = await here.fingerprint()
    for who in (here.ann, here.sam, here.zoe, here.rita):
        for verb in ("log|0", "why|0", "fact|0", "file|all"):
            assert said(await here.forge(who, message, f"b|{token}|{verb}")) == UNKNOWN
    assert said(await here.forge(here.leo, message, "b|nothing|log|0")) == UNKNOWN
    for forged in ("log|x", "log|-1", "log|²", "log|9999999", "why|2", "steal|0", "fact|"):
        assert "not something I offered" in said(await here.forge(here.leo, message, f"b|{token}|{forged}")), forged
    assert "says more of it" in said(await here.forge(here.leo, message, f"b|{token}|fact|2"))
    assert await here.fingerprint() == before


async def test_it_works_after_a_restart_and_for_whoever_commands_the_side_by_then(here: SimulatedServer) -> None:
    await to_turn_2(here)
    message = await newest(here, "side:blue")
    log = ids(message)["Log"]
    await here.restart()
    assert "spy reports" in said(await here.forge(here.leo, message, log))
    asked = await here.slash(here.rita, "referee substitute", leaving=here.leo.user, arriving=here.mia.user)
    assert "consent" in said(asked)
    await here.leo.user.click(here.prompt(here.leo, "asks for your consent"), label="Agree")
    public = await newest(here, "public")
    assert said(await here.forge(here.leo, public, log)) == UNKNOWN
    assert "spy reports" in said(await here.forge(here.mia, message, log))


async def test_after_a_rewind_it_says_so_and_the_next_one_begins_anew(here: SimulatedServer) -> None:
    await to_turn_2(here)
    blue, public = await newest(here, "side:blue"), await newest(here, "public")
    await here.go_back(1, "Once more.")
    for message in (blue, public):
        for custom_id in (one for label, one in ids(message).items() if label != "Next"):
            told = said(await here.forge(here.leo, message, custom_id))
            assert told == "Play has gone back to before this, so it counts no longer. `/log` tells what still stands."
    last = (await here.channel("side:blue")).history()[-1]
    assert last.content == "**Turn 1** · nothing new"
    assert [file.filename for file in last.attachments] == ["map.png"]
    assert not last.components


async def test_going_back_takes_away_what_was_told_and_not_what_waited_to_be_told(here: SimulatedServer) -> None:
    await to_turn_2(here)
    (closed, _) = await here.rows(JournalRow.seq, JournalRow.kind == "closed")
    await here.go_back(closed, "The spoils once more.")
    message = await newest(here, "side:blue")
    assert message.content == "## Turn 1\n• Our spy reports: Red Fleet named 7."
    page = said(await here.leo.click(message, label="Log"))
    assert page == "__Turn 1__\n1. Our spy reports: Red Fleet named 7.\n2. Red Fleet named the higher number."
    await here.press(here.ann, "The spoils", "gold")
    await here.press(here.ann, "The spoils", "Ready")
    assert (await here.channel("side:blue")).history()[-1].content == "**Turn 2** · nothing new", "it was told that"
    assert "spy reports" in said(await here.forge(here.leo, message, ids(message)["Log"]))


def report(number: int, text: str = "", *, why: bool = True) -> Report:
    when = When(turn=1, label="Turn 1" if number < 5 else "Turn 2")
    reason = because("6.3", {"column": number, "": "shadowed"}) if why else None
    text = text or f"Report {number}."
    return Report(number=number, place="T1", when=when, to=("red",), kind="news", text=text, why=reason)


def labels(rows: Any) -> list[list[str]]:
    return [[f"{one['label']}{'-' if one['disabled'] else ''}" for one in row] for row in rows]


def named(verb: str, argument: object) -> str:
    return f"b|tok|{verb}|{argument}"


def test_pages_number_all_reports_and_give_each_its_why() -> None:
    told = [report(number, why=number != 3) for number in range(1, A_PAGE + 2)]
    first = told_page(told, 0, named)
    assert first.content.startswith(
        "__Turn 1__\n1. Report 1.\n2. Report 2.\n3. Report 3.\n4. Report 4.\n__Turn 2__\n5. "
    )
    assert first.content.endswith("\n9. Report 9.\n-# page 1 of 2")
    assert labels(first.rows) == [
        ["1 Why?", "2 Why?", "4 Why?"],
        ["5 Why?", "6 Why?", "7 Why?"],
        ["8 Why?", "9 Why?"],
        ["Older-", "Newer", "As a file"],
    ]
    assert [one["id"] for one in first.rows[0][:2]] == ["b|tok|why|0", "b|tok|why|1"]
    second = told_page(told, 1, named)
    assert second.content == "__Turn 2__\n10. Report 10.\n-# page 2 of 2"
    assert labels(second.rows) == [["10 Why?"], ["Older", "Newer-", "As a file"]]
    assert told_page(told, 99, named) == second
    assert labels(told_page(told[:A_PAGE], 0, named).rows)[-1] == ["As a file"], "a single page"


@pytest.mark.parametrize("text", ["long " * 400, "A head:\n" + "• row\n" * 200, "x" * 5_000])
def test_a_page_of_long_reports_is_short_and_their_why_tells_all(text: str) -> None:
    page = told_page([report(1, text, why=False) for _ in range(A_PAGE)], 0, named)
    assert len(page.content) < 1_900
    assert len(labels(page.rows)[0]) == 3, "what is cut can be read whole"
    assert text in why_text([report(1, text)])


def test_a_short_page_tells_everything_at_once() -> None:
    page = told_page([report(1, "A head:\n• row", why=False)], 0, named)
    assert (page.content, page.rows) == ("__Turn 1__\n1. A head:\n• row", ())


def test_the_file_has_it_all() -> None:
    found = told_file([report(1), report(5, why=False)])
    assert found == "Turn 1\nReport 1.\n• column 1\n•  shadowed\n• Rule: 6.3\n\nTurn 2\nReport 5.\n"


@pytest.mark.pictures
async def test_its_map_is_opened_large_as_its_reader_may_see_it_now(here: SimulatedServer) -> None:
    await to_turn_2(here)
    message = await newest(here, "side:blue")
    opened = await here.leo.click(message, label="Map")
    assert opened.ephemeral
    ((large,),) = [part.attachments for part in (opened.response, *opened.followups) if part and part.attachments]
    assert large.filename == "map.png"
    assert large.description is not None
    token = ids(message)["Map"].split("|")[1]
    for who in (here.ann, here.sam, here.zoe, here.rita):
        for verb in ("map|0", "show|0"):
            assert said(await here.forge(who, await newest(here, "public"), f"b|{token}|{verb}")) == UNKNOWN
    assert "not something I offered" in said(await here.forge(here.leo, message, f"b|{token}|show|0"))


# --- whatever somebody in several campaigns is answered names the campaign that it is about in its first line ---------
OTHER = "Second Duel"
TURN = "Orders for turn 1"
ABOUT_NO_CAMPAIGN = {"campaign list", "quiet hours", "quiet cards", "quiet off"}
"""Commands that are about all of somebody's campaigns."""


SHEET = [
    ("ready", "1"), ("ready", "0"), ("ready", "7"), ("undo", "1"), ("reset", ""), ("reset", "00000000"), ("keep", ""),
    ("text", ""), ("sheet", ""), ("accept", ""), ("agree", "00000000"), ("pick", "0"), ("nonsense", ""),
]  # fmt: skip
CAMPAIGN = [
    ("log", "0"), ("why", "0"), ("file", "all"), ("forces", "0"), ("rewind", "1.1"), ("resolve", "none"),
    ("edit", "none"), ("give-back", "1"), ("brief", "rules"), ("brief", "whole"), ("desk", "more.none.1"),
    ("desk", "decide.none"), ("desk", "rule.none.0.none"), ("desk", "close"), ("desk", "sides"), ("desk", "log"),
    ("desk", "resume"), ("consent", "none"), ("object", "none"), ("nonsense", ""),
]  # fmt: skip
"""What buttons of a sheet and of a campaign say: what is offered, what is over, and what nobody was offered."""


async def two(here: SimulatedServer) -> str:
    """Two campaigns under way with the same people in them; gives the first."""
    campaign = await here.begin(TITLE)
    other = await here.found(OTHER)
    await here.seat(other, ann="red", leo="blue", sam="spectator")
    await here.slash(here.rita, "campaign start", campaign=other)
    return campaign


def commands(tree: Any) -> Iterator[str]:
    """The names of all commands."""
    for one in tree.walk_commands():
        if not isinstance(one, app_commands.Group):
            yield one.qualified_name


def options_of(here: SimulatedServer) -> dict[str, list[dict[str, Any]]]:
    """What commands are given beside the campaign: what is carried out, and what is refused."""
    leaving = [{"leaving": who.user, "arriving": here.zoe.user} for who in (here.leo, here.mia)]
    return {
        **dict(section_rows("options")), "referee substitute": leaving,
        "referee hand-ships": [{"captain": here.ann.user}], "referee hand-over": [{"to": here.leo.user}],
        "campaign name-referee": [{"to": here.zoe.user}],
    }  # fmt: skip


def first_lines(result: InteractionResult) -> list[str]:
    """How each answer begins; of a frame, which names it in its small print, all of it. An id that nobody was given is
    about nothing."""
    parts = [one for one in (result.response, *result.followups) if one is not None]
    lines = [one.content.split("\n")[0] or " ".join(words_of(one).split("\n")) for one in parts if words_of(one)]
    return [one for one in lines if "not something I offered" not in one]


async def test_every_command_names_it(here: SimulatedServer) -> None:
    campaign = await two(here)
    known = options_of(here)
    for name in sorted(set(commands(here.bot.tree)) - ABOUT_NO_CAMPAIGN, key=lambda one: one == "campaign leave"):
        for options in known.get(name, [{}]):
            for who in (here.rita, here.ann):  # whose it is, and who is refused
                result = await here.slash(who, name, campaign=campaign, **options)
                lines = first_lines(result)
                assert lines or result.modal is not None, (name, options)
                assert all(TITLE in line for line in lines), (name, options, lines)


async def test_every_press_names_it_carried_out_or_refused(here: SimulatedServer) -> None:
    """Of sheets, of the campaign, of bulletins and of what was typed; by whom it is meant for and by another side."""
    campaign = await two(here)
    await here.fill(here.ann, TURN, "0.0", f0="2", f1=["bold"])
    of_red = (PromptRow.campaign_id == campaign, PromptRow.side == "red", PromptRow.kind == "orders")
    (token,) = await here.rows(PromptRow.token, *of_red)
    sheet = [
        *[(verb, argument, None) for verb, argument in SHEET],
        *[("line", "0", [value]) for value in ("0.0", "9.9", "find", "page.0")],
    ]
    of_campaign = [
        *[(verb, argument, None) for verb, argument in CAMPAIGN], ("open", "", [token]), ("force", "", ["none"]),
        ("desk", "side", ["red"]), ("resolve", "", ["none"]),
    ]  # fmt: skip
    seen = 0
    for who in (here.ann, here.leo, here.rita):
        card = (await here.channel("public")).history()[-1]
        pressed = [(f"p|{token}|{verb}|{argument}", values) for verb, argument, values in sheet]
        pressed += [(f"c|{campaign}|{verb}|{argument}", values) for verb, argument, values in of_campaign]
        for custom_id, values in pressed:
            result = await here.forge(who, card, custom_id, values)
            lines = first_lines(result)
            seen += len(lines)
            assert all(TITLE in line for line in lines), (custom_id, values, lines)
        for custom_id in (f"m|{token}|text|ab", f"m|{token}|0.0|ab", f"n|{campaign}|rewind.1.1|ab"):
            result = await here.forge_modal(who, card, custom_id, text="number 3", f0="3")
            assert all(TITLE in line for line in first_lines(result)), (custom_id, first_lines(result))
    assert seen > 60
    await here.slash(here.rita, "referee resume", campaign=campaign)
    await here.slash(here.ann, "offer", to="blue", terms="Peace.", campaign=campaign)
    (letter,) = await here.rows(LetterRow.token, LetterRow.campaign_id == campaign)
    for who in (here.ann, here.leo, here.rita):
        verbs = ("read", "reply", "accept", "withdraw", "notice", "decline")
        for custom_id in (
            *(f"l|{letter}|{verb}|" for verb in verbs),
            f"l|{campaign}|page|0.",
            f"l|{campaign}|page|0.x",
        ):
            result = await here.forge(who, card, custom_id)
            assert all(TITLE in line for line in first_lines(result)), (custom_id, first_lines(result))
    await here.slash(here.rita, "referee resume", campaign=campaign)
    await here.slash(here.rita, "referee resolve-now", campaign=campaign)
    for who in (here.ann, here.leo):
        for row in await here.rows(BulletinRow.token, BulletinRow.campaign_id == campaign):
            for verb, argument in (
                ("log", "0"),
                ("why", "0"),
                ("why", "99"),
                ("fact", "0"),
                ("file", "all"),
                ("x", ""),
            ):
                result = await here.forge(who.user, here.dms(who)[-1], f"b|{row}|{verb}|{argument}")
                assert all(TITLE in line for line in first_lines(result)), (verb, argument, first_lines(result))


async def test_what_is_written_is_answered_with_the_name_whatever_it_is(here: SimulatedServer) -> None:
    campaign = await two(here)
    card = here.prompt(here.ann, TURN)  # of the second
    reference = {"channel_id": str(card.channel.id), "message_id": str(card.id)}
    for text in ("number 2; stance bold", "fleet: number 7", "fleet: nummber 3", "whatever", "1" * 1_900):
        answer = await answered(here, here.ann, text, reference=reference)
        assert OTHER in answer.content.split("\n")[0], (text, answer.content)
    await here.slash(here.rita, "referee resolve-now", campaign=campaign)
    await here.slash(here.rita, "referee pause", campaign=campaign)
    for text in ("next", "whatever"):
        lines = (await answered(here, here.ann, text)).content.split("\n")
        named = lines[-1] if lines[0].startswith("## ") else lines[0]  # a frame has it in its small print
        assert TITLE in named or OTHER in named, (text, lines)


async def test_what_is_about_several_campaigns_has_no_name_in_front(here: SimulatedServer) -> None:
    await two(here)
    assert first_lines(await here.slash(here.ann, "help")) == ["You are in several campaigns:"]
    assert first_lines(await here.slash(here.ann, "quiet off")) == ["Reminders may come at any hour."]
    assert (await answered(here, here.ann, "status")).content.startswith("You are in several campaigns:\n")


async def test_a_stranger_who_guesses_an_id_learns_no_name(game: SimulatedServer) -> None:
    token = await game.token("red", "orders")
    card = (await game.channel("public")).history()[-1]
    for custom_id in (f"p|{token}|ready|1", f"c|{game.campaign}|log|0", f"c|{game.campaign}|consent|x"):
        result = await game.forge(game.zoe, card, custom_id)
        assert said(result)
        assert TITLE not in "".join(first_lines(result)), custom_id
