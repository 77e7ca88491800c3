"""Combats of small worlds, and the whole account of one: who was asked what, what was told, what became of whom."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Empire, Unit
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.rulebooks.cutler.worlds import Run, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}


def met(scene: CutlerState | str, answers: Any = None, dice: Mapping[str, list[int]] | None = None) -> Run:
    """The combat phase of an impulse."""
    turn = table_of(world(scene) if isinstance(scene, str) else scene, dice)
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert defects(turn.state) == []
    return run


class _Stop(Exception):
    """The moment up to which something is compared."""


def seen_until(turn: CutlerTurn, steps: Any, answers: Mapping[Any, Any], kind: str, side: str) -> str:
    """All that a side has seen when it is first asked something of this kind."""

    def stop(_: AnyAsk) -> None:
        raise _Stop

    run = Run.__new__(Run)
    with pytest.raises(_Stop):
        run.__init__(turn, steps, {**answers, (kind, side): stop})  # type: ignore[misc]
    return sees(turn, run.asks, side)


def told_alone(turn: CutlerTurn) -> dict[str, list[str]]:
    """What each race alone was told, but for those that were told nothing."""
    found = {
        race: [one.text for one in turn.shared.reports if one.is_for(race) and not one.is_public()]
        for race in turn.state.races()
    }
    return {race: said for race, said in found.items() if said}


def with_gorn(state: CutlerState, key: str) -> CutlerState:
    """The world with a fourth race, to which this unit belongs, in a fleet of its own."""
    state.sides = (*state.sides, SideLabel(key="gorn", name="Gorn", emblem="G"))
    state.empires["gorn"] = Empire(race="gorn")
    unit = state.units[key]
    fleet = state.fleets[f"{unit.race}/{key.split('-')[1]}"]
    fleet.units = [one for one in fleet.units if one != key]
    if not fleet.units:
        del state.fleets[f"{unit.race}/{fleet.key}"]
    unit.race = "gorn"
    state.new_fleet("gorn", [key])
    return state


def fates(**said: Any) -> Any:
    """A result in which units have these fates, by their keys or those keys' first letter, and others are intact."""

    def line(key: str) -> Any:
        fate = said.get(key, said.get(key[0], "intact"))
        return fate if isinstance(fate, dict) else {"fate": fate}

    return lambda ask: {one.key: line(one.key) for one in ask.form.lines}


def account(run: Run) -> list[str]:
    """What was asked, with those whom it is about; what was rolled, and told to whom; and what became of units."""
    state = run.table.state
    rolled = [
        f"{one.purpose} = {one.total}" + ("" if one.seen_by is None else f", seen by {'+'.join(sorted(one.seen_by))}")
        for one in run.table.shared.rolls
        if not one.purpose.startswith("set-up")
    ]
    told = [
        f"{'+'.join(race for race in state.races() if one.is_for(race))} < {one.text}"
        for one in run.table.shared.reports
    ]
    flying = [f"{one.race} sortie {one.origin} to {one.target}: {one.fighters} fighters" for one in state.sorties]
    forces = [f"one force: {'+'.join(force)}" for force in state.coordination.forces]
    fought = [f"{key}: fought at {feature}" for key, feature in state.fought_at.items()]
    became = [said for unit in state.units.values() if (said := _became(unit))]
    asked = [line for ask in run.asks for line in _asked(ask)]
    return [*asked, *rolled, *told, *flying, *forces, *fought, *became]


def _asked(ask: AnyAsk) -> list[str]:
    who = " against ".join("+".join(force) for force in ask.forces) or "+".join(ask.parties)
    if ask.setup is not None:
        units = ", ".join(line.label.split(": ")[1].split(" (")[0] for line in ask.form.lines)
        set_up = [one.title for one in ask.setup.panels if one.title.startswith(("Set-up", "Sortie"))]
        read = [("all", one) for one in ask.setup.panels if one.title.startswith("Where")]
        read += [(side, one) for side, own in ask.setup.secret.items() for one in own if "engines" not in one.title]
        return [
            f"{who} > {ask.setup.title.split(':')[0]}, {' and '.join(set_up)}: {units}",
            *(row for one in ask.setup.panels if one.title.endswith("force") for row in one.rows if "fighters," in row),
            *(f"{side} reads: {one.title}: {' / '.join(one.rows)}" for side, one in read),
        ]
    about = [line.key for line in ask.form.lines]
    if ask.kind in ("wave", "join", "challenge", "intercept"):
        about = [choice.value for choice in ask.form.lines[0].fields[0].choices]
    return [f"{who} > {ask.kind}: {', '.join(about)}"]


def _became(unit: Unit) -> str:
    marks = {
        "destroyed": unit.destroyed, "captured from": unit.captured_from, "escaped to": unit.escaped_to,
        "escaped from": ", ".join(unit.escaped_from), "disengaged from": ", ".join(unit.disengaged_from),
        "goes to": unit.retreat_hex, "docked on": unit.docked_at,
        "aboard": f"{unit.fighters} fighters with {unit.booster_sets} packs" if unit.record.fighters else "",
    }  # fmt: skip
    said = [name if value is True else f"{name} {value}" for name, value in marks.items() if value]
    return f"{unit.id}: {'; '.join(said)}" if said else ""


def whole_turn(state: CutlerState, dice: Mapping[str, list[int]] | None = None, **sheets: Any) -> Run:
    """A turn, for which races have filled in these sheets."""
    table = table_of(state, dice)
    return Run(table, turn_steps(table), {("turn", race): sheet for race, sheet in sheets.items()})
