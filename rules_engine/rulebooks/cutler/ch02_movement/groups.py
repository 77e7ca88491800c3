"""Sheets that put ships into groups: pursuit groups (3.3.4) and flanking groups (3.7.1)."""

from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.rulebooks.cutler.records.orders import GroupSheet
from rules_engine.rulebooks.cutler.records.state import Unit


def group_form(units: list[Unit], word: str, none: str) -> Form:
    """A line for each ship with the group it joins; as many groups as there are ships. CU-N08"""
    ways = (
        Choice(value="0", label=none),
        *(Choice(value=str(n), label=f"{word} group {n}") for n in range(1, len(units) + 1)),
    )
    field = Field(key="group", label=word, kind="one", choices=ways, value="0")
    return Form(lines=tuple(Line(key=unit.id, label=unit.title, fields=(field,)) for unit in units))


def judge_groups(units: list[Unit], sheet: GroupSheet, rule: str) -> list[Refusal]:
    """Refusals of ships that are not there to be grouped, and of groups that do not exist."""
    known = [unit.id for unit in units]
    refusals = [
        illegal("this unit cannot be sent", rule, ship, nearest=nearest(ship, known))
        for ship in sheet.root
        if ship not in known
    ]
    return refusals + [
        malformed("there is no such group", f"{ship}.group", legal=f"0 to {len(units)}")
        for ship, line in sheet.root.items()
        if line.group > len(units)
    ]


def read_groups(units: list[Unit], sheet: GroupSheet, does: str, nobody: str) -> list[str]:
    """A group sheet in plain words."""
    names = {unit.id: unit.title for unit in units}
    groups = sheet.groups()
    return [f"{names[ship]} {does} in group {group}." for ship, group in groups.items()] or [nobody]
