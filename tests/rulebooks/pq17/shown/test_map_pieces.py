"""Strengths, territory, ranges and the ends of turns on courses, on PQ-17's boards."""

from fractions import Fraction

import pytest

from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.glance import Header
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Board, Counter, Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch11_repair.boxes import COUNTED, HULL, SHIELDS, TRACKS, full_boxes
from rules_engine.rulebooks.pq17.contacts.identification import known_ships, report_contact
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.records.minefields import Minefield
from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.pq17.shown.map_header import in_figures
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.one_hex import Force, files
from tests.rulebooks.pq17.playing.ordered import Order, OrderedPlay
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


@pytest.mark.rule("pq17", "1.2.3", "1.2.4")
@cases("text, turn, day, step", "turn, day")
def test_turn_day_and_step(text: str, turn: str, day: str, step: int | None):
    for header in headers(text=text):
        assert (header.scenario, header.turn, header.day, header.step) == ("Test", turn, day, step)
        assert header.steps == ("PLAN", "1", "2", "3", "END")


@pytest.mark.rule("pq17", "T5.note2", "T5.victory")
def test_each_side_counts_its_own_points_up(kept: Kept):
    tracks = [header.track for header in headers(Fraction(3))]
    shown = [track and (track.value, track.number, track.aim, track.said) for track in tracks]
    assert shown == kept()
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


NOW = "turn 2 impulse 1 half A"


def board(text: str, side: str = "alliance") -> Board:
    return side_board(world(f"{text}\n{NOW}"), side, Knowledge())


def counter(text: str) -> Counter:
    """The first counter of the Alliance."""
    return board(text).counters[0]


def stages(text: str, now: str = NOW) -> list[tuple[int, str]]:
    """Where the turns end on the only course."""
    (course,) = side_board(world(f"{text}\n{now}"), "alliance", Knowledge()).courses
    return [(stage.after, stage.said) for stage in course.stages]


# --- strengths --------------------------------------------------------------------------------------------------------


def test_own_counters_tell_their_ships_and_whether_they_are_in_port():
    one = counter("A1 0402 CA+DD#2 port A9\nA9 0402 BATS base Haven known LC1")
    assert (one.ships, one.whole, one.docked) == (3, 100, True)
    assert not counter("A1 0402 CA").docked


def test_what_a_ship_carries_is_no_ship():
    state = world(f"A1 0402 TUG+POD\n{NOW}")
    state.units["A1.POD"].carried_by = "A1.TUG"
    assert side_board(state, "alliance", Knowledge()).counters[0].ships == 1


def test_damage_shortens_the_bar():
    hurt, worse = counter("A1 0402 CA[warp=20]"), counter("A1 0402 CA[warp=5]")
    assert hurt.whole is not None
    assert worse.whole is not None
    assert 0 < worse.whole < hurt.whole < 100
    with_others = counter("A1 0402 CA[warp=20]+CA").whole
    assert with_others is not None
    assert hurt.whole < with_others < 100, "it is the force's, not a ship's"


def test_a_crippled_ship_has_lost_half_of_itself_at_the_least():
    one = counter("A1 0402 CA[crippled=yes]").whole
    assert one is not None
    assert 45 <= one <= 50


def test_a_class_has_as_many_boxes_as_its_types_together():
    """The figure of the class, and the sum that is taken where there are refits."""
    types = (*COUNTED, *TRACKS, HULL, *SHIELDS)
    state = world("A1 0402 CA+FT+BATS+TUG+SC\nturn 2")
    for unit in state.units.values():
        kind = state.class_of(unit)
        assert kind.box_count == sum(full_boxes(state, unit, box) or 0 for box in (*types, *kind.boxes))
    assert CLASSES["CA"].model_copy(update={"hull": 5, "shields": (9, 9), "boxes": {"phaser-1": 6}}).box_count == (
        CLASSES["CA"].box_count + 5 + 18 + 6
    )


def test_a_single_box_is_seen():
    assert counter("A1 0402 CA#9[probes=5]+CA[warp=29]").whole == 99


@pytest.mark.rule("pq17", "6.2.5", "6.2.6", "6.2.7")
@pytest.mark.parametrize(
    ("level", "ships"), [("U", None), ("ID0", None), ("ID1", None), ("ID2", 3), ("ID3", 3), ("ID4", 3)]
)
def test_a_contacts_ships_are_counted_from_id2_on(level: str, ships: int | None):
    at = table(world(f"A1 0403 CA\nC1 0403 CA+DD#2 {level}\n{NOW}"))
    report_contact(at, at.state.task_forces["C1"], "alliance", because("PQ-17 6.2"))
    found = {one.id: one for one in side_board(at.state, "alliance", at.knowledge("alliance")).counters}
    assert (found["E1"].ships, found["E1"].whole, found["E1"].docked) == (ships, None, False)


def test_ships_of_several_empires_are_counted_together_and_no_other_line_is():
    lines = (
        "Sensors active, no scout",
        "Kzinti: 2 using warp, 1 on impulse only",
        "Te: sters: 1 using warp",
        "3 × MC 1 X",
    )
    assert known_ships(lines) == 4
    assert known_ships(("Bases: 1", "Ships using warp: movement cost 3 in all")) is None
    assert known_ships(()) is None


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
    state = world(TEXT + NOW)
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
    state = world(f"{TEXT}A1 0303 CA\n{NOW}")
    state.mines.fields["alliance 0101"] = Minefield(side="alliance", hex="0101", strength=1)
    ranges = {one.kind: one.hexes for one in side_board(state, "alliance", Knowledge()).ranges}
    assert ranges == {"detection": ("0101", "0303", "0402", "0602", "0801"), "supply": ("0402", "0801")}
    assert public_board(state).ranges == omniscient_board(state).ranges == ()


def test_a_side_without_anything_has_no_ranges():
    assert side_board(world(f"A1 0303 CA\n{NOW}"), "coalition", Knowledge()).ranges == ()


# --- courses ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "5.3.3", "T2")
@cases("speed, ends")
def test_turns_end_where_the_chart_lets_them_end(speed: str, ends: list[tuple[int, str]]):
    assert stages(f"A1 0403 CA speed {speed} route 0404,0405,0406,0407") == ends


@pytest.mark.rule("pq17", "5.3.3", "T2")
def test_of_the_present_turn_only_the_points_that_are_left_count():
    route = "A1 0403 CA speed 3 route 0404,0405,0406,0407"
    assert stages(route, "turn 2 impulse 3 half A") == [(1, "T3"), (4, "T4")]
    assert stages(route, "turn 2 impulse 2 half A") == [(2, "T3"), (4, "T4")]
    assert stages(route, "turn 2") == [(3, "T3"), (4, "T4")]


def test_a_force_that_has_moved_in_an_impulse_has_no_point_left_in_it():
    state = world("A1 0403 CA speed 3 route 0404,0405,0406,0407\nturn 2 impulse 2 half A")
    state.set_mark(state.task_forces["A1"], "moved")
    (course,) = side_board(state, "alliance", Knowledge()).courses
    assert [(stage.after, stage.said) for stage in course.stages] == [(1, "T3"), (4, "T4")]


@pytest.mark.rule("pq17", "5.3.4")
def test_a_step_that_stays_takes_a_point():
    assert stages("A1 0403 CA speed 2 route stay,0404,0405") == [(1, "T3"), (2, "T4")]


@pytest.mark.rule("pq17", "T2")
def test_a_crawl_moves_in_every_second_turn():
    assert stages("A1 0403 CA speed WC crawl 1 route 0404,0405") == [(0, "T3"), (1, "T4"), (2, "T6")]
    assert stages("A1 0403 CA speed WC crawl 2 route 0404,0405") == [(1, "T3"), (2, "T5")]


def test_a_turn_that_has_no_move_left_ends_where_the_force_is():
    assert stages("A1 0403 CA speed 1 route 0404,0405", "turn 2 impulse 3 half A") == [(0, "T3"), (1, "T4"), (2, "T5")]


def test_a_plotted_step_is_drawn_with_the_route_after_it():
    (course,) = board("A1 0403 CA speed 2 plot 0404 route 0404,0405,0406").courses
    assert (course.kind, course.hexes) == ("plotted", ("0403", "0404", "0405", "0406"))
    (course,) = board("A1 0403 CA speed 2 plot 0502 route 0404,0405").courses
    assert (course.kind, course.hexes) == ("plotted", ("0403", "0502"))
