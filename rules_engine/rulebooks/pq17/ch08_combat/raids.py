"""Chapter 8.6: raids on settled hexes, from a successful attack to the end of the local forces.

A raid is searched for and attacked like a task force (``contacts.settled_hexes``); this file holds what differs. PQ-17
8.6.2, C.raid; rulings RAID-1 to RAID-13.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, place_units
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit
from rules_engine.rulebooks.pq17.ch08_combat.raid_forces import Muster, Pick, muster_steps
from rules_engine.rulebooks.pq17.ch08_combat.raid_tables import Meeting, meeting_for
from rules_engine.rulebooks.pq17.contacts.identification import remove_contact
from rules_engine.rulebooks.pq17.contacts.settled_hexes import GOOD_CONDITIONS, PREFIX, forget_raiders
from rules_engine.rulebooks.pq17.nations.ship_values import combat_value_of
from rules_engine.rulebooks.pq17.nations.victory_points import score_raid
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, SettledHex, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.special_conditions import RaidForce
from rules_engine.rulebooks.pq17.records.state import State


@rule("8.6.2.4", "8.6.2.7")
def raid_steps(
    turn: TurnContext[State], raiders: Mapping[HexId, Sequence[str]], opposed: Mapping[str, Sequence[str]]
) -> Steps[dict[HexId, tuple[str, ...]]]:
    """Resolve the successful attacks on settled hexes: score, or raise the local forces for a battle.

    ``raiders`` gives the task forces that succeeded against each hex, ``opposed`` the defender's that succeeded against
    each of those. Returns the local forces' task forces by hex; a hex without battle is not in it.
    PQ-17 8.6.2.4, 8.6.2.7, rulings RAID-4, RAID-5.
    """
    state = turn.state
    raised: dict[HexId, tuple[str, ...]] = {}
    for hex_id in sorted(raiders):
        settled = state.settled[hex_id]
        settled.raided_on = state.turn
        against = sorted({tf_id for raider in raiders[hex_id] for tf_id in opposed.get(raider, ())})
        meeting = _roll_meeting(turn, settled, opposed=bool(against))
        if meeting is None:
            _succeed(turn, hex_id, because("PQ-17 C.raid.note3", {"explicit opposition": "no"}))
            continue
        muster = Muster(
            side=settled.side,
            hex=hex_id,
            empire=settled.empire,
            meeting=meeting,
            attackers=_combat_value(state, raiders[hex_id]),
            explicit=_combat_value(state, against),
        )
        picks = yield from muster_steps(turn, muster)
        raid = _place(state, settled.side, hex_id, settled.empire, picks)
        state.special.raids = [*state.special.raids, raid]
        raised[hex_id] = tuple(raid.task_forces)
    return raised


@rule("C.raid.note1", "C.raid.note2")
def _roll_meeting(turn: TurnContext[State], settled: SettledHex, *, opposed: bool) -> Meeting | None:
    """Roll on the raid table for a settled hex that was successfully attacked; None without explicit opposition, where
    every roll scores. PQ-17 C.raid.note1, C.raid.note2, ruling RAID-5."""
    roll = turn.at(settled.hex, "raid").roll("raid table", faces=100, seen_by=turn.sides)
    why = because("PQ-17 C.raid.table", {"explicit opposition": "yes" if opposed else "no"}, [roll])
    raid = f"The raid on {settled.name} in {settled.hex}"
    if not opposed:
        turn.tell(turn.sides, f"{raid} meets no opposition and succeeds.", kind="raid", why=why)
        return None
    meeting = meeting_for(roll.total)
    words = ["a convoy"]
    words += ["local defence"] if meeting.local_defense else []
    words += ["a base"] if meeting.base else []
    text = f"{raid} is opposed: the explicit task forces, {', '.join(words)}."
    turn.tell(turn.sides, text, kind="raid", why=why)
    return meeting


@rule("C.raid.note6")
def _combat_value(state: State, tf_ids: Sequence[str]) -> Fraction:
    """Combat value of whole task forces. PQ-17 C.raid.note6."""
    units = (unit for tf_id in tf_ids for unit in state.units_of(state.task_forces[tf_id]))
    return sum((combat_value_of(state, unit) for unit in units), Fraction(0))


@rule("1.6.7.1")
def _place(state: State, side: Side, hex_id: HexId, empire: str, picks: Sequence[Pick]) -> RaidForce:
    """Put the local forces into task forces for the battle: ships in one, a base in another (1.6.7.1).

    Where no nation builds for the empire that has settled the hex, they are of their side's first nation."""
    campaign = state.settings.campaign
    owner = (campaign.nation_of_empire(empire) or campaign.leaders[side]).key
    ships: list[Unit] = []
    bases: list[Unit] = []
    for pick in picks:
        made = new_units(state, owner, pick.kind.class_id, refits=pick.refits, tags=["local forces"])
        (bases if pick.kind.is_base else ships).extend(made)
    placed: list[TaskForce] = []
    if ships:
        placed.append(place_units(state, side, ships, hex_id, name="local forces"))
    if bases:
        tf = place_units(state, side, bases, hex_id, name="local base")
        tf.base = BaseRecord(name="local base", known=False, conditions=GOOD_CONDITIONS)
        placed.append(tf)
    units = sorted(unit.id for unit in (*ships, *bases))
    return RaidForce(hex=hex_id, task_forces=[tf.id for tf in placed], units=units)


# --- after the battle -------------------------------------------------------------------------------------------------


def raid_of(state: State, battle: Battle) -> RaidForce | None:
    """The raid that a battle belongs to; None for any other battle, and for a pursuit."""
    return next((raid for raid in state.special.raids if set(raid.task_forces) & set(battle.original)), None)


@rule("8.6.2.5", "8.6.2.6", "8.6.2.8", "C.raid.note3", "C.raid.note5")
def finish_raid(turn: TurnContext[State], battle: Battle) -> None:
    """Score a raid whose attacker won, and discard the local forces, even captured ones.

    PQ-17 8.6.2.5, 8.6.2.6, 8.6.2.8, C.raid.note3, C.raid.note5; rulings RAID-11, RAID-12."""
    state = turn.state
    raid = raid_of(state, battle)
    if raid is None:
        return
    state.special.raids = [one for one in state.special.raids if one is not raid]
    why = because("PQ-17 C.raid.note5", {"after the battle in": raid.hex})
    for unit_id in raid.units:
        tf = state.tf_of(unit_id)
        drop_unit(state, unit_id)
        if tf is not None and tf.id not in state.task_forces:
            viewer = state.enemy_of(tf.side)
            remove_contact(turn, viewer, tf.id, f"The local forces in {raid.hex} disperse.", why)
        del state.units[unit_id]
    if battle.winner == battle.attacker:
        _succeed(turn, raid.hex, because("PQ-17 8.6.2.6", {"the attacker": "won the battle"}))
    else:
        forget_raiders(state, raid.hex)
        text = f"The raid on {raid.hex} fails: the attacker did not win."
        turn.tell(turn.sides, text, kind="raid", why=because("PQ-17 C.raid.note3"))


@rule("8.6.2.6", "8.6.2.7", "8.6.2.8", "C.vp.11", "T5.4")
def _succeed(turn: TurnContext[State], hex_id: HexId, why: Why) -> None:
    """Score the raid itself, at most once a turn in each hex; then the hex is no longer identified.

    PQ-17 8.6.2.6 to 8.6.2.8, C.vp.11, T5.4; ruling RAID-3."""
    state = turn.state
    score_raid(turn.at(hex_id, "raid"), text=f"A raid on {hex_id} succeeded.", why=why)
    forget_raiders(state, hex_id)


def hex_of(key: str) -> HexId:
    """The hex of a settled hex's id; empty for anything else."""
    return key.removeprefix(PREFIX) if key.startswith(PREFIX) else ""
