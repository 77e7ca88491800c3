"""Dossiers: filed by whom and what, the newest first, hearsay apart; of what the reader was told or everybody sees."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.dossiers.ages import TurnParts, ago
from rules_engine.core.knowledge.dossiers.entries import DossierEntry, as_hearsay, confidence_of
from rules_engine.core.knowledge.dossiers.files import dossier_of, filed
from rules_engine.core.knowledge.dossiers.reading import hex_said, learned_of_contacts, place_called, seen_on
from rules_engine.core.knowledge.reports import EVERYBODY, Fact, Lost, Removed, Report, Sighted, because
from rules_engine.core.knowledge.side_tables import contacts_table
from rules_engine.core.knowledge.views import Board, Counter, HexNote, Knowledge

IMPULSES = TurnParts("impulse", 3, lambda step: (step + 1) // 2)
SIDES = tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue", "green"))


def board(**more: Any) -> Board:
    return Board(
        campaign="C",
        rulebook="none",
        heading="Turn 3",
        when=When(turn=3, step=1, label="Turn 3"),
        sides=SIDES,
        outsiders=(Outsider(key="monsters", name="Monsters", emblem="M"),),
        grid=Grid(columns=6, rows=6),
        **more,
    )


def report(turn: int, *facts: Fact, to: tuple[str, ...] = ("red",), text: str = "told", rule: str = "1.1") -> Report:
    when = When(turn=turn, label=f"Turn {turn}")
    return Report(number=turn, place="x", when=when, to=to, kind="contact", text=text, why=because(rule), facts=facts)


def sighted(track: str, hex_id: str = "0101", owner: str = "blue", headline: str = "ships", level: int = 1) -> Sighted:
    return Sighted(track=track, hex=hex_id, owner=owner, headline=headline, level=level, level_name=f"ID{level}")


def entry(subject: str, turn: int, text: str = "ships", **more: Any) -> DossierEntry:
    values = {"about": "blue", "source": "scan", "confidence": "certain"} | more
    return DossierEntry(subject=subject, text=text, when=When(turn=turn), **values)


def lines(*reports: Report, **more: Any) -> list[tuple[str, str, str]]:
    found = dossier_of(object(), "red", board(), reports, open_map=board(), **more)
    return [(one.about, one.subject, one.latest.text) for one in found.files]


class TestAges:
    @pytest.mark.parametrize(
        ("now", "then", "said"),
        [
            ((3, 4), (3, 4), "now"),
            ((3, 4), (3, 3), "just now"),  # two halves of one impulse
            ((3, 5), (3, 1), "2 impulses ago"),
            ((3, 1), (2, 5), "1 impulse ago"),
            ((3, 0), (2, 6), "just now"),  # the last impulse of a turn, and planning after it
            ((3, 1), (2, 1), "1 turn ago"),
            ((9, 0), (2, 6), "7 turns ago"),
            ((3, 0), (3, 1), "now"),  # what is not yet
        ],
    )
    def test_by_impulses_while_it_is_recent(self, now: tuple[int, int], then: tuple[int, int], said: str):
        assert ago(When(turn=now[0], step=now[1]), When(turn=then[0], step=then[1]), IMPULSES) == said

    def test_by_turns_where_a_book_names_no_parts(self):
        assert ago(When(turn=3, step=2), When(turn=3, step=1)) == "earlier this turn"
        assert ago(When(turn=3), When(turn=1)) == "2 turns ago"


class TestEntries:
    @pytest.mark.parametrize(
        ("grade", "word"),
        [(None, "slight"), (0, "slight"), (1, "slight"), (2, "partial"), (3, "partial"), (4, "certain")],
    )
    def test_how_sure_a_contact_is_follows_the_maps(self, grade: int | None, word: str):
        assert confidence_of(grade) == word

    def test_what_is_handed_on_is_not_confirmed_and_keeps_its_age(self):
        given = entry("C1", 2, since=When(turn=1))
        told = as_hearsay(given, "green")
        assert (told.handed_on_by, told.confidence, told.when, told.since) == ("green", "unconfirmed", given.when, None)
        assert as_hearsay(told, "blue").handed_on_by == "blue"
        assert not given.is_hearsay

    def test_an_entry_is_bounded(self):
        for wrong in ({"subject": ""}, {"subject": "x" * 121}, {"text": ""}, {"text": "x" * 4_001}):
            with pytest.raises(ValidationError):
                DossierEntry(
                    **{"subject": "C1", "text": "t", **wrong}, source="scan", confidence="certain", when=When(turn=1)
                )

    def test_long_texts_of_reports_are_cut_and_not_refused(self):
        long = report(1, Sighted(track="C" * 500, hex="0101", headline="y" * 9_000, details=("z",) * 999))
        (found,) = learned_of_contacts(long)
        assert (len(found.subject), len(found.text), len(found.details)) == (120, 4_000, 200)


class TestFiles:
    def test_the_newest_stands_first_and_what_is_on_the_open_map_last(self):
        open_map = board(hexes=(HexNote(hex="0303", owner="blue", name="Aur", marks=("planet",)),))
        told = [report(1, sighted("C1")), report(2, sighted("C2", owner="green")), report(2, sighted("C10"))]
        found = dossier_of(object(), "red", board(), told, open_map=open_map)
        assert [one.subject for one in found.files] == ["C2", "C10", "C1", "Aur in 0303"]
        assert [one.subject for one in found.about("blue")] == ["C10", "C1", "Aur in 0303"]
        assert [one.latest.source for one in found.about("blue")] == ["own eyes", "own eyes", "open map"]

    def test_what_is_told_again_keeps_since_when_it_is_so(self):
        first, again, other = report(1, sighted("C1")), report(2, sighted("C1")), report(3, sighted("C1", "0102"))
        (file,) = dossier_of(object(), "red", board(), [first, again, other], open_map=board()).files
        assert [(one.hex, one.when.turn, one.since and one.since.turn) for one in file.entries] == [
            ("0102", 3, None),
            ("0101", 2, 1),
        ]

    def test_what_is_lost_stays_under_whose_it_was_with_where_it_was_seen(self):
        (file,) = dossier_of(
            object(), "red", board(), [report(1, sighted("C1")), report(2, Lost(track="C1"))], open_map=board()
        ).files
        assert (file.about, file.latest.ends, file.is_held, file.last_seen.hex) == ("blue", "lost", False, "0101")

    def test_what_is_no_more_says_what_it_became(self):
        told = [report(1, sighted("C1")), report(1, sighted("C2")), report(2, Removed(track="C1", into="C2"))]
        assert lines(*told)[0] == ("blue", "C1", "is now C2")
        assert lines(*told, report(3, Removed(track="C2")))[0] == ("blue", "C2", "is no more")

    def test_a_report_to_others_is_not_read_whoever_hands_it_in(self):
        secret = report(1, sighted("C1"), to=("blue",))
        assert lines(secret) == []
        assert lines(report(1, sighted("C1"), to=EVERYBODY)) == [("blue", "C1", "ships, ID1")]

    def test_own_things_are_in_no_dossier(self):
        open_map = board(
            hexes=(HexNote(hex="0303", owner="red", name="Home"),),
            counters=(Counter(id="r", hex="0101", owner="red", label="Ours"),),
        )
        told = [report(1, sighted("C1", owner="red"))]
        assert dossier_of(object(), "red", board(), told, open_map=open_map).files == ()


class TestHearsay:
    def test_it_stands_beside_own_knowledge_and_never_before_it(self):
        told = report(2, sighted("C1", "0101"))
        handed = as_hearsay(entry("C1", 2, "a lie", hex="0505"), "green")
        found = dossier_of(object(), "red", board(), [told], open_map=board(), handed_on=[handed])
        own, hearsay = found.about("blue")
        assert (own.latest.text, own.latest.hex, own.is_hearsay) == ("ships, ID1", "0101", False)
        assert (hearsay.latest.text, hearsay.handed_on_by, hearsay.is_hearsay) == ("a lie", "green", True)
        assert own.entries == (own.latest,), "nothing of it is mixed into what the reader saw"

    def test_it_is_sorted_with_the_others_by_its_age(self):
        told = [report(1, sighted("C1")), report(3, sighted("C3"))]
        handed = [as_hearsay(entry("X", 2), "green")]
        found = dossier_of(object(), "red", board(), told, open_map=board(), handed_on=handed)
        assert [one.subject for one in found.files] == ["C3", "X", "C1"]

    def test_of_two_givers_each_has_a_file(self):
        handed = [as_hearsay(entry("X", 2, word), giver) for giver, word in (("green", "a"), ("blue", "b"))]
        assert [(one.handed_on_by, one.latest.text) for one in filed([], handed)] == [("green", "a"), ("blue", "b")]

    def test_what_names_no_giver_is_not_taken(self):
        assert lines(handed_on=[entry("X", 1)]) == []

    def test_it_may_be_of_the_reader_as_others_see_it(self):
        handed = [as_hearsay(entry("X", 1, about="red"), "green")]
        assert lines(handed_on=handed) == [("red", "X", "ships")]


class TestTheOpenMap:
    def test_a_place_is_never_called_like_a_contact(self):
        """Whoever names a planet C1 hides no contact by it."""
        open_map = board(hexes=(HexNote(hex="0303", owner="blue", name="C1"),))
        told = [report(1, sighted("C1")), report(2, Lost(track="C1"))]
        found = dossier_of(object(), "red", board(), told, open_map=open_map)
        assert [(one.subject, one.latest.ends) for one in found.files] == [("C1", "lost"), ("C1 in 0303", "")]
        assert place_called("", "0303", open_map.places) == "hex 0303"

    def test_counters_that_are_held_as_contacts_are_not_told_twice(self):
        counters = (
            Counter(id="blue@0101", hex="0101", owner="blue", label="Blue CU", grade=0),
            Counter(id="blue@0202", hex="0202", owner="blue", label="Blue CU", grade=0),
        )
        told = [report(1, sighted("C1", "0101"))]
        found = dossier_of(object(), "red", board(), told, open_map=board(counters=counters))
        assert [(one.subject, one.latest.confidence) for one in found.files] == [
            ("C1", "slight"),
            ("Blue CU in 0202", "slight"),
        ]
        gone = [*told, report(2, Lost(track="C1"))]
        again = dossier_of(object(), "red", board(), gone, open_map=board(counters=counters))
        assert [one.subject for one in again.files] == ["C1", "Blue CU in 0101", "Blue CU in 0202"]

    def test_space_without_a_name_is_none_of_theirs(self):
        notes = (HexNote(hex="0101", owner="blue", territory="blue", marks=("unsurveyed",)),)
        assert list(seen_on(board(hexes=notes), "red", ())) == []


@pytest.mark.parametrize(
    ("text", "hex_id"),
    [("Battle in 0204.", "0204"), ("in 0909, then 0101", "0101"), ("x0204", ""), ("nowhere", ""), ("0204", "0204")],
)
def test_the_hex_that_a_text_names_is_one_of_the_map(text: str, hex_id: str):
    assert hex_said(text, board()) == hex_id


def test_a_long_text_is_searched_for_a_hex_in_linear_time():
    assert hex_said("0" * 200_000 + " 9999" * 50_000 + " 0204", board()) == "0204"


def test_the_table_of_contacts_says_from_where_how_old_and_how_sure():
    told = [report(1, sighted("E1")), report(2, sighted("E1", "0202", level=3)), report(3, Lost(track="E1"))]
    known = Knowledge()
    for one in told:
        known.learn(one)
    seen = [
        *learned_of_contacts(told[0], "own eyes", lambda level: level + 1),
        *learned_of_contacts(told[1], "reconnaissance", lambda level: level + 1),
        *learned_of_contacts(told[2]),
    ]
    table = contacts_table(known, board().model_copy(update={"outsiders": ()}), seen, IMPULSES)
    assert table.columns == ("Contact", "When", "Hex", "Level", "What was seen", "Source", "Age", "Confidence")
    assert table.rows == (
        ("E1", "Turn 1", "0101", "ID1", "ships", "own eyes", "2 turns ago", "partial"),
        ("E1", "Turn 2", "0202", "ID3", "ships", "reconnaissance", "1 turn ago", "certain"),
    )
