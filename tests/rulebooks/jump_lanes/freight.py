"""Freight in tables, a line each: worlds in a notation, what is ordered and changed step by step, and what holds then.

A world is :func:`frontier` with these, between semicolons::

    S1 sol Hermes[cargo=15]+Iris             a squadron, and where it is
    centauri S9 sol Raider                   one of the other empire
    Guard troop at sol                       a unit that stands by itself
    Guard troop[siz=2] aboard S1             cargo
    Fly flight[based_on=Nest] of S1          one more of a squadron
    S1 holds 2 census[embarked=1]            points aboard
    fleet TF1 S1+S2                          squadrons that move together
    turn 2                                   behind what embarked in turn 1
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules_engine.core.basics.refusals import Refusal
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of, room_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork
from rules_engine.rulebooks.jump_lanes.ch4_towing import tows
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LaneFleet, Unit
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, order, refusals, rules, ship, squadron, work

Step = str | Mapping[str, Any]
"""Orders between semicolons (``S1 load census 3``, ``S2 load Guard from S1``, ``S1 tow Ox Mule > Base``), or what is
changed of squadrons, units, colonies, lanes and empires (``{"Hermes.cargo": 9, "S1.at": "wolf", "turn": 2}``)."""


def made(lines: str) -> LanesState:
    """The state that a world's lines describe."""
    state = frontier()
    for line in filter(None, map(str.strip, lines.split(";"))):
        words = line.split()
        empire = words.pop(0) if words[0] in state.empires else TERRAN
        match words:
            case ["turn", number]:
                state.turn = int(number)
            case ["fleet", key, squadrons]:
                state.fleets[key] = LaneFleet(id=key, empire=empire, name=f"Fleet {key}")
                for one in squadrons.split("+"):
                    state.squadrons[one].fleet = key
            case [key, "holds", amount, lot]:
                kind, figures = _figures(lot)
                state.squadrons[key].hold.append(HoldLot.from_json({"kind": kind, "amount": int(amount)} | figures))
            case [key, kind, how, where]:
                kind, figures = _figures(kind)
                unit = ship(key, empire, kind=kind)  # type: ignore[arg-type]
                state.put(unit, **{{"at": "at", "aboard": "aboard", "of": "squadron"}[how]: where})
                _set(unit, figures)
            case _:
                key, at, members = words
                named = dict(map(_figures, members.split("+")))
                squadron(state, key, at, *(ship(name, empire) for name in named))
                for name, figures in named.items():
                    _set(state.units[name], figures)
    return state


def _set(unit: Unit, figures: Mapping[str, Any]) -> None:
    """Set figures, and what is based or in tow, after a unit was put where it is, which would end both."""
    for field, value in figures.items():
        setattr(unit, field, value)


def _figures(word: str) -> tuple[str, dict[str, Any]]:
    """A name and the figures in square brackets behind it."""
    name, _, inside = word.rstrip("]").partition("[")
    pairs = [pair.split("=") for pair in inside.split(",") if pair]
    return name, {key: int(value) if value.isdigit() else value if value != "yes" else True for key, value in pairs}


def after(lines: str, steps: Sequence[Step], names: Iterable[str]) -> dict[str, Any]:
    """What is so, of all that has these names, in a world after these steps, none of whose orders may be refused.

    ``refused`` are the rules by which the last orders are refused, which are tried and not carried out, and ``told``
    what is said of that. ``said``, ``landed``, ``place`` and ``set up`` tell of what was done last, ``let go`` of tows.
    ``S1`` is where a squadron or a unit is, which is ``""`` of what is gone; ``S1 rating``, ``S1 load`` and ``S1 room``
    are of cargo; and ``Guard.aboard`` is a field.
    """
    state = made(lines)
    done: dict[str, Any] = {}
    for number, step in enumerate(steps, 1):
        if isinstance(step, Mapping):
            change(state, step)
        elif number == len(steps) and {"refused", "told"} & set(names):
            found = _refusals(state, step)
            done = {"refused": rules(found), "told": [str(one) for one in found]}
        else:
            done = carry_out(state, step)
    return {name: done[name] if name in done else fact(state, name) for name in names}


def change(state: LanesState, values: Mapping[str, Any]) -> None:
    """Set fields, by ``key.field``."""
    for name, value in values.items():
        key, _, field = name.rpartition(".")
        found = next(one[key] for one in _records(state) if key in one) if key else state
        setattr(found, field, [HoldLot(kind=kind, amount=n, embarked=at) for kind, n, at in value]
                if field == "hold" else value)  # fmt: skip


def fact(state: LanesState, name: str) -> Any:
    """One fact, by its name in a table."""
    key, _, of_cargo = name.partition(" ")
    if of_cargo:
        return {"rating": rating_of, "load": load_of, "room": room_of}[of_cargo](state, state.squadrons[key])
    key, _, field = name.partition(".")
    found = next((one[key] for one in _records(state) if key in one), None)
    if not field:
        return "" if found is None else found.at
    value: Any = found
    for part in field.split("."):
        value = getattr(value, part)
    return [(lot.kind, lot.amount, lot.embarked) for lot in value] if field == "hold" else value


def _records(state: LanesState) -> tuple[Mapping[str, Any], ...]:
    return state.squadrons, state.units, state.colonies, state.lanes, state.empires


def _orders(text: str) -> list[tuple[str, CargoOrder]]:
    found: list[tuple[str, CargoOrder]] = []
    for key, action, what, *more in (one.split() for one in text.split("; ")):
        amount = next((int(word) for word in more if word.isdigit()), None)
        other = next((word for word in more if not word.isdigit() and word not in ("from", "to")), "")
        found.append((key, order(action, what, amount, other)))  # type: ignore[arg-type]
    return found


def _tow(state: LanesState, text: str) -> tuple[str, list[Unit], list[Unit]]:
    key, _, groups = text.split(" ", 2)
    tugs, towed = ([state.units[one] for one in names.split()] for names in groups.split(">"))
    return key, tugs, towed


def _refusals(state: LanesState, text: str) -> list[Refusal]:
    if " tow " not in text:
        return refusals(state, *_orders(text))
    key, *tow = _tow(state, text)
    return tows.judge_tow(state, state.squadrons[key], *tow, "S1.tow")


def carry_out(state: LanesState, text: str) -> dict[str, Any]:
    """Carry orders out, and say what was done."""
    if " tow " not in text:
        done: list[CargoWork] = work(state, *_orders(text))
        return {
            "said": [one.text for one in done], "landed": [one.landed for one in done],
            "set up": [one.set_up for one in done], "place": [one.place for one in done],
        }  # fmt: skip
    assert _refusals(state, text) == []
    key, *tow = _tow(state, text)
    return {"let go": [unit.id for unit in tows.set_tow(state, state.squadrons[key], *tow)]}
