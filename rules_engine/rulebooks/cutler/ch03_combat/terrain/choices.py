"""Two choices about battles at features: which pursuers join in them, and in which order they are fought. 3.5"""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch03_combat.terrain.sheets import BattleOrderSheet, JoinSheet
from rules_engine.rulebooks.cutler.records.combat.battles import Wave
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps


@rule("3.5.5.1", "2.10")
def join_steps(turn: CutlerTurn, hex_id: HexId, races: Sequence[Side], wave: Wave, able: list[Unit]) -> Steps[None]:
    """Ask which of the pursuers that are left go on to the feature after a wave, each race for its own; the others
    fight no more of that race here. 3.5.5.1, 2.10"""
    ground = turn.state.fights[hex_id].ground
    own = {race: titles for race in races if (titles := {unit.id: unit.title for unit in able if unit.race == race})}
    name = ground.named(wave.to).name
    sheets = yield from ask_details_steps(
        turn, [_join_ask(hex_id, race, wave, titles, name) for race, titles in own.items()]
    )
    for titles, sheet in zip(own.values(), sheets, strict=True):
        ground.places |= dict.fromkeys(_going(titles, sheet), wave.to)


def _going(titles: Mapping[str, str], sheet: JoinSheet) -> list[str]:
    return list(titles) if sheet.ships is None else [key for key in titles if key in sheet.ships]


def _join_ask(hex_id: HexId, race: Side, wave: Wave, titles: Mapping[str, str], name: str) -> Ask[JoinSheet]:
    def judge(sheet: JoinSheet) -> list[Refusal]:
        ships = sheet.ships or ()
        doubled = [malformed("a ship is named twice", "join.ships")] if len(set(ships)) < len(ships) else []
        return doubled + [
            illegal("this unit did not pursue them", "3.5.5.1", "join.ships", nearest=nearest(ship, titles))
            for ship in ships
            if ship not in titles
        ]

    ships = tuple(Choice(key, title) for key, title in titles.items())
    field = Field("ships", "Go on to it", "many", ships, value=list(titles), optional=True)
    return Ask(
        kind="join",
        parties=(race,),
        title=f"{hex_id}: after the pursuit of wave {wave.number}",
        text=f"Your pursuers may go on to {name} and fight there. Who does not fights them no more this impulse.",
        question=Question(
            f"After the pursuit in {hex_id}", f"Do your pursuers go on to {name} and fight there?", (hex_id,)
        ),
        model=JoinSheet,
        form=Form((Line("join", f"At {name}", (field,)),)),
        rule="3.5.5.1",
        default=JoinSheet({}),
        default_says="All of them go on.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: (
            [f"{titles[key]} goes on to {name}." for key in _going(titles, sheet)] or ["Nobody goes on."]
        ),
    )


@rule("3.5.7")
def order_steps(turn: CutlerTurn, hex_id: HexId, race: Side, keys: list[str]) -> Steps[list[str]]:
    """Ask the attacker for the order of its battles, if there are several; of a coordinated force what any of its races
    sent last. 3.5.7, 2.10"""
    if len(keys) < 2:
        return keys
    here = turn.state.fights[hex_id]
    force = here.force_of(race)
    names = {key: here.ground.named(key).name for key in keys}

    def judge(sheet: BattleOrderSheet) -> list[Refusal]:
        refusals: list[Refusal] = []
        for key, line in sheet.root.items():
            if key not in names:
                near = nearest(key, names)
                refusals.append(malformed("no battle is fought there", key, legal=", ".join(names), nearest=near))
            elif line.place is not None and line.place > len(names):
                refusals.append(malformed("there is no such place", f"{key}.place", legal=f"1 to {len(names)}"))
        return refusals

    lines = [
        Line(key, name, (number_field("place", "Fought as number", range(1, len(keys) + 1), number),))
        for number, (key, name) in enumerate(names.items(), 1)
    ]
    ask = Ask(
        kind="order",
        parties=force,
        forces=(force,),
        title=f"{hex_id}: the order of your battles",
        text="In which order are the battles at the features fought? Equal numbers keep the order of the sheet.",
        question=Question(
            f"Order of battles in {hex_id}", "In which order are the battles at the features fought?", (hex_id,)
        ),
        model=BattleOrderSheet,
        form=Form(tuple(lines)),
        rule="3.5.7",
        default=BattleOrderSheet({}),
        default_says=f"In this order: {', '.join(names.values())}.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [f"In this order: {', '.join(names[key] for key in sheet.ordered(keys))}."],
    )
    (sheet,) = yield from ask_details_steps(turn, [ask])
    return sheet.ordered(keys)
