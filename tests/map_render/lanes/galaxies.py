"""A map of two galaxies, with a group under way from one to the other."""

from fractions import Fraction

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.charts import Chart, ChartLane, ChartSystem, GalaxyLane, LaneKind, Region
from rules_engine.core.knowledge.glance import LaneTransit
from rules_engine.core.knowledge.views import Board, Counter, SideView

LANE = "spiral~veil"


def two_galaxies(*, veil: tuple[int, int] = (20, 40), end: str = "sector Near Veil") -> SideView:
    """Six systems of the Spiral in two rows, and three of the Veil, the first of them at ``veil``."""
    places = {f"s{n}": (20 * (n % 3), 15 * (n // 3)) for n in range(6)}
    places |= {f"v{n}": (veil[0] + 10 * n, veil[1]) for n in range(3)}
    names = [("s0", "s1"), ("s1", "s2"), ("s3", "s4"), ("s4", "s5"), ("s1", "s4"), ("v0", "v1"), ("v1", "v2")]
    chart = Chart(
        systems=tuple(
            ChartSystem(id=key, name=f"System {key}", x=Fraction(x), y=Fraction(y)) for key, (x, y) in places.items()
        ),
        lanes=tuple(ChartLane(id=f"{a}~{b}", a=a, b=b, kind="normal") for a, b in names),
        regions=(
            Region(level="galaxy", name="The Spiral", systems=tuple(f"s{n}" for n in range(6))),
            Region(level="galaxy", name="The Veil", systems=("v0", "v1", "v2")),
        ),
        kinds=(LaneKind(key="normal", line="single", said="normal, cost 1"),),
        between=(GalaxyLane(id=LANE, a="The Spiral", b="The Veil", kind="normal"),),
    )
    board = Board(
        campaign="Two galaxies",
        rulebook="Jump lanes",
        heading="Turn 3",
        when=When(turn=3, label="Turn 3"),
        sides=(SideLabel(key="terran", name="Terran", emblem="T"),),
        grid=chart,
        counters=(Counter(id="T6", hex=LANE, owner="terran", label="T6", ships=1),),
        transits=(LaneTransit(counter="T6", start="s4", end=end, done=50, arrives="T4"),),
    )
    return SideView(side="terran", board=board)
