"""Chapter 3.4 and 3.9: what is reported of a battle: the form, what is refused, and whether both sides agree."""

from collections.abc import Mapping

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted, noun, verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line, Sheet, choices, number_field
from rules_engine.core.protocol.accounts import Difference, field_difference
from rules_engine.core.protocol.asks import Agreement
from rules_engine.rulebooks.cutler.ch03_combat.fighter_results import fighter_losses, judge_fighters
from rules_engine.rulebooks.cutler.ch03_combat.work import judge_repairs, most_points
from rules_engine.rulebooks.cutler.ch04_accessories.losses import (
    judge_losses,
    loss_fields,
    say_losses,
)
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.parts.units import LifeSupport
from rules_engine.rulebooks.cutler.records.planetary import in_words, most_parties
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

FATES = choices(
    intact="Still there, engines as before",
    damaged="Still there, damaged",
    disengaged="Disengaged",
    destroyed="Destroyed",
    captured="Captured",
)
FATE_WORDS = tuple(choice.value for choice in FATES)
LIFE_SUPPORT = choices(full="Full", emergency="Emergency only", none="None")
"""What an account says of the life support of derelicts. 2.4.1.6, CU-R22"""
PFS_APART = "Docked PFs lost, though it is not; or away, though it is lost"
"""The docked PFs that do not share the fate of their host; as many as its class has docks, which tells nothing of how
many are docked. 2.4.1.7, CU-R23"""
NO_FATE = {"base": ("disengaged",), "ground_base": ("disengaged", "captured"), "fighters": ("captured",)}
"""What does not happen to units of some kinds."""


class UnitResult(PartialLine):
    """How one unit came out: its fate, the boxes and boarding parties it lost in this battle, its points of D9.4 for
    these boxes, and its life support if it is left without engines. 2.4.1.6, 3.9, G-6"""

    fate: str = "intact"
    warp_lost: int = Bounded(default=0, ge=0, strict=True)
    impulse_lost: int = Bounded(default=0, ge=0, strict=True)
    parties_lost: int = Bounded(default=0, ge=0, strict=True)
    cargo_lost: int = Bounded(default=0, ge=0, strict=True)
    module_lost: bool = False
    shuttles_lost: int = Bounded(default=0, ge=0, strict=True)
    crew_lost: int = Bounded(default=0, ge=0, strict=True)
    mines_dropped: int = Bounded(default=0, ge=0, strict=True)
    fighters_lost: int = Bounded(default=0, ge=0, strict=True)
    boosters_lost: int = Bounded(default=0, ge=0, strict=True)
    repair_points: int = Bounded(default=0, ge=0, strict=True)
    life_support: LifeSupport = "full"
    pfs_apart: int = Bounded(default=0, ge=0, strict=True)
    captor: str = ""

    @property
    def losses(self) -> dict[str, int]:
        """What it lost of each kind of box."""
        return {"warp": self.warp_lost, "impulse": self.impulse_lost, "cargo": self.cargo_lost}


class BattleResult(RootModel[dict[str, UnitResult]]):
    """A line for every unit in the battle."""


def unit_of(state: CutlerState, battle: Battle, key: str) -> Unit:
    return state.fighting(battle.hex, battle.lines[key])


def owner_of(battle: Battle, state: CutlerState, key: str) -> Side:
    return unit_of(state, battle, key).race


def result_form(state: CutlerState, battle: Battle) -> Form:
    lines: list[Line] = []
    for key in battle.lines:
        unit = unit_of(state, battle, key)
        fates = tuple(one for one in FATES if one.value not in NO_FATE.get(unit.kind, ()))
        fields = [Field(key="fate", label="Fate", kind="one", choices=fates, value="intact")]
        for what, total in _boxes(unit).items():
            if total:
                label = f"{what.capitalize()} boxes lost in this battle"
                fields.append(Field(key=f"{what}_lost", label=label, kind="number", least=0, most=total, value=0))
        if most := most_points(unit, state.repair_points):
            fields.append(number_field("repair_points", "Points of D9.4 for these after combat", range(most + 1), 0))
        if may_be_derelict(unit):
            fields.append(Field("life_support", "Life support, if no engine works", "one", LIFE_SUPPORT, value="full"))
        if unit.record.has_docking_module:
            fields.append(Field("module_lost", "Every internal on its docking module destroyed", "flag", value=False))
        if most := most_parties(unit):
            fields.append(number_field("parties_lost", "Boarding parties lost in this battle", range(most + 1), 0))
        fields += loss_fields(state, unit)
        if unit.record.pf_room:
            fields.append(number_field("pfs_apart", PFS_APART, range(unit.record.pf_room + 1), 0))
        for what, (label, most) in fighter_losses(unit).items():
            fields.append(number_field(what, label, range(most + 1), 0))
        captors = _captors(battle, unit.race)
        if len(captors) > 1:
            ways = choices(**{race: state.name_of(race) for race in captors})
            fields.append(Field(key="captor", label="If captured, by", kind="one", choices=ways, value=captors[0]))
        label = f"{key}: {state.name_of(unit.race)} {unit.title}"
        lines.append(Line(key=key, label=label, fields=tuple(fields)))
    return Form(lines=tuple(lines))


@rule("2.4.1.6")
def may_be_derelict(unit: Unit) -> bool:
    """Whether a unit can be left without engines. Accounts ask for the life support of each of these, for which of them
    are derelicts by now its enemy does not know. 2.4.1.6, CU-R22, CU-N170"""
    return unit.is_mobile and unit.kind != "fighters"


def _captors(battle: Battle, race: Side) -> list[Side]:
    """The races that may capture a unit of this one."""
    return [other for other in battle.everyone if battle.side_of(other) != battle.side_of(race)]


@rule("5.1", "2.10")
def captor_of(state: CutlerState, battle: Battle, key: str, line: UnitResult) -> Side:
    """Who captured a unit, by its line: of an enemy force the first race, unless another is named; "" if nobody did.
    5.1, 2.10, CU-N90"""
    if line.fate != "captured":
        return ""
    return line.captor or _captors(battle, owner_of(battle, state, key))[0]


def _reported(lost: int) -> str:
    return f"{lost} {verb(lost, 'is', 'are')} reported lost"


def _boxes(unit: Unit) -> dict[str, int]:
    """How many its class has of the boxes whose loss is reported."""
    return {"warp": unit.record.warp, "impulse": unit.record.impulse, "cargo": unit.record.cargo}


@rule("3.4", "3.4.5")
def judge_result(state: CutlerState, battle: Battle, result: BattleResult) -> list[Refusal]:
    """Refusals of a result: every unit must be accounted for, within what its class can lose. 3.4, 3.4.5, G-6"""
    refusals = [
        malformed(f"{unit_of(state, battle, key).name} is not accounted for", key, legal=", ".join(FATE_WORDS))
        for key in battle.lines
        if key not in result.root
    ]
    for key, line in result.root.items():
        if key not in battle.lines:
            near = nearest(key, battle.lines)
            refusals.append(malformed("no such unit took part", key, legal=", ".join(battle.lines), nearest=near))
            continue
        unit = unit_of(state, battle, key)
        if line.fate not in FATE_WORDS:
            near = nearest(line.fate, FATE_WORDS)
            refusals.append(malformed("no such fate", f"{key}.fate", legal=", ".join(FATE_WORDS), nearest=near))
        for what, total in _boxes(unit).items():
            lost = line.losses[what]
            if lost > total:
                text = (
                    f"{unit.name} has {counted(total, f'{what} box')}, {lost} {verb(lost, 'is', 'are')} reported lost"
                )
                rule_id = "4.1.8, G-6" if what == "cargo" else "2.4.1.6, G-6"
                refusals.append(illegal(text, rule_id, f"{key}.{what}_lost", legal=f"0 to {total}"))
        refusals += judge_repairs(unit, key, most_points(unit, state.repair_points), line.repair_points)
        if line.parties_lost > (most := most_parties(unit)):
            text = f"{unit.name} has room for {in_words(most)}, {_reported(line.parties_lost)}"
            refusals.append(illegal(text, "4.2.4.8, G-6", f"{key}.parties_lost", legal=f"0 to {most}"))
        if line.life_support != "full" and not may_be_derelict(unit):
            text = f"{unit.name} is never a derelict"
            refusals.append(illegal(text, "2.4.1.6, CU-R22", f"{key}.life_support", legal="full"))
        if line.pfs_apart > (most := unit.record.pf_room):
            text = f"{unit.name} has {counted(most, 'dock')} for PFs, {line.pfs_apart} would have another fate"
            refusals.append(illegal(text, "2.4.1.7, CU-R23", f"{key}.pfs_apart", legal=f"0 to {most}"))
        if line.module_lost and not unit.record.has_docking_module:
            text = f"{unit.name} is no starbase with docking bays"
            refusals.append(illegal(text, "4.2.1.1, G-6", f"{key}.module_lost", legal="no"))
        refusals += judge_losses(state, unit, key, line)
        refusals += judge_fighters(unit, key, line.fate, line.fighters_lost, line.boosters_lost)
        if line.fate == "intact" and (any(line.losses.values()) or line.module_lost):
            text = f"{unit.name} lost boxes, so it is not as before"
            refusals.append(illegal(text, "G-6", f"{key}.fate", legal="damaged", nearest=("damaged",)))
        if line.fate == "captured" and unit.kind == "ground_base":
            text = f"{unit.name} is taken by ground combat alone"
            refusals.append(illegal(text, "5.3, CU-N141", f"{key}.fate", legal="intact, damaged or destroyed"))
        if line.fate == "disengaged" and unit.is_station:
            refusals.append(illegal(f"{unit.name} is a base and cannot leave", "3.5, 3.4.5", f"{key}.fate"))
        captors = _captors(battle, unit.race)
        if line.captor and line.captor not in captors:
            text = f"{unit.name} is taken by an enemy"
            refusals.append(illegal(text, "5.1, 2.10", f"{key}.captor", legal=" or ".join(captors)))
        taken = line.fate == "captured" and unit.kind != "fighters"
        if taken and not _has_survivor(state, battle, result, unit.race):
            text = f"nobody was left to take {unit.name}"
            refusals.append(illegal(text, "5.1", f"{key}.fate", legal="intact, damaged, disengaged or destroyed"))
    return refusals + _judge_end_of_sortie(state, battle, result)


@rule("2.9.6")
def _judge_end_of_sortie(state: CutlerState, battle: Battle, result: BattleResult) -> list[Refusal]:
    """Fighters come back from a sortie when all their enemies are lost or driven off, or when they disengage. 2.9.6"""
    flown = [key for key in _sorties(state, battle) if key in result.root]
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


def broken_off(state: CutlerState, battle: Battle, form: Form) -> Sheet:
    """The account of a battle on which nobody agreed in time: nobody lost anything, and fighters that sortied
    disengage. 2.9.6, CU-N187"""
    sheet = form.prefilled()
    return {**sheet, **{key: {**sheet[key], "fate": "disengaged"} for key in _sorties(state, battle)}}


def _sorties(state: CutlerState, battle: Battle) -> list[str]:
    """The lines of fighters that came into a battle by themselves, from another place."""
    flown = [(key, unit_of(state, battle, key)) for key in battle.lines]
    return [key for key, unit in flown if unit.kind == "fighters" and unit.entered_from]


def _has_survivor(state: CutlerState, battle: Battle, result: BattleResult, race: Side) -> bool:
    """Whether the race's enemy came out with a ship."""
    return any(
        key in result.root and result.root[key].fate not in ("destroyed", "captured")
        for key in battle.lines
        if battle.side_of(owner_of(battle, state, key)) != battle.side_of(race)
        and unit_of(state, battle, key).kind != "fighters"
    )


def _fighting_on(state: CutlerState, battle: Battle, result: BattleResult) -> list[Side]:
    return [
        race
        for race in battle.sides
        if any(
            result.root[key].fate in ("intact", "damaged")
            for key in battle.lines
            if key in result.root and battle.side_of(owner_of(battle, state, key)) == race
        )
    ]


def warn_result(state: CutlerState, battle: Battle, result: BattleResult) -> list[str]:
    if len(_fighting_on(state, battle, result)) < 2:
        return []
    return ["Both sides still have units that neither left nor were lost; as a rule one side is gone (3.4.5)."]


def line_text(state: CutlerState, battle: Battle, key: str, line: UnitResult) -> str:
    losses = [(what, count) for what, count in line.losses.items() if count]
    unit = unit_of(state, battle, key)
    lost = " and ".join(f"{count} {what}" for what, count in losses)
    boxes = noun(losses[-1][1] if losses else 0, "box")
    by = captor_of(state, battle, key, line) if len(_captors(battle, unit.race)) > 1 else ""
    said = f"{key} {unit.name}: {line.fate}" + (f" by the {state.name_of(by)}" if by else "")
    said += f", lost {lost} {boxes}" if lost else ""
    said += f", {counted(line.repair_points, 'point')} of D9.4" if line.repair_points else ""
    said += f", life support: {line.life_support}" if line.life_support != "full" else ""
    gone = line.fate in ("destroyed", "captured")
    said += f", {counted(line.pfs_apart, 'docked PF')} {'away' if gone else 'lost'}" if line.pfs_apart else ""
    said += ", lost its docking module" if line.module_lost else ""
    said += f", lost {in_words(line.parties_lost)}" if line.parties_lost else ""
    said += f", lost {counted(line.fighters_lost, 'fighter')}" if line.fighters_lost else ""
    said += f", lost {counted(line.boosters_lost, 'set')} of booster packs" if line.boosters_lost else ""
    return said + say_losses(line)


@rule("2.10")
def agree(state: CutlerState, battle: Battle, accounts: Mapping[Side, BattleResult]) -> Agreement[BattleResult]:
    """Both sides' accounts, compared line by line; boxes of units that are gone do not matter, and neither does who
    would have captured what nobody did. 2.10"""
    one, other = (accounts[race] for race in battle.sides)
    differences: list[str] = []
    places: list[Difference] = []
    form = result_form(state, battle)
    for key in battle.lines:
        mine, theirs = (
            line.model_copy(update={"captor": captor_of(state, battle, key, line)})
            for line in (one.root[key], other.root[key])
        )
        gone = mine.fate == theirs.fate == "destroyed" and mine.pfs_apart == theirs.pfs_apart
        if mine != theirs and not gone:
            both = dict(zip(battle.sides, (mine, theirs), strict=True))
            said = [
                f"{state.names_of(battle.force_of(race))} {verb(len(battle.force_of(race)), 'says', 'say')} "
                f"{line_text(state, battle, key, line).split(': ', 1)[1]}"
                for race, line in both.items()
            ]
            differences.append(f"{key} {unit_of(state, battle, key).name}: {'; '.join(said)}")
            places += _places(state, battle, form, key, both)
    return Agreement(None if differences else one, tuple(differences), tuple(places))


def _places(
    state: CutlerState, battle: Battle, form: Form, key: str, lines: Mapping[Side, UnitResult]
) -> list[Difference]:
    """Where accounts differ about a unit: in its fate, which is taken with all else of it, or in these fields of it."""
    name, line = unit_of(state, battle, key).name, form.line(key)
    if len({one.fate for one in lines.values()}) > 1 or line is None:
        said = {race: line_text(state, battle, key, one).split(": ", 1)[1] for race, one in lines.items()}
        brief = {race: one.fate for race, one in lines.items()}
        return [Difference(key, (), f"{key} {name}", said, brief)]
    values = {field.key: {race: getattr(one, field.key) for race, one in lines.items()} for field in line.fields}
    return [
        field_difference(key, field, f"{key} {name}: {field.label}", values[field.key])
        for field in line.fields
        if len(set(values[field.key].values())) > 1
    ]
