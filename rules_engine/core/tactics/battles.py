"""What a rulebook says of a battle that may be tracked: its ships, the ground, and how all are set up."""

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.tactics.conditions import Code, SetUpStep

Points = Annotated[int, Field(ge=0, le=999)]
MIDDLE: HexId = "5050"
"""Where books put what everything else stands around."""

Percent = Annotated[int, Field(ge=0, le=100)]

Form = Literal["ship", "shuttle", "PF"]
TurnMode = Literal["AA", "A", "B", "C", "D", "E", "F", "G", "H"]


def turn_mode_of(printed: str) -> TurnMode | None:
    """The turn mode that a ship's record prints, None if it prints none or another."""
    return next((mode for mode in get_args(TurnMode) if mode == printed.strip().upper()), None)


class FlightRecord(Frozen):
    """What a unit's movement goes by, as its record has it now, damage included. None where the record lacks it: the
    tracker takes a usual figure for the size class, marked as invented. ``source`` is ``invented`` where the book's own
    figures are. ``stays``: it cannot move, as a base."""

    size_class: Annotated[int, Field(ge=1, le=7)] = 3
    form: Form = "ship"
    move_cost: Annotated[Rational, Field(gt=0, le=10)] | None = None
    turn_mode: TurnMode | None = None
    nimble: bool = False
    warp: Points | None = None
    impulse: Points | None = None
    total_power: Points | None = None
    reserve: Points | None = None
    stays: bool = False
    source: str = ""


class TacticalShip(Frozen):
    """A unit in a battle, by the neutral ``code`` under which its sheet names it.

    ``left`` is the percent of it that damage has left, None where that is not known to all. Its speed at the start is
    between ``least_speed`` and ``most_speed`` hexes a turn (both the same: no choice). ``weapon_status`` is said of it,
    None where it is its side's alone or the book has none. ``arrives`` is the turn at whose beginning it arrives (0: it
    is there at the start); until then it does not exist for other sides. Opposing groups that arrive on one turn set
    up by ``arrives_after``, the lower first (as by dice)."""

    code: Code
    side: Side
    name: str
    kind: str = ""
    flight: FlightRecord = FlightRecord()
    left: Percent | None = None
    least_speed: Annotated[int, Field(ge=0, le=200)] = 0
    most_speed: Annotated[int, Field(ge=0, le=200)] = 31
    weapon_status: Annotated[int, Field(ge=0, le=3)] | None = None
    arrives: Annotated[int, Field(ge=0, le=999)] = 0
    arrives_after: Annotated[int, Field(ge=0, le=99)] = 0


class TacticalGroundPiece(Frozen):
    """A piece of ground that stands still. ``hexes`` are those it covers, on a sheet without edges whose middle is
    :data:`MIDDLE`; none where it fills the whole sheet."""

    id: Code
    kind: Literal["planet", "asteroids", "dust", "web", "nebula", "heat", "buoy"]
    name: str = ""
    hexes: tuple[HexId, ...] = ()


class TacticalTow(Frozen):
    """Units that tugs have in tow when the battle begins: all move as one, by what is ordered to the first of the
    ``tugs``, whose engines give half, rounded up."""

    tugs: tuple[Code, ...] = Field(min_length=1)
    towed: tuple[Code, ...] = Field(min_length=1)


class TacticalBattle(Frozen):
    """A battle, whole: for the tracker alone, since it names who arrives late. What a side sees of it goes through the
    tracker.

    ``forces`` are the sides that fight as one, each side in one. ``steps`` are set up in their order, those of late
    units when they arrive. ``towable`` are units that cannot move by themselves, and that ships of their own side may
    take in tow. ``notes`` are sentences that hold for all."""

    title: str
    forces: tuple[tuple[Side, ...], ...] = Field(min_length=1)
    ships: tuple[TacticalShip, ...] = Field(min_length=1)
    ground: tuple[TacticalGroundPiece, ...] = ()
    steps: tuple[SetUpStep, ...] = ()
    tows: tuple[TacticalTow, ...] = ()
    towable: tuple[Code, ...] = ()
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        """Refuse units of no side, named twice, placed in no step or in two, and steps of units that arrive apart."""
        sides = [side for force in self.forces for side in force]
        codes = [ship.code for ship in self.ships]
        placed = [code for step in self.steps for code in step.units]
        arrives = {ship.code: ship.arrives for ship in self.ships}
        if len(set(sides)) < len(sides) or not {ship.side for ship in self.ships} <= set(sides):
            raise ValueError("each ship is of a side, and each side in one force")
        if len(set(codes)) < len(codes) or sorted(placed) != sorted(codes):
            raise ValueError("each ship has a code of its own, and is set up in one step")
        if any(len({arrives[code] for code in step.units}) > 1 for step in self.steps):
            raise ValueError("what is set up in one step arrives together")
        pulled = [code for tow in self.tows for code in (*tow.tugs, *tow.towed)]
        if len(set(pulled)) < len(pulled) or not set(pulled) <= set(codes):
            raise ValueError("a unit is part of one tow, and of the battle")
        return self

    @property
    def sides(self) -> tuple[Side, ...]:
        """All sides, force by force."""
        return tuple(side for force in self.forces for side in force)

    def ship(self, code: Code) -> TacticalShip:
        """The ship of that code. Raises KeyError when there is none."""
        for one in self.ships:
            if one.code == code:
                return one
        raise KeyError(code)
