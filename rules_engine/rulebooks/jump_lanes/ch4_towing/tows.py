"""Who may tow whom, and what becomes of tows (13.4)."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import based_on, close_empty, load_of, place_of, pooled_rating
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit
from rules_engine.rulebooks.jump_lanes.tables.loads import TOWING, towing_cost

STANDS_ALONE = ("starbase", "satellite")
"""Kinds that stand at a place by themselves when nobody tows them."""


@rule("13.4", "13.4.1")
def pooled_towing(tugs: Iterable[Unit]) -> int:
    """The Towing rating of active tugs together. 13.4, 13.4.1, JL-R29"""
    return sum(unit.towing for unit in tugs if not unit.crippled)


def needed_for(towed: Iterable[Unit]) -> int:
    """The Towing rating that units take in tow together; what cannot be towed takes none, and is refused by itself."""
    return sum(towing_cost(unit.kind, unit.siz) or 0 for unit in towed)


def able_tugs(state: LanesState, squadron: Squadron) -> list[Unit]:
    """The members of a squadron that can tow, in their order."""
    return [unit for unit in state.members(squadron.id) if unit.towing and not (unit.crippled or unit.towed)]


@rule("13.4", "13.4.1")
def judge_tow(
    state: LanesState, squadron: Squadron, tugs: Sequence[Unit], towed: Sequence[Unit], path: str
) -> list[Refusal]:
    """Refusals of a tow by tugs of a squadron: tugs without Towing rating, too little of it together, and what cannot
    be towed, is elsewhere, or would leave too little behind. 13.4, 13.4.1, JL-R29, JL-R32"""
    refusals: list[Refusal] = []

    def refuse(text: str, legal: str, rules: str = "13.4.1") -> None:
        refusals.append(illegal(text, rules, path, legal=legal))

    if squadron.transit is not None:
        text = f"{squadron.name} is in transit and out of communication"
        return [illegal(text, "13.1.6", path, legal="orders from the turn after its arrival on")]
    if not towed:
        return []
    members = {unit.id for unit in state.members(squadron.id)}
    for tug in tugs:
        if tug.id not in members:
            refuse(f"{tug.name} is not of {squadron.name}", "tugs of the squadron that tows")
        elif not tug.towing or tug.crippled:
            why = "is crippled" if tug.towing else "has no Towing equipment"
            refuse(f"{tug.name} {why}", names_of(able_tugs(state, squadron)) or "no tow by this squadron", "13.4")
    for unit in towed:
        refusals += _judge_towed(state, squadron, tugs, unit, path)
    if not refusals:
        refusals += _judge_left(state, squadron, towed, path)
    needed = needed_for(towed)
    have = pooled_towing(tugs)
    if needed > have:
        text = f"{names_of(towed)} in tow {'takes' if len(towed) == 1 else 'take'} Towing rating {needed}"
        refuse(f"{text}, and {names_of(tugs) or 'no tug'} has {have}", f"at most {have}, or more tugs")
    if len({unit.id for unit in towed}) < len(towed) or len({unit.id for unit in tugs}) < len(tugs):
        refuse("a unit is named twice", "each once")
    return refusals


def _judge_towed(state: LanesState, squadron: Squadron, tugs: Sequence[Unit], unit: Unit, path: str) -> list[Refusal]:
    if towing_cost(unit.kind, unit.siz) is None:
        kinds = ", ".join(f"{kind}s" for kind in TOWING)
        return [illegal(f"{unit.name} is a {unit.kind} and cannot be towed", "13.4.1", path, legal=kinds)]
    if unit.aboard or place_of(state, unit) != squadron.at:
        text = f"{unit.name} is {'cargo' if unit.aboard else f'not at {state.place_name(squadron.at)}'}"
        return [illegal(text, "13.4.1", path, legal="units at the same place that are no cargo")]
    if unit in tugs:
        return [illegal(f"{unit.name} cannot tow itself", "13.4.1", path, legal="another unit")]
    if unit.squadron in ("", squadron.id):
        return []
    if unit.towed or unit.tows:
        text = f"{unit.name} {'has units' if unit.tows else 'is'} in tow already"
        return [illegal(text, "13.4.1", path, legal="units that neither tow nor are in tow")]
    return []


def _judge_left(state: LanesState, squadron: Squadron, towed: Sequence[Unit], path: str) -> Iterable[Refusal]:
    """Refuse for each other squadron whose cargo those that are left cannot carry when all of these have gone."""
    gone = {unit.id for unit in towed}
    for key in dict.fromkeys(unit.squadron for unit in towed if unit.squadron not in ("", squadron.id)):
        left = state.squadrons[key]
        staying = [member for member in state.members(key) if gone.isdisjoint((member.id, member.based_on))]
        if load_of(state, left) > pooled_rating(staying):
            named = in_a_row([unit.name for unit in towed if unit.squadron == key])
            text = f"without {named}, {left.name} carries more than its Cargo rating"
            yield illegal(text, "13.3.1", path, legal=f"what {left.name} carries somewhere else first")


@rule("13.4.1")
def set_tow(state: LanesState, squadron: Squadron, tugs: Sequence[Unit], towed: Sequence[Unit]) -> list[Unit]:
    """Let a squadron tow these units by these tugs, and nothing else; what it let go is told. Whatever is towed is of
    the squadron, with the flights that are based on it. 13.4.1"""
    let_go = release(state, squadron, keeping=[unit.id for unit in towed])
    for unit in towed:
        if unit.squadron != squadron.id:
            left, flights = unit.squadron, based_on(state, unit)
            state.put(unit, squadron=squadron.id)
            for flight in flights:
                state.put(flight, squadron=squadron.id)
                flight.based_on = unit.id
            close_empty(state, left)
        unit.towed, unit.based_on = True, ""
    pulling = {tug.id for tug in tugs} if towed else set[str]()
    for member in state.members(squadron.id):
        member.tows = member.id in pulling
    return let_go


def release(state: LanesState, squadron: Squadron, keeping: Sequence[str] = ()) -> list[Unit]:
    """Let go what a squadron has in tow, but for what it keeps: bases and satellites stand where it is, and others are
    of the squadron by themselves; what stands alone is lost in a lane. JL-N37"""
    let_go = [unit for unit in state.members(squadron.id) if unit.towed and unit.id not in keeping]
    for unit in let_go:
        unit.towed = False
        if unit.kind in STANDS_ALONE and squadron.at:
            for flight in based_on(state, unit):
                state.put(flight, at=squadron.at)
            state.put(unit, at=squadron.at)
        elif unit.kind in STANDS_ALONE:
            state.take_out(unit)
    return let_go


@rule("13.4.1")
def let_go_what_is_too_much(state: LanesState, squadron: Squadron) -> list[Unit]:
    """After losses among tugs: let go all that they had in tow, if the active ones no longer have the rating for all of
    it. 13.4.1, JL-N37"""
    members = state.members(squadron.id)
    towed = [unit for unit in members if unit.towed]
    tugs = [unit for unit in members if unit.tows]
    needed = needed_for(towed)
    let_go = release(state, squadron) if needed > pooled_towing(tugs) else []
    if let_go or not towed:
        for tug in tugs:
            tug.tows = False
    return let_go


@rule("13.4.2")
def battle_notes(tugs: Sequence[Unit], towed: Sequence[Unit]) -> list[str]:
    """What a battle's sheet says of a tow that goes into it, or is made in it: the log of combat towing. 13.4.2,
    JL-R33"""
    if not towed:
        return []
    return [
        f"{names_of(towed)}: in tow, +1 Formation Level, no weapons fire",
        f"{names_of(tugs)}: towing, no weapons fire; Engines, Mobility and FTL halved, rounded up",
    ]
