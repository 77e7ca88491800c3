"""Discord's limits for application commands."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord_api.command_limits import check_commands, total
from bot.playground.world.errors import ApiError
from tests.bot.playground.rest import paths


def command(**changes: Any) -> dict[str, Any]:
    return {"name": "go", "description": "Goes", **changes}


def sub(name: str) -> dict[str, Any]:
    return {"type": 1, "name": name, "description": "s"}


def option(**changes: Any) -> dict[str, Any]:
    return {"type": 3, "name": "a", "description": "a", **changes}


BAD_COMMANDS: list[tuple[dict[str, Any], dict[str, str]]] = [
    (command(name="Go"), {"0.name": "APPLICATION_COMMAND_INVALID_NAME"}),
    (command(name="x" * 33), {"0.name": "BASE_TYPE_BAD_LENGTH"}),
    (command(description=""), {"0.description": "BASE_TYPE_REQUIRED"}),
    (command(options=[sub(f"s{i}") for i in range(26)]), {"0.options": "BASE_TYPE_BAD_LENGTH"}),
    (
        command(
            options=[
                {"type": 3, "name": "a", "description": "a"},
                {"type": 3, "name": "b", "description": "b", "required": True},
            ]
        ),
        {"0.options.1.required": "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"},
    ),
    (
        command(
            options=[
                {
                    "type": 3,
                    "name": "a",
                    "description": "a",
                    "choices": [{"name": f"{i}", "value": f"{i}"} for i in range(26)],
                }
            ]
        ),
        {"0.options.0.choices": "BASE_TYPE_BAD_LENGTH"},
    ),
    (
        # 25 subcommands of (2 + 100) characters in each of 4 groups: 10,200 and more
        command(
            options=[
                {
                    "type": 2,
                    "name": f"g{g}",
                    "description": "g",
                    "options": [{"type": 1, "name": f"s{i}", "description": "d" * 100} for i in range(25)],
                }
                for g in range(4)
            ]
        ),
        {"0": "APPLICATION_COMMAND_TOO_LARGE"},
    ),
    (
        command(options=[sub("a"), {"type": 3, "name": "b", "description": "b"}]),
        {"0.options": "APPLICATION_COMMAND_OPTIONS_TYPE_MIXED"},
    ),
    (command(options=[sub("a"), sub("a")]), {"0.options.1.name": "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE"}),
    (
        command(
            options=[
                {"type": 2, "name": "g", "description": "g", "options": [{"type": 2, "name": "h", "description": "h"}]}
            ]
        ),
        {"0.options.0.options.0.type": "BASE_TYPE_CHOICES"},
    ),
    (command(options=[option(type=99)]), {"0.options.0.type": "BASE_TYPE_CHOICES"}),
    (
        command(options=[option(autocomplete=True, choices=[{"name": "x", "value": "x"}])]),
        {"0.options.0.autocomplete": "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES"},
    ),
    (
        command(options=[option(choices=[{"name": "x", "value": "x"}, {"name": "x", "value": "y"}])]),
        {"0.options.0.choices.1.name": "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE"},
    ),
    (
        command(options=[option(choices=[{"name": "x", "value": 7}])]),
        {"0.options.0.choices.0.value": "STRING_TYPE_CONVERT"},
    ),
    (
        command(options=[option(type=4, choices=[{"name": "x", "value": "7"}])]),
        {"0.options.0.choices.0.value": "NUMBER_TYPE_COERCE"},
    ),
    ({"type": 2, "name": ""}, {"0.name": "BASE_TYPE_REQUIRED"}),
]


@pytest.mark.parametrize(("body", "expected"), BAD_COMMANDS)
def test_a_command_over_a_limit(body, expected) -> None:
    with pytest.raises(ApiError) as refusal:
        check_commands([body])
    assert paths(refusal.value.errors or {}) == expected


def test_a_hundred_commands_and_no_more() -> None:
    check_commands([command(name=f"c{i}") for i in range(100)])
    with pytest.raises(ApiError) as refusal:
        check_commands([command(name=f"c{i}") for i in range(101)])
    assert refusal.value.code == 30032


def test_two_commands_of_one_kind_have_two_names() -> None:
    with pytest.raises(ApiError) as refusal:
        check_commands([command(), command(), {"type": 2, "name": "go"}])
    assert paths(refusal.value.errors or {}) == {"1.name": "APPLICATION_COMMANDS_DUPLICATE_NAME"}


def test_of_a_text_in_several_languages_the_longest_counts() -> None:
    long = command(description_localizations={"de": "x" * 7998})
    assert total(long) == len("go") + 7998
    check_commands([long])
    with pytest.raises(ApiError):
        check_commands([command(description_localizations={"de": "x" * 7999})])
