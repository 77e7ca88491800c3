"""Chapter 4.4.9: ground bases, built at once on a planet for the new CPV of that planet."""

from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line, number_field
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of
from rules_engine.rulebooks.cutler.records.economy_lines import GroundLine
from rules_engine.rulebooks.cutler.records.ground import HEXSIDES, GroundBases, Hexside, in_words, with_more
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.planetary import ground_base_limit, hexside_room
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet
from rules_engine.rulebooks.cutler.records.tables import GROUND_BASES_A_HEXSIDE

GROUP = "Ground bases"
SILENT = GroundLine()


@dataclass
class GroundPlan:
    """The ground bases that a sheet builds: by planet those that stand there then, by hex the CPV that they take, and
    every defect."""

    standing: dict[str, GroundBases] = field(default_factory=dict[str, GroundBases])
    spent: dict[HexId, int] = field(default_factory=dict[HexId, int])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def ground_planets(state: CutlerState, race: Side) -> dict[str, Planet]:
    """A race's planets by the keys of their lines. Gas giants are none, and no ground base stands on them. CU-R94"""
    return {f"G{number}": planet for number, planet in enumerate(state.planets_of(race), 1)}


@rule("4.4.9")
def most_affordable(state: CutlerState, planet: Planet) -> int:
    """Ground bases that a planet's own new CPV pay, as far as it has room for them. 4.4.9, CU-R94"""
    paid = income_of(planet, state.turn) // state.ground_base_cost.cpv
    return min(paid, sum(hexside_room(planet, side) for side in HEXSIDES))


def ground_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each planet that can build ground bases now."""
    lines: list[Line] = []
    for key, planet in ground_planets(state, race).items():
        if not (most := most_affordable(state, planet)):
            continue
        sides = tuple(Choice(side, f"{side}: {hexside_room(planet, side)} free") for side in HEXSIDES)
        price = f"{state.ground_base_cost.cpv} CPV each"
        fields = (
            number_field("build", "Ground bases to build", range(most + 1), 0, price),
            Field("sides", "Hexsides", "many", sides, value=[], optional=True, help="one by one in turn; none: on all"),
        )
        note = f"{in_words(planet.ground)}; paid with the new CPV of this planet alone"
        lines.append(Line(key, f"Ground bases on {planet.name}", fields, note, GROUP))
    return lines


@rule("4.4.9")
def judge_ground(state: CutlerState, race: Side, sheet: TurnSheet) -> GroundPlan:
    """What a sheet builds on planets, and whether each planet pays for it and has room. 4.4.9, CU-R94, CU-N63"""
    plan = GroundPlan()
    planets = ground_planets(state, race)
    for key, line in sheet.ground.items():
        planet = planets.get(key)
        if planet is None:
            legal, near = ", ".join(planets) or "none", nearest(key, planets)
            plan.refusals.append(malformed("you hold no such planet", key, legal=legal, nearest=near))
            continue
        named: list[Hexside] = [side for side in HEXSIDES if side in line.sides]
        sides = named or list(HEXSIDES)
        refusals = _defects(state, planet, key, line, sides)
        plan.refusals += refusals
        if line.build and not refusals:
            plan.standing[planet.key] = with_more(planet.ground, line.build, sides)
            plan.spent[planet.hex] = plan.spent.get(planet.hex, 0) + line.build * state.ground_base_cost.cpv
    return plan


@rule("4.4.9")
def _defects(state: CutlerState, planet: Planet, key: str, line: GroundLine, sides: list[Hexside]) -> list[Refusal]:
    """Why so many ground bases cannot be built there. 4.4.9, CU-R94"""
    if unknown := [side for side in line.sides if side not in HEXSIDES]:
        return [malformed(f"a planet has no hexside {unknown[0]!r}", f"{key}.sides", legal=", ".join(HEXSIDES))]
    cost, made = state.ground_base_cost.cpv, income_of(planet, state.turn)
    if line.build * cost > made:
        text = f"{planet.name} makes {made} CPV, and {line.build} ground bases cost {line.build * cost}"
        return [illegal(text, "4.4.9, CU-R94", f"{key}.build", legal=f"0 to {made // cost}")]
    standing = with_more(planet.ground, line.build, sides)
    if any(standing.get(side, 0) > GROUND_BASES_A_HEXSIDE[planet.kind] for side in sides):
        room = sum(hexside_room(planet, side) for side in sides)
        text = f"a {planet.kind} planet has room for {GROUND_BASES_A_HEXSIDE[planet.kind]} ground bases on a hexside"
        text += f", {ground_base_limit(planet.kind)} in all"
        return [illegal(text, "4.4.9, CU-R94", f"{key}.build", legal=f"0 to {room} on {', '.join(sides)}")]
    return []


@rule("4.1.2", "4.4.9")
def build_ground_bases(turn: CutlerTurn, race: Side, plan: GroundPlan) -> None:
    """Ground bases stand at once, without any repair box. 4.1.2, 4.4.9, CU-R94"""
    for key, standing in plan.standing.items():
        planet = turn.state.planets[key]
        built = sum(standing.values()) - planet.ground_bases
        planet.ground = standing
        cpv = built * turn.state.ground_base_cost.cpv
        text = f"{planet.name} ({planet.hex}) builds {built} for {cpv} CPV, and has {in_words(standing)}."
        turn.tell([race], text, kind="economy", why=because("4.4.9, CU-R94"))


def read_ground(state: CutlerState, plan: GroundPlan) -> list[str]:
    """What a sheet builds on planets, in plain words."""
    return [f"{state.planets[key].name} will have {in_words(standing)}." for key, standing in plan.standing.items()]
