"""``/map``, ``/forces``, ``/log``: what the caller may know, from a view and from nothing else."""

import asyncio
import re
from collections.abc import Sequence

from discord import app_commands

from bot.commands.context import campaign_here, command, drawing_of, own_campaigns, services_of
from bot.delivery.compose import view_of
from bot.delivery.drawing import AnyView, Drawing
from bot.delivery.exit import defer, reply
from bot.delivery.prepared import SIZE_LIMIT, Message, picture
from bot.errors import Sorry
from bot.interactions.campaign_cards import log_card
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import nearest
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.core.knowledge.views import Board, Counter, OmniscientView, PublicView, SideView


def board_of(view: AnyView) -> Board:
    """The picture in a view of any kind."""
    match view:
        case SideView(board=board) | PublicView(public=board) | OmniscientView(omniscient=board):
            return board


def area_of(board: Board, area: str | None) -> tuple[str, ...] | None:
    """The hexes of a crop: those named, or what lies around a single one.

    Raises:
        Sorry: naming what is not on this map.
    """
    if not area or not area.strip():
        return None
    named = area.replace(",", " ").replace("-", " ").split()
    hexes = board.grid.hexes()
    known = set(hexes)
    wrong = [one for one in named if one not in known]
    if wrong:
        near = nearest(wrong[0], known)
        legal = f" The map goes from {hexes[0]} to {hexes[-1]}."
        raise Sorry(
            f"“{wrong[0][:20]}” is not a hex of this map.{legal}" + (f" Did you mean {near[0]}?" if near else ""),
            code="unknown-hex",
        )
    if len(named) == 1:
        return board.grid.within(named[0], 2)
    return tuple(named)


async def map_message(drawing: Drawing, view: AnyView, area: str | None) -> Message:
    """A map with its words."""
    crop = area_of(board_of(view), area)
    try:
        image = await asyncio.to_thread(drawing.map, view, crop)
    except UnknownHex:
        raise Sorry("That area is not on this map.", code="unknown-hex") from None
    files, note = picture(image.filename, image.png, image.alt, SIZE_LIMIT)
    return Message("\n".join(filter(None, [f"**{board_of(view).heading}**", note])), files=files)


@command(name="map", description="The map as you may see it")
@app_commands.describe(
    text="The map in words instead of a picture",
    area="Only around a hex (0412), or the area between several (0210 0515)",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_map(
    interaction: Interaction, text: bool = False, area: str | None = None, campaign: str | None = None
) -> None:
    """Draw the map, or say it."""
    found = await campaign_here(interaction, campaign)
    view = await services_of(interaction).queries.views.widest(found.id, interaction.user.id)
    if text:
        import map_render  # noqa: PLC0415  Pillow is loaded by the first map, not at start

        await reply(interaction, Message(map_render.describe(view)))
        return
    area_of(board_of(view), area)
    await defer(interaction)
    await reply(interaction, await map_message(drawing_of(interaction), view, area))


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
    pages = await services_of(interaction).queries.told_again.pages(found.id, interaction.user.id)
    card = log_card(found.id, pages, page - 1 if page else len(pages) - 1)
    await reply(interaction, Message(card.content, view=view_of(card)))
