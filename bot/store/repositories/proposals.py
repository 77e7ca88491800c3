"""Changes that wait for consent."""

from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.proposals import Proposal, change_adapter
from bot.store.tables import ProposalRow


class Proposals:
    """All that wait; what was carried out, refused or void is gone."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, proposal: Proposal) -> None:
        """Keep one, in place of any other of its kind in the campaign."""
        for other in await self.of(proposal.campaign_id):
            if other.change.kind == proposal.change.kind:
                await self.drop(other.token)
        row = {
            "token": proposal.token,
            "campaign_id": proposal.campaign_id,
            "made_by": proposal.made_by,
            "made_at": proposal.made_at,
            "change": proposal.change.model_dump(mode="json"),
            "parties": list(proposal.parties),
            "agreed": list(proposal.agreed),
        }
        await self._connection.execute(insert(ProposalRow), row)

    async def find(self, campaign_id: str, token: str) -> Proposal | None:
        """That one, if it still waits."""
        return next((one for one in await self.of(campaign_id) if one.token == token), None)

    async def of(self, campaign_id: str) -> list[Proposal]:
        """A campaign's, by when they were made."""
        query = select(ProposalRow.__table__).where(ProposalRow.campaign_id == campaign_id)
        rows = (await self._connection.execute(query.order_by(ProposalRow.made_at))).mappings()
        return [_proposal(row) for row in rows]

    async def agreed(self, proposal: Proposal, party: str) -> None:
        """Remember that a party has agreed."""
        changing = update(ProposalRow).where(ProposalRow.token == proposal.token)
        await self._connection.execute(changing.values(agreed=[*proposal.agreed, party]))

    async def drop(self, token: str) -> None:
        """It waits no longer."""
        await self._connection.execute(delete(ProposalRow).where(ProposalRow.token == token))


def _proposal(row: RowMapping) -> Proposal:
    return Proposal(
        token=row["token"],
        campaign_id=row["campaign_id"],
        made_by=row["made_by"],
        made_at=row["made_at"],
        change=change_adapter.validate_python(row["change"]),
        parties=tuple(row["parties"]),
        agreed=tuple(row["agreed"]),
    )
