"""What happened to a unit, as a sentence for those who may know it."""

from collections.abc import Callable, Mapping

from rules_engine.rulebooks.vector.records.happenings import Happened, What


def sentence(one: Happened, name: str) -> str:
    """A happening in words, under the name that its readers know the unit by. Hexes moved say where each led to."""
    return f"{name} {_SAID[one.what](one)}."


def _accelerated(one: Happened) -> str:
    return f"accelerates by {one.amount} to {one.way}: vector {one.vector}"


def _turned(one: Happened) -> str:
    return f"turns {'right' if one.amount > 0 else 'left'} to face {one.facing}"


def _high_energy(one: Happened) -> str:
    return f"makes a high energy turn to face {one.facing}"


def _tumbling(one: Happened) -> str:
    if one.dice:
        return f"breaks down in a high energy turn and tumbles, facing {one.facing}"
    return f"tumbles round to face {one.facing}"


def _launched(one: Happened) -> str:
    added = f" with {one.amount} to {one.way}" if one.amount else ""
    return f"is launched by {one.other} in {one.hex}{added}: vector {one.vector}, facing {one.facing}"


def _entered(one: Happened) -> str:
    damage = f", damage times {one.times}" if one.times > 1 else ""
    return f"enters {one.other} in {one.hex} at speed {one.speed}{damage}"


def _slowed(one: Happened) -> str:
    damage = f", and shield {one.shield} takes {one.damage}" if one.damage else ""
    return f"is slowed by warp friction: vector {one.vector}{damage}"


def _refused(one: Happened) -> str:
    said = one.refusal
    if said is None:
        return "does not do what was plotted"
    legal = f", legal: {said.legal}" if said.legal else ""
    return f"does not do what was plotted: {said.problem} ({said.rule}){legal}"


_SAID: Mapping[What, Callable[[Happened], str]] = {
    "moved": lambda one: f"moves to {one.hex}",
    "slipped": lambda one: f"sideslips to {one.hex}",
    "entered": _entered,
    "accelerated": _accelerated,
    "turned": _turned,
    "high energy turn": _high_energy,
    "tumbling": _tumbling,
    "recovered": lambda one: f"tumbles no more, and faces {one.facing}",
    "launched": _launched,
    "landed": lambda one: f"lands on {one.other} in {one.hex}",
    "weasel": lambda one: f"sends out a wild weasel{', ' + one.other if one.other else ''}",
    "voided": lambda one: f"has voided its wild weasel{' ' + one.other if one.other else ''}",
    "slowed": _slowed,
    "caught": lambda one: f"is held in a tractor by {one.other}: common vector {one.vector}",
    "released": lambda one: f"is let go from the tractor with {one.other}, vector {one.vector}",
    "controls": lambda one: f"controls the movement of {one.other} in the tractor",
    "fired": lambda one: "sees its condition come about",
    "stopped": lambda one: (
        f"decelerates in an emergency: {one.amount} power to its shields, vector {one.vector} as it was"
    ),
    "reserve": lambda one: f"adds {one.amount} from reserve",
    "kept": lambda one: "need not turn: it faces there as well as it can",
    "refused": _refused,
}
