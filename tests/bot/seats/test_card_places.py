"""Who wants no direct messages has cards and reminders in the side's channel, always."""

from bot.store.tables import ReaderRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable

TURN = "Orders for turn 1"


async def test_cards_come_in_the_sides_channel_and_work_there(here: SimulatedServer) -> None:
    chosen = await here.dm_slash(here.ann, "quiet cards", where="channel")
    assert "in your side's channel, and you are pinged there" in said(chosen)
    before = len(here.dms(here.ann))
    await here.begin()
    assert not [one for one in here.dms(here.ann)[before:] if pressable(one)]
    channel = await here.channel("side:red")
    cards = [one for one in channel.history() if pressable(one)]
    assert [TURN in one.content for one in cards].count(True) == 1
    assert all(one.content.startswith(f"{here.ann.mention}\n") for one in cards), "as they were posted and as frames"
    assert not any("could not reach you" in one.content for one in cards), "nobody is told off for a choice"
    await here.ann.click(next(one for one in cards if TURN in one.content), label="Ready")
    assert await here.journal() == ["genesis", "seated", "readied"]
    assert not [one for one in (await here.channel("public")).history() if TURN in one.content]


async def test_reminders_come_there_too_and_others_get_theirs_as_ever(here: SimulatedServer) -> None:
    await here.dm_slash(here.ann, "quiet cards", where="channel")
    await here.begin()
    assert [one for one in here.dms(here.leo) if TURN in one.content]
    before = len((await here.channel("side:red")).history())
    await here.later(23 * 3600)
    reminders = (await here.channel("side:red")).history()[before:]
    assert reminders
    assert all(here.ann.mention in one.content for one in reminders)


async def test_direct_messages_can_be_had_again(here: SimulatedServer) -> None:
    await here.dm_slash(here.ann, "quiet cards", where="channel")
    assert await here.rows(ReaderRow.in_channel) == [True]
    await here.dm_slash(here.ann, "quiet cards", where="message")
    assert await here.rows(ReaderRow.in_channel) == [], "nothing is kept of who has chosen nothing"
    await here.begin()
    assert here.prompt(here.ann, TURN)


async def test_a_theme_and_a_place_are_chosen_one_beside_the_other(here: SimulatedServer) -> None:
    async with here.bot.store.write() as tx:
        await tx.readers.set_theme(7, "paper")
        await tx.readers.set_in_channel(7, True)
        assert (await tx.readers.theme(7), await tx.readers.in_channel([7, 8])) == ("paper", {7})
        await tx.readers.set_theme(7, "")
        assert (await tx.readers.theme(7), await tx.readers.in_channel([7])) == ("", {7})
