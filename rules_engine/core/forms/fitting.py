"""As many parts of something as are legal together, and why each other is not: lines of a text, or of a budget."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from rules_engine.core.basics.refusals import Refusal

K = TypeVar("K", bound=Hashable)

MOST_AGAIN = 25
"""Parts that are tried once more by themselves."""


def fitting(
    parts: Sequence[K],
    trial: Callable[[Sequence[K]], Sequence[Refusal]],
    about: Callable[[K, Refusal], bool],
) -> tuple[list[K], dict[K, tuple[Refusal, ...]]]:
    """Those that are legal together, in their order, and each other with its refusals.

    ``trial`` gives what is refused of some of them together, and ``about`` whether a refusal is about a part. First
    those are left out that the refusals name, until the rest is legal; of nobody's in particular, the last one. Then
    each of these is tried once more with the rest, since it may have been refused for another's sake alone.
    """
    good: list[K] = [*parts]
    left: dict[K, tuple[Refusal, ...]] = {}
    while good and (refused := tuple(trial(good))):
        theirs = {one: _about(one, refused, about) for one in good}
        blamed: dict[K, tuple[Refusal, ...]] = {one: why for one, why in theirs.items() if why} or {good[-1]: refused}
        left |= blamed
        good = [one for one in good if one not in blamed]
    for number, (one, before) in enumerate([*left.items()]):
        again = [other for other in parts if other == one or other in good]
        refused = tuple(trial(again)) if number < MOST_AGAIN else before
        if refused:
            left[one] = _about(one, refused, about) or before
        else:
            good = again
            del left[one]
    return good, {one: left[one] for one in parts if one in left}


def _about(one: K, refusals: Sequence[Refusal], about: Callable[[K, Refusal], bool]) -> tuple[Refusal, ...]:
    return tuple(refusal for refusal in refusals if about(one, refusal))
