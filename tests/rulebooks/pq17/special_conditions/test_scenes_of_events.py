"""Random events, Flotilla 5, suicide freighters and what conditions score, written down whole."""

from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, place_units
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch12_mines.attacks import old_mines_steps
from rules_engine.rulebooks.pq17.nations.victory_points import close_period
from rules_engine.rulebooks.pq17.records import construction, forces, minefields, progress
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup
from rules_engine.rulebooks.pq17.records.special_conditions import BaseProject, Flotilla, Shipload
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions import minelaying, points_for_searches, random_events
from rules_engine.rulebooks.pq17.special_conditions.flotilla_5 import flotilla_steps
from rules_engine.rulebooks.pq17.special_conditions.points import (
    close_specials,
    note_departure,
    permit_breakout,
    score_bases,
)
from rules_engine.rulebooks.pq17.special_conditions.suicide_freighters import (
    carry_out_conversions,
    conversion_steps,
    dock_conversions,
)
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import all_heard, heard, refused_as_written, scene
from tests.rulebooks.pq17.worlds.battles import detected
from tests.rulebooks.pq17.worlds.notation import asks_of, table
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, harbour, special_world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
NOW = "\nturn 2 impulse 1 half A initiative coalition"


def met(text: str, *rolls: int, **labels: int) -> TurnContext[State]:
    """A table over the world once everybody is detected, with nothing told yet."""
    dice = {"local conditions": 5, "/surprise": 5, **labels}
    return detected(table(special_world(text + NOW, bases=""), *rolls, by_label=dice))


# --- random events ----------------------------------------------------------------------------------------------------
STEPS: dict[str, Any] = {
    "searches": lambda at: reconnaissance_steps(at, "coalition"),
    "attacks": lambda at: combat_steps(at, "coalition"),
    "direction finding": random_events.direction_finding_steps,
    "old mines": lambda at: random_events.residual_minefield_steps(at, old_mines_steps),
}


@cases("case, proves, name, forces, rolled, step, dice, labels, sheets, brief, unread", "")
def test_random_events(
    request: Request, *, name: str, forces: str, rolled: str, step: str, dice: list[int], labels: dict[str, int],
    sheets: dict[str, list[Any]], brief: str, unread: str,
) -> None:  # fmt: skip
    """An event that is used; ``every_time`` it is offered where its owner has said so."""
    at = met(f"{forces} / {rolled.removesuffix(' every time')}", *dice, **labels)
    at.state.special.events[0].every_time = rolled.endswith(" every time")
    compare(request, scene(at, STEPS[step](at), sheets, brief=brief.split(), unread=unread.split()), name)


@pytest.mark.rule("pq17", "C.random.hf-df")
def test_uses_of_an_event_that_are_refused(request: Request) -> None:
    at = met("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID1\nC2 1010 CA speed 1 ID3")
    event(at.state, "alliance", "hf-df")
    (ask,) = asks_of(random_events.direction_finding_steps(at))
    refused_as_written(request, ask)


# --- Flotilla 5 -------------------------------------------------------------------------------------------------------
def waiting(turn: int, impulse: int) -> TurnContext[State]:
    state = special_world(f"turn {turn} impulse {impulse}")
    state.special.flotilla = Flotilla(period=2, ask_on=turn)
    return table(state)


@pytest.mark.rule("pq17", "C.special.flotilla-5")
def test_flotilla_5_waits_and_is_placed(request: Request) -> None:
    """Asked on turn 31 it waits till turn 33; there a hex is named."""
    at = waiting(31, 1)
    lines = scene(at, flotilla_steps(at), {"flotilla coalition": [{"flotilla": {"ask_on": 33}}]})
    at.state.turn = 33
    compare(request, lines + scene(at, flotilla_steps(at), {"flotilla coalition": [{"flotilla": {"hex": "1710"}}]}))


@pytest.mark.rule("pq17", "C.special.flotilla-5")
def test_flotilla_5_at_its_last_plot(request: Request) -> None:
    at = waiting(60, 3)
    compare(request, scene(at, flotilla_steps(at)))


@pytest.mark.rule("pq17", "C.special.flotilla-5")
def test_places_and_turns_for_flotilla_5_that_are_refused(request: Request) -> None:
    (ask,) = asks_of(flotilla_steps(waiting(40, 1)))
    refused_as_written(request, ask)


# --- suicide freighters -----------------------------------------------------------------------------------------------
def convert(state: State, *, interrupted: bool = False, docked: bool = True) -> list[str]:
    at = table(state)
    lines = scene(at, conversion_steps(at), {"suicide freighters alliance": [{"A1.UFS": {"convert": True}}]})
    if not docked:
        state.logistics["alliance"].groups = [DockedGroup(host="A2.CA", docked=["A1.UFS"])]
    dock_conversions(state)
    state.logistics["alliance"].interrupted = {"A1.UFS": 2} if interrupted else {}
    before = len(at.shared.reports)
    carry_out_conversions(at)
    return lines + [line for report in at.shared.reports[before:] for line in heard(at, report)]


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_a_suicide_freighter_is_made_and_made_harmless_again(request: Request) -> None:
    state = harbour(base=3)
    compare(request, convert(state) + convert(state))


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_conversions_that_fail(request: Request) -> None:
    """Without supply points, interrupted, and docked to a ship."""
    found = convert(harbour(own=0)) + convert(harbour(), interrupted=True) + convert(harbour(), docked=False)
    told = [number for number, line in enumerate(found) if line.startswith("Alliance, ")]
    compare(request, [line for number in told for line in found[number : number + 2]])


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_conversions_that_are_refused(request: Request) -> None:
    (ask,) = asks_of(conversion_steps(table(harbour(base=3))))
    refused_as_written(request, ask)


# --- points -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.special.gale-force", "C.random.port-reconnaissance", "C.special.clean-sweep", "SOP.3.a")
def test_points_for_searches_of_bases(request: Request) -> None:
    """Kiel is searched, and the Bastion held at ID3; the points are secret until the period's end."""
    state = special_world("turn 5 impulse 1 / holds alliance: gale force / holds alliance: clean sweep")
    event(state, "alliance", "port reconnaissance")
    event(state, "coalition", "port reconnaissance")
    at = table(state)
    points_for_searches.note_search(at, "alliance", state.task_forces["C90"], 3)
    points_for_searches.note_search(at, "coalition", state.task_forces["A93"], 4)
    state.task_forces["C91"].id_level = forces.IdLevel.ID3
    points_for_searches.watch_bastion(at)
    close_period(at)
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "C.random.port-reconnaissance")
def test_port_reconnaissance_of_a_base_without_a_known_name(request: Request) -> None:
    state = special_world("turn 5 impulse 1 / event alliance: port reconnaissance")
    for base in ("C90", "C91"):
        state.task_forces[base].base.known = False  # type: ignore[union-attr]
    at = table(state)
    points_for_searches.note_search(at, "alliance", state.task_forces["C91"], 3)
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "C.special.minelaying", "C.special.gearbox", "C.special.wunderland")
def test_points_for_mines_and_bases(request: Request) -> None:
    state = special_world("turn 31 / holds coalition: minelaying, 2")
    parts = [construction.BuiltPart(class_id=f"FED-{part}") for part in ("MB-POD", "MB-POD", "CARGO-POD")]
    built = construction.BuiltBase(side="alliance", unit="x", hex="0311", turn=31, active_since=31, parts=parts)
    state.built = [built]
    state.special.projects = [BaseProject(side="alliance", name="gearbox", due=3, ships=[])]
    at = table(state)
    minelaying.score_minelaying(at, [minefields.Minefield(side="coalition", hex="1217", strength=1, level=-2)])
    score_bases(at)
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "C.special.coalition-convoy", "C.special.breakout", "C.special.wunderland")
def test_points_at_a_periods_end(request: Request) -> None:
    """A convoy with 60 boxes delivered and 30 destroyed; WUNDERLAND's base is missing, and a tug has not left; last
    period's breakout returns."""
    state = special_world("turn 60 / holds coalition: coalition convoy, 2")
    state.special.shiploads = [Shipload(unit="x", period=2, left=0, delivered=60, destroyed=30)]
    (tug, ship) = [*new_units(state, "klingon", "KLI-TUG"), *new_units(state, "klingon", "KLI-CA")]
    place_units(state, "coalition", [tug], "1715")
    state.special.projects = [BaseProject(side="coalition", name="wunderland", due=2, ships=[tug.id])]
    executes(state, "coalition", "breakout", period=1)
    state.special.broken_out = [ship.id]
    at = table(state)
    close_specials(at)
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "C.special.breakout")
def test_a_cruiser_breaks_out(request: Request) -> None:
    state = special_world("turn 40 / executes coalition: breakout, 2")
    (unit,) = new_units(state, "klingon", "KLI-CA")
    place_units(state, "coalition", [unit], "0522")
    permit_breakout(state)
    at = table(state)
    note_departure(at, progress.Departure(unit=unit.id, kind="special", key="breakout", hex="0522", turn=40, fit=True))
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "C.special.gale-force", "C.special.port-strike", "T5.6")
@pytest.mark.parametrize("fate", ["ok", "destroyed", "captured"])
def test_points_for_gale_forces_attack(request: Request, fate: str) -> None:
    state = special_world("A1 1715 CA speed 1\nturn 2 impulse 1 half A initiative alliance")
    executes(state, "alliance", "gale force", "Kiel")
    at = detected(table(state, by_label={"/surprise": 5, "local conditions": 50, "attack/": 1}))
    lost = fate != "ok"
    account: dict[str, Any] = {"battle": {"winner": "alliance" if lost else "coalition", "turns": 2}}
    account["AT1"] = {"fate": "ok"} if lost else {"fate": "disengaged", "turn": 1}
    account["DF1"] = {"fate": fate, "awr": 11}
    sheets = {"attack alliance": [{"A1": {"target": "Kiel"}}], "battle": [account]}
    brief, unread = ("attack", "battle", "reform", "power"), ("contact", "attempt", "declared", "battle")
    found = scene(at, combat_steps(at, "alliance"), sheets, brief=brief, unread=unread)
    compare(request, found, f"gale_force_and_a_base_that_is_{fate}")
