"""Files of Cutler's scenarios: those of the introduction, classes that no shipped scenario has, and what is refused."""

from collections.abc import Mapping
from pathlib import Path

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK

INTRO = Path(__file__).resolve().parents[3] / "config" / "scenarios" / "cutler" / "intro"

OWN_CLASSES = (Path(__file__).parent / "own_classes.toml").read_text(encoding="utf-8").split("[[class]]")[1:]


def own_class(key: str) -> str:
    """A class that shipped scenarios have not, as a file of a scenario has it."""
    found = next(one for one in OWN_CLASSES if f'class_id = "{key}"' in one)
    return f"\n[[class]]{found.rstrip()}\n"


HAULER = own_class("hauler")
"""A class of freighters."""


def intro_files() -> dict[str, str]:
    """The introductory scenario's files."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(INTRO.glob("*.toml"))}


def refused_files(files: Mapping[str, str]) -> list[str]:
    """All that is refused of a scenario's files."""
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []
