"""What stacks would be by a sheet: copies of their units, parted, joined, with tows, cloaks and overhauls, to judge."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import end_tow, end_tows, take_in_tow
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import judge_tug_tow
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import (
    OF_SHIPS,
    SHIPS,
    STANDING,
    Cloak,
    RouteLeg,
    StackOrders,
    StackPlot,
    TurnPlots,
)
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from rules_engine.rulebooks.border_patrol.stacks import are_aboard_nothing, goers, stack_allowance


@dataclass
class Formation:
    """A stack as it would be. ``units`` are copies; ``detached`` those that would part as a stack of their own, and
    ``part_legs`` their way; ``words`` the standing orders that its line changes; ``loaded`` are the pods that its tugs
    would carry, by their words, if its line says so, and ``set_down`` those that they would leave."""

    stack: UnitStack
    line: StackPlot
    units: list[Unit]
    detached: list[Unit] = field(default_factory=list[Unit])
    part_legs: list[RouteLeg] = field(default_factory=list[RouteLeg])
    joins: str = ""
    legs: list[RouteLeg] = field(default_factory=list[RouteLeg])
    cloak_word: Cloak = "no"
    loaded: list[str] = field(default_factory=list[str])
    set_down: list[PodCarried] = field(default_factory=list[PodCarried])
    words: dict[str, object] = field(default_factory=dict[str, object])

    @property
    def standing(self) -> StackOrders:
        """Its orders with the standing ones that would hold."""
        chosen = {name: getattr(self.line, name, None) for name in STANDING}
        return self.stack.orders.changed(**{key: word for key, word in chosen.items() if word is not None} | self.words)

    @property
    def key(self) -> str:
        """The stack's id."""
        return self.stack.id

    @property
    def allowance(self) -> int:
        """How far it would go in this turn."""
        return stack_allowance(self.units, together=self.standing.company == "keep together")

    @property
    def lead(self) -> Unit:
        """Who it is judged by that goes: the first that can move."""
        return next(iter(goers(self.units)), self.units[0])

    def path(self, field: str) -> str:
        """Where a field of it stands on the sheet."""
        return f"{self.key}{SHIPS if field in OF_SHIPS else ''}.{field}"

    def unit(self, key: str) -> Unit | None:
        """A unit of it, by id."""
        return next((unit for unit in self.units if unit.id == key), None)

    def named(self, keys: tuple[str, ...], path: str) -> tuple[list[Unit], list[Refusal]]:
        """Units of it by their ids, and refusals of others."""
        found = [unit for key in keys if (unit := self.unit(key)) is not None]
        own = [unit.id for unit in self.units]
        strange = [
            malformed(f"no such unit is in {self.key}", path, legal=", ".join(own), nearest=nearest(key, own))
            for key in keys
            if key not in own
        ]
        return found, strange


def commanded(state: BorderState, team: Side) -> list[UnitStack]:
    """The stacks that a Team's captains command: all but convoys under way."""
    return [stack for stack in state.stacks_of(team) if state.convoy_of(stack.id) is None]


def beside(stack: UnitStack, others: Iterable[UnitStack]) -> list[UnitStack]:
    """The stacks that one may join: in its hex, of the same captain. BP-N16"""
    return [one for one in others if one.hex == stack.hex and one.captain == stack.captain and one.id != stack.id]


def form_up(state: BorderState, team: Side, sheet: TurnPlots) -> tuple[dict[str, Formation], list[Refusal]]:
    """The stacks that a sheet makes of a Team's, and what is wrong with how they part and join."""
    known = {stack.id: stack for stack in commanded(state, team)}
    refusals = [
        malformed("you command no such stack", key, legal=", ".join(known), nearest=nearest(key, known))
        for key in sheet.root
        if key.removesuffix(SHIPS) not in known
    ]
    made = {
        key: Formation(stack, sheet.of(key), [unit.copied() for unit in state.members(stack)])
        for key, stack in known.items()
    }
    for one in made.values():
        refusals += _detach(one)
    filled_in = {key: towing_pairs(one.units) for key, one in made.items()}
    for one in made.values():
        refusals += _join(one, made)
    for one in made.values():
        if one.joins:
            made[one.joins].units += one.units
            one.units = []
    for one in made.values():
        refusals += _tow(one, filled_in[one.key])
    return made, refusals


def _detach(one: Formation) -> list[Refusal]:
    """Let units stay behind as a stack of their own, neither all of them nor one end of a tow."""
    path = one.path("detach")
    staying, refusals = one.named(one.line.detach or (), path)
    if not staying:
        return refusals
    if len(staying) == len(one.units):
        return [*refusals, malformed(f"nobody would be left in {one.key}", path, legal="some of its units")]
    one.detached = staying
    one.units = [unit for unit in one.units if unit not in staying]
    refusals += judge_parts((one.units, one.detached), path)
    for unit in one.units:  # what is in tow is let go where it stays; who goes with its tower remains in tow
        for parted in one.detached:
            end_tow(unit, parted)
            end_tow(parted, unit)
    return refusals


@rule("V8.18")
def judge_parts(parts: Iterable[Sequence[Unit]], path: str) -> list[Refusal]:
    """Refusals of parts of a stack in which nobody travels. V8.18, BP-R09"""
    return [
        illegal(
            f"{', '.join(unit.name for unit in part)} would be aboard nothing",
            "V8.18, BP-R09",
            path,
            legal="a unit beside them that travels",
        )
        for part in parts
        if are_aboard_nothing(part)
    ]


def _join(one: Formation, made: Mapping[str, Formation]) -> list[Refusal]:
    """Let a stack go over to another in its hex, whose orders it has then."""
    path, goal = one.path("join"), one.line.join
    if not goal:
        return []
    there = [other.id for other in beside(one.stack, [other.stack for other in made.values()])]
    if goal not in there:
        text = f"{one.key} cannot join {goal}" if goal in made else "there is no such stack"
        return [
            malformed(text, path, legal=", ".join(there) or "no other stack is there", nearest=nearest(goal, there))
        ]
    if made[goal].line.join:
        return [malformed(f"{goal} joins another itself", path, legal="a stack that stays one")]
    own = [name for name in ("route", "emergency", "tow", "overhaul") if getattr(one.line, name)]
    if own:
        text = f"{one.key} joins {goal}, and does what {goal} does"
        return [malformed(text, one.path(own[0]), legal=f"say it in the line of {goal}")]
    one.joins = goal
    return []


@rule("V8.31", "V8.37")
def _tow(one: Formation, before: Collection[str]) -> list[Refusal]:
    """Take in tow whom the line names, or keep what is in tow. A line that still says the tows of ``before``, as it was
    filled in, changes nothing: who joins comes with what is in tow. V8.31, V8.37"""
    path = one.path("tow")
    refusals: list[Refusal] = []
    if one.line.tow is not None and {*one.line.tow} != {*before}:
        end_tows(one.units)
        for pair in one.line.tow:
            tower_key, _, towed_key = pair.partition(">")
            (tower, towed), strange = (
                (one.unit(tower_key), one.unit(towed_key)),
                one.named((tower_key, towed_key), path)[1],
            )
            refusals += strange
            if tower is not None and towed is not None:
                take_in_tow(tower, towed)
    return refusals


@rule("V8.82", "V8.84")
def judge_tows(one: Formation) -> list[Refusal]:
    """Refuse tows that may not be, once it is clear what tugs carry. V8.82, V8.84"""
    refusals: list[Refusal] = []
    for tower in (*one.units, *one.detached):
        towed = [unit for unit in (*one.units, *one.detached) if unit.id in tower.towing]
        refusals += judge_tug_tow(tower, towed, one.path("tow"))
    return refusals


def towing_pairs(units: list[Unit]) -> list[str]:
    """Tows as the sheet writes them."""
    return [f"{unit.id}>{key}" for unit in units for key in unit.towing]
