"""The scenarios that come with the bot, as their files' texts, and states that they begin with."""

from collections.abc import Mapping
from pathlib import Path

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.scenario.opening import set_up
from rules_engine.rulebooks.vector.scenario.reading import read_scenario, with_seats

FOLDER = Path(__file__).resolve().parents[3] / "config" / "scenarios" / "vector"
NAMES = ("ambush", "courier", "race", "rendezvous")


def files(name: str = "courier") -> dict[str, str]:
    """A scenario's files."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / name).glob("*.toml"))}


def opened(name: str = "courier", playing: int = 0) -> VectorState:
    """The state that a scenario begins with, of so many captains; of all if it does not ask how many."""
    document = read_scenario(files(name))
    return set_up(with_seats(document, playing) if playing else document)


def with_change(file: str, old: str, new: str, name: str = "courier") -> dict[str, str]:
    """A scenario's files with the first ``old`` in one of them replaced; it must be there."""
    texts = files(name)
    assert old in texts[file], f"{old!r} is not in {file}"
    return texts | {file: texts[file].replace(old, new, 1)}


def refused(texts: Mapping[str, str]) -> list[str]:
    """What is told of files that are refused; none where they are read."""
    try:
        read_scenario(texts)
    except Refused as refusal:
        return [str(one) for one in refusal.refusals]
    return []
