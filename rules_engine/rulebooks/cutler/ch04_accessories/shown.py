"""Chapter 4.2.4 on its owner's board: what units carry, and the mines that they are to lay."""

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import features, say_lay
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.state import CutlerState


def aboard_panel(state: CutlerState, race: Side, title: str = "Accessories") -> list[Panel]:
    """The panel of what a race's units carry, if they carry any."""
    rows = tuple(f"{unit.name}: {', '.join(carried)}" for unit in state.alive(race) if (carried := aboard(unit)))
    return [Panel(title=title, rows=rows)] if rows else []


def lay_rows(state: CutlerState, race: Side) -> list[str]:
    """Standing orders to lay mines, in words."""
    known = features(state, race)
    return [
        f"{unit.name}, when it ends an impulse there: {say_lay(unit.lays, known)}."
        for unit in state.alive(race)
        if unit.lays and unit.lays.around in known
    ]
