"""What is handed on is a copy of one's own board and no more; on the getter's map its own knowledge wins."""

from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.hearsay.cutouts import area_around, counters_handed, cutout
from rules_engine.core.knowledge.hearsay.items import Hearsay, hearsay_of
from rules_engine.core.knowledge.hearsay.onto_views import OLDEST, PANEL, newest, with_hearsay
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, Panel, PublicView, SideView

SIDES = tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue", "gold"))
GRID = Grid(columns=12, rows=12)
X1 = Hearsay(
    source="red", turn=5, about="X1", words=("Three cruisers",), hex="0404", owner="gold", age=1, live=True,
    confidence="Identified", level=2, grade=3,
)  # fmt: skip


def view(*counters: Counter, side: str = "blue", turn: int = 6, **more: Any) -> SideView:
    when = When(turn=turn, label=f"Turn {turn}")
    board = Board(
        campaign="C", rulebook="r", heading=f"Turn {turn}", when=when, sides=SIDES, grid=GRID, counters=counters, **more
    )
    return SideView(side=side, board=board)


def counter(label: str = "E1", at: str = "0404", owner: str = "gold", age: int = 0, **more: Any) -> Counter:
    return Counter(id=label, hex=at, owner=owner, label=label, age=age, **more)


def shown(found: SideView) -> list[str]:
    return [one.label for one in found.board.counters]


def test_it_stands_there_old_hollow_and_held_by_nobody() -> None:
    found = with_hearsay(view(), [X1])
    (made,) = found.board.counters
    assert (made.hex, made.owner, made.age, made.live, made.grade) == ("0404", "gold", 2, False, 1)
    assert (made.label, made.sub) == ("X1?", "hearsay")
    assert made.details == ("Hearsay: Red said so in turn 5", "Three cruisers")
    panel = found.board.panel(PANEL)
    assert panel is not None
    assert panel.rows == ("X1 (Gold, Identified) at 0404, as of 2 turns ago; Red said so in turn 5. Three cruisers",)


@pytest.mark.parametrize(
    ("own", "is_added"),
    [
        (counter(age=0), False),
        (counter(age=2), False),
        (counter(age=3), True),
        (counter(at="0405"), True),
        (counter(owner="red"), True),
        (counter(form="base"), True),
    ],
)
def test_what_the_side_knows_as_newly_itself_wins(own: Counter, is_added: bool) -> None:
    found = with_hearsay(view(own), [X1])
    assert (len(found.board.counters) == 2) is is_added
    assert found.board.counters[0] == own


@pytest.mark.parametrize(
    "changes",
    [{"owner": "blue"}, {"source": "blue"}, {"hex": "9999"}, {"age": OLDEST}, {"turn": 7}],
    ids=["its own", "from itself", "off the map", "too old", "from play that was undone"],
)
def test_what_does_not_count_is_left_out_and_the_view_is_as_it_was(changes: dict[str, Any]) -> None:
    before = view()
    assert with_hearsay(before, [X1.model_copy(update=changes)]) is before


def test_of_one_givers_one_thing_the_latest_sighting_counts() -> None:
    later = X1.model_copy(update={"hex": "0505", "turn": 6})
    other = X1.model_copy(update={"source": "gold", "owner": "", "hex": "0606"})
    assert newest([later, X1, other], 9) == [other, later]
    assert shown(with_hearsay(view(), [later, X1, other])) == ["X1?", "X1?"]


def test_a_word_of_a_turn_that_play_went_back_from_hides_no_earlier_one() -> None:
    later = X1.model_copy(update={"turn": 7, "hex": "0606", "age": 0})
    (made,) = with_hearsay(view(turn=6), [X1, later]).board.counters
    assert (made.hex, made.age) == ("0404", 2)
    (again,) = with_hearsay(view(turn=7), [X1, later]).board.counters
    assert (again.hex, again.age) == ("0606", 0)


def test_what_is_handed_on_is_what_stands_on_the_board() -> None:
    mine = counter("E7", age=2, level=1, level_name="Found", grade=1, live=False, details=("a", "b"))
    item = hearsay_of(view(mine, side="red"), mine)
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
        news=(News(title="N", fact="secret", hexes=("0404",)),),
    )  # fmt: skip
    area = area_around(seen.board, ["0404"])
    made = cutout(seen, public, area, with_own=False)
    assert shown(made) == ["E1"]
    assert [one.name for one in made.board.hexes] == ["Yard", "Haven"]
    assert "secret" not in made.model_dump_json()
    assert (made.board.panels, made.board.courses, made.board.news) == ((), (), ())
    with_own = cutout(seen, public, area, with_own=True)
    assert sorted(shown(with_own)) == ["E1", "F1"]
    assert "secret" not in with_own.model_dump_json()
    assert [one.label for one in counters_handed(seen, area)] == ["E1"]
