"""A battle as a picture shows it, to one of its sides or to anybody: hexes, facings, vectors and where they lead are
public once they are there, all else is its owner's. VM-R38

Of any battle flown by vectors, a duel's or another rulebook's.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

from rules_engine.core.basics.base import HexId, Party, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.space import hexes_between, ways_towards
from rules_engine.core.knowledge.tactical_scene import (
    Drift,
    TacticalNews,
    TacticalPair,
    TacticalPlot,
    TacticalScene,
    TacticalTerrainSign,
    TacticalUnit,
)
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import thrust_from
from rules_engine.rulebooks.vector.ch4_turning.turns import turn_from
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.coasting import drifts

MOST_NEWS = 3


def scene_for(
    battle: Tactical,
    shown: Iterable[VectorShip],
    parties: tuple[Party, ...],
    *,
    reader: Side | None = None,
    title: str,
    under: str = "",
    turns: int = 0,
    knows_all: bool = False,
    plots: tuple[TacticalPlot, ...] = (),
    news: tuple[TacticalNews, ...] = (),
) -> TacticalScene:
    """The scene of these units; ``reader`` is the side that it is made for, None for anybody, and ``plots`` its own.
    Who ``knows_all`` may know what all have plotted."""
    ships = list(shown)
    known = as_known(battle, reader, knows_all=knows_all)
    ahead = {one.id: drifts(known, known.units[one.id]) for one in ships}
    return TacticalScene(
        title=title,
        under=under,
        turn=battle.turn,
        turns=turns,
        impulse=battle.impulse,
        parties=parties,
        units=tuple(_unit(battle, one, ahead[one.id], is_own=one.side == reader) for one in ships),
        terrain=tuple(
            TacticalTerrainSign(kind=one.kind, hexes=one.hexes, name=one.name, number=one.number, column=one.column)
            for one in battle.terrain
        ),
        pairs=tuple(_pairs(ships)),
        plots=plots,
        news=news[:MOST_NEWS],
    )


def as_known(battle: Tactical, reader: Side | None, *, knows_all: bool = False) -> Tactical:
    """A battle as a side knows it, None as anybody does: where others' units coast to is worked out from what shows of
    them, and from no plot. VM-R38"""
    return battle if knows_all else known_to(battle, reader or "")


def _unit(battle: Tactical, ship: VectorShip, ahead: Mapping[int, HexId], *, is_own: bool) -> TacticalUnit:
    return TacticalUnit(
        code=ship.id,
        side=ship.side,
        name=ship.name,
        kind=ship.class_id,
        form=ship.figures.form,
        hex=ship.at,
        facing=ship.facing,
        vector=ship.vector.says,
        speed=ship.vector.speed,
        trail=tuple(ship.trail) or (ship.at,),
        drifts=tuple(_ghosts(battle, ahead)),
        turns_on=waits_until(battle, turn_from(ship)),
        thrusts_on=waits_until(battle, thrust_from(ship) if is_own else public_thrust_from(ship)),
        remarks=tuple(_remarks(battle, ship, is_own=is_own)),
    )


def _ghosts(battle: Tactical, ahead: Mapping[int, HexId]) -> Iterable[Drift]:
    """Where a unit coasts to, every eight impulses, and so at the end."""
    is_next = is_over(battle)
    for impulse in sorted(ahead):
        if impulse % 8 == 0:
            yield Drift(impulse=impulse, hex=ahead[impulse], turn=battle.turn + 1 if is_next else 0)


def is_over(battle: Tactical) -> bool:
    """Whether the running turn is flown, or none has begun: what comes next is another turn."""
    return not battle.turn or battle.impulse == IMPULSES


def public_thrust_from(ship: VectorShip) -> int:
    """The first impulse on which a unit may accelerate as everybody can work it out, who saw it accelerate; not whether
    it has stopped in an emergency. VM-R38"""
    return thrust_from(ship.changed(no_thrust_until=0))


def waits_until(battle: Tactical, clock: int) -> int:
    """An impulse counted from the battle's beginning as one of the running turn, more than 32 for one of the next; 0
    for one that is past."""
    start = IMPULSES * max(0, battle.turn - 1)
    return clock - start if clock > battle.clock + 1 else 0


def _remarks(battle: Tactical, ship: VectorShip, *, is_own: bool) -> Iterable[str]:
    """What is to be seen of a unit besides; to its owner alone how long a pause still lasts, and when it arrives."""
    if ship.tumbling:
        yield "tumbling"
    if ship.weasel:
        yield "wild weasel out"
    if ship.launched_from:
        yield f"launched by {ship.launched_from}"
    link = battle.link_of(ship.id)
    if link is not None:
        other = link.other if link.one == ship.id else link.one
        yield f"in tractor with {other}"
    tow = battle.tow_of(ship.id)
    if tow is not None:
        yield f"tows {' and '.join(tow.towed)}" if ship.id in tow.tugs else f"in tow of {tow.lead}"
    if is_own and ship.waits_for > battle.turn:
        yield f"arrives on turn {ship.waits_for}"
    if is_own and ship.no_thrust_until > battle.clock:
        yield f"no thrust before impulse {waits_until(battle, ship.no_thrust_until)}"


def _pairs(ships: Collection[VectorShip]) -> Iterable[TacticalPair]:
    """All pairs of units of different sides, the closest first."""
    found = [
        TacticalPair(
            one=one.id, other=other.id, hexes=hexes_between(one.at, other.at), ways=ways_towards(one.at, other.at)
        )
        for one, other in combinations(ships, 2)
        if one.side != other.side
    ]
    return sorted(found, key=lambda pair: (pair.hexes, pair.one, pair.other))


def approaches(
    battle: Tactical, ships: Collection[VectorShip], reader: Side | None, *, knows_all: bool = False
) -> Iterable[TacticalNews]:
    """Where units that are no friends come closest if all coast, those that come closest first; a reader is told of its
    own."""
    known = as_known(battle, reader, knows_all=knows_all)
    ahead = {one.id: drifts(known, known.units[one.id]) for one in ships}
    found: list[tuple[int, int, str, str]] = []
    for one, other in combinations(ships, 2):
        if battle.friends(one.side, other.side) or (reader is not None and reader not in (one.side, other.side)):
            continue
        courses = ahead[one.id], ahead[other.id]
        near = [(hexes_between(at, courses[1][impulse]), impulse) for impulse, at in courses[0].items()]
        if near and min(near)[0] < hexes_between(one.at, other.at):
            found.append((*min(near), one.id, other.id))
    for hexes, impulse, one_id, other_id in sorted(found)[:MOST_NEWS]:
        when = f"turn {battle.turn + 1}, impulse {impulse}" if is_over(battle) else f"impulse {impulse}"
        far = "in one hex" if not hexes else f"{counted(hexes, 'hex')} apart"
        yield TacticalNews(
            says=f"{one_id} and {other_id} {far} on {when}",
            codes=(one_id, other_id),
            hexes=tuple(dict.fromkeys((ahead[one_id][impulse], ahead[other_id][impulse]))),
        )
