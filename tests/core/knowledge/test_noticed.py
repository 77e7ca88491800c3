"""What counters tell by themselves: who meets whom, who is at whose places, what was seen anew."""

from typing import Any

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank
from rules_engine.core.knowledge.views import Contact, Counter, Glimpse, HexNote, Knowledge
from tests.expected.kept import cases

GRID = Grid(columns=12, rows=12)
SINCE = When(turn=5, step=1)
TIDEWATER = HexNote(hex="0303", marks=("planet",), owner="red", name="Tidewater")


def glimpse(turn: int, hex_id: str, level: int = 0) -> Glimpse:
    return Glimpse(when=When(turn=turn, step=1), hex=hex_id, level=level, level_name=f"ID{level}", headline="")


def contact(track: str, *glimpses: Glimpse, live: bool = True) -> Contact:
    *before, latest = glimpses
    return Contact(track=track, owner="blue", first_seen=glimpses[0].when, latest=latest, history=before, live=live)


def own(label: str, hex_id: str) -> Counter:
    return Counter(id=label, hex=hex_id, owner="red", label=label)


def look(*counters: Counter, contacts: tuple[Contact, ...] = (), **more: Any) -> list[Happening]:
    """What red notices of some own counters and of contacts, which are counters too."""
    seen = [
        Counter(
            id=one.track,
            hex=one.latest.hex,
            owner=one.owner,
            form=one.form,
            label=one.track,
            level=one.latest.level,
            level_name=one.latest.level_name,
            grade=one.latest.level,
            live=one.live,
        )
        for one in contacts
    ]
    owners = {"red": "Red", "blue": "Blue", "gold": "Gold"}
    filled: dict[str, Any] = {"reader": "red", "notes": [TIDEWATER], "may": "attack or leave", "owners": owners} | more
    known = Knowledge(contacts={one.track: one for one in contacts})
    looked = Looked(places=GRID, counters=[*counters, *seen], since=SINCE, knowledge=known, **filled)
    return list(noticed(looked))


def test_a_new_contact_in_the_hex_of_own_forces_is_a_meeting():
    (found,) = look(own("A1", "0505"), own("A2", "0505"), contacts=(contact("E1", glimpse(5, "0505", 1)),))
    assert (found.rank, found.hex, found.said[0], found.aside) == (Rank.MEETING, "0505", "E1 meets A1 and A2", "new")
    assert found.note[0] == "E1: ID1"
    assert found.choice[0] == "A1 and A2 may attack or leave"


def test_a_contact_that_came_in_says_from_where():
    (found,) = look(own("A1", "0505"), contacts=(contact("E1", glimpse(4, "0506"), glimpse(5, "0505")),))
    assert (found.said[0], found.aside) == ("E1 meets A1", "from 0506")


def test_a_contact_that_is_better_known_says_what_it_was():
    (found,) = look(own("A1", "0505"), contacts=(contact("E1", glimpse(4, "0505", 1), glimpse(5, "0505", 2)),))
    assert (found.said[0], found.aside) == ("E1 with A1, now ID2", "was ID1")


def test_a_contact_that_only_stays_is_still_there():
    (found,) = look(own("A1", "0505"), contacts=(contact("E1", glimpse(3, "0505")),))
    assert (found.said[0], found.aside) == ("E1 still with A1", "")


def test_what_is_new_is_heavier_than_what_is_better_known_and_that_than_what_stays():
    new, better, stays = (
        look(own("A1", "0505"), contacts=(one,))[0].weight
        for one in (
            contact("E1", glimpse(5, "0505")),
            contact("E1", glimpse(4, "0505", 1), glimpse(5, "0505", 3)),
            contact("E1", glimpse(3, "0505", 4)),
        )
    )
    assert new > better > stays


def test_who_is_in_an_own_place_without_forces_is_a_threat_and_the_nearest_forces_are_named():
    (found,) = look(own("A1", "0603"), own("A2", "0808"), contacts=(contact("E1", glimpse(3, "0303")),))
    assert (found.rank, found.said[0]) == (Rank.THREAT, "E1 at your planet")
    assert found.choice[0] == "A1 is 3 hexes away"


@pytest.mark.parametrize(
    ("mark", "where"), [("settled", "in your settled hex"), ("base", "at your base"), ("planet", "at your planet")]
)
def test_a_threat_says_at_what_kind_of_place_it_is(mark: str, where: str):
    home = HexNote(hex="0303", marks=(mark,), owner="red", name="Tidewater")
    (found,) = look(notes=[home], contacts=(contact("E1", glimpse(3, "0303")),))
    assert found.said[0] == f"E1 {where}"


def test_who_is_beside_an_own_place_is_a_lesser_threat():
    beside, within = (look(contacts=(contact("E1", glimpse(3, hex_id)),))[0] for hex_id in ("0304", "0303"))
    assert (beside.rank, beside.said[0]) == (Rank.THREAT, "E1 in 0304, beside Tidewater")
    assert beside.weight < within.weight


def test_elsewhere_only_what_is_new_or_moved_or_better_known_is_noticed():
    def said(*glimpses: Glimpse) -> list[tuple[Rank, str]]:
        return [(one.rank, one.said[0]) for one in look(contacts=(contact("E1", *glimpses),))]

    assert said(glimpse(5, "0909", 1)) == [(Rank.ELSE, "E1 seen, ID1")]
    assert said(glimpse(5, "0909", 0)) == [(Rank.ELSE, "E1 seen")], "that nothing is known need not be said"
    assert said(glimpse(4, "0908"), glimpse(5, "0909")) == [(Rank.ELSE, "E1 came from 0908")]
    assert said(glimpse(4, "0909"), glimpse(5, "0909", 2)) == [(Rank.ELSE, "E1, now ID2")]
    assert said(glimpse(4, "0909", 2), glimpse(5, "0909", 1)) == []
    assert said(glimpse(4, "0909")) == []


def test_a_contact_that_was_lost_in_the_turn_is_told_and_an_older_one_is_not():
    (found,) = look(contacts=(contact("E1", glimpse(5, "0909"), live=False),))
    assert (found.rank, found.said[0], found.aside) == (Rank.ELSE, "E1 lost from sight", "lost")
    assert look(contacts=(contact("E1", glimpse(4, "0909"), live=False),)) == []


def test_elsewhere_the_nearest_own_forces_are_named_if_they_are_not_there():
    lost, new = contact("E1", glimpse(5, "0909"), live=False), contact("E1", glimpse(5, "0909"))
    for one in (lost, new):
        assert look(own("A1", "0907"), own("A2", "0501"), contacts=(one,))[0].choice[0] == "A1 is 2 hexes away"
        assert list(look(contacts=(one,))[0].choice) == []
    assert list(look(own("A1", "0909"), contacts=(lost,))[0].choice) == []


def test_lost_contacts_neither_meet_nor_threaten():
    gone = contact("E1", glimpse(2, "0303"), live=False)
    assert look(own("A1", "0303"), contacts=(gone,)) == []


def test_friends_are_no_contacts():
    friend = Counter(id="gold@0505", hex="0505", owner="gold", label="Gold CU")
    (found,) = look(own("A1", "0505"), friend)
    assert found.said[0] == "Gold CU still with A1"
    assert look(own("A1", "0505"), friend, friends=("red", "gold")) == []


def test_a_base_is_noticed_when_it_is_found_and_not_again():
    base = contact("E1", glimpse(5, "0505"))
    base.form = "base"
    (found,) = look(own("A1", "0505"), contacts=(base,))
    assert found.said[0] == "A1 found a base of theirs"
    base.first_seen = When(turn=3)
    base.history = [glimpse(3, "0505")]
    assert look(own("A1", "0505"), contacts=(base,)) == []


def test_levels_that_tell_nothing_are_left_out():
    (found,) = look(own("A1", "0505"), contacts=(contact("E1", glimpse(5, "0505", 5)),), says_levels=False)
    assert list(found.note) == []
    (found,) = look(contacts=(contact("E1", glimpse(4, "0909"), glimpse(5, "0909", 2)),), says_levels=False)
    assert found.said[-1] == "E1 better known"


def test_a_reader_without_a_side_is_told_where_several_sides_are():
    blue = Counter(id="b", hex="0505", owner="blue", label="B")
    (found,) = look(own("A1", "0505"), blue, own("A2", "0606"), reader="")
    assert (found.rank, found.hex, found.said[0]) == (Rank.MEETING, "0505", "Red and Blue meet")


@cases("red, blue, said")
def test_sides_of_long_names_are_called_by_their_first_words_if_these_differ(red: str, blue: str, said: str):
    there = Counter(id="b", hex="0505", owner="blue", label="B")
    (found,) = look(own("A1", "0505"), there, reader="", owners={"red": red, "blue": blue})
    assert found.said[0] == said


@pytest.mark.parametrize("hex_id", ["", "9999"])
def test_counters_off_the_map_are_passed_over(hex_id: str):
    stray = Counter(id="E1", hex=hex_id, owner="blue", label="E1")
    assert look(own("A1", hex_id), stray) == []
    assert look(own("A1", hex_id), stray, reader="") == []
