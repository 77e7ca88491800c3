"""Records and a campaign of the toy rulebook, to be kept in a store."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.records import campaign_settings, prompts
from bot.records.campaigns import CampaignInfo, CampaignSource, CampaignStatus, NewCampaign
from bot.store.database import Store
from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running import replay, transitions
from rules_engine.core.running.adjudicator import Adjudicator
from tests import toy
from tests.chance import NONCE

NOON = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
SIDES = (SideLabel(key="red", name="Red Fleet", emblem="R"), SideLabel(key="blue", name="Blue Fleet", emblem="B"))
INFO = CampaignInfo(
    id="c1", guild_id=2**62, title="First Duel", rulebook="toy", status=CampaignStatus.GATHERING,
    referee_id=2**62 + 1,
    settings=campaign_settings.CampaignSettings(orders_minutes=90, reminder_left=0.5, early_close=False), sides=SIDES,
)  # fmt: skip
SOURCE = CampaignSource("toy", {"turns": 3, "Ünï": [1, None, {"é": "d/n"}]}, bytes(range(32)))
PROMPT = prompts.Prompt(
    token="tok1", campaign_id="c1", ask_id="P1.T1/orders/red", side="red", title="Orders for turn 1", kind="orders",
    status=prompts.PromptStatus.OPEN, opened_seq=1, created_at=NOON,
)  # fmt: skip


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


# --- a campaign of the toy rulebook, played in memory: transitions to be kept in a journal ----------------------------
AT = "2026-08-01T12:00:00.000+00:00"


class Played:
    """A campaign and all its transitions so far. Two that are played alike have the same journal up to there."""

    def __init__(self, turns: int = 3) -> None:
        scenario: dict[str, Json] = {"turns": turns}
        opened = Adjudicator.open(toy.RULEBOOK, title="T", scenario=scenario, seed=SOURCE.seed, at=AT, nonce=NONCE)
        self.adjudicator: Adjudicator[Any] = opened[0]
        self.transitions: list[transitions.Transition] = [opened[1]]

    @property
    def entries(self) -> list[JournalEntry]:
        """Its journal."""
        return [transition.entry for transition in self.transitions]

    def answer(self, side: str, number: int) -> transitions.Transition:
        """The side names a number."""
        ask = next(ask for ask in self.adjudicator.asks_for(side) if ask.kind == "orders")
        return self._done(self.adjudicator.answer(side, ask.id, {"fleet": {"number": number}}, by=side, at=AT))

    def remark(self, text: str) -> transitions.Transition:
        """Something for the record."""
        return self._done(self.adjudicator.remark("note", text, by="1", at=AT))

    def close(self) -> transitions.Transition:
        """The open batch closes."""
        return self._done(self.adjudicator.close("deadline", by="clock", at=AT, nonce=NONCE))

    def turn(self, number: int = 5) -> Sequence[transitions.Transition]:
        """A whole turn, which red wins."""
        return [self.answer("red", number), self.close(), self.close()]

    def rewind(self, to: int) -> transitions.Transition:
        """Back to just after that entry."""
        self.adjudicator, transition = replay.rewind(
            toy.RULEBOOK, self.entries, SOURCE.seed, to=to, by="1", reason="a slip", at=AT
        )
        return self._done(transition)

    def _done(self, transition: transitions.Transition) -> transitions.Transition:
        self.transitions.append(transition)
        return transition
