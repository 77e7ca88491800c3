"""Made-up boards and moments of battles flown by vectors."""

import random
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from rules_engine.core.basics.base import HexId, Party, SideLabel, When
from rules_engine.core.grids.space import (
    STEPS,
    WAYS,
    Lattice,
    elements_of,
    hex_at,
    hexes_between,
    lattice_of,
    ways_towards,
)
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge import glance, views
from rules_engine.core.knowledge.tactical_scene import (
    Drift,
    TacticalForm,
    TacticalNews,
    TacticalPair,
    TacticalPlot,
    TacticalScene,
    TacticalTerrainSign,
    TacticalUnit,
)

# --- duels ------------------------------------------------------------------------------------------------------------
# made-up moments of battles flown by vectors: that of the picture which shows what maps should look like, and others
# at random.
SIDES = (("alliance", "Alliance", "A"), ("dominion", "Dominion", "D"), ("hydran", "Hydran", "H"),
         ("lyran", "Lyran", "L"), ("kzinti", "Kzinti", "K"), ("gorn", "Gorn", "G"))  # fmt: skip


def party(place: int) -> Party:
    key, name, emblem = SIDES[place]
    return Party(label=SideLabel(key=key, name=name, emblem=emblem), seat=place)


def vector_said(way: Lattice) -> str:
    """A vector as it is written, in clockwise order."""
    found = sorted(elements_of(way), key=lambda one: WAYS.index(one[0]))
    if [one for one, _ in found] == ["A", "F"]:
        found.reverse()
    return "+".join(f"{hexes}{one}" for one, hexes in found) or "0"


def moved(here: HexId, way: Lattice, impulses: int) -> HexId:
    """About where a unit is after so many impulses."""
    return hex_at(lattice_of(here).plus(Lattice(round(way.c * impulses / 32), round(way.d * impulses / 32))))


def lattice(said: str) -> Lattice:
    """A vector by its writing."""
    total = Lattice(0, 0)
    for part in said.split("+") if said != "0" else ():
        total = total.plus(STEPS[WAYS[WAYS.index(part[-1])]], int(part[:-1]))
    return total


def unit(code: str, side: str, at: HexId, flies: tuple[str, str], impulse: int = 8, **parts: Any) -> TacticalUnit:
    """A unit of that facing and vector that drifts on, and came by the same way."""
    facing, vector = flies
    way = lattice(vector)
    # At a turn's end it coasts through the next.
    later = [*range(impulse + 8, 33, 8)] if impulse < 32 else [8, 16, 24, 32]
    begun = impulse % 32
    drifts = tuple(Drift(impulse=one, hex=moved(at, way, one - begun), turn=0 if impulse < 32 else 5) for one in later)
    back = [moved(at, way, -n * 4) for n in range(max(1, impulse // 4), -1, -1)]
    filled: dict[str, Any] = {"name": "Ship", "drifts": drifts, "trail": tuple(dict.fromkeys(back))}
    return TacticalUnit(
        code=code, side=side, hex=at, facing=WAYS[WAYS.index(facing)], vector=vector, speed=way.length,
        **(filled | parts),
    )  # fmt: skip


def pairs_of(units: Iterable[TacticalUnit]) -> tuple[TacticalPair, ...]:
    """All pairs of units of different sides, the closest first."""
    found = [
        TacticalPair(
            one=one.code,
            other=other.code,
            hexes=hexes_between(one.hex, other.hex),
            ways=ways_towards(one.hex, other.hex),
        )
        for one, other in combinations(units, 2)
        if one.side != other.side
    ]
    return tuple(sorted(found, key=lambda pair: pair.hexes))


def nine() -> TacticalScene:
    """Two against two, as on the picture that is the target."""
    units = (
        unit(
            "AT1", "alliance", "0727", ("B", "6A+6B"), name="Frigate", whole=80, shields=(100, 100, 100, 20, 100, 100)
        ),
        unit("AT2", "alliance", "0418", ("C", "3B+7C"), name="Scout", whole=100, shields=(100,) * 6),
        unit("DF2", "dominion", "2707", ("E", "8E+3D"), name="Cruiser", whole=65, shields=(100, 100, 100, 40, 0, 100)),
        unit("DF3", "dominion", "2921", ("F", "7F"), name="Destroyer", whole=100, shields=(100,) * 6),
    )
    ends = {one.code: one.drifts[-1].hex for one in units}
    far = hexes_between(ends["AT1"], ends["DF2"])
    says = f"Closest: AT1 and DF2, {far} hexes at impulse 32"
    news = TacticalNews(says=says, codes=("AT1", "DF2"), hexes=(ends["AT1"], ends["DF2"]))
    return TacticalScene(
        title="Battle 0505", under="vector movement", turn=4, impulse=8, parties=(party(0), party(1)), units=units,
        pairs=pairs_of(units), news=(news,),
    )  # fmt: skip


def course() -> TacticalScene:
    """A race round buoys through asteroids, past a planet, with a web and dust; and one side's plots."""
    units = (
        unit("A1", "alliance", "1020", ("C", "5B+6C"), 32, name="Courier", turns_on=3, thrusts_on=0),
        unit("D1", "dominion", "1322", ("B", "9B+2A"), 32, name="Hunter", turns_on=0, thrusts_on=5),
        unit("H1", "hydran", "0815", ("D", "4C+4D"), 32, name="Racer", remarks=("tumbling",)),
    )
    rocks = ("1614", "1615", "1714", "1715", "1816", "1715", "1513", "1915", "2016")
    terrain = (
        TacticalTerrainSign(kind="asteroids", hexes=rocks, name="The Rocks"),
        TacticalTerrainSign(kind="planet", hexes=("2525", "2524", "2526", "2425", "2424", "2625", "2624"), name="Dusk"),
        TacticalTerrainSign(kind="dust", hexes=("1128", "1228", "1229", "1329", "1328"), name="Veil"),
        TacticalTerrainSign(kind="web", hexes=("2618", "2718", "2819"), name="Web"),
        TacticalTerrainSign(kind="buoy", hexes=("1610",), number=1, name=""),
        TacticalTerrainSign(kind="buoy", hexes=("2614",), number=2, name=""),
        TacticalTerrainSign(kind="line", hexes=tuple(f"34{row:02}" for row in range(8, 30)), name="Finish"),
    )
    way = ("1020", "1119", "1219", "1319", "1418", "1518", "1617", "1717", "1816", "1916", "2015")
    events = (("1219", "8: turn left"), ("1617", "20: +4"))
    plot = TacticalPlot(code="A1", hexes=way, events=events, facing="B", vector="9B+6C")
    return TacticalScene(
        title="Round the buoys", under="a race", turn=4, turns=12, impulse=32,
        parties=(party(0), party(1), party(2)), units=units, terrain=terrain, pairs=pairs_of(units), plots=(plot,),
        news=(TacticalNews(says="A1 is next to pass buoy 1", codes=("A1",), hexes=("1610",)),
              TacticalNews(says="H1 tumbles until impulse 9", codes=("H1",))),
    )  # fmt: skip


def on_ground(seed: int, count: int) -> TacticalScene:
    """Units at random among asteroids, round planets and buoys, with an edge far away."""
    chance = random.Random(f"ground/{seed}/{count}")
    scene = melee(seed, count, min(6, count), 9, forms=False)

    def somewhere(far: int) -> Lattice:
        return Lattice(20 + chance.randint(-far, far), 10 + chance.randint(-far, far))

    terrain: list[TacticalTerrainSign] = []
    for name in ("Haven", "Dusk"):
        middle = somewhere(14)
        around = [middle, *(middle.plus(step) for step in STEPS.values())]
        terrain.append(TacticalTerrainSign(kind="planet", hexes=tuple(map(hex_at, around)), name=name))
    terrain += [TacticalTerrainSign(kind="buoy", hexes=(hex_at(somewhere(60)),), number=n) for n in (1, 2, 3)]
    rocks = tuple(dict.fromkeys(hex_at(somewhere(12)) for _ in range(25)))
    terrain.append(TacticalTerrainSign(kind="asteroids", hexes=rocks, name="Rubble"))
    edge = tuple(hex_at(Lattice(140, d)) for d in range(-90, 0))
    terrain.append(TacticalTerrainSign(kind="line", hexes=edge, name="Far edge"))
    return scene.with_values(terrain=tuple(terrain))


FORMS: tuple[TacticalForm, ...] = ("ship", "ship", "ship", "shuttle", "drone", "plasma", "PF", "weasel")


def melee(seed: int, count: int, sides: int = 6, spread: int = 12, *, forms: bool = True) -> TacticalScene:
    """Units at random within so many hexes of each other; with 24 of them some share a hex."""
    chance = random.Random(f"{seed}/{count}/{sides}/{spread}")
    impulse = chance.choice([8, 16, 24, 32])
    units: list[TacticalUnit] = []
    numbers: dict[int, int] = {}
    for n in range(count):
        side = n * sides // count if count >= sides else n % sides
        numbers[side] = numbers.get(side, 0) + 1
        way = Lattice(chance.randint(-16, 16), chance.randint(-16, 16)) if chance.random() < 0.9 else Lattice(0, 0)
        at = hex_at(Lattice(20 + chance.randint(-spread, spread), 10 + chance.randint(-spread, spread)))
        form = chance.choice(FORMS) if forms else "ship"
        shields = tuple(chance.choice([100, 60, 20, 0]) for _ in range(6)) if chance.random() < 0.5 else ()
        flies = (chance.choice(WAYS), vector_said(way))
        units.append(
            unit(
                f"{SIDES[side][2]}{numbers[side]}", SIDES[side][0], at, flies, impulse,
                form=form, shields=shields if form == "ship" else (),
                name=chance.choice(["Cruiser", "Frigate", "Scout"]),
                whole=chance.choice([None, 35, 80, 100]),
            )
        )  # fmt: skip
    nearest = pairs_of(units)[:1]
    news = tuple(
        TacticalNews(says=f"{pair.one} and {pair.other} are {pair.hexes} hexes apart", codes=(pair.one, pair.other))
        for pair in nearest
    )
    return TacticalScene(
        title="Melee at Kol", under="six squadrons meet", turn=3, turns=12, impulse=impulse,
        parties=tuple(party(n) for n in range(sides)), units=tuple(units), pairs=pairs_of(units), news=news,
    )  # fmt: skip


# --- boards of battles flown by vectors -------------------------------------------------------------------------------
def board_of(scene: TacticalScene) -> views.Board:
    """The board of a scene: its units are counters, its terrain with a name stands in hexes."""
    first: dict[str, HexId] = {one.code: one.hex for one in scene.units}
    news = tuple(
        glance.News(hexes=one.hexes[:1] or (first[one.codes[0]],), title=" and ".join(one.codes), fact=one.says[:48])
        for one in scene.news
    )
    hexes = [one.hex for one in scene.units] + [name for sign in scene.terrain for name in sign.hexes]
    return views.Board(
        campaign="The Courier", rulebook="vector", heading=f"Turn {scene.turn}", when=When(turn=scene.turn),
        sides=tuple(one.label for one in scene.parties), grid=Space(hexes=tuple(dict.fromkeys(hexes))),
        hexes=tuple(views.HexNote(hex=sign.hexes[0], name=sign.name) for sign in scene.terrain if sign.name),
        counters=tuple(views.Counter(id=one.code, hex=one.hex, owner=one.side, label=one.code) for one in scene.units),
        news=news, tactical=scene,
    )  # fmt: skip


def side_view(scene: TacticalScene, side: str = "") -> views.SideView:
    """What a side sees of it, the first one if none is named."""
    return views.SideView(side=side or scene.parties[0].label.key, board=board_of(scene))


def public_view(scene: TacticalScene) -> views.PublicView:
    """What anybody sees of it."""
    return views.PublicView(public=board_of(scene))
