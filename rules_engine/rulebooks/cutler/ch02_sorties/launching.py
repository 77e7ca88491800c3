"""Chapter 2.9: who sorties from where into which hex. Ordered in secret, announced together, launched at once."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.accessories.flown import together
from rules_engine.rulebooks.cutler.records.conditions.towing import towed_among
from rules_engine.rulebooks.cutler.records.parts.craft import take_off, with_boosters
from rules_engine.rulebooks.cutler.records.parts.sorties import SORTIE_LIMIT, Sortie, SortieLine, SortieSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.tables import PFS

COORDINATION = "coordination"
THEN = choices(**{"return": "Come back", "land": "Land there, if there is room"})


def carriers(state: CutlerState, race: Side) -> list[Unit]:
    """A race's units from which fighters can sortie now: none that is under cloak, or in tow. CU-R21"""
    towed = towed_among(state.alive(race))
    return [unit for unit in state.alive(race) if with_boosters(unit) and not unit.cloaked and unit.id not in towed]


@rule("2.9", "2.9.1")
def wants_to_sortie(state: CutlerState, race: Side) -> bool:
    """Whether a race is asked: it has fighters with boosters, and somebody's counter is next to them, or it wishes to
    be asked in every impulse. 2.9, 2.9.1, CU-N91"""
    force = state.coordination.force_of(race)
    foreign = {hex_id for other, hex_id in state.counters() if other not in force}
    ready = carriers(state, race)
    if state.empires[race].asking == "each":
        return bool(ready)
    return any(not foreign.isdisjoint(state.grid.neighbours(unit.hex)) for unit in ready)


def sortie_ask(state: CutlerState, race: Side) -> Ask[SortieSheet]:
    """The launches of one race in one impulse."""
    return Ask(
        kind="sortie",
        parties=(race,),
        title=f"Turn {state.turn}, impulse {state.impulse}: sorties",
        text="Fighters with warp boosters may fly into a neighbouring hex. All targets are announced at once.",
        question=Question(
            "Fighters may fly a sortie",
            "Into a neighbouring hex; all targets are announced at once.",
            tuple(sorted({unit.hex for unit in carriers(state, race)})),
        ),
        model=SortieSheet,
        form=lambda: Form(lines=tuple(_lines(state, race))),
        rule="2.9",
        default=SortieSheet({}),
        default_says="No fighters sortie.",
        pace="decision",
        leaves_choice=True,
        check=lambda sheet: judge_sorties(state, race, sheet),
        read_back=lambda sheet: _read_back(state, race, sheet),
    )


def _lines(state: CutlerState, race: Side) -> list[Line]:
    lines: list[Line] = []
    for unit in carriers(state, race):
        goals = tuple(Choice(value=goal, label=f"To {goal}") for goal in state.grid.neighbours(unit.hex))
        most = min(with_boosters(unit), SORTIE_LIMIT)
        fields = (
            Field(key="target", label="Sortie", kind="one", choices=goals, optional=True),
            Field(key="fighters", label="Fighters", kind="number", least=1, most=most, value=most),
            Field(key="then", label="Afterwards", kind="one", choices=THEN, value="return"),
        )
        note = f"at {unit.hex}, {counted(with_boosters(unit), 'fighter')} with boosters"
        lines.append(Line(key=unit.id, label=unit.title, fields=fields, note=note))
    partners = [one for one in state.coordination.force_of(race) if one != race]
    if partners:
        label = f"Stay one force with the {state.names_of(partners)}"
        stay = Field(key="stay", label=label, kind="flag", value=True)
        lines.append(Line(key=COORDINATION, label="Coordinated force", fields=(stay,)))
    return lines


def _number(unit: Unit, line: SortieLine) -> int:
    return min(with_boosters(unit), SORTIE_LIMIT) if line.fighters is None else line.fighters


@rule("2.9.2", "2.9.5", "2.9.8", "2.9.9", "2.6.2.1", "2.4.1.5")
def judge_sorties(state: CutlerState, race: Side, sheet: SortieSheet) -> list[Refusal]:
    """Only fighters with boosters go, into a neighbouring hex, and 24 of a race into one hex at most.

    2.9.2, 2.9.5, 2.9.8, 2.9.9, 2.6.2.1, 2.4.1.5, CU-R21, CU-R45
    """
    refusals: list[Refusal] = []
    known = {unit.id: unit for unit in state.alive(race)}
    going: dict[HexId, int] = {}
    if not sheet.stays and len(state.coordination.force_of(race)) == 1:
        refusals.append(illegal("you are one force with nobody", "2.10, CU-R33", f"{COORDINATION}.stay", legal="stay"))
    for key, line in sheet.root.items():
        if key == COORDINATION:
            continue
        if key not in known:
            ready = [unit.id for unit in carriers(state, race)]
            text = "you have no such carrier"
            refusals.append(malformed(text, key, legal=", ".join(ready), nearest=nearest(key, ready)))
        elif line.target is not None:
            refusals += _judge_line(state, known[key], line)
            going[line.target] = going.get(line.target, 0) + _number(known[key], line)
    refusals += [
        illegal(
            f"{number} fighters would sortie into {goal}", "2.9.9, CU-R45", "sorties", legal=f"{SORTIE_LIMIT} at most"
        )
        for goal, number in going.items()
        if number > SORTIE_LIMIT
    ]
    return refusals


def _judge_line(state: CutlerState, unit: Unit, line: SortieLine) -> list[Refusal]:
    refusals: list[Refusal] = []
    number = _number(unit, line)
    if unit.kind in PFS or not unit.record.fighters:
        text = f"{unit.name} carries no fighters: shuttles, MRS, SWAC, PFs and ships do not sortie"
        return [illegal(text, "2.9.8, 2.9.9", f"{unit.id}.target", legal="no sortie")]
    if unit.cloaked:
        text = f"{unit.name} is under cloak, and launches no fighters"
        return [illegal(text, "2.6.2.1, CU-N73", f"{unit.id}.target", legal="no sortie")]
    if unit.id in towed_among(state.alive(unit.race)):
        text = f"{unit.name} is in tow, and launches no fighters"
        return [illegal(text, "2.4.1.5, CU-R21", f"{unit.id}.target", legal="no sortie")]
    around = state.grid.neighbours(unit.hex)
    if line.target not in around:
        text = f"fighters sortie from {unit.hex} into a neighbouring hex"
        near = nearest(line.target or "", around)
        refusals.append(illegal(text, "2.9.2", f"{unit.id}.target", legal=", ".join(around), nearest=near))
    if number > unit.fighters:
        text = f"{unit.name} has {counted(unit.fighters, 'fighter')} aboard"
        refusals.append(illegal(text, "2.9", f"{unit.id}.fighters", legal=f"at most {with_boosters(unit)}"))
    elif number > unit.booster_sets or not number:
        text = f"{unit.name} has warp booster packs for {counted(unit.booster_sets, 'fighter')}"
        refusals.append(illegal(text, "2.9.5", f"{unit.id}.fighters", legal=f"at most {with_boosters(unit)}"))
    return refusals


def _read_back(state: CutlerState, race: Side, sheet: SortieSheet) -> list[str]:
    said = [
        f"{counted(_number(state.units[key], line), 'fighter')} of {state.units[key].name}: sortie into {line.target}, "
        + ("then land there, if there is room." if line.then == "land" else "then back.")
        for key, line in sheet.lines.items()
        if key in state.units
    ]
    ends = [] if sheet.stays else ["You end the coordination."]
    return [*(said or ["No fighters sortie."]), *ends]


@rule("2.9.3", "2.9.8")
def launch(state: CutlerState, race: Side, sheet: SortieSheet) -> list[Sortie]:
    """Fighters leave their carriers, also from a hex with enemies: nobody there can hold them up, and they take no part
    in what is fought there. They need no ships with them. 2.9.3, 2.9.8, CU-R47"""
    sorties: dict[tuple[HexId, HexId, bool], Sortie] = {}
    for key in sorted(sheet.lines):
        line, unit = sheet.lines[key], state.units[key]
        target, land = line.target or "", line.then == "land"
        sortie = sorties.setdefault(
            (target, unit.hex, land), Sortie(key="", race=race, origin=unit.hex, target=target, holds={}, land=land)
        )
        sortie.holds = together(sortie.holds, take_off(unit, _number(unit, line)))
    count: dict[HexId, int] = {}
    for _, sortie in sorted(sorties.items()):
        count[sortie.target] = count.get(sortie.target, 0) + 1
        sortie.key = f"{race}-fighters-{count[sortie.target]}"
    return [sortie for _, sortie in sorted(sorties.items())]


@rule("2.9.9", "2.10")
def hold_back(turn: CutlerTurn, orders: dict[Side, SortieSheet]) -> dict[Side, SortieSheet]:
    """The orders without those of coordinated races into a hex for which together they send too many fighters, or from
    different hexes: none of these are launched, and nobody else hears of it. 2.9.9, 2.10, CU-R45, CU-N91"""
    state = turn.state
    kept = dict(orders)
    for force in state.coordination.forces:
        lines = [(race, key, line) for race in force if race in kept for key, line in kept[race].lines.items()]
        for target in sorted({line.target or "" for _, _, line in lines}):
            there = [(race, state.units[key], line) for race, key, line in lines if line.target == target]
            races = {race for race, _, _ in there}
            total = sum(_number(unit, line) for _, unit, line in there)
            if len(races) < 2 or (total <= SORTIE_LIMIT and len({unit.hex for _, unit, _ in there}) == 1):
                continue
            for race in [one for one in force if one in races]:
                left = {key: line for key, line in kept[race].root.items() if line.target != target}
                kept[race] = SortieSheet(left)
                text = f"No sortie into {target}: coordinated fighters come from one hex, {SORTIE_LIMIT} at most."
                turn.tell([race], text, kind="movement", why=because("2.9.9, CU-R45", {"fighters": total}))
    return kept


@rule("2.9.2")
def announce(turn: CutlerTurn, sorties: Sequence[Sortie]) -> None:
    """Everybody hears at once who sorties into which hex, not from where, nor with how many. 2.9.2, CU-N91"""
    state = turn.state
    lines: list[str] = []
    for race in state.races():
        own = {sortie.target: sortie.origin for sortie in sorties if sortie.race == race}
        for target in sorted(own):
            together = [one.race for one in sorties if one.target == target]
            force = [one for one in state.coordination.force_of(race) if one in together]
            shown = state.coordination.colour(force, lambda one, at=own[target]: state.command_rating(one, at))
            if race == shown:
                lines.append(f"{state.name_of(race)} → {target}")
    if lines:
        text = f"Impulse {state.impulse}, sorties: {'; '.join(lines)}."
        turn.tell_all(text, kind="movement", why=because("2.9.2"))
