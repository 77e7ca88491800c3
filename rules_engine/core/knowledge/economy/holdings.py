"""A side's economy at a glance: income, stores, queues and reserves by place; made from the sources of its board."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Frozen, HexId


class EconomyFigure(Frozen):
    """Something that is counted, with its amount in words: ``Stores``, ``20 of 50``."""

    name: str
    value: str


class QueuedWork(Frozen):
    """Something under way at a place, or a place for it that is free.

    ``key`` is the line of the side's sheet that is about it ("" where there is none); ``done`` says how far it is, and
    ``ready`` is the first turn in which it can be finished (None: that cannot be said).
    """

    key: str = ""
    what: str
    done: str = ""
    ready: int | None = None


class EconomyPlace(Frozen):
    """A place of a side's economy, with its figures and what is queued there, each in its order."""

    hex: HexId
    name: str = ""
    figures: tuple[EconomyFigure, ...] = ()
    queue: tuple[QueuedWork, ...] = ()


class Economy(Frozen):
    """What a side owns: figures of the whole, places in the order of their hexes, and ``losses``, sentences that each
    say what will be lost and by which rule. Empty where a rulebook has no economy."""

    figures: tuple[EconomyFigure, ...] = ()
    places: tuple[EconomyPlace, ...] = ()
    losses: tuple[str, ...] = ()

    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.figures or self.places or self.losses)

    def with_losses(self, losses: Iterable[str]) -> "Economy":
        """The same with these losses before its own, each told once."""
        return self.model_copy(update={"losses": tuple(dict.fromkeys((*losses, *self.losses)))})
