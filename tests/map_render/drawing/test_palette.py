"""The palette: 256 colours from the paper to each ink."""

from map_render import DEFAULT
from map_render.drawing.palette import BAND, CALLOUT, GRID, INKS, MARGIN, PLATE, RIM, colours, index, side_ink


def test_the_palette_runs_from_paper_to_each_ink() -> None:
    table = colours(DEFAULT)

    def at(place: int) -> str:
        return "#" + table[3 * place : 3 * place + 3].hex()

    assert len(table) == 768
    assert at(0) == DEFAULT.paper
    assert at(MARGIN) == DEFAULT.margin
    assert at(BAND) == DEFAULT.band
    assert (at(GRID), at(CALLOUT), at(RIM), at(PLATE)) == (DEFAULT.grid, DEFAULT.callout, DEFAULT.rim, DEFAULT.plate)
    assert [at(index(f"side{seat}")) for seat in range(7)] == list(DEFAULT.inks.sides)
    assert side_ink(8) == "side1"
    used = {index(ink, strength) for ink in INKS for strength in range(1, 16)}
    assert len(used) == len(INKS) * 15
    assert not used & {0, GRID, CALLOUT, RIM, PLATE, MARGIN, BAND}
