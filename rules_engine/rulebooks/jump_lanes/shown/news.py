"""What is numbered on a map: battles, extended jumps, and what counters tell by themselves, from what is seen alone."""

from collections.abc import Iterator, Sequence

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.grids.charts import Chart
from rules_engine.core.knowledge.glance import LaneTransit, News
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank, numbered_places, short_name
from rules_engine.core.knowledge.views import Counter, HexNote, Knowledge
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

UNDER_WAY = 500
"""How heavy an extended jump is."""


def map_news(
    state: LanesState,
    side: Side | None,
    chart: Chart,
    *,
    counters: Sequence[Counter],
    notes: Sequence[HexNote],
    jumps: Sequence[LaneTransit],
    knowledge: Knowledge | None,
    owners: Sequence[SideLabel],
) -> tuple[News, ...]:
    """The numbered places of an empire's map; None for a map of nobody in particular."""
    looked = Looked(
        reader=side or "",
        places=chart,
        counters=counters,
        notes=notes,
        since=When(turn=state.turn),
        owners={label.key: label.name for label in owners},
        knowledge=knowledge or Knowledge(),
        says_levels=False,
    )
    names = {note.hex: note.name for note in notes if note.name}
    battles = [*_battles(state, side, counters)]
    fought = {one.hex for one in battles}
    met = (one for one in noticed(looked) if one.hex not in fought)
    return numbered_places([*battles, *met, *_under_way(side, chart, counters, jumps)], chart, names)


def _battles(state: LanesState, side: Side | None, counters: Sequence[Counter]) -> Iterator[Happening]:
    """The battles that are being fought."""
    for one in counters:
        if one.form == "battle":
            choice = [] if side is None else ["Fight it out, then enter the result"]
            own = [other.label for other in counters if other.owner == side and other.hex == one.hex]
            said = [f"{' and '.join(own[:2])} in battle", "battle"] if own else ["battle"]
            yield Happening(Rank.BATTLE, one.hex, said, aside="thread is open", choice=choice)


def _under_way(
    side: Side | None, chart: Chart, counters: Sequence[Counter], jumps: Sequence[LaneTransit]
) -> Iterator[Happening]:
    """Own groups in lanes, which take no orders until they arrive. 13.1.6"""
    own = {one.id: one for one in counters if side is not None and one.owner == side}
    for jump in jumps:
        if jump.counter in own:
            goal = short_name(chart.called(jump.end), 14)
            said = [
                f"{own[jump.counter].label} in transit to {goal}, arrives in {jump.arrives}",
                f"{own[jump.counter].label} arrives in {jump.arrives}",
            ]
            yield Happening(
                Rank.ELSE,
                own[jump.counter].hex,
                said,
                weight=UNDER_WAY,
                aside="takes no orders",
                names_place=True,
                idle=True,
            )
