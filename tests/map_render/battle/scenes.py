"""Scenes of battles for tests: any number of sides, stations and units."""

import random

from rules_engine.core.basics.base import Party, SideLabel
from rules_engine.core.knowledge.battle_scene import (
    WAYS,
    BattleFigure,
    BattleForce,
    BattleScene,
    BattleStart,
    BattleStep,
    BattleUnit,
    Ground,
    Spot,
    Station,
)
from tests.map_render.written import read

NAMES = ("Alliance", "Coalition", "Hydran Kingdom", "Lyran Star Empire", "Tholian", "Vudar", "Interstellar Concordium")
GROUNDS: tuple[Ground, ...] = ("space", "point", "edge", "around")


def party(seat: int) -> Party:
    """The party of the side with that seat."""
    name = NAMES[seat]
    return Party(label=SideLabel(key=f"s{seat}", name=name, emblem=name[0]), seat=seat)


def unit(code: str, side: str, left: int | None = 30, whole: int | None = 30) -> BattleUnit:
    """A unit, whole unless told otherwise."""
    cells = (BattleFigure(says=f"{left}/{whole}", differs=left != whole), BattleFigure(says="6,6,5"))
    return BattleUnit(code=code, side=side, kind="Cruiser", aside="fuel 12", left=left, whole=whole, cells=cells)


def duel() -> BattleScene:
    """The battle of the target picture: three units in the middle, two across fifty hexes."""
    found = read("battle")
    units = tuple(unit(*row) for row in found["units"])
    return BattleScene.model_validate(found | {"parties": (party(0), party(1)), "units": units})


def by_chance(chance: random.Random) -> BattleScene:
    """Any scene: two to seven sides in two forces, up to forty units, any ground."""
    seats = chance.sample(range(7), chance.randint(2, 7))
    cut = chance.randint(1, len(seats) - 1)
    forces = (seats[:cut], seats[cut:])
    units: list[BattleUnit] = []
    for place, force in enumerate(forces):
        for number in range(chance.randint(len(force), 20)):
            side = force[number % len(force)]
            whole = chance.choice([None, 10, 30])
            left = None if whole is None else chance.randint(0, whole)
            units.append(unit(f"{'DA'[place]}F{number + 1}", f"s{side}", left, whole))
    ground = chance.choice(GROUNDS)
    return BattleScene(
        title="Battle in 0505", when="Turn 3, impulse 3 · open space",
        parties=tuple(party(seat) for seat in sorted(seats)),
        forces=tuple(
            BattleForce(sides=tuple(f"s{seat}" for seat in force), does=does)
            for force, does in zip(forces, ("defend", "attack"), strict=True)
        ),
        start=BattleStart(
            ground=ground,
            distance=chance.choice(["50", "40–45", "35–75", ""]),
            feature="Planet Arcadia" if ground in ("point", "edge") else "",
            stations=_stations(chance, forces, units, around=ground == "around"),
        ),
        steps=(BattleStep(says="all within ten hexes of each other"),) * chance.randint(0, 6),
        units=tuple(units), columns=("warp", "sens"), remark=chance.choice(["", "Nobody can accelerate away."]),
    )  # fmt: skip


def _stations(
    chance: random.Random, forces: tuple[list[int], list[int]], units: list[BattleUnit], *, around: bool
) -> tuple[Station, ...]:
    codes = {seat: [one.code for one in units if one.side == f"s{seat}"] for force in forces for seat in force}
    named = chance.random() < 0.6
    found: list[Station] = []

    def place(seat: int, spot: Spot, step: int, own: list[str], way: int = 0) -> None:
        if own:
            shown = tuple(own) if named else ()
            found.append(Station(side=f"s{seat}", spot=spot, codes=shown, units=len(own), step=step, way=way))

    first, *partners = forces[0]
    if around or not named:
        for seat in forces[0]:
            place(seat, "middle", 1, codes[seat])
    else:
        place(first, "middle", 1, codes[first][:1])
        place(first, "near", 2, codes[first][1:])
        for seat in partners:
            place(seat, "beyond", 4, codes[seat])
    for seat in forces[1]:
        for way in chance.sample(range(1, WAYS + 1), chance.randint(1, WAYS)) if around else [0]:
            place(seat, "far", 3, codes[seat], way)
    return tuple(found)
