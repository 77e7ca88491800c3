"""Frozen values, the base class of most of the engine's models, and the types every module uses."""

import json
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Side = str
"""The key of a side, e.g. ``"alliance"``. Sides are data of a scenario, so a plain string."""

Owner = str
"""The key of a side or of an outsider, or empty: nobody known."""

HexId = str
"""A hex number as printed on the map, e.g. ``"0412"``."""

Json = JsonValue

Count = Annotated[int, Field(ge=0)]
"""How many of something there are."""


class Frozen(BaseModel):
    """A value: frozen, compared by content, refusing fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def with_values(self, **values: Any) -> Self:
        """The value with these fields, which must fit; itself if they are its own."""
        own = vars(self)
        return self if all(own[name] == value for name, value in values.items()) else self.model_copy(update=values)

    @cached_property
    def spelling(self) -> bytes:
        """Its canonical JSON, which is worked out once: values that many share are often written."""
        document = self.model_dump(mode="json")
        return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    def __copy__(self) -> Self:
        """Copy the fields alone: what was worked out of them once does not hold of a copy with other fields."""
        copied = super().__copy__()
        for name in vars(self).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied


class SideLabel(Frozen):
    """How a side is named and drawn. ``emblem`` is one or two letters that tell it apart without colour."""

    key: Side
    name: str
    emblem: str


class Party(Frozen):
    """A side in a battle. ``seat`` is its place in the campaign's order of sides, from 0: its colour and shape."""

    label: SideLabel
    seat: int = Field(ge=0)


class Outsider(Frozen):
    """An owner that is no side: monsters, pirates, a convoy that nobody commands. The rules alone act for it.

    It is never asked, told or a party. ``emblem`` is one or two letters that tell it apart without colour.
    """

    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    name: Annotated[str, Field(min_length=1)]
    emblem: Annotated[str, Field(pattern=r"^[^\W\d_]{1,2}$")]


class When(Frozen):
    """A point in campaign time. ``turn`` counts from 1; ``step`` orders points within a turn."""

    turn: int
    step: int = 0
    label: str = ""

    def turns_since(self, earlier: "When") -> int:
        """Whole turns from ``earlier`` to this point, never negative."""
        return max(0, self.turn - earlier.turn)


Certainty = Literal["malformed", "illegal", "ambiguous"]
