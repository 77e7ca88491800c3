"""Chapter 11.3 and 11.4.2 to 11.4.8: self-repair in and right after a battle sequence, from the unit's own budget.

A battle sequence is a battle and all pursuits that follow from it (11.4.2). Repairs during the fighting are reported on
the result form; afterwards the owner spends the rest of the budget on the post-combat sheet.
"""

from collections.abc import Iterable, Mapping, Sequence

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch11_repair.boxes import (
    COUNTED,
    SELF_REPAIR,
    SHIELDS,
    TRACKS,
    all_destroyed,
    blocked_by,
    box_name,
    count_boxes,
    destroyed,
    full_boxes,
    read_boxes,
    restore,
    say_boxes,
    write_boxes,
)
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State

SHIELD_DAMCON = 2
"""The DAMCON box needed to restore shields after a battle. PQ-17 11.4.7.2."""
SHIELD_POWER = 2
"""The power needed for that beyond life support. PQ-17 11.4.7.2."""
LIFE_SUPPORT = 2
"""More than any unit's life support; only used to fill in the form (ruling REP-8: the owner says)."""
MEND = "repair "
"""Prefix of the post-combat sheet's lines that order repairs, before the unit."""

# --- capacity ---------------------------------------------------------------------------------------------------------


@rule("11.3.2")
def most_self_repairs(unit: Unit) -> int:
    """A unit's whole self-repair capacity: the sum of its undestroyed DAMCON boxes. PQ-17 11.3.2."""
    return sum(unit.damcon_track)


@rule("11.2.5.3", "11.2.6", "11.4.5.1", "11.4.7.1")
def points_aboard(unit: Unit) -> int:
    """Repair points that a unit could use on itself: in its DAMCON track, repair boxes and cargo, and those that its
    supply converts to. PQ-17 11.2.5.3, 11.2.6, 11.4.5.1, 11.4.7.1."""
    return unit.repair_points + unit.supply


@rule("11.3.3", "11.4.7.1")
def self_repairs_possible(unit: Unit) -> int:
    """How many boxes it could repair itself now, limited by budget and by repair points. PQ-17 11.3.3, 11.4.7.1."""
    return min(unit.self_repairs_left, points_aboard(unit))


@rule("11.3.2", "11.4.5.2", "11.2.1")
def use_self_repairs(unit: Unit, count: int) -> None:
    """Expend self-repairs, each with a repair point: those locked in the DAMCON track first, supply last.

    PQ-17 11.2.1, 11.3.2, 11.4.5.2."""
    unit.self_repairs_left = max(0, unit.self_repairs_left - count)
    for field in ("rp_damcon", "rp_repair", "rp_cargo", "supply"):
        used = min(count, int(getattr(unit, field)))
        setattr(unit, field, int(getattr(unit, field)) - used)
        count -= used


@rule("11.3.7", "11.4.5.4", "11.4.6.3")
def trim_budget(unit: Unit) -> int:
    """Remove the self-repairs that a damaged DAMCON track no longer allows; returns how many. Repair points there are
    removed with the other stores. PQ-17 11.3.7, 11.4.5.4, 11.4.6.3, ruling REP-10."""
    lost = max(0, unit.self_repairs_left - most_self_repairs(unit))
    unit.self_repairs_left -= lost
    return lost


# --- the battle sequence ----------------------------------------------------------------------------------------------


@rule("11.4.2", "11.4.5.3")
def begin_sequence(units: Iterable[Unit], turn: int) -> None:
    """Note that these units fight this turn, and how many boxes each may repair by CDR until the sequence ends: its
    best DAMCON box when the first battle begins. PQ-17 11.4.2, 11.4.5.3, ruling REP-7."""
    for unit in units:
        unit.repairs = unit.repairs.with_values(cdr_left=unit.damcon_rating, fought=turn)


@rule("11.4.2")
def end_sequence(units: Iterable[Unit]) -> None:
    """The sequence is over. PQ-17 11.4.2."""
    for unit in units:
        unit.repairs = unit.repairs.with_values(cdr_left=None)


@rule("11.4.5.1", "11.4.5.3", "11.4.5")
def most_by_cdr(unit: Unit) -> int:
    """Boxes that it may still repair by CDR in this sequence. PQ-17 11.4.5, 11.4.5.1, 11.4.5.3."""
    left = unit.repairs.cdr_left
    return min(self_repairs_possible(unit), unit.damcon_rating if left is None else left)


# --- the result form --------------------------------------------------------------------------------------------------


class RepairFields(Frozen):
    """Damage and repair in a unit's line of the result form. Left out: damage as before, no repairs."""

    damcon: int | None = None
    """DAMCON boxes left; damage takes the highest first."""
    damage: str | None = None
    """All other boxes that are destroyed now."""
    cdr: int | None = None
    edr: int | None = None

    @property
    @rule("11.4.5.2", "11.4.6.2")
    def self_repairs(self) -> int:
        """Boxes that it repaired in the battle. PQ-17 11.4.5.2, 11.4.6.2."""
        return (self.cdr or 0) + (self.edr or 0)


@rule("11.4.1")
def result_fields(state: State, unit: Unit) -> list[Field]:
    """The fields for damage that is counted nowhere else, and for both ways of repair in a battle. PQ-17 11.4.1."""
    fields: list[Field] = []
    boxes = len(unit.damcon_track)
    if state.class_of(unit).damcon_track:
        full = len(state.class_of(unit).damcon_track)
        fields.append(_number("damcon", "DAMCON boxes left", full, boxes))
    text = "All destroyed now, for example hull 3, shield-1 12, phaser-1 2"
    said = write_boxes(other_damage(unit).items())
    fields.append(
        Field(key="damage", label="Other boxes destroyed", kind="text", most=200, value=said, optional=True, help=text)
    )
    if most_by_cdr(unit):
        fields.append(_number("cdr", "Boxes repaired by CDR", most_by_cdr(unit), 0))
    if self_repairs_possible(unit):
        fields.append(_number("edr", "Boxes repaired by EDR", self_repairs_possible(unit), 0))
    return fields


def _number(key: str, label: str, most: int, value: int) -> Field:
    return Field(key=key, label=label, kind="number", least=0, most=most, value=value, optional=True)


def other_damage(unit: Unit) -> dict[str, int]:
    """Destroyed boxes of types without a field of the unit, sorted by name."""
    return {box: unit.repairs.damage[box] for box in sorted(unit.repairs.damage)}


def known_types(state: State, unit: Unit) -> list[str]:
    """The types of box that a unit's record is known to have."""
    kind = state.class_of(unit)
    types = [*COUNTED, *TRACKS, "hull", "excess", "het", *SHIELDS, *kind.boxes, *unit.repairs.damage]
    return [box for box in dict.fromkeys(types) if full_boxes(state, unit, box) != 0]


@rule("11.4.9.3.5")
def read_damage(state: State, unit: Unit, line: RepairFields, path: str) -> tuple[dict[str, int], list[Refusal]]:
    """The other boxes destroyed that a line reports, and every defect of it. PQ-17 11.4.9.3.5."""
    if line.damage is None:
        return other_damage(unit), []
    listed, wrong = read_boxes(line.damage, path, known_types(state, unit))
    found: dict[str, int] = {}
    for box, count in listed:
        full = full_boxes(state, unit, box)
        if box == SELF_REPAIR:
            wrong.append(illegal("a self-repair is no box", "PQ-17 11.3.4", path, legal="boxes of the record sheet"))
        elif full and box in (*COUNTED, *TRACKS):
            problem = f"the sheet has a field of its own for {box_name(box)}"
            wrong.append(illegal(problem, "PQ-17 8.5.5.6", path, legal="other boxes"))
        elif full is not None and found.get(box, 0) + count > full:
            problem = f"its record has {count_boxes(full, box)}"
            wrong.append(illegal(problem, "PQ-17 9.8", path, legal=f"at most {full}"))
        else:
            found[box] = found.get(box, 0) + count
    return dict(sorted(found.items())), wrong


@rule(
    "11.3.2",
    "11.3.3",
    "11.4.3",
    "11.4.4",
    "11.4.5.1",
    "11.4.5.2",
    "11.4.5.3",
    "11.4.6.1",
    "11.4.6.2",
    "11.4.8",
    "1.9.6",
)
def check_repairs(state: State, unit: Unit, name: str, line: RepairFields, boxes: Mapping[str, int]) -> list[Refusal]:
    """Every defect of a line about damage and self-repair; ``boxes`` are the counts it reports.

    Boxes come back only by CDR or EDR. PQ-17 11.4.4, 11.4.8, ruling REP-7.
    """
    damage, wrong = read_damage(state, unit, line, f"{name}.damage")
    if line.damcon is not None and not 0 <= line.damcon <= len(state.class_of(unit).damcon_track):
        most = len(state.class_of(unit).damcon_track)
        wrong.append(
            illegal(f"its DAMCON track has {counted(most, 'box')}", "PQ-17 9.8", f"{name}.damcon", legal=f"0 to {most}")
        )
    wrong += _check_budget(unit, name, line)
    back, repaired = regained(unit, line, boxes, damage), line.self_repairs
    if not wrong and back > repaired:
        problem = f"it regained {counted(back, 'box')} and repaired {repaired} by CDR and EDR"
        wrong.append(illegal(problem, "PQ-17 11.4.4", name, legal="one self-repair for each"))
    return wrong


@rule("11.3.3", "11.4.5", "11.4.5.1", "11.4.5.3", "11.4.6", "11.4.6.1")
def _check_budget(unit: Unit, name: str, line: RepairFields) -> Iterable[Refusal]:
    """Repairs in the battle are within the self-repair budget and the repair points aboard; those by CDR also within
    the limit of the battle sequence. PQ-17 11.3.3, 11.4.5, 11.4.5.1, 11.4.5.3, 11.4.6, 11.4.6.1."""
    cdr, edr = line.cdr or 0, line.edr or 0
    if min(cdr, edr) < 0 or cdr > most_by_cdr(unit):
        legal = f"0 to {most_by_cdr(unit)}"
        problem = "that is more than its DAMCON track, budget or repair points allow in this battle sequence"
        yield illegal(problem, "PQ-17 11.4.5.3", f"{name}.cdr", legal=legal)
    elif cdr + edr > self_repairs_possible(unit):
        problem = (
            f"it has {counted(unit.self_repairs_left, 'self-repair')} and {_say_points(unit)} aboard for "
            f"{counted(cdr + edr, 'repaired box')}"
        )
        yield illegal(problem, "PQ-17 11.4.6.1", f"{name}.edr", legal=f"{self_repairs_possible(unit)} together")


def _say_points(unit: Unit) -> str:
    """What a unit could use for self-repairs, in words: its repair points, and the supply that converts to them."""
    supply = f" and {counted(unit.supply, 'supply point')}" if unit.supply else ""
    return f"{counted(unit.repair_points, 'repair point')}{supply}"


@rule("11.4.3")
def regained(unit: Unit, line: RepairFields, boxes: Mapping[str, int], damage: Mapping[str, int]) -> int:
    """Boxes destroyed before the battle that a line reports whole, except shields. PQ-17 11.4.3."""
    back = sum(max(0, count - int(getattr(unit, box))) for box, count in boxes.items())
    back += max(0, (line.damcon or 0) - len(unit.damcon_track))
    before = unit.repairs.damage
    return back + sum(max(0, before[box] - damage.get(box, 0)) for box in before if box not in SHIELDS)


def comparable(state: State, unit: Unit, line: RepairFields) -> dict[str, object]:
    """The part of a unit's damage and repairs on which both accounts must agree. Ruling CMB-17."""
    return {
        "damcon": len(unit.damcon_track) if line.damcon is None else line.damcon,
        "damage": write_boxes(read_damage(state, unit, line, "")[0].items()) or "none",
        "cdr": line.cdr or 0,
        "edr": line.edr or 0,
    }


def say_repairs(line: RepairFields, unit: Unit | None = None) -> list[str]:
    """What a line says of damage and repairs, in words; of ``unit``'s DAMCON boxes only what changed."""
    said = {"destroyed: {}": line.damage, "{} repaired by CDR": line.cdr, "{} repaired by EDR": line.edr}
    boxes = None if unit is None else len(unit.damcon_track)
    damcon = [] if line.damcon in (None, boxes) else [f"DAMCON boxes {line.damcon}"]
    return [*damcon, *(text.format(value) for text, value in said.items() if value)]


@rule("11.4.5.2", "11.4.6.2", "11.4.6.3", "11.1")
def take_repairs(state: State, unit: Unit, line: RepairFields) -> None:
    """Apply the reported damage and self-repairs; the caller reduces stores afterwards. Repairs count as made before
    the track's own damage cuts the budget.

    PQ-17 11.1, 11.4.5.2, 11.4.6.2, 11.4.6.3, rulings REP-10, PQ-112.
    """
    damage, _ = read_damage(state, unit, line, "")
    unit.repairs = unit.repairs.with_values(damage=damage)
    use_self_repairs(unit, line.self_repairs)
    if unit.repairs.cdr_left is not None:
        unit.repairs = unit.repairs.with_values(cdr_left=max(0, unit.repairs.cdr_left - (line.cdr or 0)))
    if line.damcon is not None:
        printed = sorted(state.class_of(unit).damcon_track)
        unit.damcon_track = sorted(printed[: line.damcon], reverse=True)
    trim_budget(unit)


# --- after the battle sequence ----------------------------------------------------------------------------------------


class MendFields(Frozen):
    """A unit's repairs on the post-combat sheet."""

    boxes: str | None = None
    shields: bool | None = None


@rule("11.4.7.1")
def may_mend(state: State, unit: Unit) -> bool:
    """Whether there is something that the unit could repair itself after the battle. PQ-17 11.4.7.1."""
    return bool(self_repairs_possible(unit)) and any(box not in SHIELDS for box in all_destroyed(state, unit))


def routine_mend(state: State, unit: Unit) -> list[tuple[str, int]]:
    """The default repairs: the most important boxes, as far as the budget goes."""
    left = self_repairs_possible(unit)
    chosen: list[tuple[str, int]] = []
    for box, count in all_destroyed(state, unit).items():
        if box not in SHIELDS and left:
            chosen.append((box, min(count, left)))
            left -= min(count, left)
    return chosen


@rule("11.4.7")
def mend_lines(state: State, unit_ids: Sequence[str]) -> list[Line]:
    """Lines of the post-combat sheet: which boxes a unit repairs at once, and whether its shields are up. 11.4.7."""
    lines: list[Line] = []
    for unit_id in unit_ids:
        unit = state.units[unit_id]
        chosen = routine_mend(state, unit)
        text = f"At most {self_repairs_possible(unit)}, each with a repair point; for example warp 2, damcon"
        value = write_boxes(chosen)
        fields = [
            Field(key="boxes", label="Repairs itself", kind="text", most=200, value=value, optional=True, help=text)
        ]
        if shields_down(unit):
            ready = _shields_likely(_mended(state, unit, chosen))
            fields.append(Field(key="shields", label="Shields back to full", kind="flag", value=ready))
        note = f"Destroyed: {say_boxes(all_destroyed(state, unit).items())}"
        lines.append(Line(key=MEND + unit_id, label=f"Repairs of {unit.name}", fields=tuple(fields), note=note))
    return lines


def shields_down(unit: Unit) -> bool:
    """Whether any shield box is destroyed."""
    return any(unit.repairs.damage.get(shield) for shield in SHIELDS)


@rule("11.4.7.2")
def shields_can_rise(unit: Unit) -> bool:
    """Whether its shields may be restored: it has a DAMCON box of 2 or more, and boxes for two points of power. Its
    owner accounts for life support. PQ-17 11.4.7.2, ruling REP-8."""
    power = unit.power_boxes + unit.impulse + unit.battery
    return unit.damcon_rating >= SHIELD_DAMCON and power >= SHIELD_POWER


def _shields_likely(unit: Unit) -> bool:
    return shields_can_rise(unit) and unit.power_boxes + unit.impulse >= SHIELD_POWER + LIFE_SUPPORT


def _mended(state: State, unit: Unit, boxes: Iterable[tuple[str, int]]) -> Unit:
    """A copy of the unit with those boxes repaired."""
    twin = unit.copied()
    for box, count in boxes:
        for _ in range(count):
            restore(state, twin, box)
    return twin


@rule("11.4.7.1", "11.4.7.2")
def check_mend(state: State, unit: Unit, line: MendFields, path: str) -> list[Refusal]:
    """Every defect of one unit's post-battle repairs. PQ-17 11.4.7.1, 11.4.7.2, ruling REP-8."""
    listed, wrong = read_boxes(line.boxes or "", f"{path}.boxes", known_types(state, unit))
    most = self_repairs_possible(unit)
    twin = unit.copied()
    for box, count in listed:
        wrong += _check_box(state, twin, box, count, f"{path}.boxes")
    total = sum(count for _, count in listed)
    if total > most:
        left = counted(unit.self_repairs_left, "self-repair")
        problem = f"{counted(total, 'box')} with {left} and {_say_points(unit)} aboard"
        wrong.append(illegal(problem, "PQ-17 11.4.7.1", f"{path}.boxes", legal=f"at most {most}"))
    if line.shields and not shields_can_rise(twin):
        problem = "it has no DAMCON box of 2 or more, or no two points of power, left for its shields"
        wrong.append(illegal(problem, "PQ-17 11.4.7.2", f"{path}.shields", legal="no"))
    return wrong


def _check_box(state: State, twin: Unit, box: str, count: int, path: str) -> Iterable[Refusal]:
    """One entry of a list, judged on a copy with all earlier entries repaired."""
    if box in SHIELDS:
        yield illegal("shields come back by power, not by repair points", "PQ-17 11.4.7.2", path, legal="other boxes")
        return
    if box == SELF_REPAIR:
        yield illegal("self-repairs come back by repair boxes only", "PQ-17 11.3.4", path, legal="destroyed boxes")
        return
    first = blocked_by(state, twin, box)
    if first:
        rule = "PQ-17 11.4.9.3.4" if box == "het" else "PQ-17 11.4.9.3.3"
        yield illegal(
            f"{box_name(box)} waits until all {box_name(first)} is repaired", rule, path, legal=box_name(first)
        )
    lost = destroyed(state, twin, box)
    if count > lost:
        other = ((one, number) for one, number in all_destroyed(state, twin).items() if one not in SHIELDS)
        legal = f"at most {lost}" if lost else write_boxes(other) or "no more boxes"
        yield illegal(f"it has lost {count_boxes(lost, box)}", "PQ-17 11.4.7.1", path, legal=legal)
    for _ in range(min(count, lost)):
        restore(state, twin, box)


def say_mend(unit: Unit, line: MendFields) -> str:
    """A unit's post-battle repairs in words."""
    listed = read_boxes(line.boxes or "", "", [])[0]
    said = [*filter(None, [say_boxes(listed)]), *(["its shields"] if line.shields else [])]
    return f"{unit.name} repairs {' and '.join(said) or 'nothing'}."


@rule("8.5.7.3", "11.4.7", "11.4.7.1", "11.4.7.2", "SOP.2.b.vi.6.h.ii")
def mend(turn: TurnContext[State], unit: Unit, line: MendFields) -> None:
    """Carry out one unit's post-battle repairs and tell its owner. PQ-17 8.5.7.3, 11.4.7, 11.4.7.1, 11.4.7.2."""
    state = turn.state
    inputs = {"self-repairs": unit.self_repairs_left, "repair points aboard": points_aboard(unit)}
    listed = read_boxes(line.boxes or "", "", [])[0]
    for box, count in listed:
        for _ in range(count):
            if self_repairs_possible(unit) and restore(state, unit, box):
                use_self_repairs(unit, 1)
    raise_shields(unit, wanted=bool(line.shields))
    if listed or line.shields:
        why = because("PQ-17 11.4.7", inputs)
        text = f"{say_mend(unit, line)} {counted(unit.self_repairs_left, 'self-repair')} left."
        turn.tell([unit.side], text, kind="battle", why=why)


@rule("11.4.7.2")
def raise_shields(unit: Unit, *, wanted: bool) -> None:
    """Bring the shields back to full, where that is possible. No repair points are used. PQ-17 11.4.7.2."""
    if wanted and shields_can_rise(unit):
        left = {box: count for box, count in unit.repairs.damage.items() if box not in SHIELDS}
        unit.repairs = unit.repairs.with_values(damage=left)


@rule("11.4.7.2")
def raise_shields_unasked(units: Iterable[Unit]) -> None:
    """Units that had nothing else to repair get their shields back without being asked. PQ-17 11.4.7.2."""
    for unit in units:
        raise_shields(unit, wanted=_shields_likely(unit))
