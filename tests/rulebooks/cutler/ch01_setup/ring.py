"""The scenario that players set up themselves, and its sheets answered by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.records.setup import Setup
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.worlds import Loaded

RING = Path(__file__).resolve().parents[4] / "config" / "scenarios" / "cutler" / "ring"


def ring_files() -> dict[str, str]:
    """The scenario's files."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(RING.glob("*.toml"))}


def opened(players: int, files: Mapping[str, str] | None = None) -> tuple[CutlerState, Setup]:
    """The state before the set-up, with so many players."""
    state = RULEBOOK.set_up(RULEBOOK.with_seats(RULEBOOK.read_scenario(dict(files or ring_files())), players))
    assert state.setup is not None
    return state, state.setup


def table(state: CutlerState, dice: Mapping[str, list[int]] | None = None) -> TurnContext[CutlerState]:
    """A turn context of the set-up with these dice."""
    shared = SharedTurn(
        dice=Loaded(dice or {}), sides=state.sides, knowledge={label.key: Knowledge() for label in state.sides},
        now=When(turn=1, step=0), labels_now=lambda: state.sides,
    )  # fmt: skip
    return TurnContext(state, shared, "T0")


def said(turn: TurnContext[CutlerState], to: str = "*") -> list[str]:
    """What everybody was told, or one side alone."""
    return [one.text for one in turn.shared.reports if one.to == (to,)]


def sheet(**lines: Any) -> dict[str, Any]:
    """A sheet of these lines."""
    return lines
