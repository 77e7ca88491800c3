"""Which function carries out which rule of its book: each says so itself, above its first line."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = ("rules_engine", "rulebooks")

carried_out: dict[str, dict[str, list[Callable[..., Any]]]] = defaultdict(lambda: defaultdict(list))
"""Functions by book and rule id, of all modules that were imported."""


def rule(*ids: str) -> Callable[[Function], Function]:
    """Mark a function of a rulebook as what carries out these rules of its book; the function stays as it is.

    Raises:
        TypeError: when it names no rule, or the function is in no rulebook's package.
    """
    if not ids:
        raise TypeError("name the rules that the function carries out")

    def mark(function: Function) -> Function:
        book = book_of(function)
        for one in ids:
            carried_out[book][one].append(function)
        return function

    return mark


def book_of(function: Callable[..., Any]) -> str:
    """The key of the book in whose package a function is written.

    Raises:
        TypeError: when it is in none.
    """
    *package, book = function.__module__.split(".")[:3]
    if tuple(package) != _PACKAGE:
        raise TypeError(f"{function.__module__}.{function.__qualname__} is in no rulebook's package")
    return book
