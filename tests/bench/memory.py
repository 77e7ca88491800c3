"""How much memory the bot takes with one campaign and with many, and how many of them it keeps.

The bot is the real one, connected to a playground. Its campaigns are prepared in its database by the same services that
the commands use (fifty campaigns' channels would take minutes at Discord's rates); the bot then loads each one because
somebody gives a command in it.
"""

from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from sqlalchemy import update

from bot.campaigns.loaded import LoadedCampaigns
from bot.campaigns.runtime import Runtime
from bot.records.campaign_settings import CampaignSettings
from bot.services import Services
from bot.settings import HostSettings
from bot.store.database import open_store
from bot.store.tables import OutboxRow
from tests.bench.figures import Counts, Figure, Tick
from tests.bench.matches import PQ17, SHELF
from tests.bench.stage import Stage, Unanswered, full_bot, stage
from tests.checkout import ROOT

PART = "Memory"
TRIES = 5
MEBIBYTE = 1024 * 1024


def steps(counts: Counts) -> int:
    return 2 * counts.campaigns


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Resident memory after the first campaign was used, and after all of them were."""
    (ROOT / "var").mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=ROOT / "var", prefix="bench-")))
        where = await stack.enter_async_context(stage(folder / "memory"))
        campaigns = await prepare(where, counts.campaigns, tick)
        bot = await stack.enter_async_context(full_bot(where))
        process = psutil.Process(bot.pid)
        await bot.held()
        empty = process.memory_info().rss
        await touch(where, campaigns[0])
        one, held_one = process.memory_info().rss, await bot.held()
        for campaign in campaigns:
            await touch(where, campaign)
            tick()
        many, held_many = process.memory_info().rss, await bot.held()
    limit = HostSettings(_env_file=None).warm_campaigns  # type: ignore[call-arg]  pydantic-settings takes it
    note = f"{empty / MEBIBYTE:.0f} MiB before any, {held_one} held"
    return [
        Figure(PART, "bot's resident memory, 1 campaign", one / MEBIBYTE, "MiB", note=note),
        Figure(PART, f"bot's resident memory, {counts.campaigns} campaigns", many / MEBIBYTE, "MiB"),
        Figure(PART, "campaigns held after all were used", held_many, "", limit, "allowed to stay", 1.0),
    ]


async def prepare(where: Stage, count: int, tick: Tick) -> list[str]:
    """Campaigns under way in the bot's database, as the bot writes them; their posts count as delivered."""
    store = await open_store(f"sqlite+aiosqlite:///{where.folder / 'plotroom.db'}")
    services = Services.of(Runtime(store, LoadedCampaigns(store)), SHELF)
    rita, ann, leo = (int(where.ids[name]) for name in ("rita", "ann", "leo"))
    campaigns: list[str] = []
    for number in range(count):
        found = await services.seats.founding.create(
            guild_id=int(where.guild),
            user_id=rita,
            title=f"Campaign {number}",
            scenario=PQ17,
            settings=CampaignSettings(),
            interaction_id=number + 1,
        )
        await services.seats.seats.join(found.id, user_id=ann, name="ann", side="alliance")
        await services.seats.seats.join(found.id, user_id=leo, name="leo", side="coalition")
        await services.seats.founding.start(found.id, user_id=rita)
        campaigns.append(found.id)
        tick()
    async with store.write() as tx:
        await tx.connection.execute(update(OutboxRow).values(status="done"))
    await store.close()
    return campaigns


async def touch(where: Stage, campaign: str) -> None:
    """A commander looks at the sheets, and the bot must load the campaign."""
    text = ""
    for _ in range(TRIES):  # a busy machine may put the first answer off; the campaign is loaded by the next
        with suppress(Unanswered):
            answer = await where.command("ann", "orders show", campaign=campaign)
            text = answer["message"]["words"]
        if text:
            break
    assert "Planning" in text, text
