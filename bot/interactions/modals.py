"""Forms as modals, and what a submitted modal holds. Nothing is kept in memory: a submission is understood by its id.

discord.py remembers every modal that it sends, by id, until it is stopped; two people with the same modal open would
then get each other's. Ids made here are used once, and modals are stopped before they are sent.
"""

import secrets
from collections.abc import Mapping
from typing import Any

import discord

from bot.cards.menus import MODAL_FIELDS, parts_of
from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Field
from rules_engine.core.forms.forms import Line as FormLine

MOST_TITLE = 45
MOST_LABEL = 45
MOST_HELP = 100
MOST_OPTION = 100
MOST_INPUT_PLACEHOLDER = 100
MOST_INPUT = 4_000
MOST_SEARCH = 60
MOST_CHOICES = 25
LONG_TEXT = 100
"""A text field that may be longer than this gets a box of several lines."""

TEXT_FIELD = "text"
"""The id of the one field of a modal for typed orders."""


def clip(text: str, most: int) -> str:
    """``text`` within ``most`` characters, with an ellipsis where something was cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


# --- modals -----------------------------------------------------------------------------------------------------------


def modal_id(token: str, what: str) -> str:
    """A modal's id: whose prompt, which part of it, and a nonce that makes every opening its own."""
    return f"m|{token}|{what}|{secrets.token_hex(4)}"


def fields_of_part(line: FormLine, part: int) -> tuple[Field, ...]:
    """The fields that the ``part``-th modal of a line asks for."""
    parts = parts_of(line)
    return parts[part] if part < len(parts) else ()


def line_modal(token: str, index: int, part: int, line: FormLine, filled: Mapping[str, Json]) -> discord.ui.Modal:
    """A modal for (a part of) one line of a sheet, filled in with what the draft holds."""
    modal = _Modal(title=line.label, custom_id=modal_id(token, f"{index}.{part}"))
    for number, field in enumerate(fields_of_part(line, part)):
        modal.ask(field.label, _help(field), _control(f"f{number}", field, filled.get(field.key)))
    modal.stop()
    return modal


def fields_modal(custom_id: str, line: FormLine) -> discord.ui.Modal:
    """A modal that asks all fields of a line, which are as many as fit, filled in with their values."""
    modal = _Modal(title=line.label, custom_id=custom_id)
    for number, field in enumerate(line.fields[:MODAL_FIELDS]):
        modal.ask(field.label, _help(field), _control(f"f{number}", field, field.value))
    modal.stop()
    return modal


def text_modal(
    custom_id: str,
    *,
    title: str,
    label: str,
    text: str = "",
    help_text: str = "",
    example: str = "",
    most: int = MOST_INPUT,
    may_be_empty: bool = False,
) -> discord.ui.Modal:
    """A modal with one large box for ``most`` characters; ``example`` shows in it while it is empty. Clients send it
    empty only if it ``may_be_empty``."""
    modal = _Modal(title=title, custom_id=custom_id)
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=TEXT_FIELD,
        style=discord.TextStyle.paragraph,
        placeholder=clip(example, MOST_INPUT_PLACEHOLDER) or None,
        default=text or None,
        required=not may_be_empty,
        max_length=most,
    )
    modal.ask(label, help_text, box)
    modal.stop()
    return modal


def find_modal(custom_id: str, *, title: str) -> discord.ui.Modal:
    """A modal that asks what to look for."""
    modal = _Modal(title=title, custom_id=custom_id)
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=TEXT_FIELD, style=discord.TextStyle.short, required=True, max_length=MOST_SEARCH
    )
    modal.ask("Find a line", "A part of its name, or a hex; several words narrow it down.", box)
    modal.stop()
    return modal


class _Modal(discord.ui.Modal):
    """A modal that keeps Discord's limits by itself."""

    def __init__(self, *, title: str, custom_id: str) -> None:
        super().__init__(title=clip(title, MOST_TITLE) or "…", custom_id=custom_id, timeout=None)

    def ask(self, label: str, help_text: str, control: discord.ui.Item[Any]) -> None:
        """Add one question."""
        self.add_item(
            discord.ui.Label(
                text=clip(label, MOST_LABEL) or "…", description=clip(help_text, MOST_HELP) or None, component=control
            )
        )


def asked_by_menu(field: Field) -> bool:
    """Whether a field's choices fit a menu; otherwise the answer is typed."""
    return 0 < len(field.choices) <= MOST_CHOICES and all(0 < len(one.value) <= MOST_OPTION for one in field.choices)


def _help(field: Field) -> str:
    if field.kind == "number" and not field.help:
        return _span(field)
    if field.kind in {"one", "many"} and not asked_by_menu(field) and not field.help:
        return "Type one of the choices." if field.kind == "one" else "Type the choices, with commas between them."
    return field.help


def _span(field: Field) -> str:
    match field.least, field.most:
        case None, None:
            return "a whole number"
        case None, most:
            return f"a whole number, at most {most}"
        case least, None:
            return f"a whole number, at least {least}"
        case least, most:
            return f"a whole number from {least} to {most}"


def _control(custom_id: str, field: Field, value: Json) -> discord.ui.Item[Any]:
    match field.kind:
        case "one" | "many" if asked_by_menu(field):
            return _menu(custom_id, field, value)
        case "one" | "many":
            return _typed_choice(custom_id, field, value)
        case "number":
            return discord.ui.TextInput(
                custom_id=custom_id,
                style=discord.TextStyle.short,
                placeholder=_span(field),
                default=None if value is None else str(value),
                required=not field.optional,
                max_length=12,
            )
        case "flag" if not field.optional:
            return discord.ui.Checkbox(custom_id=custom_id, default=value is True)
        case "flag":
            options = [_option("yes", "Yes", "", value is True), _option("no", "No", "", value is False)]
            return discord.ui.Select(custom_id=custom_id, options=options, min_values=0, max_values=1, required=False)
        case "text":
            most = min(field.most or MOST_INPUT, MOST_INPUT)
            return discord.ui.TextInput(
                custom_id=custom_id,
                style=discord.TextStyle.paragraph if most > LONG_TEXT else discord.TextStyle.short,
                default=None if value is None else str(value)[:most],
                required=not field.optional,
                max_length=most,
            )
    raise AssertionError(field.kind)


def _menu(custom_id: str, field: Field, value: Json) -> discord.ui.Select[Any]:
    chosen = set(map(str, value)) if isinstance(value, list) else {str(value)}
    many = field.kind == "many"
    may_be_empty = many or field.optional
    return discord.ui.Select(
        custom_id=custom_id,
        options=[_option(one.value, one.label, one.hint, one.value in chosen) for one in field.choices],
        min_values=0 if may_be_empty else 1,
        max_values=len(field.choices) if many else 1,
        required=not may_be_empty,
    )


def _option(value: str, label: str, hint: str, default: bool) -> discord.SelectOption:
    return discord.SelectOption(
        label=clip(label, MOST_OPTION) or "…",
        value=value,
        description=clip(hint, MOST_OPTION) or None,
        default=default,
    )


def _typed_choice(custom_id: str, field: Field, value: Json) -> discord.ui.TextInput[Any]:
    current = ", ".join(map(str, value)) if isinstance(value, list) else ("" if value is None else str(value))
    return discord.ui.TextInput(
        custom_id=custom_id,
        style=discord.TextStyle.paragraph if field.kind == "many" else discord.TextStyle.short,
        placeholder=clip(", ".join(one.value for one in field.choices), MOST_INPUT_PLACEHOLDER) or None,
        default=current[:MOST_INPUT] or None,
        required=field.kind == "one" and not field.optional,
        max_length=MOST_INPUT,
    )


def submitted_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a submitted modal holds, by field id: a string, a boolean, or a list of chosen values."""
    found: dict[str, Any] = {}
    pending: list[Json] = [data.get("components", [])]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            custom_id = node.get("custom_id")
            if isinstance(custom_id, str):
                found[custom_id] = node["values"] if "values" in node else node.get("value")
            pending += [node[key] for key in ("component", "components") if key in node]
    return found
