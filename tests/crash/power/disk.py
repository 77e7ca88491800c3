"""A disk that loses power: what was traced is played back up to some moment, and what was not synced is at the mercy of
chance, sector by sector."""

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
_HEAD = struct.Struct("<cHQI")


@dataclass(frozen=True)
class Step:
    """One thing done to a file: ``w`` written, ``t`` cut, ``s`` synced, ``u`` unlinked."""

    what: str
    name: str
    at: int
    data: bytes


def steps_of(trace: Path) -> list[Step]:
    """All that was traced, in order."""
    return list(_read(trace.read_bytes()))


def _read(raw: bytes) -> Iterator[Step]:
    at = 0
    while at + _HEAD.size <= len(raw):
        what, named, offset, length = _HEAD.unpack_from(raw, at)
        at += _HEAD.size
        name = raw[at : at + named].decode()
        yield Step(what.decode(), name, offset, raw[at + named : at + named + length])
        at += named + length


@dataclass
class _File:
    content: bytearray = field(default_factory=bytearray)
    unsynced: list[Step] = field(default_factory=list[Step])
    unlinked: bool = False

    def apply(self, step: Step) -> None:
        """Do it for good."""
        if step.what == "t":
            del self.content[step.at :]
            self.content.extend(bytes(step.at - len(self.content)))
        else:
            self.content.extend(bytes(max(0, step.at + len(step.data) - len(self.content))))
            self.content[step.at : step.at + len(step.data)] = step.data


def after_power_loss(steps: list[Step], chance: random.Random) -> dict[str, bytes]:
    """The files as they are found after the last of these steps: what was synced is there; of the rest some sectors are
    and some are not, and the last of what is there may be torn."""
    files: dict[str, _File] = {}
    for step in steps:
        found = files.setdefault(step.name, _File())
        if step.what == "s":
            for waiting in found.unsynced:
                found.apply(waiting)
            found.unsynced.clear()
        elif step.what == "u":
            found.unlinked = True
        else:
            found.unlinked = False
            found.unsynced.append(step)
    left: dict[str, bytes] = {}
    for name, found in files.items():
        luck = chance.choice((0.0, 0.5, 1.0))
        for waiting in found.unsynced:
            _some_of(found, waiting, luck, chance)
        if not found.unlinked or chance.random() < 0.5:
            left[name] = bytes(found.content)
    return left


def _some_of(found: _File, step: Step, luck: float, chance: random.Random) -> None:
    if step.what == "t":
        if chance.random() < luck:
            found.apply(step)
        return
    for start in range(0, len(step.data), SECTOR):
        if chance.random() >= luck:
            continue
        sector = step.data[start : start + SECTOR]
        if chance.random() < 0.1:
            sector = sector[: chance.randrange(1, len(sector) + 1)]  # torn
        found.apply(Step("w", step.name, step.at + start, sector))
