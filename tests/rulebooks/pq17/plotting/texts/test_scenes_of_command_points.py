"""Plans and plots for which command points are wanting, and errands that wait for stores: whole texts."""

from typing import Any

import pytest

from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import end_shadowing
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_ask, plot_movement_steps
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.progress import Errand, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.playing.written_scenes import answered, heard, refused, scene
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import table
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def homebound(*, route: tuple[str, ...] = (), step: str = "", **fields: Any) -> State:
    """A Federation dreadnought in 1016, two hexes from Scapa Flow, for which no points are left."""
    state = campaign()
    given: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE, "id_level": IdLevel.ID0, **fields}
    tf = put(state, "A1", "1016", "FED-DN", route=list(route), plot=step, **given)
    state.progress.command["federation"].uncovered = list(tf.units)
    state.turn, state.impulse = 1, 1
    return state


@pytest.mark.rule("pq17", "4.2.3")
def test_a_ship_without_points_must_go_home(request: Request) -> None:
    """Refused as a plan that keeps station, and as a plot that leads elsewhere; a stored route is cut back."""
    state = homebound()
    planning = planning_ask(table(state), "alliance")
    found = [*refused(planning, [{"A1": {"speed": "0"}}])]
    state.doctrine["alliance"].ask_every_impulse = True
    plot = plot_ask(table(state), "alliance")
    assert plot is not None
    found += refused(plot, [{"A1": {"move": "0916"}}])
    at = table(homebound(route=("0916",)))
    found += scene(at, plot_movement_steps(at))
    compare(request, found)


@pytest.mark.rule("pq17", "4.2.3", "7.4.4")
def test_a_ship_without_points_shadows_nobody(request: Request) -> None:
    state = homebound(shadowing="C1")
    put(state, "C1", "1016", "KLI-DD", id_level=IdLevel.ID0, speed=Speed.CRUISE)
    at = table(state)
    end_shadowing(at)
    compare(request, [line for report in at.shared.reports for line in heard(at, report)])


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_a_ship_on_transfer_takes_on_stores_first(request: Request) -> None:
    state = campaign(turn=2)
    tf = put(state, "A5", "1217", "FED-CA", in_port="A91")
    unit = state.units[tf.units[0]]
    unit.fuel /= 8
    state.progress.permits[unit.id] = Permit(kind="transfer", hexes=["1722"], key="A5")
    state.progress.errands[unit.id] = Errand(leave="1722")
    at = table(state)
    ask = planning_ask(at, "alliance")
    assert ask.default is not None
    found = [*answered(ask, ask.default)]
    carry_out_plans(at, {"alliance": ask.default})
    compare(request, [*found, *(line for report in at.shared.reports for line in heard(at, report))])
