"""Being ready: a side says that it is done with what closes together, or not after all. A side with captains is when
each of those whose ships are asked about has said so."""

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.prompts.standing import mentions
from bot.errors import Sorry
from bot.orders.answering import Answering
from bot.orders.find_prompt import PromptFinder
from bot.orders.open_prompt import Answer, OpenPrompt
from bot.recording.commit import judged_again
from bot.recording.drafts import complete
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.transitions import Transition


class Readiness:
    """Takes sides' word that they are ready."""

    def __init__(self, runtime: Runtime, finder: PromptFinder, answering: Answering) -> None:
        self._runtime = runtime
        self._finder = finder
        self._answering = answering

    @judged_again
    async def say(
        self,
        token: str,
        user_id: int,
        *,
        is_ready: bool,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Say that the side is done with its sheets in this strand, or not after all; of a side with captains, that
        this captain is. When nothing more is expected of anybody there, play goes on.

        A sheet that nobody touched counts as its default. What was not accepted stands on no sheet, and does not count:
        the card says so to whoever wrote it. A draft that is legal no longer is shown with what is wrong and set aside,
        because Ready means what stands there.
        """
        found = await self._finder.found(token, user_id, "ready")
        async with holding(self._runtime, found.campaign.id, found.campaign.head) as adjudicator:
            ask = found.ask(adjudicator)
            if is_ready and found.draft:
                try:
                    adjudicator.try_answer(found.side, ask.id, complete(ask, found.draft))
                except Refused as refused:
                    if ask.pace == "battle":
                        return await self._answering.keep_refused(found, adjudicator, found.draft, refused)
                    return await self._answering.set_aside(found, adjudicator, refused, user_id)
            strand, side = found.prompt.strand, found.side
            team = found.said(is_done=is_ready).team(adjudicator)
            if team is not None and team.awaited and user_id not in team.awaited:
                raise Sorry(
                    f"The ships on this sheet are others'; {mentions(team.missing or team.awaited)} must confirm it.",
                    code="not-your-ships",
                )
            now_ready = is_ready and not (team is not None and team.missing)
            transition: Transition | None = None
            if adjudicator.is_ready(side, strand) != now_ready:
                at = self._runtime.stamp()
                transition = adjudicator.ready(side, is_ready=now_ready, by=str(user_id), at=at, strand=strand)
            if transition is None and found.shared is None:
                answer: Answer = found.opened(adjudicator)
            else:
                answer = await self._answering.record(
                    found,
                    adjudicator,
                    transition,
                    confirms=is_ready,
                    message_id=message_id,
                    interaction_id=interaction_id,
                )
        if isinstance(answer, OpenPrompt) and found.returned:
            return answer.with_returned()
        return answer
