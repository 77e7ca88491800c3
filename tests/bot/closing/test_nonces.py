"""The dice of a closing are sealed with a nonce that the host makes in that moment, and not before."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.campaigns.runtime import made_at_random
from bot.errors import Sorry
from bot.store.database import open_store
from bot.store.tables import Base
from rules_engine.core.basics.dice import Die
from rules_engine.core.basics.seals import next_seal, seal_digest
from rules_engine.core.records.journal import Closed, Genesis, JournalEntry
from rules_engine.core.running.replay import replay
from tests import toy
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import ANN, LEO, RITA, Bot, before_writing, sound
from tests.chance import KnownNonces
from tests.databases import prepared_url

AT = "2026-01-01T00:00:00.000+00:00"


@pytest.fixture
async def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """A bot whose nonces are known to the test."""
    use_toy(monkeypatch)
    store = await open_store(prepared_url(tmp_path))
    made = Bot(store)
    made.runtime.nonce = KnownNonces(1)
    yield made
    await store.close()


def nonces_in(entries: list[JournalEntry]) -> list[str | None]:
    """The nonces that the journal keeps, in order."""
    return [entry.body.nonce for entry in entries if isinstance(entry.body, Genesis | Closed)]


async def all_ready(bot: Bot, campaign: str) -> None:
    """Everybody says that they are done; the last one closes what is open."""
    for user in (ANN, LEO):
        await bot.services.orders.readiness.say(await bot.token(campaign, user), user, is_ready=True)


async def deadline(bot: Bot, campaign: str) -> None:
    """The deadline falls."""
    assert await bot.services.closing.close(campaign, "deadline", by="clock")


async def referee(bot: Bot, campaign: str) -> None:
    """The referee closes what is open."""
    early = await bot.services.referee.clock.early_closing(campaign, RITA)
    assert await bot.services.referee.clock.close_early(campaign, RITA, early.token)


@pytest.mark.parametrize("closes", [all_ready, deadline, referee])
async def test_a_nonce_is_made_at_the_beginning_and_at_each_closing_and_at_no_other_moment(
    bot: Bot, closes: Callable[[Bot, str], Awaitable[None]]
) -> None:
    made = bot.runtime.nonce
    assert isinstance(made, KnownNonces)
    campaign = await bot.found()
    assert made.made == []
    await bot.start(campaign)
    assert len(made.made) == 1
    await bot.name(await bot.token(campaign, ANN), ANN, 4)
    await bot.name(await bot.token(campaign, LEO), LEO, 7)
    await bot.remark(campaign)
    assert len(made.made) == 1
    await closes(bot, campaign)
    assert len(made.made) == 2
    assert nonces_in(await sound(campaign, bot)) == made.made


async def test_the_agreed_account_of_a_battle_and_a_ruling_close_with_a_nonce(bot: Bot) -> None:
    made = bot.runtime.nonce
    assert isinstance(made, KnownNonces)
    campaign = await bot.begin()
    for rules in (False, True):
        await bot.to_a_battle(campaign)
        before = len(made.made)
        mine, other = await bot.token(campaign, ANN, "battle"), await bot.token(campaign, LEO, "battle")
        await bot.account(mine, ANN, 4, 3)
        await bot.services.orders.accounts.hand_in(mine, ANN)
        if rules:
            ((ask_id, _),) = await bot.services.referee.rulings.open_disputes(campaign, RITA)
            await bot.services.referee.rulings.rule(
                campaign, RITA, ask_id, text=None, account_of="red", reason="as seen"
            )
        else:
            await bot.account(other, LEO, 4, 3)
            assert len(made.made) == before
            await bot.services.orders.accounts.hand_in(other, LEO)
        assert len(made.made) == before + 1
    assert nonces_in(await sound(campaign, bot)) == made.made


async def everything(bot: Bot) -> str:
    """All that stands in the database."""
    async with bot.store.read() as tx:
        rows = [(await tx.connection.execute(sa.select(table))).all() for table in Base.metadata.sorted_tables]
    return repr(rows)


async def test_whoever_reads_the_whole_database_before_a_closing_can_compute_none_of_its_rolls(bot: Bot) -> None:
    """The seed and all orders stand in it; what the rolls are keyed with besides does not exist yet."""
    bot.runtime.nonce = made_at_random
    campaign = await bot.begin(early_close=False)
    for user, number in ((ANN, 4), (LEO, 7)):
        await bot.name(await bot.token(campaign, user), user, number)
    await all_ready(bot, campaign)
    known = await everything(bot)
    async with bot.store.read() as tx:
        source = await tx.campaigns.source(campaign)
        entries = await tx.journal.entries(campaign)
    assert repr(source.seed) in known, "it is all there"
    await deadline(bot, campaign)
    closed = (await sound(campaign, bot))[-1].body
    assert isinstance(closed, Closed)
    assert closed.nonce is not None
    assert closed.nonce not in known

    async with bot.loaded.use(campaign) as adjudicator:
        fell = adjudicator._shared.dice.draw("T1/any", 0, Die(2**32), 4)
    again = replay(toy.RULEBOOK, entries, source.seed)
    seal, settled = again._shared.dice.seal, again._settled("", by_silence=True)
    drawn: set[tuple[int, ...]] = set()
    for nonce in ("", *map(str, nonces_in(entries))):
        again._shared.dice.seal = next_seal(source.seed, seal, settled, nonce)
        drawn.add(again._shared.dice.draw("T1/any", 0, Die(2**32), 4))
    assert fell not in drawn
    again._shared.dice.seal = next_seal(source.seed, seal, settled, closed.nonce)
    assert again._shared.dice.draw("T1/any", 0, Die(2**32), 4) == fell, "the nonce is all that was missing"


async def test_a_closing_that_was_overtaken_is_done_again_with_a_nonce_of_its_own(bot: Bot) -> None:
    made = bot.runtime.nonce
    assert isinstance(made, KnownNonces)
    other = Bot(bot.store)
    campaign = await bot.begin()
    theirs = await other.token(campaign, LEO)
    before_writing(bot.store, lambda: other.name(theirs, LEO, 4))
    await deadline(bot, campaign)
    assert len(made.made) == 3
    assert nonces_in(await sound(campaign, bot)) == [made.made[0], made.made[2]]


async def test_a_campaign_that_was_begun_without_seals_goes_on_without(bot: Bot) -> None:
    made = bot.runtime.nonce
    bot.runtime.nonce = lambda: None  # type: ignore[assignment,return-value]  as it was begun before there were nonces
    campaign = await bot.begin()
    bot.runtime.nonce = made
    await bot.play_turn(campaign)
    entries = await sound(campaign, bot)
    assert nonces_in(entries) == [None, None, None]
    assert not [entry for entry in entries if '"seal"' in entry.line()]


async def test_a_restored_backup_that_closes_again_brings_other_dice(bot: Bot) -> None:
    bot.runtime.nonce = made_at_random
    campaign = await bot.begin()
    async with bot.store.read() as tx:
        source = await tx.campaigns.source(campaign)
        entries = await tx.journal.entries(campaign)
    seals: set[str] = set()
    for _ in range(4):
        again = replay(toy.RULEBOOK, entries, source.seed)
        again.close("deadline", by="clock", at=AT, nonce=bot.runtime.nonce())
        seals.add(again.checkpoint().seal)
    assert len(seals) == 4


async def test_the_record_that_a_referee_may_read_meanwhile_holds_nothing_of_what_is_still_to_be_rolled(
    bot: Bot,
) -> None:
    """Only a referee who plays no side may have it. It holds nonces of closings that are past, and digests of seals."""
    campaign = await bot.begin()
    await bot.play_turn(campaign)
    text = await bot.services.referee.record.export(campaign, RITA)
    with pytest.raises(Sorry):
        await bot.services.referee.record.export(campaign, ANN)
    async with bot.loaded.use(campaign) as adjudicator:
        seal = adjudicator._shared.dice.seal
    async with bot.store.read() as tx:
        source = await tx.campaigns.source(campaign)
        snapshot = await tx.journal.latest_snapshot(campaign, await tx.journal.entries(campaign))
    assert snapshot is not None
    assert snapshot.seal == seal
    assert seal not in text
    assert source.seed.hex() not in text
    assert seal_digest(seal) in text
