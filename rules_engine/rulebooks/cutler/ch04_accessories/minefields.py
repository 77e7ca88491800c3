"""Chapter 4.2.4.5: mines are laid after combat, and minefields stay until they are swept. Their owner alone knows."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Line, number_field
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import features, laid_around
from rules_engine.rulebooks.cutler.records.accessories.catalogue import MINES
from rules_engine.rulebooks.cutler.records.accessories.holds import layable, put
from rules_engine.rulebooks.cutler.records.accessories.lines import SweptLine
from rules_engine.rulebooks.cutler.records.accessories.mines import (
    MINE_REACH,
    MOST_MINES,
    MinesLaid,
    first_of,
    read_chart,
    ring,
)
from rules_engine.rulebooks.cutler.records.planetary import is_free_to_act
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit

SILENT = SweptLine()


# --- laying ----------------------------------------------------------------------------------------------------------


@rule("4.2.4.5.1", "4.2.4.5.2")
def lay_mines(turn: CutlerTurn) -> None:
    """Lay the mines of every unit that stands where it was plotted to lay them, after combat and at once; the order is
    then carried out. 4.2.4.5.1, 4.2.4.5.2, CU-R15, CU-N66"""
    state = turn.state
    lose_fields_of_lost_bases(turn)
    for unit in state.alive():
        if unit.lays is None:
            continue
        feature = features(state, unit.race).get(unit.lays.around)
        if feature is None:
            unit.lays = None
            _tell(turn, unit.race, f"{unit.name} lays no mines: what it was to lay them around is not there.")
        elif feature.hex == unit.hex and is_free_to_act(unit):
            _lay(turn, unit, feature.title)


@rule("4.2.4.5", "4.2.4.5.1", "4.2.4.5.2")
def _lay(turn: CutlerTurn, unit: Unit, title: str) -> None:
    """Lay mines around a feature, up to 120 CPV there, as their map says. 4.2.4.5, 4.2.4.5.1, 4.2.4.5.2, CU-N67"""
    state, order = turn.state, unit.lays
    unit.lays = None
    if order is None:
        return
    most = layable(unit)
    cpv = min(most if order.cpv is None else order.cpv, most, MOST_MINES - laid_around(state, unit.race, order.around))
    if cpv <= 0:
        _tell(turn, unit.race, f"{unit.name} lays no mines around {title}: it has none left, or no more may lie there.")
        return
    places = first_of(read_chart(order.chart, "")[0], cpv) if order.chart else ring(cpv)
    key = f"{unit.race}/{order.around}"
    field = state.minefields.setdefault(key, MinesLaid(race=unit.race, around=order.around, hex=unit.hex))
    for place, count in places.items():
        field.places[place] = field.places.get(place, 0) + count
    put(unit.holds, MINES, unit.holds[MINES].item, -cpv)
    _tell(turn, unit.race, f"{unit.name} lays {cpv} CPV of mines around {title}; {field.cpv} lie there: {field.chart}.")


def _tell(turn: CutlerTurn, race: Side, text: str) -> None:
    turn.tell([race], text, kind="mines", why=because("4.2.4.5.1, 4.2.4.5.2, CU-R15"))


@rule("4.2.4.5.2")
def lose_fields_of_lost_bases(turn: CutlerTurn) -> None:
    """With a base is lost what surrounds it: mines in open space have no effect. Whoever had lost the base before
    learns it when it has units there. 4.2.4.5.2, CU-N66"""
    state = turn.state
    for key in sorted(state.minefields):
        field = state.minefields[key]
        if has_effect(state, field):
            continue
        base = state.units[field.around]
        if base.race == field.race or state.units_in(field.hex, field.race):
            del state.minefields[key]
            _tell(turn, field.race, f"With {base.name} the mines around it, {field.cpv} CPV in {field.hex}, are gone.")


def has_effect(state: CutlerState, field: MinesLaid) -> bool:
    """Whether what it surrounds is still there, be it known to its owner or not. 4.2.4.5.2"""
    base = state.units.get(field.around)
    return base is None or not base.destroyed


# --- what its owner says and reads -----------------------------------------------------------------------------------


def fields_of(state: CutlerState, race: Side, hex_id: HexId | None = None) -> list[MinesLaid]:
    """A race's minefields, of one hex if it is named."""
    fields = [state.minefields[key] for key in sorted(state.minefields)]
    return [field for field in fields if field.race == race and hex_id in (None, field.hex)]


def name_of_feature(state: CutlerState, field: MinesLaid) -> str:
    """What a minefield surrounds. Its owner's base may be in another's hands."""
    base = state.units.get(field.around)
    return base.name if base else features(state, field.race)[field.around].name


def chart_panel(state: CutlerState, race: Side, hex_id: HexId | None = None, title: str = "Minefields") -> list[Panel]:
    """The panel of a race's minefields with their maps, if it has any."""
    rows = tuple(
        f"{name_of_feature(state, field)}, {field.hex}: {field.cpv} of {MOST_MINES} CPV at {field.chart}"
        for field in fields_of(state, race, hex_id)
    )
    return [Panel(title=title, rows=rows)] if rows else []


def fought_over(state: CutlerState, race: Side) -> dict[str, MinesLaid]:
    """A race's minefields that were fought at, and of which it has not yet said what is left, by the keys of lines."""
    fields = [field for field in fields_of(state, race) if field.fought]
    return {f"N{number}": field for number, field in enumerate(fields, 1)}


def swept_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each of them: what is left is counted on the players' own map. CU-N68"""
    return [
        Line(
            key,
            f"Mines around {name_of_feature(state, field)}",
            (number_field("lost", "Swept or exploded in battle", range(field.cpv + 1), 0, "CPV worth of mines"),),
            f"{field.hex}, {field.cpv} CPV",
            "Minefields",
        )
        for key, field in fought_over(state, race).items()
    ]


@rule("4.2.4.5.1")
def judge_swept(state: CutlerState, race: Side, lines: dict[str, SweptLine]) -> list[Refusal]:
    """Refusals of what was lost of minefields. 4.2.4.5.1, CU-N68"""
    fields = fought_over(state, race)
    legal = ", ".join(fields) or "none"
    text = "no battle was fought at such a minefield"
    refusals = [malformed(text, key, legal=legal) for key in lines if key not in fields]
    for key, field in fields.items():
        if lines.get(key, SILENT).lost > field.cpv:
            text = f"{field.cpv} CPV of mines lie there"
            refusals.append(illegal(text, "4.2.4.5.1, CU-N68", f"{key}.lost", legal=f"0 to {field.cpv}"))
    return refusals


@rule("4.2.4.5.1")
def sweep_mines(state: CutlerState, race: Side, lines: dict[str, SweptLine]) -> None:
    """Take what was lost from minefields; all else stays. 4.2.4.5.1, CU-N68"""
    for key, field in fought_over(state, race).items():
        field.sweep(lines.get(key, SILENT).lost)
        field.fought = False
        if not field.cpv:
            del state.minefields[field.key]


def say_swept(state: CutlerState, race: Side, lines: dict[str, SweptLine]) -> list[str]:
    """The lines in plain words."""
    fields = fought_over(state, race)
    return [
        f"{key}: {lines[key].lost} of {field.cpv} CPV of mines around {name_of_feature(state, field)} are gone."
        for key, field in fields.items()
        if lines.get(key, SILENT).lost
    ]


# --- what must never be, and what spies find -------------------------------------------------------------------------


def minefield_defects(state: CutlerState) -> list[str]:
    """What is impossible of minefields. 4.2.4.5.2"""
    found: list[str] = []
    for key, field in state.minefields.items():
        if key != field.key or field.race not in state.races() or field.hex not in state.grid:
            found.append(f"minefield {key} is nowhere or nobody's")
        if not 0 < field.cpv <= MOST_MINES or any(count < 1 for count in field.places.values()):
            found.append(f"minefield {key} has more or fewer mines than it can have")
        if field.around not in state.units and field.around not in features(state, field.race):
            found.append(f"minefield {key} surrounds nothing")
        if read_chart(field.chart, "")[1]:
            found.append(f"minefield {key} has mines more than {MINE_REACH} hexes from what it surrounds")
    return found


@rule("6.4.1.1", "4.2.4.5.2")
def detected(state: CutlerState, spy: Side, against: Side, hex_id: HexId) -> str:
    """What a successful mission finds of a race's minefields in a hex: the first one of a turn whether there are any,
    and what they surround, the second their CPV, too, the third their maps. 6.4.1.1, 4.2.4.5.2, CU-R110"""
    found = state.empires[spy].mines_found
    key = f"{against} {hex_id}"
    found[key] = level = found.get(key, 0) + 1
    fields = [field for field in fields_of(state, against, hex_id) if has_effect(state, field)]
    if not fields:
        return f"no minefield in {hex_id}."
    return f"{'; '.join(_as_found(state, field, level) for field in fields)}."


def _as_found(state: CutlerState, field: MinesLaid, level: int) -> str:
    base = state.units.get(field.around)
    around = with_article(base.record.name) if base else name_of_feature(state, field)
    cpv = f", {field.cpv} CPV" if level > 1 else ""
    return f"a minefield around {around}{cpv}{f': {field.chart}' if level > 2 else ''}"
