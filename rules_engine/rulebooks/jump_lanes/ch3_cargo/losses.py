"""Cargo that is lost when its carriers are (13.3.3, Cargo Loss)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch3_cargo.embarking import LOTS
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import (
    close_empty,
    held,
    lots_requirement,
    rating_of,
    requirement_of,
    take,
)
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, Squadron, Unit

Lost = Annotated[int, Field(ge=0, le=9999)]


class CargoLoss(Frozen):
    """What a squadron's owner gives up: units by id, census and experience points."""

    units: tuple[str, ...] = ()
    census: Lost = 0
    experience: Lost = 0

    def __bool__(self) -> bool:
        return bool(self.units or self.census or self.experience)


@rule("13.3.3-loss")
def excess(state: LanesState, squadron: Squadron) -> Fraction:
    """How much Cargo rating its cargo takes above what it has after damage; 0 if all of it fits. 13.3.3-loss, JL-R28"""
    return _excess(state, squadron, CargoLoss())


@rule("13.3.3-loss")
def judge_loss(state: LanesState, squadron: Squadron, loss: CargoLoss, path: str) -> list[Refusal]:
    """Refusals of what an owner gives up: what is not aboard, too little, and more than must be. 13.3.3-loss, JL-R28"""
    carried = [unit.id for unit in state.carried(squadron.id)]
    refusals = [
        malformed(f"{key} is not aboard {squadron.name}", path, legal=", ".join(carried), nearest=nearest(key, carried))
        for key in loss.units
        if key not in carried
    ]
    if len(set(loss.units)) < len(loss.units):
        refusals.append(malformed("a unit is named twice", path, legal="each once"))
    for kind in LOTS:
        there = held(squadron, kind)
        if getattr(loss, kind) > there:
            refusals.append(malformed(f"{squadron.name} carries {there} {kind}", path, legal=f"at most {there}"))
    if refusals:
        return refusals
    over = _excess(state, squadron, loss)
    if over:
        text = f"what is left is {show_fraction(over)} above the Cargo rating of {squadron.name}"
        return [illegal(text, "13.3.3", path, legal="losses until the rest fits")]
    if spared := _could_stay(state, squadron, loss):
        return [illegal(f"{spared} could stay aboard", "13.3.3", path, legal="no more than must be lost")]
    return []


@rule("13.3.3-loss")
def usual_loss(state: LanesState, squadron: Squadron) -> CargoLoss:
    """What is lost when nobody chooses: the cheapest first, until the rest fits, and nothing that could have stayed.
    13.3.3-loss, JL-R28"""
    loss = CargoLoss()
    if not state.members(squadron.id):
        every = tuple(unit.id for unit in state.carried(squadron.id))
        return CargoLoss(units=every, census=held(squadron, "census"), experience=held(squadron, "experience"))
    loss = _give_points(state, squadron, loss)
    for unit in sorted(state.carried(squadron.id), key=_price):
        if not _excess(state, squadron, loss):
            break
        loss = loss.with_values(units=(*loss.units, unit.id))
    return _spare(state, squadron, loss)


def _give_points(state: LanesState, squadron: Squadron, loss: CargoLoss) -> CargoLoss:
    """Give up experience points and then census points, as far as that helps."""
    for kind in reversed(LOTS):
        over = _excess(state, squadron, loss)
        each = lots_requirement(kind, 1)
        loss = loss.with_values(**{kind: min(held(squadron, kind), int(-(-over // each)))})
    return loss


def _spare(state: LanesState, squadron: Squadron, loss: CargoLoss) -> CargoLoss:
    """Keep what can stay after all, the dearest first."""
    for key in sorted(loss.units, key=lambda one: _price(state.units[one]), reverse=True):
        without = loss.with_values(units=tuple(one for one in loss.units if one != key))
        loss = loss if _excess(state, squadron, without) else without
    for kind in LOTS:
        given: int = getattr(loss, kind)
        while given and not _excess(state, squadron, loss.with_values(**{kind: given - 1})):
            given -= 1
        loss = loss.with_values(**{kind: given})
    return loss


def _could_stay(state: LanesState, squadron: Squadron, loss: CargoLoss) -> str:
    """The first thing given up that need not be; "" for none."""
    spared = _spare(state, squadron, loss)
    kept = [key for key in loss.units if key not in spared.units]
    if kept:
        return state.units[kept[0]].name
    if spared.census < loss.census:
        return counted(loss.census - spared.census, "census point")
    if spared.experience < loss.experience:
        return counted(loss.experience - spared.experience, "experience point")
    return ""


def _price(unit: Unit) -> tuple[int, str]:
    return unit.worth, unit.id


def _excess(state: LanesState, squadron: Squadron, loss: CargoLoss) -> Fraction:
    units = [unit for unit in state.carried(squadron.id) if unit.id not in loss.units]
    lots = [
        HoldLot(kind="census", amount=held(squadron, "census") - loss.census),
        HoldLot(kind="experience", amount=held(squadron, "experience") - loss.experience),
    ]
    return max(Fraction(0), requirement_of(units, lots) - rating_of(state, squadron))


@rule("13.3.3-loss")
def lose_cargo(state: LanesState, squadron: Squadron, loss: CargoLoss) -> str:
    """Take what was given up out of play, and say what it was; "" for nothing. 13.3.3-loss"""
    units: Sequence[Unit] = [state.units[key] for key in loss.units]
    parts = [names_of(units)] if units else []
    parts += [counted(loss.census, "census point")] if loss.census else []
    parts += [counted(loss.experience, "experience point")] if loss.experience else []
    for unit in units:
        state.take_out(unit)
    take(squadron, "census", loss.census)
    take(squadron, "experience", loss.experience)
    close_empty(state, squadron.id)
    return ", ".join(parts)
