"""Ships that special conditions bring: what they are, where they come on, what becomes of them."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, place_units
from rules_engine.rulebooks.pq17.ch05_movement.movement import may_stay
from rules_engine.rulebooks.pq17.ch12_mines.attacks import minefield_attack_steps
from rules_engine.rulebooks.pq17.contacts.minefields import note_transit
from rules_engine.rulebooks.pq17.nations import homes, victory_points
from rules_engine.rulebooks.pq17.records.construction import BuiltBase, BuiltPart
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.logistics import GoodsDelivery, LogisticsPlan
from rules_engine.rulebooks.pq17.records.progress import Away, Departure
from rules_engine.rulebooks.pq17.records.special_conditions import Flotilla
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.special_conditions import flotilla_5, ships_brought
from rules_engine.rulebooks.pq17.special_conditions.points import (
    close_specials,
    half_down,
    note_deliveries,
    note_departure,
    note_unloaded,
    permit_breakout,
    permit_transfers,
    score_bases,
)
from rules_engine.rulebooks.pq17.tables.ship_classes import DroneSpaces
from rules_engine.rulebooks.pq17.tables.supply import Goods
from rules_engine.rulebooks.pq17.tables.unit_types import public_name
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told
from tests.rulebooks.pq17.worlds.repair import place
from tests.rulebooks.pq17.worlds.special_conditions import SHIPS, holds, seen, special_world, with_entry


def brought(name: Any, side: str, *, period: int = 1, state: State | None = None) -> TurnContext[State]:
    """The table after a condition brought its ships."""
    made = state or special_world(f"turn {30 * period - 29}")
    at = table(made)
    ships_brought.bring_on(at, holds(made, side, name, period))
    return at


def classes(state: State, units: list[str]) -> list[str]:
    return sorted(state.units[unit_id].class_id for unit_id in units)


def at_kiel(state: State) -> list[TaskForce]:
    return [tf for tf in state.task_forces_in("1715", "coalition") if not tf.is_base]


# --- the Alliance's ---------------------------------------------------------------------------------------------------
def in_words(state: State) -> list[str]:
    """What waits to come on, what lies at Kiel, and which of it must leave again, with all that tugs carry."""

    def ships(units: list[str]) -> str:
        return " ".join(classes(state, units))

    carried = [unit.id for unit in state.units.values() if unit.carried_by]
    arrivals = state.progress.arrivals
    found = [f"{one.kind} on turn {one.opens} in {' '.join(one.entry)}: {ships(one.units)}" for one in arrivals]
    found += [f"in {tf.in_port or tf.hex}: {ships(tf.units)}" for tf in at_kiel(state)]
    found += [f"carried: {ships(carried)}"] if carried else []
    found += [f"{one.name}, due in period {one.due}: {ships(one.ships)}" for one in state.special.projects]
    return found


@cases("case, proves, name, side, period, found")
def test_what_conditions_bring(name: Any, side: str, period: int, found: list[str]) -> None:
    state = brought(name, side, period=period).state
    assert in_words(state) == found
    assert all(state.progress.away[unit].state == "waiting" for one in state.progress.arrivals for unit in one.units)
    loads = {load.unit: load.left for load in state.special.shiploads}
    cargo = {unit.id: SHIPS["F-L"].cargo for unit in state.units.values() if unit.class_id == "F-L"}
    assert loads == cargo
    assert defects(state) == []


@pytest.mark.rule("pq17", "C.special.gearbox", "C.special.wunderland")
@pytest.mark.parametrize(("name", "side"), [("gearbox", "alliance"), ("wunderland", "coalition")])
def test_a_base_project_brings_three_tugs_with_pods_and_a_freighter_with_modules(name: Any, side: str, kept: Kept):
    state = brought(name, side).state
    assert in_words(state) == kept()
    (project,) = state.special.projects
    freighter = next(state.units[one] for one in project.ships if not state.class_of(state.units[one]).is_tug)
    # 24 boxes for two modules of 12, all others hold supply
    assert (freighter.module_boxes, freighter.supply) == (24, freighter.cargo - 24)
    pods = [unit for unit in state.units.values() if unit.carried_by and unit.class_id.endswith("CARGO-POD")]
    assert all(pod.supply == pod.cargo > 0 for pod in pods)


@pytest.mark.rule("pq17", "C.special.breakout")
def test_a_breakout_brings_three_fast_cruisers_and_a_battle_tug_that_must_leave_again(kept: Kept) -> None:
    state = special_world("turn 31\nexecutes coalition: breakout, 2")
    ships_brought.bring_on_breakout(table(state))
    assert in_words(state) == kept()


# --- the Coalition's --------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.special.reinforcements.coalition")
def test_the_first_reinforcements_of_the_coalition_are_the_prinz_keugen_free_of_restrictions() -> None:
    state = brought("reinforcements", "coalition").state
    (tf,) = at_kiel(state)
    (ship,) = state.units_of(tf)
    assert (ship.name, ship.class_id, "unrestricted" in ship.tags) == ("Prinz Keugen", "KLI-D7C", True)
    assert not homes.is_bound(state, tf)
    assert len(at_kiel(brought("reinforcements", "coalition", period=2, state=state).state)) == 1


def test_where_kiel_is_lost_ships_stand_in_its_hex() -> None:
    state = special_world()
    state.remove_force("C90")
    del state.units["C90.BATS"]
    (tf,) = at_kiel(brought("coalition convoy", "coalition", state=state).state)
    assert tf.in_port == ""


def test_the_shipped_catalogue_holds_all_that_conditions_bring() -> None:
    assert ships_brought.missing_classes(SHIPS) == []
    assert ships_brought.missing_classes({key: kind for key, kind in SHIPS.items() if key != "KLI-E4B"}) == ["KLI-E4B"]


@pytest.mark.parametrize("name", ["coalition convoy", "large convoy", "wunderland", "reinforcements", "flotilla 5"])
@pytest.mark.unseen("pq17")
def test_the_alliance_sees_nothing_of_what_joins_the_coalition(name: Any) -> None:
    one, other = brought(name, "coalition"), table(special_world("turn 1"))
    assert seen(one, "alliance") == seen(other, "alliance")
    assert seen(one, "coalition") != seen(other, "coalition")


@pytest.mark.parametrize("name", ["mobile reserves", "sector reserves", "gearbox"])
@pytest.mark.unseen("pq17", reports=("special",))
def test_the_coalition_sees_nothing_of_what_waits_for_the_alliance(name: Any) -> None:
    one, other = brought(name, "alliance"), table(special_world("turn 1"))
    assert seen(one, "coalition") == seen(other, "coalition")
    assert seen(one, "alliance") != seen(other, "alliance")


# --- Flotilla 5 -------------------------------------------------------------------------------------------------------
def waiting_flotilla(turn: int = 31, impulse: int = 1, ask_on: int = 31) -> State:
    state = special_world(f"turn {turn} impulse {impulse}")
    state.special.flotilla = Flotilla(period=2, ask_on=ask_on)
    return state


@pytest.mark.rule("pq17", "C.special.flotilla-5")
def test_flotilla_5_is_placed_on_the_rimward_edge_when_its_owner_likes() -> None:
    state = waiting_flotilla()
    at = table(state)
    run(flotilla_5.flotilla_steps(at), lambda ask: {"flotilla": {"hex": "1718"}})
    (tf,) = [tf for tf in state.task_forces_in("1718") if tf.side == "coalition"]
    assert classes(state, tf.units) == ["KLI-F5B", "KLI-F5B", "KLI-F5C", "KLI-F5DB"]
    assert state.special.flotilla is None
    assert told(at, "alliance") == []
    assert defects(state) == []


@pytest.mark.rule("pq17", "5.3.5.1", "C.special.flotilla-5")
def test_who_is_met_by_flotilla_5_before_its_move_has_the_option_to_remain() -> None:
    """Like every force that is placed on the map in the plot step (ruling MOV-7) it enters its hex in that impulse."""
    state = waiting_flotilla()
    (ship,) = new_units(state, "federation", "FED-CA")
    tf = place_units(state, "alliance", [ship], "1718")
    tf.plot = "1618"
    run(flotilla_5.flotilla_steps(table(state)), lambda ask: {"flotilla": {"hex": "1718"}})
    assert may_stay(state, tf) == "5.3.5.1"


@pytest.mark.rule("pq17", "10.2.6.7", "10.2.6.9", "C.special.flotilla-5")
def test_flotilla_5_brings_general_drones_alone_where_the_klingons_exceed_a_percentage() -> None:
    """Storage for two limited ones in four, a ship; the destroyer that is there has forty and nothing else."""
    state = waiting_flotilla()
    for name in ("KLI-F5B", "KLI-F5C", "KLI-F5DB", "KLI-DD"):
        changes = {"drone_spaces": DroneSpaces(general=2, limited=2), "reload_spaces": 0}
        state.classes[name] = state.classes[name].model_copy(update=changes)
    (ship,) = new_units(state, "klingon", "KLI-DD")
    place_units(state, "coalition", [ship], "1715")
    ship.stores = {Goods.LIMITED_DRONES: 40}
    run(flotilla_5.flotilla_steps(table(state)), lambda ask: {"flotilla": {"hex": "1718"}})
    (tf,) = [tf for tf in state.task_forces_in("1718") if tf.side == "coalition"]
    assert [unit.stores.get(Goods.LIMITED_DRONES, 0) for unit in state.units_of(tf)] == [0, 0, 0, 0]
    assert [unit.stores[Goods.DRONES] for unit in state.units_of(tf)] == [4, 4, 4, 4]


@pytest.mark.rule("pq17", "C.special.flotilla-5")
@cases("line, said", "")
def test_flotilla_5_elsewhere_or_too_late_is_refused(line: dict[str, Any], said: str) -> None:
    (ask,) = asks_of(flotilla_5.flotilla_steps(table(waiting_flotilla())))
    with pytest.raises(Refused, match=said):
        ask.answer_from({"flotilla": line})


@pytest.mark.rule("pq17", "C.special.flotilla-5")
def test_flotilla_5_asks_again_only_when_it_was_told_to() -> None:
    state = waiting_flotilla()
    run(flotilla_5.flotilla_steps(table(state)), lambda ask: {"flotilla": {"ask_on": 45}})
    asked: list[tuple[int, int]] = []
    for turn in range(31, 46):
        for impulse in (1, 2, 3):
            state.turn, state.impulse = turn, impulse
            if asks_of(flotilla_5.flotilla_steps(table(state))):
                asked.append((turn, impulse))
    assert asked == [(45, 1), (45, 2), (45, 3)]  # asks_of leaves it unanswered


@pytest.mark.rule("pq17", "C.special.flotilla-5")
@pytest.mark.parametrize(("impulse", "again"), [(1, 40), (2, 40), (3, 41)])
def test_flotilla_5_asks_again_in_the_same_turn_as_long_as_there_is_an_impulse_left(impulse: int, again: int) -> None:
    """In a turn's last impulse this turn cannot be named any more: it is asked on the next one, and that is said."""
    state = waiting_flotilla(40, impulse, 40)
    (ask,) = asks_of(flotilla_5.flotilla_steps(table(state)))
    waits = {"flotilla": {"ask_on": 40}}
    assert ask.read_back(ask.answer_from(waits)) == [f"Flotilla 5 waits; asked again on turn {again}."]
    run(flotilla_5.flotilla_steps(table(state)), lambda _: waits)
    assert state.special.flotilla.ask_on == again


@pytest.mark.rule("pq17", "C.special.flotilla-5")
def test_flotilla_5_left_to_the_last_plot_stands_at_kiel_and_is_gone_with_its_period() -> None:
    state = waiting_flotilla(60, 3, 60)
    run(flotilla_5.flotilla_steps(table(state)))
    assert [tf.name for tf in at_kiel(state)] == ["Flotilla 5"]
    late = waiting_flotilla(61, 1, 60)
    assert asks_of(flotilla_5.flotilla_steps(table(late))) == ()
    assert late.special.flotilla is None


# --- convoys' points --------------------------------------------------------------------------------------------------
def convoy_of(state: State, goal: str) -> tuple[Any, Any]:
    """The first F-L of a fresh convoy, and a base unit of the Coalition in ``goal``."""
    ships_brought.bring_on(table(state), holds(state, "coalition", "coalition convoy"))
    carrier = next(state.units[load.unit] for load in state.special.shiploads)
    return carrier, state.units_of(next(tf for tf in state.bases_in(goal, "coalition")))[0]


@cases("case, proves, goal, moved_to, unloaded, destroyed, points", "points")
def test_what_a_convoys_cargo_scores(goal: str, moved_to: str, unloaded: int, destroyed: int, points: list[str]):
    """In secret at first, and for both to see when the period is closed."""
    state = special_world("turn 30")
    carrier, base = convoy_of(state, goal)
    state.set_hex(state.tf_of(base.id), moved_to)
    load = state.special.shiploads[0]
    load.left, load.destroyed = 200, destroyed
    note_unloaded(state, carrier, base, unloaded)
    at = table(state)
    close_specials(at)
    assert [f"{line.amount} {' '.join(line.seen_by)}" for line in state.ledger] == points
    assert not any(line.public for line in state.ledger)
    victory_points.close_period(at)
    assert all(line.public for line in state.ledger)
    assert state.special.shiploads == []


@pytest.mark.rule("pq17", "C.special.gearbox")
@pytest.mark.parametrize(("whole", "half"), [(Fraction(2), 1), (Fraction(1), Fraction(1, 2)), (Fraction(1, 2), 0)])
def test_a_crippled_part_is_worth_half_rounded_down(whole: Fraction, half: Fraction) -> None:
    assert half_down(whole) == half


@pytest.mark.rule("pq17", "C.special.coalition-convoy")
def test_no_more_counts_than_was_aboard_and_nothing_after_its_period() -> None:
    state = special_world("turn 30")
    carrier, base = convoy_of(state, "1308")
    full = state.special.shiploads[0].left
    note_unloaded(state, carrier, base, full + 100)
    assert state.special.shiploads[0].delivered == full
    state.turn = 31
    note_unloaded(state, carrier, base, 10)
    assert state.special.shiploads[0].delivered == full


@pytest.mark.rule("pq17", "C.special.coalition-convoy", "12.7.7")
@cases("sheet, amount", made="amount")
def test_cargo_lost_to_mines_scores_as_in_battle(sheet: dict[str, Any], amount: Fraction | None) -> None:
    state = special_world("turn 30 impulse 1 half A initiative coalition")
    carrier, _ = convoy_of(state, "1308")
    tf = state.tf_of(carrier.id)
    place(state, "alliance", "1715", 1)
    note_transit(state, tf.id, "1715", "1715")
    face = 1 + sorted(tf.units).index(carrier.id)
    dice = {"number of mine": 1, "ships attacked": face, "attack rolls": 8, "shields hit": 3}
    at = table(state, by_label=dice)
    run(minefield_attack_steps(at), lambda ask: {carrier.id: sheet} if ask.kind == "mine damage" else None)
    state.ledger = []  # the ship itself scores in public
    close_specials(table(state))
    assert [line.amount for line in state.ledger] == ([] if amount is None else [amount])


@pytest.mark.rule("pq17", "C.special.coalition-convoy")
def test_cargo_handed_to_another_ship_of_the_convoy_is_still_to_be_delivered() -> None:
    state = special_world("turn 30")
    convoy_of(state, "1308")
    one, other = (load.unit for load in state.special.shiploads)
    goods = GoodsDelivery(source=one, target=other, goods=Goods.SUPPLY, plotted=Fraction(10), amount=Fraction(10))
    state.logistics["coalition"] = LogisticsPlan(done=[goods])
    note_deliveries(state)
    assert {load.unit: load.left for load in state.special.shiploads} == {one: 40, other: 60}


# --- bases set up -----------------------------------------------------------------------------------------------------
def built(state: State, hex_id: str, *parts: str, side: str = "alliance", crippled: tuple[str, ...] = ()) -> None:
    mark = "FED" if side == "alliance" else "KLI"
    made = [BuiltPart(class_id=f"{mark}-{part}") for part in parts]
    made += [BuiltPart(class_id=f"{mark}-{part}", crippled=True) for part in crippled]
    state.built = [BuiltBase(side=side, unit="x", hex=hex_id, turn=state.turn, active_since=state.turn, parts=made)]


@cases("case, proves, name, side, hex_id, parts, crippled, points", "")
def test_what_a_projects_base_scores(
    *, name: Any, side: str, hex_id: str, parts: tuple[str, ...], crippled: tuple[str, ...], points: int | str
) -> None:
    state = brought(name, side).state
    built(state, hex_id, *parts, side=side, crippled=crippled)
    for _ in ("scored", "once"):
        score_bases(table(state))
        assert sum(line.amount for line in state.ledger) == Fraction(points)


@pytest.mark.rule("pq17", "C.special.gearbox", "SOP.3.a")
def test_points_that_are_scored_as_a_period_ends_are_told_once_and_ships_by_their_owners_names() -> None:
    """No base after two periods: 2 points to the Coalition; and of four ships three have left. The fourth is named to
    its owner; to the enemy it is one of its kind, as losses are (ruling FOG-1). Who scores is told so as it is scored,
    the other side as it is revealed."""
    state = brought("gearbox", "alliance").state
    *gone, left = state.special.projects[0].ships
    for unit in gone:
        state.progress.away[unit] = Away(state="left")
    state.units[left].name = "Old Reliable"
    state.turn = 60
    at = table(state)
    close_specials(at)
    victory_points.close_period(at)
    kind = public_name(state.class_of(state.units[left]))
    for side in ("alliance", "coalition"):
        points = [text for text in told(at, side) if "to the Alliance total" in text]
        assert [text.rpartition("Operation GEARBOX: ")[2] for text in points] == [
            "no base has been set up.",
            f"{kind} has not left the map.",
        ]
    assert "Operation GEARBOX: Old Reliable has not left the map." in told(at, "alliance")
    assert not any("Old Reliable" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "C.special.gearbox", "C.special.wunderland")
@pytest.mark.parametrize(("name", "side", "points"), [("gearbox", "alliance", -2), ("wunderland", "coalition", 4)])
def test_no_base_by_the_end_of_the_second_period_scores_for_the_enemy(name: Any, side: str, points: int) -> None:
    state = brought(name, side).state
    for unit in state.special.projects[0].ships:
        state.progress.away[unit] = Away(state="left")
    state.turn = 30
    close_specials(table(state))
    assert state.ledger == []
    state.turn = 60
    close_specials(table(state))
    assert [line.amount for line in state.ledger] == [points]


@pytest.mark.rule("pq17", "C.special.gearbox", "C.special.wunderland", "C.special.breakout")
def test_project_ships_that_have_not_left_cost_their_destruction() -> None:
    state = brought("wunderland", "coalition").state
    (project,) = state.special.projects
    project.scored = True
    tug, *others = project.ships
    for unit in others:
        state.progress.away[unit] = Away(state="left")
    state.turn = 60
    close_specials(table(state))
    worth = SHIPS[state.units[tug].class_id].bpv_economic / 60
    assert len(state.ledger) == 1
    assert abs(state.ledger[0].amount - worth) <= worth  # to half a point, by the victory table in force
    assert state.ledger[0].amount > 0


@pytest.mark.rule("pq17", "C.special.gearbox")
def test_project_ships_and_what_they_carry_may_leave_in_any_condition() -> None:
    state = brought("gearbox", "alliance").state
    with_entry(state, "1719-1721")
    permit_transfers(state)
    ships = state.special.projects[0].ships
    assert {state.progress.permits[one].kind for one in ships} == {"special"}
    assert len(state.progress.permits) == 12  # four ships, six pods, two modules
    assert state.progress.permits[ships[0]].hexes == ["1719", "1720", "1721"]


# --- breakout ---------------------------------------------------------------------------------------------------------
def leaving(kind: str, *, fuel: Fraction | int | None = None, crippled: bool = False, hex_id: str = "0522") -> State:
    """One Klingon ship has just left the map during a breakout."""
    state = special_world("turn 40 / executes coalition: breakout, 2")
    (unit,) = new_units(state, "klingon", kind)
    place_units(state, "coalition", [unit], hex_id)
    permit_breakout(state)
    unit.crippled = crippled
    if fuel is not None:
        unit.fuel = Fraction(fuel)
    note_departure(table(state), Departure(unit=unit.id, kind="special", key="breakout", hex=hex_id, turn=40, fit=True))
    return state


CAPACITY = SHIPS["KLI-CA"].warp + SHIPS["KLI-CA"].awr


@pytest.mark.rule("pq17", "C.special.breakout")
@cases("kind, fuel, crippled, points", made="fuel")
def test_dreadnoughts_and_cruisers_that_break_out_score_if_fit(kind: str, fuel: Any, crippled: bool, points: list[int]):
    assert [line.amount for line in leaving(kind, fuel=fuel, crippled=crippled).ledger] == points


@pytest.mark.rule("pq17", "C.special.breakout")
def test_who_broke_out_may_come_on_again_a_period_later_with_half_its_fuel_less() -> None:
    state = leaving("KLI-CA")
    (ship,) = [unit for unit in state.units.values() if unit.class_id == "KLI-CA"]
    assert ship.fuel == Fraction(CAPACITY, 2)
    assert next(unit.fuel for unit in leaving("KLI-CA", fuel=3).units.values() if unit.class_id == "KLI-CA") == 0
    state.remove_force(state.tf_of(ship.id).id)
    state.progress.away[ship.id] = Away(state="left")
    state.turn = 60
    close_specials(table(state))
    assert state.progress.arrivals == []
    state.turn = 90
    close_specials(table(state))
    (arrival,) = state.progress.arrivals
    assert (arrival.units, arrival.opens, arrival.entry[0], arrival.entry[-1]) == ([ship.id], 91, "0122", "1222")


@pytest.mark.rule("pq17", "C.special.breakout")
def test_leave_to_break_out_is_for_the_trailing_edge_and_its_period() -> None:
    state = special_world("turn 40 / executes coalition: breakout, 2")
    units = [*new_units(state, "klingon", "KLI-CA"), *new_units(state, "klingon", "KLI-DD")]
    place_units(state, "coalition", units, "0522")
    permit_breakout(state)
    assert list(state.progress.permits) == [units[0].id]
    assert state.progress.permits[units[0].id].hexes == [f"{row:02}22" for row in range(1, 13)]
    state.turn = 60
    close_specials(table(state))
    assert state.progress.permits == {}


@pytest.mark.parametrize(("empire", "said"), [("Klingon", "ZZ of Klingon"), ("", "ZZ of any empire")])
def test_a_class_that_is_in_no_catalogue_is_named_with_its_empire(empire: str, said: str) -> None:
    with pytest.raises(ships_brought.NoSuchClass, match=f"^{said}$"):
        ships_brought.class_for(special_world(), "ZZ", empire)
