"""Cargo that is lost after a battle: its owner chooses what. 13.3.3"""

from collections.abc import Sequence

from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.jump_lanes.battles.account import LaneBattleResult
from rules_engine.rulebooks.jump_lanes.battles.suffering import suffer
from rules_engine.rulebooks.jump_lanes.battles.tows import tows_changed
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import held
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, excess, judge_loss, lose_cargo, usual_loss
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import trial
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron

RULE = "13.3.3, JL-R28"


class CargoLosses(RootModel[dict[str, CargoLoss]]):
    """What an empire gives up, by squadron."""

    def of(self, squadron: str) -> CargoLoss:
        """What a squadron gives up; nothing where nothing is said."""
        return self.root.get(squadron, CargoLoss())


Losses = dict[str, CargoLoss]
"""What is given up, by squadron."""


@rule("13.3.3-loss")
def losses_steps(turn: LanesTurn, battle: Battle, result: LaneBattleResult) -> Steps[Losses]:
    """After a battle: let the owners choose what is lost of cargo that does not fit any more. It is tried on copies of
    what they have, since other battles may still be fought. 13.3.3-loss, JL-R28"""
    tried = {side: _after(turn.state, battle, result, side) for side in battle.sides}
    too_full = {side: _too_full(turn.state, battle, after, side) for side, after in tried.items()}
    choosing = [side for side, over in too_full.items() if any(_can_choose(tried[side], one) for one in over)]
    answers = yield from turn.ask_all_steps([_ask(battle, tried[side], side, too_full[side]) for side in choosing])
    chosen = dict(zip(choosing, answers, strict=True))
    return {key: loss for losses in chosen.values() for key, loss in losses.root.items()}


def _after(state: LanesState, battle: Battle, result: LaneBattleResult, side: Side) -> LanesState:
    """What an empire has left after a battle, but for the cargo that it loses."""
    tried = trial(state, side)
    own = {key: result.root[code] for code, key in battle.lines.items() if key in tried.units}
    suffer(tried, own, {key: tug for key, tug in tows_changed(state, battle, result).items() if key in tried.units})
    return tried


def _too_full(state: LanesState, battle: Battle, after: LanesState, side: Side) -> list[Squadron]:
    """An empire's squadrons of a battle that carry too much after it."""
    fought = {state.units[key].squadron for key in battle.lines.values()}
    return [one for one in after.squadrons_of(side) if one.id in fought and excess(after, one)]


def lose_after(state: LanesState, squadron: Squadron, losses: Losses) -> str:
    """Carry out what is lost of a squadron's cargo: what was chosen, else the usual; "" for nothing."""
    if not excess(state, squadron):
        return ""
    loss = losses.get(squadron.id)
    if loss is None or judge_loss(state, squadron, loss, ""):
        loss = usual_loss(state, squadron)
    return lose_cargo(state, squadron, loss)


def _can_choose(state: LanesState, squadron: Squadron) -> bool:
    """Whether a squadron carries more than one kind of thing: of one there is nothing to choose."""
    return len(state.carried(squadron.id)) + len({lot.kind for lot in squadron.hold}) > 1


def _ask(battle: Battle, state: LanesState, empire: Side, squadrons: Sequence[Squadron]) -> Ask[CargoLosses]:
    usual = CargoLosses({one.id: usual_loss(state, one) for one in squadrons})
    return Ask(
        kind="cargo_loss",
        parties=(empire,),
        title="Cargo that does not fit any more",
        text="These squadrons carry more than their Cargo rating after the battle. Choose what is lost.",
        question=Question("Cargo is lost", "What does not fit after the battle is lost; you choose what."),
        model=CargoLosses,
        form=Form(lines=tuple(_line(state, one, usual.of(one.id)) for one in squadrons)),
        rule=RULE,
        pace="decision",
        default=usual,
        default_says="The cheapest cargo is lost first.",
        check=lambda losses: _judge(state, squadrons, losses),
        read_back=lambda losses: [_says(state, one, losses.of(one.id)) for one in squadrons],
        about=battle.title,
    )


def _line(state: LanesState, squadron: Squadron, usual: CargoLoss) -> Line:
    fields: list[Field] = []
    aboard = state.carried(squadron.id)
    if aboard:
        ways = tuple(Choice(one.id, one.name) for one in aboard)
        fields.append(Field("units", "Units lost", "many", choices=ways, value=[*usual.units]))
    for kind, value in (("census", usual.census), ("experience", usual.experience)):
        there = held(squadron, "census" if kind == "census" else "experience")
        if there:
            fields.append(number_field(kind, f"{kind.capitalize()} lost", range(there + 1), value))
    note = f"{show_fraction(excess(state, squadron))} above its Cargo rating"
    return Line(squadron.id, squadron.name, tuple(fields), note=note)


def _judge(state: LanesState, squadrons: Sequence[Squadron], losses: CargoLosses) -> list[Refusal]:
    known = [one.id for one in squadrons]
    refusals = [
        malformed("nothing is to be lost there", key, legal=", ".join(known), nearest=nearest(key, known))
        for key in losses.root
        if key not in known
    ]
    return [*refusals, *(found for one in squadrons for found in judge_loss(state, one, losses.of(one.id), one.id))]


def _says(state: LanesState, squadron: Squadron, loss: CargoLoss) -> str:
    parts = [names_of(state.units[key] for key in loss.units)] if loss.units else []
    parts += [counted(loss.census, "census point")] if loss.census else []
    parts += [counted(loss.experience, "experience point")] if loss.experience else []
    return f"{squadron.id}: loses {', '.join(parts) or 'nothing'}"
