"""What two worlds are made of: what is played, what was seen, and when two records are the same."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.players import random_answer
from tests.seeds import IS_FULL

few = settings(
    max_examples=200 if IS_FULL else 2, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck)
)
"""Each example plays a campaign: few of them but in a full sweep, and a failing one is not made smaller."""


def one_by_one(*changes: Any) -> list[Any]:
    """Parameters of which a quick run tries none, for it tries all of them at once."""
    wrapped = [change if isinstance(change, tuple) else (change,) for change in changes]
    return [pytest.param(*change, marks=pytest.mark.slow) for change in wrapped]


def one_after_another(text: str, *changes: Callable[[str], str]) -> str:
    """A text after all of these changes, each of which must change something."""
    for change in changes:
        before, text = text, change(text)
        assert text != before, change.__name__
    return text


Policy = Callable[[Any, str, AnyAsk, Random], Any]
"""From (adjudicator, side, ask, chance) to the document of an answer, or None to stay silent."""

Files = Mapping[str, Callable[[str], str]]
"""Changes of a scenario's files, by name."""


def as_filled_in(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Say aloud what is filled in."""
    return ask.form.prefilled()


def as_it_comes(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Any legal answer."""
    return random_answer(adjudicator, side, ask, chance)


@dataclass(frozen=True)
class World:
    """One campaign to be played. ``sides`` are those of ann (the watcher), leo, abe and mia, in this order.

    ``seed`` decides dice and the answers of all; ``hidden`` of what the others do besides. ``policies`` say how each
    side answers. ``restless`` is how often the others change their minds, ``silent`` who never answers, ``late`` who
    is never ready (so that deadlines fall), ``others_first`` and ``backwards`` in which order the others act.
    ``dice`` are loaded by the ends of their labels. ``leaps`` are referee's corrections of the calendar: while the
    played turn is planned, it becomes that turn of the campaign. In the turns ``people_move`` leo hands the seat to mia
    and gets it back, then leaves the server and returns.

    ``curious``: the watcher presses all that cards offer, and who is no referee presses a referee's desk; ``looks_on``:
    the referee looks at everything. ``until`` a sheet of this kind is open nobody looks at anything, and what comes
    after it is not played. Of a battle that is played by hand, ``accounts`` are those that the others send, one after
    another, before the watcher has sent one (a negative one is filled in and not sent); in ``drafts`` is what they fill
    in afterwards and do not send; and if there is a ``quarrel``, they say what can be said beside accounts.

    ``talk``: the others write to each other, agree, end what they agreed, and hand on what they know; with ``writes``
    the watcher writes to them as well. ``chair``: what the referee sees is written down, too.
    """

    scenario: str
    sides: tuple[str, ...]
    turns: int = 1
    seed: int = 1
    policies: Mapping[str, Policy] = field(default_factory=dict[str, Policy])
    files: Files = field(default_factory=dict[str, Callable[[str], str]])
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    restless: int = 0
    mistakes: int = 0
    silent: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    others_first: bool = False
    backwards: bool = False
    pictures: bool = False
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    leaps: Mapping[int, int] = field(default_factory=dict[int, int])
    people_move: frozenset[int] = frozenset()
    curious: bool = False
    looks_on: bool = False
    until: str = ""
    accounts: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    drafts: Mapping[str, int] = field(default_factory=dict[str, int])
    quarrel: bool = False
    talk: bool = False
    writes: bool = False
    chair: bool = False

    def but(self, **changes: Any) -> "World":
        """The same with changes."""
        return replace(self, **changes)


Moment = tuple[str, ...]


@dataclass
class Record:
    """What the watcher and the onlookers saw, moment by moment; and how much was going on besides."""

    moments: list[Moment] = field(default_factory=list[Moment])
    hidden: list[str] = field(default_factory=list[str])

    def first_difference(self, other: "Record") -> str:
        """Where the two differ first, or nothing."""
        for number, (one, two) in enumerate(zip(self.moments, other.moments, strict=False)):
            if one != two:
                lines = [f"moment {number}:"]
                lines += [f"- {line}" for line in Counter(one) - Counter(two)][:6]
                lines += [f"+ {line}" for line in Counter(two) - Counter(one)][:6]
                return "\n".join(lines) if len(lines) > 1 else f"moment {number}: the same lines in another order"
        if len(self.moments) != len(other.moments):
            return f"{len(self.moments)} moments against {len(other.moments)}"
        return ""


def alike(one: Record, other: Record) -> None:
    """The watcher and the onlookers saw the same, and something hidden really differed."""
    difference = one.first_difference(other)
    assert not difference, difference
