"""Chance that tests can repeat: nonces that are known, and dice that no seal changes. The product has neither."""

from random import Random

from rules_engine.core.basics.dice import DiceStream

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
