"""Pods on a sheet: which a stack's tugs carry, of those that they have and those that lie in their hex. V8.83"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import judge_pods
from rules_engine.rulebooks.border_patrol.plotting.formations import Formation
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit

_NO_LETTERS = re.compile(r"[^a-z0-9]+")


class PodInReach(NamedTuple):
    """A pod that a stack's tugs may carry: ``lying`` is the id under which it lies, empty of one that is carried, and
    ``tug`` who carries it, empty of one that lies."""

    pod: PodCarried
    lying: str = ""
    tug: str = ""


def pods_within_reach(state: BorderState, stack: UnitStack) -> dict[str, PodInReach]:
    """The pods that a stack's tugs may carry in a turn, by the word for each: those that they have, then those that lie
    there."""
    carried = [PodInReach(pod, tug=unit.id) for unit in state.members(stack) for pod in unit.pods]
    lying = [
        PodInReach(PodCarried(name=one.name, weight=max(1, one.weight)), lying=one.id)
        for one in state.pods_at(stack.team, stack.hex)
    ]
    found: dict[str, PodInReach] = {}
    for one in (*carried, *lying):
        word = _NO_LETTERS.sub("-", one.pod.name.casefold()).strip("-") or "pod"
        alike = sum(key == word or (key.startswith(f"{word}-") and key[len(word) + 1 :].isdigit()) for key in found)
        found[f"{word}-{alike + 1}" if alike else word] = one
    return found


def tugs_of(units: Iterable[Unit]) -> list[Unit]:
    """Those of some units that carry pods."""
    return [unit for unit in units if unit.kind == "tug"]


def pod_choices(state: BorderState, stack: UnitStack) -> tuple[Choice, ...]:
    """Every pod within reach on every tug: what is wrong with one is said when it is chosen."""
    return tuple(
        Choice(f"{tug.id}>{word}", f"{tug.name} carries {pod.name}")
        for tug in tugs_of(state.members(stack))
        for word, (pod, *_) in pods_within_reach(state, stack).items()
    )


def pods_now(state: BorderState, stack: UnitStack) -> list[str]:
    """What its tugs carry now, as the sheet writes it."""
    words = iter(pods_within_reach(state, stack))
    return [f"{unit.id}>{next(words)}" for unit in state.members(stack) for _ in unit.pods]


@rule("V8.82", "V8.83")
def load(state: BorderState, formations: Mapping[str, Formation]) -> list[Refusal]:
    """Let tugs carry what their sheet says and set down the rest, and refuse what they may not carry. A pod that lies
    goes with the first stack that takes it. V8.82, V8.83, BP-N29"""
    refusals: list[Refusal] = []
    taken: dict[str, str] = {}
    for one in formations.values():
        if one.line.pods is None:
            continue
        reach, path = pods_within_reach(state, one.stack), one.path("pods")
        if one.joins:
            if sorted(one.line.pods) != sorted(pods_now(state, one.stack)):
                text = f"{one.key} joins {one.joins}, and would load otherwise first"
                legal = f"its pods as they are; what {one.joins} takes up is said in its line"
                refusals.append(illegal(text, "V8.83, BP-N29", path, legal=legal))
            continue
        refusals += _assign(one, reach, path)
        for word in one.loaded:
            key = reach[word].lying
            if key and taken.setdefault(key, one.key) != one.key:
                text = f"{one.key} and {taken[key]} would both take {reach[word].pod.name}"
                refusals.append(illegal(text, "V8.83, BP-N29", path, legal="one of them"))
        for unit in one.units:
            refusals += judge_pods(unit, unit.pods, path)
    return refusals


def _assign(one: Formation, reach: Mapping[str, PodInReach], path: str) -> list[Refusal]:
    """Load the stack's own tugs anew. Who joins it keeps its pods, and so does who is left behind: another stack's line
    says nothing of them."""
    refusals: list[Refusal] = []
    parted = {unit.id for unit in one.detached}
    own = {word for word, found in reach.items() if found.tug and found.tug not in parted}
    for tug in one.units:
        if tug.id in one.stack.units:
            tug.pods = []
    for pair in one.line.pods or ():
        tug_key, _, word = pair.partition(">")
        if word in reach and reach[word].tug in parted:
            if tug_key != reach[word].tug:
                text = f"{reach[word].pod.name} stays behind with the tug that carries it"
                refusals.append(illegal(text, "V8.83, BP-N29", path, legal="a pod that lies there, or goes along"))
            continue
        found, strange = one.named((tug_key,), path)
        refusals += strange
        if word not in reach:
            near = nearest(word, reach)
            refusals.append(malformed("no such pod is there", path, legal=", ".join(reach) or "none", nearest=near))
        elif word in one.loaded:
            refusals.append(malformed(f"{reach[word].pod.name} would be on two tugs", path, legal="one of them"))
        elif found:
            found[0].pods.append(reach[word].pod)
            one.loaded.append(word)
    one.set_down = [reach[word].pod for word in reach if word in own and word not in one.loaded]
    return refusals


def carry_out_loads(state: BorderState, one: Formation, reach: Mapping[str, PodInReach]) -> Sequence[str]:
    """Carry out a judged line: what was set down lies in the hex, what was taken up does so no longer. What is told."""
    for word in one.loaded:
        state.pods_lying.pop(reach[word].lying, None)
    for pod in one.set_down:
        state.set_down(one.stack.team, one.stack.hex, pod)
    up = [reach[word].pod.name for word in one.loaded if reach[word].lying]
    down = [pod.name for pod in one.set_down]
    said = [f"takes up {', '.join(up)}"] if up else []
    return [*said, *([f"sets down {', '.join(down)}"] if down else [])]
