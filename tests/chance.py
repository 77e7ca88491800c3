"""Chance that tests can repeat: nonces that are known, dice that no seal changes, and loaded dice. The product has none
of them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from rules_engine.core.basics.dice import DiceStream, Die

NONCE = "5e" * 16
"""A nonce that is always the same: with it dice depend on the seed and on what was settled alone."""


class KnownNonces:
    """Makes nonces as a host does, from a source that can be repeated."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(f"nonces/{seed}")
        self.made: list[str] = []

    def __call__(self) -> str:
        self.made.append(self._chance.randbytes(16).hex())
        return self.made[-1]


def unsealed(stream: DiceStream) -> DiceStream:
    """The dice of the same places, whatever was settled before them."""
    return DiceStream(stream._seed, stream.branch)


Falls = Mapping[str, Sequence[int]]
"""Faces that fall, by a part of what is written on the roll; of further rolls under the same label the next ones."""


def loaded(falls: Falls) -> Callable[[DiceStream, str, int, Die, int], tuple[int, ...]]:
    """Dice that are loaded by their label alone, so that a replay throws them again; others are fair."""
    fair = DiceStream.draw

    def draw(stream: DiceStream, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        faces = next((faces for part, faces in falls.items() if part in label), ())
        first = ordinal * count
        return tuple(faces[first : first + count]) if faces else fair(stream, label, ordinal, die, count)

    return draw
