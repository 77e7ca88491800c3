"""Letters written as plain messages: shown as they would go, sent by a button, and no orders taken for letters."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.letters.names import addressed, sides_named
from bot.store.tables import LetterDraftRow, LetterRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable


async def wrote(here: SimulatedServer, who: Any, text: str) -> str:
    """What the bot answers a plain message."""
    await who.user.send_dm(text)
    await here.bot.delivery.settled()
    await here.env.settle()
    return here.dms(who)[-1].content


async def kept(here: SimulatedServer) -> list[str]:
    async with here.store.read() as tx:
        return list((await tx.connection.execute(sa.select(LetterRow.letter))).scalars())


async def test_it_is_read_back_and_sent_by_a_button(here: SimulatedServer) -> None:
    await here.begin()
    answer = await wrote(here, here.ann, "to Blue: Meet me\nat 0304.")
    assert "To **Blue Fleet**:\n> Meet me\n> at 0304.\n-# Nothing is sent yet" in answer
    assert await kept(here) == []
    done = await here.ann.user.click(here.dms(here.ann)[-1], label="Send")
    assert "Sent: Letter 1 to **Blue Fleet**" in said(done)
    assert "> Meet me\n> at 0304." in here.dms(here.leo)[-1].content
    assert pressable(here.dms(here.ann)[-1]) == []
    assert await here.rows(LetterDraftRow.token) == []


async def test_not_sent_after_all(here: SimulatedServer) -> None:
    await here.begin()
    await wrote(here, here.ann, "Letter to the Blue Fleet: Never mind.")
    await here.ann.user.click(here.dms(here.ann)[-1], label="Do not send")
    assert await kept(here) == []
    assert await here.rows(LetterDraftRow.token) == []


async def test_orders_stay_orders(here: SimulatedServer) -> None:
    await here.begin()
    assert "As I understand it" in await wrote(here, here.ann, "fleet: number 7")
    assert await here.rows(LetterDraftRow.token) == []


async def test_a_side_that_there_is_not_is_named(here: SimulatedServer) -> None:
    await here.begin()
    assert "You can write to no side called “blu fleet”. Did you mean" in await wrote(here, here.ann, "to Blu Fleet: x")
    assert "Nothing is sent yet" not in await wrote(here, here.ann, "to red fleet: x")
    assert await here.rows(LetterDraftRow.token) == []


async def test_who_commands_no_side_writes_no_letter(here: SimulatedServer) -> None:
    await here.begin()
    for who in (here.sam, here.rita):
        await wrote(here, who, "to Blue: Secrets.")
        assert "Secrets" not in here.dms(who)[-1].content
    assert await here.rows(LetterDraftRow.token) == []


async def test_of_several_campaigns_it_asks_which(here: SimulatedServer) -> None:
    await here.begin()
    other = await here.found("Second Duel")
    for who, side in ((here.ann, "red"), (here.leo, "blue")):
        await here.slash(who, "campaign join", side=side, campaign=other)
    await here.slash(here.rita, "campaign start", campaign=other)
    assert "That may be meant for" in await wrote(here, here.ann, "to Blue: x")
    assert await here.rows(LetterDraftRow.token) == []


async def test_of_many_drafts_the_last_few_are_kept(here: SimulatedServer) -> None:
    await here.begin()
    for number in range(10):
        await wrote(here, here.ann, f"to Blue: {number}")
    assert len(await here.rows(LetterDraftRow.token)) == 8
    first = next(one for one in here.dms(here.ann) if "> 0" in one.content)
    assert "is not kept any more" in said(await here.ann.user.click(first, label="Send"))


OTHERS = {"klingon": "Klingon Empire", "gorn": "Gorn Confederation", "hydran": "Hydran Kingdom"}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Klingon Empire", ("klingon",)),
        ("the klingons", ("klingon",)),
        ("gorn, Klingon", ("klingon", "gorn")),
        ("Gorn and the Hydran Kingdom", ("gorn", "hydran")),
        ("Gorn & gorn", ("gorn",)),
        ("all", ("klingon", "gorn", "hydran")),
    ],
)
def test_sides_as_people_name_them(typed: str, found: tuple[str, ...]) -> None:
    assert sides_named(typed, OTHERS) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("to Klingons: hello: you", ("Klingons", "hello: you")),
        ("TO  Gorn : x", ("Gorn", "x")),
        ("letter to Gorn:\nx\ny", ("Gorn", "x\ny")),
        ("tomorrow: x", None),
        ("to Gorn\nx: y", None),
        ("to: x", None),
        ("move to 0412: x", None),
        ("to " + "x" * 10_000 + ": y", None),
        ("", None),
    ],
)
def test_what_is_addressed(text: str, found: tuple[str, str] | None) -> None:
    assert addressed(text) == found
