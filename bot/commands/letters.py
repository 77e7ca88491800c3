"""``/letter``, ``/letters``, ``/offer``, ``/diplomacy``, ``/hand-on``: what passes between one side and another."""

from discord import app_commands

from bot.commands.areas import MOST_TYPED as MOST_AREA
from bot.commands.areas import area_of
from bot.commands.context import (
    UsualAnswer,
    campaign_here,
    chosen,
    command,
    offers,
    offers_found,
    own_campaigns,
    services_of,
)
from bot.commands.maps import areas
from bot.delivery.compose import message_of
from bot.delivery.exit import defer, open_modal, reply
from bot.delivery.prepared import Message
from bot.errors import Sorry
from bot.interactions.guard import answers
from bot.interactions.letters.presses import write_modal
from bot.interactions.showing import Interaction, drawn_message
from bot.letters.cards import MOST_NOTE, draft_card, sent_text
from bot.letters.corresponding import Writing
from bot.letters.diplomacy_cards import diplomacy_card
from bot.letters.handing import ToHandOn
from bot.letters.names import ALL, MOST_TYPED
from bot.records.campaign_settings import LONGEST_LETTER
from bot.records.letters.letter import LetterKind
from rules_engine.core.basics.base import HexId

MOST_OFFERED = 25


@offers_found
async def receivers(interaction: Interaction, typed: str) -> list[UsualAnswer]:
    """The sides that the caller may write to; of several the last is completed."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    others = await services_of(interaction).letters.writing.receivers(found.id, interaction.user.id)
    before, comma, last = typed.rpartition(",")
    named = f"{before.strip()}, " if comma else ""
    everybody: list[UsualAnswer] = [(f"{ALL} of them", ALL)] if len(others) > 1 and not comma else []
    known: list[UsualAnswer] = [(f"{named}{name}", f"{named}{name}") for name in others.values() if name not in before]
    wanted = last.strip().casefold()
    return [one for one in (*known, *everybody) if wanted in one[0].rpartition(",")[2].casefold()][:MOST_OFFERED]


@offers
async def partners(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The sides whose letters the caller may read."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    known = await services_of(interaction).letters.reading.partners(found.id, interaction.user.id)
    return [(name, name) for name in known.values()]


@command(name="letter", description="Write to another side in private; without text a form opens")
@app_commands.describe(
    to="To which side; to several with commas, each gets a copy and learns of no other",
    text="What you write; without it a form opens, which takes several lines",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(to=receivers, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def letter(
    interaction: Interaction,
    to: app_commands.Range[str, 1, MOST_TYPED],
    text: app_commands.Range[str, 1, LONGEST_LETTER] | None = None,
    campaign: str | None = None,
) -> None:
    """Write a letter."""
    await _write(interaction, to, text, campaign, LetterKind.LETTER)


@command(name="offer", description="Offer another side something; it accepts or declines with a button")
@app_commands.describe(
    to="To which side; to several with commas, each gets an offer of its own",
    terms="What you offer and want; without it a form opens",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(to=receivers, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def offer(
    interaction: Interaction,
    to: app_commands.Range[str, 1, MOST_TYPED],
    terms: app_commands.Range[str, 1, LONGEST_LETTER] | None = None,
    campaign: str | None = None,
) -> None:
    """Make an offer."""
    await _write(interaction, to, terms, campaign, LetterKind.OFFER)


async def _write(interaction: Interaction, to: str, text: str | None, wanted: str | None, kind: LetterKind) -> None:
    found = await campaign_here(interaction, wanted)
    writing = services_of(interaction).letters.writing
    sides = await writing.named(found.id, interaction.user.id, to)
    if text is None:
        most = found.settings.letter_length
        verb = "offer" if kind is LetterKind.OFFER else "new"
        await open_modal(interaction, write_modal(found.id, sides, found.side_names, verb, most))
        return
    sent = await writing.write(found.id, interaction.user.id, sides, Writing(text, kind), interaction_id=interaction.id)
    await reply(interaction, Message(sent_text(sent, found.side_names)))


@command(name="letters", description="What your side has written to others, and they to you")
@app_commands.describe(other="Only those with this side", campaign="Which campaign, if you are in several")
@app_commands.rename(other="with")
@app_commands.autocomplete(other=partners, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def letters(
    interaction: Interaction,
    other: app_commands.Range[str, 1, 100] | None = None,
    campaign: str | None = None,
) -> None:
    """List the letters."""
    found = await campaign_here(interaction, campaign, only_in_play=False)
    card = await services_of(interaction).letters.reading.page(found.id, interaction.user.id, of=other or "")
    await reply(interaction, message_of(card))


@command(name="diplomacy", description="What stands between your side and others: agreements, offers, notice")
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def diplomacy(interaction: Interaction, campaign: str | None = None) -> None:
    """Show how the caller's side stands with others."""
    found = await campaign_here(interaction, campaign)
    standing = await services_of(interaction).letters.diplomacy.of(found.id, interaction.user.id)
    await reply(interaction, message_of(diplomacy_card(standing)))


@offers
async def contacts(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The contacts that the caller's side may hand on."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    known = await services_of(interaction).letters.handing.contacts(found.id, interaction.user.id)
    shown = {one.label.strip(): " · ".join(filter(None, (one.label.strip(), one.level_name, one.hex))) for one in known}
    return [(text[:100], name[:100]) for name, text in shown.items()]


@command(name="hand-on", description="Hand on a contact or a part of your map to another side; you see it first")
@app_commands.describe(
    to="To which side; to several with commas",
    contact="A contact of yours by its name; several with commas",
    area="Or your map around a contact, place or hex (E1, 0412, 0210 0515)",
    own="Whether the map shows where your own forces are, too (usually not)",
    words="A few words to it",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(to=receivers, contact=contacts, area=areas, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def hand_on(
    interaction: Interaction,
    *,
    to: app_commands.Range[str, 1, MOST_TYPED],
    contact: app_commands.Range[str, 1, 200] | None = None,
    area: app_commands.Range[str, 1, MOST_AREA] | None = None,
    own: bool = False,
    words: app_commands.Range[str, 1, MOST_NOTE] | None = None,
    campaign: str | None = None,
) -> None:
    """Show what would be handed on, and send it once its giver says so."""
    services = services_of(interaction)
    found = await campaign_here(interaction, campaign)
    sides = await services.letters.writing.named(found.id, interaction.user.id, to)
    if (contact is None) == (area is None):
        raise Sorry("Say what you hand on: either a `contact` of yours, or an `area` of your map.", code="what-handed")
    hexes: tuple[HexId, ...] = ()
    if area is not None:
        view = await services.queries.views.of_side(found.id, interaction.user.id)
        there = area_of(view.board, area, view.side)
        hexes = view.board.news[there - 1].hexes if isinstance(there, int) else there or ()
    named = tuple(part for part in (contact or "").split(",") if part.strip())
    await defer(interaction)
    draft, names = await services.letters.handing.prepare(
        found.id,
        interaction.user.id,
        sides,
        ToHandOn(named, hexes, own),
        words or "",
        interaction_id=interaction.id,
    )
    await reply(interaction, await drawn_message(interaction, draft_card(draft, names), found))
