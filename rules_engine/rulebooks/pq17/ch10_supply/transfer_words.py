"""The notation of transfers: ``> haven 20 supply, > lance 4 supply as fuel, self 3 supply as fuel``.

Each part names the receiving unit, the amount and kind of goods, and, for supply, what it is converted into. PQ-17
10.3.7.4.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from rules_engine.core.basics.rational import parse_rational
from rules_engine.core.basics.refusals import Refusal, ambiguous, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import GoodsTransfer
from rules_engine.rulebooks.pq17.tables.supply import Goods

SELF = "self"
"""The word by which a unit names itself."""

_SHORT: dict[str, Goods] = {
    "sp": Goods.SUPPLY,
    "supply points": Goods.SUPPLY,
    "supplies": Goods.SUPPLY,
    "fp": Goods.FUEL,
    "fuel points": Goods.FUEL,
    "rp": Goods.REPAIR,
    "repairs": Goods.REPAIR,
    "repair": Goods.REPAIR,
    "drone spaces": Goods.DRONES,
    "general drones": Goods.DRONES,
    "crew": Goods.CREW,
    "admin shuttles": Goods.SHUTTLES,
    "mines": Goods.LARGE_MINES,
    "t-bombs": Goods.T_BOMBS,
    "tbombs": Goods.T_BOMBS,
    "chaff packs": Goods.FIGHTER_PODS,
    "boosters": Goods.WARP_BOOSTERS,
}


def _names() -> dict[str, Goods]:
    names = {goods.value.casefold(): goods for goods in Goods} | _SHORT
    singular = {name.removesuffix("ies") + "y" if name.endswith("ies") else name.removesuffix("s") for name in names}
    for name in sorted(singular - set(names)):
        plural = next(one for one in names if one in (f"{name}s", f"{name.removesuffix('y')}ies"))
        names[name] = names[plural]
    return names


GOODS_NAMES = _names()
"""Every accepted name of goods, in lower case."""

_AMOUNT = r"(?P<amount>\d{1,6}(?:\.\d+|\s+\d+/\d+|/\d+|\s*[¼½¾])?)"
_PART = re.compile(rf">?\s*(?P<target>\S.*?)\s+{_AMOUNT}\s+(?P<goods>\D+?)(?:\s+(?:as|into)\s+(?P<into>\D+))?")
_GOODS = re.compile(rf"{_AMOUNT}\s+(?P<goods>\D+)")

UnitNames = dict[str, list[str]]
"""The ids of units by their names, or again by their ids, in lower case."""

LEGAL = "> base-id 20 supply, or > ship-id 4 supply as fuel; several with commas"


@rule("SOP.2.a.iv.2")
def read_transfers(text: str, source: Unit, names: UnitNames, path: str) -> tuple[list[GoodsTransfer], list[Refusal]]:
    """The transfers that a text orders from ``source``, to units that are named by id or name."""
    found: list[GoodsTransfer] = []
    refusals: list[Refusal] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _PART.fullmatch(part)
        amount = None if match is None else _amount(match["amount"])
        if match is None or amount is None:
            refusals.append(malformed(f"{part!r} is no transfer", path, legal=LEGAL))
            continue
        target, wrong = _unit(match["target"], source, names, path)
        goods, wrong_goods = _goods(match["goods"], path)
        into, wrong_into = _goods(match["into"], path) if match["into"] else (None, [])
        refusals += [*wrong, *wrong_goods, *wrong_into]
        if target and goods is not None and not wrong_into:
            if amount == 0:
                refusals.append(malformed(f"{part!r} moves nothing", path, legal="at least 1"))
            else:
                found.append(GoodsTransfer(source=source.id, target=target, goods=goods, amount=amount, into=into))
    return found, refusals


def read_amounts(text: str, path: str) -> tuple[list[tuple[Goods, Fraction]], list[Refusal]]:
    """Amounts of goods as they are written: ``12 drones, 1 shuttle``."""
    found: list[tuple[Goods, Fraction]] = []
    refusals: list[Refusal] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _GOODS.fullmatch(part)
        amount = None if match is None else _amount(match["amount"])
        if match is None or amount is None:
            refusals.append(malformed(f"{part!r} is no amount of goods", path, legal="12 drones, 1 shuttle"))
            continue
        goods, wrong = _goods(match["goods"], path)
        refusals += wrong
        if goods is not None:
            found.append((goods, amount))
    return found, refusals


def said_given(verb: str, source: str, target: str, goods: str) -> str:
    """Who gives what to whom. A name that ends with a number has no other number behind it: ``Haven gave F-L 5 3
    supply`` could not be read."""
    if target.rpartition(" ")[2].isdigit():
        return f"{source} {verb} {goods} to {target}"
    return f"{source} {verb} {target} {goods}"


def write_transfers(transfers: Iterable[GoodsTransfer]) -> str:
    """The reverse of :func:`read_transfers`, of one source."""
    return ", ".join(_write(one) for one in transfers)


def _write(one: GoodsTransfer) -> str:
    into = f" as {one.into.value}" if one.into is not None and one.into is not one.goods else ""
    target = SELF if one.target == one.source else f"> {one.target}"
    return f"{target} {_plain(one.amount)} {one.goods.value}{into}"


def write_amounts(amounts: Iterable[tuple[Goods, Fraction]]) -> str:
    """The reverse of :func:`read_amounts`."""
    return ", ".join(f"{_plain(amount)} {goods.value}" for goods, amount in amounts if amount)


def _amount(text: str) -> Fraction | None:
    """``12``, ``2 3/4``, ``2¾``, ``2.75``; None for a division by zero."""
    try:
        return parse_rational(text)
    except ValueError:
        return None


def _plain(amount: Fraction) -> str:
    whole, rest = divmod(amount, 1)
    return " ".join(str(one) for one in (whole, rest) if one) or "0"


def unit_names(known: Iterable[Unit]) -> UnitNames:
    """The names of the units that may be named."""
    names: UnitNames = {}
    for unit in known:
        for name in dict.fromkeys((unit.id.casefold(), unit.name.casefold())):
            names.setdefault(name, []).append(unit.id)
    return names


def _unit(text: str, source: Unit, names: UnitNames, path: str) -> tuple[str, list[Refusal]]:
    wanted = " ".join(text.split()).casefold()
    if wanted in (SELF, source.id.casefold(), source.name.casefold()):
        return source.id, []
    found = names.get(wanted, [])
    if len(found) == 1:
        return found[0], []
    if found:
        return "", [ambiguous(f"“{text}” could be several ships", path, nearest=found)]
    ids: Sequence[str] = sorted({one for ids in names.values() for one in ids})
    near = nearest(text, names)
    return "", [malformed(f"“{text}” is none of your ships here", path, legal=", ".join(ids), nearest=near)]


def _goods(text: str, path: str) -> tuple[Goods | None, list[Refusal]]:
    wanted = " ".join(text.split()).casefold()
    goods = GOODS_NAMES.get(wanted)
    if goods is not None:
        return goods, []
    legal = ", ".join(one.value for one in Goods)
    near = nearest(text, GOODS_NAMES)
    return None, [malformed(f"“{text.strip()}” is no kind of goods", path, legal=legal, nearest=near)]
