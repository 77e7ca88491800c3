"""Unit classes: what the ship record has, and what this book asks beside."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.ship_records import ShipRecord
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, NEUTRALS, UnitKind

Boxes = Annotated[int, Field(ge=0, le=999)]


class BorderClass(ShipRecord):
    """A class of unit. ``cloak_cost`` is that of a class with a cloaking device; the first box of ``damcon_track`` is
    its Damage Control Rating; ``pod_weights`` and ``most_pods`` are a tug's. Monsters and alien ships need neither
    engines nor a movement cost: their habits say how they move. ``hull`` is the kind of ship by which a Command Rating
    goes where none is given (``CA``, ``DD``). BP-R15"""

    kind: UnitKind = "ship"
    hull: Annotated[str, Field(max_length=12)] = ""
    cloak_cost: Boxes = 0
    sublight: bool = False
    pod_weights: Annotated[int, Field(ge=0, le=3)] = 0
    most_pods: Annotated[int, Field(ge=0, le=6)] = 0

    @property
    @rule("V8.43")
    def dcr(self) -> int:
        """Its undamaged Damage Control Rating, 0 for none. V8.43"""
        return self.damcon_track[0] if self.damcon_track else 0


@rule("V8.51", "V8.83")
def class_defects(kind: BorderClass, path: str) -> Iterable[Refusal]:
    """What does not fit together in a class. V8.51, V8.83"""
    if kind.cloak != (kind.cloak_cost > 0):
        legal = "cloak = true and a cloak_cost above 0, or neither"
        yield illegal("a cloaking device and its cost belong together", "V8.51", f"{path}.cloak_cost", legal=legal)
    is_tug = kind.kind == "tug"
    if is_tug != (kind.pod_weights > 0) or is_tug != (kind.most_pods > 0):
        legal = "pod_weights and most_pods above 0 for a tug, 0 for others"
        yield illegal("pods are what tugs carry, and each tug does", "V8.83", f"{path}.pod_weights", legal=legal)
    if kind.bpv_combat.denominator != 1:
        yield malformed("must be a whole number", f"{path}.bpv_combat")
    if kind.kind == "base" and (kind.warp or kind.move_cost):
        legal = "warp = 0 and move_cost = 0"
        yield illegal("a base does not travel by itself", "V8.14, BP-R06", f"{path}.move_cost", legal=legal)
    if kind.kind not in ("base", *CARRIED, *NEUTRALS) and not kind.move_cost:
        yield illegal("a unit that travels needs a movement cost", "V8.12", f"{path}.move_cost", legal="above 0")
    if any(box < 0 for box in kind.damcon_track):
        yield malformed("ratings are 0 or more", f"{path}.damcon_track")
