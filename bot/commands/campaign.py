"""``/campaign``: founding, joining, leaving, starting, and how things stand."""

import asyncio
from collections.abc import Iterable

import discord
from discord import app_commands

from bot.campaigns.directory import WhichCampaign
from bot.cards.joining.card import cancel_card, join_rows, joined_text
from bot.commands.context import (
    EVERYWHERE,
    GUILD_INSTALL,
    UsualAnswer,
    campaign_here,
    campaigns_here,
    channels_of,
    chosen,
    drawing_of,
    offers,
    own_campaigns,
    services_of,
)
from bot.commands.maps import AS_THE_HOST, known_theme, themes
from bot.commands.referee import offered_message
from bot.commands.status import status_text
from bot.commands.words import minutes_of
from bot.delivery.compose import message_of, view_of
from bot.delivery.exit import defer, reply
from bot.delivery.prepared import Message
from bot.errors import Sorry
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction
from bot.records.campaign_settings import (
    LONGEST_LETTER,
    MOST_LETTERS,
    SHORTEST_LIMIT,
    CampaignSettings,
    Pieces,
    Setting,
)
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.components import Card
from bot.records.places import SPECTATOR

PACES = {
    "orders": "orders_minutes",
    "decisions": "decision_minutes",
    "battles": "battle_minutes",
    "piece_time": "tactical_minutes",
    "battle_end": "battle_end_minutes",
}
"""The deadlines that may be set, by option, and the setting each is."""


@offers
async def scenarios(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """What may be played."""
    installed = services_of(interaction).scenarios
    known = [(ref.key, installed.about(ref)) for ref in installed.all()]
    return [(f"{key} - {about}" if about else key, key) for key, about in known]


@offers
async def numbers_of_seats(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """How many seats the scenario that is chosen may have."""
    wanted = chosen(interaction, "scenario")
    possible = await asyncio.to_thread(services_of(interaction).scenarios.seats, wanted) if wanted else None
    return [] if possible is None else [(f"{one} seats", one) for one in range(possible.least, possible.most + 1)]


@offers
async def seats(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The seats that may be taken: those of the campaign that is named, of the channel's own, or of all that are here,
    with the campaign's name where there are several."""
    campaigns = await _to_join(interaction, chosen(interaction, "campaign"))
    if len(campaigns) == 1:
        return [(name, key) for key, name in _seats_of(campaigns[0]).items()]
    return [(f"{name} · {one.title}", f"{one.id}/{key}") for one in campaigns for key, name in _seats_of(one).items()]


def may_be_joined(campaign: CampaignInfo) -> bool:
    """Whether somebody may take a seat of a campaign, or watch it."""
    return campaign.status is not CampaignStatus.ENDED


def gathering_first(campaigns: Iterable[CampaignInfo]) -> list[CampaignInfo]:
    """Campaigns, those that gather players first."""
    return sorted(campaigns, key=lambda one: one.status is not CampaignStatus.GATHERING)


def _seats_of(campaign: CampaignInfo) -> dict[str, str]:
    """The seats of a campaign: its sides' names and the spectators', by what is sent."""
    return {**campaign.side_names, SPECTATOR: "Spectator"}


async def _to_join(interaction: Interaction, wanted: str | None) -> list[CampaignInfo]:
    """The campaigns whose seats may be meant, those that gather players first."""
    services = services_of(interaction).campaigns
    if not wanted and interaction.guild_id is not None:
        known = await services.in_server(interaction.guild_id)
        still_open = [one for one in known if may_be_joined(one)]
        for one in still_open:
            if await services.places(one.id, channels_of(interaction)):
                return [one]
        if still_open:
            return gathering_first(still_open)
    return [await campaign_here(interaction, wanted)]


async def seat_to_take(interaction: Interaction, side: str, wanted: str | None) -> tuple[CampaignInfo, str]:
    """The campaign and the seat in it that somebody means by what they chose or typed.

    Raises:
        Sorry: when it takes the campaign's name; nothing was done.
    """
    campaigns = await _to_join(interaction, wanted)
    head, slash, key = side.partition("/")
    if slash and (found := next((one for one in campaigns if one.id == head), None)):
        return found, key
    if len(campaigns) == 1:
        return campaigns[0], side
    said = side.strip().casefold()
    having = [one for one in campaigns if said in {name.casefold() for seat in _seats_of(one).items() for name in seat}]
    gathering = [one for one in having or campaigns if one.status is CampaignStatus.GATHERING]
    meant = having if len(having) == 1 else gathering
    if len(meant) != 1:
        raise WhichCampaign(having or campaigns)
    return meant[0], side


async def campaign_to_join(interaction: Interaction, wanted: str | None) -> CampaignInfo:
    """The campaign that is meant by somebody who need not belong to it yet: named, the channel's own, or the only one.

    Raises:
        Sorry: when it takes a name.
    """
    if not wanted and interaction.guild_id is not None:
        known = await services_of(interaction).campaigns.in_server(interaction.guild_id)
        still_open = [one for one in known if one.status is not CampaignStatus.ENDED]
        if len(still_open) == 1:
            return still_open[0]
    return await campaign_here(interaction, wanted)


LETTERS = [
    app_commands.Choice(name="on: nobody else reads them before the end", value="on"),
    app_commands.Choice(name="off", value="off"),
    app_commands.Choice(name="a referee who plays no side reads them, too", value="read"),
]
"""What may be set of letters between sides."""

TRACKER = [
    app_commands.Choice(name="optional: a battle is tracked where all its sides want it", value="optional"),
    app_commands.Choice(name="usual: every battle is tracked from its set-up", value="usual"),
    app_commands.Choice(name="off", value="off"),
]
"""What may be set of the tracker of battles."""


def settings_of(changes: dict[str, str | None], **others: Setting | None) -> dict[str, Setting]:
    """Typed deadlines as settings, by the setting's name; and ``others`` that were given."""
    found: dict[str, Setting] = {PACES[option]: minutes_of(text) for option, text in changes.items() if text}
    return found | {name: value for name, value in others.items() if value is not None}


class CampaignCommands(app_commands.Group):
    """The group."""

    def __init__(self) -> None:
        super().__init__(
            name="campaign",
            description="Found, join, start or look at a campaign",
            allowed_contexts=EVERYWHERE,
            allowed_installs=GUILD_INSTALL,
        )

    @app_commands.command(name="create", description="Found a campaign; you become its referee")
    @app_commands.describe(
        title="What it is called",
        scenario="Which rulebook and scenario",
        seats="How many sides play, if the scenario leaves that open",
        orders="How long orders may take, e.g. 24h",
        decisions="How long a decision within a turn may take, e.g. 12h",
        battles="How long a battle played by hand may take, e.g. 7d",
        early="Go on once everybody is ready (usual), or only at deadlines, so that waiting tells less",
        at_once="Standing orders answer at once (usual), or take an answer's time, so that nobody notices them",
        letters="Whether sides may write to each other, and whether you may read it",
        tracker="Whether the bot may keep positions and vectors of battles",
        pieces="In how many pieces a turn of a tracked battle is plotted",
        piece_time="How long a piece of a tracked battle may take, e.g. 12h",
    )
    @app_commands.choices(letters=LETTERS, tracker=TRACKER)
    @app_commands.autocomplete(scenario=scenarios, seats=numbers_of_seats)
    @answers
    async def create(
        self,
        interaction: Interaction,
        *,
        title: app_commands.Range[str, 1, 60],
        scenario: str,
        seats: int | None = None,
        orders: str | None = None,
        decisions: str | None = None,
        battles: str | None = None,
        early: bool | None = None,
        at_once: bool | None = None,
        letters: str | None = None,
        tracker: str | None = None,
        pieces: Pieces | None = None,
        piece_time: str | None = None,
    ) -> None:
        """Found a campaign."""
        if interaction.guild_id is None:
            raise Sorry("A campaign lives in a server; found it there.", code="no-guild")
        times = {"orders": orders, "decisions": decisions, "battles": battles, "piece_time": piece_time}
        tracking: dict[str, Setting | None] = {"tracker": tracker, "tracker_pieces": pieces}
        changes = settings_of(times, early_close=early, orders_at_once=at_once, letters=letters, **tracking)
        await defer(interaction)  # a large scenario takes a moment to read
        campaign = await services_of(interaction).seats.founding.create(
            guild_id=interaction.guild_id,
            user_id=interaction.user.id,
            title=title,
            scenario=scenario,
            settings=CampaignSettings().changed(changes),
            seats=seats,
            interaction_id=interaction.id,
            channel_id=interaction.channel_id,
        )
        seats_named = ", ".join(campaign.side_names.values())
        text = (
            f"**{campaign.title}** is founded (`{campaign.id}`), and you are its referee. Its channels are being "
            "made.\n"
            f"Seats: {seats_named}. Players take one with **Join**, which I post here, or with "
            "`/campaign join`; then you begin with `/campaign start`.\n"
            f"{campaign.settings.said()} {campaign.settings.letters_said()}\n"
            "-# What no bot can hide: its host can read its database, and this server's owner and "
            "administrators see every channel. If you also command a side, you cannot see or change the whole record; "
            "once you have refereed play without one, you cannot take one."
        )
        await reply(interaction, Message(text))

    @app_commands.command(name="list", description="The campaigns of this server, or yours")
    @answers
    async def list_campaigns(self, interaction: Interaction) -> None:
        """What is going on."""
        services = services_of(interaction)
        campaigns = services.campaigns
        if interaction.guild_id is None:
            known = await campaigns.of_user(interaction.user.id)
        else:
            known = await campaigns.in_server(interaction.guild_id)
        if not known:
            await reply(interaction, Message("No campaign yet. `/campaign create` founds one."))
            return
        rows: list[str] = []
        for one in known[:25]:
            seated = await services.seats.seats.by_side(one)
            sides = "; ".join(
                f"{name}: {', '.join(f'<@{user}>' for user in seated.get(key, [])) or 'nobody yet'}"
                for key, name in one.side_names.items()
            )
            status = "cancelled" if one.never_began else one.status
            rows.append(f"• **{one.title}** (`{one.id}`), {one.rulebook}: {status}; {sides}")
        more = f"\n… and {len(known) - 25} older ones" if len(known) > 25 else ""
        open_ones = () if interaction.guild_id is None else [one for one in known if may_be_joined(one)]
        text = "\n".join(rows) + more
        await reply(interaction, Message(text, view=view_of(Card("", join_rows(gathering_first(open_ones))))))

    @app_commands.command(name="join", description="Take a seat in a campaign")
    @app_commands.describe(side="Which seat", campaign="Which campaign, if there are several")
    @app_commands.autocomplete(side=seats, campaign=campaigns_here)
    @answers
    async def join(self, interaction: Interaction, side: str, campaign: str | None = None) -> None:
        """Take a seat."""
        found, side = await seat_to_take(interaction, side, campaign)
        seat, waits = await services_of(interaction).seats.seats.join(
            found.id,
            user_id=interaction.user.id,
            name=interaction.user.display_name,
            side=side,
            interaction_id=interaction.id,
        )
        await reply(interaction, Message(joined_text(found, seat, waits)))

    @app_commands.command(name="leave", description="Give up your seat")
    @app_commands.describe(campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def leave(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Give up a seat."""
        found = await campaign_here(interaction, campaign, only_in_play=False)
        await services_of(interaction).seats.seats.leave(
            found.id, user_id=interaction.user.id, interaction_id=interaction.id
        )
        await reply(interaction, Message(f"You have left **{found.title}**."))

    @app_commands.command(
        name="name-referee", description="Name another referee, with all sides, for one who is gone or silent"
    )
    @app_commands.describe(
        to="Who is to be the referee, and must accept: somebody on the server who commands no side",
        campaign="Which campaign, if there are several",
    )
    @app_commands.autocomplete(campaign=campaigns_here)
    @answers
    async def name_referee(self, interaction: Interaction, to: discord.User, campaign: str | None = None) -> None:
        """Name another referee."""
        if to.bot:
            raise Sorry("A bot cannot be the referee.", code="bot-seat")
        found = await campaign_to_join(interaction, campaign)
        await defer(interaction)  # Discord is asked who is on the server
        asked = await services_of(interaction).seats.seats.name_referee(
            found.id, by=interaction.user.id, to=to.id, interaction_id=interaction.id
        )
        await reply(interaction, offered_message(asked, to, found))

    @app_commands.command(name="start", description="Begin play (referee)")
    @app_commands.describe(campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def start(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Begin play."""
        await defer(interaction)
        found = await campaign_here(interaction, campaign, only_in_play=False)
        await services_of(interaction).seats.founding.start(
            found.id, user_id=interaction.user.id, interaction_id=interaction.id
        )
        await reply(interaction, Message(f"**{found.title}** has begun."))

    @app_commands.command(name="cancel", description="Give up a campaign that has not begun (referee)")
    @app_commands.describe(campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def cancel(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Ask whether a campaign is really to be given up."""
        found = await campaign_here(interaction, campaign, only_in_play=False)
        services = services_of(interaction).seats
        await services.founding.may_be_cancelled(found.id, interaction.user.id)
        await reply(interaction, message_of(cancel_card(found, await services.seats.by_side(found))))

    @app_commands.command(name="status", description="How a campaign stands, as far as everybody may know")
    @app_commands.describe(campaign="Which campaign, if there are several")
    @app_commands.autocomplete(campaign=campaigns_here)
    @answers
    async def status(self, interaction: Interaction, campaign: str | None = None) -> None:
        """How things stand."""
        found = await campaign_to_join(interaction, campaign)
        await reply(interaction, Message(await status_text(services_of(interaction), found)))

    @app_commands.command(
        name="settings",
        description="See the deadlines, the look of maps, who may write and what is tracked, or change them (referee)",
    )
    @app_commands.describe(
        campaign="Which campaign, if you are in several",
        orders="How long orders may take, e.g. 24h",
        decisions="How long a decision within a turn may take, e.g. 12h",
        battles="How long a battle played by hand may take, e.g. 7d",
        battle_end="After how long a battle whose account nobody agrees on ends by rule, e.g. 30d",
        early="Go on once everybody is ready (usual), or only at deadlines, so that waiting tells less",
        at_once="Standing orders answer at once (usual), or take an answer's time, so that nobody notices them",
        theme="How posted maps and battle pictures look, and maps for readers who have chosen nothing else",
        letters="Whether sides may write to each other; whether the referee reads it is settled before play",
        letters_a_day="How many letters a side may send in a day",
        letter_length="How many characters a letter may have",
        tracker="Whether the bot may keep positions and vectors of battles",
        pieces="In how many pieces a turn of a battle is plotted whose tracker begins from now on",
        piece_time="How long a piece of a tracked battle may take, e.g. 12h",
    )
    @app_commands.choices(letters=LETTERS, tracker=TRACKER)
    @app_commands.autocomplete(campaign=own_campaigns, theme=themes)
    @answers
    async def settings(
        self,
        interaction: Interaction,
        *,
        campaign: str | None = None,
        orders: str | None = None,
        decisions: str | None = None,
        battles: str | None = None,
        battle_end: str | None = None,
        early: bool | None = None,
        at_once: bool | None = None,
        theme: app_commands.Range[str, 1, 40] | None = None,
        letters: str | None = None,
        letters_a_day: app_commands.Range[int, 1, MOST_LETTERS] | None = None,
        letter_length: app_commands.Range[int, SHORTEST_LIMIT, LONGEST_LETTER] | None = None,
        tracker: str | None = None,
        pieces: Pieces | None = None,
        piece_time: str | None = None,
    ) -> None:
        """See or change the deadlines, the look of maps, and whether sides may write to each other."""
        found = await campaign_here(interaction, campaign, only_in_play=False)
        times = {"orders": orders, "decisions": decisions, "battles": battles, "piece_time": piece_time}
        times["battle_end"] = battle_end
        tracking: dict[str, Setting | None] = {"tracker": tracker, "tracker_pieces": pieces}
        talk = {"letters": letters, "letters_a_day": letters_a_day, "letter_length": letter_length}
        changes = settings_of(times, early_close=early, orders_at_once=at_once, **talk, **tracking)
        seats = services_of(interaction).seats
        look = await known_theme(drawing_of(interaction), theme, AS_THE_HOST) if theme else found.theme
        maps = f"Maps are drawn with the theme `{look}`." if look else "Maps have the look of the bot's host."
        settings, waits = found.settings, ""
        if changes:
            settings, waits = await seats.seats.change_settings(
                found.id, interaction.user.id, changes, interaction_id=interaction.id
            )
        if theme:
            once = None if changes else interaction.id
            await seats.map_themes.choose_for_all(found.id, interaction.user.id, look, once)
        if not changes:
            await reply(interaction, Message(f"{settings.said()} {settings.letters_said()} {maps}"))
            return
        when = f"It waits for the consent of {waits}; then, from" if waits else "From"
        await reply(
            interaction, Message(f"{when} the next deadline on. {settings.said()} {settings.letters_said()} {maps}")
        )
