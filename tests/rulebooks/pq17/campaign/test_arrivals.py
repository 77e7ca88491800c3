"""Coming on the map and leaving it, by hand."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign import arrivals, convoys, departures
from rules_engine.rulebooks.pq17.campaign.period_sheet import PeriodLine, PeriodSheet, carry_out_period, period_ask
from rules_engine.rulebooks.pq17.ch05_movement.movement import destinations, move
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.routes import read_route
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import Arrival, CommandAccount, Departure, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.notation import run, ship_class, table, told

# --- pursuit out of port is a sortie: it needs command points like a plotted one. Ruling CP-4 -------------------------
DICE = {"surprise": 2, "conditions": 5, "main roll": 100, "ID roll": 1}


def beaten_off(points: int, ships: tuple[str, ...] = ("KLI-DN",), port: str = "C91", **account: Any) -> State:
    """A destroyer attacks Kiel while a squadron is in port there, or beside it."""
    state = campaign(turn=30)
    state.progress.command["klingon"] = CommandAccount(bank=points, **account)
    put(state, "C1", "1715", *ships, in_port=port, id_level=IdLevel.ID0)
    put(state, "A1", "1715", "FED-DD", id_level=IdLevel.ID0, speed=Speed.EFFICIENT)
    state.impulse, state.half, state.initiative = 3, "B", "coalition"
    return state


def pursuit(state: State, sheet: dict[str, Any], *, silent: bool = False) -> list[tuple[str, str, str]]:
    """Play the half; the defenders win and the destroyer flees. Gives the refusals of the winner's ``sheet``, where the
    destroyer is called ``quarry``; a legal sheet is sent. ``silent``: standing orders decide, and nobody answers."""
    refused: list[tuple[str, str, str]] = []

    def answer(ask: AnyAsk) -> Any:
        if ask.kind == "attack" and ask.parties == ("alliance",):
            return {"A1": {"target": state.tracks["alliance"].current["C91"]}}
        if ask.kind == "battle":
            fates = {line.key: {"fate": "ok"} for line in ask.form.lines if line.key.startswith("DF")}
            fled = {"AT1": {"fate": "disengaged", "turn": 2}}
            return {"battle": {"winner": "coalition", "turns": 3}, **fates, **fled}
        if ask.kind == "reform" and "Pursuit" in ask.title and not silent:
            prey = state.tracks["coalition"].current["A1"]
            given = {
                key: {name: prey if value == "quarry" else value for name, value in line.items()}
                for key, line in sheet.items()
            }
            found = ask.check(ask.model.model_validate(given))
            refused.extend((one.path, one.rule, one.problem) for one in found)
            return None if found else given
        return None

    at = table(state, by_label=DICE)
    announce_detections(at)
    run(half_steps(at, "alliance"), answer)
    return refused


@cases("points, account, ships, sheet, refused, after", "refused, after")
def test_who_pursues_out_of_port(
    points: int, account: dict[str, Any], ships: list[str], *, sheet: dict[str, Any], refused: list[Any], after: str
) -> None:
    """In the last half impulse of a period. ``after``: points in the bank and spent, and which ships have been out."""
    state = beaten_off(points, tuple(ships), **account)
    assert pursuit(state, sheet) == refused
    left = state.progress.command["klingon"]
    assert f"{left.bank} left, {left.spent} spent, out {' '.join(left.out)}" == after
    if refused:
        assert state.task_forces["C1"].in_port == "C91"


@cases("points, port")
def test_standing_orders_to_pursue_do_not_lead_out_of_port_without_a_point(points: int, port: str) -> None:
    state = beaten_off(points)
    state.doctrine["coalition"].orders = read_orders("regroup keep; pursue battle", "", of_side=True)[0]
    pursuit(state, {}, silent=True)
    assert state.task_forces["C1"].in_port == port


F = Fraction


def units(state: State, stem: str, *kinds: str, nation: str = "", tags: tuple[str, ...] = ()) -> list[Unit]:
    """New units in no task force."""
    return [state.units[one] for one in make(state, stem, kinds, nation=nation, tags=tags)]


def convoy(state: State) -> None:
    """Two freighters of the convoy to the Kzintis, waiting for turn 1."""
    arrivals.expect_force(state, state.settings.campaign.force_of("kzinti-convoy"), units(state, "A", "F-L", "F-L"), 1)


def leaving(*kinds: str, hex_id: str = "1719", impulse: int = 1, **fields: Any) -> tuple[State, TaskForce]:
    """A force of the Alliance that plots to leave the map from an edge hex."""
    state = campaign()
    state.impulse = impulse
    return state, put(state, "A1", hex_id, *kinds, **{"speed": Speed.CRUISE, "plot": "exit"} | fields)


def gone(state: State) -> tuple[TurnContext[State], list[Departure]]:
    """Move the Alliance, and take off the map who leaves it."""
    at = table(state)
    move(state, "alliance")
    return at, departures.leave_map(at, "alliance")


TRANSFER = Permit(kind="transfer", hexes=["1719"], key="federation-6")


def reinforced(*kinds: str) -> tuple[State, str]:
    """Reinforcements of the Federation that wait for turn 31, and the key of their line."""
    state = campaign(turn=31)
    arrivals.expect_reinforcements(state, "federation", units(state, "A", *kinds), 31)
    return state, state.progress.arrivals[0].key


def column_22() -> list[str]:
    return [f"{row:02}22" for row in range(1, 18)]


@pytest.mark.rule("pq17", "C.oob.federation.kzinti-convoy")
def test_the_kzinti_convoy_is_placed_on_the_trailing_edge_before_plotting() -> None:
    """Ruling MOV-7: in its hex on impulse 1, free of fuel and of a point, full of supply."""
    state = campaign()
    state.impulse = 1
    convoy(state)
    (arrival,) = arrivals.waiting(state, "alliance")
    assert arrival.entry == column_22()
    arrivals.settle(state, arrival)
    assert arrival.hex == "0722"  # Murzank in 0806 is nearest from there
    arrivals.place_arrivals(table(state))
    tf = state.task_forces["A1"]
    assert (tf.hex, tf.speed) == ("0722", Speed.EFFICIENT)
    assert tf.route[-2:] == ["0806", "port"]
    assert [(unit.fuel, unit.supply) for unit in state.units_of(tf)] == [(8, 50), (8, 50)]
    assert (state.progress.arrivals, state.progress.away) == ([], {})
    assert {one.original for one in state.progress.freighters.values()} == {50}


@cases("key, stem, edge, boxes")
def test_base_convoys_come_on_by_their_own_edges(key: str, stem: str, edge: list[str], boxes: int) -> None:
    state = campaign(turn=31)
    nation = state.settings.campaign.convoy_of(key).nation
    assert state.settings.campaign.convoy_of(key).boxes == boxes
    arrivals.expect_convoy(state, key, units(state, stem, "F-L", "F-S", nation=nation), 31)
    side = "alliance" if stem == "A" else "coalition"
    (arrival,) = arrivals.waiting(state, side)
    assert (sorted(arrival.entry), state.progress.arrivals[0].opens) == (sorted(edge), 31)
    state.impulse = 1
    arrivals.settle(state, arrival)
    arrivals.place_arrivals(table(state))
    (tf,) = [one for one in state.all_task_forces(side) if not one.is_base]
    assert {state.progress.permits[one].kind for one in tf.units} == {"resupply"}
    assert all(sorted(state.progress.permits[one].hexes) == sorted(edge) for one in tf.units)


@pytest.mark.rule("pq17", "C.oob.kzinti.orion-mercenaries")
def test_orions_are_placed_in_a_kzinti_settled_hex_on_the_first_turn() -> None:
    state = campaign()
    arrivals.expect_force(state, state.settings.campaign.force_of("orion"), units(state, "A", "ORI-CA", "ORI-DD"), 1)
    carry_out_period(table(state), "alliance", PeriodSheet({"orion": PeriodLine(hex="1201")}))
    state.impulse = 1
    arrivals.place_arrivals(table(state))
    assert (state.task_forces["A1"].hex, state.task_forces["A1"].route) == ("1201", [])
    assert state.progress.entered == {"A.ORI-CA": 1, "A.ORI-DD": 1}


@cases("speed, impulse")
def test_reinforcements_come_on_with_their_first_movement_point_and_pay_for_it(speed: str, impulse: int) -> None:
    """A cruiser's hex costs 1/4, 1 or 2 by its speed (Table 1); Scapa Flow is its goal."""
    state, key = reinforced("FED-CA")
    line = PeriodLine(hex="1720", turn=1, goal="A91", speed=Speed(speed))
    carry_out_period(table(state), "alliance", PeriodSheet({key: line}))
    for state.impulse in (1, 2, 3):
        arrivals.enter_with_points(table(state), "coalition")
        arrivals.enter_with_points(table(state), "alliance")
        assert ("A1" in state.task_forces) == (state.impulse >= impulse)
    tf = state.task_forces["A1"]
    assert tf.hex == "1720"
    assert state.units["A.FED-CA"].fuel == 30 - {"1": F(1, 4), "2": F(1), "3": F(2)}[speed]
    assert (tf.route[-2:], state.progress.direct["A.FED-CA"].hex) == (["1217", "port"], "1217")


@cases("nation, hexes")
def test_where_reinforcements_come_on(nation: str, hexes: list[str]) -> None:
    state = campaign()
    stem = "C" if nation in ("klingon", "lyran") else "A"
    kind = f"{nation[:3].upper()}-FF"
    arrivals.expect_reinforcements(state, nation, units(state, stem, kind), 1)
    assert state.progress.arrivals[0].entry == hexes


@pytest.mark.rule("pq17", "C.schedule.note5")
def test_reinforcements_may_be_held_back_as_long_as_one_likes_and_split() -> None:
    state, key = reinforced("FED-FF", "FED-FF", "FED-DD")
    line = PeriodLine(hex="hold", apart=("A.FED-DD",), apart_hex="1719", turn=4)
    carry_out_period(table(state), "alliance", PeriodSheet({key: line}))
    for turn in range(31, 62):
        state.turn, state.impulse = turn, 2
        arrivals.enter_with_points(table(state), "alliance")
        state.impulse = 1
        arrivals.enter_with_points(table(state), "alliance")
        assert ("A1" in state.task_forces) == (turn >= 34)
    assert state.task_forces["A1"].units == ["A.FED-DD"]
    (held,) = arrivals.waiting(state, "alliance")
    assert (held.units, held.hex, held.turn) == (["A.FED-FF", "A.FED-FF2"], "", 0)


def test_a_group_that_comes_on_has_a_name_that_its_owner_could_give_it() -> None:
    """The Federation's reinforcements have one of 25 characters, of which 24 fit a sheet."""
    state, key = reinforced("FED-FF")
    assert [arrival.name for arrival in state.progress.arrivals] == ["Federation reinforcements"]
    line = PeriodLine(hex="1720", turn=1, speed=Speed.CRUISE)
    carry_out_period(table(state), "alliance", PeriodSheet({key: line}))
    state.impulse = 1
    arrivals.enter_with_points(table(state), "alliance")
    assert state.task_forces["A1"].name == "Federation reinforcement"


def test_groups_that_come_by_the_same_line_have_keys_of_their_own() -> None:
    state = campaign(turn=31)
    for _ in range(3):
        arrivals.expect_reinforcements(state, "federation", units(state, "A", "FED-FF"), 31)
    first, *others = [one.key for one in state.progress.arrivals]
    assert others == [f"{first}-2", f"{first}-3"]


@pytest.mark.rule("pq17", "C.schedule.note3")
def test_another_edge_hex_is_refused() -> None:
    state, key = reinforced("FED-FF")
    ask = period_ask(table(state), "alliance")
    wrong = ask.check(PeriodSheet({key: PeriodLine(hex="1718")}))
    assert [(one.rule, one.path) for one in wrong] == [("PQ-17 C.schedule.note3", f"{key}.hex")]
    assert not ask.check(PeriodSheet({key: PeriodLine(hex="1721")}))


# --- leaving --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.schedule.note3")
def test_only_who_has_leave_goes_off_the_map_and_only_from_its_hexes() -> None:
    state = campaign()
    tf = put(state, "A1", "1719", "FED-FF", speed=Speed.EFFICIENT)
    route = read_route(state, tf, "exit", Speed.EFFICIENT, "A1.route")
    assert [one.rule for one in route.refusals] == ["PQ-17 C.schedule.note3"]
    assert "exit" not in destinations(state, tf)
    departures.allow_exit(state, "A1.FED-FF", Permit(kind="transfer", hexes=["1719", "1720"], key="federation-6"))
    assert read_route(state, tf, "exit", Speed.EFFICIENT, "A1.route").steps == ["exit"]
    assert "exit" in destinations(state, tf)
    state.set_hex(tf, "1718")
    away = read_route(state, tf, "exit", Speed.EFFICIENT, "A1.route").refusals
    assert [(one.rule, one.nearest) for one in away] == [("PQ-17 C.schedule.note3", ("1719",))]
    after = read_route(state, tf, "1719 exit 1718", Speed.EFFICIENT, "A1.route").refusals
    assert [one.rule for one in after] == ["PQ-17 5.3"]


@pytest.mark.rule("pq17", "5.3", "C.schedule.note3")
def test_leaving_takes_a_movement_point_and_the_enemy_loses_the_contact() -> None:
    state, tf = leaving("FED-FF", id_level=IdLevel.U)
    hunter = put(state, "C1", "1719", "KLI-FF", shadowing="A1")
    departures.allow_exit(state, "A1.FED-FF", TRANSFER)
    at = table(state)
    assert move(state, "alliance") == [tf, hunter]
    (left,) = departures.leave_map(at, "alliance")
    assert (left.unit, left.hex, left.fit) == ("A1.FED-FF", "1719", True)
    assert "A1" not in state.task_forces
    assert (state.progress.away["A1.FED-FF"].state, hunter.shadowing) == ("transferred", "")
    assert "Contact E6 has left the map." in told(at, "coalition")
    assert not any("FED-FF" in text for text in told(at, "coalition"))


@pytest.mark.unseen("pq17", reports=("news",))
def test_nobody_hears_of_a_force_that_left_undetected() -> None:
    state, _ = leaving("FED-FF")
    departures.allow_exit(state, "A1.FED-FF", TRANSFER)
    at, _ = gone(state)
    assert told(at, "coalition") == []


@pytest.mark.rule("pq17", "C.cargo-supply-benefit")
def test_a_bought_carrier_comes_and_goes_once_a_period_and_is_filled_each_time() -> None:
    """Ruling SCN-28."""
    state, _ = leaving("FED-AT", hex_id="1722")
    unit = state.units["A1.FED-AT"]
    convoys.register_carriers(state)
    assert sorted(state.progress.permits[unit.id].hexes) == sorted([*column_22(), "1719", "1720", "1721"])
    unit.supply = 3
    gone(state)
    assert state.progress.away[unit.id].state == "waiting"
    assert arrivals.waiting(state, "alliance") == []  # not again in this period
    state.turn = 31
    convoys.register_carriers(state)
    (arrival,) = arrivals.waiting(state, "alliance")
    assert (arrival.kind, arrival.units) == ("cargo", [unit.id])
    arrivals.settle(state, arrival)
    arrivals.place_arrivals(table(state))
    assert unit.supply == 20
    back = state.tf_of(unit.id)
    assert back is not None
    assert "exit" in destinations(state, back)
    assert unit.id not in state.progress.freighters  # victory conditions 7 to 10 do not apply


@pytest.mark.rule("pq17", "C.cargo-supply-benefit")
def test_a_carrier_comes_back_with_the_pod_that_it_left_with() -> None:
    state, tf = leaving("FED-AT", hex_id="1722", impulse=2, speed=Speed.EFFICIENT)
    state.classes = state.classes | {"POD": ship_class("POD", "1/4", unit_kind="pod", cargo=25, empire="Federation")}
    state.set_units(tf, [*tf.units, *make(state, "A1", ["POD"])])
    state.units["A1.POD"].carried_by = "A1.FED-AT"
    convoys.register_carriers(state)
    gone(state)
    state.turn = 31
    convoys.register_carriers(state)
    (arrival,) = arrivals.waiting(state, "alliance")
    assert sorted(arrival.units) == ["A1.FED-AT", "A1.POD"]


@pytest.mark.rule("pq17", "C.cargo-supply-benefit")
def test_a_carrier_leaves_once_a_period() -> None:
    state, tf = leaving("FED-AT", hex_id="1722")
    convoys.register_carriers(state)
    gone(state)
    state.progress.away = {}
    state.put_force(tf)
    tf.plot = ""
    state.set_units(tf, ["A1.FED-AT"])
    wrong = read_route(state, tf, "exit", Speed.EFFICIENT, "A1.route").refusals
    assert [one.rule for one in wrong] == ["PQ-17 C.cargo-supply-benefit"]
    state.turn = 31
    assert read_route(state, tf, "exit", Speed.EFFICIENT, "A1.route").refusals == []


# --- the bound squadron ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.oob.klingon.restriction")
def test_the_bound_squadron_keeps_to_its_base_until_it_is_released() -> None:
    state = campaign()
    tf = put(state, "C1", "1715", "KLI-DN", "KLI-CA", tags=["BATRON-N"], speed=Speed.CRUISE)
    free = put(state, "C2", "1715", "KLI-CA", speed=Speed.CRUISE)
    (wrong,) = read_route(state, tf, "to 1514", Speed.CRUISE, "C1.route").refusals
    assert wrong.rule == "PQ-17 C.oob.klingon.restriction"
    assert destinations(state, tf) == ["stay", "port"]
    assert "1614" in destinations(state, free)
    state.progress.released = True
    assert read_route(state, tf, "to 1514", Speed.CRUISE, "C1.route").refusals == []
    assert "1614" in destinations(state, tf)


def test_the_map_is_as_large_as_the_text_says() -> None:
    grid: Grid = campaign().grid
    assert (grid.columns, grid.rows) == (22, 17)


@cases("kind, bases")
def test_a_base_convoy_heads_for_the_bases_that_its_order_of_battle_names(kind: str, bases: list[str]) -> None:
    """Kiel in 1715; another Klingon base is a goal for all but the convoy."""
    state = campaign()
    put(state, "C92", "0505", "KLI-BATS", base=BaseRecord(name="Bastion", known=True, key="bastion"))
    given = {"key": "x", "kind": kind, "nation": "klingon", "name": "X", "units": [], "entry": ["1701"]}
    assert [base.id for base in arrivals.goals(state, Arrival.from_json(given))] == bases


@pytest.mark.rule("pq17", "C.schedule.note3")
def test_who_has_no_goal_enters_at_the_first_of_its_hexes() -> None:
    state = campaign()
    given = {"key": "x", "kind": "force", "nation": "klingon", "name": "X", "units": [], "entry": ["1701", "1705"]}
    arrival = Arrival.from_json(given)
    assert arrivals.usual_hex(state, arrival, None) == "1701"
    assert arrivals.usual_hex(state, arrival, state.task_forces["A94"]) == "1705"
