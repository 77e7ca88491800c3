"""Dossiers: how they are filed and folded, what is handed on, and briefings."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge import briefing, glance, side_tables
from rules_engine.core.knowledge.dossiers import ages, entries, folding, reading
from rules_engine.core.knowledge.dossiers.files import NOTHING_KEPT, dossier_of, filed
from rules_engine.core.knowledge.hearsay import cutouts, items, onto_views
from rules_engine.core.knowledge.reports import EVERYBODY, Fact, Lost, Removed, Report, Sighted, because
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, Knowledge, Panel, PublicView, SideView
from tests.expected.kept import cases

IMPULSES = ages.TurnParts("impulse", 3, lambda step: (step + 1) // 2)
SIDES = tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue", "green"))


def board(**more: Any) -> Board:
    return Board(
        campaign="C", rulebook="none", heading="Turn 3", when=When(turn=3, step=1, label="Turn 3"), sides=SIDES,
        outsiders=(Outsider(key="monsters", name="Monsters", emblem="M"),), grid=Grid(columns=6, rows=6), **more,
    )  # fmt: skip


def report(turn: int, *facts: Fact, to: tuple[str, ...] = ("red",), text: str = "told", rule: str = "1.1") -> Report:
    when = When(turn=turn, label=f"Turn {turn}")
    return Report(number=turn, place="x", when=when, to=to, kind="contact", text=text, why=because(rule), facts=facts)


def sighted(track: str, hex_id: str = "0101", owner: str = "blue", headline: str = "ships", level: int = 1) -> Sighted:
    return Sighted(track=track, hex=hex_id, owner=owner, headline=headline, level=level, level_name=f"ID{level}")


def entry(subject: str, turn: int, text: str = "ships", **more: Any) -> entries.DossierEntry:
    values = {"about": "blue", "source": "scan", "confidence": "certain"} | more
    return entries.DossierEntry(subject=subject, text=text, when=When(turn=turn), **values)


def lines(*reports: Report, **more: Any) -> list[tuple[str, str, str]]:
    found = dossier_of(object(), "red", board(), reports, open_map=board(), **more)
    return [(one.about, one.subject, one.latest.text) for one in found.files]


class TestAges:
    @cases("now, then, said")
    def test_by_impulses_while_it_is_recent(self, now: tuple[int, int], then: tuple[int, int], said: str):
        assert ages.ago(When(turn=now[0], step=now[1]), When(turn=then[0], step=then[1]), IMPULSES) == said

    def test_by_turns_where_a_book_names_no_parts(self):
        assert ages.ago(When(turn=3, step=2), When(turn=3, step=1)) == "earlier this turn"
        assert ages.ago(When(turn=3), When(turn=1)) == "2 turns ago"


class TestEntries:
    @cases("grade, word")
    def test_how_sure_a_contact_is_follows_the_maps(self, grade: int | None, word: str):
        assert entries.confidence_of(grade) == word

    def test_what_is_handed_on_is_not_confirmed_and_keeps_its_age(self):
        given = entry("C1", 2, since=When(turn=1))
        told = entries.as_hearsay(given, "green")
        assert (told.handed_on_by, told.confidence, told.when, told.since) == ("green", "unconfirmed", given.when, None)
        assert entries.as_hearsay(told, "blue").handed_on_by == "blue"
        assert not given.is_hearsay

    def test_an_entry_is_bounded(self):
        for wrong in ({"subject": ""}, {"subject": "x" * 121}, {"text": ""}, {"text": "x" * 4_001}):
            with pytest.raises(ValidationError):
                entries.DossierEntry(
                    **{"subject": "C1", "text": "t", **wrong}, source="scan", confidence="certain", when=When(turn=1)
                )

    def test_long_texts_of_reports_are_cut_and_not_refused(self):
        long = report(1, Sighted(track="C" * 500, hex="0101", headline="y" * 9_000, details=("z",) * 999))
        (found,) = reading.learned_of_contacts(long)
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
        found = [(one.hex, one.when.turn, one.since and one.since.turn) for one in file.entries]
        assert found == [("0102", 3, None), ("0101", 2, 1)]

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
        assert lines(report(1, sighted("C1"), to=("blue",))) == []
        assert lines(report(1, sighted("C1"), to=EVERYBODY)) == [("blue", "C1", "ships, ID1")]

    def test_own_things_are_in_no_dossier(self):
        hexes = (HexNote(hex="0303", owner="red", name="Home"),)
        open_map = board(hexes=hexes, counters=(Counter(id="r", hex="0101", owner="red", label="Ours"),))
        told = [report(1, sighted("C1", owner="red"))]
        assert dossier_of(object(), "red", board(), told, open_map=open_map).files == ()


class TestHearsay:
    def test_it_stands_beside_own_knowledge_and_never_before_it(self):
        told = report(2, sighted("C1", "0101"))
        handed = entries.as_hearsay(entry("C1", 2, "a lie", hex="0505"), "green")
        found = dossier_of(object(), "red", board(), [told], open_map=board(), handed_on=[handed])
        own, hearsay = found.about("blue")
        assert (own.latest.text, own.latest.hex, own.is_hearsay) == ("ships, ID1", "0101", False)
        assert (hearsay.latest.text, hearsay.handed_on_by, hearsay.is_hearsay) == ("a lie", "green", True)
        assert own.entries == (own.latest,), "nothing of it is mixed into what the reader saw"

    def test_it_is_sorted_with_the_others_by_its_age(self):
        told = [report(1, sighted("C1")), report(3, sighted("C3"))]
        handed = [entries.as_hearsay(entry("X", 2), "green")]
        found = dossier_of(object(), "red", board(), told, open_map=board(), handed_on=handed)
        assert [one.subject for one in found.files] == ["C3", "X", "C1"]

    def test_of_two_givers_each_has_a_file(self):
        handed = [entries.as_hearsay(entry("X", 2, word), giver) for giver, word in (("green", "a"), ("blue", "b"))]
        assert [(one.handed_on_by, one.latest.text) for one in filed([], handed)] == [("green", "a"), ("blue", "b")]

    def test_what_names_no_giver_is_not_taken(self):
        assert lines(handed_on=[entry("X", 1)]) == []

    def test_it_may_be_of_the_reader_as_others_see_it(self):
        handed = [entries.as_hearsay(entry("X", 1, about="red"), "green")]
        assert lines(handed_on=handed) == [("red", "X", "ships")]


class TestTheOpenMap:
    def test_a_place_is_never_called_like_a_contact(self):
        """Whoever names a planet C1 hides no contact by it."""
        open_map = board(hexes=(HexNote(hex="0303", owner="blue", name="C1"),))
        told = [report(1, sighted("C1")), report(2, Lost(track="C1"))]
        found = dossier_of(object(), "red", board(), told, open_map=open_map)
        assert [(one.subject, one.latest.ends) for one in found.files] == [("C1", "lost"), ("C1 in 0303", "")]
        assert reading.place_called("", "0303", open_map.places) == "hex 0303"

    def test_counters_that_are_held_as_contacts_are_not_told_twice(self):
        counters = (
            Counter(id="blue@0101", hex="0101", owner="blue", label="Blue CU", grade=0),
            Counter(id="blue@0202", hex="0202", owner="blue", label="Blue CU", grade=0),
        )
        told = [report(1, sighted("C1", "0101"))]
        found = dossier_of(object(), "red", board(), told, open_map=board(counters=counters))
        seen = [(one.subject, one.latest.confidence) for one in found.files]
        assert seen == [("C1", "slight"), ("Blue CU in 0202", "slight")]
        gone = [*told, report(2, Lost(track="C1"))]
        again = dossier_of(object(), "red", board(), gone, open_map=board(counters=counters))
        assert [one.subject for one in again.files] == ["C1", "Blue CU in 0101", "Blue CU in 0202"]

    def test_space_without_a_name_is_none_of_theirs(self):
        notes = (HexNote(hex="0101", owner="blue", territory="blue", marks=("unsurveyed",)),)
        assert list(reading.seen_on(board(hexes=notes), "red", ())) == []


@cases("text, hex_id")
def test_the_hex_that_a_text_names_is_one_of_the_map(text: str, hex_id: str):
    assert reading.hex_said(text, board()) == hex_id


def test_a_long_text_is_searched_for_a_hex_in_linear_time():
    assert reading.hex_said("0" * 200_000 + " 9999" * 50_000 + " 0204", board()) == "0204"


def test_the_table_of_contacts_says_from_where_how_old_and_how_sure():
    told = [report(1, sighted("E1")), report(2, sighted("E1", "0202", level=3)), report(3, Lost(track="E1"))]
    known = Knowledge()
    for one in told:
        known.learn(one)
    seen = [
        *reading.learned_of_contacts(told[0], "own eyes", lambda level: level + 1),
        *reading.learned_of_contacts(told[1], "reconnaissance", lambda level: level + 1),
        *reading.learned_of_contacts(told[2]),
    ]
    table = side_tables.contacts_table(known, board().model_copy(update={"outsiders": ()}), seen, IMPULSES)
    assert table.columns == ("Contact", "When", "Hex", "Level", "What was seen", "Source", "Age", "Confidence")
    assert table.rows == (
        ("E1", "Turn 1", "0101", "ID1", "ships", "own eyes", "2 turns ago", "partial"),
        ("E1", "Turn 2", "0202", "ID3", "ships", "reconnaissance", "1 turn ago", "certain"),
    )


# --- folding ----------------------------------------------------------------------------------------------------------
# a dossier that is kept as play goes on is the one that all reports make, however they come; and it is bounded.
READER = "red"
BOARD = board()


def folded_report(number: int, *facts: Fact, to: str = READER) -> Report:
    when = When(turn=number, step=0, label=f"Turn {number}")
    return Report(number=number, place=f"T{number}", when=when, to=(to,), kind="contact", text="Seen.", facts=facts)


def sighting(track: str, hex_id: str = "0101", owner: str = "blue") -> Sighted:
    return Sighted(track=track, owner=owner, hex=hex_id, level=1, level_name="ID1", headline="a cruiser")


TOLD = [
    folded_report(1, sighting("E1"), sighting("E2", "0203")), folded_report(2, sighting("E1")),
    folded_report(2, Lost(track="E2")), folded_report(3, sighting("E3"), to="blue"),
    folded_report(3, sighting("E1", "0102")),
    folded_report(4, Removed(track="E1", into="E4"), sighting("E4", "0102", owner="")),
    folded_report(5, sighting("E2", "0204")), folded_report(6, Lost(track="E4")),
]  # fmt: skip


def kept(told: list[Report], before: folding.KeptDossier = NOTHING_KEPT) -> folding.KeptDossier:
    return folding.folded(before, object(), READER, BOARD, told)


def dossier(told: list[Report], before: folding.KeptDossier = NOTHING_KEPT) -> Any:
    return dossier_of(object(), READER, BOARD, told, open_map=BOARD, kept=before)


@pytest.mark.parametrize("at", range(len(TOLD) + 1))
def test_it_does_not_matter_where_it_was_kept(at: int) -> None:
    before = folding.KeptDossier.model_validate_json(kept(TOLD[:at]).model_dump_json())
    assert dossier(TOLD[at:], before) == dossier(TOLD)
    assert kept(TOLD[at:], before) == kept(TOLD)


def test_what_ends_is_whose_it_was_and_what_others_were_told_is_not_read() -> None:
    found = kept(TOLD)
    assert {(one.about, one.subject) for one in found.files} == {("blue", "E1"), ("blue", "E2"), ("", "E4")}
    assert [entry.ends for one in found.files if one.subject == "E2" for entry in one.entries] == ["", "lost", ""]


def test_the_same_several_times_in_a_row_is_kept_once_with_since_when() -> None:
    (first, *_) = next(one.entries for one in kept(TOLD).files if one.subject == "E1")
    assert (first.when.turn, first.since.turn if first.since else None) == (2, 1)


def test_a_long_campaign_keeps_the_newest_of_each_thing_and_no_more_than_so_many() -> None:
    long = [folded_report(turn, sighting("E1", f"{turn % 2 + 1:02}01")) for turn in range(1, 3 * folding.MOST_ENTRIES)]
    (file,) = kept(long).files
    assert len(file.entries) == folding.MOST_ENTRIES
    assert file.entries[-1].when.turn == long[-1].when.turn
    many = [folded_report(turn, sighting(f"E{turn}")) for turn in range(1, folding.MOST_SUBJECTS + 20)]
    subjects = [one.subject for one in kept(many).files]
    assert len(subjects) == folding.MOST_SUBJECTS
    assert subjects[-1] == f"E{folding.MOST_SUBJECTS + 19}"
    assert "E1" not in subjects


# --- what is handed on is a copy of one's own board and no more; on the getter's map its own knowledge wins -----------
SPEAKERS = tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue", "gold"))
GRID = Grid(columns=12, rows=12)
X1 = items.Hearsay(
    source="red", turn=5, about="X1", words=("Three cruisers",), hex="0404", owner="gold", age=1, live=True,
    confidence="Identified", level=2, grade=3,
)  # fmt: skip


def view(*counters: Counter, side: str = "blue", turn: int = 6, **more: Any) -> SideView:
    when = When(turn=turn, label=f"Turn {turn}")
    board = Board(
        campaign="C", rulebook="r", heading=f"Turn {turn}", when=when, sides=SPEAKERS, grid=GRID, counters=counters,
        **more,
    )  # fmt: skip
    return SideView(side=side, board=board)


def counter(label: str = "E1", at: str = "0404", owner: str = "gold", age: int = 0, **more: Any) -> Counter:
    return Counter(id=label, hex=at, owner=owner, label=label, age=age, **more)


def shown(found: SideView) -> list[str]:
    return [one.label for one in found.board.counters]


def test_it_stands_there_old_hollow_and_held_by_nobody() -> None:
    found = onto_views.with_hearsay(view(), [X1])
    (made,) = found.board.counters
    assert (made.hex, made.owner, made.age, made.live, made.grade) == ("0404", "gold", 2, False, 1)
    assert (made.label, made.sub) == ("X1?", "hearsay")
    assert made.details == ("Hearsay: Red said so in turn 5", "Three cruisers")
    panel = found.board.panel(onto_views.PANEL)
    assert panel is not None
    assert panel.rows == ("X1 (Gold, Identified) at 0404, as of 2 turns ago; Red said so in turn 5. Three cruisers",)


@cases("own, is_added", "", made="own")
def test_what_the_side_knows_as_newly_itself_wins(own: Counter, is_added: bool) -> None:
    found = onto_views.with_hearsay(view(own), [X1])
    assert (len(found.board.counters) == 2) is is_added
    assert found.board.counters[0] == own


@cases("case, changes", made="changes")
def test_what_does_not_count_is_left_out_and_the_view_is_as_it_was(changes: dict[str, Any]) -> None:
    before = view()
    assert onto_views.with_hearsay(before, [X1.model_copy(update=changes)]) is before


def test_of_one_givers_one_thing_the_latest_sighting_counts() -> None:
    later = X1.model_copy(update={"hex": "0505", "turn": 6})
    other = X1.model_copy(update={"source": "gold", "owner": "", "hex": "0606"})
    assert onto_views.newest([later, X1, other], 9) == [other, later]
    assert shown(onto_views.with_hearsay(view(), [later, X1, other])) == ["X1?", "X1?"]


def test_a_word_of_a_turn_that_play_went_back_from_hides_no_earlier_one() -> None:
    later = X1.model_copy(update={"turn": 7, "hex": "0606", "age": 0})
    (made,) = onto_views.with_hearsay(view(turn=6), [X1, later]).board.counters
    assert (made.hex, made.age) == ("0404", 2)
    (again,) = onto_views.with_hearsay(view(turn=7), [X1, later]).board.counters
    assert (again.hex, again.age) == ("0606", 0)


def test_what_is_handed_on_is_what_stands_on_the_board() -> None:
    mine = counter("E7", age=2, level=1, level_name="Found", grade=1, live=False, details=("a", "b"))
    item = items.hearsay_of(view(mine, side="red"), mine)
    assert (item.source, item.turn, item.age, item.seen, item.live) == ("red", 6, 2, 4, False)
    assert (item.about, item.words, item.confidence, item.level, item.grade) == ("E7", ("a", "b"), "Found", 1, 1)


def test_a_cutout_is_built_from_nothing() -> None:
    own = counter("F1", "0404", "red", sub="secret", details=("secret",), ships=4)
    far = counter("E9", "1010")
    near = counter("E1", "0405", changed=True)
    yard, far_yard = HexNote(hex="0405", name="Yard"), HexNote(hex="1011", name="Far yard")
    public = PublicView(public=view(hexes=(HexNote(hex="0408", name="Haven"), HexNote(hex="1111", name="Far"))).board)
    seen = view(
        own, near, far, side="red", hexes=(yard, far_yard), panels=(Panel(title="Own", rows=("secret",)),),
        courses=(Course(counter="F1", kind="plotted", hexes=("0404", "0405")),),
        news=(glance.News(title="N", fact="secret", hexes=("0404",)),),
    )  # fmt: skip
    area = cutouts.area_around(seen.board, ["0404"])
    made = cutouts.cutout(seen, public, area, with_own=False)
    assert shown(made) == ["E1"]
    assert [one.name for one in made.board.hexes] == ["Yard", "Haven"]
    assert "secret" not in made.model_dump_json()
    assert (made.board.panels, made.board.courses, made.board.news) == ((), (), ())
    with_own = cutouts.cutout(seen, public, area, with_own=True)
    assert sorted(shown(with_own)) == ["E1", "F1"]
    assert "secret" not in with_own.model_dump_json()
    assert [one.label for one in cutouts.counters_handed(seen, area)] == ["E1"]


# --- briefings: forces and letters are told as far as somebody reads them ---------------------------------------------
def test_of_many_forces_the_rest_is_counted() -> None:
    named = [f"A{number}" for number in range(1, briefing.MOST_FORCES + 1)]
    assert briefing.forces_at_a_glance(named) == tuple(named)
    assert briefing.forces_at_a_glance([*named, "B1"]) == (*named, "and 1 more task force")
    assert briefing.forces_at_a_glance([*named, "B1", "B2"], "fleet") == (*named, "and 2 more fleets")


def test_letters_are_explained_once_the_most_frequent_first() -> None:
    classes = [
        ("DD", "Destroyer"), ("CA", "Cruiser"), ("DD", "Destroyer"), ("war_cruiser", "War Cruiser"), ("AA", "aa"),
    ]  # fmt: skip
    assert briefing.class_terms(classes) == (("DD", "Destroyer"), ("CA", "Cruiser"))
    many = [(f"C{number:02}", "Class") for number in range(briefing.MOST_TERMS + 1)]
    assert briefing.class_terms(many) == tuple(many[: briefing.MOST_TERMS])
