"""The README's picture shows what a map can show."""

from PIL import Image

from tests.map_render import example


def test_the_example_shows_what_a_map_can_show() -> None:
    board = example.example_view().board
    kinds = {course.kind for course in board.courses}
    assert {"plotted", "moved", "seen"} <= kinds
    contacts = [piece for piece in board.counters if piece.owner == "coalition" and piece.form == "force"]
    assert {piece.live for piece in contacts} == {True, False}
    assert any(note.terrain == "nebula" for note in board.hexes)
    with Image.open(example.TARGET) as picture:
        assert picture.width <= 1600
    assert example.TARGET.stat().st_size < 200_000
