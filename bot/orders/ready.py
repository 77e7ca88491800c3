"""Being ready: a side says that it is done with what closes together, or not after all."""

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.orders.answering import Answering
from bot.orders.find_prompt import PromptFinder
from bot.orders.open_prompt import Answer, OpenPrompt
from bot.recording.commit import judged_again
from bot.recording.drafts import complete
from rules_engine.core.basics.refusals import Refused


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
        """Say that the side is done with its sheets in this strand, or not after all. When nothing more is expected of
        anybody there, play goes on.

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
            strand = found.prompt.strand
            if adjudicator.is_ready(found.side, strand) == is_ready:
                answer: Answer = found.opened(adjudicator)
            else:
                transition = adjudicator.ready(
                    found.side, is_ready=is_ready, by=str(user_id), at=self._runtime.stamp(), strand=strand
                )
                answer = await self._answering.record(
                    found, adjudicator, transition, message_id=message_id, interaction_id=interaction_id
                )
        if isinstance(answer, OpenPrompt) and await self._finder.returned(token, user_id):
            return answer.with_returned()
        return answer
