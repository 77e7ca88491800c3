"""Sheets that put ships into groups: pursuit groups (3.3.4) and flanking groups (3.7.1)."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.rulebooks.cutler.records.conditions.cloaks import seen
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.orders import GroupSheet
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD, FLIGHT
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

EARLY = Field(key="early", label="Navigator: a turn sooner", kind="flag", value=True, optional=True)
"""What a ship with a legendary navigator is asked that flanks. 3.7.7"""


LEAVES = Field(key="leaves", label="Leaves its dock for the main force", kind="flag", value=False, optional=True)
"""What a docked PF is asked that does not flank. CU-R23"""


@rule("2.10")
def most_groups(state: CutlerState, hex_id: HexId, race: Side, able: Sequence[Unit]) -> int:
    """How many groups there may be for a race: one for each of its units that are ``able``, and for each unit that it
    sees of its partners, who may put theirs into the same ones. So it reads nothing of what these can do. 2.10, CU-N08,
    CU-N90"""
    partners = [other for other in state.fights[hex_id].force_of(race) if other != race]
    return len(able) + sum(len(seen(state, hex_id, other, race)) for other in partners)


def group_form(units: list[Unit], word: str, none: str, *, most: int, flanks: bool = False) -> Form:
    """A line for each ship with the group it joins, of at ``most`` so many; where it ``flanks``, its navigator may
    bring it sooner. A docked PF that joins none stays docked, unless it leaves its dock for the main force. CU-N08,
    CU-R23"""
    ways = (
        Choice(value="0", label=none),
        *(Choice(value=str(n), label=f"{word} group {n}") for n in range(1, most + 1)),
    )
    field = Field(key="group", label=word, kind="one", choices=ways, value="0")
    more = {unit.id: (EARLY,) if flanks and has_navigator([unit]) else () for unit in units}
    more |= {unit.id: (LEAVES,) for unit in units if flanks and unit.docked_at}
    return Form(lines=tuple(Line(key=unit.id, label=_label(unit), fields=(field, *more[unit.id])) for unit in units))


def _label(unit: Unit) -> str:
    if unit.kind == "fighters":
        return f"{unit.name} ({unit.fighters})"
    return f"{unit.title}, docked" if unit.docked_at else unit.title


@rule("3.3.2", "3.7.5")
def judge_groups(
    units: list[Unit], sheet: GroupSheet, law: str, *, fighters: str, most: int, flanks: bool = False
) -> list[Refusal]:
    """Refusals of ships that are not there to be grouped, of fighters without boosters, by the rule that is named for
    those, of groups that do not exist, and of coming sooner. 3.3.2, 3.7.5"""
    known = [unit.id for unit in units]
    refusals = [
        illegal("only fighters with warp booster packs can be sent", fighters, ship, nearest=nearest(ship, known))
        if ship.endswith(ABOARD) or FLIGHT in ship
        else illegal("this unit cannot be sent", law, ship, nearest=nearest(ship, known))
        for ship in sheet.root
        if ship not in known
    ]
    refusals += [
        malformed("there is no such group", f"{ship}.group", legal=f"0 to {most}")
        for ship, line in sheet.root.items()
        if line.group > most
    ]
    docked = {unit.id for unit in units if flanks and unit.docked_at}
    refusals += [
        illegal("no PF is docked there", "2.4.1.7, CU-R23", f"{ship}.leaves", legal="no")
        for ship, line in sheet.root.items()
        if line.leaves and ship not in docked
    ]
    return refusals + _judge_early(units if flanks else [], sheet)


@rule("3.7.7")
def _judge_early(units: list[Unit], sheet: GroupSheet) -> list[Refusal]:
    """Refusals of ships that would come sooner and have no legendary navigator, or do not flank. 3.7.7, CU-R72"""
    able = {unit.id for unit in units if has_navigator([unit])}
    text, legal = "no legendary navigator brings a flanking group", "not a turn sooner"
    return [
        illegal(text, "3.7.7, CU-R72", f"{ship}.early", legal=legal)
        for ship, line in sheet.root.items()
        if line.early and ship not in able
    ]


def read_groups(units: list[Unit], sheet: GroupSheet, does: str, nobody: str) -> list[str]:
    """A group sheet in plain words."""
    names = {unit.id: unit.title for unit in units}
    groups, early = sheet.groups(), sheet.early()
    said = [f"{names[ship]} {does} in group {group}." for ship, group in groups.items()] or [nobody]
    docked = {unit.id for unit in units if unit.docked_at}
    said += [f"{names[ship]} leaves its dock." for ship in (*groups, *sheet.leaving()) if ship in docked]
    return said + [f"Group {group} comes a turn sooner by its navigator." for group in sorted(early)]
