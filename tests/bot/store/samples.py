"""Records to be kept, for tests of what keeps them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import CampaignInfo, CampaignSource, CampaignStatus, NewCampaign
from bot.records.prompts import Prompt, PromptStatus
from bot.store.database import Store
from rules_engine.core.basics.base import SideLabel

NOON = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
SIDES = (SideLabel(key="red", name="Red Fleet", emblem="R"), SideLabel(key="blue", name="Blue Fleet", emblem="B"))
INFO = CampaignInfo(
    id="c1",
    guild_id=2**62,
    title="First Duel",
    rulebook="toy",
    status=CampaignStatus.GATHERING,
    referee_id=2**62 + 1,
    settings=CampaignSettings(orders_minutes=90, reminder_left=0.5, early_close=False),
    sides=SIDES,
)
SOURCE = CampaignSource("toy", {"turns": 3, "Ünï": [1, None, {"é": "d/n"}]}, bytes(range(32)))
PROMPT = Prompt(
    token="tok1",
    campaign_id="c1",
    ask_id="P1.T1/orders/red",
    side="red",
    title="Orders for turn 1",
    kind="orders",
    status=PromptStatus.OPEN,
    opened_seq=1,
    created_at=NOON,
)


async def founded(store: Store, campaign_id: str = "c1", *, at: datetime = NOON, **changes: object) -> CampaignInfo:
    """A campaign that is kept; ``changes`` are made to :data:`INFO`."""
    info = replace(INFO, id=campaign_id, **changes)  # type: ignore[arg-type]
    async with store.write() as tx:
        await tx.campaigns.add(NewCampaign(info, SOURCE, "1", at))
    return info


async def seated(store: Store, *members: tuple[int, str], campaign_id: str = "c1", at: datetime = NOON) -> None:
    """Users on sides, each a second after the one before."""
    async with store.write() as tx:
        for number, (user, side) in enumerate(members):
            await tx.members.add(campaign_id, user, side=side, name="n", at=at + timedelta(seconds=number))
