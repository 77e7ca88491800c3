"""Chapter 12.7: the attacks that a minefield makes on enemy forces passing through its hex.

Movement points into and out of a mined hex meet it, and so does one expended in it. Only the ships' owner is told what
they suffered; the minefield's owner is told that it attacked, but no dice. Nobody sees the number rolled, since
together with the strength it would tell the number of minesweepers, and together with that number the strength.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch12_mines.damage import damage_steps
from rules_engine.rulebooks.pq17.ch12_mines.screening import Screened, screening_steps
from rules_engine.rulebooks.pq17.ch12_mines.shields import Hit
from rules_engine.rulebooks.pq17.contacts.identification import held_track
from rules_engine.rulebooks.pq17.contacts.minefields import as_force, field_at, minesweepers
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.lots import as_seen
from rules_engine.rulebooks.pq17.records.minefields import Transit
from rules_engine.rulebooks.pq17.records.state import State

HITS_FROM = 8
"""The lowest 1D10 of a mine attack that succeeds. PQ-17 12.7.5."""
SHIELD_OF: tuple[int, ...] = (1, 1, 1, 2, 2, 3, 4, 5, 6, 6)
"""The shield that is hit, for each result 1 to 10 of 1D10. PQ-17 12.7.6."""


@dataclass(frozen=True)
class Strike:
    """One set of mine attacks on one force. PQ-17 12.7.3; ruling MIN-2."""

    task_force: str
    hex: HexId
    strength: int
    level: IdLevel
    """How well the force's side knows the minefield."""
    field: str = ""
    """The minefield's key; empty for mines that belong to nobody (C.random.0)."""
    name: str = "the minefield"
    """The name by which the force's owner knows it."""


@dataclass
class _Rolled:
    """The dice of one set, and whom they hit."""

    hits: list[Hit] = field(default_factory=list[Hit])
    dice: list[Roll] = field(default_factory=list[Roll])


# --- which attacks there are ------------------------------------------------------------------------------------------


@rule("12.7.1", "12.7.2", "12.7.3")
def strikes_due(state: State) -> list[Strike]:
    """The sets of attacks of the present half impulse: one for each movement and each enemy minefield that was left,
    entered or stayed in. Bases are never attacked. PQ-17 12.7.1 to 12.7.3; rulings MIN-2, MIN-3, MIN-17."""
    found: list[Strike] = []
    for transit in state.mines.transits:
        tf = state.task_forces.get(transit.task_force)
        if tf is None or tf.is_base:
            continue
        enemy = state.enemy_of(tf.side)
        fields = [there for hex_id in transit.hexes() if (there := field_at(state, enemy, hex_id)) is not None]
        for there in fields:
            force = as_force(there)
            track = held_track(state, tf.side, force)
            found.append(
                Strike(
                    task_force=tf.id,
                    hex=there.hex,
                    strength=there.strength,
                    level=force.id_level,
                    field=force.id,
                    name=f"minefield {track}" if track else "the minefield",
                )
            )
    return found


def minefield_attack_steps(turn: TurnContext[State], phasing: Side = "") -> Steps[None]:
    """Conduct operational minefield attacks. Forces placed on the map in Plot Movement are attacked in their own side's
    half, given by ``phasing``. PQ-17 SOP 2.b.iv; rulings MIN-3, MIN-17."""
    state = turn.state
    later = [one for one in state.mines.transits if phasing and _waits(state, one, phasing)]
    state.mines.transits = [one for one in state.mines.transits if one not in later]
    strikes = strikes_due(state)
    state.mines.transits = later
    if strikes:
        yield from strikes_steps(turn, strikes)


def _waits(state: State, transit: Transit, phasing: Side) -> bool:
    tf = state.task_forces.get(transit.task_force)
    return not transit.start and tf is not None and tf.side != phasing


@rule("12.7.3")
def attack_steps(
    turn: TurnContext[State], tf: TaskForce, *, strength: int, level: IdLevel, name: str = "a residual minefield"
) -> Steps[None]:
    """One set of mine attacks on ``tf`` where it is, by mines that belong to nobody.

    PQ-17 12.7.3, C.random.0; ruling RND-1."""
    yield from strikes_steps(turn, [Strike(tf.id, tf.hex, strength, level, name=name)])


@rule("C.random.residual-minefield")
def old_mines_steps(turn: TurnContext[State], tf: TaskForce) -> Steps[None]:
    """The attacks of an unexpected residual minefield: strength 0, ID0. PQ-17 C.random.residual-minefield, RND-1."""
    yield from attack_steps(turn, tf, strength=0, level=IdLevel.ID0)


@rule("12.7.3")
def strikes_steps(turn: TurnContext[State], strikes: Sequence[Strike]) -> Steps[None]:
    """Ask for screening first, then roll all attacks, then settle the damage. PQ-17 12.7.3.

    The order is by hex, and within a hex by lot, because the minefield's owner sees it."""
    screened = yield from screening_steps(turn, [(one.task_force, one.name) for one in strikes])
    ordered = as_seen(turn.at("order"), strikes, lambda one: one.hex, lambda one: one.task_force)
    hits = [_strike(turn.at(one.task_force, one.hex), one, screened) for one in ordered]
    yield from damage_steps(turn, [one for one in hits if one])


# --- one set ----------------------------------------------------------------------------------------------------------


@rule("12.7.3", "12.7.3.1", "12.7.3.2", "12.7.3.3")
def number_of_attacks(rolled: int, *, level: int, sweepers: int, strength: int) -> int:
    """The number of mine attacks in a set: 1D10, less the level, less uncrippled minesweepers, plus the strength; never
    below 0. Level U counts as 0. PQ-17 12.7.3, 12.7.3.1, 12.7.3.2, 12.7.3.3; ruling MIN-1."""
    return max(0, rolled - max(0, level) - sweepers + strength)


@rule("12.7.3")
def _strike(turn: TurnContext[State], strike: Strike, screened: Screened) -> list[Hit]:
    """Roll one set and report it; returns the hits in their order. PQ-17 12.7.3."""
    state = turn.state
    tf = state.task_forces[strike.task_force]
    sweepers = minesweepers(state, tf)
    able = sum(not unit.crippled for unit in sweepers)
    roll = turn.roll("number of mine attacks", faces=10, seen_by=[])
    count = number_of_attacks(roll.total, level=int(strike.level), sweepers=able, strength=strike.strength)
    rolled = _roll_hits(turn, tf, count, sweepers if tf.id in screened else [])
    inputs: dict[str, object] = {"mine attacks": count}
    if strike.level > IdLevel.ID0:
        inputs["fewer by its level"] = int(strike.level)
    if able:
        inputs["fewer by minesweepers"] = able
    names = ", ".join(f"{state.units[hit.unit].name} on shield #{hit.shield}" for hit in rolled.hits)
    attacks = counted(count, "mine attack")
    text = f"{tf.label} met {strike.name} in {strike.hex}: {attacks}, {f'hits {names}' if names else 'no hit'}."
    turn.tell([tf.side], text, kind="mines", why=because("PQ-17 12.7.3", inputs, rolled.dice))
    if count and strike.field:
        state.mines.fields[strike.field].attacked = True
        _tell_owner(turn, strike, tf)
    return rolled.hits


def _tell_owner(turn: TurnContext[State], strike: Strike, tf: TaskForce) -> None:
    """Tell the owner that the minefield attacked, which will cost it a point, but not the results. Ruling MIN-7."""
    state = turn.state
    owner = state.enemy_of(tf.side)
    track = held_track(state, owner, tf)
    whom = f"contact {track}" if track else "an enemy force"
    text = f"Your minefield in {strike.hex} attacked {whom}."
    turn.tell([owner], text, kind="mines", why=because("PQ-17 12.7.3", {"in": strike.hex}))


@rule("12.7.5", "12.7.6")
def _roll_hits(turn: TurnContext[State], tf: TaskForce, count: int, screen: Sequence[Unit]) -> _Rolled:
    """Allocate the attacks, roll each, and find the shield of each that hits. PQ-17 12.7.5, 12.7.6."""
    if not count:
        return _Rolled()
    viewers = [tf.side]
    targets, dice = allocate(turn, turn.state.separate_units(tf), count, screen, viewers)
    hit_roll = turn.roll("attack rolls", faces=10, count=count, seen_by=viewers)
    hit = [unit for unit, face in zip(targets, hit_roll.dice, strict=True) if face >= HITS_FROM]
    if not hit:
        return _Rolled(dice=[*dice, hit_roll])
    shield_roll = turn.roll("shields hit", faces=10, count=len(hit), seen_by=viewers)
    hits = [Hit(unit.id, SHIELD_OF[face - 1]) for unit, face in zip(hit, shield_roll.dice, strict=True)]
    return _Rolled(hits=hits, dice=[*dice, hit_roll, shield_roll])


@rule("12.7.4", "12.7.8.1", "12.7.8.2", "12.7.8.3")
def allocate(
    turn: TurnContext[State], units: Sequence[Unit], count: int, screen: Sequence[Unit], viewers: Iterable[Side]
) -> tuple[list[Unit], list[Roll]]:
    """The unit that each of ``count`` attacks falls on, and the dice. Without a screen each falls on any ship, evenly.
    With one, every minesweeper takes one first; if there are fewer attacks than minesweepers, none takes two.

    PQ-17 12.7.4, 12.7.8.1, 12.7.8.2, 12.7.8.3; rulings MIN-4, MIN-16."""
    targets: list[Unit] = []
    dice: list[Roll] = []
    seen_by = list(viewers)
    if count < len(screen):
        left = list(screen)
        for number in range(1, count + 1):
            roll = turn.roll(f"minesweeper for attack {number}", faces=len(left), seen_by=seen_by)
            dice.append(roll)
            targets.append(left.pop(roll.total - 1))
        return targets, dice
    targets += screen
    rest = count - len(screen)
    if rest and len(units) > 1:
        roll = turn.roll("ships attacked", faces=len(units), count=rest, seen_by=seen_by)
        dice.append(roll)
        targets += [units[face - 1] for face in roll.dice]
    else:
        targets += list(units) * rest
    return targets, dice
