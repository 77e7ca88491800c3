"""The Cost of Repair table: a file ``repair.toml`` beside a scenario's others, which players can replace with their own
figures.

``source`` says where the values come from; those that are made up say ``invented``. A type of box that is not listed
costs a flat 50 CDR points in the logistics step (11.4.9.3.1). Ruling REP-1.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.scenarios.files import parsed
from rules_engine.rulebooks.pq17.ch11_repair.boxes import CONSUMABLES, SELF_REPAIR, SHIELDS, box_type

REPAIR_TABLE = "repair.toml"


class RepairTable(Frozen):
    """Values by type of box, before the operational factor. All shields are one type, ``shield``."""

    source: Annotated[str, Field(min_length=1)] = "invented"
    cost: dict[str, Annotated[int, Field(ge=1, le=99)]] = Field(default_factory=dict[str, int])


def read_repair_table(files: Mapping[str, str]) -> tuple[RepairTable, list[Refusal]]:
    """The table among a scenario's files; without one everything costs the flat figure. All defects are returned."""
    refusals: list[Refusal] = []
    table = parsed(files, REPAIR_TABLE, RepairTable, refusals) if REPAIR_TABLE in files else RepairTable()
    return (RepairTable(), refusals) if table is None else (table, [*refusals, *_defects(table)])


def _defects(table: RepairTable) -> Iterable[Refusal]:
    for box in sorted(table.cost):
        path = f"{REPAIR_TABLE}.cost.{box}"
        if box in SHIELDS:
            yield malformed("all shields cost the same", path, legal="shield")
        elif box == SELF_REPAIR or box in CONSUMABLES:
            yield malformed(f"{box} is no box with a cost of its own", path, legal="types of boxes")
        elif box != box_type(box):
            yield malformed(f"{box} is spelled otherwise", path, legal=box_type(box))
