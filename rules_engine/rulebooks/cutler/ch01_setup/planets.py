"""Where each race's planets are, and what else is in their hexes. 1.1.2.3, 1.1.2.4"""

from collections.abc import Mapping, Sequence

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.grids.hexes import Grid, UnknownHex
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.economy_lines import name_in, not_a_name
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.setup import Setup
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Planet
from rules_engine.rulebooks.cutler.records.tables import PLANETS_OF_A_RACE, PlanetKind

LINES: dict[str, PlanetKind] = {
    f"{kind}{number if count > 1 else ''}": kind
    for kind, count in PLANETS_OF_A_RACE.items()
    for number in range(1, count + 1)
}
"""The lines of the sheet: one for each planet that a race has."""
_ROMAN = ("Prime", "II", "III", "IV", "V", "VI", "VII")


class PlanetLine(PartialLine):
    """A planet's hex and name; what is left out is as it was filled in."""

    hex: str | None = Bounded(default=None, max_length=12)
    name: str | None = Bounded(default=None, max_length=30)


class PlanetSheet(RootModel[dict[str, PlanetLine]]):
    """A race's planets. 1.1.2.3"""


@rule("1.1.2.3", "1.1.2.3.1")
def placement_steps(turn: CutlerTurn, setup: Setup) -> Steps[None]:
    """All races place their planets in secret; then all planets are shown at once, with place and kind.

    1.1.2.3, CU-R04
    """
    state = turn.state
    asked = turn.sides
    sheets = yield from turn.ask_all_steps(
        [_ask(state.grid, setup.of(side), side, turn.name_of(side)) for side in asked]
    )
    taken: set[str] = set()
    for side, sheet in zip(asked, sheets, strict=True):
        for line, (hex_id, name) in _placed(state.grid, setup.of(side), turn.name_of(side), sheet).items():
            called = name
            while called.casefold() in taken:
                called = f"{called} ({turn.name_of(side)})"
            taken.add(called.casefold())
            key = f"{side}-{line}"
            state.planets[key] = Planet(
                key=key,
                name=called,
                kind=LINES[line],
                hex=hex_id,
                race=side,
                owner=side,
                boarding_parties=setup.rules.garrisons.get(LINES[line], 0),
            )
    for side in asked:
        planets = ", ".join(f"{one.name} ({one.kind}) in {one.hex}" for one in state.planets_of(side))
        turn.tell_all(f"Planets of the {turn.name_of(side)}: {planets}.", kind="setup", why=because("1.1.2.3"))


def has_room(grid: Grid, empire: tuple[HexId, ...]) -> bool:
    """Whether all planets of a race find room in an empire."""
    try:
        usual_places(grid, empire)
    except ValueError:
        return False
    return True


@rule("1.1.2.3")
def usual_places(grid: Grid, empire: tuple[HexId, ...]) -> dict[str, HexId]:
    """A legal placement: all planets as far from other empires as may be, the capital the farthest. 1.1.2.3, CU-N185

    Raises:
        ValueError: when the empire has no room for all its planets.
    """
    rivals = _rivals(grid, empire)
    far = {one: min((grid.distance(one, rival) for rival in rivals), default=0) for one in empire}
    for spread in (True, False):
        places = _places(grid, far, spread=spread)
        if len(places) == len(LINES):
            return dict(zip(LINES, places, strict=True))
    raise ValueError(f"no room for {len(LINES)} planets of which no two are neighbours")


def _rivals(grid: Grid, empire: tuple[HexId, ...]) -> list[HexId]:
    """The hexes next to an empire, or beyond, that may be other empires': those no nearer to the middle of the map than
    the empire itself, for nearer to it is the core, which holds nobody's planets."""
    inside = set(empire)
    near = {one for own in empire for one in grid.neighbours(own) if one not in inside}
    middle = grid.number((grid.columns + 1) // 2, grid.rows // 2)
    if middle not in grid:
        return sorted(near)
    core = min(grid.distance(middle, one) for one in empire)
    return sorted(one for one in near if grid.distance(middle, one) >= core) or sorted(near)


def _places(grid: Grid, far: Mapping[HexId, int], *, spread: bool) -> list[HexId]:
    """Hexes of an empire for planets, one by one: the farthest from others first, and of equally far ones the nearest
    to what is there. Without ``spread`` as close to each other as may be, so that more find room."""
    places: list[HexId] = []
    apart: dict[HexId, list[int]] = {one: [] for one in far}  # of each hex that is free, how far it is from each place
    while apart and len(places) < len(LINES):
        if spread or not places:
            best = min(apart, key=lambda one: (-far[one], sum(apart[one]), one))
        else:
            best = min(apart, key=lambda one: (min(apart[one]), one))
        places.append(best)
        apart = {one: [*others, new] for one, others in apart.items() if (new := grid.distance(one, best)) > 1}
    return places


def _placed(grid: Grid, empire: tuple[HexId, ...], race: str, sheet: PlanetSheet) -> dict[str, tuple[HexId, str]]:
    """Hex and name of each planet of a legal sheet, by line."""
    usual = usual_places(grid, empire)
    found: dict[str, tuple[HexId, str]] = {}
    for number, line in enumerate(LINES):
        said = sheet.root.get(line, PlanetLine())
        hex_id = grid.parse(said.hex) if said.hex else usual[line]
        found[line] = (hex_id, name_in(said.name) or f"{race} {_ROMAN[number]}")
    return found


@rule("1.1.2.3")
def judge_planets(grid: Grid, empire: tuple[HexId, ...], race: str, sheet: PlanetSheet) -> list[Refusal]:
    """Whether all planets lie in the empire, each in a hex of its own and none next to another. 1.1.2.3, CU-R04"""
    refusals = [
        malformed("there is no such line", key, legal=", ".join(LINES)) for key in sheet.root if key not in LINES
    ]
    places: dict[str, HexId] = {}
    usual = usual_places(grid, empire)
    for line in LINES:
        said = sheet.root.get(line, PlanetLine())
        try:
            places[line] = grid.parse(said.hex) if said.hex else usual[line]
        except UnknownHex as error:
            text = str(error).split(";", maxsplit=1)[0]
            refusals.append(malformed(text, f"{line}.hex", legal="a hex of your empire", nearest=error.nearest))
    names: dict[str, str] = {}
    for line, hex_id in places.items():
        if hex_id not in empire:
            text = f"{hex_id} is not in your empire"
            refusals.append(illegal(text, "1.1.2.3, CU-R04", f"{line}.hex", legal=f"such as {usual[line]}"))
        for other, there in places.items():
            if other == line:
                break
            if grid.distance(hex_id, there) <= 1:
                text = f"{other} is {'there, too' if hex_id == there else f'next to it, in {there}'}"
                legal = "hexes that are neither one nor neighbours"
                refusals.append(illegal(text, "1.1.2.3, CU-R04", f"{line}.hex", legal=legal))
        name = name_in(sheet.root.get(line, PlanetLine()).name)
        refusals += not_a_name(name, f"{line}.name")
        if name and names.setdefault(name.casefold(), line) != line:
            refusals.append(malformed(f"{names[name.casefold()]} has that name", f"{line}.name", legal="another name"))
    return refusals


def _called(line: str) -> str:
    """``Major planet 2`` for the line ``major2``."""
    kind = line.rstrip("0123456789")
    return f"{kind.capitalize()} planet {line.removeprefix(kind)}".strip()


def _ask(grid: Grid, empire: tuple[HexId, ...], side: Side, race: str) -> Ask[PlanetSheet]:
    usual = _placed(grid, empire, race, PlanetSheet({}))
    lines = tuple(
        Line(
            line,
            _called(line),
            (
                Field("hex", "Hex", "text", most=12, value=usual[line][0], optional=True),
                Field("name", "Name", "text", most=30, value=usual[line][1], optional=True),
            ),
        )
        for line in LINES
    )
    return Ask(
        kind="planets",
        parties=(side,),
        title="Set-up: your planets",
        text="Place your planets within your empire: each in a hex of its own, no two of them next to each other. All "
        "races' planets are shown at once when everybody is done, and never move.",
        question=Question(
            "Place your planets", "Each in a hex of its own within your empire, no two next to each other."
        ),
        model=PlanetSheet,
        form=Form(lines),
        rule="1.1.2.3, CU-R04",
        default=PlanetSheet({}),
        default_says="Your planets lie as they are filled in.",
        check=lambda sheet: judge_planets(grid, empire, race, sheet),
        read_back=lambda sheet: [
            f"{name} ({LINES[line]}) in {hex_id}."
            for line, (hex_id, name) in _placed(grid, empire, race, sheet).items()
        ],
    )


def planets_in_order(planets: Mapping[str, Planet], sides: Sequence[Side]) -> list[Planet]:
    """All planets, side by side in this order and line by line."""
    return [planets[f"{side}-{line}"] for side in sides for line in LINES]
