"""What is done with cargo, as players write it: ``2 census at Sol, Garrison at Wolf 359``, ``census to Hermes``."""

import re
from collections.abc import Collection, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.forms.routes import NOWHERE
from rules_engine.rulebooks.jump_lanes.plotting.names import place_names, plain, squadron_names, unit_names
from rules_engine.rulebooks.jump_lanes.records.orders import CargoAction, CargoOrder
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron

MOST_ORDERS = 20
_BETWEEN = re.compile(r"[,;\n]")
_ORDER = re.compile(
    r"(?:(?P<amount>\d{1,4}|all|every)\s+(?:of\s+)?)?(?P<what>.+?)"
    r"(?:\s+(?:from|to|onto)\s+(?P<other>.+?))?(?:\s+(?:at|in)\s+(?P<at>.+?))?",
    re.IGNORECASE,
)
POINTS = {
    "census": "census",
    "census point": "census",
    "census points": "census",
    "experience": "experience",
    "experience point": "experience",
    "experience points": "experience",
    "xp": "experience",
}
"""Words for what is counted and no unit."""
EXAMPLE = "2 census at Sol, Garrison"
ACTIONS: dict[CargoAction, str] = {"unload": "unloads", "load": "loads", "jettison": "throws out"}
"""What is done with cargo, in the order in which it is done."""


def read_cargo(
    state: LanesState,
    squadron: Squadron,
    action: CargoAction,
    text: str,
    path: str,
    *,
    around: Collection[PlaceId] = (),
) -> tuple[list[CargoOrder], list[Refusal]]:
    """What a text orders, and every defect of it. Where no place is named it is done where the squadron is; at
    places that a route goes ``around`` again and again it is done each time."""
    if plain(text) in NOWHERE or plain(text) in ("", "-"):
        return [], []
    pieces = [one for one in (" ".join(piece.split()) for piece in _BETWEEN.split(text)) if one]
    if len(pieces) > MOST_ORDERS:
        return [], [malformed(f"{len(pieces)} orders for cargo", path, legal=f"at most {MOST_ORDERS}")]
    orders: list[CargoOrder] = []
    refusals: list[Refusal] = []
    for piece in pieces:
        order, defects = _read_one(state, squadron, action, piece, path)
        refusals += defects
        if order is not None:
            orders.append(order.with_values(again=order.at in around))
    return orders, refusals


def _read_one(
    state: LanesState, squadron: Squadron, action: CargoAction, text: str, path: str
) -> tuple[CargoOrder | None, list[Refusal]]:
    empire = squadron.empire
    found = _ORDER.fullmatch(text)
    if found is None:
        return None, [malformed(f"“{text[:60]}” cannot be read", path, legal=EXAMPLE)]
    refusals: list[Refusal] = []
    what = POINTS.get(plain(found["what"]), "")
    if not what:
        what, defects = unit_names(state, empire).read(found["what"], path)
        refusals += [
            one.with_values(legal=f"census, experience, or {one.legal or 'a unit of yours'}") for one in defects
        ]
    amount = int(found["amount"]) if (found["amount"] or "").isdigit() else None
    if amount == 0:
        refusals.append(malformed(f"“{text}” is of nothing", path, legal="1 or more"))
    if amount is not None and what in state.units:
        problem = f"{state.units[what].name} is one unit, and not counted"
        refusals.append(malformed(problem, path, legal=state.units[what].name))
    at, other = squadron.at, ""
    if found["at"]:
        at, defects = place_names(state, empire).read(found["at"], path)
        refusals += defects
    if found["other"]:
        other, defects = _other(state, empire, found["other"], path)
        refusals += defects
    if refusals:
        return None, refusals
    return CargoOrder(action=action, what=what, amount=amount, at=at, other=other), []


def _other(state: LanesState, empire: Side, text: str, path: str) -> tuple[str, list[Refusal]]:
    """Who gives or takes: a squadron, the colony, or for flights a carrier."""
    if plain(text) in ("colony", "the colony"):
        return "", []
    squadron, refusals = squadron_names(state, empire).read(text, path)
    if not refusals:
        return squadron, []
    unit, _ = unit_names(state, empire).read(text, path)
    return (unit, []) if unit else ("", refusals)


def what_name(state: LanesState, order: CargoOrder) -> str:
    """What an order is about, in words."""
    if order.what in state.units:
        return state.units[order.what].name
    return order.what if order.amount is None else f"{order.amount} {order.what}"


def other_name(state: LanesState, key: str) -> str:
    """Who gives or takes, in words."""
    if key in state.squadrons:
        return state.squadrons[key].name
    return state.units[key].name if key in state.units else key


def write_cargo(state: LanesState, orders: Sequence[CargoOrder], action: CargoAction) -> str:
    """The reverse of reading: the orders of one kind."""
    return ", ".join(say_cargo(state, one) for one in orders if one.action == action)


def say_cargo(state: LanesState, order: CargoOrder) -> str:
    """An order as it is written: ``2 census from Hermes at Sol``."""
    word = "from" if order.action == "load" else "to"
    other = f" {word} {other_name(state, order.other)}" if order.other else ""
    at = f" at {state.place_name(order.at)}" if order.at else ""
    return f"{what_name(state, order)}{other}{at}"
