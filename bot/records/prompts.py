"""A prompt: a sheet that is put to one side, and the messages in which its card stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.forms.forms import Sheet


class PromptStatus(StrEnum):
    """Whether a prompt may still be answered."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Step:
    """A saved change of a sheet, which can be taken back: the ``lines`` of its draft that it changed, as they stood
    before (None: not on the draft), what it ``said`` in the words of the sheet, and who made it. ``number`` counts from
    1; 0 before it is kept."""

    lines: Mapping[str, Mapping[str, Json] | None]
    said: str
    user_id: int
    number: int = 0

    @property
    def mark(self) -> str:
        """What a button that takes it back says of it."""
        return step_mark(self.number, self.said)


def step_mark(number: int, said: str) -> str:
    """What a button says of the change that it takes back, so that no other one is: a number is given again once its
    change was taken back. Empty where there is none (0)."""
    return f"{number}.{digest(said)[:8]}" if number else ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """An ask put to one side. ``token`` is what components carry; it says nothing. ``draft`` is what is kept of it, and
    ``strand`` the part of play that it closes with. ``steps`` is how many changes of it can be taken back, and
    ``last_step`` what the last of them said. Of an account that differs from others', ``stood_by`` marks the accounts
    for which its side said that it stands by its own, and ``referee_asked`` those for which it asked the referee."""

    token: str
    campaign_id: str
    ask_id: str
    side: str
    title: str
    kind: str
    status: PromptStatus
    opened_seq: int
    created_at: datetime
    draft: Sheet | None = None
    strand: str = ""
    steps: int = 0
    last_step: str = ""
    stood_by: str = ""
    referee_asked: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """What somebody wrote for a sheet and got back, because it was not accepted: it stands on no sheet.

    ``text`` is typed orders; ``lines`` holds the fields of forms, as they were sent; ``why`` the reasons last told.
    """

    text: str = ""
    lines: Sheet = field(default_factory=dict[str, dict[str, Json]])
    why: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.text or self.lines)

    def without_line(self, key: str) -> "Returned":
        """The same without the forms of one line."""
        return replace(self, lines={name: line for name, line in self.lines.items() if name != key})

    def with_line(self, key: str, values: Mapping[str, Json]) -> "Returned":
        """The same with more fields of one line."""
        return replace(self, lines={**self.lines, key: {**self.lines.get(key, {}), **values}})


@dataclass(frozen=True, slots=True)
class PromptCopy:
    """A message in which a prompt stands. ``user_id`` is whose direct message it is; 0 in a channel."""

    channel_id: int
    message_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class TypedText:
    """Orders that somebody wrote in a direct message, which ``message_id`` is the id of.

    ``token`` is the prompt that they are meant for; None while that is still to be said. ``saved`` once they stand on
    its sheet.
    """

    message_id: int
    token: str | None
    text: str
    saved: bool = False
