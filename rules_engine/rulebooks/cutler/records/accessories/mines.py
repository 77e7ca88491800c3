"""Chapter 4.2.4.5: minefields, and their maps.

A place of a map is where mines lie as seen from the feature that they surround, in hexes of the tactical map: ``A5`` is
five hexes in direction A, ``A5+2`` two more in the direction next to it, clockwise. So each hex has one name.
"""

import re
from dataclasses import field

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule

MOST_MINES = 120
"""CPV worth of mines around one feature. 4.2.4.5.2"""
MINE_REACH = 25
"""Hexes of the tactical map from the feature within which mines must lie. 4.2.4.5.2"""
DIRECTIONS = "ABCDEF"
RING = 8
"""How far from the feature mines lie of which no map was made. CU-N66"""
_PLACE = re.compile(r"([A-F])(\d{1,3})(?:\+(\d{1,3}))?=(\d{1,3})", re.IGNORECASE)
_PLACES = re.compile(r"[\s,;]+")
CHART_WORDS = "places and CPV, as A5=2 C12+3=3"


class MinesToLay(Frozen):
    """An order to lay mines around a feature, once its unit ends an impulse there: ``cpv`` None for all that it can.
    ``chart`` is the map of them, blank for a ring. 4.2.4.5.1, CU-R15"""

    around: str
    cpv: int | None = None
    chart: str = ""


class MinesLaid(Record):
    """A race's minefield around a feature: the CPV worth of mines at each place. ``fought`` says that its race had a
    battle in its hex and has not said yet what is left of it. 4.2.4.5.1, 4.2.4.5.2"""

    race: Side
    around: str
    hex: HexId
    places: dict[str, int] = field(default_factory=dict[str, int])
    fought: bool = False

    @property
    def key(self) -> str:
        """Whose it is and where."""
        return f"{self.race}/{self.around}"

    @property
    def cpv(self) -> int:
        """What it is worth."""
        return sum(self.places.values())

    @property
    def chart(self) -> str:
        """Its map."""
        return " ".join(f"{place}={self.places[place]}" for place in sorted(self.places, key=_in_order))

    def sweep(self, lost: int) -> None:
        """Lose so many CPV of it, from its places in order. CU-N68"""
        for place in sorted(self.places, key=_in_order):
            part = min(lost, self.places[place])
            lost -= part
            self.places[place] -= part
            if not self.places[place]:
                del self.places[place]


def _in_order(place: str) -> tuple[str, int, int]:
    ahead, _, aside = place[1:].partition("+")
    return place[0], int(ahead), int(aside or 0)


def ring(cpv: int) -> dict[str, int]:
    """So many mines laid evenly in all directions. CU-N66"""
    shares = {f"{way}{RING}": cpv // 6 + (n < cpv % 6) for n, way in enumerate(DIRECTIONS)}
    return {place: share for place, share in shares.items() if share}


@rule("4.2.4.5.1", "4.2.4.5.2")
def read_chart(text: str, path: str) -> tuple[dict[str, int], list[Refusal]]:
    """A typed map, and what is wrong with it: mines lie within reach of their feature. 4.2.4.5.1, 4.2.4.5.2"""
    places: dict[str, int] = {}
    refusals: list[Refusal] = []
    for word in filter(None, _PLACES.split(text)):
        found = _PLACE.fullmatch(word)
        if found is None or not int(found[4]):
            refusals.append(malformed(f"{word!r} is no place of a minefield", path, legal=CHART_WORDS))
            continue
        way, ahead, aside = found[1].upper(), int(found[2]), int(found[3] or 0)
        if not ahead or ahead + aside > MINE_REACH:
            said = f"mines at {word} lie {ahead + aside} hexes from it" if ahead else f"{word} has no hex ahead"
            legal = f"1 to {MINE_REACH} hexes"
            refusals.append(illegal(said, "4.2.4.5.2", path, legal=legal))
            continue
        place = f"{way}{ahead}+{aside}" if aside else f"{way}{ahead}"
        places[place] = places.get(place, 0) + int(found[4])
    return places, refusals


def first_of(places: dict[str, int], cpv: int) -> dict[str, int]:
    """The first mines of a map, up to so many CPV."""
    kept: dict[str, int] = {}
    for place, count in places.items():
        part = min(count, cpv)
        cpv -= part
        if part:
            kept[place] = part
    return kept
