"""Chapter 9: which hexes a race surveys. A line of the turn's sheet, if it has survey ships where that can be done."""

from collections import Counter

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line
from rules_engine.rulebooks.cutler.records.convoys import SURVEY_SHIP
from rules_engine.rulebooks.cutler.records.orders import SurveyLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

LINE = "survey"


@rule("9.1")
def survey_worth(unit: Unit) -> int:
    """What it counts towards a survey ship, in small survey freighters. 9.1, CU-R123"""
    if not unit.record.is_survey_ship:
        return 0
    return {"small": 1, "large": 2}.get(unit.record.freighter_size or "", SURVEY_SHIP)


@rule("9.1", "9.4")
def sites(state: CutlerState, race: Side) -> list[HexId]:
    """The unsurveyed hexes in which it has a survey ship, or survey freighters that make up one; scouts and
    cloaked ships do not count. 9.1, 9.4, CU-R123, CU-N73"""
    worth: Counter[HexId] = Counter()
    for unit in state.alive(race):
        if unit.hex in state.unsurveyed and not unit.cloaked:
            worth[unit.hex] += survey_worth(unit)
    return sorted(hex_id for hex_id in worth if worth[hex_id] >= SURVEY_SHIP)


@rule("9.2")
def delayed(state: CutlerState, race: Side) -> list[HexId]:
    """Those in which its survey was delayed in the last turn, so that it must be rolled again. 9.2, CU-R121"""
    held = {
        unit.hex for unit in state.alive(race) if unit.record.is_survey_ship and unit.held_turn == state.turn - 1 > 0
    }
    return [hex_id for hex_id in sites(state, race) if hex_id in held]


def survey_lines(state: CutlerState, race: Side) -> list[Line]:
    """The line in which a race says what it surveys; none if there is nothing."""
    able, again = sites(state, race), delayed(state, race)
    if not able:
        return []
    hexes = tuple(Choice(value=one, label=f"{one}, again" if one in again else one) for one in able)
    field = Field(key="hexes", label="Hexes", kind="many", choices=hexes, value=list(able), optional=True)
    return [Line(key=LINE, label="Survey", fields=(field,), note="Where your survey ships are; before they move")]


@rule("9.1", "9.2", "9.4")
def judge_survey(state: CutlerState, race: Side, line: SurveyLine) -> tuple[list[HexId], list[Refusal]]:
    """The hexes that are surveyed, all that can be if nothing is said, and every defect. 9.1, 9.2, 9.4, CU-N24"""
    able, again = sites(state, race), delayed(state, race)
    if line.hexes is None:
        return able, []
    path, legal = f"{LINE}.hexes", ", ".join(able) or "no survey"
    refusals: list[Refusal] = []
    for hex_id in dict.fromkeys(line.hexes):
        if hex_id in able:
            continue
        if hex_id in state.grid and hex_id not in state.unsurveyed:
            refusals.append(illegal(f"{hex_id} is surveyed already", "9.4", path, legal=legal))
        else:
            there = [unit for unit in state.alive(race) if unit.hex == hex_id and survey_worth(unit)]
            text = (
                f"you have too few survey freighters in {hex_id}" if there else f"you have no survey ship in {hex_id}"
            )
            refusals.append(illegal(text, "9.1, CU-R123" if there else "9.1", path, legal=legal))
    refusals += [
        illegal(f"the survey of {hex_id} was delayed and is rolled again", "9.2, CU-R121", path, legal=legal)
        for hex_id in again
        if hex_id not in line.hexes
    ]
    return [hex_id for hex_id in able if hex_id in line.hexes], refusals


def read_survey(state: CutlerState, race: Side, line: SurveyLine) -> list[str]:
    """What is surveyed, in plain words."""
    hexes, _ = judge_survey(state, race, line)
    if hexes:
        return [f"Surveys {', '.join(hexes)}."]
    return ["Surveys nothing."] if sites(state, race) else []
