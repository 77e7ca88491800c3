"""What is published of a campaign's record, so that nobody can write another one afterwards: its hash at fixed points,
and at the end the seed of the dice.

A hash tells nothing of what it is made of, for every entry is salted. It is posted only where the public map is due:
then everybody was asked something, and when it comes tells no more than that.
"""

from bot.recording.transaction import Recording
from bot.records.letters.letter import digest_of
from bot.store.transaction import Transaction
from rules_engine.core.records.journal import Revealed, Rewound
from rules_engine.core.running.transitions import Transition


async def head_line(recording: Recording, transition: Transition) -> str:
    """The line with the record's hash, once a turn and after a rewind; empty where none is due."""
    if not transition.public_map:
        return ""
    is_new = await recording.tx.installation.is_turn_new(recording.campaign.id, recording.adjudicator.turn)
    if not is_new and not isinstance(transition.entry.body, Rewound):
        return ""
    return f"-# The record up to here has the hash {_head(recording)}"


async def publish_seed(recording: Recording) -> str:
    """The campaign has ended: put the seed on the record; gives how everybody can check it all, in small lines."""
    adjudicator = recording.adjudicator
    letters = await letters_digest(recording.tx, recording.campaign.id)
    revealed = adjudicator.reveal(by="clock", at=recording.now.isoformat(timespec="milliseconds"), letters=letters)
    body = revealed.entry.body
    assert isinstance(body, Revealed)
    await recording.tx.journal.append(recording.campaign.id, [revealed])
    return (
        f"-# 🔓 The dice are open: their seed is `{body.seed}`, whose SHA-256 was published at the start: "
        f"`{adjudicator.genesis.commitment}`.\n"
        "-# Everybody of this campaign can check all of it: `/referee export` gives you the whole record, and "
        "`plotroom verify FILE --head HASH` plays it again on your own computer, with each hash that was posted here.\n"
        f"-# The whole record has the hash {_head(recording)}"
    )


async def letters_digest(tx: Transaction, campaign_id: str) -> str:
    """One hash of all letters between sides; empty where there are none."""
    heads = await tx.letters.heads(campaign_id)
    return digest_of(heads) if heads else ""


def _head(recording: Recording) -> str:
    head = recording.adjudicator.head
    assert head is not None, "a campaign in play has a journal"
    return f"`{head.hash}`."
