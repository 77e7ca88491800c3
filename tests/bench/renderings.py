"""How long a map takes beside the bare encoding of the same picture. For sample maps, run it by hand.

python -m tests.bench.renderings
"""

import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from PIL import Image

from map_render.drawing.scene import scene_of
from map_render.drawing.theme import DEFAULT, Theme
from map_render.render import paint, render_crop, render_side
from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import MOST_NEWS, News
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView
from tests.map_render.pictures import forget_all


@dataclass(frozen=True, slots=True)
class RenderBench:
    """Medians in milliseconds of processor time. ``cold``: nothing kept; ``next_turn``: the chart kept, the situation
    new; ``warm``: the same view again; ``post``: a new turn's map with crops of three numbered places; ``bare``: the
    same map saved as Pillow saves a PNG where nobody says how, which ``size`` bytes are."""

    bare: float
    cold: float
    next_turn: float
    warm: float
    post: float
    size: int

    @property
    def ratio_cold(self) -> float:
        """A first rendering, in bare encodings."""
        return self.cold / self.bare

    @property
    def ratio_next_turn(self) -> float:
        """The rendering of a new turn, in bare encodings."""
        return self.next_turn / self.bare

    @property
    def ratio_post(self) -> float:
        """All the pictures of a new turn's post, in bare encodings of the map."""
        return self.post / self.bare

    @property
    def ratio_warm(self) -> float:
        """A repeated rendering, in bare encodings."""
        return self.warm / self.bare


def sample_view(turn: int = 1, columns: int = 9, rows: int = 8) -> SideView:
    """A full campaign map in its ``turn``-th turn: everything on it has moved since the turn before."""
    grid = Grid(columns=columns, rows=rows, orientation="pointy", origin="top-right")
    names = grid.hexes()
    counters: list[Counter] = []
    courses: list[Course] = []
    for place in range(8):
        at = names[(place * 17 + turn * 5) % len(names)]
        own = f"TF{place + 1}"
        counters.append(
            Counter(id=own, hex=at, owner="us", label=own, sub="cruise, active", changed=(place + turn) % 4 == 0)
        )
        path = grid.line(at, names[(place * 29 + turn * 7) % len(names)])[:4]
        courses.append(Course(counter=own, kind="plotted", hexes=path))
    for place in range(14):
        level = (place + turn) % 5
        counters.append(
            Counter(
                id=f"E{turn + place}",
                hex=names[(place * 13 + turn * 11 + 3) % len(names)],
                owner="them",
                label=f"E{turn + place}",
                level=level,
                level_name=("U", "ID0", "ID1", "ID2", "ID3")[level],
                age=(place * turn) % 4,
                live=place % 4 != 0,
                changed=place % 3 == 0,
            )
        )
    terrain = ("space", "space", "nebula", "asteroids", "space", "dust", "space", "sun")
    notes = tuple(
        HexNote(
            hex=name, terrain=terrain[(place // 3) % 8], marks=("settled",) if place % 13 == 0 else (), owner="them"
        )
        for place, name in enumerate(names)
    )
    board = Board(
        campaign="Bench",
        rulebook="none",
        heading=f"Turn {turn}",
        when=When(turn=turn),
        sides=(SideLabel(key="us", name="Alliance", emblem="A"), SideLabel(key="them", name="Kzinti", emblem="K")),
        grid=grid,
        hexes=notes,
        counters=tuple(counters),
        courses=tuple(courses),
    )
    return SideView(side="us", board=board)


def with_news(view: SideView) -> SideView:
    """The view with three numbered places: its own, and as many more as are missing, wherever somebody stands."""
    board = view.board
    taken = {one for place in board.news for one in place.hexes}
    crowded = dict.fromkeys(one.hex for one in board.counters if one.hex in board.places and one.hex not in taken)
    more = [News(hexes=(name,), title=board.places.called(name)[:40], fact="Somebody stands here") for name in crowded]
    news = (*board.news, *more)[:MOST_NEWS]
    return view.model_copy(update={"board": board.model_copy(update={"news": news})})


def post_of(view: SideView, theme: Theme) -> None:
    """Draw and encode all pictures of a post: the map, and a crop of each numbered place."""
    render_side(view, theme=theme)
    for rank in range(1, len(view.board.news) + 1):
        render_crop(view, rank, theme=theme)


def _bare(picture: Image.Image) -> bytes:
    """The picture as Pillow saves it by itself."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()  # nothing here waits, and what else the machine does is none of it
    work()
    return (time.process_time() - start) * 1000


def bench_render(views: tuple[SideView, ...] | None = None, *, theme: Theme = DEFAULT, rounds: int = 15) -> RenderBench:
    """Render and bare encoding side by side, in turns, so that a busy machine weighs on both alike.

    ``views`` are successive turns of one campaign; without them, sample turns. The first is used up by warming.
    """
    turns = tuple(map(with_news, views or (sample_view(turn) for turn in range(1, rounds + 2))))
    picture = paint(scene_of(turns[-1]), theme)
    bare: list[float] = []
    fresh: list[float] = []
    warm: list[float] = []
    cold: list[float] = []
    posts: list[float] = []
    for _ in range(max(3, rounds // 3)):
        forget_all()
        cold.append(_milliseconds(lambda: render_side(turns[-1], theme=theme)))
        bare.append(_milliseconds(lambda: _bare(picture)))
    forget_all()
    render_side(turns[0], theme=theme)
    for view in turns[1:]:
        fresh.append(_milliseconds(lambda view=view: render_side(view, theme=theme)))
        warm.append(_milliseconds(lambda view=view: render_side(view, theme=theme)))
        bare.append(_milliseconds(lambda: _bare(picture)))
    forget_all()
    post_of(turns[0], theme)
    for view in turns[1:]:
        posts.append(_milliseconds(lambda view=view: post_of(view, theme)))
        bare.append(_milliseconds(lambda: _bare(picture)))
    kinds = (bare, cold, fresh, warm, posts)
    return RenderBench(*map(median, kinds), size=len(_bare(picture)))


def main() -> None:
    """Print the medians and ratios for a usual and a large map."""
    for columns, rows in ((9, 8), (22, 17)):
        found = bench_render(tuple(sample_view(turn, columns, rows) for turn in range(1, 17)))
        print(
            f"{columns} x {rows}: bare PNG {found.bare:.1f} ms ({found.size // 1024} kB); "
            f"cold {found.cold:.1f} ms ({found.ratio_cold:.2f}); "
            f"next turn {found.next_turn:.1f} ms ({found.ratio_next_turn:.2f}); "
            f"warm {found.warm:.1f} ms ({found.ratio_warm:.2f}); "
            f"with three crops {found.post:.1f} ms ({found.ratio_post:.2f})"
        )


if __name__ == "__main__":
    main()
