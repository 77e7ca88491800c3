"""Routes as players write them: waypoints, ``to 0412``, words of a book's own, and patrols ``loop 0406 0405``.

A book walks the steps: it knows what a step is, which is possible, and from where the next one starts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rules_engine.core.basics.refusals import Refusal, malformed

TO = "to"
"""Before a hex: go there by the shortest way."""
LOOP = "loop"
"""The steps after this word are repeated; as the last word, the whole route is."""
NOWHERE = ("stop", "clear")
"""A route of one of these words takes the stored one away."""

_AGAIN = re.compile(r"^(?P<ahead>.*?),?\s*(?:then )?again and again(?P<loop>.*)$", re.IGNORECASE | re.DOTALL)
_BETWEEN = re.compile(r"[\s,;>→]+")


@dataclass
class PlottedRoute:
    """A route as it was read: its steps, the patrol repeated after them, and the defects."""

    steps: list[str] = field(default_factory=list[str])
    loop: list[str] = field(default_factory=list[str])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


class Walk(Protocol):
    """The position that a route has reached so far, while it is read."""

    @property
    def steps(self) -> list[str]:
        """The steps taken so far."""
        ...

    @property
    def defect(self) -> Refusal | None:
        """Why the last word could not be taken."""
        ...

    def take(self, word: str) -> bool:
        """Take one step; False, with a defect, if it is impossible."""
        ...

    def go_to(self, word: str) -> bool:
        """Go to a place by the shortest path; False, with a defect, if that is impossible."""
        ...

    def again(self, loop: Sequence[str]) -> Refusal | None:
        """Why these steps cannot begin again from where they end; None if they can."""
        ...


def words_in(text: str, spoken: Mapping[re.Pattern[str], str]) -> list[str]:
    """The words of a written route; one that is written as it is read back is put into the words of a plain one.

    ``spoken`` are steps as they are read back, and how each is written.
    """
    for said, word in spoken.items():
        text = said.sub(word, text)
    found = _AGAIN.match(text)
    if found is None:
        return [word for word in _BETWEEN.split(text.strip()) if word]
    ahead, loop = ([word for word in _BETWEEN.split(found[part]) if word] for part in ("ahead", "loop"))
    if not loop:
        return [LOOP, *ahead]
    before = ahead[: -len(loop)] if ahead[-len(loop) :] == loop else ahead
    return [*before, LOOP, *loop]


def walked(words: Sequence[str], walk: Walk, path: str, *, most: int) -> PlottedRoute:
    """The steps of a route in the words of a plain one, at ``most`` so many, and every defect."""
    if [word.casefold() for word in words] in [[word] for word in NOWHERE]:
        return PlottedRoute()
    begins: int | None = None
    left = iter(words)
    for word in left:
        if word.casefold() == LOOP:
            if begins is not None:
                return PlottedRoute(walk.steps, refusals=[malformed(f"a route has one {LOOP}", path)])
            begins = len(walk.steps)
        elif not (walk.go_to(next(left, "")) if word.casefold() == TO else walk.take(word)):
            break  # the next steps would start from an unknown place
        if len(walk.steps) > most:
            return PlottedRoute(refusals=[malformed(f"a route has at most {most} steps", path)])
    if walk.defect is not None:
        return PlottedRoute(walk.steps, refusals=[walk.defect])
    return _patrol(walk, begins, path) if begins is not None else PlottedRoute(walk.steps)


def _patrol(walk: Walk, begins: int, path: str) -> PlottedRoute:
    """A route whose part from ``begins`` on is a patrol; it must be possible again from its own end."""
    loop = walk.steps[begins:] or list(walk.steps)
    if not loop:
        return PlottedRoute(refusals=[malformed(f"{LOOP} needs steps to repeat", path, legal=f"{LOOP} 0406 0405")])
    defect = walk.again(loop)
    return PlottedRoute(walk.steps, refusals=[defect]) if defect is not None else PlottedRoute(walk.steps, loop)


def write_route(steps: Sequence[str], loop: Sequence[str]) -> str:
    """The reverse of reading a route."""
    if not loop:
        return " ".join(steps)
    before = steps[: -len(loop)] if list(steps[-len(loop) :]) == list(loop) else steps
    return " ".join([*before, LOOP, *loop])


def say_patrol(steps: Sequence[str], loop: Sequence[str], *, ahead: str, again: str) -> str:
    """A route in plain words, given those of its steps ``ahead``, and of what is done ``again``."""
    if not loop:
        return ahead
    return f"{ahead}, again and again" if list(steps) == list(loop) else f"{ahead}, then again and again {again}"
