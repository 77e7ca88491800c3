"""Corrections: the state of a campaign changed by the referee's hand, with a reason that stands in the journal."""

import json

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, explain
from bot.recording.commit import commit_transitions, judged_again
from bot.records.campaigns import IN_PLAY
from bot.records.effects import Post
from bot.records.places import REFEREE_PLACE
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused


class Corrections:
    """Changes the state by hand."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    @judged_again
    async def edit(
        self,
        campaign_id: str,
        user_id: int,
        path: str,
        value: str,
        reason: str,
        *,
        remove: bool = False,
        interaction_id: int | None = None,
    ) -> None:
        """Set what stands at ``path``, or take it out; ``value`` is JSON, or taken as plain text if it is not."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "edit", IN_PLAY)
        if not reason.strip():
            raise Sorry("An edit needs a reason; it stands in the journal.", code="no-reason")
        try:
            parsed: Json = json.loads(value) if value else None
        except json.JSONDecodeError:
            parsed = value
        except (ValueError, RecursionError):  # thousands of digits or brackets
            raise Sorry("That value is too large or too deep to be read.", code="bad-edit") from None
        async with holding(runtime, campaign_id) as adjudicator:
            try:
                transition = adjudicator.edit(
                    path, parsed, remove=remove, by=str(user_id), reason=reason, at=runtime.stamp()
                )
            except Refused as refused:
                text = f"The edit was not made:\n{explain(refused.refusals)}"
                raise Sorry(text, code="bad-edit") from None
            except Exception:
                runtime.loaded.evict(campaign_id)
                raise
            done = "taken out" if remove else f"set to `{value[:200]}`"
            text = f"✍️ `{path}` was {done}. {reason}\n-# journal entry {transition.entry.seq}"
            told = Post(place=REFEREE_PLACE, content=text)
            await commit_transitions(
                runtime, campaign, adjudicator, [transition], interaction_id=interaction_id, told=[told]
            )
