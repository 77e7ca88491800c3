"""What is needed while a piece of a turn is flown: the battle, the plots as far as they are carried out, and what has
happened. It is thrown away afterwards: all that lasts stands in the battle."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.grids.space import hexes_between
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch5_other.landing import LastThrust
from rules_engine.rulebooks.vector.records.happenings import Happened, What
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.plots import UnitPlot
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical


class Dice(Protocol):
    """What rolls named dice, as the context of a turn does."""

    def roll(self, purpose: str, *, faces: int, key: str = "", seen_by: Iterable[Side] | None = None) -> Roll:
        """Roll a die for that purpose."""
        ...


@dataclass
class Flight:
    """A unit's plot as it is flown. ``done`` are the places of the events on conditions that came about; ``fresh``: no
    hex was moved since its path was given; ``slip`` the side of a slip on this impulse; ``bills`` what its events
    cost."""

    plot: UnitPlot
    done: dict[int, int] = field(default_factory=dict[int, int])
    fresh: bool = True
    slip: str = ""
    bills: dict[int, Bill] = field(default_factory=dict[int, Bill])


@dataclass
class Air:
    """A piece of a turn in flight, on ``impulse``. Without ``dice`` nothing is left to chance: what a plot would come
    to is foreseen. ``course`` are the directions in which each unit has moved on this impulse, ``landings`` how each
    landing of it was judged, by unit and the event's number, before any was carried out."""

    battle: Tactical
    dice: Dice | None
    flights: dict[str, Flight]
    impulse: int = 0
    happened: list[Happened] = field(default_factory=list[Happened])
    course: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    landings: dict[tuple[str, int], LastThrust | Objection] = field(
        default_factory=dict[tuple[str, int], "LastThrust | Objection"]
    )

    @property
    def clock(self) -> int:
        """The impulse, counted from the battle's beginning."""
        return self.battle.clock_of(self.impulse)

    def flight_of(self, unit: str) -> Flight:
        """A unit's plot; that of one without coasts."""
        return self.flights.setdefault(unit, Flight(UnitPlot()))

    def note(self, ship: VectorShip, what: What, *, private: bool = False, **more: Any) -> None:
        """Write down that something happened to a unit, for everybody or its own side alone. VM-R38"""
        to = (ship.side,) if private else ()
        self.happened.append(happening(self.battle, self.impulse, ship, what, to=to, **more))

    def refuse(self, ship: VectorShip, objection: Objection, event: int | None = None) -> None:
        """Tell a unit's side that something plotted is not done, and why."""
        refusal = objection.refused(ship.id, self.battle.turn)
        on = objection.legal_on
        self.note(ship, "refused", private=True, refusal=refusal, rule=objection.rule, legal_on=on, event=event)


def happening(battle: Tactical, impulse: int, ship: VectorShip, what: What, **more: Any) -> Happened:
    """A thing that happened to a unit as it is now."""
    return Happened(
        turn=battle.turn,
        impulse=impulse,
        unit=ship.id,
        side=ship.side,
        what=what,
        hex=ship.at,
        facing=ship.facing,
        vector=ship.vector.says,
        **more,
    )


def flights_of(plots: Mapping[str, UnitPlot]) -> dict[str, Flight]:
    """The plots, to be flown."""
    return {unit: Flight(plots[unit]) for unit in sorted(plots)}


def nearest_enemies(battle: Tactical, ship: VectorShip) -> Sequence[VectorShip]:
    """The nearest of the units that are neither of a unit's side nor of an ally's: all that are equally near."""
    others = [one for one in battle.present() if not battle.friends(one.side, ship.side)]
    least = min((hexes_between(ship.at, one.at) for one in others), default=0)
    return [one for one in others if hexes_between(ship.at, one.at) == least]


def targets_of(battle: Tactical, ship: VectorShip, named: str) -> Sequence[VectorShip]:
    """The units that are meant by a name: that in play, or the nearest enemies where nobody is named."""
    if not named:
        return nearest_enemies(battle, ship)
    found = battle.units.get(named)
    return [found] if found is not None and battle.is_present(found) else []
