"""What counters tell by themselves, numbered places, changes of a view, and why something came out."""

import random
from typing import Any

import pytest

from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.basics.dice import Roll
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge import glance, side_tables
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank, fitting, listed, numbered_places, short_name
from rules_engine.core.knowledge.reports import Report, Sighted, because
from rules_engine.core.knowledge.told_of import is_about, reports_of
from rules_engine.core.knowledge.view_changes import changes, shortened_lines, table_changes
from rules_engine.core.knowledge.views import Board, Contact, Counter, Course, Glimpse, HexNote, Knowledge, Panel
from tests.expected.kept import Kept, cases

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
    return list(noticed(Looked(places=GRID, counters=[*counters, *seen], since=SINCE, knowledge=known, **filled)))


@cases("case, forces, seen, found")
def test_what_is_noticed_of_a_contact(forces: str, seen: str, found: list[tuple[str, ...]]):
    """The contact E1 by its glimpses, each with its turn, its hex, and perhaps its level; red reads in turn 5."""
    counters = [own(*one.split()) for one in forces.split("; ") if one]
    glimpses = [one.split() for one in seen.removesuffix(", lost").split(", ")]
    e1 = contact(
        "E1", *(glimpse(int(turn), at, *map(int, level)) for turn, at, *level in glimpses),
        live=not seen.endswith(", lost"),
    )  # fmt: skip
    assert [
        (one.rank.name, one.hex, one.said[0], one.aside, *one.note[:1], *one.choice[:1])
        for one in look(*counters, contacts=(e1,))
    ] == found


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


@cases("mark, where", "")
def test_a_threat_says_at_what_kind_of_place_it_is(mark: str, where: str):
    home = HexNote(hex="0303", marks=(mark,), owner="red", name="Tidewater")
    (found,) = look(notes=[home], contacts=(contact("E1", glimpse(3, "0303")),))
    assert found.said[0] == f"E1 {where}"


def test_who_is_beside_an_own_place_is_a_lesser_threat():
    beside, within = (look(contacts=(contact("E1", glimpse(3, hex_id)),))[0] for hex_id in ("0304", "0303"))
    assert beside.weight < within.weight


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


# --- numbered places: their order, what shares a number, and sentences that fit ---------------------------------------
NUMBERED_GRID = Grid(columns=22, rows=17)


def happening(rank: Rank, hex_id: str, text: str = "something", **more: Any) -> Happening:
    return Happening(rank, hex_id, [text])._replace(**more)


def test_battles_come_first_then_meetings_then_threats_then_all_else():
    happenings = [
        happening(rank, f"0{place}0{place}") for place, rank in zip((1, 4, 7, 9), reversed(Rank), strict=True)
    ]
    news = numbered_places(happenings, NUMBERED_GRID, {})
    assert [place.hexes for place in news] == [("0909",), ("0707",), ("0404",)], "the fourth has no number"


def test_of_equal_rank_the_heavier_comes_first_then_the_lower_hex():
    light, heavy, lower = (
        happening(Rank.MEETING, "0505", weight=1),
        happening(Rank.MEETING, "1010", weight=2),
        happening(Rank.MEETING, "0101", weight=1),
    )
    news = numbered_places([light, heavy, lower], NUMBERED_GRID, {})
    assert [place.hexes[0] for place in news] == ["1010", "0101", "0505"]


def test_places_closer_than_three_hexes_share_a_number_and_the_note_tells_of_the_second():
    near, far = "0705", "0805"
    assert (NUMBERED_GRID.distance("0505", near), NUMBERED_GRID.distance("0505", far)) == (2, 3)
    happenings = [
        happening(Rank.BATTLE, "0505", "battle with E1"),
        happening(Rank.ELSE, near, "E2 seen"),
        happening(Rank.ELSE, far, "E3 seen"),
    ]
    first, second = numbered_places(happenings, NUMBERED_GRID, {"0505": "Gorge", near: "Velann"})
    assert (first.hexes, first.title, first.fact, first.note) == (
        ("0505", near), "Gorge 0505", "Gorge: battle with E1", "Velann: E2 seen",
    )  # fmt: skip
    assert second.hexes == (far,)


def test_a_place_without_a_name_is_called_by_its_hex():
    battle, other = numbered_places([happening(Rank.BATTLE, "0505"), happening(Rank.ELSE, "1010")], NUMBERED_GRID, {})
    assert (battle.title, battle.fact) == ("Battle 0505", "0505: something")
    assert (other.title, other.fact) == ("Hex 1010", "1010: something")


@cases("name, said, fact")
def test_a_sentence_is_rewritten_and_a_name_cut_before_the_hex_stands_for_it(name: str, said: list[str], fact: str):
    names = {"0505": name} if name else {}
    (place,) = numbered_places([happening(Rank.BATTLE, "0505", said=said)], NUMBERED_GRID, names)
    assert place.fact == fact


def test_a_choice_comes_from_the_first_that_offers_one():
    one = happening(Rank.BATTLE, "0505")
    other = happening(Rank.MEETING, "0505", choice=["y" * 60, "A1 may attack"])
    (place,) = numbered_places([one, other], NUMBERED_GRID, {})
    assert place.choice == "A1 may attack"


def test_what_is_off_the_map_has_no_number():
    assert numbered_places([happening(Rank.BATTLE, "9999"), happening(Rank.BATTLE, "")], NUMBERED_GRID, {}) == ()


@cases("words, said")
def test_lists_are_short(words: list[str], said: str):
    assert listed(words) == said


def test_names_are_cut_to_ten_letters():
    assert (short_name("New Bergen"), short_name("Nether Wallop")) == ("New Bergen", "Nether Wa…")


def test_nothing_fits_where_every_form_is_too_long():
    assert fitting(["x" * (glance.LONGEST_FACT + 1)]) == ""
    assert fitting(["x" * glance.LONGEST_FACT]) == "x" * glance.LONGEST_FACT


def test_whatever_happens_the_places_are_few_short_and_apart():
    chance = random.Random(4)
    words = ["Alpha", "", "An exceedingly long name of a place " * 3, "\u202eevil\n", "Ümläut/Station"]
    for _ in range(300):
        happenings = [
            Happening(
                chance.choice(list(Rank)),
                chance.choice(NUMBERED_GRID.hexes()),
                [chance.choice(words) * chance.randint(1, 3), chance.choice(words), "short"],
                weight=chance.randint(0, 9),
                aside=chance.choice(words),
                note=[chance.choice(words)],
                choice=[chance.choice(words)],
                names_place=chance.random() < 0.3,
            )
            for _ in range(chance.randint(0, 40))
        ]
        names = {hex_id: chance.choice(words) for hex_id in NUMBERED_GRID.hexes() if chance.random() < 0.5}
        news = numbered_places(happenings, NUMBERED_GRID, names)
        shuffled = chance.sample(happenings, len(happenings))
        found = [place.hexes for place in numbered_places(shuffled, NUMBERED_GRID, names)]
        assert found == [place.hexes for place in news]
        assert len(news) == min(glance.MOST_NEWS, len(news))
        for place in news:
            assert max(map(len, (place.title, place.fact, place.note, place.choice))) <= glance.LONGEST_FACT
            assert len(place.aside) <= glance.LONGEST_ASIDE
            assert place.fact
        pins = [place.hexes[0] for place in news]
        assert all(
            NUMBERED_GRID.distance(one, other) >= NUMBERED_GRID.near for one in pins for other in pins if one != other
        )


# --- what a reader sees differently, said line by line ----------------------------------------------------------------
def board(**parts: Any) -> Board:
    sides = (SideLabel(key="red", name="Red", emblem="R"),)
    when = When(turn=1)
    return Board(
        campaign="C", rulebook="b", heading="Turn 1", when=when, sides=sides, grid=Grid(columns=9, rows=9)
    ).model_copy(update=parts)


def counter(**parts: Any) -> Counter:
    return Counter(**{"id": "A1", "hex": "0404", "owner": "red", "label": "A1 Dawn", **parts})


def test_the_same_says_nothing() -> None:
    one = board(counters=(counter(),), panels=(Panel(title="Forces", rows=("a", "b")),))
    assert changes(one, one) == ()


def test_counters_move_come_go_and_change(kept: Kept) -> None:
    before = board(counters=(counter(), counter(id="A2", label="A2")))
    after = board(counters=(counter(hex="0505", details=("CA",)), counter(id="A3", label="A3", hex="0101")))
    assert changes(before, after) == kept()
    found = changes(board(counters=(counter(),)), board(counters=(counter(label="A1 Dusk", sub="x"),)))
    assert found == ("A1 Dusk, name: “A1 Dawn” is now “A1 Dusk”", "A1 Dusk, note: “” is now “x”")


def test_owners_are_named(kept: Kept) -> None:
    beasts = (Outsider(key="monsters", name="Beasts of the Rim", emblem="B"),)
    before = board(counters=(counter(),), hexes=(HexNote(hex="0101"),))
    counters = (counter(owner="monsters"),)
    after = board(outsiders=beasts, counters=counters, hexes=(HexNote(hex="0101", owner="monsters"),))
    assert changes(before, after) == kept()


def test_rows_of_panels_stand_side_by_side() -> None:
    before = board(panels=(Panel(title="Forces", rows=("ships 5", "points 0")), Panel(title="Old", rows=("x",))))
    after = board(panels=(Panel(title="Forces", rows=("ships 3", "points 0", "more")), Panel(title="Old")))
    assert changes(before, after) == ("Forces: “ships 5” is now “ships 3”", "Forces: “more” is new", "Old: “x” is gone")


def test_the_same_said_in_two_panels_is_said_once() -> None:
    before = board(panels=(Panel(title="Forces", rows=("  ships 5",)), Panel(title="Stores", rows=("ships 5",))))
    after = board(panels=(Panel(title="Forces", rows=("  ships 3",)), Panel(title="Stores", rows=("ships 3",))))
    assert changes(before, after) == ("Forces: “ships 5” is now “ships 3”",)


def test_hexes_courses_and_the_heading(kept: Kept) -> None:
    hexes = (HexNote(hex="0101", name="Haven"),)
    before = board(hexes=hexes, courses=(Course(counter="A1", kind="route", hexes=("0404",)),))
    assert changes(before, board(hexes=(HexNote(hex="0101", name="Haven", owner="red"),), heading="Turn 2")) == kept()


def test_tables_row_by_row() -> None:
    def table(*rows: tuple[str, ...]) -> side_tables.SideTable:
        return side_tables.SideTable(key="k", title="Stores", columns=("a", "b"), rows=rows)

    assert table_changes([table(("fuel", "3"))], [table(("fuel", "4"))]) == ("Stores: “fuel | 3” is now “fuel | 4”",)
    assert table_changes([], [table(("fuel", "4"))]) == ("Stores: “fuel | 4” is new",)


def test_long_lists_are_cut_and_counted() -> None:
    assert shortened_lines(["abcdef", "b", "c"], 2, 4) == ("abc…", "b", "… and 1 more")
    assert shortened_lines(["a"], 2, 4) == ("a",)


# --- which reports a sentence on a map rests on -----------------------------------------------------------------------
def report(text: str, *, seen: str = "", why: bool = True, inputs: str = "") -> Report:
    facts = (Sighted(track="E1", hex=seen),) if seen else ()
    reason = because("1.1", {"of": inputs}) if why else None
    return Report(number=1, place="T1", when=When(turn=1), to=("red",), kind="news", text=text, facts=facts, why=reason)


def test_a_report_is_about_the_hexes_that_it_names_or_shows() -> None:
    assert is_about(["0505"], report("Battle in 0505: won."))
    assert is_about(["0404", "0505"], report("It is there.", seen="0505"))
    assert not is_about(["0505"], report("Battle in 05051.", seen="0404"))
    assert is_about(["a1"], report("Battle at A1."))


def test_those_that_share_the_most_words_are_given_in_order() -> None:
    told = [
        report("A Destroyer is in 0505."),
        report("A Destroyer destroyed in 0505."),
        report("A Destroyer destroyed in 0606."),
        report("Points are scored in 0505.", inputs="a Destroyer destroyed"),
        report("A Destroyer destroyed in 0505, too.", why=False),
    ]
    assert reports_of(["0505"], "0505: a Destroyer destroyed", told) == [1, 3]
    found = reports_of(["0505"], "0505: E1 meets A1", [report("E1 is seen in 0505."), report("E1 meets A1 in 0505.")])
    assert found == [1]


def test_at_most_three_are_given_the_newest() -> None:
    assert reports_of(["0505"], "0505: battle", [report("Battle in 0505.") for _ in range(5)]) == [2, 3, 4]


def test_where_nothing_speaks_of_it_with_a_reason_there_are_none() -> None:
    assert reports_of(["0505"], "0505: battle", [report("Battle in 0606."), report("Battle in 0505.", why=False)]) == []
    assert reports_of(["0505"], "0505: battle", []) == []


def test_short_words_tell_nothing_and_codes_do() -> None:
    told = [report("E7 is in it, in 0505."), report("a b is in 0505.")]
    assert reports_of(["0505"], "0505: E7 is a b", told) == [0]


# --- why something came out as it did, in one line --------------------------------------------------------------------
@cases("purpose, said")
def test_faces_of_dice_stand_apart_from_a_number_before_them(purpose: str, said: str) -> None:
    roll = Roll(label="T1", purpose=purpose, faces=6, low=1, dice=(4, 2), total=6, seen_by=None)
    assert because("3.3", dice=[roll]).text() == said
