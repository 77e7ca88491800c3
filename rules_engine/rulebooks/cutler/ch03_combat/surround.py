"""Chapter 3.6.1.1: pursuers that try to surround the ships that they have caught."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch03_combat.steering import DIRECTIONS, steered_steps
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps

Forces = Mapping[Side, list[Unit]]

SURROUNDS_AT_MOST = 3
"""The highest die at which a group gets to where it can surround. 3.6.1.1"""
REST = "rest"
"""The line of the force that does not surround."""


class SurroundLine(PartialLine):
    """The group that a ship joins, 0 for none; of the rest of the force, the direction in which it is set up."""

    group: int | None = Bounded(default=None, ge=0)
    direction: int | None = None


class SurroundSheet(RootModel[dict[str, SurroundLine]]):
    """Which pursuers try to surround, in which groups. 3.6.1.1"""

    def groups(self) -> dict[int, list[str]]:
        """The ships of each group, in the order of the groups' numbers."""
        found: dict[int, list[str]] = {}
        for number, ship in sorted((line.group, ship) for ship, line in self.root.items() if line.group):
            found.setdefault(number, []).append(ship)
        return found

    @property
    def direction(self) -> int:
        """The direction of the rest of the force."""
        line = self.root.get(REST)
        return DIRECTIONS[0] if line is None or line.direction is None else line.direction


class Surrounded(NamedTuple):
    """What came of it: the ships in each direction, and the groups that are set up each by itself."""

    ships: dict[int, list[str]]
    groups: list[list[str]]


@rule("3.6.1.1", "3.6.1.1.1", "3.6.1.1.2")
def surround_limit(escaping: Sequence[Unit], pursuing: Sequence[Unit]) -> int:
    """The highest die at which a group surrounds: a pursuing navigator takes 1 from it, an escaping one adds 1, and two
    have no effect. 3.6.1.1, 3.6.1.1.1, 3.6.1.1.2, CU-R71"""
    return SURROUNDS_AT_MOST + has_navigator(pursuing) - has_navigator(escaping)


@rule("3.6.1", "3.6.1.1", "2.10")
def surround_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[Surrounded]:
    """Ask the pursuer, ``pair[1]``, for its groups; roll for each in turn, then for the directions of those that
    succeed. The others stand with the rest of the force. Of a coordinated force each race names its own ships, for
    groups of all, and where its others stand. 3.6.1, 3.6.1.1, 2.10, CU-R71, CU-N90, CU-N94"""
    state, here = turn.state, turn.state.fights[hex_id]
    hunters = forces[pair[1]]
    own = {race: units for race in here.force_of(pair[1]) if (units := [one for one in hunters if one.race == race])}
    limit = surround_limit(forces[pair[0]], hunters)
    sheets = yield from ask_details_steps(turn, [_ask(hex_id, race, units, limit) for race, units in own.items()])
    groups = _together(sheets)
    seen_by = here.races_of(*pair)
    attempts = {number: turn.roll(f"surround, group {number}", faces=6, seen_by=seen_by) for number in groups}
    there = [number for number, die in attempts.items() if die.total <= limit]
    rolled = {number: turn.roll(f"direction, group {number}", faces=6, seen_by=seen_by) for number in there}
    side = pair[1] if limit > SURROUNDS_AT_MOST else pair[0]
    steers = None if limit == SURROUNDS_AT_MOST else next(one.race for one in forces[side] if has_navigator([one]))
    ways = yield from steered_steps(turn, hex_id, steers, {number: die.total for number, die in rolled.items()})
    ships = {direction: list[str]() for direction in DIRECTIONS}
    grouped = {ship for number in there for ship in groups[number]}
    for units, sheet in zip(own.values(), sheets, strict=True):
        ships[sheet.direction] += [unit.id for unit in units if unit.id not in grouped]
    apart = [list(found) for found in ships.values() if found]
    for number, way in ways.items():
        ships[way] += groups[number]
        apart.append(groups[number])
    if groups:
        said = ", ".join(
            f"group {number} " + (f"comes up in direction {ways[number]}" if number in ways else "stays")
            for number in groups
        )
        inputs = {"succeeds on": f"1 to {limit}"}
        inputs |= {"legendary navigator": turn.name_of(steers)} if steers else {}
        why = because("3.6.1.1, CU-R71, CU-N94", inputs, [*attempts.values(), *rolled.values()])
        does = verb(len(here.force_of(pair[1])), "tries", "try")
        text = f"The {state.names_of(here.force_of(pair[1]))} {does} to surround in {hex_id}: {said}."
        turn.tell(seen_by, text, kind="combat", why=why)
    return Surrounded({direction: found for direction, found in ships.items() if found}, apart)


def _together(sheets: Sequence[SurroundSheet]) -> dict[int, list[str]]:
    """The ships of each group, which is what all have put into it."""
    found: dict[int, list[str]] = {}
    for number, ship in sorted(
        (number, ship) for sheet in sheets for number, ships in sheet.groups().items() for ship in ships
    ):
        found.setdefault(number, []).append(ship)
    return found


def _ask(hex_id: HexId, hunter: Side, hunters: list[Unit], limit: int) -> Ask[SurroundSheet]:
    names = {unit.id: unit.title for unit in hunters}
    return Ask(
        kind="surround",
        parties=(hunter,),
        title=f"{hex_id}: surrounding those you caught",
        text=f"Each group that tries to surround succeeds on 1 to {limit}; a second die is its direction. Directions "
        "count from the facing of the escaping ships, which is 1; 4 is behind them.",
        question=Question(
            f"Surround those caught in {hex_id}?",
            f"Each group that tries succeeds on 1 to {limit}.",
            (hex_id,),
            noun="unit",
        ),
        model=SurroundSheet,
        form=_form(hunters),
        rule="3.6.1.1",
        default=SurroundSheet({}),
        default_says="Nobody surrounds; your force is set up in direction 1, in their path.",
        pace="decision",
        check=lambda sheet: judge_surround(hunters, sheet),
        read_back=lambda sheet: [
            f"Your force is set up in direction {sheet.direction}.",
            *(
                f"Group {number} surrounds: {', '.join(names[ship] for ship in ships)}."
                for number, ships in sheet.groups().items()
            ),
        ],
    )


def _form(hunters: list[Unit]) -> Form:
    says = {1: ", in their path", 4: ", behind them"}
    ways = tuple(Choice(str(n), f"Direction {n}{says.get(n, '')}") for n in DIRECTIONS)
    rest = Field("direction", "Direction", "one", choices=ways, value="1")
    numbers = (
        Choice("0", "Does not surround"),
        *(Choice(str(n), f"Surrounding group {n}") for n in range(1, len(hunters) + 1)),
    )
    group = Field("group", "Surround", "one", choices=numbers, value="0")
    return Form((Line(REST, "Your force", (rest,)), *(Line(unit.id, unit.title, (group,)) for unit in hunters)))


@rule("3.6.1.1")
def judge_surround(hunters: Sequence[Unit], sheet: SurroundSheet) -> list[Refusal]:
    """Refusals of ships that do not pursue, and of groups and directions that do not exist. 3.6.1.1"""
    refusals: list[Refusal] = []
    known = [unit.id for unit in hunters]
    for key, line in sheet.root.items():
        if key == REST:
            if line.group is not None:
                refusals.append(malformed("the rest of the force is in no group", f"{key}.group", legal="a direction"))
            if line.direction is not None and line.direction not in DIRECTIONS:
                refusals.append(illegal("there is no such direction", "3.6.1.1", f"{key}.direction", legal="1 to 6"))
        elif key not in known:
            text = "this unit has not caught anybody here"
            refusals.append(illegal(text, "3.6.1.1", key, legal=", ".join(known), nearest=nearest(key, known)))
        else:
            if line.direction is not None:
                text = "the direction of a group is rolled for"
                refusals.append(illegal(text, "3.6.1.1", f"{key}.direction", legal="a group"))
            if line.group is not None and line.group > len(known):
                refusals.append(malformed("there is no such group", f"{key}.group", legal=f"0 to {len(known)}"))
    return refusals


def surround_panel(battle: Battle, found: Surrounded, names: Mapping[str, str]) -> Panel:
    """Where the pursuers are set up, for both sides. 3.6.1.1"""
    key_of = {unit: key for key, unit in battle.lines.items()}
    rows = [
        f"Direction {way}: {', '.join(f'{key_of[ship]} {names[ship]}' for ship in ships)}"
        for way, ships in found.ships.items()
    ]
    rows.append("Directions count from the escaping ships, which face 1 (CU-N94).")
    return Panel(title="Where the pursuers stand (3.6.1.1)", rows=tuple(rows))
