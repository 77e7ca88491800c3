"""Whether a squadron may land, hand over or throw away cargo (13.3.3)."""

from rules_engine.core.basics.counted import counted, with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch3_cargo.embarking import EMBARKED_NOW, NEXT, judge_other, lot_kind, too_much
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import (
    WORDS,
    basing_room,
    carrier_with_room,
    held,
    lots_requirement,
    own_colony,
    room_of,
    unloadable,
)
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import GROUND_KINDS, LotKind, Squadron, Unit
from rules_engine.rulebooks.jump_lanes.tables.loads import unit_requirement


def judge_disembarking(state: LanesState, squadron: Squadron, order: CargoOrder, path: str) -> list[Refusal]:
    """Refusals of landing cargo, of handing it to another squadron, and of flights for a carrier."""
    kind = lot_kind(order.what)
    if kind is not None:
        return _judge_points(state, squadron, order, kind, path)
    unit = _aboard(state, squadron, order.what)
    if unit is None:
        return [_not_aboard(state, squadron, order.what, path)]
    if unit.embarked == state.turn:
        return [illegal(f"{unit.name} cannot leave {squadron.name}: {EMBARKED_NOW}", "13.3.3", path, legal=NEXT)]
    if order.other:
        carrier = state.units.get(order.other)
        if carrier is not None and carrier.empire == squadron.empire:
            return judge_basing(state, squadron, unit, carrier, path)
        return judge_other(state, squadron, order.other, path) or _judge_room(
            state, state.squadrons[order.other], unit, path
        )
    return judge_landing(state, squadron, unit, path)


def judge_jettison(state: LanesState, squadron: Squadron, order: CargoOrder, path: str) -> list[Refusal]:
    """Refusals of throwing cargo away, which may be done anywhere but in a lane. JL-R27"""
    kind = lot_kind(order.what)
    if kind is None:
        return [] if _aboard(state, squadron, order.what) else [_not_aboard(state, squadron, order.what, path)]
    there = held(squadron, kind)
    if not there or (order.amount or 1) > there:
        text = f"{squadron.name} carries {counted(there, WORDS[kind])}"
        return [illegal(text, "13.3.3", path, legal=_at_most(there))]
    return []


def amount_to_unload(state: LanesState, squadron: Squadron, order: CargoOrder, kind: LotKind) -> int:
    """How many points an order lands or hands over: as many as it says, or all that may leave and find room."""
    if order.amount is not None:
        return order.amount
    there = unloadable(state, squadron, kind)
    taker = state.squadrons.get(order.other)
    if taker is None:
        return there
    return max(0, min(there, int(room_of(state, taker) // lots_requirement(kind, 1))))


@rule("13.3.2.1", "13.3.3-embarking")
def _judge_points(state: LanesState, squadron: Squadron, order: CargoOrder, kind: LotKind, path: str) -> list[Refusal]:
    """Refusals of landing or handing over points: of more than there are, of what came aboard in this turn, elsewhere
    than at an own colony, of census at one in rebellion. 13.3.2.1, 13.3.3-embarking, JL-R21, JL-R24"""
    what, aboard, there = WORDS[kind], held(squadron, kind), unloadable(state, squadron, kind)
    if aboard and not there:
        text = f"the {what}s aboard {squadron.name} cannot leave: {EMBARKED_NOW}"
        return [illegal(text, "13.3.3", path, legal=NEXT)]
    if not there or (order.amount or 1) > there:
        text = f"{squadron.name} has {counted(there, what)} to disembark"
        return [illegal(text, "13.3.3", path, legal=_at_most(there))]
    if order.other:
        if refusals := judge_other(state, squadron, order.other, path):
            return refusals
        room = room_of(state, state.squadrons[order.other])
        amount = max(1, amount_to_unload(state, squadron, order, kind))
        takes = lots_requirement(kind, amount)
        if takes > room:
            most = max(0, int(room // lots_requirement(kind, 1)))
            said = f"{state.squadrons[order.other].name}: {counted(amount, what)}"
            return [too_much(said, takes, room, path, legal=f"at most {most}")]
        return []
    colony = own_colony(state, squadron.empire, squadron.at)
    here = state.place_name(squadron.at)
    if colony is None:
        text = f"there is no colony of yours at {here}"
        return [illegal(text, "13.3.2.1", path, legal="a colony of yours, or another squadron of yours there")]
    if kind == "census" and colony.rebellion:
        text = f"{colony.name} is in rebellion, and no census disembarks"
        return [illegal(text, "13.3.2.1", path, legal="a colony that is not in rebellion")]
    return []


@rule("13.3.2.3-ground", "13.3.2.3-officers", "13.3.3-embarking")
def judge_landing(state: LanesState, squadron: Squadron, unit: Unit, path: str) -> list[Refusal]:
    """Refusals of putting a unit out: ground units and officers need an own colony, flights that or a carrier; other
    units of space stand at the place. 13.3.2.3-ground, 13.3.2.3-officers, 13.3.3-embarking, JL-N33"""
    if own_colony(state, squadron.empire, squadron.at) is not None:
        return []
    here = state.place_name(squadron.at)
    if unit.kind in GROUND_KINDS or unit.kind == "officer":
        legal = "a colony of yours, another squadron there, or for ground units an invasion"
        rules = "13.3.2.3" if unit.kind in GROUND_KINDS else "13.3.3"
        return [illegal(f"{unit.name} cannot land: there is no colony of yours at {here}", rules, path, legal=legal)]
    if unit.kind == "flight" and carrier_with_room(state, squadron, unit) is None:
        legal = "a colony of yours, or a carrier there with basing capacity"
        return [illegal(f"{unit.name} has nowhere to be based at {here}", "13.3.3", path, legal=legal)]
    return []


@rule("13.3.3-embarking")
def judge_basing(state: LanesState, squadron: Squadron, unit: Unit, carrier: Unit, path: str) -> list[Refusal]:
    """Refusals of a carrier for a flight: another kind of unit, a carrier that is elsewhere or cargo itself, and one
    without basing capacity left. 13.3.3-embarking, JL-R27"""
    if unit.kind != "flight":
        text = f"{unit.name} is {with_article(unit.kind)}, and carriers base flights"
        return [illegal(text, "13.3.3", path, legal="a squadron or the colony")]
    group = state.squadrons.get(carrier.squadron)
    if group is None or group.at != squadron.at:
        text = f"{carrier.name} is in no squadron at {state.place_name(squadron.at)}"
        return [illegal(text, "13.3.3", path, legal="a carrier of yours in a squadron there")]
    room = basing_room(state, carrier)
    if unit.siz > room:
        text = f"{carrier.name} has basing capacity for {max(0, room)}, and {unit.name} takes {unit.siz}"
        return [illegal(text, "13.3.3", path, legal="a carrier with capacity left")]
    return []


def _judge_room(state: LanesState, taker: Squadron, unit: Unit, path: str) -> list[Refusal]:
    room = room_of(state, taker)
    takes = unit_requirement(unit.kind, unit.siz)
    if takes is None or takes <= room:
        return []
    legal = "a squadron with Cargo rating enough"
    return [too_much(f"{taker.name}: {unit.name}", takes, room, path, legal=legal)]


def _at_most(there: int) -> str:
    return f"at most {there}" if there else "what is aboard"


def _aboard(state: LanesState, squadron: Squadron, what: str) -> Unit | None:
    unit = state.units.get(what)
    return unit if unit is not None and unit.aboard == squadron.id else None


def _not_aboard(state: LanesState, squadron: Squadron, what: str, path: str) -> Refusal:
    carried = [one.id for one in state.carried(squadron.id)]
    legal = ", ".join([*carried, *dict.fromkeys(lot.kind for lot in squadron.hold)]) or "nothing, for it is empty"
    return malformed(f"{what} is not aboard {squadron.name}", path, legal=legal, nearest=nearest(what, carried))
