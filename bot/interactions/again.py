"""A command that could be meant for several campaigns: a menu asks for which, and the command is then carried out.

The menu's id is ``w|<command>|<options>|``, with the options as they were filled in, as JSON. Nothing is remembered;
what comes back may be forged, so command, options and campaign are checked as if they had just been typed.
"""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import discord
from discord import app_commands

from bot.campaigns.directory import WhichCampaign
from bot.cards.menus import cut
from bot.cards.sheets import MOST_SHEETS
from bot.delivery.compose import message_of
from bot.delivery.prepared import Message
from bot.interactions.door import take_texts
from bot.interactions.showing import Interaction, forged
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.components import Card, MenuSpec, OptionSpec
from rules_engine.core.basics.base import Json

MOST_ID = 100
"""Characters of a component's id."""

CAMPAIGN = "campaign"
"""The option by which commands are told the campaign."""

_KINDS = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.integer: int,
    discord.AppCommandOptionType.boolean: bool,
    discord.AppCommandOptionType.number: float,
}
_STATUS = {
    CampaignStatus.GATHERING: "gathering players",
    CampaignStatus.RUNNING: "under way",
    CampaignStatus.PAUSED: "paused",
    CampaignStatus.HALTED: "halted",
    CampaignStatus.ENDED: "over",
}

AnyCommand = app_commands.Command[Any, ..., Any]


def again_component(path: str, options: Mapping[str, Json]) -> str | None:
    """The id of what gives a command again; None where it does not fit."""
    packed = json.dumps(dict(options), separators=(",", ":"), ensure_ascii=False).replace("|", "\\u007c")
    made = f"w|{path}|{packed if options else ''}|"
    return made if len(made) <= MOST_ID else None


def which_campaign_card(component: str, campaigns: Sequence[CampaignInfo], waiting: frozenset[str]) -> Card:
    """The menu of campaigns; those ``waiting`` for its reader say so."""
    options: list[OptionSpec] = [
        {
            "value": one.id,
            "label": cut(one.title, 100),
            "description": "waits for you" if one.id in waiting else _STATUS[one.status],
            "default": False,
        }
        for one in campaigns[:MOST_SHEETS]
    ]
    menu: MenuSpec = {
        "type": "select",
        "id": component,
        "placeholder": "Which campaign?",
        "options": options,
        "min": 1,
        "max": 1,
    }
    return Card("You are in several campaigns. Which one is meant?", ((menu,),))


async def which_campaign(interaction: Interaction, which: WhichCampaign) -> Message:
    """The question for which campaign a command is meant, those that wait first; in words where no menu can ask it."""
    said = _said(interaction.data or {})
    component = None if said is None else again_component(*said)
    if component is None:
        return Message(which.text)
    services = interaction.client.services
    user_id = interaction.user.id
    ordered = await services.queries.waiting.first_waiting(user_id, which.campaigns)
    waiting = {one.campaign.id for one in await services.queries.waiting.sheets(user_id, ordered) if one.waits}
    card = which_campaign_card(component, ordered, frozenset(waiting))
    return message_of(card)


def _said(data: Mapping[str, Any]) -> tuple[str, dict[str, Json]] | None:
    """The command that was given and its options; None for what cannot be given again."""
    if not isinstance(data.get("name"), str):
        return None
    path: list[str] = [data["name"]]
    options: list[dict[str, Any]] = data.get("options") or []
    while options and options[0]["type"] in {1, 2}:
        path.append(options[0]["name"])
        options = options[0].get("options") or []
    kinds = {kind.value for kind in _KINDS}
    if any(one["type"] not in kinds for one in options):
        return None
    return " ".join(path), {one["name"]: one["value"] for one in options if one["name"] != CAMPAIGN}


class GivenAgain:
    """Commands that are given by a component."""

    async def pressed(
        self, interaction: Interaction, path: str, packed: str, argument: str, values: Sequence[str]
    ) -> None:
        """A campaign was chosen, or a button says it all."""
        if argument or len(values) > 1:
            raise forged()
        command = _command(interaction.client.tree, path)
        try:
            options = cast(Json, json.loads(packed)) if packed else {}
        except ValueError:
            raise forged() from None
        if not isinstance(options, dict):
            raise forged()
        take_texts(options)  # escapes were read just now
        given = {**options, **({CAMPAIGN: values[0]} if values else {})}
        filled = dict(_filled(command, given))
        # Guarded already: the command's own guard would wait for the turn that this press has.
        callback = inspect.unwrap(command.callback)
        group = () if command.binding is None else (command.binding,)
        await callback(*group, interaction, **filled)

    async def submitted(self, interaction: Interaction, path: str, what: str, data: Mapping[str, Any]) -> None:
        """No form belongs to these."""
        raise forged()


def _command(tree: app_commands.CommandTree[Any], path: str) -> AnyCommand:
    name, *below = path.split(" ")
    found: Any = tree.get_command(name)
    for part in below:
        found = found.get_command(part) if isinstance(found, app_commands.Group) else None
    if not isinstance(found, app_commands.Command):
        raise forged()
    return cast(AnyCommand, found)


def _filled(command: AnyCommand, given: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The command's arguments, each as its option allows it."""
    by_name = {one.display_name: one for one in command.parameters}
    if set(given) - set(by_name) or any(one.required and name not in given for name, one in by_name.items()):
        raise forged()
    for name, value in given.items():
        option = by_name[name]
        kind = _KINDS.get(option.type)
        if kind is None or type(value) is not kind:
            raise forged()
        size = len(value) if isinstance(value, str) else value
        low, high = option.min_value, option.max_value
        if (low is not None and size < low) or (high is not None and size > high):
            raise forged()
        if option.choices and value not in {choice.value for choice in option.choices}:
            raise forged()
        yield option.name, value
