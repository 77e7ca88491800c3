"""A plot as it is read back, and read again."""

from collections.abc import Iterator

from rules_engine.rulebooks.vector.plotting.actions import write_action
from rules_engine.rulebooks.vector.records.plots import PlotEvent, UnitPlot

COASTS = "coast"


def write_plot(plot: UnitPlot, piece: range) -> str:
    """A plot of the piece as it is read again."""
    return "; ".join(_written(plot, piece)) or COASTS


def _written(plot: UnitPlot, piece: range) -> Iterator[str]:
    for event in plot.as_typed:
        yield write_event(event, piece)
    if plot.path:
        yield f"path {plot.path}" + (" first" if len(plot.path) == 1 else "")
    if plot.friction is not None:
        yield f"friction {plot.friction}"
    if plot.warp is not None:
        yield f"energy {plot.warp}+{plot.impulse or 0}"


def write_event(event: PlotEvent, piece: range) -> str:
    """One event as it is read again."""
    said = write_action(event)
    if event.when is None:
        return f"{said} on {event.impulse}"
    when = event.when
    since = f" from {when.first}" if when.first != piece[0] else ""
    until = f" to {when.last}" if when.last != piece[-1] else ""
    return f"when {when.unit or 'nearest enemy'} within {when.within}{since}{until}: {said}"
