"""Units: ships, bases, fighters that fly by themselves, and all else that has a class; and what befalls them."""

from collections.abc import Iterable
from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field as Bounded

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import (
    Lots,
    complement,
    lose_boxes,
)
from rules_engine.rulebooks.cutler.records.accessories.flown import boosters_in, fighters_in, flown, without
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesToLay
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.conditions.officers import Officer
from rules_engine.rulebooks.cutler.records.ground import Facing
from rules_engine.rulebooks.cutler.records.parts.troops import Squads, remaining
from rules_engine.rulebooks.cutler.records.shipping.convoys import sails_in_convoys
from rules_engine.rulebooks.cutler.records.tables import (
    CAMPAIGN_UNITS,
    STATIONED,
    UnitKind,
)

LifeSupport = Literal["full", "emergency", "none"]
"""What the account of a battle says of a derelict's life support. 2.4.1.6, CU-R22"""


class Moment(Frozen):
    """An impulse of a turn."""

    turn: int
    impulse: int


class Unit(Record):
    """One unit. ``id`` is internal and is never shown to another race; names are its race's own.

    ``record`` are its class's figures, those of the undamaged unit. ``retreat_hex`` is where it must go at its next
    opportunity after disengaging; ``nebula_exit`` is the result of an earlier exit roll: a hex it may enter without
    rolling, or ``"random"``. ``maintained`` is the turn of its last maintenance (0: before the first turn), ``missed``
    how often it missed one since; a poor crew that lost yet another level has its penalties doubled. ``held_turn`` is
    the turn for which it must stay where it surveys. ``cargo_cpv`` and ``repair_cpv`` are the CPV in its cargo boxes
    and, unspent, in its repair boxes; ``unload`` is the standing order to empty its cargo boxes into bases, ``sailed``
    that it moved, fled, pursued or flanked in this impulse, so that it is docked no more; ``module_lost`` that every
    internal on its docking module was destroyed in it. ``squads`` are those of its boarding parties that are of other
    kinds, ``officers`` the legendary ones aboard. ``holds`` are the accessories in its own boxes, ``stowed`` those that
    lie inert in its cargo boxes, ``passengers`` the officers and pilots whom it only transports, and ``lays`` the mines
    that it is to lay. ``cloaked`` is whether it is under cloak, ``was_cloaked`` whether it was in this turn;
    ``engaged``, that it chose to show itself in this impulse, and ``found_by`` are the races that found it. ``towing``
    are the units that it has in tow. ``orbit`` is the feature that a base orbits, "" for the planet of its hex, if any;
    of a ground base the planet or moon on which it stands, ``facing`` the hexside there. ``escaped_to`` is the feature
    to which it escaped in this impulse. ``lost_turn`` is the turn in which it was destroyed; 0 if its owner gave it up.
    ``docked_at`` is the unit on which a PF is docked, see ``conditions/docking.py``; ``life_support`` is that of a
    derelict, see ``note_life_support``.
    """

    id: str
    race: Side
    name: str
    record: UnitClass
    officers: tuple[Officer, ...] = ()
    cloaked: bool = False
    was_cloaked: bool = False
    engaged: bool = False
    found_by: list[Side] = field(default_factory=list[Side])
    towing: list[str] = field(default_factory=list[str])
    warp_ok: int
    impulse_ok: int
    special_sensors_ok: int = 0
    cargo_lost: int = 0
    cargo_cpv: int = 0
    boarding_parties: int = 0
    squads: Squads = field(default_factory=Squads)
    crew_units: int = 0
    repair_cpv: int = 0
    unload: bool = False
    sailed: bool = False
    module_lost: bool = False
    crew_quality: Literal["outstanding", "normal", "poor"] = "normal"
    penalties_doubled: bool = False
    maintained: int = 0
    missed: int = 0
    held_turn: int = 0
    hex: HexId
    entered_from: HexId = ""
    entered_at: Moment | None = None
    last_opportunity: Moment | None = None
    hexes_moved: int = 0
    dust_paid: bool = False
    nebula_exit: str = ""
    disengaged_from: list[Side] = field(default_factory=list[Side])
    escaped_from: list[Side] = field(default_factory=list[Side])
    escaped_to: str = ""
    retreat_hex: HexId = ""
    captured_from: Side = ""
    destroyed: bool = False
    lost_turn: int = 0
    holds: Lots = field(default_factory=Lots)
    stowed: Lots = field(default_factory=Lots)
    passengers: Lots = field(default_factory=Lots)
    lays: MinesToLay | None = None
    orbit: str = ""
    facing: Facing = ""
    docked_at: Annotated[str, Bounded(exclude_if=lambda host: not host)] = ""
    life_support: Annotated[LifeSupport, Bounded(exclude_if=lambda said: said == "full")] = "full"

    @property
    def kind(self) -> UnitKind:
        """What it is: a ship, a base, a PF …"""
        return self.record.kind

    @property
    @rule("2.6.1")
    def is_cu(self) -> bool:
        """Whether it is shown by a counter: no PF that is docked. 2.6.1"""
        return self.kind in CAMPAIGN_UNITS and not self.docked_at

    @property
    @rule("2.6.2.1")
    def has_counter(self) -> bool:
        """Whether it is noted on the map: no cloaked unit is. 2.6.2.1"""
        return self.is_cu and not self.cloaked

    @property
    def is_mobile(self) -> bool:
        """Whether units of its class move on the campaign map at all."""
        return self.record.top_speed > 0

    @property
    @rule("3.5")
    def is_station(self) -> bool:
        """Whether it is a base, in space or on the ground. 3.5"""
        return self.kind in STATIONED

    @property
    @rule("4.2.4.3")
    def fighters(self) -> int:
        """The fighters in its boxes; of fighters outside a carrier their number. 4.2.4.3"""
        return fighters_in(self.holds)

    @property
    @rule("4.2.4.7")
    def booster_sets(self) -> int:
        """Its sets of warp booster packs for fighters. 4.2.4.7"""
        return boosters_in(self.holds)

    @rule("4.2.4.8")
    def lose_parties(self, lost: int) -> None:
        """Lose so many boarding parties, or land them: ordinary ones first, as far as it has them. 4.2.4.8, CU-N126"""
        gone = min(lost, self.boarding_parties)
        self.squads = remaining(self.squads, self.boarding_parties, gone)
        self.boarding_parties -= gone

    def lose_fighters(self, fighters: int, boosters: int) -> None:
        """Lose so many of each, as far as it has them."""
        self.holds = without(self.holds, flown(self.holds, fighters, boosters))

    @property
    @rule("2.4.1.6")
    def is_derelict(self) -> bool:
        """Whether it has neither warp nor impulse engines left. 2.4.1.6, CU-R18"""
        return self.is_mobile and self.warp_ok == 0 and self.impulse_ok == 0

    @rule("2.4.1.6")
    def note_life_support(self, said: LifeSupport = "full") -> None:
        """Note a derelict's life support as it is said to be; that of any other unit is full. 2.4.1.6, CU-R22"""
        self.life_support = said if self.is_derelict else "full"

    @property
    def in_fleets(self) -> bool:
        """Whether it is plotted in fleets, impulse by impulse; freighters and Q-ships sail in convoys instead."""
        return self.is_mobile and not sails_in_convoys(self.record)

    @rule("5.1")
    def taken_by(self, captor: Side) -> None:
        """Give it to its captor. Its boarding parties, crew, officers, passengers and fighters are lost, and so are the
        orders that it had; a ship that comes back to the race that built it is no prize any more.

        5.1, CU-N33, CU-N72, CU-N93
        """
        builder = self.captured_from or self.race
        self.captured_from = "" if captor == builder else builder
        self.race = captor
        self.lose_parties(self.boarding_parties)
        self.crew_units, self.crew_quality, self.penalties_doubled = 0, "normal", False
        self.lose_fighters(self.fighters, self.booster_sets)
        self.lays, self.unload, self.held_turn = None, False, 0
        self.officers, self.passengers = (), Lots()
        self.end_tow()
        self.drop_cloak()

    # --- what lasts: begun and ended here alone

    @rule("2.6.2.1", "2.4.1.2")
    def go_under_cloak(self) -> None:
        """Put it under cloak; it counts as cloaked for the whole turn. 2.6.2.1, 2.4.1.2"""
        self.cloaked = self.was_cloaked = True

    @rule("2.6.2.1")
    def drop_cloak(self) -> None:
        """End its cloak: it shows itself to no one in particular, and was found by no one. 2.6.2.1"""
        self.cloaked, self.engaged, self.found_by = False, False, []

    @rule("2.4.1.5")
    def take_in_tow(self, units: Iterable[str]) -> None:
        """Tow these units, by id, and no others. 2.4.1.5"""
        self.towing = [*units]

    @rule("2.4.1.5")
    def end_tow(self, keeps: Iterable[str] = ()) -> None:
        """Let go of all that it tows but for these units. 2.4.1.5"""
        self.towing = [*keeps]

    @property
    @rule("4.4.2")
    def builds_bases(self) -> bool:
        """Whether it is a tug or a large freighter, and has cargo boxes left. 4.4.2, CU-R90"""
        return (self.record.is_tug or self.record.is_large_freighter) and self.is_mobile and self.whole_cargo_boxes > 0

    @property
    @rule("4.4.3")
    def whole_cargo_boxes(self) -> int:
        """Its cargo boxes that are not destroyed, whatever lies in them: so many CPV a turn it channels to a base.
        4.4.3, CU-R90"""
        return self.record.cargo - self.cargo_lost

    @property
    @rule("4.1.8", "4.2.4.1.2")
    def cargo_boxes(self) -> int:
        """Its cargo boxes that are left for CPV: what is stowed fills others. 4.1.8, 4.2.4.1.2"""
        return self.whole_cargo_boxes - sum(lot.boxes for lot in self.stowed.values())

    @rule("4.1.8")
    def lose_all_cpv(self) -> None:
        """Lose what is in its boxes, as a unit that is destroyed does. 4.1.8"""
        self.cargo_cpv = self.repair_cpv = 0

    @rule("4.1.8")
    def perish(self, lost_turn: int = 0) -> None:
        """Destroy it with all that is aboard: CPV, accessories, people. ``lost_turn`` is the turn of a loss, and not
        given when its owner gives it up. 4.1.8, CU-N43, CU-N72"""
        self.destroyed, self.lost_turn, self.lays = True, lost_turn, None
        self.lose_all_cpv()
        self.holds, self.stowed, self.passengers = Lots(), Lots(), Lots()
        self.lose_parties(self.boarding_parties)
        self.crew_units, self.officers = 0, ()

    @rule("4.1.8")
    def lose_cargo_boxes(self, lost: int) -> None:
        """Destroy so many of its cargo boxes: empty ones first, then those with CPV, then those with accessories, and
        what is in them. 4.1.8, CU-N43, CU-N65"""
        self.cargo_lost = min(self.record.cargo, self.cargo_lost + lost)
        lose_boxes(self.stowed, -self.cargo_boxes)
        self.cargo_cpv = min(self.cargo_cpv, self.cargo_boxes)

    @property
    def title(self) -> str:
        """Its name and class, for its owner."""
        return f"{self.name} ({self.record.name})"

    @property
    def crew(self) -> str:
        """The quality of its crew, in words."""
        return f"{self.crew_quality}, penalties doubled" if self.penalties_doubled else self.crew_quality

    @property
    @rule("7.3")
    def condition(self) -> str:
        """What its crew and missed maintenance do to it, in words; "" if nothing. 7.3"""
        said = [f"crew {self.crew}"] if self.crew_quality != "normal" or self.missed else []
        return ", ".join([*said, "+1 to breakdown rolls"] if self.missed else said)


def new_unit(key: str, race: Side, name: str, record: UnitClass, hex_id: HexId) -> Unit:
    """An undamaged unit with a normal crew."""
    return Unit(
        id=key,
        race=race,
        name=name,
        record=record,
        warp_ok=record.warp,
        impulse_ok=record.impulse,
        special_sensors_ok=record.special_sensors,
        boarding_parties=record.boarding_parties,
        crew_units=record.crew_units,
        hex=hex_id,
        holds=complement(record),
    )
