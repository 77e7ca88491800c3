"""Battles played up to their set-up sheets, and the sheets as each side reads them.

A battle comes about as in play: attacks are declared, rolls are loaded so that they succeed, and the Original
Defender says what power it keeps on.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import AnyAsk, BattleSetup
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.worlds.notation import table

NOW = "\nturn 2 impulse 1 half A initiative alliance"
CONDITIONS = {"good": 5, "moderate": 50, "poor": 70, "terrible": 90}
"""What the die for local conditions must show. PQ-17 campaign, local conditions."""
SUCCESS: dict[str, int] = {"main roll": 1, "lock-on": 1, "cloak": 99, "flag": 99}
"""Rolls with which every attack and every pursuit succeeds."""

Sheets = Mapping[str, list[Any]]
"""Answers by kind of ask and side (``attack alliance``), in the order of asking; the default where none is left."""


def at_battle(state: State, *, conditions: str = "good", surprise: int = 1, **labels: int) -> TurnContext[State]:
    """A turn context over ``state`` in which attacks succeed; ``surprise`` is the roll on Table 7, ``labels`` more."""
    usual = SUCCESS | {"local conditions": CONDITIONS[conditions], "/surprise": surprise}
    return detected(table(state, by_label=labels | {word: roll for word, roll in usual.items() if word not in labels}))


def detected(at: TurnContext[State]) -> TurnContext[State]:
    """The turn context once everybody is detected, with nothing told yet."""
    announce_detections(at)
    at.shared.reports.clear()
    return at


def battle_of(at: TurnContext[State], attackers: str = "A1", original: str = "C1", **fields: Any) -> Battle:
    """A battle of those forces (space-separated ids), in good conditions."""
    forces = at.state.task_forces
    leader, first = forces[attackers.split(maxsplit=1)[0]], forces[original.split(maxsplit=1)[0]]
    plain: dict[str, Any] = {"key": "1", "hex": first.hex, "attacker": leader.side, "defender": first.side}
    plain |= {"original": original.split(), "attackers": attackers.split(), "conditions": 1}
    return Battle.from_json(plain | fields)


def account(winner: str, turns: int = 4, **units: Any) -> dict[str, Any]:
    """An account of a battle: a fate, a number for the turn of disengaging, or a unit's whole line."""
    sheet: dict[str, Any] = {"battle": {"winner": winner, "turns": turns}}
    for name, said in units.items():
        fate = {"fate": "disengaged", "turn": said} if isinstance(said, int) else {"fate": said}
        sheet[name] = said if isinstance(said, dict) else fate
    return sheet


def won_by(winner: str, turns: int = 1, **fates: str) -> Callable[[dict[str, dict[str, Any]]], Any]:
    """An account, made of the filled-in form, in which the loser's units are gone: destroyed, or as ``fates`` says."""

    def said(filled: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        loser = "DF" if winner == "coalition" else "AT"
        for name in filled:
            filled[name] |= {"fate": "destroyed"} if name.startswith(loser) else {}
            filled[name] |= {"fate": fates[name]} if name in fates else {}
        filled["battle"] |= {"winner": winner, "turns": turns}
        return filled

    return said


def attacks(text: str) -> dict[str, list[Any]]:
    """Sheets of attacks ``A1>E1 C2>E2``, by kind and side; the side of the first is phasing."""
    sheets: dict[str, list[Any]] = {}
    for one, target in (pair.split(">") for pair in text.split()):
        side = "alliance" if one.startswith("A") else "coalition"
        sheets.setdefault(f"attack {side}", [{}])[0][one] = {"target": target}
    return sheets


def battle_asks(at: TurnContext[State], sheets: Sheets, phasing: Side = "alliance") -> Iterator[AnyAsk]:
    """Each battle of a combat step as it comes to be fought. Further answers are taken from ``sheets``."""
    left = {key: list(answers) for key, answers in sheets.items()}
    steps = combat_steps(at, phasing)
    try:
        batch = next(steps)
        while True:
            answers: dict[str, object] = {}
            for ask in batch.asks:
                if ask.kind == "battle":
                    yield ask
                given = left.get(key_of(ask))
                answers[ask.id] = ask.answer_from(given.pop(0)) if given else ask.default
            batch = steps.send(answers)
    except StopIteration:
        return


def key_of(ask: AnyAsk) -> str:
    """The kind of an ask, and who is asked, if that is one side alone."""
    return " ".join([ask.kind, *(ask.parties if len(ask.parties) == 1 else ())])


def first_battle(at: TurnContext[State], sheets: Sheets, phasing: Side = "alliance") -> BattleSetup:
    """The set-up of the first battle."""
    return setup_of(next(battle_asks(at, sheets, phasing)))


def setup_of(ask: AnyAsk) -> BattleSetup:
    """The set-up that stands on a battle's ask."""
    assert ask.setup is not None
    return ask.setup


def read_by(setup: BattleSetup, side: Side) -> list[str]:
    """A sheet line by line as a side reads it: what both read, and then what that side alone reads."""
    return [setup.title, setup.where, *_lines(setup.panels), *_lines(setup.secret.get(side, ()))]


def _lines(panels: tuple[Panel, ...]) -> list[str]:
    return [line for panel in panels for line in (f"[{panel.title}]", *panel.rows)]
