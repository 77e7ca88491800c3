"""Chapter 3.7: groups that come into a battle late, and from any direction."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, read_groups
from rules_engine.rulebooks.cutler.records.orders import GroupSheet
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD, ready_fighters
from rules_engine.rulebooks.cutler.records.state import Battle, CutlerTurn, Unit

Forces = dict[Side, list[Unit]]
Arrivals = dict[Side, dict[int, int]]
"""The turns of arrival of each side's flanking groups."""


@rule("3.7.1", "3.7.2", "3.7.3", "3.7.5", "3.7.8")
def flanking_steps(turn: CutlerTurn, battle: Battle, forces: Forces) -> Steps[Arrivals]:
    """Each side notes its flanking groups in secret; each group's delay is rolled. The races of a coordinated force
    name their own units, and know the groups' delays; a group is what all put into it. Fighters flank by themselves
    only with boosters.

    3.7.1, 3.7.2, 3.7.3, 3.7.5, 3.7.8, CU-R72, CU-N90
    """
    asks: list[Ask[GroupSheet]] = []
    for race in battle.everyone:
        own = [unit for unit in forces[battle.side_of(race)] if unit.race == race]
        able = [unit for unit in own if unit.is_mobile] + ready_fighters(own)
        asks.append(
            Ask(
                kind="flank",
                parties=(race,),
                title=f"{battle.hex}: flanking",
                text="Flanking groups arrive late and one by one, from any direction, 30 hexes or more from the enemy.",
                model=GroupSheet,
                form=group_form(able, "Flank", "Main force"),
                rule="3.7.1",
                default=GroupSheet({}),
                default_says="Nobody flanks.",
                pace="decision",
                check=lambda sheet, able=able: judge_groups(able, sheet, "3.7.1", fighters="3.7.5"),
                read_back=lambda sheet, able=able: read_groups(able, sheet, "flanks", "Nobody flanks."),
            )
        )
    sheets = yield from turn.ask_all_steps(asks)
    arrivals: Arrivals = {}
    for sheet in sheets:
        battle.flanking.update(sheet.groups())
        for ship in sheet.groups():
            if ship in turn.state.units:
                turn.state.units[ship].sailed = True
    for race in battle.sides:
        arrival = 0
        keys = [key for unit in forces[race] for key in (unit.id, unit.id + ABOARD)]
        for group in sorted({battle.flanking[key] for key in keys if key in battle.flanking}):
            arrival += turn.roll(f"flank {group}, {race}", faces=6, seen_by=battle.force_of(race)).total + 1
            arrivals.setdefault(race, {})[group] = arrival
    return arrivals
