"""The scenarios that come with the bot, as their files' texts, and states that they begin with."""

from collections.abc import Mapping
from pathlib import Path

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario

FOLDER = Path(__file__).resolve().parents[3] / "config" / "scenarios" / "border_patrol"
NAMES = ("intro", "neutral_zone")


def files(name: str = "neutral_zone") -> dict[str, str]:
    """A scenario's files."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / name).glob("*.toml"))}


def opened(name: str = "neutral_zone") -> BorderState:
    """The state that a scenario begins with."""
    return set_up(read_scenario(files(name)))


def with_change(file: str, old: str, new: str, name: str = "neutral_zone") -> dict[str, str]:
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
