"""What lasts through turns of Cutler's campaigns (courses, tows, cloaks, docks, missions) is begun and ended by its own
functions alone: nothing else writes its fields, whatever is played."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rules_engine.rulebooks.cutler.records.parts.empires import Fleet
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.parts.units import Unit
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState

WRITERS: dict[type[Any], dict[str, str]] = {
    Unit: {
        "cloaked": "cutler.records.parts.units",
        "towing": "cutler.records.parts.units",
        "docked_at": "cutler.records.conditions.docking",
    },
    Fleet: {"course": "cutler.records.parts.empires"},
    PlottedConvoy: {"course": "cutler.records.shipping.convoys"},
    Mission: {"status": "cutler.ch06_espionage.espionage", "committed": "cutler.ch06_espionage.espionage"},
    CutlerState: {"missions": "cutler.ch06_espionage"},
}
"""The one module, or the one room, that writes each field of what lasts, but for those that make or read a record."""
RECORDS = "rules_engine.core.basics.record"


@contextmanager
def only_their_own_functions_write() -> Iterator[None]:
    """Let nothing begin or end what lasts but its own functions. 2.2, 2.4.1.5, 2.4.1.7, 2.6.2.1, 2.7, 6.4"""
    usual = {kind: kind.__setattr__ for kind in WRITERS}

    def watched(record: Any, name: str, value: object) -> None:
        writer = WRITERS[type(record)].get(name)
        if writer is not None:
            frame = sys._getframe(1)
            module = frame.f_globals["__name__"]
            made = frame.f_code.co_name == "__init__" or module == RECORDS
            assert made or f"{module}.".startswith(f"rules_engine.rulebooks.{writer}."), (name, frame.f_code)
        usual[type(record)](record, name, value)

    for kind in WRITERS:
        kind.__setattr__ = watched
    try:
        yield
    finally:
        for kind in WRITERS:
            with suppress(AttributeError):
                del kind.__setattr__
            if kind.__setattr__ is not usual[kind]:
                kind.__setattr__ = usual[kind]
