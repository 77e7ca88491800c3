"""PQ-17's maps: pieces, territory and ranges, and numbered news."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.glance import Header, News
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Board, Counter, Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch11_repair.boxes import COUNTED, HULL, SHIELDS, TRACKS, full_boxes
from rules_engine.rulebooks.pq17.contacts import detection, identification
from rules_engine.rulebooks.pq17.nations.victory_points import place_of, score, score_raid
from rules_engine.rulebooks.pq17.records import battles, minefields
from rules_engine.rulebooks.pq17.records.forces import MarkName
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.pq17.shown.map_header import in_figures
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.ordered import Force, Order, OrderedPlay, files
from tests.rulebooks.pq17.worlds.notation import CLASSES, table, world


# --- what stands above a map: steps, the track as its reader counts, turn and day -------------------------------------
def headers(*points: Fraction, text: str = "turn 29 impulse 2 half A", aim: Fraction = Fraction(5)) -> list[Header]:
    """The headers of the Alliance, the Coalition, everybody and the referee, after these points were scored."""
    at = table(world(f"A1 0403 CA\n{text}", victory_points=aim, turns=60))
    for one in points:
        score(at, "T5.1", one, because("PQ-17 T5"), text="Something.")
    state = at.state
    sides = [side_board(state, side, Knowledge()).header for side in ("alliance", "coalition")]
    return [*sides, public_board(state).header, omniscient_board(state).header]


@cases("text, turn, day, step", "turn, day")
def test_turn_day_and_step(text: str, turn: str, day: str, step: int | None):
    for header in headers(text=text):
        assert (header.scenario, header.turn, header.day, header.step) == ("Test", turn, day, step)
        assert header.steps == ("PLAN", "1", "2", "3", "END")


@pytest.mark.rule("pq17", "T5.note2", "T5.victory")
def test_each_side_counts_its_own_points_up(kept: Kept):
    tracks = [header.track for header in headers(Fraction(3))]
    assert [track and (track.value, track.number, track.aim, track.said) for track in tracks] == kept()
    assert [track and (track.least, track.most) for track in tracks] == [(-10, 10)] * 4


def test_half_points_are_said_and_no_side_seems_to_have_reached_its_mark_by_half():
    alliance, coalition, *_ = (header.track for header in headers(Fraction(9, 2)))
    assert (alliance.value, alliance.number) == (4, "+4½")
    assert (coalition.value, coalition.number) == (-4, "−4½")


def test_the_track_is_long_enough_for_its_value():
    track = headers(Fraction(-40), aim=Fraction(1))[0].track
    assert (track.least, track.value, track.aim, track.most) == (-40, -40, 1, 40)


@pytest.mark.rule("pq17", "2.1")
def test_points_that_a_side_may_not_know_are_not_on_its_track():
    at = table(world("A1 0403 CA\nturn 2"))
    score(at, "C.special", Fraction(2), because("PQ-17 1.5"), text="Secret.", seen_by=["coalition"])
    values = [side_board(at.state, side, Knowledge()).header.track for side in ("alliance", "coalition")]
    assert [track and track.value for track in values] == [0, -2]
    public, everything = public_board(at.state).header.track, omniscient_board(at.state).header.track
    assert [track and track.value for track in (public, everything)] == [0, 2]


@cases("points, said")
def test_points_in_figures(points: int | str, said: str):
    assert in_figures(Fraction(points)) == said


def test_who_is_asked_at_the_end_of_the_turn_sees_its_end_and_nobody_else_does():
    """The Alliance decides at the end of the turn what its supply becomes."""
    seen: list[dict[str, Board]] = []

    def conversions(ask: AnyAsk) -> Sheet:
        referee = game.adjudicator
        views = {side: referee.view(side).board for side in ("alliance", "coalition")}
        views |= {"all": referee.omniscient_view().omniscient, "public": referee.public_view().public}
        seen.append(views)
        return ask.form.prefilled()

    game = OrderedPlay(
        files(
            Force("A9", {"dock": "FRD"}, base="Dock"),
            Force("A1", {"helper": "RS"}, port="A9"),
            Force("C1", {"foe": "CA"}),
            turns=2,
        ),
        Order(1, "alliance", "planning", {"A1": {"posture": ["logistics"]}, "stores": {"sheet": "always"}}),
        Order(1, "alliance", "search", {"A1": {"target": "E1"}}, place="I1/A"),
        Order(1, "alliance", "logistics", {"stores": {"convert": True}}),
        habits={"conversions": conversions},
    )
    game.play(1)
    (boards,) = seen
    for side in ("alliance", "all"):
        assert boards[side].header.step == len(boards[side].header.steps) - 1
        assert boards[side].heading == "Turn 1 (day 1 AM), end of turn"
    for side in ("coalition", "public"):
        assert boards[side].header.step != len(boards[side].header.steps) - 1
        assert "end of turn" not in boards[side].heading


HALF_A = "turn 2 impulse 1 half A"


def board(text: str, side: str = "alliance") -> Board:
    return side_board(world(f"{text}\n{HALF_A}"), side, Knowledge())


def counter(text: str) -> Counter:
    """The first counter of the Alliance."""
    return board(text).counters[0]


def stages(text: str, now: str = HALF_A, *marks: MarkName) -> list[tuple[int, str]]:
    """Where the turns end on the only course of A1, which has these marks."""
    state = world(f"{text}\n{now}")
    for mark in marks:
        state.set_mark(state.task_forces["A1"], mark)
    (course,) = side_board(state, "alliance", Knowledge()).courses
    return [(stage.after, stage.said) for stage in course.stages]


# --- strengths --------------------------------------------------------------------------------------------------------
def test_own_counters_tell_their_ships_and_whether_they_are_in_port():
    one = counter("A1 0402 CA+DD#2 port A9\nA9 0402 BATS base Haven known LC1")
    assert (one.ships, one.whole, one.docked) == (3, 100, True)
    assert not counter("A1 0402 CA").docked


def test_what_a_ship_carries_is_no_ship():
    state = world(f"A1 0402 TUG+POD\n{HALF_A}")
    state.units["A1.POD"].carried_by = "A1.TUG"
    assert side_board(state, "alliance", Knowledge()).counters[0].ships == 1


@cases("units, whole")
def test_how_whole_a_force_is(units: str, whole: int):
    assert counter(f"A1 0402 {units}").whole == whole


def test_a_class_has_as_many_boxes_as_its_types_together():
    """The figure of the class, and the sum that is taken where there are refits."""
    types = (*COUNTED, *TRACKS, HULL, *SHIELDS)
    state = world("A1 0402 CA+FT+BATS+TUG+SC\nturn 2")
    for unit in state.units.values():
        kind = state.class_of(unit)
        assert kind.box_count == sum(full_boxes(state, unit, box) or 0 for box in (*types, *kind.boxes))
    found = CLASSES["CA"].model_copy(update={"hull": 5, "shields": (9, 9), "boxes": {"phaser-1": 6}}).box_count
    assert found == (CLASSES["CA"].box_count + 5 + 18 + 6)


@cases("level, ships")
def test_a_contacts_ships_are_counted_from_id2_on(level: str, ships: int | None):
    at = table(world(f"A1 0403 CA\nC1 0403 CA+DD#2 {level}\n{HALF_A}"))
    identification.report_contact(at, at.state.task_forces["C1"], "alliance", because("PQ-17 6.2"))
    found = {one.id: one for one in side_board(at.state, "alliance", at.knowledge("alliance")).counters}
    assert (found["E1"].ships, found["E1"].whole, found["E1"].docked) == (ships, None, False)


def test_ships_of_several_empires_are_counted_together_and_no_other_line_is():
    lines = (
        "Sensors active, no scout",
        "Kzinti: 2 using warp, 1 on impulse only",
        "Te: sters: 1 using warp",
        "3 × MC 1 X",
    )
    assert identification.known_ships(lines) == 4
    assert identification.known_ships(("Bases: 1", "Ships using warp: movement cost 3 in all")) is None
    assert identification.known_ships(()) is None


# --- territory and ranges ---------------------------------------------------------------------------------------------
TEXT = """
A9 0402 BATS base Haven known LC1
A8 0801 BATS base Burrow
C9 0508 BATS base Grimhold known LC1
C8 0705 BATS base Lair
settled 0602 alliance Amberline
"""


def space(board: Board) -> dict[str, str]:
    return {note.hex: note.territory for note in board.hexes if note.territory}


@pytest.mark.rule("pq17", "1.7.1", "1.8.10.1")
def test_space_lies_around_bases_and_settled_hexes_that_the_reader_knows():
    state = world(TEXT + HALF_A)
    alliance, coalition = (space(side_board(state, side, Knowledge())) for side in ("alliance", "coalition"))
    assert {hex_id for hex_id in state.grid.within("0402", 2) if alliance[hex_id] == "alliance"} >= {"0402", "0403"}
    assert alliance["0801"] == "alliance", "its own hidden base"
    assert "0801" not in coalition
    assert coalition["0705"] == "coalition"
    assert "0705" not in alliance
    assert alliance["0602"] == coalition["0602"] == "alliance"
    public = space(public_board(state))
    assert "0801" not in public
    assert "0705" not in public
    assert space(omniscient_board(state)).keys() >= {"0801", "0705"}


@pytest.mark.rule("pq17", "6.2.2", "1.7.2", "12.3.6", "5.5.1")
def test_ranges_are_the_readers_own():
    state = world(f"{TEXT}A1 0303 CA\n{HALF_A}")
    state.mines.fields["alliance 0101"] = minefields.Minefield(side="alliance", hex="0101", strength=1)
    ranges = {one.kind: one.hexes for one in side_board(state, "alliance", Knowledge()).ranges}
    assert ranges == {"detection": ("0101", "0303", "0402", "0602", "0801"), "supply": ("0402", "0801")}
    assert public_board(state).ranges == omniscient_board(state).ranges == ()


def test_a_side_without_anything_has_no_ranges():
    assert side_board(world(f"A1 0303 CA\n{HALF_A}"), "coalition", Knowledge()).ranges == ()


# --- courses ----------------------------------------------------------------------------------------------------------
@cases("proves, text, now, marks, ends")
def test_turns_end_where_the_chart_lets_them_end(
    text: str, now: str, marks: tuple[MarkName, ...], ends: list[tuple[int, str]]
):
    assert stages(text, f"turn 2 {now}", *marks) == ends


def test_a_plotted_step_is_drawn_with_the_route_after_it():
    (course,) = board("A1 0403 CA speed 2 plot 0404 route 0404,0405,0406").courses
    assert (course.kind, course.hexes) == ("plotted", ("0403", "0404", "0405", "0406"))
    (course,) = board("A1 0403 CA speed 2 plot 0502 route 0404,0405").courses
    assert (course.kind, course.hexes) == ("plotted", ("0403", "0502"))


# --- what PQ-17 numbers on a map: battles, losses, raids, and where they rank -----------------------------------------
WHY = because("PQ-17 T5")
NOW = "\nturn 2 impulse 1 half A"
MET = "A1 0405 CA\nA2 0405 DD\nC1 0405 CA+FF\nsettled 0405 alliance Amberline"


def met(text: str = MET) -> TurnContext[State]:
    """A world in which everybody has found whom he shares a hex with."""
    at = table(world(text + NOW, raid_table="pq17"))
    at.set_time(2, 1, "now")
    detection.announce_detections(at)
    return at


def seen(at: TurnContext[State], side: str = "alliance") -> Board:
    return side_board(at.state, side, at.knowledge(side))


def news(at: TurnContext[State], side: str = "alliance") -> list[tuple[str, str]]:
    return [(place.fact, place.aside) for place in seen(at, side).news]


def battle(at: TurnContext[State], **more: Any) -> None:
    """A battle of A1 against C1."""
    plain: dict[str, Any] = {"key": "1", "hex": "0405", "attacker": "alliance", "defender": "coalition"}
    parts: dict[str, Any] = {"original": ["C1"], "attackers": ["A1"], "conditions": 1}
    at.state.battles = [battles.Battle.from_json(plain | parts | more)]


@pytest.mark.rule("pq17", "6.2.2")
def test_a_contact_is_numbered_for_both_by_each_ones_own_numbers():
    at = met()
    assert news(at) == [("Amberline: E1 meets A1 and A2", "new")]
    assert news(at, "coalition") == [("Amberline: E1 and E2 meet C1", "new")]
    (place,) = seen(at).news
    assert (place.title, place.note) == ("Amberline 0405", ""), "nothing is known of it"
    assert place.choice == "A1 and A2 may search, attack or slip away"


@pytest.mark.rule("pq17", "8.4.6")
def test_an_open_battle_comes_first_and_its_hex_is_marked_for_those_who_know_of_it():
    at = met(f"{MET}\nA3 0808 CA\nC2 0808 CA")
    battle(at)
    first, second = news(at)
    assert first == ("Amberline: A1 in battle with E1", "thread is open")
    assert second == ("0808: E2 meets A3", "new")
    assert news(at, "coalition")[0][0].startswith("Amberline: C1 in battle with E")
    for board in (seen(at), seen(at, "coalition"), omniscient_board(at.state)):
        assert [one.hex for one in board.counters if one.form == "battle"] == ["0405"]
    assert "battle" not in [one.form for one in public_board(at.state).counters]
    assert public_board(at.state).news == ()
    assert omniscient_board(at.state).news[0].fact == "Amberline: A1 in battle with C1"
    at.state.battles[0].winner = "alliance"
    assert news(at)[0] == ("Amberline: A1 in battle with E1", "thread is closed")


def test_the_other_sides_forces_are_named_in_the_order_of_the_readers_numbers():
    at = met("A1 0405 CA\nC5 0405 CA\nC1 0405 DD")
    at.state.tracks["alliance"].current = {"C5": "E1", "C1": "E2"}
    battle(at, original=["C1"], joiners={"C5": "A1"})
    assert news(at)[0][0] == "0405: A1 in battle with E1 and E2"


@cases("proves, scored, alliance, coalition, public", "alliance, coalition, public")
def test_points_that_were_scored_are_news_as_each_side_counts_them(
    scored: list[Any], alliance: list[Any], coalition: list[Any], public: list[str]
):
    """Each with its line, the points of the Alliance, what is said, and who may see it."""
    at = met("A1 0808 CA")
    for line, amount, said, seen_by in scored:
        score(at, line, Fraction(amount), WHY, text=said, seen_by=seen_by)
    assert (news(at), news(at, "coalition")) == (alliance, coalition)
    assert [place.fact for place in public_board(at.state).news] == public
    at.state.turn = 4
    assert news(at) == [], "it is news for one turn"


@pytest.mark.rule("pq17", "8.6.2.7")
def test_a_raid_is_numbered_and_so_is_the_chance_of_one():
    at = met("C1 0602 CA\nsettled 0602 alliance Amberline")
    assert news(at) == [("Amberline: E1 in your settled hex", "new")]
    assert news(at, "coalition") == [("Amberline: C1 can raid the settled hex", "")]
    at.state.settled["0602"].raided_on = 2
    assert news(at)[0] == ("Amberline: your settled hex was raided", "")
    assert news(at, "coalition") == [("Amberline: raided", "")]
    score_raid(at, text="A raid on 0602 succeeded.", why=WHY)
    assert news(at)[0] == ("Amberline: raided", "−1 VP")


def test_where_own_forces_fought_without_losses_is_numbered():
    at = met("A1 0405 CA\nC1 0808 CA")
    unit = at.state.units["A1.CA"]
    unit.repairs = unit.repairs.with_values(fought=2)
    assert news(at) == [("0405: A1 has been in battle", "")]
    assert news(at, "coalition") == []


@cases("line, text, hex_id")
def test_the_place_of_a_line_of_points(line: Any, text: str, hex_id: str):
    assert place_of(VpLine(line=line, amount=Fraction(1), turn=1, impulse=1, text=text)) == hex_id


def test_a_line_that_a_referee_wrote_may_be_anything():
    at = met("A1 0808 CA")
    for text in ("", " in ", "in in in", "x" * 4000 + " in 0405.", "\u202e in 0405"):
        score(at, "T5.1", Fraction(1), WHY, text=text)
    (place,) = seen(at).news
    assert isinstance(place, News)
    assert place.hexes == ("0405",)
