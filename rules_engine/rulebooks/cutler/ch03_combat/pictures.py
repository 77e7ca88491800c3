"""What the pictures of a battle show: of each unit no more than its sheet tells all who fight there. 3.4, 3.5, 3.6

Engines, crews and flanking groups are secrets of their owners; who flanks stands among the units all the same, as on
the sheet, so the drawing of the start names no unit, but for pursuers whose directions were told.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from rules_engine.core.basics.base import Party, Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.battle_scene import (
    BattleFigure,
    BattleForce,
    BattleScene,
    BattleStart,
    BattleStep,
    BattleUnit,
    Ground,
    OwnUnits,
    Station,
    notes_from,
)
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tacintel import hull_family

Place = Literal["open", "deep", "point", "edge", "escape"]
"""Where a battle is fought: in open space, deep within a feature, at one or at its edge, or with ships that flee."""

COLUMNS = ("hull", "size", "BPV")
OWN_COLUMNS = ("warp", "impulse", "parties", "fighters")
_GROUNDS: dict[Place, Ground] = {"open": "space", "deep": "space", "point": "point", "edge": "edge", "escape": "around"}
_DISTANCES: dict[Place, str] = {"open": "40–45", "deep": "40–45", "point": "40–45", "edge": "40–45", "escape": "30–34"}
_LEAVE = "Nobody can accelerate away."
_REMARKS: dict[Place, str] = {
    "open": f"Weapon status 1, facing the enemy. {_LEAVE}",
    "deep": f"Weapon status 1, facing the enemy. {_LEAVE}",
    "point": f"Weapon status 1. Defenders had speed 6, attackers their maximum. {_LEAVE}",
    "edge": f"Weapon status 1. Nobody flanks here. {_LEAVE}",
    "escape": f"Weapon status 0 for those who flee, 2 for the others; all at maximum speed. {_LEAVE}",
}


class Placing(NamedTuple):
    """How a battle is set up: where, which side first, and of pursuers the units in each direction, and the groups that
    stand each by itself."""

    place: Place
    first: Side
    ways: Mapping[int, Sequence[str]] = {}
    groups: Sequence[Sequence[str]] = ()


class TerrainSetup(NamedTuple):
    """How the battle at a feature is set up, in words and as it is drawn."""

    panels: tuple[Panel, ...]
    placing: Placing


def battle_scene(state: CutlerState, battle: Battle, placing: Placing, panels: Sequence[Panel]) -> BattleScene:
    """The scene of a battle. ``panels`` are those of its sheet that tell of no units. The left force is the defender or
    who flees, in open space who sets up first. 3.4.3, 3.5.9, 3.6"""
    left = placing.first if placing.place == "open" else battle.sides[0]
    sides = (left, next(side for side in battle.sides if side != left))
    forces = tuple(map(battle.force_of, sides))
    does = _does(placing.place, [len(force) for force in forces])
    return BattleScene(
        title=f"Battle in {battle.hex}",
        when=_when(state, battle, placing),
        parties=parties_of(state, battle.everyone),
        forces=tuple(
            BattleForce(sides=force, does=said, title=title) for force, (said, title) in zip(forces, does, strict=True)
        ),
        start=BattleStart(
            ground=_GROUNDS[placing.place],
            distance=_DISTANCES[placing.place],
            feature=_feature(state, battle) if placing.place in ("point", "edge") else "",
            stations=tuple(_stations(state, battle, placing, sides)),
        ),
        steps=tuple(_order(state, battle, placing)),
        units=tuple(_unit(state, battle, key) for side in sides for key in _keys(state, battle, battle.force_of(side))),
        columns=COLUMNS,
        remark=_REMARKS[placing.place],
        notes=tuple(map(notes_from, panels)),
    )


def parties_of(state: CutlerState, races: Iterable[Side]) -> tuple[Party, ...]:
    """The parties of a fight, in the campaign's order of races."""
    there = set(races)
    return tuple(Party(label=label, seat=seat) for seat, label in enumerate(state.sides) if label.key in there)


def _does(place: Place, counts: Sequence[int]) -> list[tuple[str, str]]:
    """What each force does there, as a word and as a title."""
    if place == "open":
        return [("first", "sets up first"), ("second", "sets up next")]
    words = {"escape": ("flee", "pursue")}.get(place, ("defend", "attack"))
    titles = {"escape": ("escaping", "pursuing")}.get(place, ("defender", "attacker"))
    return [(verb(count, f"{word}s", word), title) for count, word, title in zip(counts, words, titles, strict=True)]


def _when(state: CutlerState, battle: Battle, placing: Placing) -> str:
    place = state.terrain.get(battle.hex, "")
    where = f"the whole map is {place}" if place in ("nebula", "dust", "heat") else "open space"
    if battle.feature:
        deep = "deep within" if placing.place == "deep" else "at"
        where = f"{deep} {_feature(state, battle)}"
    kind = {"escape": " · escape battle", "sortie": " · sortie"}.get(battle.kind, "")
    return f"Turn {state.turn}, impulse {state.impulse} · {where}{kind}"


def _feature(state: CutlerState, battle: Battle) -> str:
    return state.fights[battle.hex].ground.named(battle.feature).name if battle.feature else ""


@rule("3.4.3", "3.5.9", "3.6")
def _order(state: CutlerState, battle: Battle, placing: Placing) -> Iterable[BattleStep]:
    """Who is placed where, in the order in which it is done. 3.4.3, 3.5.9, 3.6"""
    second = next(side for side in battle.sides if side != placing.first)
    says: tuple[str, str] = {
        "open": ("all within 10 hexes", "likewise, 40 to 45 off, one at exactly 40"),
        "deep": ("all within 10 hexes", "likewise, 40 to 45 off, one at exactly 40"),
        "point": (f"within 20 hexes of {_feature(state, battle)}", "40 to 45 off, one at exactly 40"),
        "edge": ("within 10 of the edge and each other", "outside, 40 to 45 off, one at exactly 40"),
        "escape": ("within 10 hexes, all facing one way", "30 to 34 off, one at exactly 30"),
    }[placing.place]
    for side, said in zip((placing.first, second), says, strict=True):
        force = battle.force_of(side)
        if len(force) == 1:
            yield BattleStep(side=side, says=said)
        else:
            yield BattleStep(says=f"{state.names_of(force)}: {said}")
    if placing.place == "escape":
        yield BattleStep(says="Each group in its direction; ahead is 1")


def _stations(state: CutlerState, battle: Battle, placing: Placing, sides: tuple[Side, Side]) -> Iterable[Station]:
    """Where the forces start: pursuers by their directions, all others a race at a time, without their units."""
    for race in battle.force_of(sides[0]):
        if units := len(_keys(state, battle, (race,))):
            yield Station(side=race, spot="middle", units=units, step=1 if placing.first == sides[0] else 2)
    if placing.place != "escape":
        for race in battle.force_of(sides[1]):
            if units := len(_keys(state, battle, (race,))):
                yield Station(side=race, spot="far", units=units, step=2 if placing.first == sides[0] else 1)
        return
    key_of = {unit: key for key, unit in battle.lines.items()}
    for way, units in sorted(placing.ways.items()):
        by_race: dict[Side, list[str]] = {}
        for unit in units:
            by_race.setdefault(state.fighting(battle.hex, unit).race, []).append(key_of[unit])
        for race, codes in by_race.items():
            yield Station(side=race, spot="far", codes=tuple(codes), step=2, way=way)


def _keys(state: CutlerState, battle: Battle, force: Sequence[Side]) -> list[str]:
    """The keys of a force's units, race by race, as on the sheet."""
    races = {key: state.fighting(battle.hex, unit).race for key, unit in battle.lines.items()}
    return [key for race in force for key in battle.lines if races[key] == race]


def _unit(state: CutlerState, battle: Battle, key: str) -> BattleUnit:
    """What all read of a unit: its class and name, hull, size and value; never what is left of it."""
    unit = state.fighting(battle.hex, battle.lines[key])
    if unit.kind == "fighters":
        packs = f"warp booster packs for {unit.booster_sets}"
        return BattleUnit(code=key, side=unit.race, kind=counted(unit.fighters, "fighter"), under=packs)
    says = (hull_family(unit), str(unit.record.size_class), str(unit.record.bpv_combat))
    return BattleUnit(
        code=key,
        side=unit.race,
        kind=unit.record.name,
        aside=f"BPV {unit.record.bpv_combat}",
        under=", ".join([*_state(unit), unit.name]),
        cells=tuple(BattleFigure(says=one) for one in says),
    )


@rule("3.4")
def own_units(state: CutlerState, battle: Battle, race: Side) -> OwnUnits:
    """What a race alone reads of its own units: what is left of their engines, boarding parties and fighters. 3.4"""
    units = [(key, state.fighting(battle.hex, unit)) for key, unit in battle.lines.items()]
    rows = [
        BattleUnit(
            code=key,
            side=race,
            kind=unit.name,
            aside=unit.record.name,
            left=unit.warp_ok if unit.record.warp else None,
            whole=unit.record.warp or None,
            of="warp" if unit.record.warp else "",
            cells=(
                _of(unit.warp_ok, unit.record.warp),
                _of(unit.impulse_ok, unit.record.impulse),
                _of(unit.boarding_parties, unit.record.boarding_parties),
                _of(unit.fighters, unit.record.fighters),
            ),
        )
        for key, unit in units
        if unit.race == race and unit.kind != "fighters"
    ]
    return OwnUnits(units=tuple(rows), columns=OWN_COLUMNS if rows else ())


def _of(left: int, whole: int) -> BattleFigure:
    """What is left of so many; a dash where there are none."""
    return BattleFigure(says=f"{left}/{whole}" if whole or left else "–", differs=left < whole)


def _state(unit: Unit) -> Iterable[str]:
    if unit.captured_from:
        yield "captured"
    if unit.cloaked:
        yield "cloaked"
