"""Buttons below bulletins, and pages of what was told. Ids are ``b|<token>|<verb>|<argument>``; all of it may be
forged, and every right is checked again."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.cards.told import bulletin_ids, told_file, told_page, why_text
from bot.delivery.compose import message_of
from bot.delivery.exit import reply, update_message
from bot.delivery.prepared import TEXT_LIMIT, Attachment, Message
from bot.errors import Sorry
from bot.interactions.showing import Interaction, forged, is_callers_own
from bot.queries.bulletins import BulletinQueries
from bot.records.components import Card
from rules_engine.core.knowledge.reports import Report

MOST_PLACES = 100_000
"""More than anybody was ever told."""


class BulletinPresses:
    """Bulletins' buttons. Answers are for the eyes of whoever pressed alone."""

    def __init__(self, bulletins: BulletinQueries) -> None:
        self._bulletins = bulletins

    async def pressed(
        self, interaction: Interaction, token: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button of a bulletin."""
        behind = await self._bulletins.behind(token, interaction.user.id)
        match verb:
            case "log":
                await show_page(interaction, told_page(behind.reports, number_in(argument), bulletin_ids(token)))
            case "why":
                await show_why(interaction, behind.reports, number_in(argument))
            case "fact":
                await reply(interaction, why_message(behind.why(number_in(argument))))
            case "file":
                await reply(interaction, file_message(behind.reports))
            case _:
                raise forged()

    async def submitted(self, interaction: Interaction, token: str, what: str, data: Mapping[str, Any]) -> None:
        """Bulletins have no forms.

        Raises:
            Sorry: always.
        """
        raise forged()


async def show_page(interaction: Interaction, card: Card) -> None:
    """A page of what was told: in the message that was turned if it is the caller's own, else to the caller alone."""
    message = message_of(card)
    await (update_message if is_callers_own(interaction) else reply)(interaction, message)


async def show_why(interaction: Interaction, reports: Sequence[Report], place: int) -> None:
    """All of one report, beside the page that it stands on."""
    if place >= len(reports):
        raise forged()
    await reply(interaction, why_message(reports[place : place + 1]))


def why_message(reports: Sequence[Report]) -> Message:
    """Some reports with what went into them; what is too long for a message goes along as a file.

    Raises:
        Sorry: when there are none.
    """
    if not reports:
        raise Sorry("Nothing that was told says more of it; the log has all that was told.", code="no-why")
    text = why_text(reports)
    return Message(text) if len(text) <= TEXT_LIMIT else file_message(reports)


def file_message(reports: Sequence[Report]) -> Message:
    """All reports with all that went into them, as a file."""
    file = Attachment("log.txt", told_file(reports).encode())
    return Message("All of it, with the reasons, is in `log.txt`.", files=(file,))


def number_in(argument: str) -> int:
    """The number in an id.

    Raises:
        Sorry: when it is none that was offered.
    """
    if not (argument.isascii() and argument.isdigit() and len(argument) < 7 and int(argument) <= MOST_PLACES):
        raise forged()
    return int(argument)
