"""Buttons and forms that belong to a campaign rather than to one sheet: the list of sheets, the log, a rewind.

Ids are ``c|<campaign>|<verb>|<argument>`` for components and ``n|<campaign>|<verb>.<argument>|<nonce>`` for forms;
all of it may be forged, and every right is checked again.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bot.cards.briefing import rules_text
from bot.delivery.exit import defer, open_modal, reply, update_message
from bot.delivery.prepared import Message
from bot.errors import Sorry
from bot.interactions.battles.tracker_presses import press_tracker
from bot.interactions.bulletin_presses import file_message, number_in, show_page, show_why
from bot.interactions.campaign_cards import log_card, moved_text
from bot.interactions.desk.presses import DeskPresses
from bot.interactions.forces_presses import show_dossier, show_force, turn_forces
from bot.interactions.joining.presses import JoinPresses
from bot.interactions.modals import TEXT_FIELD, submitted_values, text_modal
from bot.interactions.overviews.economy_presses import turn_economy
from bot.interactions.showing import Interaction, forged, is_callers_own, show
from bot.services import Services

MOST_REASON = 500
"""Characters of a reason for going back."""


class CampaignPresses:
    """Campaigns' components and forms."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._desk = DeskPresses(services)
        self._join = JoinPresses(services)

    async def pressed(
        self, interaction: Interaction, campaign_id: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu of a campaign."""
        user_id = interaction.user.id
        match verb:
            case "open" if len(values) == 1:
                await show(interaction, await self._services.orders.prompts.prompt(values[0], user_id))
            case "log" | "why" | "file":
                await self._told(interaction, campaign_id, verb, argument)
            case "desk":
                await self._desk.pressed(interaction, campaign_id, argument, values)
            case "join" | "seat" if not argument:
                await self._join.pressed(interaction, campaign_id, verb, values)
            case "cancel" if not values:
                await self._join.cancel(interaction, campaign_id, argument)
            case "brief":
                await self._brief(interaction, campaign_id, argument)
            case "forces" | "force" | "dossier" | "economy":
                await self._known(interaction, campaign_id, verb, argument, values)
            case "rewind":
                to, undone = _two_counts(argument)
                await self._services.referee.rewinding.plan(campaign_id, user_id, to)
                modal = text_modal(
                    f"n|{campaign_id}|rewind.{to}.{undone}|{secrets.token_hex(4)}",
                    title=f"Go back to entry {to}",
                    label="Why?",
                    help_text="Everybody reads this, and it stands in the journal.",
                    most=MOST_REASON,
                )
                await open_modal(interaction, modal)
            case "resolve":
                own = is_callers_own(interaction)
                await defer(interaction, update=own)
                chosen = values[0] if len(values) == 1 else argument
                went_on = await self._services.referee.clock.close_early(campaign_id, user_id, chosen)
                text = (
                    "Done; play has gone on."
                    if went_on
                    else "Play could not go on: a battle still needs an agreed account, or your ruling "
                    "(`/referee disputes`)."
                )
                await (update_message if own else reply)(interaction, Message(text))
            case "edit":
                own = is_callers_own(interaction)
                await defer(interaction, update=own)
                made = self._services.referee.corrections.make
                text = await made(campaign_id, user_id, argument, interaction_id=interaction.id)
                await (update_message if own else reply)(interaction, Message(text))
            case "give-back":
                own = is_callers_own(interaction)
                since = _count(argument, digits=11)
                until = int(interaction.client.watch.silence.lasted_until(since).timestamp())
                falls_at = await self._services.referee.clock.give_back(
                    campaign_id, user_id, since=since, until=until, interaction_id=interaction.id
                )
                text = moved_text(falls_at)
                await (update_message if own else reply)(interaction, Message(text))
            case "tracker":
                await press_tracker(interaction, campaign_id, argument)
            case "consent" | "object" | "withdraw":
                await self._decide(interaction, campaign_id, verb, argument)
            case _:
                raise forged()

    async def _decide(self, interaction: Interaction, campaign_id: str, verb: str, token: str) -> None:
        """A button of a change that waits: consent to it, refuse it, or take it back."""
        own, user_id, once = is_callers_own(interaction), interaction.user.id, interaction.id
        seats = self._services.seats.seats
        match verb:
            case "consent":
                text = await seats.agree(campaign_id, token, user_id=user_id, interaction_id=once)
            case "object":
                text = await seats.object(campaign_id, token, user_id=user_id, interaction_id=once)
            case _:
                text = await seats.take_back(campaign_id, by=user_id, token=token, interaction_id=once)
        await (update_message if own else reply)(interaction, Message(text))

    async def _known(
        self, interaction: Interaction, campaign_id: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu of what shows what a side has, or knows of others."""
        queries, user_id = self._services.queries, interaction.user.id
        if verb == "dossier":
            await show_dossier(interaction, campaign_id, argument, values)
            return
        if verb == "economy":
            await turn_economy(interaction, await queries.economy.of_side(campaign_id, user_id), argument)
            return
        view = await queries.views.of_side(campaign_id, user_id)
        if verb == "forces":
            await turn_forces(interaction, campaign_id, view, argument)
        else:
            await show_force(interaction, view, values)

    async def _brief(self, interaction: Interaction, campaign_id: str, what: str) -> None:
        """A button of a briefing, beside which the answer stands."""
        if what not in {"rules", "whole"}:
            raise forged()
        briefed = await self._services.queries.views.briefing(campaign_id, interaction.user.id)
        await reply(interaction, Message(rules_text(briefed.briefing) if what == "rules" else briefed.text))

    async def _told(self, interaction: Interaction, campaign_id: str, verb: str, argument: str) -> None:
        """A button of the log."""
        log, user_id = self._services.queries.told_again, interaction.user.id
        match verb:
            case "log":
                page = await log.page(campaign_id, user_id, number_in(argument))
                await show_page(interaction, log_card(campaign_id, page))
            case "why":
                await show_why(interaction, await log.one(campaign_id, user_id, number_in(argument)), 0)
            case _:
                await reply(interaction, file_message(await log.all(campaign_id, user_id)))

    async def submitted(self, interaction: Interaction, campaign_id: str, what: str, data: Mapping[str, Any]) -> None:
        """A form that was sent back."""
        verb, _, argument = what.partition(".")
        reason = submitted_values(data).get(TEXT_FIELD)
        if verb not in {"rewind", "rule"} or not isinstance(reason, str):
            raise forged()
        if verb == "rule":
            await self._desk.ruled(interaction, campaign_id, argument, reason)
            return
        to, undone = _two_counts(argument)
        if len(reason) > MOST_REASON:
            raise Sorry(f"A reason has at most {MOST_REASON} characters; this has {len(reason):,}.", code="too-long")
        own = is_callers_own(interaction)
        await defer(interaction, update=own)
        await self._services.referee.rewinding.rewind(
            campaign_id, interaction.user.id, to, reason.strip(), undoes=undone, interaction_id=interaction.id
        )
        done = Message(f"Play stands just after entry {to} again.")
        await (update_message if own else reply)(interaction, done)


def _two_counts(argument: str) -> tuple[int, int]:
    first, _, second = argument.partition(".")
    return _count(first), _count(second)


def _count(text: str, *, digits: int = 7) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= digits):
        raise forged()
    return int(text)
