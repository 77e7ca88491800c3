"""Crowds in one hex of a map with seven sides: ours and everybody else's, whatever they are and however many."""

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, HexNote, OmniscientView, PublicView, SideView

SEATS = {"alliance": "A", "kzinti": "K", "lyran": "L", "gorn": "G", "hydran": "H", "romulan": "R", "tholian": "T"}
"""Seven sides and their letters."""

ROOMY = Grid(columns=9, rows=8, orientation="flat")
POINTED = Grid(columns=9, rows=8, orientation="pointy")
SMALL = Grid(columns=22, rows=17, orientation="flat")
HEX = "0505"


def force(owner: str, number: int, **parts: object) -> Counter:
    """A force in the contested hex."""
    known = {} if owner == "alliance" else {"level": 2, "grade": 2, "level_name": "ID1"}
    fields = {"id": f"{owner}{number}", "hex": HEX, "owner": owner, "label": f"{owner[:1].upper()}{number}"}
    return Counter.model_validate(fields | known | parts)


def forces(owner: str, count: int) -> tuple[Counter, ...]:
    return tuple(force(owner, number) for number in range(1, count + 1))


def board_of(grid: Grid, counters: tuple[Counter, ...], notes: tuple[HexNote, ...] = ()) -> Board:
    sides = tuple(SideLabel(key=key, name=key.title(), emblem=emblem) for key, emblem in SEATS.items())
    return Board(
        campaign="Seven",
        rulebook="none",
        heading="Turn 1",
        when=When(turn=1),
        sides=sides,
        grid=grid,
        counters=counters,
        hexes=notes,
    )


KINDS = {
    "side": lambda board: SideView(side="alliance", board=board),
    "another side": lambda board: SideView(side="gorn", board=board),
    "public": lambda board: PublicView(public=board),
    "everything": lambda board: OmniscientView(omniscient=board),
}

CROWDS = {
    "ours before six of theirs": (*forces("alliance", 4), *forces("kzinti", 6)),
    "six of theirs after three of each other's": (*forces("alliance", 3), *forces("gorn", 3), *forces("kzinti", 6)),
    "a lone enemy": (*forces("alliance", 9), *forces("kzinti", 1)),
    "one of each": tuple(force(owner, 1) for owner in SEATS),
    "some of each": tuple(piece for place, owner in enumerate(SEATS) for piece in forces(owner, 1 + place)),
    "unknowns and neutrals": (*forces("alliance", 4), *forces("kzinti", 3), *forces("", 2), *forces("traders", 2)),
    "everybody": tuple(piece for owner in (*SEATS, "", "traders") for piece in forces(owner, 2)),
    "a minefield under fleets": (
        *forces("alliance", 3),
        *forces("lyran", 2),
        force("kzinti", 1, form="minefield", label="M4"),
    ),
    "a base under fleets": (*forces("alliance", 5), force("kzinti", 1, form="base", label="Grimhold")),
    "a convoy under fleets": (*forces("alliance", 5), force("traders", 1, form="convoy")),
    "what was lost behind what is held": (*forces("alliance", 4), force("kzinti", 1, live=False, age=4)),
}
