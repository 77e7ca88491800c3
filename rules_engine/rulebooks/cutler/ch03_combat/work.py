"""Chapter 3.9: what units may do between the battles of an impulse, and what is repaired after them."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.combat.work import LastBattle
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Unit

ONE_TURN = (
    "one turn of emergency damage repair, or one of damage control on shields; one turn of reloading drone racks. No "
    "special shuttle is prepared."
)
OTHER_RACE = (
    "emergency damage repair as you like; shields at full power if two points go to damage control; ten turns of "
    "damage control on destroyed systems, within its limits; spare shuttles and fighters are broken out, drone racks "
    "reloaded, and pilots gain experience. Nothing inert comes out of cargo boxes."
)
NOTHING = "nothing changes between these battles."


@rule("3.9")
def work_before(battle: Battle, enemies: tuple[Side, ...], last: LastBattle) -> str:
    """What a unit may do between its last battle of this impulse and this one: much between battles with two races, one
    turn's work between an approach or escape battle and one at a feature, else nothing. 3.9"""
    if not set(last.against).intersection(enemies):
        return OTHER_RACE
    return ONE_TURN if battle.kind == "terrain" and last.kind != "terrain" else NOTHING


@rule("3.9")
def work_panels(state: CutlerState, battle: Battle, race: Side, own: Mapping[str, Unit]) -> list[Panel]:
    """What a race reads of the work of its own units before a battle, if any has fought before. 3.9"""
    last = state.fights.get(battle.hex, Fight()).work.last
    enemies = battle.force_of(next(side for side in battle.sides if race not in battle.force_of(side)))
    said: dict[str, list[str]] = {}
    for key, unit in own.items():
        if unit.id in last:
            said.setdefault(work_before(battle, enemies, last[unit.id]), []).append(key)
    rows = tuple(f"{', '.join(keys)}: {text}" for text, keys in said.items())
    return [Panel(title="Your work before this battle (3.9)", rows=rows)] if rows else []


@rule("3.9")
def most_points(unit: Unit, points: RepairPoints) -> int:
    """The most points of D9.4 that a report may give a unit: those of all boxes of its class that are recorded, which
    tells nothing of earlier damage. 3.9, CU-R76"""
    record = unit.record
    boxes = {"warp": record.warp, "impulse": record.impulse, "cargo": record.cargo}
    return sum(count * points.of(kind) for kind, count in boxes.items())


@rule("3.9")
def judge_repairs(unit: Unit, key: str, most: int, points: int) -> list[Refusal]:
    """Refusals of more points of D9.4 than could be of use. 3.9, CU-R76, CU-N12"""
    if points <= most:
        return []
    text = f"{most} points repair all engines and cargo boxes of {unit.name}"
    return [illegal(text, "3.9, CU-R76, CU-N12", f"{key}.repair_points", legal=f"0 to {most}")]


@rule("3.9")
def note_work(
    here: Fight, battle: Battle, unit: Unit, enemies: tuple[Side, ...], *, points: int, lost: Mapping[str, int]
) -> None:
    """Note of a unit that it has fought, what boxes it lost, and the points of D9.4 that it has for them after combat.
    3.9, CU-R76, CU-N12"""
    if unit.kind != "fighters":
        here.work.last[unit.id] = LastBattle(kind=battle.kind, against=enemies)
        here.work.will_repair(unit.id, points, lost)
