"""Pods on a sheet: which a stack's tugs carry, of those that they have and those that lie in their hex. V8.83"""

import re
from collections.abc import Iterable, Mapping, Sequence

from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import judge_pods
from rules_engine.rulebooks.border_patrol.plotting.formations import Formation
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit

_NO_LETTERS = re.compile(r"[^a-z0-9]+")


def pods_within_reach(state: BorderState, stack: UnitStack) -> dict[str, tuple[PodCarried, str]]:
    """The pods that a stack's tugs may carry in a turn, by the word for each: those that they have, then those that lie
    there, with the id under which one lies, empty of one that is carried."""
    carried = [(pod, "") for unit in state.members(stack) for pod in unit.pods]
    lying = [
        (PodCarried(name=one.name, weight=max(1, one.weight)), one.id) for one in state.pods_at(stack.team, stack.hex)
    ]
    found: dict[str, tuple[PodCarried, str]] = {}
    for pod, key in (*carried, *lying):
        word = _NO_LETTERS.sub("-", pod.name.casefold()).strip("-") or "pod"
        alike = sum(one == word or (one.startswith(f"{word}-") and one[len(word) + 1 :].isdigit()) for one in found)
        found[f"{word}-{alike + 1}" if alike else word] = (pod, key)
    return found


def tugs_of(units: Iterable[Unit]) -> list[Unit]:
    """Those of some units that carry pods."""
    return [unit for unit in units if unit.kind == "tug"]


def pod_choices(state: BorderState, stack: UnitStack) -> tuple[Choice, ...]:
    """Every pod within reach on every tug: what is wrong with one is said when it is chosen."""
    return tuple(
        Choice(f"{tug.id}>{word}", f"{tug.name} carries {pod.name}")
        for tug in tugs_of(state.members(stack))
        for word, (pod, _) in pods_within_reach(state, stack).items()
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
        if one.line.pods is None or one.joins:
            continue
        reach, path = pods_within_reach(state, one.stack), one.path("pods")
        refusals += _assign(one, reach, path)
        for word in one.loaded:
            key = reach[word][1]
            if key and taken.setdefault(key, one.key) != one.key:
                text = f"{one.key} and {taken[key]} would both take {reach[word][0].name}"
                refusals.append(illegal(text, "V8.83, BP-N29", path, legal="one of them"))
        for unit in one.units:
            refusals += judge_pods(unit, unit.pods, path)
    return refusals


def _assign(one: Formation, reach: Mapping[str, tuple[PodCarried, str]], path: str) -> list[Refusal]:
    refusals: list[Refusal] = []
    own = {word for word, (_, key) in reach.items() if not key}
    for tug in one.units:
        tug.pods = []
    for pair in one.line.pods or ():
        tug_key, _, word = pair.partition(">")
        found, strange = one.named((tug_key,), path)
        refusals += strange
        if word not in reach:
            near = nearest(word, reach)
            refusals.append(malformed("no such pod is there", path, legal=", ".join(reach) or "none", nearest=near))
        elif word in one.loaded:
            refusals.append(malformed(f"{reach[word][0].name} would be on two tugs", path, legal="one of them"))
        elif found:
            found[0].pods.append(reach[word][0])
            one.loaded.append(word)
    one.set_down = [reach[word][0] for word in reach if word in own and word not in one.loaded]
    return refusals


def carry_out_loads(state: BorderState, one: Formation, reach: Mapping[str, tuple[PodCarried, str]]) -> Sequence[str]:
    """Carry out a judged line: what was set down lies in the hex, what was taken up does so no longer. What is told."""
    for word in one.loaded:
        state.pods_lying.pop(reach[word][1], None)
    for pod in one.set_down:
        state.set_down(one.stack.team, one.stack.hex, pod)
    up = [reach[word][0].name for word in one.loaded if reach[word][1]]
    down = [pod.name for pod in one.set_down]
    said = [f"takes up {', '.join(up)}"] if up else []
    return [*said, *([f"sets down {', '.join(down)}"] if down else [])]
