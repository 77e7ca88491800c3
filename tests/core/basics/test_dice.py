"""Dice that can be checked, and the seals that key them."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import chain, combinations, repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.dice import DiceStream, Die, Roll, commitment, keyed_words, unbiased
from rules_engine.core.basics.seals import first_seal, next_seal, seal_digest
from tests.core.small_rulebook import SEED, Pick, PickLine
from tests.expected.kept import cases

DICE_SEED = bytes(range(32))
PINNED = [5, 62]
RECON = "P1.T3.I2/recon/TF4>E1/main"


def by_hand(branch: int, label: str, ordinal: int, *, faces: int, low: int, count: int) -> list[int]:
    """The published recipe, written again from its text with nothing of the engine."""
    shown: list[int] = []
    block = 0
    limit = (2**32 // faces) * faces
    while True:
        message = json.dumps([branch, label, ordinal, block], separators=(",", ":"), ensure_ascii=False).encode()
        mac = hmac.new(DICE_SEED, message, hashlib.sha256).hexdigest()
        for at in range(0, 64, 8):
            word = int(mac[at : at + 8], 16)
            if word < limit:
                shown.append(word % faces + low)
                if len(shown) == count:
                    return shown
        block += 1


@cases("faces, low, count", "", made="faces")
def test_the_recipe_gives_the_same_dice_without_the_engine(faces: int, low: int, count: int) -> None:
    stream = DiceStream(DICE_SEED, branch=2)
    for ordinal in range(3):
        roll = stream.roll(RECON, "reconnaissance", faces=faces, low=low, count=count, seen_by=None)
        assert list(roll.dice) == by_hand(2, RECON, ordinal, faces=faces, low=low, count=count)
        assert roll.total == sum(roll.dice)


def test_a_roll_pinned_for_ever() -> None:
    """Seed 00..1f, branch 0: HMAC-SHA256 of `[0,"pinned",0,0]`, its first two words by hand, modulo 100 plus 1."""
    mac = hmac.new(DICE_SEED, b'[0,"pinned",0,0]', hashlib.sha256).hexdigest()
    assert [int(mac[:8], 16) % 100 + 1, int(mac[8:16], 16) % 100 + 1] == PINNED
    assert list(DiceStream(DICE_SEED).roll("pinned", "", faces=100, count=2, seen_by=None).dice) == PINNED


@pytest.mark.parametrize(("faces", "bound"), [(6, 20.52), (10, 27.88), (100, 148.23)])
def test_every_face_is_about_as_likely(faces: int, bound: float) -> None:
    """Chi-square over 20,000 dice of a fixed seed, against the 0.999 quantile for faces-1 degrees of freedom."""
    stream = DiceStream(DICE_SEED)
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
    dice = DiceStream(DICE_SEED).roll("awkward", "", faces=3 * third, count=1000, low=0, seen_by=None).dice
    lowest = sum(die < third for die in dice)
    assert 280 < lowest < 390  # 333 expected, standard deviation 15; the biased way gives about 500


def test_rejection_looks_further_than_one_block() -> None:
    assert unbiased(chain(repeat(2**32 - 1, 20), [205]), 100) == 5


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_rolling_does_not_matter(order: list[str]) -> None:
    stream = DiceStream(DICE_SEED)
    fell = {label: stream.roll(label, "", faces=100, count=3, seen_by=None).dice for label in order}
    fresh = {label: DiceStream(DICE_SEED).roll(label, "", faces=100, count=3, seen_by=None).dice for label in order}
    assert fell == fresh


def test_label_ordinal_branch_and_seed_each_change_the_dice() -> None:
    def first(seed: bytes, branch: int, label: str, ordinal: int) -> tuple[int, ...]:
        return DiceStream(seed, branch, {label: ordinal}).roll(label, "", faces=2**32, count=4, seen_by=None).dice

    drawn = [
        first(DICE_SEED, 0, "a", 0), first(DICE_SEED, 0, "a", 1), first(DICE_SEED, 1, "a", 0),
        first(DICE_SEED, 0, "b", 0), first(DICE_SEED[::-1], 0, "a", 0),
    ]  # fmt: skip
    assert len(dict.fromkeys(drawn)) == 5


def test_label_and_ordinal_cannot_be_confused() -> None:
    """Run together, label `a1` ordinal 2 and label `a` ordinal 12 would be one key."""
    assert next(keyed_words(DICE_SEED, 0, "a1", 2)) != next(keyed_words(DICE_SEED, 0, "a", 12))


def test_a_stream_restored_from_its_ordinals_goes_on() -> None:
    whole = DiceStream(DICE_SEED)
    first = [whole.roll(label, "", faces=100, seen_by=None) for label in ("y", "x", "y")]
    saved = json.loads(canonical(whole.ordinals))
    assert saved == {"x": 1, "y": 2}
    assert list(whole.ordinals) == ["x", "y"]
    again = [stream.roll("y", "", faces=100, seen_by=None) for stream in (whole, DiceStream(DICE_SEED, 0, saved))]
    assert again[0] == again[1]
    assert again[0].dice == tuple(by_hand(0, "y", 2, faces=100, low=1, count=1))
    assert first[0].label == "y"


def test_the_ordinals_handed_out_are_a_copy() -> None:
    stream = DiceStream(DICE_SEED)
    stream.ordinals["a"] = 5
    assert stream.ordinals == {}


def test_a_refused_roll_does_not_count_its_label_up() -> None:
    stream = DiceStream(DICE_SEED)
    for faces, count in ((0, 1), (2**32 + 1, 1), (6, 0), (6, 1001)):
        with pytest.raises(ValueError, match=r"faces|dice"):
            stream.roll("a", "", faces=faces, count=count, seen_by=None)
    with pytest.raises(ValueError, match="label"):
        stream.roll(" ", "", faces=6, seen_by=None)
    assert stream.ordinals == {}


def test_a_d100_stays_within_1_to_100_and_reaches_both_ends() -> None:
    dice = DiceStream(DICE_SEED).roll("d100", "", faces=100, count=1000, seen_by=None).dice
    assert (min(dice), max(dice)) == (1, 100)


def test_the_event_dice_count_from_zero() -> None:
    dice = DiceStream(DICE_SEED).roll("events", "", faces=10, low=0, count=500, seen_by=None).dice
    assert sorted(dict.fromkeys(dice)) == list(range(10))
    assert Die(10, 0).high == 9


def test_the_seed_stays_out_of_the_representation() -> None:
    assert DICE_SEED.hex() not in repr(DiceStream(DICE_SEED))
    assert repr(DiceStream(DICE_SEED, 3)) == "DiceStream(branch=3, labels=0)"


def test_bad_streams_are_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        DiceStream(b"short")
    with pytest.raises(ValueError, match="branch"):
        DiceStream(DICE_SEED, -1)
    with pytest.raises(ValueError, match="negative"):
        DiceStream(DICE_SEED, 0, {"a": -1})


def test_a_seal_is_in_the_message_behind_the_branch() -> None:
    """Seed 00..1f, branch 0, seal `5e`: HMAC-SHA256 of `[0,"5e","pinned",0,0]`, its first two words by hand."""
    mac = hmac.new(DICE_SEED, b'[0,"5e","pinned",0,0]', hashlib.sha256).digest()
    words = [int.from_bytes(mac[at : at + 4], "big") for at in (0, 4)]
    assert all(word < 2**32 - 2**32 % 100 for word in words), "none of the two is thrown away"
    stream = DiceStream(DICE_SEED, seal="5e")
    assert list(stream.roll("pinned", "", faces=100, count=2, seen_by=None).dice) == [1 + one % 100 for one in words]
    assert "5e" not in repr(stream)


def test_a_seal_changes_every_roll_and_its_absence_none() -> None:
    sealed = {seal: next(keyed_words(DICE_SEED, 0, "a", 0, seal)) for seal in ("", "5e", "5f")}
    assert len(set(sealed.values())) == 3
    assert sealed[""] == next(keyed_words(DICE_SEED, 0, "a", 0))


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_roll_serialises_canonically_and_comes_back() -> None:
    seen_by = frozenset({"klingon", "alliance", "b"})
    roll = Roll(label="l", purpose="p", faces=6, low=1, dice=(3, 4), total=7, seen_by=seen_by)
    text = canonical(roll)
    assert text == (
        b'{"dice":[3,4],"faces":6,"label":"l","low":1,"purpose":"p","seen_by":["alliance","b","klingon"],"total":7}'
    )
    assert Roll.model_validate_json(text) == roll


@pytest.mark.parametrize("wrong", [{"total": 8}, {"dice": (0, 7)}, {"dice": (7, 0)}, {"faces": 0}, {"extra": 1}])
def test_a_roll_that_cannot_have_fallen_is_refused(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {
        "label": "l", "purpose": "p", "faces": 6, "low": 1, "dice": (3, 4), "total": 7, "seen_by": None,
    }  # fmt: skip
    with pytest.raises(ValidationError):
        Roll.model_validate({**good, **wrong})


@cases("faces, low, dice, text")
def test_a_roll_reads_as_players_write_it(faces: int, low: int, dice: tuple[int, ...], text: str) -> None:
    assert str(Roll(label="l", purpose="p", faces=faces, low=low, dice=dice, total=sum(dice), seen_by=None)) == text


# --- seals: the recipe, computed by hand, and that each part of it counts ---------------------------------------------
ONE, TWO = "1" * 32, "2" * 32
SETTLED = {"T1/pick/red": Pick({"fleet": PickLine(number=3)}), "T1/pick/blue": Pick({"fleet": PickLine(number=7)})}


def seal_by_hand(message: list[Any]) -> str:
    text = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.new(SEED, text.encode(), hashlib.sha256).hexdigest()


def test_the_recipe() -> None:
    first = first_seal(SEED, ONE)
    assert first == seal_by_hand(["seal", "", {}, ONE])
    answers = {
        "T1/pick/red": {"fleet": {"number": 3, "note": ""}},
        "T1/pick/blue": {"fleet": {"number": 7, "note": ""}},
    }
    assert next_seal(SEED, first, SETTLED, TWO) == seal_by_hand(["seal", first, answers, TWO])


def test_everything_that_goes_into_a_seal_changes_it() -> None:
    other_answer = {**SETTLED, "T1/pick/blue": Pick({"fleet": PickLine(number=6)})}
    swapped = dict(zip(SETTLED, reversed(SETTLED.values()), strict=True))
    seals = [
        next_seal(SEED, ONE, SETTLED, TWO), next_seal(SEED[::-1], ONE, SETTLED, TWO),
        next_seal(SEED, TWO, SETTLED, TWO), next_seal(SEED, ONE, SETTLED, ONE), next_seal(SEED, ONE, {}, TWO),
        next_seal(SEED, ONE, other_answer, TWO), next_seal(SEED, ONE, swapped, TWO), first_seal(SEED, ONE),
        first_seal(SEED, TWO),
    ]  # fmt: skip
    assert all(one != other for one, other in combinations(seals, 2))


def test_the_order_in_which_answers_came_is_not_in_it() -> None:
    turned = dict(reversed(SETTLED.items()))
    assert list(turned) != list(SETTLED)
    assert next_seal(SEED, ONE, turned, TWO) == next_seal(SEED, ONE, SETTLED, TWO)


def test_an_answer_that_could_be_spelt_in_two_ways_is_an_error() -> None:
    with pytest.raises(TypeError):
        next_seal(SEED, ONE, {"T1/pick/red": {"a", "b"}}, TWO)


def test_the_journal_is_given_a_digest_and_not_the_seal() -> None:
    seal = first_seal(SEED, ONE)
    assert seal_digest(seal) == hashlib.sha256(f'"{seal}"'.encode()).hexdigest()
    assert seal_digest("") == ""
