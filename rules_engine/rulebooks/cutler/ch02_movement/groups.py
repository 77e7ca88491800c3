"""Sheets that put ships into groups: pursuit groups (3.3.4) and flanking groups (3.7.1)."""

from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.rulebooks.cutler.records.orders import GroupSheet
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD
from rules_engine.rulebooks.cutler.records.state import Unit

GROUPS = 3
"""The most groups on one sheet. CU-N08"""


def group_form(units: list[Unit], word: str, none: str) -> Form:
    """A line for each ship with the group it joins."""
    ways = (
        Choice(value="0", label=none),
        *(Choice(value=str(n), label=f"{word} group {n}") for n in range(1, GROUPS + 1)),
    )
    field = Field(key="group", label=word, kind="one", choices=ways, value="0")
    return Form(lines=tuple(Line(key=unit.id, label=_label(unit), fields=(field,)) for unit in units))


def _label(unit: Unit) -> str:
    return f"{unit.name} ({unit.fighters})" if unit.kind == "fighters" else unit.title


@rule("3.3.2", "3.7.5")
def judge_groups(units: list[Unit], sheet: GroupSheet, cited: str, *, fighters: str) -> list[Refusal]:
    """Refusals of ships that are not there to be grouped, of fighters without boosters, by the rule that is named for
    those, and of groups that do not exist. 3.3.2, 3.7.5"""
    known = [unit.id for unit in units]
    refusals = [
        illegal("only fighters with warp booster packs can be sent", fighters, ship, nearest=nearest(ship, known))
        if ship.endswith(ABOARD)
        else illegal("this unit cannot be sent", cited, ship, nearest=nearest(ship, known))
        for ship in sheet.root
        if ship not in known
    ]
    return refusals + [
        malformed("there is no such group", f"{ship}.group", legal=f"0 to {GROUPS}")
        for ship, line in sheet.root.items()
        if line.group > GROUPS
    ]


def read_groups(units: list[Unit], sheet: GroupSheet, does: str, nobody: str) -> list[str]:
    """A group sheet in plain words."""
    names = {unit.id: unit.title for unit in units}
    groups = sheet.groups()
    return [f"{names[ship]} {does} in group {group}." for ship, group in groups.items()] or [nobody]
