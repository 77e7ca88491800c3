"""``/forces``, ``/log``: what the caller may know, from a view and from nothing else."""

import re
from collections.abc import Sequence

from discord import app_commands

from bot.commands.context import campaign_here, command, own_campaigns, services_of
from bot.delivery.compose import view_of
from bot.delivery.exit import reply
from bot.delivery.prepared import Message
from bot.interactions.campaign_cards import log_card
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.views import Counter, SideView

MOST_FORCES = 5_000
"""Characters of a list of forces that are still read through; a longer one is told by its headings."""


def forces_text(view: SideView, about: str = "") -> str:
    """A side's own forces and ledgers, and what it knows of others: what has ``about`` in it, or all.

    A list that nobody would read through is told without what stands below its headings.
    """
    if about.strip():
        return _forces(view, about.strip()) or f"Nothing of yours, or known to you, has “{about.strip()[:40]}” in it."
    text = _forces(view)
    if len(text) <= MOST_FORCES:
        return text
    return f"{_forces(view, short=True)}\n-# In short. `/forces about:` and a name or a hex tells all of it."


def _forces(view: SideView, about: str = "", *, short: bool = False) -> str:
    board = view.board
    outsiders = {one.key for one in board.outsiders}
    own: list[list[str]] = []
    contacts: list[list[str]] = []
    for one in board.counters:
        if one.owner == view.side and one.level is None:
            own.append([_counter_line(one, short=short)])
        else:
            contacts.append([_counter_line(one, board.name_of(one.owner) if one.owner in outsiders else "")])
    sections = [
        ("Own counters", own),
        ("Contacts", contacts),
        *((panel.title, _blocks(panel.rows)) for panel in board.panels),
    ]
    parts: list[str] = []
    for title, blocks in sections:
        told = [kept for block in blocks if (kept := _kept(block, about, short=short))]
        parts += [f"__{title}__", *(f"• {row}" for block in told for row in block)] if told else []
    return "\n".join([f"**{board.heading}**", *parts]) if parts or not about else ""


def _blocks(rows: Sequence[str]) -> list[list[str]]:
    """Rows with those that are indented below them."""
    blocks: list[list[str]] = []
    for row in rows:
        if row.startswith(" ") and blocks:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return blocks


def _kept(block: list[str], about: str, *, short: bool) -> list[str]:
    """What of a block is told: its head alone, or what speaks of something, below its head."""
    if short:
        return block[:1]
    if not about:
        return block
    wanted = re.compile(rf"(?<!\w){re.escape(about)}(?!\w)", re.IGNORECASE)
    if wanted.search(block[0]):
        return block
    below = [row for row in block[1:] if wanted.search(row)]
    return [block[0], *below] if below else []


def _counter_line(counter: Counter, owner: str = "", *, short: bool = False) -> str:
    details = () if short else counter.details
    words = [f"**{counter.label}** {counter.sub}".strip(), owner, f"hex {counter.hex}", counter.level_name, *details]
    age = f" ({counted(counter.age, 'turn')} ago)" if counter.age and not counter.live else ""
    return f"{', '.join(word for word in words if word)}{age}"


@command(name="forces", description="Your side's forces and what it knows of others")
@app_commands.describe(
    about="Only what speaks of this: a name, a contact or a hex",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def forces(
    interaction: Interaction,
    about: app_commands.Range[str, 1, 60] | None = None,
    campaign: str | None = None,
) -> None:
    """List the forces."""
    found = await campaign_here(interaction, campaign)
    view = await services_of(interaction).queries.views.of_side(found.id, interaction.user.id)
    await reply(interaction, Message(forces_text(view, about or "")))


@command(name="log", description="What your side was told")
@app_commands.describe(page="Which page; the newest comes first if you name none", campaign="Which campaign")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_log(
    interaction: Interaction, page: app_commands.Range[int, 1, 10_000] | None = None, campaign: str | None = None
) -> None:
    """Tell again what was told."""
    found = await campaign_here(interaction, campaign)
    told = await services_of(interaction).queries.told_again.reports(found.id, interaction.user.id)
    card = log_card(found.id, told, page - 1 if page else None)
    await reply(interaction, Message(card.content, view=view_of(card)))
