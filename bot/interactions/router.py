"""From an id to what it stands for. Nothing is remembered between a message and its press, so restarts do not matter.

Ids have four parts: ``p|token|verb|argument`` and ``m|token|part|nonce`` for prompts, ``c|campaign|verb|argument`` and
``n|campaign|verb.argument|nonce`` for campaigns, ``t|message|verb|argument`` and ``u|message|part|nonce`` for what was
made of somebody's plain message, ``w|command|options|`` for a command that is given again, ``b|token|verb|argument``
for bulletins, ``l|key|verb|argument`` and ``k|key|what|nonce`` for letters between sides.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeGuard

import discord
import structlog

from bot.errors import Sorry
from bot.interactions.door import take_texts
from bot.interactions.showing import Interaction
from rules_engine.core.basics.base import Json

log = structlog.get_logger()

PARTS = 4
_FORMS = {"m": "p", "n": "c", "u": "t", "k": "l"}
"""The letters with which forms begin, with those of the components that open them."""


class Pressable(Protocol):
    """Somebody who answers the components and forms of one kind of id."""

    async def pressed(self, interaction: Interaction, key: str, verb: str, argument: str, values: list[str], /) -> None:
        """A button was pressed or something was chosen."""
        ...

    async def submitted(self, interaction: Interaction, key: str, what: str, data: Mapping[str, Any], /) -> None:
        """A form was sent back."""
        ...


class Router:
    """Hands presses and forms to whom they belong."""

    def __init__(self, pressed: Mapping[str, Pressable]) -> None:
        """``pressed`` are those whose components begin with these letters; forms go to whom they belong."""
        self._pressed = pressed
        self._submitted = {form: pressed[component] for form, component in _FORMS.items()}

    async def route(self, interaction: Interaction) -> None:
        """Answer one press or form.

        Raises:
            Sorry: when the id is none of ours, or a text holds what no text may hold.
        """
        data: Mapping[str, Any] = interaction.data or {}
        take_texts(data)
        custom_id = data.get("custom_id")
        parts = custom_id.split("|") if isinstance(custom_id, str) else []
        kind = interaction.type
        if len(parts) == PARTS and kind is discord.InteractionType.component and parts[0] in self._pressed:
            values = data.get("values", [])
            if _all_text(values):
                await self._pressed[parts[0]].pressed(interaction, parts[1], parts[2], parts[3], values)
                return
        if len(parts) == PARTS and kind is discord.InteractionType.modal_submit and parts[0] in self._submitted:
            await self._submitted[parts[0]].submitted(interaction, parts[1], parts[2], data)
            return
        log.warning("unknown component", interaction=interaction.id, user=interaction.user.id)
        raise Sorry("This is not something I offered. `/help` tells what you can do here.", code="unknown-component")


def _all_text(values: Json | list[str]) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(one, str) for one in values)
