"""Flies a battle: the beginning of a turn, its pieces impulse by impulse, and its end. CJD1.0"""

from collections.abc import Callable, Mapping

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.ch1_movement.paths import restart
from rules_engine.rulebooks.vector.ch2_energy.allocating import allocate, refresh
from rules_engine.rulebooks.vector.ch4_turning.high_energy import tumble
from rules_engine.rulebooks.vector.ch5_other.tractors import alternate
from rules_engine.rulebooks.vector.ch6_friction.friction import slow_down
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.plots import IMPULSES, UnitPlot
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.air import Air, Dice, flights_of, happening
from rules_engine.rulebooks.vector.tracker.conditions import due_events
from rules_engine.rulebooks.vector.tracker.declaring import NEED_ANOTHER, declare, judge_landing
from rules_engine.rulebooks.vector.tracker.moving import move_all
from rules_engine.rulebooks.vector.tracker.towing import loosen
from rules_engine.rulebooks.vector.tracker.tows import follow


@rule("CJD1.14", "CJD1.22")
def begin_turn(battle: Tactical) -> None:
    """Begin the next turn, before anybody plots for it: counts begin anew, energy is what the engines give. CJD1.14,
    CJD1.22, VM-R05"""
    loosen(battle)
    battle.turn += 1
    battle.impulse = 0
    for ship in battle.units.values():
        restart(ship, 0)
        ship.path = ""
        ship.trail = [ship.at]
        refresh(ship)
        allocate(ship)
    follow(battle)


@rule("CJD1.0")
def fly_piece(
    battle: Tactical,
    plots: Mapping[str, UnitPlot],
    last_impulse: int,
    dice: Dice | None,
    *,
    after_impulse: Callable[[Tactical], None] = lambda _: None,
) -> list[Happened]:
    """Fly all units from where the battle's time stands to the end of ``last_impulse``: on each impulse first what is
    declared, then movement. What a plot does not say coasts, and what is not legal at its moment is not done. ``dice``
    None: no high energy turn breaks down. ``after_impulse`` is called at the end of each: it may take units out of
    play. CJD1.0, VM-R09, VM-R36"""
    air = take_plots(battle, plots, dice)
    for impulse in range(battle.impulse + 1, last_impulse + 1):
        fly_impulse(air, impulse)
        after_impulse(battle)
    return air.happened


def take_plots(battle: Tactical, plots: Mapping[str, UnitPlot], dice: Dice | None) -> Air:
    """Take a piece's plots: energy as allocated at a turn's beginning, paths, and what friction is to take from.
    VM-R61"""
    air = Air(battle, dice, flights_of(plots), battle.impulse)
    for ship in battle.present():
        plot = plots.get(ship.id)
        # a choice of direction holds for the plot that makes it, also where the next one says nothing
        ship.friction_from = (plot and plot.friction) or ""
        if plot is None:
            continue
        if battle.impulse == 0:
            allocate(ship, plot.warp, plot.impulse)
        if plot.path:
            ship.path = plot.path
    return air


def fly_impulse(air: Air, impulse: int) -> None:
    """Fly one impulse: tumbling; what units do by themselves; what needs another unit, by what that made of all of
    them; movement. So neither codes nor the order of sheets decide who is first. VM-R09"""
    air.impulse = impulse
    loosen(air.battle)
    _tumble(air)
    due = [(ship, *one) for ship in air.battle.present() for one in due_events(air, ship)]
    by_themselves = [one for one in due if one[2].action not in NEED_ANOTHER]
    with_others = [one for one in due if one[2].action in NEED_ANOTHER]
    for ship, number, event in by_themselves:
        declare(air, ship, number, event)
    air.landings = {
        (ship.id, number): judge_landing(air, ship, event)
        for ship, number, event in with_others
        if event.action == "land"
    }
    for ship, number, event in with_others:
        if air.battle.is_present(ship):
            declare(air, ship, number, event)
    move_all(air)
    air.battle.impulse = impulse


def _tumble(air: Air) -> None:
    options = air.battle.options
    for ship in air.battle.present():
        if ship.tumbling and tumble(ship, air.clock, options.tumble_pause, options.tumble_step):
            air.note(ship, "tumbling" if ship.tumbling else "recovered", rule="CJD1.431")


@rule("CJD1.61", "CJD1.551")
def end_turn(battle: Tactical) -> list[Happened]:
    """End a turn that was flown to its last impulse: friction, if the table wants it, and who controls in tractors that
    a die decided. CJD1.61, CJD1.551"""
    loosen(battle)
    happened: list[Happened] = []
    in_tow = {code for tow in battle.tows for code in tow.followers}
    for ship in battle.present() if battle.options.friction else ():
        if ship.id in in_tow:
            continue  # it flies as its tug does
        link = battle.link_of(ship.id)
        loss = slow_down(ship, battle.units[link.controller] if link is not None else ship)
        if loss is not None:
            more = {"amount": loss.hexes, "way": loss.way, "damage": loss.damage, "shield": loss.shield}
            rule_of_it = "CJD1.611" if loss.damage else "CJD1.61"
            happened.append(happening(battle, IMPULSES, ship, "slowed", rule=rule_of_it, **more))
    follow(battle)
    for link in battle.tractors:
        if alternate(link):
            ship = battle.units[link.controller]
            happened.append(happening(battle, IMPULSES, ship, "controls", other=link.held, rule="CJD1.551"))
    return happened
