"""Changes to who plays what, or how fast, that take the consent of those whom they touch."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bot.records.campaign_settings import CampaignSettings

ABSENCE = timedelta(hours=72)
"""Who is asked to give up a seat, and for so long neither answers nor sends any orders, is taken to be away."""

LAPSES = timedelta(days=14)
"""A question that nobody answered for so long is void."""


class _Change(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Substitution(_Change):
    """A commander's seat goes to somebody else."""

    kind: Literal["substitution"] = "substitution"
    out_id: int
    in_id: int
    in_name: str


class HandOver(_Change):
    """Somebody else becomes the referee."""

    kind: Literal["hand-over"] = "hand-over"
    to: int


class Succession(_Change):
    """Somebody else becomes the referee in the place of one who is gone or silent (``of``)."""

    kind: Literal["succession"] = "succession"
    to: int
    of: int


class Crossing(_Change):
    """Somebody who has sat elsewhere joins a side, before play begins."""

    kind: Literal["crossing"] = "crossing"
    user_id: int
    name: str
    side: str


class Pace(_Change):
    """How long things may take."""

    kind: Literal["pace"] = "pace"
    settings: CampaignSettings


class NewRules(_Change):
    """The turn that began with the entry ``to`` begins anew, by the rules that there are now."""

    kind: Literal["new-rules"] = "new-rules"
    to: int


AnyChange = Annotated[Substitution | HandOver | Succession | Crossing | Pace | NewRules, Field(discriminator="kind")]

change_adapter: TypeAdapter[AnyChange] = TypeAdapter(AnyChange)


@dataclass(frozen=True)
class Proposal:
    """A change that waits. ``parties`` must agree: ``side:<key>`` for any commander of a side, ``user:<id>``."""

    token: str
    campaign_id: str
    made_by: int
    made_at: datetime
    change: AnyChange
    parties: tuple[str, ...]
    agreed: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Those who have not agreed yet."""
        return tuple(one for one in self.parties if one not in self.agreed)

    def is_for(self, wanted: AnyChange) -> bool:
        """Whether it is about that change, whatever people call themselves by now."""
        names = {"name", "in_name"}
        return self.change.model_dump(exclude=names) == wanted.model_dump(exclude=names)

    def has_lapsed(self, now: datetime) -> bool:
        """Whether it has waited too long."""
        return now - self.made_at > LAPSES


def user_party(user_id: int) -> str:
    """One person whose consent is needed."""
    return f"user:{user_id}"
