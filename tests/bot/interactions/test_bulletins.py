"""A bulletin's buttons: what lies behind it, for its own side alone, after a restart too, and not after a rewind."""

from typing import Any

import pytest

from bot.cards.told import A_PAGE, told_file, told_page, why_text
from bot.store.tables import JournalRow
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Report, because
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable

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
    assert message.content == "**Turn 2**\n• Our spy reports: Red Fleet named 7."
    assert [file.filename for file in message.attachments] == ["map.png"]
    assert list(ids(message)) == ["Log: 2 reports"]
    page = await here.leo.click(message, label="Log: 2 reports")
    assert page.ephemeral
    assert said(page) == "__Turn 1__\n1. Our spy reports: Red Fleet named 7.\n2. Red Fleet named the higher number."
    assert page.response is not None
    why = await here.leo.click(page.response, label="1 Why?")
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
    token = ids(await newest(here, "side:blue"))["Log: 2 reports"].split("|")[1]
    message = await newest(here, "public")
    before = await here.fingerprint()
    for who in (here.ann, here.sam, here.zoe, here.rita):
        for verb in ("log|0", "why|0", "fact|0", "file|all"):
            assert said(await here.forge(who, message, f"b|{token}|{verb}")) == UNKNOWN
    assert said(await here.forge(here.leo, message, "b|nothing|log|0")) == UNKNOWN
    for forged in ("log|x", "log|-1", "log|²", "log|9999999", "why|2", "steal|0", "fact|"):
        told = said(await here.forge(here.leo, message, f"b|{token}|{forged}"))
        assert "not something I offered" in told, forged
    assert "says more of it" in said(await here.forge(here.leo, message, f"b|{token}|fact|2"))
    assert await here.fingerprint() == before


async def test_it_works_after_a_restart_and_for_whoever_commands_the_side_by_then(here: SimulatedServer) -> None:
    await to_turn_2(here)
    message = await newest(here, "side:blue")
    log = ids(message)["Log: 2 reports"]
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
    listed = await here.slash(here.rita, "referee rewind", to="1")
    assert listed.response is not None
    asked = await here.rita.click(listed.response, label="Go back to entry 1 …")
    await here.submit(here.rita, asked, text="Once more.")
    for message in (blue, public):
        for custom_id in ids(message).values():
            told = said(await here.forge(here.leo, message, custom_id))
            assert told == "Play has gone back to before this, so it counts no longer. `/log` tells what still stands."
    last = (await here.channel("side:blue")).history()[-1]
    assert last.content == "**Turn 1** · nothing new"
    assert [file.filename for file in last.attachments] == ["map.png"]
    assert not last.components


async def test_going_back_takes_away_what_was_told_and_not_what_waited_to_be_told(here: SimulatedServer) -> None:
    await to_turn_2(here)
    (closed, _) = await here.rows(JournalRow.seq, JournalRow.kind == "closed")
    listed = await here.slash(here.rita, "referee rewind", to=str(closed))
    assert listed.response is not None
    asked = await here.rita.click(listed.response, label=f"Go back to entry {closed} …")
    await here.submit(here.rita, asked, text="The spoils once more.")
    message = await newest(here, "side:blue")
    assert message.content == "**Turn 1**\n• Our spy reports: Red Fleet named 7."
    page = said(await here.leo.click(message, label="Log: 2 reports"))
    assert page == "__Turn 1__\n1. Our spy reports: Red Fleet named 7.\n2. Red Fleet named the higher number."
    await here.press(here.ann, "The spoils", "gold")
    await here.press(here.ann, "The spoils", "Ready")
    assert (await here.channel("side:blue")).history()[-1].content == "**Turn 2** · nothing new", "it was told that"
    assert "spy reports" in said(await here.forge(here.leo, message, ids(message)["Log: 2 reports"]))


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
    assert page.content == "__Turn 1__\n1. A head:\n• row"
    assert page.rows == ()


def test_the_file_has_it_all() -> None:
    assert told_file([report(1), report(5, why=False)]) == (
        "Turn 1\nReport 1.\n• column 1\n•  shadowed\n• Rule: 6.3\n\nTurn 2\nReport 5.\n"
    )
