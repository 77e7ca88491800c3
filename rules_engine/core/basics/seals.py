"""Seals: what the dice of a closing are keyed with, so that no roll exists before all that it belongs to is in.

Each time that sheets close, the campaign's seal takes in what was settled and a nonce, a random text that the host
makes at that very moment. The recipe:

    seal  = HMAC-SHA256(seed, canonical JSON of ["seal", seal before, settled, nonce]), in hexadecimal
    first = the same with "" for the seal before, {} for what was settled, and the nonce of the journal's first entry

`settled` maps the id of each ask to the answer that counts: one that was handed in, a ruling, or a default that was
taken. In which order answers came makes no difference. The nonce stands in the entry that closed the sheets, and the
first seal's in the campaign's first entry; a campaign whose first entry has none has no seals.

A seal is secret, like the seed. It is never shown and never journalled: each entry's outcome holds its digest, and
since the seal is an HMAC keyed by the seed, nobody can find out a short answer by trying all of them against that.
Where play parts into strands that close by themselves, each has a seal of its own, so that what one settles moves no
dice of another; where they have all ended, the seal of what goes on takes in theirs, in the order of their keys:

    parted = HMAC-SHA256(seed, canonical JSON of ["parted", seal before, key])
    joined = HMAC-SHA256(seed, canonical JSON of ["joined", seal before, [the strands' seals]])

A campaign that is carried over to other rules goes on with the seal that it had. The entry that says so holds it under
a mask, which the seed alone takes off:

    masked = seal XOR HMAC-SHA256(seed, canonical JSON of ["mask", number of the entry])
"""

import hmac
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.canonical_json import canonical, digest

Nonce = Annotated[str, Field(pattern=r"^[0-9a-f]{32,64}$")]
"""16 to 32 random bytes in hexadecimal."""


def first_seal(seed: bytes, nonce: str) -> str:
    """The seal of a campaign at its beginning."""
    return next_seal(seed, "", {}, nonce)


def next_seal(seed: bytes, before: str, settled: Mapping[str, object], nonce: str) -> str:
    """The seal after sheets have closed with the answers ``settled``, by the id of their ask.

    Raises as `canonical` does for an answer that has no one spelling.
    """
    return hmac.digest(seed, canonical(["seal", before, dict(settled), nonce]), "sha256").hex()


def parted_seal(seed: bytes, before: str, key: str) -> str:
    """The seal with which a strand begins; empty in a campaign without seals."""
    return hmac.digest(seed, canonical(["parted", before, key]), "sha256").hex() if before else ""


def joined_seal(seed: bytes, before: str, seals: Iterable[str]) -> str:
    """The seal after strands with these ``seals`` have ended; empty in a campaign without seals."""
    return hmac.digest(seed, canonical(["joined", before, list(seals)]), "sha256").hex() if before else ""


def masked_seal(seed: bytes, seq: int, seal: str) -> str:
    """A seal as the entry ``seq`` holds it, or what it was before. Empty in a campaign without seals."""
    if not seal:
        return ""
    mask = hmac.digest(seed, canonical(["mask", seq]), "sha256")
    return bytes(a ^ b for a, b in zip(bytes.fromhex(seal), mask, strict=True)).hex()


def seal_digest(seal: str) -> str:
    """What the journal keeps of a seal, so that a replay notices another one. Empty without one."""
    return digest(seal) if seal else ""
