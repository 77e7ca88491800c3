"""Buttons and forms that belong to a campaign rather than to one sheet: the list of sheets, the log, a rewind.

Ids are ``c|<campaign>|<verb>|<argument>`` for components and ``n|<campaign>|<verb>.<argument>|<nonce>`` for forms;
all of it may be forged, and every right is checked again.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bot.cards.cards import Card, Component
from bot.delivery.compose import view_of
from bot.delivery.exit import defer, open_modal, reply, update_message
from bot.delivery.prepared import Message
from bot.interactions.guard import Interaction
from bot.interactions.modals import TEXT_FIELD, submitted_values, text_modal
from bot.interactions.prompt_presses import forged, is_callers_own, show
from bot.orders.open_prompt import Prompt
from bot.referee.chair import ResolvePlan, RewindPlan
from bot.services import Desk

MOST_SHEETS = 25


def campaign_component(campaign_id: str, verb: str, argument: object = "") -> str:
    """The id of a campaign's component."""
    return f"c|{campaign_id}|{verb}|{argument}"


def sheets_card(prompts: Sequence[Prompt]) -> Card:
    """A list of open sheets to choose from."""
    lines = [f"**{prompts[0].campaign.title}**: {len(prompts)} sheets are open."]
    options: list[dict[str, Any]] = []
    for prompt in prompts[:MOST_SHEETS]:
        state = prompt.state
        done = "ready" if state.ready else "saved" if state.answer is not None else "nothing saved yet"
        lines.append(f"• **{prompt.ask.title}**: {done}")
        options.append({"value": prompt.token, "label": prompt.ask.title[:100], "description": done, "default": False})
    menu: Component = {
        "type": "select",
        "id": campaign_component(prompts[0].campaign.id, "open"),
        "placeholder": "Open …",
        "options": options,
        "min": 1,
        "max": 1,
    }
    return Card("\n".join(lines), ((menu,),))


def log_card(campaign_id: str, pages: Sequence[str], page: int) -> Card:
    """One page of the log book, the newest being the last, with buttons to turn it."""
    if not pages:
        return Card("Your side has been told nothing yet.")
    page = max(0, min(page, len(pages) - 1))

    def turn(label: str, to: int) -> Component:
        return {
            "type": "button",
            "id": campaign_component(campaign_id, "log", to),
            "label": label,
            "style": "secondary",
            "disabled": not 0 <= to < len(pages),
        }

    foot = f"\n-# page {page + 1} of {len(pages)}"
    rows = ((turn("Older", page - 1), turn("Newer", page + 1)),) if len(pages) > 1 else ()
    return Card(pages[page] + foot, rows)


def rewind_card(campaign_id: str, plan: RewindPlan, names: Mapping[str, str]) -> Card:
    """What a rewind would undo, and a button that confirms it."""
    told = [f"• {names.get(who, who)}: {count} report(s)" for who, count in sorted(plan.told.items())]
    when = f" ({plan.when})" if plan.when else ""
    lines = [
        f"Going back to just after entry {plan.to}{when} undoes {plan.undone} entries of the journal.",
        "What people have been told since then, and cannot unsee:",
        *(told or ["• nothing"]),
        *(f"-# public: {headline}" for headline in plan.headlines),
        "The cut-off branch stays in the journal, marked; fresh dice fall from there.",
    ]
    confirm: Component = {
        "type": "button",
        "id": campaign_component(campaign_id, "rewind", f"{plan.to}.{plan.undone}"),
        "label": f"Go back to entry {plan.to} …",
        "style": "danger",
        "disabled": False,
    }
    return Card("\n".join(lines)[:1_900], ((confirm,),))


def resolve_card(campaign_id: str, plan: ResolvePlan) -> Card:
    """What closing now would cut short, and a button that does it."""
    late = [f"• {name}: {', '.join(titles)}" for name, titles in plan.waiting] or ["• nobody: everybody is ready"]
    lines = [
        "Closing now ends what is open as if its deadline had fallen. Not ready yet:",
        *late,
        "What they saved counts; where they saved nothing the stated default is taken. Everybody is told of it.",
    ]
    confirm: Component = {
        "type": "button",
        "id": campaign_component(campaign_id, "resolve", plan.opened_seq),
        "label": "Close now",
        "style": "danger",
        "disabled": False,
    }
    return Card("\n".join(lines)[:1_900], ((confirm,),))


class CampaignPresses:
    """Campaigns' components and forms."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def pressed(
        self, interaction: Interaction, campaign_id: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu of a campaign."""
        user_id = interaction.user.id
        match verb:
            case "open" if len(values) == 1:
                await show(interaction, await self._desk.play.prompt(values[0], user_id))
            case "log":
                pages = await self._desk.logbook.told(campaign_id, user_id)
                card = log_card(campaign_id, pages, _count(argument))
                message = Message(card.content, view=view_of(card.as_json()))
                await (update_message if is_callers_own(interaction) else reply)(interaction, message)
            case "rewind":
                to, undone = _two_counts(argument)
                await self._desk.chair.rewind_plan(campaign_id, user_id, to)
                modal = text_modal(
                    f"n|{campaign_id}|rewind.{to}.{undone}|{secrets.token_hex(4)}",
                    title=f"Go back to entry {to}",
                    label="Why?",
                    help_text="Everybody reads this, and it stands in the journal.",
                )
                await open_modal(interaction, modal)
            case "resolve":
                own = is_callers_own(interaction)
                await defer(interaction, update=own)
                went_on = await self._desk.chair.resolve(campaign_id, user_id, opened_seq=_count(argument))
                text = (
                    "Done; play has gone on."
                    if went_on
                    else "Play could not go on: a battle still needs an agreed account, or your ruling "
                    "(`/referee disputes`)."
                )
                await (update_message if own else reply)(interaction, Message(text))
            case _:
                raise forged()

    async def submitted(self, interaction: Interaction, campaign_id: str, what: str, data: Mapping[str, Any]) -> None:
        """A form that was sent back."""
        verb, _, argument = what.partition(".")
        reason = submitted_values(data).get(TEXT_FIELD)
        if verb != "rewind" or not isinstance(reason, str):
            raise forged()
        to, undone = _two_counts(argument)
        own = is_callers_own(interaction)
        await defer(interaction, update=own)
        await self._desk.chair.rewind(
            campaign_id, interaction.user.id, to, reason.strip()[:500], undoes=undone, interaction_id=interaction.id
        )
        done = Message(f"Play stands just after entry {to} again.")
        await (update_message if own else reply)(interaction, done)


def _two_counts(argument: str) -> tuple[int, int]:
    first, _, second = argument.partition(".")
    return _count(first), _count(second)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise forged()
    return int(text)
