"""Handing out a campaign's whole record, and with it, at the end, the seed of its dice."""

from collections.abc import Iterable

from bot.campaigns.directory import known
from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.recording.commit import commit_transitions, judged_again
from bot.recording.published import letters_digest
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.letters.letter import Letter
from rules_engine.core.records.journal import JournalEntry


class RecordExport:
    """Gives the record for ``plotroom verify``."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def export(self, campaign_id: str, user_id: int) -> str:
        """The campaign's whole record as JSON lines.

        While it runs only a referee who plays no side may have it, because it holds every secret; at its end everybody
        inside may, and the seed is in it, with all letters between sides.
        """
        directory = self._runtime.directory
        campaign, caller = await directory.seat(campaign_id, user_id)
        require(caller, "export")
        if campaign.status is not CampaignStatus.ENDED:
            require(caller, "omniscient")
        else:
            await self.reveal(campaign)
        async with self._runtime.store.read() as tx:
            entries = await tx.journal.entries(campaign_id)
            is_over = known(await tx.campaigns.find(campaign_id)).status is CampaignStatus.ENDED
            letters = await tx.letters.all_of(campaign_id) if is_over else []
        return export_text(entries, letters)

    @judged_again
    async def reveal(self, campaign: CampaignInfo) -> None:
        """Put the seed of an ended campaign on the record, once."""
        runtime = self._runtime
        async with holding(runtime, campaign.id) as adjudicator:
            if adjudicator.head is not None and adjudicator.head.body.kind == "revealed":
                return
            async with runtime.store.read() as tx:
                letters = await letters_digest(tx, campaign.id)
            transition = adjudicator.reveal(by="clock", at=runtime.stamp(), letters=letters)
            await commit_transitions(runtime, campaign, adjudicator, [transition])


def export_text(entries: Iterable[JournalEntry], letters: Iterable[Letter] = ()) -> str:
    """A journal as JSON lines, one entry each; behind it the letters, each as the one value of an object."""
    lines = [entry.model_dump_json() for entry in entries]
    lines += [f'{{"letter":{letter.model_dump_json()}}}' for letter in letters]
    return "".join(f"{line}\n" for line in lines)
