"""Letters between two of three races: the third, who watches, the referee and everybody else see the same without."""

from functools import cache

import pytest

from tests.secrecy.quiet_policies import by_default
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike

QUIET = World(
    "cutler/intro",
    ("hydran", "lyran", "klingon"),
    policies=dict.fromkeys(("hydran", "lyran", "klingon"), by_default),
    curious=True,
    chair=True,
)


@cache
def quiet(seed: int = 1) -> Record:
    """The world in which nobody writes."""
    return watch(QUIET.but(seed=seed))


def test_that_two_talked_agreed_and_handed_on_is_unseen_by_all_others() -> None:
    talked = watch(QUIET.but(talk=True))
    assert any("talked" in one for one in talked.hidden)
    alike(quiet(), talked)


def test_ones_own_letters_and_numbers_are_the_same_whether_the_others_talk_or_not() -> None:
    mine = QUIET.but(writes=True, curious=False)
    alike(watch(mine), watch(mine.but(talk=True)))


@pytest.mark.slow
def test_it_is_unseen_where_the_referee_looks_at_everything_too() -> None:
    looked = QUIET.but(looks_on=True, pictures=True)
    alike(watch(looked), watch(looked.but(talk=True)))
