"""Limits of application commands as the bot registers them, reported as Discord's 50035 with paths."""

from __future__ import annotations

import re

from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.json_values import JsonObject

MAX_COMMANDS = 100
MAX_TOTAL = 8000
SUBCOMMAND, GROUP = 1, 2
_NAME = re.compile(r"^[-_'\w]{1,32}$")
_NUMERIC = (4, 10)


def check_commands(commands: list[JsonObject]) -> None:
    """Check all commands of one scope (global, or one guild) together."""
    errors = BodyErrors()
    if sum(command.get("type", 1) == 1 for command in commands) > MAX_COMMANDS:
        raise refuse("max_commands")
    names: set[tuple[int, str]] = set()
    for i, command in enumerate(commands):
        _command(errors, f"{i}", command)
        key = (command.get("type", 1), str(command.get("name")))
        if key in names:
            errors.add(f"{i}.name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
        names.add(key)
    errors.check()


def _command(errors: BodyErrors, path: str, command: JsonObject) -> None:
    if command.get("type", 1) != 1:
        errors.text(f"{path}.name", command.get("name"), 1, 32)
        return
    _named(errors, path, command)
    options: list[JsonObject] = command.get("options") or []
    _options(errors, f"{path}.options", options, depth=0)
    if total(command) > MAX_TOTAL:
        errors.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_TOTAL})")


def _named(errors: BodyErrors, path: str, entry: JsonObject) -> None:
    name = entry.get("name")
    if errors.text(f"{path}.name", name, 1, 32) and (not _NAME.match(str(name)) or str(name) != str(name).lower()):
        errors.add(f"{path}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    errors.text(f"{path}.description", entry.get("description"), 1, 100)


def _options(errors: BodyErrors, path: str, options: list[JsonObject], *, depth: int) -> None:
    if len(options) > 25:
        errors.bad_length(path, 0, 25)
    kinds = {option.get("type") for option in options}
    if kinds & {SUBCOMMAND, GROUP} and kinds - {SUBCOMMAND, GROUP}:
        errors.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_MIXED",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    names: set[str] = set()
    optional_seen = False
    for i, option in enumerate(options):
        here = f"{path}.{i}"
        _named(errors, here, option)
        name = str(option.get("name"))
        if name in names:
            errors.add(f"{here}.name", "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE", "Option names must be unique")
        names.add(name)
        kind = option.get("type")
        if kind in (SUBCOMMAND, GROUP):
            if kind == GROUP and depth:
                errors.choices(f"{here}.type", "(1, 3, 4, 5, 6, 7, 8, 9, 10, 11)")
            _options(errors, f"{here}.options", option.get("options") or [], depth=depth + 1)
            continue
        if kind not in range(3, 12):
            errors.choices(f"{here}.type", "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)")
        if option.get("required"):
            if optional_seen:
                errors.add(
                    f"{here}.required",
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
        else:
            optional_seen = True
        _choices(errors, here, option)


def _choices(errors: BodyErrors, path: str, option: JsonObject) -> None:
    choices: list[JsonObject] = option.get("choices") or []
    if len(choices) > 25:
        errors.bad_length(f"{path}.choices", 0, 25)
    if choices and option.get("autocomplete"):
        errors.add(
            f"{path}.autocomplete",
            "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
            "Autocomplete options cannot have choices",
        )
    seen: set[str] = set()
    for i, choice in enumerate(choices):
        errors.text(f"{path}.choices.{i}.name", choice.get("name"), 1, 100)
        value = choice.get("value")
        if option.get("type") == 3:
            errors.text(f"{path}.choices.{i}.value", value, 0, 100)
        elif option.get("type") in _NUMERIC and (isinstance(value, bool) or not isinstance(value, (int, float))):
            errors.add(f"{path}.choices.{i}.value", "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
        if choice.get("name") in seen:
            errors.add(
                f"{path}.choices.{i}.name",
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE",
                "Choice names must be unique",
            )
        seen.add(str(choice.get("name")))


def total(entry: JsonObject) -> int:
    """The size that Discord limits: characters of names, descriptions and choice values; of each text its longest
    localisation counts.
    """
    size = 0
    for key in ("name", "description"):
        localized: dict[str, str] = entry.get(f"{key}_localizations") or {}
        texts: list[str] = [entry.get(key) or "", *localized.values()]
        size += max(len(text) for text in texts)
    choices: list[JsonObject] = entry.get("choices") or []
    options: list[JsonObject] = entry.get("options") or []
    for choice in choices:
        size += len(choice.get("name") or "") + len(str(choice.get("value")))
    return size + sum(total(option) for option in options)
