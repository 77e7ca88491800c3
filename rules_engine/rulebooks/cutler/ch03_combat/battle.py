"""Chapter 3.4, 3.6 and 3.7: battles fought by hand. Set-up, flanking, result form, and applying the result."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line, choices, number_field
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import SETTLED_BY, Agreement, Ask, BattleSetup, Steps
from rules_engine.rulebooks.cutler.ch02_movement.movement import random_hex, top_speed
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import battle_panels, secret_panels
from rules_engine.rulebooks.cutler.ch03_combat.fighter_results import fighter_losses, judge_fighters, lose_fighters
from rules_engine.rulebooks.cutler.ch03_combat.flanking import Arrivals, Forces, flanking_steps
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.planetary import in_words, most_parties
from rules_engine.rulebooks.cutler.records.state import Battle, CutlerState, CutlerTurn, Fight, Unit

FATES = choices(
    intact="Still there, engines as before",
    damaged="Still there, damaged",
    disengaged="Disengaged",
    destroyed="Destroyed",
    captured="Captured",
)
FATE_WORDS = tuple(choice.value for choice in FATES)


class UnitResult(PartialLine):
    """How one unit came out: its fate, the boxes and boarding parties it lost in this battle, after its own
    repairs. 3.9, G-6"""

    fate: str = "intact"
    warp_lost: int = Bounded(default=0, ge=0, strict=True)
    impulse_lost: int = Bounded(default=0, ge=0, strict=True)
    parties_lost: int = Bounded(default=0, ge=0, strict=True)
    cargo_lost: int = Bounded(default=0, ge=0, strict=True)
    fighters_lost: int = Bounded(default=0, ge=0, strict=True)
    boosters_lost: int = Bounded(default=0, ge=0, strict=True)
    captor: str = ""

    @property
    def losses(self) -> dict[str, int]:
        """What it lost of each kind of box."""
        return {"warp": self.warp_lost, "impulse": self.impulse_lost, "cargo": self.cargo_lost}


class BattleResult(RootModel[dict[str, UnitResult]]):
    """A line for every unit in the battle."""


# --- the two kinds of battle -----------------------------------------------------------------------------------------


@rule("3.4", "3.7")
def main_battle_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """The main battle: secret flanking groups, the set-up, the fight, and its result. 3.4, 3.7"""
    state = turn.state
    battle = _open_battle(turn, "main", hex_id, pair, forces)
    order, rolls = roll_order(turn, list(pair), "set-up", seen_by=battle.everyone)
    arrivals = yield from flanking_steps(turn.at("flank"), battle, forces)
    panels = battle_panels(state, battle, first=order[0])
    turn.tell(
        battle.everyone,
        f"Battle in {hex_id}. The {state.names_of(battle.force_of(order[0]))} sets up first.",
        kind="battle",
        why=because("3.4.3", dice=rolls),
    )
    yield from _fight_steps(turn, battle, forces, panels, arrivals)


@rule("3.3.7.9", "3.6")
def escape_battle_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """The battle of an escape wave that was caught. ``pair`` is (escaping, pursuing). 3.3.7.9, 3.6, CU-R70"""
    battle = _open_battle(turn, "escape", hex_id, pair, forces)
    yield from _fight_steps(turn, battle, forces, battle_panels(turn.state, battle, first=pair[0]), {})


@rule("2.9.5", "2.9.7", "2.9.8")
def sortie_battle_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """The battle of fighters that sortie, with units in the hex or with another sortie. Nobody flanks. 2.9.5, 2.9.7,
    2.9.8"""
    battle = _open_battle(turn, "sortie", hex_id, pair, forces)
    order, rolls = roll_order(turn, list(pair), "set-up", seen_by=battle.everyone)
    text = f"Sortie battle in {hex_id}. The {turn.state.names_of(battle.force_of(order[0]))} sets up first."
    turn.tell(battle.everyone, text, kind="battle", why=because("3.4.3", dice=rolls))
    yield from _fight_steps(turn, battle, forces, battle_panels(turn.state, battle, first=order[0]), {})


def _open_battle(
    turn: CutlerTurn, kind: Literal["main", "escape", "sortie"], hex_id: HexId, pair: tuple[Side, Side], forces: Forces
) -> Battle:
    """Make the battle between two sides, each a race or a coordinated force. Every unit has a neutral key, so that no
    form shows an owner's own numbers."""
    state = turn.state
    here = state.fights[hex_id]
    lines: dict[str, str] = {}
    for race in here.races_of(*pair):
        emblem = next(label.emblem for label in state.sides if label.key == race)
        own = [unit for side in pair for unit in forces[side] if unit.race == race]
        ranked = sorted(own, key=lambda unit: (unit.record.size_class, unit.name))
        lines |= {f"{emblem}{number}": unit.id for number, unit in enumerate(ranked, 1)}
    key = turn.place
    together = [list(here.force_of(side)) for side in pair]
    battle = Battle(key=key, kind=kind, hex=hex_id, sides=pair, lines=lines, forces=together)
    here.battle = battle
    for side, enemy in (pair, pair[::-1]):
        for race in here.force_of(side):
            ships = {unit.id: unit.race for unit in forces[enemy] if unit.kind != "fighters"}
            here.known.setdefault(race, {}).update(ships)
    return battle


# --- fighting it -----------------------------------------------------------------------------------------------------


@rule("3.4")
def _fight_steps(
    turn: CutlerTurn, battle: Battle, forces: Forces, panels: tuple[Panel, ...], arrivals: Arrivals
) -> Steps[None]:
    """Ask both sides for the result of the battle, and carry out the agreed one. 3.4, G-6"""
    state = turn.state
    where = f"{battle.hex}, turn {state.turn}, impulse {state.impulse}"
    names = " and ".join(state.names_of(battle.force_of(side)) for side in battle.sides)
    kind = {"main": "Battle", "escape": "Escape battle", "sortie": "Sortie battle"}[battle.kind]
    setup = BattleSetup(
        key=battle.key,
        title=f"{kind} in {battle.hex}: {names}",
        where=where,
        panels=panels,
        secret={
            race: secret_panels(state, battle, race, arrivals.get(battle.side_of(race), {})) for race in battle.everyone
        },
    )
    ask: Ask[BattleResult] = Ask(
        kind="battle",
        parties=battle.everyone,
        forces=tuple(map(battle.force_of, battle.sides)),
        title=f"Result of the battle in {battle.hex}",
        text="Fight it out by the sheet. Then both sides report every unit; the reports must agree line by line.",
        model=BattleResult,
        form=_result_form(state, battle),
        rule="3.4",
        pace="battle",
        check=lambda result: _judge_result(state, battle, result),
        read_back=lambda result: [_line_text(state, battle, key, line) for key, line in result.root.items()],
        warn=lambda result: _warn_result(state, battle, result),
        agree=lambda accounts: _agree(state, battle, accounts),
        setup=setup,
        set_up_from=frozenset(
            {
                f"fights.{battle.hex}.battle",
                *(
                    f"units.{key}" if key in state.units else f"fights.{battle.hex}.craft"
                    for key in battle.lines.values()
                ),
            }
        ),
    )
    result = yield from turn.ask_steps(ask)
    _carry_out(turn, battle, result)


def _unit(state: CutlerState, battle: Battle, key: str) -> Unit:
    return state.unit_in(battle.hex, battle.lines[key])


def _owner_of(battle: Battle, state: CutlerState, key: str) -> Side:
    return _unit(state, battle, key).race


def _result_form(state: CutlerState, battle: Battle) -> Form:
    lines: list[Line] = []
    for key in battle.lines:
        unit = _unit(state, battle, key)
        barred = {"base": "disengaged", "fighters": "captured"}.get(unit.kind, "")
        fates = tuple(one for one in FATES if one.value != barred)
        fields = [Field(key="fate", label="Fate", kind="one", choices=fates, value="intact")]
        for what, total in _boxes(unit).items():
            if total:
                label = f"{what.capitalize()} boxes lost in this battle"
                fields.append(Field(key=f"{what}_lost", label=label, kind="number", least=0, most=total, value=0))
        if most := most_parties(unit):
            fields.append(number_field("parties_lost", "Boarding parties lost in this battle", range(most + 1), 0))
        for what, (label, most) in fighter_losses(unit).items():
            fields.append(number_field(what, label, range(most + 1), 0))
        captors = [race for race in battle.everyone if battle.side_of(race) != battle.side_of(unit.race)]
        if len(captors) > 1:
            ways = choices(**{race: state.name_of(race) for race in captors})
            fields.append(Field(key="captor", label="If captured, by", kind="one", choices=ways, value=captors[0]))
        label = f"{key}: {state.name_of(unit.race)} {unit.title}"
        lines.append(Line(key=key, label=label, fields=tuple(fields)))
    return Form(lines=tuple(lines))


def _boxes(unit: Unit) -> dict[str, int]:
    """How many its class has of the boxes whose loss is reported."""
    return {"warp": unit.record.warp, "impulse": unit.record.impulse, "cargo": unit.record.cargo}


@rule("3.4", "3.4.5")
def _judge_result(state: CutlerState, battle: Battle, result: BattleResult) -> list[Refusal]:
    """Refusals of a result: every unit must be accounted for, within what its class can lose. 3.4, 3.4.5, G-6"""
    refusals = [
        malformed(f"{_unit(state, battle, key).name} is not accounted for", key, legal=", ".join(FATE_WORDS))
        for key in battle.lines
        if key not in result.root
    ]
    for key, line in result.root.items():
        if key not in battle.lines:
            near = nearest(key, battle.lines)
            refusals.append(malformed("no such unit took part", key, legal=", ".join(battle.lines), nearest=near))
            continue
        unit = _unit(state, battle, key)
        if line.fate not in FATE_WORDS:
            near = nearest(line.fate, FATE_WORDS)
            refusals.append(malformed("no such fate", f"{key}.fate", legal=", ".join(FATE_WORDS), nearest=near))
        for what, total in _boxes(unit).items():
            lost = line.losses[what]
            if lost > total:
                text = f"{unit.name} has {counted(total, f'{what} box')}, {lost} are reported lost"
                rule_id = "4.1.8, G-6" if what == "cargo" else "2.4.1.6, G-6"
                refusals.append(illegal(text, rule_id, f"{key}.{what}_lost", legal=f"0 to {total}"))
        if line.parties_lost > (most := most_parties(unit)):
            text = f"{unit.name} has room for {in_words(most)}, {line.parties_lost} are reported lost"
            refusals.append(illegal(text, "4.2.4.8, G-6", f"{key}.parties_lost", legal=f"0 to {most}"))
        refusals += judge_fighters(unit, key, line.fate, line.fighters_lost, line.boosters_lost)
        if line.fate == "intact" and any(line.losses.values()):
            text = f"{unit.name} lost boxes, so it is not as before"
            refusals.append(illegal(text, "G-6", f"{key}.fate", legal="damaged", nearest=("damaged",)))
        if line.fate == "disengaged" and unit.kind == "base":
            refusals.append(illegal(f"{unit.name} is a base and cannot leave", "3.5, 3.4.5", f"{key}.fate"))
        captors = [race for race in battle.everyone if battle.side_of(race) != battle.side_of(unit.race)]
        if line.captor and line.captor not in captors:
            text = f"{unit.name} is taken by an enemy"
            refusals.append(illegal(text, "5.1, 2.10", f"{key}.captor", legal=" or ".join(captors)))
        if line.fate == "captured" and not _has_survivor(state, battle, result, unit.race):
            text = f"nobody was left to take {unit.name}"
            refusals.append(illegal(text, "5.1", f"{key}.fate", legal="intact, damaged, disengaged or destroyed"))
    return refusals + _judge_end_of_sortie(state, battle, result)


@rule("2.9.6")
def _judge_end_of_sortie(state: CutlerState, battle: Battle, result: BattleResult) -> list[Refusal]:
    """Fighters come back from a sortie when all their enemies are lost or driven off, or when they disengage. 2.9.6"""
    flown = [key for key in battle.lines if key in result.root and _unit(state, battle, key).entered_from]
    flown = [key for key in flown if _unit(state, battle, key).kind == "fighters"]
    if not flown or len(_fighting_on(state, battle, result)) < 2:
        return []
    text = (
        "a sortie ends when one side is lost or has left: fighters return by driving off their enemies or disengaging"
    )
    return [
        illegal(text, "2.9.6", f"{key}.fate", legal="disengaged or destroyed")
        for key in flown
        if result.root[key].fate in ("intact", "damaged")
    ]


def _has_survivor(state: CutlerState, battle: Battle, result: BattleResult, race: Side) -> bool:
    """Whether the race's enemy came out with a ship."""
    return any(
        key in result.root and result.root[key].fate not in ("destroyed", "captured")
        for key in battle.lines
        if battle.side_of(_owner_of(battle, state, key)) != battle.side_of(race)
        and _unit(state, battle, key).kind != "fighters"
    )


def _fighting_on(state: CutlerState, battle: Battle, result: BattleResult) -> list[Side]:
    return [
        race
        for race in battle.sides
        if any(
            result.root[key].fate in ("intact", "damaged")
            for key in battle.lines
            if key in result.root and battle.side_of(_owner_of(battle, state, key)) == race
        )
    ]


def _warn_result(state: CutlerState, battle: Battle, result: BattleResult) -> list[str]:
    if len(_fighting_on(state, battle, result)) < 2:
        return []
    return ["Both sides still have units that neither left nor were lost; as a rule one side is gone (3.4.5)."]


def _line_text(state: CutlerState, battle: Battle, key: str, line: UnitResult) -> str:
    losses = [(what, count) for what, count in line.losses.items() if count]
    lost = " and ".join(f"{count} {what}" for what, count in losses)
    unit = _unit(state, battle, key)
    boxes = "box" if losses and losses[-1][1] == 1 else "boxes"
    said = f"{key} {unit.name}: {line.fate}" + (f", lost {lost} {boxes}" if lost else "")
    said += f", lost {in_words(line.parties_lost)}" if line.parties_lost else ""
    said += f", lost {counted(line.fighters_lost, 'fighter')}" if line.fighters_lost else ""
    return said + (f", lost {counted(line.boosters_lost, 'set')} of booster packs" if line.boosters_lost else "")


@rule("2.10")
def _agree(state: CutlerState, battle: Battle, accounts: Mapping[Side, BattleResult]) -> Agreement[BattleResult]:
    """Both sides' accounts, compared line by line; boxes of units that are gone do not matter."""
    one, other = (accounts[race] for race in battle.sides)
    differences: list[str] = []
    for key in battle.lines:
        mine, theirs = one.root[key], other.root[key]
        gone = mine.fate == theirs.fate == "destroyed"
        if mine != theirs and not gone:
            said = [
                f"{state.names_of(battle.force_of(race))} says {_line_text(state, battle, key, line).split(': ', 1)[1]}"
                for race, line in zip(battle.sides, (mine, theirs), strict=True)
            ]
            differences.append(f"{key} {_unit(state, battle, key).name}: {'; '.join(said)}")
    return Agreement(None if differences else one, tuple(differences))


# --- what it changes -------------------------------------------------------------------------------------------------


@rule("3.4.5.3", "4.1.8", "4.1.9", "5.1")
def _carry_out(turn: CutlerTurn, battle: Battle, result: BattleResult) -> None:
    """Losses, damage, captures and disengagements. CPV go down with their boxes, or with a captured unit to its captor.

    3.4.5.3, 4.1.8, 4.1.9, 5.1
    """
    state, here = turn.state, turn.state.fights[battle.hex]
    gone: list[Unit] = []
    lines = [_line_text(state, battle, key, result.root[key]) for key in battle.lines]
    owners = {key: _owner_of(battle, state, key) for key in battle.lines}
    for key, line in ((key, result.root[key]) for key in battle.lines):
        unit = _unit(state, battle, key)
        enemy = next(race for race in battle.sides if race != battle.side_of(owners[key]))
        unit.warp_ok = max(0, unit.warp_ok - line.warp_lost)
        unit.impulse_ok = max(0, unit.impulse_ok - line.impulse_lost)
        unit.boarding_parties = max(0, unit.boarding_parties - line.parties_lost)
        unit.lose_cargo_boxes(line.cargo_lost)
        lose_fighters(unit, line.fighters_lost, line.boosters_lost)
        if line.fate == "destroyed":
            unit.destroyed = True
            unit.lose_all_cpv()
            unit.fighters = unit.booster_sets = 0
        elif line.fate == "captured":
            _capture(here, unit, line.captor or enemy)
        elif line.fate == "disengaged":
            unit.disengaged_from = [*unit.disengaged_from, *battle.force_of(enemy)]
            gone += [unit] if unit.kind != "fighters" else []
    here.battle = None
    text = f"The battle in {battle.hex} is over. {'; '.join(lines)}."
    settled = SETTLED_BY[turn.settlement("battle", battle.everyone)]
    turn.tell(battle.everyone, text, kind="battle", why=because("3.4, 3.4.5", {settled: ""}))
    turn.show_maps(*battle.everyone)
    force_out(turn, gone, here.prizes)
    here.driven_off += [unit.id for unit in gone]
    here.in_battle += battle.everyone


@rule("5.1", "5.1.2")
def _capture(here: Fight, unit: Unit, captor: Side) -> None:
    """Give a captured unit to its captor where it is, to have its own fleet; its weapons stay barred. 5.1, 5.1.2"""
    here.known.setdefault(unit.race, {})[unit.id] = captor
    here.known.setdefault(captor, {}).pop(unit.id, None)
    here.prizes.append(unit.id)
    unit.taken_by(captor)
    unit.retreat_hex = ""
    unit.unload = False


@rule("3.4.5.4")
def force_out(turn: CutlerTurn, units: list[Unit], prizes: list[str]) -> None:
    """Set where disengaged units must go at their next opportunity: back, or in a random direction if they had not
    moved. Ships of one fleet share the roll; a prize has one of its own. What cannot move stays.

    3.4.5.4, CU-R62, CU-R63, CU-N09
    """
    fleet_of = {key: fleet.key for fleet in turn.state.fleets.values() for key in fleet.units}
    fleet_of |= {key: f"prize {number}" for number, key in enumerate(prizes, 1)}
    rolled: dict[tuple[Side, str], HexId] = {}
    goals: dict[tuple[Side, HexId], list[str]] = {}
    for unit in units:
        if unit.retreat_hex or top_speed(unit) == 0:
            continue
        if unit.entered_at is not None and unit.entered_at == unit.last_opportunity:
            unit.retreat_hex = unit.entered_from
        else:
            group = (unit.race, fleet_of[unit.id])
            if group not in rolled:
                place = turn.at("retreat", *group)
                rolled[group] = random_hex(place, unit.race, unit.hex, "retreat")
            unit.retreat_hex = rolled[group]
        goals.setdefault((unit.race, unit.retreat_hex), []).append(unit.name)
    for (race, goal), names in goals.items():
        text = f"Disengaged, and off to {goal} at the next opportunity: {', '.join(names)}."
        turn.tell([race], text, kind="movement", why=because("3.4.5.4, CU-R62", {"to": goal}))
