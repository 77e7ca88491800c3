"""The palette: 256 colours from the paper to each ink."""

from map_render import DEFAULT
from map_render.drawing.palette import BAND, INKS, MARGIN, colours, index


def test_the_palette_runs_from_paper_to_each_ink() -> None:
    table = colours(DEFAULT)

    def at(place: int) -> str:
        return "#" + table[3 * place : 3 * place + 3].hex()

    assert len(table) == 768
    assert at(0) == DEFAULT.paper
    assert at(MARGIN) == DEFAULT.margin
    assert at(BAND) == DEFAULT.band
    assert at(index("own")) == DEFAULT.inks.own
    assert at(index("foe5")) == DEFAULT.inks.foes[5]
    used = {index(ink, strength) for ink in INKS for strength in range(1, 16)}
    assert len(used) == len(INKS) * 15
    assert not used & {0, MARGIN, BAND}
