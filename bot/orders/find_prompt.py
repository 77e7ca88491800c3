"""Finding prompts: whose a prompt is, whether it is open, and what somebody of its side may work on."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.campaigns.directory import known, note_spoken_of
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.permissions import caller_of, require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, Stale
from bot.orders.examples import example_of
from bot.orders.open_prompt import OpenPrompt
from bot.recording.prompts import prompt_state
from bot.recording.teams import side_team
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.captains import ShipsShared, Team
from bot.records.prompts import Prompt, PromptCopy, PromptStatus, Returned, Step
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk

_NO_PLAY = {
    CampaignStatus.GATHERING: "has not begun",
    CampaignStatus.HALTED: "is halted; its referee has been told what to do",
    CampaignStatus.ENDED: "is over",
}
"""Why nothing can be ordered."""


@dataclass(frozen=True, slots=True)
class FoundPrompt:
    """An open prompt with its campaign, and when it closes: somebody of its side may act on it."""

    prompt: Prompt
    campaign: CampaignInfo
    closes: datetime | None
    user_id: int
    shared: ShipsShared | None = None
    """What is kept of the side's captains, if it has any."""
    returned: Returned = field(default_factory=Returned)
    """What this user wrote for it and got back, of a prompt that was looked up by its token."""
    theme: str | None = None
    """The theme of this user's maps; None where it was not looked up."""
    is_one_of_several: bool = False
    """Whether this user commands sides in other campaigns under way, too."""

    @property
    def token(self) -> str:
        """The prompt's token."""
        return self.prompt.token

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.prompt.side

    @property
    def draft(self) -> Sheet | None:
        """What is kept of the sheet."""
        return self.prompt.draft

    def with_draft(self, draft: Sheet) -> "FoundPrompt":
        """The same with another draft."""
        return replace(self, prompt=replace(self.prompt, draft=draft))

    def with_step(self, last: Step | None) -> "FoundPrompt":
        """The same once this is the last change that can be taken back."""
        steps, said = (last.number, last.said) if last else (0, "")
        return replace(self, prompt=replace(self.prompt, steps=steps, last_step=said))

    def ask(self, adjudicator: AnyAdjudicator) -> AnyAsk:
        """Its ask.

        Raises:
            Stale: when it is not open to this side any more.
        """
        for ask in adjudicator.asks_for(self.side):
            if ask.id == self.prompt.ask_id:
                return ask
        raise Stale(f"“{self.prompt.title}” is closed; nothing was changed.")

    def team(self, adjudicator: AnyAdjudicator) -> Team | None:
        """The side's captains in this strand, if it has any."""
        return side_team(adjudicator, self.side, self.prompt.strand, self.shared)

    def said(self, *, is_done: bool) -> "FoundPrompt":
        """The same once who works on it has confirmed the strand, or has not after all."""
        if self.shared is None:
            return self
        return replace(self, shared=self.shared.said(self.prompt.strand, self.user_id, is_done=is_done))

    def opened(self, adjudicator: AnyAdjudicator, *, receipt: str = "") -> OpenPrompt:
        """The prompt with its ask and its card; ``receipt`` is that of what was journalled just now. Raises Stale."""
        ask = self.ask(adjudicator)
        team = self.team(adjudicator)
        state = prompt_state(
            self.campaign, adjudicator, self.prompt, ask, closes=self.closes, receipt=receipt, team=team
        ).for_reader(self.user_id)
        view = adjudicator.view_of(self.side, ask)
        named = self.campaign.title if self.is_one_of_several else ""
        return OpenPrompt(
            self.token, self.campaign, self.side, ask, state, self.draft, view=view, theme=self.theme, named=named
        )


class PromptFinder:
    """Looks prompts up, each for somebody."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def open_prompts(self, campaign_id: str, user_id: int, kind: str | None = None) -> list[OpenPrompt]:
        """The open prompts of the user's side, in the order in which they were opened."""
        async with self.held(campaign_id, user_id) as (adjudicator, found):
            return [one.opened(adjudicator) for one in found if kind in (None, one.prompt.kind)]

    @asynccontextmanager
    async def held(
        self, campaign_id: str, user_id: int
    ) -> AsyncGenerator[tuple[AnyAdjudicator, list[FoundPrompt]], None]:
        """The campaign in memory, alone, with the open prompts of the user's side in the order in which they were
        opened."""
        async with self._runtime.store.read() as tx:
            asked = known(await tx.prompts.open_for(campaign_id, user_id))
            shared = await tx.captains.of(campaign_id, asked.seat) if asked.seat and asked.has_captains else None
        campaign = asked.campaign
        caller = caller_of(campaign, user_id, asked.seat)
        note_spoken_of(campaign, caller, is_one_of_several=asked.is_one_of_several)
        require(caller, "orders")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            open_ids = {ask.id for ask in adjudicator.asks_for(caller.side or "")}
            yield (
                adjudicator,
                [
                    FoundPrompt(prompt, campaign, closes, user_id, shared, is_one_of_several=asked.is_one_of_several)
                    for prompt, closes in asked.prompts
                    if prompt.ask_id in open_ids
                ],
            )

    async def prompt(self, token: str, user_id: int, action: str = "fill") -> OpenPrompt:
        """One prompt, for somebody who may answer it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's.
        """
        found = await self.found(token, user_id, action)
        async with holding(self._runtime, found.campaign.id, found.campaign.head) as adjudicator:
            return found.opened(adjudicator)

    async def as_it_stands(self, token: str, user_id: int) -> OpenPrompt:
        """One prompt, for somebody who may look at it, also while nothing can be ordered because of a pause.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's.
        """
        found = await self.found(token, user_id, "review", also_paused=True)
        async with holding(self._runtime, found.campaign.id, found.campaign.head) as adjudicator:
            return found.opened(adjudicator)

    async def returned(self, token: str, user_id: int) -> Returned:
        """What this user wrote for a prompt and got back."""
        async with self._runtime.store.read() as tx:
            return await tx.returned.of(token, user_id)

    async def last_step(self, token: str) -> Step | None:
        """The last change of a prompt's sheet that can be taken back."""
        async with self._runtime.store.read() as tx:
            return await tx.steps.last(token)

    async def example(self, prompt: OpenPrompt) -> str:
        """An order for a sheet as it may be typed; empty where there is none. Made off the loop: several are judged."""
        async with holding(self._runtime, prompt.campaign.id):
            return await asyncio.to_thread(example_of, prompt.ask, prompt.view and prompt.view.board)

    async def is_copy(self, token: str, message_id: int) -> bool:
        """Whether this message is one in which the prompt was posted."""
        async with self._runtime.store.read() as tx:
            return bool(await tx.prompts.copies(token, message_id=message_id))

    async def stands_in(self, token: str, copy: PromptCopy) -> None:
        """Note that an open prompt is shown in a direct message, so that it is kept up to date there and closed;
        nothing where that is known, or another prompt stands there."""
        async with self._runtime.store.read() as tx:
            if await tx.prompts.standing_in(copy.message_id, copy.user_id) is not None:
                return
        async with self._runtime.store.write("copy") as tx:
            if await tx.prompts.is_open(token):
                await tx.prompts.add_copy(token, copy)

    async def found(self, token: str, user_id: int, action: str, *, also_paused: bool = False) -> FoundPrompt:
        """An open prompt, for somebody who may do ``action`` with it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's, or nothing can be ordered now.
        """
        async with self._runtime.store.read() as tx:
            pressed = await tx.prompts.pressed(token, user_id)
            if pressed is None:
                raise Stale("I know this sheet no more; `/orders show` lists those that are open.")
            prompt, campaign = pressed.prompt, pressed.campaign
            shared = await tx.captains.of(campaign.id, prompt.side) if pressed.has_captains else None
        caller = caller_of(campaign, user_id, pressed.seat)
        note_spoken_of(campaign, caller, is_one_of_several=pressed.is_one_of_several)
        require(caller, action)
        if caller.side != prompt.side:
            raise Sorry("This is not your side's sheet.", code="not-yours")
        if prompt.status is not PromptStatus.OPEN:
            raise Stale(f"“{prompt.title}” is closed; nothing was changed.")
        is_paused = campaign.status is CampaignStatus.PAUSED
        if is_paused and not also_paused:
            raise Sorry("The campaign is paused; the clock stands still and orders wait.", code="paused")
        if campaign.status is not CampaignStatus.RUNNING and not is_paused:
            raise Sorry(f"The campaign {_NO_PLAY[campaign.status]}.", code=f"status-{campaign.status}")
        return FoundPrompt(
            prompt,
            campaign,
            pressed.closes,
            user_id,
            shared,
            pressed.returned,
            pressed.theme or campaign.theme,
            pressed.is_one_of_several,
        )
