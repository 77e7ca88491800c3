"""What boards tell a map at a glance is sound in every rulebook, whatever is played."""

from collections.abc import Iterator

import pytest

from rules_engine.core.basics.base import Outsider
from rules_engine.core.knowledge.glance import Header, News, Range, Stage, Tally, Track
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote
from tests.rulebooks.test_every_rulebook import EACH, LONG, match


def glance_defects(board: Board, reader: str) -> Iterator[str]:
    """What is wrong with the glance layer of a board whose reader is a side, or ("") nobody in particular."""
    named = {one.key for one in (*board.sides, *board.outsiders)} | {""}
    owners = {note.territory for note in board.hexes} | {tally.owner for tally in board.header.tallies}
    yield from (f"nobody is called {owner}" for owner in sorted(owners - named))
    yield from _header_defects(board.header)
    pins = [place.hexes[0] for place in board.news]
    for place in board.news:
        yield from (f"{place.title}: no hex {one}" for one in place.hexes if one not in board.places)
        yield from (f"{place.title}: says nothing" for _ in [0] if not place.fact.strip() or not place.title.strip())
        on_map = [one for one in place.hexes if one in board.places and place.hexes[0] in board.places]
        far = [one for one in on_map if distance(board, place.hexes[0], one) >= board.places.near]
        yield from (f"{place.title}: {one} is far away" for one in far)
    for number, pin in enumerate(pins):
        others = [one for one in pins[number + 1 :] if pin in board.places and one in board.places]
        near = [one for one in others if distance(board, pin, one) < board.places.near]
        yield from (f"{pin} and {one} are one place" for one in near)
    for course in board.courses:
        ends = [stage.after for stage in course.stages]
        if ends != sorted(set(ends)) or any(not 0 <= end < len(course.hexes) for end in ends):
            yield f"{course.counter}: turns end at {ends} of {len(course.hexes)} hexes"
    for one in board.ranges:
        yield from (f"{one.kind}: no hex {hex_id}" for hex_id in one.hexes if hex_id not in board.places)
        yield from (f"{one.kind} of nobody" for _ in [0] if not reader)
    for piece in board.counters:
        if reader and piece.owner != reader and (piece.whole is not None or piece.docked):
            yield f"{piece.label}: damage and port are its owner's"


def distance(board: Board, one: str, other: str) -> int:
    """How far two places of a board are from each other; as far as need be where no way joins them."""
    found = board.places.distance(one, other)
    return board.places.near if found is None else found


def _header_defects(header: Header) -> Iterator[str]:
    if header.step is not None and not 0 <= header.step < len(header.steps):
        yield f"no step {header.step}"
    track = header.track
    if track is not None:
        marks = (0, track.value) if track.aim is None else (0, track.value, track.aim)
        yield from (f"{mark} is off the track" for mark in marks if not track.least <= mark <= track.most)
    if not header.turn:
        yield "no turn"


@pytest.mark.parametrize("key", EACH)
def test_every_book_fills_it_in_soundly(key: str):
    numbered = 0
    for seed in (3, 7):  # in some campaigns at random nothing happens
        game = match(key, seed)
        for _ in range(8 if key in LONG else 30):
            if game.adjudicator.ending is not None:
                break
            game.round()
            views = {label.key: game.adjudicator.view(label.key).board for label in game.adjudicator.sides}
            everybodys = (game.adjudicator.public_view().public, game.adjudicator.omniscient_view().omniscient)
            for reader, board in (*views.items(), ("", everybodys[0]), ("", everybodys[1])):
                assert list(glance_defects(board, reader)) == []
                assert board.header.scenario
                numbered += len(board.news)
        if numbered:
            return
    assert key in LONG, "something has happened"


def test_defects_are_found():
    """The check above itself."""
    sound = match("pq17/intro", 23).adjudicator.view("alliance").board
    place = News(hexes=("0405",), title="Hex 0405", fact="0405: something")
    stage, other = Stage(after=2, said="T2"), Stage(after=1, said="T3")
    bad = {
        "header": Header(step=1, steps=("A",), tallies=(Tally(owner="x", count=1),), track=_long_track()),
        "news": (place, place.model_copy(update={"hexes": ("0406", "9999")})),
        "courses": (Course(counter="A1", kind="route", hexes=("0405", "0406"), stages=(stage, other)),),
        "ranges": (Range(kind="detection", hexes=("9999",)),),
        "hexes": (HexNote(hex="0101", territory="y"),),
        "counters": (Counter(id="E1", hex="0101", owner="coalition", label="E1", docked=True),),
        "outsiders": (Outsider(key="z", name="Z", emblem="Z"),),
    }
    assert list(glance_defects(sound, "alliance")) == []
    assert len(list(glance_defects(sound.model_copy(update=bad), "alliance"))) == 10
    assert "detection of nobody" in [*glance_defects(sound.model_copy(update={"ranges": bad["ranges"]}), "")]


def _long_track() -> Track:
    return Track(label="VP", least=-1, most=1, value=5)
