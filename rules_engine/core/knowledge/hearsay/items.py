"""What was handed on: a copy of what its giver knew at that moment, which says from whom it is and how old it was."""

from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Owner, Side
from rules_engine.core.knowledge.views import Counter, SideView

MOST_WORDS = 4
"""Lines of a contact's details that go along."""
MOST_LINE = 200


class Hearsay(Frozen):
    """One thing that a side was told of by another side.

    ``about`` is the giver's own name for it (``E3``), which is nobody else's; ``turn`` is when it was handed on, and
    ``age`` how many turns before that the giver had last seen it; ``confidence`` is how well the giver had identified
    it, in its rulebook's words, and ``grade`` the same as maps draw it. ``place`` is what the giver calls the place
    ``hex``, where that has a name.
    """

    source: Side
    turn: int
    about: Annotated[str, Field(min_length=1)]
    words: tuple[str, ...] = ()
    hex: HexId
    place: str = Field(default="", exclude_if=lambda place: not place)
    owner: Owner = ""
    form: str = "force"
    age: Count = 0
    live: bool = False
    confidence: str = ""
    level: int | None = None
    grade: int | None = None

    @property
    def seen(self) -> int:
        """The turn in which the giver had last seen it."""
        return self.turn - self.age

    def age_at(self, turn: int) -> int:
        """How many turns old it is in that turn, never negative."""
        return max(0, turn - self.seen)


def is_of_others(counter: Counter, side: Side) -> bool:
    """Whether a counter on a side's own board is something that it has found out, and can hand on."""
    return counter.owner != side and counter.form != "battle" and bool(counter.label.strip())


def hearsay_of(view: SideView, counter: Counter) -> Hearsay:
    """A counter as its side hands it on: what stands on its own board now, and no more."""
    called = view.board.places.called(counter.hex)
    return Hearsay(
        source=view.side,
        turn=view.board.when.turn,
        about=counter.label.strip(),
        words=tuple(line[:MOST_LINE] for line in counter.details[:MOST_WORDS]),
        hex=counter.hex,
        place=called if called != counter.hex else "",
        owner=counter.owner,
        form=counter.form,
        age=counter.age,
        live=counter.live,
        confidence=counter.level_name,
        level=counter.level,
        grade=counter.grade,
    )
