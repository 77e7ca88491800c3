"""Numbered places: their order, what shares a number, and sentences that fit."""

import random
from typing import Any

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import LONGEST_ASIDE, LONGEST_FACT, MOST_NEWS
from rules_engine.core.knowledge.numbered import Happening, Rank, fitting, listed, numbered_places, short_name
from tests.expected.kept import cases

GRID = Grid(columns=22, rows=17)


def happening(rank: Rank, hex_id: str, text: str = "something", **more: Any) -> Happening:
    return Happening(rank, hex_id, [text])._replace(**more)


def test_battles_come_first_then_meetings_then_threats_then_all_else():
    happenings = [
        happening(rank, f"0{place}0{place}") for place, rank in zip((1, 4, 7, 9), reversed(Rank), strict=True)
    ]
    news = numbered_places(happenings, GRID, {})
    assert [place.hexes for place in news] == [("0909",), ("0707",), ("0404",)], "the fourth has no number"


def test_of_equal_rank_the_heavier_comes_first_then_the_lower_hex():
    light, heavy, lower = (
        happening(Rank.MEETING, "0505", weight=1),
        happening(Rank.MEETING, "1010", weight=2),
        happening(Rank.MEETING, "0101", weight=1),
    )
    news = numbered_places([light, heavy, lower], GRID, {})
    assert [place.hexes[0] for place in news] == ["1010", "0101", "0505"]


def test_places_closer_than_three_hexes_share_a_number_and_the_note_tells_of_the_second():
    near, far = "0705", "0805"
    assert (GRID.distance("0505", near), GRID.distance("0505", far)) == (2, 3)
    happenings = [
        happening(Rank.BATTLE, "0505", "battle with E1"),
        happening(Rank.ELSE, near, "E2 seen"),
        happening(Rank.ELSE, far, "E3 seen"),
    ]
    first, second = numbered_places(happenings, GRID, {"0505": "Gorge", near: "Velann"})
    assert (first.hexes, first.title, first.fact, first.note) == (
        ("0505", near),
        "Gorge 0505",
        "Gorge: battle with E1",
        "Velann: E2 seen",
    )
    assert second.hexes == (far,)


def test_a_place_without_a_name_is_called_by_its_hex():
    battle, other = numbered_places([happening(Rank.BATTLE, "0505"), happening(Rank.ELSE, "1010")], GRID, {})
    assert (battle.title, battle.fact) == ("Battle 0505", "0505: something")
    assert (other.title, other.fact) == ("Hex 1010", "1010: something")


@cases("name, said, fact")
def test_a_sentence_is_rewritten_and_a_name_cut_before_the_hex_stands_for_it(name: str, said: list[str], fact: str):
    names = {"0505": name} if name else {}
    (place,) = numbered_places([happening(Rank.BATTLE, "0505", said=said)], GRID, names)
    assert place.fact == fact


def test_a_choice_comes_from_the_first_that_offers_one():
    one = happening(Rank.BATTLE, "0505")
    other = happening(Rank.MEETING, "0505", choice=["y" * 60, "A1 may attack"])
    (place,) = numbered_places([one, other], GRID, {})
    assert place.choice == "A1 may attack"


def test_what_is_off_the_map_has_no_number():
    assert numbered_places([happening(Rank.BATTLE, "9999"), happening(Rank.BATTLE, "")], GRID, {}) == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["E1"], "E1"), (["E1", "E2"], "E1 and E2"), (["E1", "E2", "E3", "E4"], "E1, E2 and 2 more")],
)
def test_lists_are_short(words: list[str], said: str):
    assert listed(words) == said


def test_names_are_cut_to_ten_letters():
    assert (short_name("New Bergen"), short_name("Nether Wallop")) == ("New Bergen", "Nether Wa…")


def test_nothing_fits_where_every_form_is_too_long():
    assert fitting(["x" * (LONGEST_FACT + 1)]) == ""
    assert fitting(["x" * LONGEST_FACT]) == "x" * LONGEST_FACT


def test_whatever_happens_the_places_are_few_short_and_apart():
    chance = random.Random(4)
    words = ["Alpha", "", "An exceedingly long name of a place " * 3, "\u202eevil\n", "Ümläut/Station"]
    for _ in range(300):
        happenings = [
            Happening(
                chance.choice(list(Rank)),
                chance.choice(GRID.hexes()),
                [chance.choice(words) * chance.randint(1, 3), chance.choice(words), "short"],
                weight=chance.randint(0, 9),
                aside=chance.choice(words),
                note=[chance.choice(words)],
                choice=[chance.choice(words)],
                names_place=chance.random() < 0.3,
            )
            for _ in range(chance.randint(0, 40))
        ]
        names = {hex_id: chance.choice(words) for hex_id in GRID.hexes() if chance.random() < 0.5}
        news = numbered_places(happenings, GRID, names)
        shuffled = chance.sample(happenings, len(happenings))
        assert [place.hexes for place in numbered_places(shuffled, GRID, names)] == [place.hexes for place in news]
        assert len(news) == min(MOST_NEWS, len(news))
        for place in news:
            assert max(map(len, (place.title, place.fact, place.note, place.choice))) <= LONGEST_FACT
            assert len(place.aside) <= LONGEST_ASIDE
            assert place.fact
        pins = [place.hexes[0] for place in news]
        assert all(GRID.distance(one, other) >= GRID.near for one in pins for other in pins if one != other)
