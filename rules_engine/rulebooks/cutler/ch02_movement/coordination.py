"""Chapter 2.10: races offer each other to act as one force, agree on it, and end it, all of it in secret."""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.orders import CoordinationLine
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight

LINE = "coordination"
RATING = "rating"
"""The counter of the race with the higher command rating stands for a force."""


def _others(state: CutlerState, race: Side) -> list[Side]:
    return [other for other in state.races() if other != race and other not in state.out]


@rule("2.10")
def coordination_lines(state: CutlerState, race: Side) -> list[Line]:
    """The line on which a race offers, accepts and ends coordination. 2.10"""
    others = _others(state, race)
    if not others:
        return []
    names = tuple(Choice(value=other, label=state.name_of(other)) for other in others)
    colours = (Choice(value=RATING, label="By command rating"), Choice(value=race, label="Yours"), *names)
    colour = state.coordination.colours.get(race) or RATING
    colour = colour if colour in (race, *others) else RATING
    named = _named(state, race)
    fields = (
        Field(key="partners", label="One force with", kind="many", choices=names, optional=True, value=[*named]),
        Field(key="colour", label="Its counter", kind="one", choices=colours, value=colour),
    )
    note = "Takes effect when all who are named name each other; ends when one no longer does"
    return [Line(key=LINE, label="Coordinated force", fields=fields, note=note)]


def _named(state: CutlerState, race: Side) -> list[Side]:
    """The races with which one would act as one force, as it stands."""
    named = state.coordination.wishes.get(race, [])
    return [other for other in _others(state, race) if other in named]


@rule("2.10")
def judge_coordination(state: CutlerState, race: Side, line: CoordinationLine) -> list[Refusal]:
    """Only other races that are in play can be named, each once. Whose counter is wanted counts where that race is in
    the force. 2.10"""
    others, refusals = _others(state, race), list[Refusal]()
    for other in line.partners or ():
        if other in state.out:
            text = f"the {state.name_of(other)} is out of play"
            refusals.append(illegal(text, "2.10, CU-N15", f"{LINE}.partners", legal=", ".join(others)))
        elif other not in others:
            near = nearest(other, others)
            refusals.append(
                malformed("this is no other race", f"{LINE}.partners", legal=", ".join(others), nearest=near)
            )
    if len(set(line.partners or ())) < len(line.partners or ()):
        refusals.append(malformed("a race is named twice", f"{LINE}.partners"))
    if line.colour not in (None, RATING, race, *others):
        legal = ", ".join([RATING, race, *others])
        text = "a force has the counter of one of its races"
        refusals.append(illegal(text, "2.10, CU-R33", f"{LINE}.colour", legal=legal))
    return refusals


def read_coordination(state: CutlerState, race: Side, line: CoordinationLine) -> list[str]:
    """The line in plain words; nothing where nothing is ordered and nothing stands."""
    before = _named(state, race)
    partners = before if line.partners is None else [other for other in state.races() if other in line.partners]
    given_up = [other for other in before if other not in partners]
    said: list[str] = []
    if partners:
        force = state.coordination.force_of(race)
        agreed = all(other in force for other in partners)
        said.append(f"One force with the {state.names_of(partners)}{'' if agreed else ', when all of them agree'}.")
    stored = state.coordination.colours.get(race) or RATING
    colour = line.colour or stored
    if partners or colour != stored:
        counter = "goes by command rating" if colour == RATING else f"is to be that of the {state.name_of(colour)}"
        said.append(f"The counter of a coordinated force {counter}.")
    if given_up:
        said.append(f"Coordination is given up: {state.names_of(given_up)}.")
    return said


@rule("2.10")
def store_coordination(state: CutlerState, race: Side, line: CoordinationLine) -> None:
    """Keep what a judged sheet orders of it. 2.10"""
    agreed = state.coordination
    if line.partners is not None:
        agreed.wishes[race] = [other for other in state.races() if other in line.partners]
    if line.colour is not None:
        agreed.colours.pop(race, None)
        if line.colour != RATING:
            agreed.colours[race] = line.colour


@rule("2.10")
def settle_coordination(turn: CutlerTurn) -> None:
    """End forces of which one no longer names the others, make those that are agreed by all, and tell whom it concerns
    alone: who is in a force, and to whom it was offered. 2.10, CU-R33, CU-N87"""
    state, agreed = turn.state, turn.state.coordination
    for race in state.races():
        agreed.wishes[race] = [] if race in state.out else _named(state, race)
    in_play = ([race for race in force if race not in state.out] for force in agreed.forces)
    agreed.forces = [force for force in in_play if len(force) > 1]
    before = [list(force) for force in agreed.forces]
    for force in before:
        leaving = [race for race in force if any(one not in agreed.wishes[race] for one in force if one != race)]
        if leaving:
            _end(turn, force, leaving)
    _agree(turn, agreed)
    for race in state.races():
        _tell_of_offers(turn, race)
    agreed.told = {race: list(agreed.wishes[race]) for race in state.races()}


def _end(turn: CutlerTurn, force: list[Side], leaving: list[Side]) -> None:
    """Some leave a force; what is left of it goes on if two are. Who is left names those no longer."""
    state, agreed = turn.state, turn.state.coordination
    left = [race for race in force if race not in leaving]
    agreed.forces = [one for one in agreed.forces if one != force] + ([left] if len(left) > 1 else [])
    names = state.names_of(leaving)
    why = because("2.10, CU-R33")
    for race in left:
        agreed.wishes[race] = [one for one in agreed.wishes[race] if one not in leaving]
        agreed.told[race] = list(agreed.wishes[race])
        state.empires[race].alerts.append(f"the {names} ended the coordination with you")
    if left:
        does = verb(len(leaving), "ends", "end")
        turn.tell(left, f"The {names} {does} the coordination with you.", kind="coordination", why=why)
    for race in leaving:
        others = state.names_of(one for one in force if one != race)
        agreed.told[race] = [one for one in agreed.told.get(race, []) if one not in force]
        turn.tell([race], f"You are one force with the {others} no longer.", kind="coordination", why=why)


@rule("2.10")
def _agree(turn: CutlerTurn, agreed: Coordination) -> None:
    """Races that name each other, and nobody else, are one force from now on. 2.10"""
    state = turn.state
    for race in state.races():
        force = [one for one in state.races() if one == race or one in agreed.wishes[race]]
        mutual = all({*agreed.wishes[one], one} == set(force) for one in force)
        if len(force) < 2 or force in agreed.forces or not mutual:
            continue
        agreed.forces = [one for one in agreed.forces if not set(one).intersection(force)] + [force]
        text = f"{state.names_of(force)} act as one force from now on."
        turn.tell(force, text, kind="coordination", why=because("2.10, CU-R33"))


def _tell_of_offers(turn: CutlerTurn, race: Side) -> None:
    """Tell the races that are newly named, or named no longer, and have not agreed. Nobody else learns of it."""
    state, agreed = turn.state, turn.state.coordination
    named, known, force = agreed.wishes[race], agreed.told.get(race, []), agreed.force_of(race)
    why = because("2.10")
    for other in named:
        if other not in known and other not in force:
            company = [one for one in named if one != other]
            more = f", and the {state.names_of(company)}" if company else ""
            text = f"The {state.name_of(race)} offers to act as one force with you{more}."
            turn.tell([other], f"{text} Name it on your sheet to accept.", kind="coordination", why=why)
            state.empires[other].alerts.append(f"the {state.name_of(race)} offers to act as one force")
    for other in known:
        if other not in named and other not in force:
            text = f"The {state.name_of(race)} offers to act as one force with you no longer."
            turn.tell([other], text, kind="coordination", why=why)


@rule("2.10")
def part_after_combat(turn: CutlerTurn, fights: Mapping[HexId, Fight]) -> None:
    """Carry out what coordinated races decided as a phase began: who left is in no force any more. 2.10"""
    parted = {race for fight in fights.values() for race in fight.parted}
    for race in turn.state.races():
        if race in parted:
            turn.state.coordination.wishes[race] = []
    if parted:
        settle_coordination(turn.at("coordination"))


def coordination_rows(state: CutlerState, race: Side) -> list[str]:
    """What a race has agreed and offered, and what it was offered, for its own board."""
    agreed = state.coordination
    force = [one for one in agreed.force_of(race) if one != race]
    rows = [f"One force with the {state.names_of(force)}."] if force else []
    offered = [one for one in agreed.told.get(race, []) if one not in force]
    rows += [f"Offered to act as one force: {state.names_of(offered)}."] if offered else []
    offering = [one for one in state.races() if one in agreed.offers_to(race)]
    return rows + [f"The {state.name_of(one)} offers to act as one force." for one in offering]


def coordination_defects(state: CutlerState) -> list[str]:
    """Forces are of several races each, and no race is in two. 2.10"""
    agreed, races = state.coordination, state.races()
    held = [race for force in agreed.forces for race in force]
    found = [f"the force of {', '.join(force)} has no partners" for force in agreed.forces if len(force) < 2]
    found += [f"{race} is in two forces" for race in races if held.count(race) > 1]
    found += [f"{race} is in a force and no race" for race in held if race not in races]
    return found + [
        f"{race} would be one force with itself or with nobody"
        for race, named in agreed.wishes.items()
        if race in named or any(other not in races for other in named)
    ]
