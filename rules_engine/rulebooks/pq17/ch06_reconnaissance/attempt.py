"""Chapter 6.3.4: one attempt on Table 6, for reconnaissance, attack and pursuit alike.

The dice of an attempt fall in a fixed order: lock-on, main, then for each target cloak and flags; the first failure
ends it. A base and all forces in port with it are tried together with one main roll. The two sides are told different
things: the searcher gets the arithmetic and dice, the target's owner only what both can observe (ruling REC-23).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.speeds import max_speed
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import (
    CLOAK_FAILS_UP_TO,
    CONDITION_NAMES,
    FLAG_FAILS_UP_TO,
    TABLE_6A,
    TABLE_6B,
    SearchColumn,
    Searcher,
    SearchTable,
    band_succeeds,
    column_for,
)
from rules_engine.rulebooks.pq17.contacts.identification import is_scouting, is_warp_on, track_for
from rules_engine.rulebooks.pq17.contacts.settled_hexes import GOOD_CONDITIONS, is_local_force, is_settled, shadowers
from rules_engine.rulebooks.pq17.contacts.spies import is_spy
from rules_engine.rulebooks.pq17.records.forces import IdLevel, SettledHex, TaskForce
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import Speed

FULL_SENSORS = 6
"""A rating below this needs a lock-on roll. PQ-17 6.3.4.7."""
NEBULA_CONDITIONS = 4
"""Nebula hexes always have terrible conditions. Rulings REC-4, BAS-13, SCN-29."""


@dataclass(frozen=True)
class Seeker:
    """The searcher: a task force, or a settled hex."""

    side: Side
    hex: HexId
    own_name: str
    """The name by which its owner knows it."""
    enemy_name: str
    """The name by which the other side knows it."""
    kind: Searcher
    max_speed: Speed
    passive: bool
    sensor_rating: int
    under_flag_rule: bool
    tf: TaskForce | None = None

    @property
    def label(self) -> str:
        """The part of dice labels that names it."""
        return self.tf.id if self.tf is not None else "settled"


@dataclass(frozen=True)
class Quarry:
    """One target, with what the attempt needs to know of it."""

    tf: TaskForce
    level: int
    passive: bool
    warp_off: bool
    cloaked: bool
    s_counts: bool
    """Whether an S result succeeds: shadowed, or in a hex settled by the searcher."""


@dataclass
class Attempt:
    """How an attempt came out: the targets it succeeded against, and the column each was read in."""

    succeeded: set[str] = field(default_factory=set[str])
    columns: dict[str, SearchColumn] = field(default_factory=dict[str, SearchColumn])


# --- searchers and targets --------------------------------------------------------------------------------------------


@rule("6.3.4")
def table_of(side: Side) -> SearchTable:
    """Table 6a for every Alliance searcher, 6b for every Coalition one. PQ-17 6.3.4; ruling GEN-8."""
    return TABLE_6A if side == ALLIANCE else TABLE_6B


@rule("6.3.4.7", "6.3.4.10.1", "1.8.5", "6.3.4.3.1")
def seeker_of(state: State, tf: TaskForce) -> Seeker:
    """A task force as searcher. Bases never reach any speed; passive and cloaked forces search on FORCE rows.

    PQ-17 6.3.4.1-.3, 6.3.4.7, 6.3.4.10.1, 1.8.5; rulings REC-5, REC-8, REC-9, BAS-6."""
    units = state.separate_units(tf)
    return Seeker(
        side=tf.side,
        hex=tf.hex,
        own_name=tf.label,
        enemy_name=track_for(state, state.enemy_of(tf.side), tf),
        kind="SCOUT" if is_scouting(state, tf) else "FORCE",
        max_speed=max_speed(state, tf),
        passive=is_passive(tf),
        sensor_rating=max(unit.sensor_rating for unit in units),
        under_flag_rule=is_under_flag_rule(state, tf),
        tf=tf,
    )


@rule("6.3.4.10.1", "C.flag.kzinti")
def is_under_flag_rule(state: State, tf: TaskForce) -> bool:
    """Whether each of its searches takes an additional flag roll. PQ-17 6.3.4.10.1, C.flag.kzinti; ruling REC-8."""
    empires = {state.class_of(unit).empire for unit in state.separate_units(tf)}
    return not tf.is_base and empires <= set(state.settings.flag_empires)


@rule("1.3.4", "6.3.4.3.2", "C.special.agent-cobweb", "1.7.3")
def seeker_of_settled(settled: SettledHex) -> Seeker:
    """A settled hex, or what counts as one, as searcher: FORCE rows, active, speed 0, full sensors.

    PQ-17 1.3.4, 6.3.4.3.2, C.special.agent-cobweb; rulings SET-2, SPC-14."""
    spy = is_spy(settled)
    return Seeker(
        side=settled.side,
        hex=settled.hex,
        own_name=settled.name if spy else "your settled hex",
        enemy_name=settled.name if spy else "the settled hex",
        kind="FORCE",
        max_speed=Speed.STATION,
        passive=False,
        sensor_rating=FULL_SENSORS,
        under_flag_rule=False,
    )


@rule("5.2.3.1", "5.2.3.3")
def is_passive(tf: TaskForce) -> bool:
    """Whether active sensors are off; a cloaked force is passive too. PQ-17 5.2.3.1, 5.2.3.3; ruling REC-6."""
    return tf.posture.cloak or not tf.posture.active


@rule("7.3.3", "7.3.4", "8.6.2.2")
def is_shadowed(state: State, tf: TaskForce) -> bool:
    """Whether any enemy force shadows it. PQ-17 7.3.3, 7.3.4, 8.6.2.2."""
    return bool(shadowers(state, tf.hex) if is_settled(tf) else state.shadowers_of(tf.id))


@rule("6.3.4.4", "6.3.4.8", "1.7.7")
def quarry_of(state: State, tf: TaskForce, level: int) -> Quarry:
    """A task force as target, held at ``level``. PQ-17 6.3.4.4, 6.3.4.8, 1.7.7; rulings PST-4, SET-4."""
    friendly_hex = state.settled_by(tf.hex, state.enemy_of(tf.side)) is not None
    return Quarry(
        tf=tf,
        level=level,
        passive=is_passive(tf),
        warp_off=not is_warp_on(state, tf),
        cloaked=tf.posture.cloak,
        s_counts=friendly_hex or is_shadowed(state, tf),
    )


# --- local conditions -------------------------------------------------------------------------------------------------


@rule("1.8.11", "8.6.2.2", "C.map.mutara-nebula")
def fixed_conditions(state: State, *forces: TaskForce) -> int | None:
    """Conditions that need no roll: in the nebula, or at a base that one of the forces is or is in port with.

    A settled hex, and forces that defend it against a raid, are always in good conditions. PQ-17 1.8.11, 8.6.2.2,
    C.map.mutara-nebula; rulings BAS-12, BAS-13, REC-4, RAID-1.
    """
    if any(is_settled(tf) or is_local_force(state, tf) for tf in forces):
        return GOOD_CONDITIONS
    if any(state.terrain(tf.hex) == "nebula" for tf in forces):
        return NEBULA_CONDITIONS
    for tf in forces:
        for member in state.port_group(tf):
            if member.base is not None and member.base.conditions is not None:
                return member.base.conditions
    return None


@rule("6.3.3", "C.local-conditions", "SOP.2.b.v.5", "C.map.mutara-nebula")
def hex_conditions(turn: TurnContext[State], hex_id: HexId) -> int:
    """The hex's local conditions, rolled when first needed in an impulse and told to both sides.

    PQ-17 6.3.3, C.local-conditions, C.map.mutara-nebula; ruling REC-4."""
    state = turn.state
    if state.terrain(hex_id) == "nebula":
        return NEBULA_CONDITIONS
    if hex_id not in state.conditions:
        roll = turn.at(hex_id).roll("local conditions", faces=100, seen_by=turn.sides)
        state.conditions[hex_id] = state.settings.conditions_of(roll.total)
        level = state.conditions[hex_id]
        turn.tell(
            turn.sides,
            f"Local conditions in {hex_id} this impulse: {CONDITION_NAMES[level]} ({level}).",
            kind="conditions",
            why=because("PQ-17 6.3.3", {"hex": hex_id}, [roll]),
        )
    return state.conditions[hex_id]


@rule("6.3.3", "1.8.11")
def conditions_between(turn: TurnContext[State], seeker: Seeker, target: TaskForce) -> int:
    """The conditions an attempt is made in. PQ-17 6.3.3, 1.8.11; ruling BAS-12."""
    forces = [target] if seeker.tf is None else [seeker.tf, target]
    fixed = fixed_conditions(turn.state, *forces)
    return hex_conditions(turn, target.hex) if fixed is None else fixed


# --- the attempt ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wording:
    """How an attempt is worded: ``TF4 searched E1``, and the rule it is made under."""

    verb: str
    rule: str
    place: str
    """Part of the dice's label: what kind of attempt, and which."""


SEARCH = Wording("searched", "PQ-17 6.3.4.8", "search")


@rule("1.8.2.1", "1.8.2.2")
def attempt(
    turn: TurnContext[State],
    seeker: Seeker,
    quarries: Sequence[Quarry],
    wording: Wording,
    *,
    conditions: int | None = None,
) -> Attempt:
    """Try once against one target, or against a base and all forces in port with it. Each side is told its part: the
    searcher in the order of the quarries, the owner in the order of its own forces.

    ``conditions`` are given for an attempt that follows from a battle (ruling WPR-8); else they are the hex's or a
    base's.

    PQ-17 6.3.4-6.3.4.10, 1.8.2.1, 1.8.2.2; rulings REC-7, REC-24, BAS-1.
    """
    outcome = Attempt()
    named = track_for(turn.state, seeker.side, quarries[0].tf)
    trial = _Trial(turn, turn.at(seeker.hex, wording.place, f"{seeker.label}>{named}"), seeker, wording)
    locked = trial.locks_on(quarries)
    main: Roll | None = None
    observed: list[tuple[Quarry, int, bool]] = []
    for quarry in quarries:
        condition = conditions or conditions_between(turn, seeker, quarry.tf)
        column = column_for(
            condition,
            max_speed=seeker.max_speed,
            searcher_passive=seeker.passive,
            target_passive=quarry.passive,
            target_warp_off=quarry.warp_off,
        )
        outcome.columns[quarry.tf.id] = column
        success = False
        if locked:
            main = main or trial.roll("main roll")
            success = trial.succeeds(quarry, column, main)
        if success:
            outcome.succeeded.add(quarry.tf.id)
        observed.append((quarry, condition, success))
    for quarry, condition, success in sorted(observed, key=lambda one: tf_order(one[0].tf.id)):
        trial.tell_owner(quarry, condition, success=success)
    return outcome


@dataclass(frozen=True)
class _Trial:
    """One attempt in progress. ``here`` is the place after which its dice are named."""

    turn: TurnContext[State]
    here: TurnContext[State]
    seeker: Seeker
    wording: Wording

    def roll(self, purpose: str, *, faces: int = 100, key: str = "") -> Roll:
        """A roll of the attempt, shown to the searcher alone. Ruling REC-23."""
        return self.here.roll(purpose, faces=faces, key=key, seen_by=[self.seeker.side])

    def track(self, quarry: Quarry) -> str:
        """The searcher's contact number for the target."""
        return track_for(self.turn.state, self.seeker.side, quarry.tf)

    @rule("6.3.4.7")
    def locks_on(self, quarries: Sequence[Quarry]) -> bool:
        """Whether the lock-on roll, needed where no unit's sensors rate 6, succeeds. PQ-17 6.3.4.7; REC-9."""
        rating = self.seeker.sensor_rating
        if rating >= FULL_SENSORS:
            return True
        roll = self.roll("lock-on roll", faces=6)
        if roll.total <= rating:
            return True
        for quarry in quarries:
            self._tell_seeker(quarry, "no lock-on", because("PQ-17 6.3.4.7", {"best sensor rating": rating}, [roll]))
        return False

    @rule("6.3.4.8", "SOP.2.b.v.6.a.i")
    def succeeds(self, quarry: Quarry, column: SearchColumn, main: Roll) -> bool:
        """Read the main roll for one target, then cloak and flags. PQ-17 6.3.4.8; rulings REC-7, REC-10."""
        book = table_of(self.seeker.side)
        band = book.band(self.seeker.kind, column.column, main.total)
        inputs = {
            f"{self.seeker.kind.title()} rows,": column.text(),
            "target at": IdLevel(quarry.level).label,
            f"Table {book.name} reads": band,
        }
        dice = [main]
        cumulative = self.turn.state.settings.shadowed_is_cumulative
        if not band_succeeds(band, quarry.level, s_counts=quarry.s_counts, cumulative=cumulative):
            self._tell_seeker(quarry, _why_row_fails(band), because(self.wording.rule, inputs, dice))
            return False
        if quarry.cloaked and self._cloak_holds(quarry, dice):
            self._tell_seeker(quarry, "the cloak held", because("PQ-17 6.3.4.9", inputs, dice))
            return False
        if self._flag_fails(quarry, column, dice):
            self._tell_seeker(quarry, "a flag roll failed", because("PQ-17 6.3.4.10", inputs, dice))
            return False
        self._tell_seeker(quarry, "", because(self.wording.rule, inputs, dice))
        return True

    @rule("6.3.4.9")
    def _cloak_holds(self, quarry: Quarry, dice: list[Roll]) -> bool:
        """Roll whether a cloaked target is missed in spite of the main roll; the roll joins ``dice``. PQ-17 6.3.4.9."""
        dice.append(self.roll("cloak roll", key=f"cloak/{self.track(quarry)}"))
        return dice[-1].total <= CLOAK_FAILS_UP_TO

    @rule("6.3.4.6", "6.3.4.10")
    def _flag_fails(self, quarry: Quarry, column: SearchColumn, dice: list[Roll]) -> bool:
        """Make the flag rolls up to one that fails: one for each shift beyond column 4, and the scenario's own; they
        join ``dice``. PQ-17 6.3.4.6, 6.3.4.10."""
        for number in range(1, column.flags + int(self.seeker.under_flag_rule) + 1):
            dice.append(self.roll(f"flag roll {number}", key=f"flag/{self.track(quarry)}/{number}"))
            if dice[-1].total <= FLAG_FAILS_UP_TO:
                return True
        return False

    def _tell_seeker(self, quarry: Quarry, failure: str, why: Why) -> None:
        """Tell the searcher the full arithmetic and dice. Ruling REC-23."""
        ending = f"failed, {failure}" if failure else "success"
        text = f"{self.seeker.own_name} {self.wording.verb} {self.track(quarry)} in {self.seeker.hex}: {ending}."
        self.turn.tell([self.seeker.side], text[0].upper() + text[1:], kind="attempt", why=why)

    @rule("6.3.4.2", "6.3.4.4", "6.3.4.5")
    def tell_owner(self, quarry: Quarry, condition: int, *, success: bool) -> None:
        """Tell the target's owner what it observes: rows, postures, conditions and outcome; no arithmetic, no dice.

        PQ-17 6.3.4.2, 6.3.4.4, 6.3.4.5; ruling REC-23."""
        inputs = {
            "rows": "Scout" if self.seeker.kind == "SCOUT" else "Force",
            "searcher": "passive" if self.seeker.passive else "active",
            "your force": "passive" if quarry.passive else "active",
            "your warp": "off" if quarry.warp_off else "on",
            "your cloaks": "on" if quarry.cloaked else "off",
            "local conditions": condition,
        }
        ending = "success" if success else "failed"
        text = f"{self.seeker.enemy_name} {self.wording.verb} your {quarry.tf.label} in {quarry.tf.hex}: {ending}."
        self.turn.tell(
            [quarry.tf.side], text[0].upper() + text[1:], kind="attempt", why=because(self.wording.rule, inputs)
        )


def _why_row_fails(band: str) -> str:
    match band:
        case "FAIL":
            return "nothing found"
        case "S":
            return "row S counts only against a shadowed target or in your own settled hex"
        case _:
            return f"row {band} needs a target at ID{band} or better"
