"""Presses and commands: how few it takes, many at once, refused texts, answers that cannot be sent."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from structlog.testing import capture_logs

from bot.delivery.calls.at_work import MessagesAtWork
from bot.errors import Sorry
from bot.interactions import guard
from bot.interactions import turns as turns_module
from bot.interactions.door import MOST_SHOWN, fit_text, take_texts
from bot.interactions.turns import MOST_WAITING, SAID_EVERY, TooQuick, Turns
from bot.settings import BUILT_IN
from bot.store.tables import JournalRow, LetterRow
from tests import toy
from tests.bot.direct.test_plain_messages import answered
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server
from tests.message_words import pressable

SIDES = {
    "pq17/intro": {"ann": "alliance", "leo": "coalition"},
    "cutler/intro": {"ann": "klingon", "leo": "hydran", "mia": "lyran"},
}
FIRST = {"pq17/intro": "Planning, Turn 1", "cutler/intro": "Turn 1: economy"}
MEETING = ("A1: speed 3; route stay 0404 0405\nA2: speed 3; route stay 0305 0405", "C1: speed 3; route stay 0406 0405")
"""Plans by which two forces of the Alliance meet one of the Coalition's."""


class Counted(SimulatedServer):
    """A server of the shipped scenarios that counts what ann presses, menus and forms sent included."""

    presses = 0

    async def begin(self, title: str = "pq17/intro") -> str:
        """That scenario under way."""
        campaign = await self.found("Intro", scenario=title)
        for name, side in SIDES[title].items():
            await self.slash(self.people[name], "campaign join", side=side, campaign=campaign)
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    async def click(self, title: str, label: str) -> Any:
        """Ann presses a button of her card of that title."""
        self.presses += 1
        return await self.ann.user.click(self.prompt(self.ann, title), label=label)

    async def change(self, title: str, line: str, **values: Any) -> None:
        """Ann changes one line by its form, from the menu or by the button beside it."""
        self.presses += 2  # opened, sent back
        await self.fill(self.ann, title, line, **values)

    async def plan(self, alliance: str, coalition: str) -> None:
        """Both sides write these plans and are ready; it costs ann nothing here."""
        orders = self.bot.services.orders
        for who, side, text in ((self.ann, "alliance", alliance), (self.leo, "coalition", coalition)):
            token = await self.token(side, "planning")
            await orders.filling.write(token, who.user.id, text)
            await orders.readiness.say(token, who.user.id, is_ready=True)
        await self.bot.delivery.idle()
        await self.env.settle()

    async def until(self, kind: str) -> str:
        """Others are ready with whatever they are asked, and so is ann, until she is asked this; gives its title."""
        for _ in range(12):
            for side, title in await self.open_titles():
                token_kind = {"alliance": self.ann, "coalition": self.leo}[side]
                if side == "alliance" and title.startswith(kind):
                    return title
                await self.slash(token_kind, "orders ready")
                break
            await self.bot.delivery.idle()
            await self.env.settle()
        raise AssertionError(await self.open_titles())


@pytest.fixture
async def pq17(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Counted]:
    monkeypatch.setattr(toy, "CONFIG", BUILT_IN)
    async with simulated_server(tmp_path, Counted) as made:
        assert isinstance(made, Counted)
        yield made


@pytest.mark.parametrize("scenario", SIDES)
async def test_a_quiet_turn_is_one_press(pq17: Counted, scenario: str) -> None:
    await pq17.begin(scenario)
    await pq17.click(FIRST[scenario], "Ready")
    assert "you are ready" in pq17.prompt(pq17.ann, FIRST[scenario]).content
    assert pq17.presses == 1
    assert (await pq17.journal())[-1] == "readied"


@pytest.mark.parametrize("scenario", SIDES)
async def test_one_force_changed_is_three(pq17: Counted, scenario: str) -> None:
    await pq17.begin(scenario)
    title = FIRST[scenario]
    (menu,) = [one for one in pressable(pq17.prompt(pq17.ann, title)) if one["type"] == 3]
    line = next(one["value"] for one in menu["options"] if one["label"].startswith(("A1", "F1")))
    await pq17.change(title, line, **({"f1": ["2"]} if scenario.startswith("pq17") else {"f0": ["hold"]}))
    assert "Saved, receipt" in pq17.prompt(pq17.ann, title).content
    await pq17.click(title, "Ready")
    assert "you are ready" in pq17.prompt(pq17.ann, title).content
    assert pq17.presses == 3


async def test_a_contact_of_two_forces_is_two_presses_at_each_step(pq17: Counted) -> None:
    await pq17.begin()
    await pq17.plan(*MEETING)
    title = await pq17.until("Reconnaissance")
    assert pq17.prompt(pq17.ann, title).content.startswith("## Whom to search?\n")
    await pq17.click(title, "Search E1")
    assert "Searches E1" in pq17.prompt(pq17.ann, title).content
    await pq17.click(title, "Ready")
    assert pq17.presses == 2


async def test_a_contact_that_is_asked_once_is_two_presses(pq17: Counted) -> None:
    await pq17.begin()
    alliance, coalition = MEETING
    await pq17.plan(f'side: doctrine "ask on contact; attack ask; search ask"\n{alliance}', coalition)
    title = await pq17.until("Contact")
    card = pq17.prompt(pq17.ann, title).content
    assert card.startswith("## Contact in 0405\n")
    assert "A1 and A2 meet E1. What do they do?" in card
    before = await pq17.journal()
    await pq17.click(title, "Attack E1")
    assert "Meets E1: searches, attacks" in pq17.prompt(pq17.ann, title).content
    assert (await pq17.journal())[len(before) :] == ["answered"]
    await pq17.click(title, "Ready")
    assert pq17.presses == 2


async def test_a_press_twice_is_one_answer_and_a_forged_one_none(pq17: Counted) -> None:
    await pq17.begin()
    alliance, coalition = MEETING
    await pq17.plan(f'side: doctrine "ask on contact; attack ask; search ask"\n{alliance}', coalition)
    title = await pq17.until("Contact")
    (one,) = [one for one in pressable(pq17.prompt(pq17.ann, title)) if one.get("label") == "Slip away"]
    for _ in range(2):
        await pq17.ann.user.click(pq17.prompt(pq17.ann, title), custom_id=one["custom_id"])
    assert "leaves for home" in pq17.prompt(pq17.ann, title).content
    before = await pq17.fingerprint()
    head = one["custom_id"].rpartition("|offer|")[0]
    for wrong in ("offer|9", "offer|", "offer|x", "set|0.0", "set|99.1", "edit|0.99", "edit|page.0x", "orders|-1"):
        told = await pq17.forge(pq17.ann.user, pq17.prompt(pq17.ann, title), f"{head}|{wrong}")
        assert "not something I offered" in said(told), wrong
    assert await pq17.fingerprint() == before
    assert "not your side's sheet" in said(await pq17.forge(pq17.leo.user, pq17.dms(pq17.leo)[-1], f"{head}|offer|0"))
    assert await pq17.fingerprint() == before


async def test_the_whole_sheet_is_a_page_that_leads_back(pq17: Counted) -> None:
    await pq17.begin()
    title = FIRST["pq17/intro"]
    await pq17.click(title, "All orders")
    page = pq17.prompt(pq17.ann, title).content
    assert page.startswith("## All orders")
    assert "__What stands if you send nothing__" in page
    assert "A1 Vanguard (" in page
    await pq17.click(title, "Back")
    assert pq17.prompt(pq17.ann, title).content.startswith("## Turn 1")


# --- whoever sends many commands keeps nobody else waiting, and is told so in plain words -----------------------------
ANN, LEO = 1, 2


class Time:
    """Seconds that a test moves."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


async def holding(turns: Turns, user_id: int, over: asyncio.Event, order: list[Any], name: object) -> None:
    """Work that ends when the test says so."""
    async with turns.turn(user_id):
        order.append(name)
        await over.wait()


async def test_one_users_work_goes_one_by_one_and_another_users_at_once() -> None:
    turns, over, order = Turns(), asyncio.Event(), []
    tasks = [asyncio.create_task(holding(turns, ANN, over, order, number)) for number in range(3)]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(holding(turns, LEO, over, order, "leo")))
    await asyncio.sleep(0)
    assert order == [0, "leo"]
    over.set()
    await asyncio.gather(*tasks)
    assert order == [0, "leo", 1, 2]
    assert turns._queues == {}, "nothing is kept of users at rest"


async def test_who_is_too_quick_is_told_now_and_then_and_otherwise_not_answered() -> None:
    time, over, order = Time(), asyncio.Event(), []
    turns = Turns(time)
    tasks = [asyncio.create_task(holding(turns, ANN, over, order, one)) for one in range(MOST_WAITING + 1)]
    await asyncio.sleep(0)
    silent: list[bool] = []
    for time.at in (100.0, 100.1, 100.0 + SAID_EVERY - 0.1, 100.0 + SAID_EVERY, 100.2 + SAID_EVERY):
        with pytest.raises(TooQuick) as refused:
            async with turns.turn(ANN):
                pass
        silent.append(refused.value.silently)
    assert silent == [False, True, True, False, True]
    async with turns.turn(LEO):
        pass
    over.set()
    await asyncio.gather(*tasks)
    assert order == list(range(MOST_WAITING + 1))
    async with turns.turn(ANN):
        pass


async def test_what_fails_or_is_cancelled_gives_its_turn_back() -> None:
    turns, over = Turns(), asyncio.Event()
    with pytest.raises(ZeroDivisionError):
        async with turns.turn(ANN):
            raise ZeroDivisionError
    first = asyncio.create_task(holding(turns, ANN, over, [], 1))
    second = asyncio.create_task(holding(turns, ANN, over, [], 2))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert turns._queues == {}


async def test_only_the_latest_that_was_typed_is_completed() -> None:
    turns, latest = Turns(), []

    async def typed(number: int) -> None:
        async with turns.typing(ANN) as is_latest:
            await asyncio.sleep(0)
            latest.append((number, is_latest))

    await asyncio.gather(*(typed(number) for number in range(4)))
    assert latest == [(0, True), (1, False), (2, False), (3, True)]


async def test_a_flood_is_answered_with_one_plain_word(game: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "MOST_WAITING", 0)
    async with game.bot.turns.turn(game.ann.user.id):
        assert "You are too quick for me" in said(await game.slash(game.ann, "forces"))
        assert not (await game.slash(game.ann, "forces")).acknowledged
        assert "ships 5" in said(await game.slash(game.leo, "forces"))
    assert "ships 5" in said(await game.slash(game.ann, "forces"))


# --- texts that hold what no text may hold, at every place where somebody can send one --------------------------------
UNFIT = ["\0", "\ud800", "\u2028", "\x85", "\u202e"]
TOLD = "Nothing was changed: that text holds a character that cannot be kept, U+"


@pytest.mark.parametrize("letter", UNFIT)
async def test_a_commands_text_is_refused(here: SimulatedServer, letter: str) -> None:
    result = await here.slash(here.rita, "campaign create", title=f"North{letter}", scenario="toy/duel")
    assert said(result).startswith(TOLD)
    assert here.failures() == []
    assert "North" in said(await here.slash(here.rita, "campaign create", title="North", scenario="toy/duel"))


@pytest.mark.parametrize("letter", UNFIT)
async def test_a_forms_text_is_refused_and_nothing_is_changed(game: SimulatedServer, letter: str) -> None:
    assert said(await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7", f4=f"On{letter}ward")).startswith(TOLD)
    assert await game.journal() == ["genesis", "seated"]
    assert game.failures() == []


async def test_typed_orders_are_given_back_without_it(game: SimulatedServer) -> None:
    shown = await game.press(game.ann, "Orders for turn 1", "Write them")
    text = "fleet: number 7; stance bold; motto Onwa\u202erd"
    result = await game.submit(game.ann.user, shown, text=text)
    assert said(result) == (
        f"{TOLD}202E (right-to-left override), character 41. Leave it out. Without such characters it reads:\n"
        "```\nfleet: number 7; stance bold; motto Onward\n```"
    )
    assert await game.journal() == ["genesis", "seated"]


@pytest.mark.parametrize("letter", UNFIT[2:])
async def test_a_files_text_is_refused(game: SimulatedServer, letter: str) -> None:
    file = ("orders.txt", f"fleet: motto On{letter}ward".encode())
    result = await game.dm_slash(game.ann, "orders upload", file=file, sheet=await game.token("red", "orders"))
    assert said(result).startswith(TOLD)
    assert await game.journal() == ["genesis", "seated"]


# --- escapes and marks that nobody sees, wherever a text becomes a value ----------------------------------------------
ESCAPED = [r"\u0000", r"\u202e", r"\ud800"]


@pytest.mark.parametrize(("escape", "quotes"), [*zip(ESCAPED, ['"{}"', "“{}”", "«{}»"], strict=True)])
async def test_typed_orders_are_refused_when_an_escape_stands_for_what_no_text_may_hold(
    game: SimulatedServer, escape: str, quotes: str
) -> None:
    shown = await game.press(game.ann, "Orders for turn 1", "Write them")
    text = f"fleet: number 7; motto {quotes.format(f'On{escape}ward')}"
    await game.submit(game.ann.user, shown, text=text)
    assert f"a character that cannot be kept, U+{escape[2:].upper()}" in game.prompt(game.ann, "Orders").content
    file = ("orders.txt", text.encode())
    await game.dm_slash(game.ann, "orders upload", file=file, sheet=await game.token("red", "orders"))
    echo = await answered(game, game.ann, text)
    assert "cannot be kept" in echo.content
    assert await game.journal() == ["genesis", "seated"]
    assert game.failures() == []


async def test_a_command_that_is_given_again_is_refused_when_an_escape_stands_for_what_no_text_may_hold(
    game: SimulatedServer,
) -> None:
    card = game.prompt(game.ann, "Orders for turn 1")
    told = await game.forge(game.ann.user, card, r'w|forces|{"about":"a\u0000b"}|')
    assert said(told).startswith(TOLD)


async def test_what_is_sent_is_taken_without_marks_when_nobody_can_see_them(game: SimulatedServer) -> None:
    mark = "\u200e\u200f\ufeff\u200b\u2060\u00ad\u3164"
    shown = await game.press(game.ann, "Orders for turn 1", "Write them")
    await game.submit(game.ann.user, shown, text=f"{mark}fleet: num{mark}ber 7; motto “On{mark}ward; ho”{mark}")
    assert await game.rows(JournalRow.kind, JournalRow.kind == "answered") == ["answered"]
    assert mark[0] not in str(await game.rows(JournalRow.entry))
    assert "Onward; ho" in str(await game.rows(JournalRow.entry))
    await game.fill(game.ann, "Orders for turn 1", "0.0", f4=f"{mark}On")
    sent = await game.slash(game.ann, "letter", to=f"{mark}blue", text=f"{mark}Good day.", campaign=game.campaign)
    assert "Sent: Letter 1" in said(sent)
    assert mark[0] not in str(await game.rows(LetterRow.letter))


async def test_a_long_text_is_given_back_as_far_as_a_message_holds_it() -> None:
    with pytest.raises(Sorry) as sorry:
        fit_text("x" * 5_000 + "\0```")
    assert sorry.value.text.endswith(f"\n```\n{'x' * MOST_SHOWN}…\n```")
    assert len(sorry.value.text) < 2_000


def test_names_that_discord_has_taken_and_what_is_no_text_are_left_alone() -> None:
    member = {"members": {"7": {"nick": "\u202eyzarc"}}}
    take_texts({"name": "join", "options": [{"name": "who", "value": "7"}, {"value": 3}, None], "resolved": member})
    with pytest.raises(Sorry, match="character"):
        take_texts({"options": [{"options": [{"value": "a\u202eb"}]}]})


def test_no_interaction_brings_thousands_of_texts() -> None:
    take_texts({"values": ["a"] * 1_000})
    with pytest.raises(Sorry) as sorry:
        take_texts({"values": ["a"] * 3_000})
    assert sorry.value.code == "too-many-texts"


# --- unreached --------------------------------------------------------------------------------------------------------
# Discord cannot be reached with an answer, or fails over it: nobody is told of a defect, and what was done stands.
class Unreachable:
    """The answer to an interaction, that does not reach Discord."""

    def is_done(self) -> bool:
        return False

    async def send_message(self, *_: Any, **__: Any) -> None:
        raise aiohttp.ClientConnectionError


def interaction() -> Any:
    """Somebody's press."""
    user = SimpleNamespace(id=1)
    client = SimpleNamespace(turns=Turns(), delivery=SimpleNamespace(at_work=MessagesAtWork()))
    return SimpleNamespace(
        client=client, user=user, id=2, channel_id=3, guild_id=4, message=None, response=Unreachable(),
        type=discord.InteractionType.component, data={}, extras={},
    )  # fmt: skip


def failing_server() -> discord.DiscordServerError:
    """What discord.py makes of a 503."""
    answer: Any = SimpleNamespace(status=503, reason="away")
    return discord.DiscordServerError(answer, "")


@pytest.mark.parametrize("error", [aiohttp.ClientConnectionError(), ConnectionResetError(), failing_server()])
async def test_an_answer_that_does_not_reach_discord_is_no_defect(error: Exception) -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)
        raise error

    with capture_logs() as logs:
        await guard.guarded(interaction(), work)
    assert done == [1]
    assert [one["event"] for one in logs] == ["answer not taken"]


def too_late(status: int, code: int) -> discord.HTTPException:
    """What discord.py makes of an answer to an interaction that is over."""
    answer: Any = SimpleNamespace(status=status, reason="over")
    return discord.HTTPException(answer, {"code": code, "message": "over"})


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (404, 10015), (401, 50027)])
async def test_an_answer_to_an_interaction_that_is_over_is_no_defect(status: int, code: int) -> None:
    """After three seconds without an answer, and a quarter of an hour after any, Discord takes no more."""

    async def work() -> None:
        raise too_late(status, code)

    with capture_logs() as logs:
        await guard.guarded(interaction(), work)
    assert [(one["event"], one["code"]) for one in logs] == [("answer not taken", code)]


async def test_an_answer_that_discord_refuses_otherwise_is_a_defect() -> None:
    async def work() -> None:
        raise too_late(400, 50035)

    with capture_logs() as logs:
        await guard.guarded(interaction(), work)
    assert [one["event"] for one in logs] == ["incident", "answer not taken"]


async def test_a_defect_is_one_even_if_it_cannot_be_told() -> None:
    async def work() -> None:
        raise ZeroDivisionError

    with capture_logs() as logs:
        await guard.guarded(interaction(), work)
    assert [one["event"] for one in logs] == ["incident", "answer not taken"]
