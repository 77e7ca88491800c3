"""What orders may call places, sectors, squadrons and units: names and ids of what an empire knows or owns."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, ambiguous, malformed, nearest
from rules_engine.rulebooks.jump_lanes.charts import places_called
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

MOST_NAMED = 6
"""How many names a refusal lists."""
MOST_EXAMPLES = 3
"""How many it gives as examples of what is known."""


def plain(text: str) -> str:
    """A name without what makes no difference: case and blanks."""
    return " ".join(text.split()).casefold()


def listed(names: Iterable[str], most: int = MOST_NAMED) -> str:
    """Names in a row, of many the first."""
    every = list(names)
    return ", ".join(every[:most]) + (f" or {len(every) - most} more" if len(every) > most else "")


class Names:
    """Names of one kind of thing, and the ids that they stand for."""

    def __init__(self, kind: str, named: Iterable[tuple[str, str]]) -> None:
        self.kind = kind
        self._ids: dict[str, list[str]] = {}
        self._shown: dict[str, str] = {}
        for name, key in named:
            ids = self._ids.setdefault(plain(name), [])
            if key not in ids:
                ids.append(key)
            if key not in self._shown.values():
                self._shown[name] = key

    def read(self, text: str, path: str) -> tuple[str, list[Refusal]]:
        """The id that a text means; else empty, with the reason and the nearest names."""
        found = self._ids.get(plain(text), [])
        if len(found) == 1:
            return found[0], []
        if found:
            return "", [ambiguous(f"“{text}” could be several", path, nearest=found)]
        near = nearest(text, self._shown)
        legal = f"a {self.kind} such as {listed(self._shown, MOST_EXAMPLES)}" if self._shown else ""
        return "", [malformed(f"you know no {self.kind} “{text[:60]}”", path, legal=legal, nearest=near)]


def place_names(state: LanesState, empire: Side) -> Names:
    """The places that an empire knows."""
    return Names("place", places_called(state, state.empires[empire]).items())


def sector_names(state: LanesState, empire: Side) -> Names:
    """The sectors, of galaxies of which an empire knows a sector, or which an explored lane reaches."""
    known = state.empires[empire]
    galaxies = {state.galaxy_of(place) for place in known.places}
    for lane in state.lanes.values():
        if lane.type == "intergalactic" and lane.explored and {lane.a, lane.b} & galaxies:
            galaxies |= {lane.a, lane.b}
    sectors = [one for _, one in sorted(state.sectors.items()) if one.galaxy in galaxies]
    return Names("sector", [(name, one.id) for one in sectors for name in (one.name, one.id)])


def unit_names(state: LanesState, empire: Side) -> Names:
    """An empire's own units."""
    own = [one for _, one in sorted(state.units.items()) if one.empire == empire]
    return Names("unit of yours", [(name, one.id) for one in own for name in (one.name, one.id)])


def squadron_names(state: LanesState, empire: Side) -> Names:
    """An empire's own squadrons."""
    named = [(name, one.id) for one in state.squadrons_of(empire) for name in (one.name, one.id)]
    return Names("squadron of yours", named)
