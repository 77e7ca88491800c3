"""Dice that can be checked: a keyed stream instead of a hidden generator.

Every die is a function of the campaign's secret seed, of a seal of all that was settled before it (see
:mod:`rules_engine.core.basics.seals`), and of what it is rolled *for*. Adding, dropping or reordering rolls never
shifts the others, a replay gives the same dice, nobody can know a roll before the sheets that it belongs to have
closed, and once the seed is published anybody can recompute each roll. The recipe, so that no trust in this code is
needed:

    message(block) = canonical JSON of [branch, seal, label, ordinal, block]   e.g. [0,"5f…","P1.T3/recon/TF4>E1",0,0]
    bytes          = HMAC-SHA256(seed, message(0)) + HMAC-SHA256(seed, message(1)) + ...
    words          = the bytes, four at a time, as big-endian unsigned integers
    a die of N     = the first unused word below the largest multiple of N that 2**32 holds, modulo N, plus `low`

Ordinal k belongs to the (k+1)-th roll made under one label. Words above that multiple are thrown away, so no face
is likelier than another. A rewind raises the branch, so that the dice rolled after it are different ones. Campaigns
that were begun without seals leave the seal out of the message: [branch, label, ordinal, block].
"""

import copy
import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self

from pydantic import field_serializer, model_validator

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.seals import joined_seal, parted_seal

WORD = 2**32
MOST_FACES = WORD
MOST_DICE = 1000
SHORTEST_SEED = 16
"""Bytes. A shorter seed could be found by trying all of them against its published commitment."""

_DICE = re.compile(r"\s*([0-9]{1,4})?\s*[dD]\s*([0-9]{1,10}|%)\s*")


class Die(NamedTuple):
    """A kind of die: `faces` equally likely whole numbers counting up from `low`."""

    faces: int
    low: int = 1

    @property
    def high(self) -> int:
        """The largest number it shows."""
        return self.low + self.faces - 1


class Roll(Frozen):
    """One roll as it fell: every die kept, what it was for, and which sides may see it (None: everybody)."""

    label: str
    purpose: str
    faces: int
    low: int
    dice: tuple[int, ...]
    total: int
    seen_by: frozenset[str] | None

    @field_serializer("seen_by")
    def _in_order(self, seen_by: frozenset[str] | None) -> list[str] | None:
        return None if seen_by is None else sorted(seen_by)

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        die = _checked_die(self.faces, self.low)
        if any(not die.low <= shown <= die.high for shown in self.dice):
            raise ValueError(f"every die must show {die.low} to {die.high}")
        if self.total != sum(self.dice):
            raise ValueError("total must be the sum of the dice")
        return self

    def __str__(self) -> str:
        """The roll in players' notation: `1D100: 71`, `2D6: 3 + 4 = 7`, `2D10 (0-9): 0 + 9 = 9`."""
        kind = f"{len(self.dice)}D{self.faces}"
        if self.low != 1:
            kind += f" ({self.low}-{self.low + self.faces - 1})"
        shown = " + ".join(str(die) for die in self.dice)
        return f"{kind}: {shown} = {self.total}" if len(self.dice) > 1 else f"{kind}: {self.total}"


class DiceStream:
    """The dice of one campaign, or of one branch of it after a rewind.

    `ordinals` says how often each label has been rolled already; save it with the state and hand it back to go on.
    `seal` keys the rolls from here on and is replaced at each closing; a campaign without seals has an empty one.
    Raises ValueError for a seed under 16 bytes, a negative branch or a negative ordinal.
    """

    def __init__(self, seed: bytes, branch: int = 0, ordinals: Mapping[str, int] | None = None, seal: str = "") -> None:
        if len(seed) < SHORTEST_SEED:
            raise ValueError(f"a seed needs at least {SHORTEST_SEED} bytes, not {len(seed)}")
        if branch < 0:
            raise ValueError("a branch is counted from 0")
        self._seed = seed
        self._ordinals = dict(ordinals or {})
        self.branch = branch
        self.seal = seal
        if any(count < 0 for count in self._ordinals.values()):
            raise ValueError("a label cannot have been rolled a negative number of times")

    def __repr__(self) -> str:
        """Without the seed and the seal, which must stay out of logs while the campaign runs."""
        return f"DiceStream(branch={self.branch}, labels={len(self._ordinals)})"

    @property
    def ordinals(self) -> dict[str, int]:
        """How often each label has been rolled, in label order: a copy, fit for a snapshot."""
        return dict(sorted(self._ordinals.items()))

    def roll(
        self, label: str, purpose: str, *, faces: int, count: int = 1, low: int = 1, seen_by: frozenset[str] | None
    ) -> Roll:
        """Roll `count` dice of `faces` faces counting from `low`, and count the label up.

        `label` is what the roll is for, as stable as the rules: `"P1.T3.I2/recon/TF4>E1/main"`; `purpose` is the
        same for readers. Raises ValueError for an empty label, or faces outside 1..2**32, or count outside 1..1000.
        """
        ordinal = self._ordinals.get(label, 0)
        dice = self.draw(label, ordinal, _checked_die(faces, low), count)
        self._ordinals[label] = ordinal + 1
        return Roll(label=label, purpose=purpose, faces=faces, low=low, dice=dice, total=sum(dice), seen_by=seen_by)

    def under(self, seal: str) -> Self:
        """The same stream, which counts the same labels up, keyed with the seal of a strand."""
        strand = copy.copy(self)
        strand.seal = seal
        return strand

    def parted(self, seal: str, key: str) -> str:
        """The seal of a strand that parts from play with that ``seal``."""
        return parted_seal(self._seed, seal, key)

    def joined(self, seal: str, seals: Iterable[str]) -> str:
        """The seal of play that goes on when the strands with these ``seals`` have ended."""
        return joined_seal(self._seed, seal, seals)

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The dice that fall under (label, ordinal): pure, nothing is counted up. Tests override it to load dice."""
        if not label.strip():
            raise ValueError("a roll needs a label")
        if not 1 <= count <= MOST_DICE:
            raise ValueError(f"roll 1 to {MOST_DICE} dice at once, not {count}")
        words = keyed_words(self._seed, self.branch, label, ordinal, self.seal)
        return tuple(die.low + unbiased(words, die.faces) for _ in range(count))


def keyed_words(seed: bytes, branch: int, label: str, ordinal: int, seal: str = "") -> Iterator[int]:
    """The endless 32-bit words of one roll, by the recipe at the top of this module."""
    key = [branch, seal, label, ordinal] if seal else [branch, label, ordinal]
    block = 0
    while True:
        mac = hmac.digest(seed, canonical([*key, block]), "sha256")
        for at in range(0, len(mac), 4):
            yield int.from_bytes(mac[at : at + 4], "big")
        block += 1


def unbiased(words: Iterator[int], faces: int) -> int:
    """A number 0..faces-1, each equally likely if the 32-bit words are: words of the last, incomplete run are skipped.

    `words` must be endless.
    """
    fair = WORD - WORD % faces
    return next(word for word in words if word < fair) % faces


def commitment(seed: bytes) -> str:
    """What is published before the first roll: the seed's SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def _checked_die(faces: int, low: int) -> Die:
    if not 1 <= faces <= MOST_FACES:
        raise ValueError(f"a die has 1 to {MOST_FACES} faces, not {faces}")
    return Die(faces, low)
