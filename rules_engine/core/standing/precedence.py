"""Which standing orders are obeyed: the most specific layer that says something, clause by clause."""

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

O = TypeVar("O")  # noqa: E741 - orders


class Layer(NamedTuple, Generic[O]):
    """One layer of standing orders, and the name players know it by."""

    name: str
    orders: O


def giver_of(layers: Iterable[Layer[O]], clause: str) -> Layer[O] | None:
    """The layer that decides about a clause: of the layers, the most specific first, the first that has it."""
    return next((layer for layer in layers if getattr(layer.orders, clause) is not None), None)
