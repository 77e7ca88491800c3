"""Two bots on one database, as after a fail-over that went wrong: services without Discord, over the toy rulebook."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from typing import Any

from bot.campaigns import loaded, runtime, scenarios
from bot.records.campaign_settings import CampaignSettings
from bot.services import Services
from bot.store import database, transaction
from rules_engine.core.records.journal import JournalEntry, check_chain
from rules_engine.core.running.replay import replay
from tests import toy

RITA, ANN, LEO, ZOE = 1, 11, 21, 31
"""The referee, red's commander, blue's, and a stranger."""

NOON = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
_numbers = count(1)


class Bot:
    """One bot's services. Its time stands at ``time`` until a test moves it."""

    def __init__(self, store: database.Store, *, warm: int = 8) -> None:
        self.store = store
        self.time = NOON
        self.loaded = loaded.LoadedCampaigns(store, warm=warm)
        self.runtime = runtime.Runtime(store, self.loaded, now=lambda: self.time)
        self.services = Services.of(self.runtime, scenarios.InstalledScenarios(toy.CONFIG))

    async def found(self, title: str = "First Duel", **settings: Any) -> str:
        """A campaign that may begin: Rita referees, Ann commands red, Leo blue."""
        campaign = await self.services.seats.founding.create(
            guild_id=1, user_id=RITA, title=title, scenario="toy/duel", settings=CampaignSettings(**settings),
            interaction_id=1_000_000 + next(_numbers),
        )  # fmt: skip
        for user, side in ((ANN, "red"), (LEO, "blue")):
            await self.services.seats.seats.join(campaign.id, user_id=user, name="n", side=side)
        return campaign.id

    async def start(self, campaign: str) -> None:
        """Let it begin."""
        await self.services.seats.founding.start(campaign, user_id=RITA)

    async def begin(self, title: str = "First Duel", **settings: Any) -> str:
        """A campaign under way."""
        campaign = await self.found(title, **settings)
        await self.start(campaign)
        return campaign

    async def token(self, campaign: str, user: int, kind: str = "orders") -> str:
        """The token of somebody's open prompt; the campaign is in memory then."""
        (prompt,) = await self.services.orders.prompts.open_prompts(campaign, user, kind)
        return prompt.token

    async def name(self, token: str, user: int, number: int, **more: Any) -> Any:
        """Name a number on the sheet."""
        return await self.services.orders.filling.fill(token, user, {"fleet": {"number": number}}, **more)

    async def remark(self, campaign: str) -> None:
        """Write an entry that changes nothing of the position."""
        minutes = float(next(_numbers))
        await self.services.seats.seats.change_settings(campaign, RITA, {"grace_minutes": minutes})

    async def to_a_battle(self, campaign: str) -> None:
        """Both sides name the same number."""
        assert await self.services.closing.close(campaign, "deadline", by="clock")

    async def account(self, token: str, user: int, red: int, blue: int) -> Any:
        """Fill in an account of a battle, without sending it."""
        return await self.services.orders.filling.fill(token, user, {"ships": {"red": red, "blue": blue}})

    async def play_turn(self, campaign: str) -> None:
        """Red wins a turn and takes what is usual."""
        await self.name(await self.token(campaign, ANN), ANN, 5)
        for _ in ("orders", "spoils"):
            assert await self.services.closing.close(campaign, "deadline", by="clock")

    async def entries(self, campaign: str) -> list[JournalEntry]:
        """The journal."""
        async with self.store.read() as tx:
            return await tx.journal.entries(campaign)

    async def kinds(self, campaign: str) -> list[str]:
        """The kinds of its entries."""
        return [entry.body.kind for entry in await self.entries(campaign)]


def before_writing(store: database.Store, act: Callable[[], Awaitable[object]], times: int = 1) -> None:
    """Have ``act`` happen whenever ``store`` is about to write, that often: all was judged, nothing is written yet."""
    write = store.write
    left = [act] * times

    @asynccontextmanager
    async def late(what: str = "write") -> AsyncGenerator[transaction.Transaction, None]:
        if left:
            await left.pop()()
        async with write(what) as tx:
            yield tx

    store.write = late  # type: ignore[method-assign]


async def sound(campaign: str, *bots: Bot) -> list[JournalEntry]:
    """Check that the journal's chain holds, that it replays to what each bot has in memory, and that just those prompts
    are open which that position asks for; gives the journal."""
    async with bots[0].store.read() as tx:
        entries = await tx.journal.entries(campaign)
        source = await tx.campaigns.source(campaign)
        prompts = await tx.prompts.open_of(campaign)
    check_chain(entries)
    again = replay(toy.RULEBOOK, entries, source.seed)
    asked = sorted((ask.id, side) for ask in again.open_asks() for side in ask.parties)
    assert sorted((prompt.ask_id, prompt.side) for prompt in prompts) == asked
    for bot in bots:
        async with bot.loaded.use(campaign) as adjudicator:
            assert adjudicator.head == entries[-1]
            assert adjudicator.checkpoint() == again.checkpoint()
            for ask_id, side in asked:
                assert adjudicator.saved(side, ask_id) == again.saved(side, ask_id)
                assert adjudicator.is_ready(side) == again.is_ready(side)
    return entries
