"""What somebody wrote, given back to them alone when it was not taken: nothing that was typed is lost with its form."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import discord

from bot.cards.prompts.standing import quoted
from bot.delivery.prepared import Attachment, Message
from bot.interactions.modals import TEXT_FIELD, submitted_values
from bot.interactions.showing import Interaction
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.plain_text import without_unfit

MOST_SHOWN = 1_200
"""Characters that are given back in the message itself; a longer text goes along as a file."""
WORTH_GIVING_BACK = 60
"""Characters of a command's option that nobody types twice."""
FILE_NAME = "what-you-wrote.txt"
YOU_WROTE = "You wrote:"

WRITTEN = "written"
"""Under which name a command leaves what it read from a file with its interaction."""

_FIND = "|find|"
_STRING_OPTION = 3


def with_what_was_written(interaction: Interaction, text: str) -> Message:
    """A text for the caller, with what they wrote below it or, if that is long, in a file."""
    back = written_in(interaction)
    if not back or quoted(back, len(back)) in text:
        return Message(text)
    return _below(text, back)


def what_was_written(interaction: Interaction) -> Message | None:
    """The same by itself; None where the caller wrote nothing."""
    back = written_in(interaction)
    return _below("", back) if back else None


def as_file(text: str) -> Message:
    """A text that is too long for a message, as a file."""
    return Message(f"All that you wrote is in `{FILE_NAME}`.", files=(Attachment(FILE_NAME, text.encode()),))


def _below(text: str, back: str) -> Message:
    shown = quoted(back, MOST_SHOWN)
    if len(back) <= MOST_SHOWN and len(text) + len(shown) < MOST_SHOWN + 600:
        return Message("\n".join(filter(None, (text, YOU_WROTE, shown))))
    told = as_file(back)
    return Message("\n".join(filter(None, (text, told.text))), files=told.files)


def written_in(interaction: Interaction) -> str:
    """What the caller wrote in this interaction, without what no text may hold; empty where it is not worth a word."""
    data: Mapping[str, Any] = interaction.data or {}
    texts: list[str] = []
    if interaction.type is discord.InteractionType.modal_submit:
        if _FIND not in str(data.get("custom_id")):
            texts = [*_form_texts(data)]
    elif isinstance(read := interaction.extras.get(WRITTEN), str):
        texts = [read]
    elif interaction.type is discord.InteractionType.application_command:
        texts = [one for one in _options(data) if len(one) >= WORTH_GIVING_BACK]
    return without_unfit("\n".join(texts)).strip()


def _form_texts(data: Mapping[str, Any]) -> Iterator[str]:
    """What a form held, field by field."""
    values = submitted_values(data)
    for name in sorted(values, key=lambda name: (name != TEXT_FIELD, name)):
        value = values[name]
        if isinstance(value, list):
            chosen = cast("list[Json]", value)
            yield from [", ".join(map(str, chosen))] if chosen else []
        elif isinstance(value, str) and value.strip():
            yield value


def _options(data: Mapping[str, Any]) -> Iterator[str]:
    """The texts among a command's options."""
    left: list[Any] = [data]
    while left:
        match left.pop():
            case {"type": kind, "value": str(value)} if kind == _STRING_OPTION:
                yield value
            case {"options": [*options]}:
                left += options[::-1]
            case _:
                continue
