"""Each side's dossier, kept as turns end: what its reports told of others since it was kept last is folded in. So who
looks at it reads what was told since, and nothing of a long campaign.
"""

import asyncio
from collections.abc import Sequence

from bot.campaigns.loaded import AnyAdjudicator
from bot.store.transaction import Transaction
from rules_engine.core.knowledge.dossiers.files import NOTHING_KEPT
from rules_engine.core.knowledge.dossiers.folding import KeptDossier
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.records.journal import Rewound
from rules_engine.core.running.transitions import Transition

FOREVER = 2**31 - 1
"""Behind all entries."""


async def known_of(tx: Transaction, campaign_id: str, side: str) -> tuple[KeptDossier, list[Report]]:
    """What is kept of a side's dossier, and all that was told since."""
    kept = await tx.journal.dossier(campaign_id, side)
    if kept is None:
        return NOTHING_KEPT, await tx.journal.reports(campaign_id)
    seq, dossier = kept
    return dossier, await tx.journal.reports_between(campaign_id, seq, FOREVER)


async def keep_dossiers(
    tx: Transaction, campaign_id: str, adjudicator: AnyAdjudicator, transitions: Sequence[Transition]
) -> None:
    """Where a turn has ended by these, which are written down: keep what all sides were told. Where play went back,
    what was told after that point goes: what stands of a dossier is made anew."""
    went_back = any(isinstance(one.entry.body, Rewound) for one in transitions)
    if not went_back and all(one.boundary is None for one in transitions):
        return
    seq = transitions[-1].entry.seq
    for label in adjudicator.sides:
        if went_back:
            kept, told = NOTHING_KEPT, await tx.journal.reports(campaign_id)
        else:
            kept, told = await known_of(tx, campaign_id, label.key)
        now = await asyncio.to_thread(adjudicator.kept_dossier, label.key, kept, told)
        await tx.journal.keep_dossier(campaign_id, label.key, seq, now)
