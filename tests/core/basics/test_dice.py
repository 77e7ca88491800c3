"""Dice that can be checked: known answers, fairness, independence of order, restoring, verifying."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.dice import DiceStream, Die, Roll, commitment, keyed_words, unbiased

SEED = bytes(range(32))
PINNED = [5, 62]
RECON = "P1.T3.I2/recon/TF4>E1/main"


def by_hand(branch: int, label: str, ordinal: int, *, faces: int, low: int, count: int) -> list[int]:
    """The published recipe, written again from its text with nothing of the engine."""
    shown: list[int] = []
    block = 0
    limit = (2**32 // faces) * faces
    while True:
        message = json.dumps([branch, label, ordinal, block], separators=(",", ":"), ensure_ascii=False).encode()
        mac = hmac.new(SEED, message, hashlib.sha256).hexdigest()
        for at in range(0, 64, 8):
            word = int(mac[at : at + 8], 16)
            if word < limit:
                shown.append(word % faces + low)
                if len(shown) == count:
                    return shown
        block += 1


@pytest.mark.parametrize(
    ("faces", "low", "count"), [(100, 1, 1), (6, 1, 2), (10, 0, 2), (2**32, 1, 3), (2**31 + 1, 1, 20), (1, 1, 9)]
)
def test_the_recipe_gives_the_same_dice_without_the_engine(faces: int, low: int, count: int) -> None:
    stream = DiceStream(SEED, branch=2)
    for ordinal in range(3):
        roll = stream.roll(RECON, "reconnaissance", faces=faces, low=low, count=count, seen_by=None)
        assert list(roll.dice) == by_hand(2, RECON, ordinal, faces=faces, low=low, count=count)
        assert roll.total == sum(roll.dice)


def test_a_roll_pinned_for_ever() -> None:
    """Seed 00..1f, branch 0: HMAC-SHA256 of `[0,"pinned",0,0]`, its first two words by hand, modulo 100 plus 1."""
    mac = hmac.new(SEED, b'[0,"pinned",0,0]', hashlib.sha256).hexdigest()
    assert [int(mac[:8], 16) % 100 + 1, int(mac[8:16], 16) % 100 + 1] == PINNED
    assert list(DiceStream(SEED).roll("pinned", "", faces=100, count=2, seen_by=None).dice) == PINNED


@pytest.mark.parametrize(("faces", "bound"), [(6, 20.52), (10, 27.88), (100, 148.23)])
def test_every_face_is_about_as_likely(faces: int, bound: float) -> None:
    """Chi-square over 20,000 dice of a fixed seed, against the 0.999 quantile for faces-1 degrees of freedom."""
    stream = DiceStream(SEED)
    counts: Counter[int] = Counter()
    for _ in range(20):
        counts.update(stream.roll("fair", "", faces=faces, count=1000, seen_by=None).dice)
    assert sorted(counts) == list(range(1, faces + 1))
    expected = 20_000 / faces
    assert sum((counts[face] - expected) ** 2 / expected for face in range(1, faces + 1)) < bound


def test_words_of_the_incomplete_last_run_are_thrown_away() -> None:
    """4,294,967,296 = 42,949,672 x 100 + 96: the last 96 words would favour 0..95, so they must not count."""
    last_fair = 4_294_967_199
    assert unbiased(iter([last_fair]), 100) == 99
    assert unbiased(iter([last_fair + 1, 2**32 - 1, 7]), 100) == 7
    assert unbiased(iter([2**32 - 1]), 2**32) == 2**32 - 1
    assert unbiased(iter([2**32 - 1]), 2) == 1


def test_an_awkward_die_has_no_favourite_half() -> None:
    """With 3 x 2**30 faces, folding all words would show the lowest third twice as often as each other third."""
    third = 2**30
    dice = DiceStream(SEED).roll("awkward", "", faces=3 * third, count=1000, low=0, seen_by=None).dice
    lowest = sum(die < third for die in dice)
    assert 280 < lowest < 390  # 333 expected, standard deviation 15; the biased way gives about 500


def test_rejection_looks_further_than_one_block() -> None:
    rejected = repeat(2**32 - 1, 20)
    assert unbiased(chain(rejected, [205]), 100) == 5


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_rolling_does_not_matter(order: list[str]) -> None:
    stream = DiceStream(SEED)
    fell = {label: stream.roll(label, "", faces=100, count=3, seen_by=None).dice for label in order}
    fresh = {label: DiceStream(SEED).roll(label, "", faces=100, count=3, seen_by=None).dice for label in order}
    assert fell == fresh


def test_label_ordinal_branch_and_seed_each_change_the_dice() -> None:
    def first(seed: bytes, branch: int, label: str, ordinal: int) -> tuple[int, ...]:
        stream = DiceStream(seed, branch, {label: ordinal})
        return stream.roll(label, "", faces=2**32, count=4, seen_by=None).dice

    drawn = [
        first(SEED, 0, "a", 0),
        first(SEED, 0, "a", 1),
        first(SEED, 1, "a", 0),
        first(SEED, 0, "b", 0),
        first(SEED[::-1], 0, "a", 0),
    ]
    assert len(dict.fromkeys(drawn)) == 5


def test_label_and_ordinal_cannot_be_confused() -> None:
    """Run together, label `a1` ordinal 2 and label `a` ordinal 12 would be one key."""
    assert next(keyed_words(SEED, 0, "a1", 2)) != next(keyed_words(SEED, 0, "a", 12))


def test_a_stream_restored_from_its_ordinals_goes_on() -> None:
    whole = DiceStream(SEED)
    first = [whole.roll(label, "", faces=100, seen_by=None) for label in ("y", "x", "y")]
    saved = json.loads(canonical(whole.ordinals))
    assert saved == {"x": 1, "y": 2}
    assert list(whole.ordinals) == ["x", "y"]
    restored = DiceStream(SEED, 0, saved)
    again = [stream.roll("y", "", faces=100, seen_by=None) for stream in (whole, restored)]
    assert again[0] == again[1]
    assert again[0].dice == tuple(by_hand(0, "y", 2, faces=100, low=1, count=1))
    assert first[0].label == "y"


def test_the_ordinals_handed_out_are_a_copy() -> None:
    stream = DiceStream(SEED)
    stream.ordinals["a"] = 5
    assert stream.ordinals == {}


def test_a_refused_roll_does_not_count_its_label_up() -> None:
    stream = DiceStream(SEED)
    for faces, count in ((0, 1), (2**32 + 1, 1), (6, 0), (6, 1001)):
        with pytest.raises(ValueError, match=r"faces|dice"):
            stream.roll("a", "", faces=faces, count=count, seen_by=None)
    with pytest.raises(ValueError, match="label"):
        stream.roll(" ", "", faces=6, seen_by=None)
    assert stream.ordinals == {}


def test_a_d100_stays_within_1_to_100_and_reaches_both_ends() -> None:
    dice = DiceStream(SEED).roll("d100", "", faces=100, count=1000, seen_by=None).dice
    assert (min(dice), max(dice)) == (1, 100)


def test_the_event_dice_count_from_zero() -> None:
    dice = DiceStream(SEED).roll("events", "", faces=10, low=0, count=500, seen_by=None).dice
    assert sorted(dict.fromkeys(dice)) == list(range(10))
    assert Die(10, 0).high == 9


def test_the_seed_stays_out_of_the_representation() -> None:
    assert SEED.hex() not in repr(DiceStream(SEED))
    assert repr(DiceStream(SEED, 3)) == "DiceStream(branch=3, labels=0)"


def test_bad_streams_are_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        DiceStream(b"short")
    with pytest.raises(ValueError, match="branch"):
        DiceStream(SEED, -1)
    with pytest.raises(ValueError, match="negative"):
        DiceStream(SEED, 0, {"a": -1})


def test_a_seal_is_in_the_message_behind_the_branch() -> None:
    """Seed 00..1f, branch 0, seal `5e`: HMAC-SHA256 of `[0,"5e","pinned",0,0]`, its first two words by hand."""
    mac = hmac.new(SEED, b'[0,"5e","pinned",0,0]', hashlib.sha256).digest()
    words = [int.from_bytes(mac[at : at + 4], "big") for at in (0, 4)]
    assert all(word < 2**32 - 2**32 % 100 for word in words), "none of the two is thrown away"
    stream = DiceStream(SEED, seal="5e")
    assert list(stream.roll("pinned", "", faces=100, count=2, seen_by=None).dice) == [1 + one % 100 for one in words]
    assert "5e" not in repr(stream)


def test_a_seal_changes_every_roll_and_its_absence_none() -> None:
    sealed = {seal: next(keyed_words(SEED, 0, "a", 0, seal)) for seal in ("", "5e", "5f")}
    assert len(set(sealed.values())) == 3
    assert sealed[""] == next(keyed_words(SEED, 0, "a", 0))


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_roll_serialises_canonically_and_comes_back() -> None:
    roll = Roll(
        label="l", purpose="p", faces=6, low=1, dice=(3, 4), total=7, seen_by=frozenset({"klingon", "alliance", "b"})
    )
    text = canonical(roll)
    assert text == (
        b'{"dice":[3,4],"faces":6,"label":"l","low":1,"purpose":"p","seen_by":["alliance","b","klingon"],"total":7}'
    )
    assert Roll.model_validate_json(text) == roll


@pytest.mark.parametrize("wrong", [{"total": 8}, {"dice": (0, 7)}, {"dice": (7, 0)}, {"faces": 0}, {"extra": 1}])
def test_a_roll_that_cannot_have_fallen_is_refused(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {
        "label": "l",
        "purpose": "p",
        "faces": 6,
        "low": 1,
        "dice": (3, 4),
        "total": 7,
        "seen_by": None,
    }
    with pytest.raises(ValidationError):
        Roll.model_validate({**good, **wrong})


@pytest.mark.parametrize(
    ("faces", "low", "dice", "text"),
    [(100, 1, (71,), "1D100: 71"), (6, 1, (3, 4), "2D6: 3 + 4 = 7"), (10, 0, (0, 9), "2D10 (0-9): 0 + 9 = 9")],
)
def test_a_roll_reads_as_players_write_it(faces: int, low: int, dice: tuple[int, ...], text: str) -> None:
    roll = Roll(label="l", purpose="p", faces=faces, low=low, dice=dice, total=sum(dice), seen_by=None)
    assert str(roll) == text
