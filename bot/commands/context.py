"""The context of a command: who gave it where, the services, the campaign that is meant, and completions."""

import functools
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Concatenate, ParamSpec, Protocol, cast

import discord
import structlog
from discord import app_commands

from bot.delivery.drawing import Drawing
from bot.delivery.exit import complete
from bot.interactions.guard import UNREACHED
from bot.interactions.showing import Interaction
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.services import Services

log = structlog.get_logger()

P = ParamSpec("P")

EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
GUILD_INSTALL = app_commands.AppInstallationType(guild=True, user=False)

UsualAnswer = tuple[str, str | int]
"""A completion: what is shown, and what is sent."""

Completion = Callable[..., Coroutine[Any, Any, list[app_commands.Choice[str]]]]


def command(
    *, name: str, description: str
) -> Callable[[Callable[Concatenate[Interaction, P], Coroutine[Any, Any, None]]], app_commands.Command[Any, P, None]]:
    """A command outside any group. ``app_commands.command`` would leave the type of such a command's group unknown."""
    return app_commands.command(name=name, description=description)


class HasServices(Protocol):
    """The bot, as commands know it."""

    @property
    def services(self) -> Services:
        """What is behind the commands."""
        ...

    @property
    def drawing(self) -> Drawing:
        """How it draws."""
        ...


def services_of(interaction: Interaction) -> Services:
    """The services of the bot that was spoken to."""
    return cast(HasServices, interaction.client).services


def drawing_of(interaction: Interaction) -> Drawing:
    """How the bot that was spoken to draws."""
    return cast(HasServices, interaction.client).drawing


def channels_of(interaction: Interaction) -> list[int]:
    """The channel of an interaction, and the channel that it is a thread of."""
    parent = getattr(interaction.channel, "parent_id", None)
    return [one for one in (interaction.channel_id, parent) if one is not None]


async def campaign_here(
    interaction: Interaction, wanted: str | None = None, *, only_in_play: bool = True
) -> CampaignInfo:
    """The campaign that is meant: the named one, the channel's own, or the caller's only one; in direct messages also
    the only one in play (``only_in_play``) in which they have a seat, or which they referee if a referee is asked.

    Raises:
        WhichCampaign: when there are several.
        Sorry: when there is none.
    """
    command = interaction.command
    group = command.root_parent if isinstance(command, app_commands.Command) else None
    return await services_of(interaction).campaigns.find(
        interaction.user.id,
        guild_id=interaction.guild_id,
        channels=channels_of(interaction),
        wanted=wanted or None,
        seats=not only_in_play,
        referees=group is not None and group.name == "referee",
    )


Looking = Callable[[Interaction, str], Awaitable[Iterable[UsualAnswer]]]


def offers(function: Looking) -> Completion:
    """A completion of those offers that have in them what is typed. Whatever goes wrong, nothing is offered: what
    cannot be looked up is not for this caller."""
    return _completion(function, _having)


def offers_found(function: Looking) -> Completion:
    """A completion whose function has looked for what is typed by itself."""
    return _completion(function, lambda found, _: found)


def _having(found: list[UsualAnswer], typed: str) -> list[UsualAnswer]:
    wanted = typed.casefold()
    return [offer for offer in found if wanted in offer[0].casefold() or wanted in str(offer[1]).casefold()]


def _completion(function: Looking, fitting: Callable[[list[UsualAnswer], str], list[UsualAnswer]]) -> Completion:
    @functools.wraps(function)
    async def wrapper(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        async with interaction.client.turns.typing(interaction.user.id) as is_latest:
            return await completed(interaction, current) if is_latest else []

    async def completed(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            found = list(await function(interaction, current))
        except Exception as error:
            ids = {"interaction": interaction.id, "user": interaction.user.id}
            log.info("nothing offered", error=type(error).__name__, **ids)
            found = []
        try:
            await complete(interaction, fitting(found, current))
        except (discord.HTTPException, *UNREACHED) as error:
            log.info("completion not taken", error=type(error).__name__, interaction=interaction.id)
        return []

    return wrapper


@offers
async def own_campaigns(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The caller's campaigns, those of this server if the call comes from one."""
    mine = await services_of(interaction).campaigns.of_user(interaction.user.id)
    return [(one.title, one.id) for one in mine if interaction.guild_id in (None, one.guild_id)]


@offers
async def campaigns_here(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The campaigns of this server that are not over; in direct messages the caller's own."""
    campaigns = services_of(interaction).campaigns
    if interaction.guild_id is None:
        known = await campaigns.of_user(interaction.user.id)
    else:
        known = await campaigns.in_server(interaction.guild_id)
    return [(one.title, one.id) for one in known if one.status is not CampaignStatus.ENDED]


def chosen(interaction: Interaction, option: str) -> Any:
    """What the caller has filled in so far, while completing another option."""
    return getattr(interaction.namespace, option, None)
