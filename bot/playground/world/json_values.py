"""The types of JSON values, and checks of a value's shape that a type checker follows."""

from __future__ import annotations

from typing import Any, TypeGuard

JsonObject = dict[str, Any]


def is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
