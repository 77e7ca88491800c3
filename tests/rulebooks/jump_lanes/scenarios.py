"""The scenarios that come with the bot, as their files' texts, and states that they begin with."""

from collections.abc import Mapping
from pathlib import Path

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.scenario.opening import set_up
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario, with_seats

FOLDER = Path(__file__).resolve().parents[3] / "config" / "scenarios" / "jump_lanes"
NAMES = ("intro", "long-frontier")


def files(name: str = "long-frontier") -> dict[str, str]:
    """A scenario's files."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / name).glob("*.toml"))}


def opened(name: str = "long-frontier", playing: int = 0) -> LanesState:
    """The state that a scenario begins with, of so many empires; of all if it does not ask how many."""
    document = read_scenario(files(name))
    return set_up(with_seats(document, playing) if playing else document)


def with_change(file: str, old: str, new: str, name: str = "intro") -> dict[str, str]:
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
