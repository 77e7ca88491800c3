"""``/map``: the map as its reader may see it, whole or around something, with what is asked for on it."""

import asyncio

from discord import app_commands

from bot.commands.areas import MOST_TYPED, Area, area_of, offered
from bot.commands.context import (
    UsualAnswer,
    campaign_here,
    channels_of,
    chosen,
    command,
    drawing_of,
    offers,
    offers_found,
    own_campaigns,
    services_of,
)
from bot.delivery.drawing import AnyView, Drawing, MapOrder, ThemeDefects, board_of
from bot.delivery.exit import defer, reply
from bot.delivery.prepared import SIZE_LIMIT, Message, document
from bot.errors import Sorry
from bot.interactions.guard import answers
from bot.interactions.maps import map_message
from bot.interactions.showing import Interaction
from bot.records.campaigns import CampaignInfo
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.knowledge.views import OmniscientView, SideView

ALL_RANGES = "all"
"""Stands for every kind of range."""

AS_THE_CAMPAIGN = "as the campaign"
"""Stands for no theme of a reader's own. No theme's file can be called so."""

AS_THE_HOST = "as the host"
"""Stands for no theme of a campaign's own."""


def side_of(view: AnyView) -> str | None:
    """Whose view it is; None if it is nobody's."""
    return view.side if isinstance(view, SideView) else None


async def _view_here(interaction: Interaction) -> AnyView:
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    tracked = await _tracked_here(interaction, found)
    return tracked or await services_of(interaction).queries.views.widest(found.id, interaction.user.id)


async def _tracked_here(interaction: Interaction, campaign: CampaignInfo) -> SideView | OmniscientView | None:
    """In the thread of a tracked battle of the caller's side: what that side knows of it; a referee may look too."""
    services = services_of(interaction)
    places = await services.campaigns.places(campaign.id, channels_of(interaction))
    return await services.queries.views.of_tracked_in(campaign.id, interaction.user.id, places)


@offers_found
async def areas(interaction: Interaction, typed: str) -> list[UsualAnswer]:
    """What the caller's map may be shown around."""
    view = await _view_here(interaction)
    return list(await asyncio.to_thread(offered, board_of(view), side_of(view), typed))


@offers
async def kinds_of_range(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The ranges that the caller's map can show."""
    kinds = _kinds(await _view_here(interaction))
    return [(kind, kind) for kind in (*kinds, *([ALL_RANGES] if len(kinds) > 1 else []))]


@offers
async def themes(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The themes that there are, and the host's own choice."""
    return [(name, name) for name in (*drawing_of(interaction).names, AS_THE_HOST)]


@offers
async def own_themes(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The themes that there are, and the campaign's own choice."""
    return [(name, name) for name in (*drawing_of(interaction).names, AS_THE_CAMPAIGN)]


async def known_theme(drawing: Drawing, typed: str, none: str) -> str:
    """The name of a theme that somebody typed; empty for ``none``, which stands for no theme of one's own.

    Raises:
        Sorry: naming those that there are, or when it has defects.
    """
    name = typed.strip()
    if name.casefold() == none:
        return ""
    if name not in drawing.names:
        there = ", ".join((*drawing.names, none))
        raise Sorry(f"There is no theme “{name[:40]}”. There is: {there}.", code="unknown-theme")
    try:
        await asyncio.to_thread(drawing.named, name)
    except ThemeDefects:
        raise Sorry(f"The theme {name} has defects; the bot's host can mend it.", code="theme-defects") from None
    return name


def _kinds(view: AnyView) -> tuple[str, ...]:
    return tuple(sorted({one.kind for one in board_of(view).ranges}))


def ranges_of(view: AnyView, typed: str | None) -> frozenset[str]:
    """The kinds of range that are asked for.

    Raises:
        Sorry: naming those that this map can show.
    """
    if not typed:
        return frozenset()
    kinds = _kinds(view)
    wanted = kinds if typed.strip().casefold() == ALL_RANGES else tuple(one for one in kinds if one == typed.strip())
    if not wanted:
        there = f"It can show: {', '.join((*kinds, ALL_RANGES))}." if kinds else "There are none to show."
        raise Sorry(f"This map has no ranges called “{typed[:40]}”. {there}", code="unknown-range")
    return frozenset(wanted)


async def printed_message(drawing: Drawing, view: AnyView, order: MapOrder, area: Area | None = None) -> Message:
    """A map as a file to be printed."""
    try:
        made = await asyncio.to_thread(drawing.printed, view, order, area)
    except UnknownPlace:
        raise Sorry("That area is not on this map.", code="unknown-hex") from None
    files, note = document("map.pdf", made, SIZE_LIMIT)
    words = [f"**{board_of(view).heading}**", "-# To be printed on A4: a page for each picture.", note]
    return Message("\n".join(filter(None, words)), files=files)


@command(name="map", description="The map as you may see it")
@app_commands.describe(
    text="The map in words instead of a picture",
    area="Only around a force, contact, place or hex (A1, 0412), or the area between several (0210 0515)",
    ranges="Show how far your own reach too, such as detection",
    printed="A file to be printed instead of a picture, dark on white",
    theme="How maps look that you ask for, from now on and in every campaign",
    hearsay="Whether it shows what other sides have handed on to you (usually so)",
    campaign="Which campaign, if you are in several",
)
@app_commands.rename(printed="print")
@app_commands.autocomplete(area=areas, ranges=kinds_of_range, theme=own_themes, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_map(
    interaction: Interaction,
    *,
    text: bool = False,
    area: app_commands.Range[str, 1, MOST_TYPED] | None = None,
    ranges: app_commands.Range[str, 1, 40] | None = None,
    printed: bool = False,
    theme: app_commands.Range[str, 1, 40] | None = None,
    hearsay: bool = True,
    campaign: str | None = None,
) -> None:
    """Draw the map, or say it."""
    services = services_of(interaction)
    found = await campaign_here(interaction, campaign)
    tracked = await _tracked_here(interaction, found)
    view = tracked or await services.queries.views.widest(found.id, interaction.user.id)
    if hearsay and tracked is None and isinstance(view, SideView):
        view = await services.letters.handing.onto(found.id, view)
    wanted = area_of(board_of(view), area, side_of(view))
    kinds = ranges_of(view, ranges)
    if theme:
        named = await known_theme(drawing_of(interaction), theme, AS_THE_CAMPAIGN)
        await services.seats.map_themes.choose(interaction.user.id, named, interaction.id)
    if text:
        import map_render  # noqa: PLC0415  Pillow is loaded by the first map, not at start

        await reply(interaction, Message(map_render.describe(view)))
        return
    await defer(interaction)
    order = MapOrder(await services.seats.map_themes.of(found, interaction.user.id), kinds)
    made = printed_message if printed else map_message
    await reply(interaction, await made(drawing_of(interaction), view, order, wanted))
