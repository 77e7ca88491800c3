"""Closing a batch: its nonce, standing orders that wait, and turns that run on without anybody."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.campaigns.runtime import made_at_random
from bot.errors import Sorry
from bot.settings import BUILT_IN
from bot.store import database, tables
from rules_engine.core.basics.dice import Die
from rules_engine.core.basics.seals import next_seal, seal_digest
from rules_engine.core.records.journal import Closed, Genesis, JournalEntry
from rules_engine.core.running.replay import replay
from tests import toy
from tests.bot.overviews.conftest import SEATS, CrownsServer
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server, use_toy
from tests.bot.worlds.two_bots import ANN, LEO, RITA, Bot, before_writing, sound
from tests.chance import KnownNonces
from tests.databases import prepared_url
from tests.expected.words import has_words

AT = "2026-01-01T00:00:00.000+00:00"


@pytest.fixture
async def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """A bot whose nonces are known to the test."""
    use_toy(monkeypatch)
    store = await database.open_store(prepared_url(tmp_path))
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
        rows = [(await tx.connection.execute(sa.select(table))).all() for table in tables.Base.metadata.sorted_tables]
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


async def test_the_record_that_a_referee_may_read_meanwhile_holds_nothing_of_what_is_still_to_be_rolled(bot: Bot):
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
        snapshot = await tx.journal.latest_snapshot(campaign)
    assert snapshot is not None
    assert snapshot.seal == seal
    assert seal not in text
    assert source.seed.hex() not in text
    assert seal_digest(seal) in text


# --- orders that wait -------------------------------------------------------------------------------------------------
# what standing orders answer takes its time on the server, too: nobody is called, its owner's Ready ends the wait.
SPIES = "location detection against the Lyran at 0702 with 20 IP"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[SimulatedServer]:
    """The server, with a bot that runs."""
    async with simulated_server(tmp_path, CrownsServer) as made:
        yield made


async def to_the_mission(here: CrownsServer, orders: str, *, at_once: bool = False) -> None:
    """The Hydran spies upon the Lyran, who keeps points against that and has these standing orders."""
    campaign = await here.begin()
    if not at_once:
        settings = said(await here.slash(here.rita, "campaign settings", campaign=campaign, at_once=False))
        assert "Standing orders take the time of an answer." in settings
    services = here.bot.services.orders
    texts = {"hydran": SPIES, "lyran": f"counter: points 20\nstanding: orders {orders}", "klingon": "counter: points 0"}
    for who, side in SEATS.items():
        token = await here.token(side, "turn")
        await services.filling.write(token, here.people[who].user.id, texts[side])
        await services.readiness.say(token, here.people[who].user.id, is_ready=True)
    await settled(here)


async def settled(here: CrownsServer) -> None:
    await here.later(5)
    await here.bot.delivery.idle()
    await here.env.settle()


async def open_to(here: CrownsServer) -> list[tuple[str, str]]:
    """What is open, and to whom."""
    campaign = (await here.bot.services.campaigns.in_server(here.guild.id))[0]
    async with here.bot.services.runtime.loaded.use(campaign.id) as adjudicator:
        return [(label.key, ask.kind) for label in adjudicator.sides for ask in adjudicator.asks_for(label.key)]


def calls(here: CrownsServer) -> int:
    return len(here.dms(here.leo))


async def test_play_waits_for_its_owners_ready_and_nobody_is_called(here: CrownsServer) -> None:
    await to_the_mission(here, "counter 5")
    assert await open_to(here) == [("lyran", "waiting")]
    assert not any("Waiting" in message.content for message in here.dms(here.leo))
    shown = said(await here.slash(here.leo, "orders show"))
    assert (
        "Your standing orders have answered what is asked here. Nobody can tell: play goes on once you say that you "
        "are ready, or at the deadline, as if you had been asked."
    ) in shown
    before = await here.journal()
    assert "Sorry" not in said(await here.slash(here.leo, "orders ready"))
    assert (await here.journal())[len(before) :][:2] == ["readied", "closed"]
    assert ("lyran", "waiting") not in await open_to(here)


async def test_its_owner_is_asked_in_the_same_place_without_orders_for_as_long(here: CrownsServer) -> None:
    await to_the_mission(here, "counter ask")
    assert await open_to(here) == [("lyran", "counter")]
    asked_until = await here.falls_at()
    assert asked_until - here.now() > timedelta(hours=11)


async def test_nobody_is_reminded_of_it_and_the_deadline_ends_it(here: CrownsServer) -> None:
    await to_the_mission(here, "counter 5")
    closes = await here.falls_at()
    assert closes - here.now() > timedelta(hours=11)
    before = calls(here)
    await here.later((closes - here.now()).total_seconds() - 600)
    await settled(here)
    assert calls(here) == before
    assert await open_to(here) == [("lyran", "waiting")]
    await here.later(900)
    await settled(here)
    assert ("lyran", "waiting") not in await open_to(here)


async def test_a_referee_may_let_orders_answer_at_once(here: CrownsServer) -> None:
    await to_the_mission(here, "counter 5", at_once=True)
    assert ("lyran", "waiting") not in await open_to(here)
    assert "closed" in await here.journal()


# --- running on -------------------------------------------------------------------------------------------------------
# turns that go by without anybody: told like any others, one sheet for who is asked, and none sent to who runs on.
@pytest.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with the shipped scenarios."""
    monkeypatch.setattr(toy, "CONFIG", BUILT_IN)
    async with simulated_server(tmp_path) as made:
        yield made


async def begin(here: SimulatedServer) -> str:
    """The introductory PQ-17 campaign under way: ann commands the Alliance, leo the Coalition."""
    await here.slash(here.rita, "campaign create", title="Intro", scenario="pq17/intro")
    for who, side in ((here.ann, "alliance"), (here.leo, "coalition")):
        assert "Sorry" not in said(await here.slash(who, "campaign join", side=side, campaign="Intro"))
    assert "has begun" in said(await here.slash(here.rita, "campaign start", campaign="Intro"))
    return "Intro"


async def order(here: SimulatedServer, who: object, side: str, text: str) -> None:
    """Write an order into a side's planning sheet and be ready; the last one to be so plays on."""
    orders, user = here.bot.services.orders, who.user.id  # type: ignore[attr-defined]
    token = await here.token(side, "planning")
    await orders.filling.write(token, user, text)
    await orders.readiness.say(token, user, is_ready=True)
    await here.later(5)
    await here.bot.delivery.idle()
    await here.env.settle()


async def test_several_turns_are_told_one_by_one_and_call_nobody_who_runs_on(running: SimulatedServer) -> None:
    await begin(running)
    await order(running, running.ann, "alliance", "side: run 3")
    await order(running, running.leo, "coalition", "side: run on")
    titles = [title.partition(" (")[0] for _, title in await running.open_titles()]
    assert titles == ["Planning, Turn 4", "Planning, Turn 4"]
    ann = [message.content for message in running.dms(running.ann) if "Planning, Turn 4" in message.content]
    leo = [message.content for message in running.dms(running.leo) if "Planning, Turn 4" in message.content]
    assert (len(ann), len(leo)) == (1, 0)
    told = await running.texts("side:alliance")
    has_words(told, "You no longer run on: turn 4 has come.", never="went by")
    theirs = await running.texts("side:coalition")
    assert "no longer run on" not in theirs
    assert "initiative" not in told + theirs
    everybody = await running.texts("public")
    assert [f"Turn {turn} " in everybody for turn in (1, 2, 3, 4)] == [True, True, True, False]
    assert everybody.count("has the initiative") == 3

    assert "Planning, Turn 4" in said(await running.slash(running.leo, "orders show"))  # who looks for it finds it
    await order(running, running.ann, "alliance", "side: run ask")
    titles = [title.partition(" (")[0] for _, title in await running.open_titles()]
    assert titles == ["Planning, Turn 5", "Planning, Turn 5"]  # nobody waited for the Coalition


async def test_standing_orders_are_read_back_to_their_own_side(running: SimulatedServer) -> None:
    await begin(running)
    await order(running, running.ann, "alliance", 'side: doctrine "search fuel>10; withdraw"')
    await order(running, running.leo, "coalition", "side: doctrine attack id2")
    mine = said(await running.slash(running.ann, "orders standing"))
    has_words(mine, "Searches what appears if every ship keeps more than 10 fuel.", never="Attacks what it holds")
    assert "Attacks what it holds at ID2 or better" in said(await running.slash(running.leo, "orders standing"))
