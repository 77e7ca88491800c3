"""Chapter 3.6.1.1: pursuers that try to surround the ships that they have caught."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit

SURROUNDED = 3
"""The highest die at which a group surrounds. 3.6.1.1"""
DIRECTIONS = range(1, 7)
"""Directions count from the facing of the escaping ships, which is 1. CU-N94"""
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


SHIFTS = (0, -1, 1)
"""By how much a legendary navigator may shift a direction. 3.6.1.1.1"""


class ShiftLine(PartialLine):
    """How a group's direction is shifted."""

    shift: int = 0


class ShiftSheet(RootModel[dict[str, ShiftLine]]):
    """How directions are shifted by a legendary navigator, by group. 3.6.1.1.1"""

    def of(self, group: int) -> int:
        """The shift of a group."""
        return self.root.get(f"G{group}", ShiftLine()).shift


class Surrounded(NamedTuple):
    """What came of it: the ships in each direction."""

    ships: dict[int, list[str]]


@rule("3.6.1.1", "3.6.1.1.1", "3.6.1.1.2")
def surround_limit(escaping: Sequence[Unit], pursuing: Sequence[Unit]) -> int:
    """The highest die at which a group surrounds: a pursuing navigator takes 1 from it, an escaping one adds 1, and two
    have no effect. 3.6.1.1, 3.6.1.1.1, 3.6.1.1.2, CU-R71"""
    return SURROUNDED + has_navigator(pursuing) - has_navigator(escaping)


@rule("3.6.1.1", "3.6.1.1.1", "3.6.1.1.2")
def surround_row(runner: str, hunter: str, escaping: Sequence[Unit], pursuing: Sequence[Unit]) -> str:
    """How surrounding groups are set up, for both sides' sheet. Who has a navigator showed in the escape roll.

    3.6.1.1, 3.6.1.1.1, 3.6.1.1.2, CU-R71
    """
    limit = surround_limit(escaping, pursuing)
    row = f"To surround, a group needs 1-{limit}; it is set up in the direction of a second die"
    if limit == SURROUNDED:
        both = has_navigator(escaping)
        return f"{row} (3.6.1.1)." + (" Two legendary navigators have no effect (3.6.1.1.2)." if both else "")
    who, law = (hunter, "3.6.1.1.1") if limit > SURROUNDED else (runner, "3.6.1.1.2")
    return f"{row}, which the legendary navigator of the {who} may have shifted by 1 ({law})."


@rule("3.6.1", "3.6.1.1")
def surround_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], escaping: list[Unit], hunters: list[Unit]
) -> Steps[Surrounded]:
    """Ask the pursuer, ``pair[1]``, for its groups; roll for each in turn, then for the directions of those that
    succeed. The others stand with the rest of the force. 3.6.1, 3.6.1.1, CU-R71, CU-N94"""
    sheet = yield from turn.ask_steps(_ask(hex_id, pair[1], hunters))
    groups = sheet.groups()
    limit = surround_limit(escaping, hunters)
    attempts = {number: turn.roll(f"surround, group {number}", faces=6, seen_by=pair) for number in groups}
    there = [number for number, die in attempts.items() if die.total <= limit]
    dice = {number: turn.roll(f"direction, group {number}", faces=6, seen_by=pair) for number in there}
    ways = {number: die.total for number, die in dice.items()}
    if limit != SURROUNDED and ways:
        shifted = yield from turn.ask_steps(_shift_ask(hex_id, pair[limit > SURROUNDED], ways))
        ways = {number: shifted_by(way, shifted.of(number)) for number, way in ways.items()}
    ships = {direction: list[str]() for direction in DIRECTIONS}
    grouped = {ship for number in there for ship in groups[number]}
    ships[sheet.direction] += [unit.id for unit in hunters if unit.id not in grouped]
    for number, way in ways.items():
        ships[way] += groups[number]
    if groups:
        said = ", ".join(
            f"group {number} " + (f"comes up in direction {ways[number]}" if number in ways else "stays")
            for number in groups
        )
        why = because("3.6.1.1, CU-R71, CU-N94", {"succeeds on": f"1 to {limit}"}, [*attempts.values(), *dice.values()])
        text = f"The {turn.name_of(pair[1])} tries to surround in {hex_id}: {said}."
        turn.tell(pair, text, kind="combat", why=why)
    return Surrounded({direction: found for direction, found in ships.items() if found})


def _ask(hex_id: HexId, hunter: Side, hunters: list[Unit]) -> Ask[SurroundSheet]:
    names = {unit.id: unit.title for unit in hunters}
    return Ask(
        kind="surround",
        parties=(hunter,),
        title=f"{hex_id}: surrounding those you caught",
        text="Each group that tries to surround succeeds on 1 to 3; a second die is its direction. Directions count "
        "from the facing of the escaping ships, which is 1; 4 is behind them.",
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


@rule("3.6.1.1.1", "3.6.1.1.2")
def shifted_by(way: int, shift: int) -> int:
    """A direction that a legendary navigator has shifted; 1 and 6 are next to each other. 3.6.1.1.1, 3.6.1.1.2,
    CU-R71"""
    return (way + shift - 1) % len(DIRECTIONS) + 1


@rule("3.6.1.1.1", "3.6.1.1.2")
def _shift_ask(hex_id: HexId, race: Side, ways: Mapping[int, int]) -> Ask[ShiftSheet]:
    """What the side with the only legendary navigator makes of the directions that were rolled. 3.6.1.1.1, 3.6.1.1.2"""
    lines = {f"G{number}": way for number, way in ways.items()}

    def field(way: int) -> Field:
        choices = tuple(Choice(str(by), f"Direction {shifted_by(way, by)}") for by in SHIFTS)
        return Field("shift", "Comes up in", "one", choices=choices, value="0")

    def judge(sheet: ShiftSheet) -> list[Refusal]:
        refusals = [
            malformed("no such group surrounds", key, legal=", ".join(lines), nearest=nearest(key, lines))
            for key in sheet.root
            if key not in lines
        ]
        return refusals + [
            illegal("a navigator shifts a direction by 1", "3.6.1.1.1, CU-R71", f"{key}.shift", legal="-1, 0 or 1")
            for key, line in sheet.root.items()
            if line.shift not in SHIFTS
        ]

    return Ask(
        kind="shift",
        parties=(race,),
        title=f"{hex_id}: directions of those who surround",
        text="Your legendary navigator may shift each direction by 1 either way.",
        model=ShiftSheet,
        form=Form(tuple(Line(key, f"Group {key[1:]}, rolled {way}", (field(way),)) for key, way in lines.items())),
        rule="3.6.1.1.1, 3.6.1.1.2",
        default=ShiftSheet({}),
        default_says="All directions stand as rolled.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [
            f"Group {key[1:]} comes up in direction {shifted_by(way, sheet.of(int(key[1:])))}."
            for key, way in lines.items()
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
