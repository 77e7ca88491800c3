"""Chapter 2.7.5: ships that escort a convoy are plotted with it, and go where it goes."""

from collections.abc import Mapping
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.convoys.orders import judge_convoys
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import convoys_of, waiting
from rules_engine.rulebooks.cutler.records.orders import FleetLine, FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Unit

NOBODY = "none"
SENT = "sent"
"""The convoy that the same sheet sends off from the fleet's hex."""


class Escorting(NamedTuple):
    """What a fleet's line comes to: the convoy it escorts, ``sent``, or "" for none; and every defect."""

    convoy: str
    refusals: list[Refusal]


def _here(state: CutlerState, race: Side, hex_id: HexId) -> list[str]:
    """A race's convoys under way in a hex, by key."""
    return [one.key for one in convoys_of(state, race) if one.kind == "convoy" and one.at == hex_id]


@rule("2.7.5")
def escort_fields(state: CutlerState, fleet: Fleet) -> list[Field]:
    """What a fleet's line asks about escorting: nothing where no convoy is, and none could set out. 2.7.5"""
    hex_id = state.place_of(fleet)
    ways = [Choice(key, f"Convoy {key}") for key in _here(state, fleet.race, hex_id)]
    if hex_id in waiting(state, fleet.race):
        ways.append(Choice(SENT, "The convoy that this sheet sends from here"))
    if not ways:
        return []
    stored = fleet.escort if fleet.escort in [way.value for way in ways] else NOBODY
    text = "Goes where it goes, when it goes; leave the course as it is"
    return [Field("escort", "Escorts", "one", (Choice(NOBODY, "Nobody"), *ways), value=stored, help=text)]


@rule("2.7.5", "6.4.1.3")
def judge_escort(
    state: CutlerState, race: Side, sheet: FleetPlots, key: str, *, units: list[Unit], fleet: Fleet | None
) -> Escorting:
    """Whom a fleet escorts, by its line; what that leaves out stays as it was. It escorts a convoy of its own race in
    its hex, and has no course of its own then, nor a plot that was lodged. 2.7.5, 6.4.1.3, CU-N103"""
    line, stored = sheet.fleets.get(key, FleetLine()), fleet.escort if fleet else ""
    here = units[0].hex
    convoy = stored if line.escort is None else "" if line.escort == NOBODY else line.escort
    if not convoy:
        return Escorting("", [])
    sends = any(one.key[1:] == here for one in judge_convoys(state, race, sheet).departures)
    known = [*_here(state, race, here), *([SENT] if sends else [])]
    if convoy not in known:
        if line.escort is None:
            return Escorting("", [])
        text = f"no convoy of yours that is called so sails from {here}"
        legal, near = ", ".join([NOBODY, *known]), nearest(convoy, known)
        return Escorting("", [illegal(text, "2.7.5, CU-N103", f"{key}.escort", legal=legal, nearest=near)])
    refusals: list[Refusal] = []
    kept = " ".join(fleet.course) if fleet else ""
    own_way = line.go not in (None, "course") or (line.course or "").strip() not in ("", kept)
    if own_way:
        text = "who escorts a convoy goes where it goes"
        legal = f"escort {NOBODY}, or a blank course"
        refusals.append(illegal(text, "2.7.5, CU-N103", f"{key}.course", legal=legal))
    lodged = state.empires[race].lodged if state.impulse <= 1 else {}
    if any(lodged.get(unit.id) for unit in units):
        text = "its plot for impulse 1 is lodged, and it goes there"
        refusals.append(illegal(text, "6.4.1.3", f"{key}.escort", legal=NOBODY, nearest=(NOBODY,)))
    return Escorting(convoy, refusals)


def bind_escorts(state: CutlerState, race: Side) -> None:
    """Give fleets that escort the convoy of their sheet its number: it has just been made, so it is the last there."""
    for fleet in state.fleets_of(race):
        if fleet.escort == SENT:
            fleet.escort = _here(state, race, state.place_of(fleet))[-1]


@rule("2.7.5", "2.7.1")
def follow_convoys(state: CutlerState, sailing: Mapping[str, HexId]) -> None:
    """Fleets that escort a convoy are to go where it goes in this impulse, if it goes. ``sailing`` are the moves of
    convoys. 2.7.5, 2.7.1, CU-N103"""
    for fleet in state.fleets.values():
        convoy = state.convoys.get(f"{fleet.race}/{fleet.escort}") if fleet.escort else None
        if convoy is not None and convoy.at == state.place_of(fleet):
            goals = {sailing[key] for key in convoy.units if key in sailing}
            fleet.begin_course(sorted(goals) if len(goals) == 1 else [])


@rule("2.7.5")
def end_escorts(turn: CutlerTurn) -> None:
    """Who escorts a convoy has no course beyond this impulse; whose convoy has arrived, is lost or has parted from it
    holds. 2.7.5, CU-N103"""
    state = turn.state
    for race in state.races():
        for fleet in [one for one in state.fleets_of(race) if one.escort]:
            fleet.end_course()
            convoy = state.convoys.get(f"{race}/{fleet.escort}")
            if convoy is None or convoy.at != state.place_of(fleet):
                what = "is no more under way" if convoy is None else f"is in {convoy.at}"
                text = f"{fleet.key} in {state.place_of(fleet)} escorts {fleet.escort} no more: it {what}."
                turn.tell([race], text, kind="movement", why=because("2.7.5, CU-N103"))
                fleet.escort = ""


def say_escort(convoy: str) -> str:
    """An escort in plain words, to go on a line: empty where there is none."""
    return f"; escorts {'the convoy that is sent from here' if convoy == SENT else convoy}" if convoy else ""
