"""Chapter 3: the combat phase. S1-S5, cards, challenges, escapes, the main battle; hexes are fought side by side."""

import re
from collections.abc import Mapping, Sequence
from itertools import count

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import Removed, because
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import announce_convoys
from rules_engine.rulebooks.cutler.ch02_movement.coordination import part_after_combat
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch03_combat.battle import main_battle_steps
from rules_engine.rulebooks.cutler.ch03_combat.cards import cards_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.allocation import cannot_fight, is_idle
from rules_engine.rulebooks.cutler.ch03_combat.terrain.encounter import note_features, terrain_encounter_steps
from rules_engine.rulebooks.cutler.ch03_combat.transfers import fought_here, has_time, transfer_steps
from rules_engine.rulebooks.cutler.ch04_accessories.aces import rescue_aces
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.accessories.flown import fighters_in
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain
from rules_engine.rulebooks.cutler.records.combat.work import WorkOfImpulse
from rules_engine.rulebooks.cutler.records.conditions.cloaks import (
    faced,
    hunted_pairs,
    is_hidden,
    meeting_races,
    open_races,
    seen,
)
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.orders import ChallengeLine, ChallengeSheet
from rules_engine.rulebooks.cutler.records.parts.craft import recover, take_back
from rules_engine.rulebooks.cutler.records.parts.seen import Parties, as_parties, owners_of, parties_met, parties_seen
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import keep_in_boxes
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, challenge_decision
from rules_engine.rulebooks.cutler.standing.precedence import order_in


@rule("3.1", "2.5")
def combat_phase_steps(turn: CutlerTurn) -> Steps[None]:
    """Every hex in which races meet. Each is a strand, for none depends on another; what they leave for the rest of the
    state is carried out in ascending order of number. 3.1, 2.5, CU-N14
    """
    state = turn.state
    shared = state.meetings()
    met = {hex_id: races for hex_id in shared if (races := meeting_races(state, hex_id))}
    meetings = {hex_id: races for hex_id, races in met.items() if not is_idle(state, hex_id, races)}

    def there_steps(there: CutlerTurn, hex_id: HexId) -> Steps[None]:
        return hex_combat_steps(there, hex_id, meetings[hex_id])

    for hex_id in shared:
        _meet(turn.at(hex_id), hex_id, meetings.get(hex_id, []))
    open_fights(state, meetings)
    yield from turn.parting_steps(meetings, there_steps, window="decision")
    close_fights(turn)


def open_fights(state: CutlerState, meetings: Mapping[HexId, Sequence[Side]]) -> None:
    """Note what the map shows, and what is the ground of each hex: who is there, and who fights as one. Whoever is
    hidden there is in no force, or a card would tell of it."""
    state.shown = state.counters()
    state.fights = {
        hex_id: Fight(
            forces=_forces_of(state, [race for race in races if race in open_races(state, hex_id)]),
            ground=HexTerrain(fought_at=dict(state.fought_at)),
            work=WorkOfImpulse(last=dict(state.work.last)),
        )
        for hex_id, races in meetings.items()
    }


def close_fights(turn: CutlerTurn, *, sorties: bool = False) -> dict[HexId, Fight]:
    """Carry out what the hexes have left for the rest of the state; what went on in them, be it fights of ``sorties``,
    before units of one hex have met."""
    state = turn.state
    fights, state.fights, state.shown = state.fights, {}, []
    for hex_id, fight in fights.items():
        state.fought_at |= {key: place for key, place in fight.ground.fought_at.items() if key in state.units}
        state.work.take_in(fight.work, fight.prizes)
        settle_fleets(state, hex_id, fight)
        _name_prizes(turn, fight)
        for race, lost in take_back(state, hex_id, fight).items():
            count = counted(fighters_in(lost), "fighter")
            text = f"No box in {hex_id} for {count} that fought apart from their carriers: lost."
            turn.tell([race], text, kind="combat", why=because("3.3.2, 3.5.8, CU-N93"))
            rescue_aces(turn, race, (hex_id, hex_id), lost)
    for body in state.bodies().values():
        if body.hex in fights:
            keep_in_boxes(state, body)
    tidy_fleets(state)
    part_after_combat(turn, fights)
    for hex_id, fight in fights.items():
        _hold_where_driven(state, fight)
        for pair in fight.pairs:
            _look_again(turn.at(hex_id), hex_id, pair, fight, sorties=sorties)
    return fights


@rule("2.10")
def _forces_of(state: CutlerState, races: Sequence[Side]) -> list[list[Side]]:
    """The coordinated races among these, which are one force in all respects. 2.10"""
    forces = ([race for race in races if race in force] for force in state.coordination.forces)
    return [force for force in forces if len(force) > 1]


@rule("3.1.3", "2.6.2.1")
def _meet(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> None:
    """All see S1-S5 of the others, but for those that stay under cloak; these see the others, too. ``races`` are those
    that meet. 3.1.3, 2.6.2.1, CU-R49"""
    state = turn.state
    announce_convoys(turn, hex_id, races)
    for viewer in state.races_in(hex_id):
        partners = state.coordination.force_of(viewer)
        met = parties_met(state, viewer, hex_id)
        for other, units in met.items():
            exchange(turn, viewer, other, hex_id, units)
        if viewer in races:
            if set(races).issubset(partners):
                continue
            if order_in(state, viewer, hex_id, "cards") is None:
                state.empires[viewer].alerts.append(f"you met others in {hex_id}")
            elif turn.shared.orders_wait:
                state.empires[viewer].spared = True
        elif any(map(is_hidden, state.units_in(hex_id, viewer))) and any(
            unit.race not in partners for units in met.values() for unit in units
        ):
            state.empires[viewer].alerts.append(f"your cloaked ships are with others in {hex_id}")
    for finder in open_races(state, hex_id):
        for race in [one for one in state.races_in(hex_id) if one not in state.coordination.force_of(finder)]:
            _tell_the_found(turn, hex_id, race, finder)


@rule("2.6.2.1", "8.6", "6.4.1.6")
def _tell_the_found(turn: CutlerTurn, hex_id: HexId, race: Side, finder: Side) -> None:
    """Tell a race which of its hidden ships another one there found, and may fight in this impulse. 2.6.2.1"""
    found = [unit.name for unit in faced(turn.state, hex_id, race, finder) if is_hidden(unit)]
    if found:
        text = f"The {turn.name_of(finder)} found you under cloak in {hex_id}, and may fight: {', '.join(found)}."
        turn.tell([race], text, kind="combat", why=because("2.6.2.1, CU-R118"))


@rule("3.1", "2.6.2.1", "3.9")
def hex_combat_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[None]:
    """One hex: the races that all there can see meet; then whoever found another's hidden ships may fight them, of
    which nobody else there learns. Partners who have all found them do so as one. When all is over, who has fought
    gives ships what lies in cargo boxes. 3.1, 2.6.2.1, 3.9, 2.10, CU-N74, CU-N90, CU-N104"""
    state, here = turn.state, turn.state.fights[hex_id]
    shown = [race for race in open_races(state, hex_id) if race in races]
    pairs = [pair for pair in hunted_pairs(state, hex_id) if pair[0] in races and pair[1] in races]
    if len(shown) > 1:
        yield from _open_combat_steps(turn, hex_id, shown)
    done: list[tuple[Side, Side]] = []
    for pair in pairs:
        finders = [one for one, race in pairs if race == pair[1] and one in here.force_of(pair[0])]
        if pair in done:
            continue
        done += [(one, pair[1]) for one in finders]
        apart, here.forces = here.forces, [finders] if len(finders) > 1 else []
        place = turn.at("hunt", *pair)
        able = opponents(state, hex_id, *pair) and opponents(state, hex_id, *pair[::-1])
        if able and (yield from cards_steps(place.at("cards"), hex_id, (*finders, pair[1]), parting=False)):
            yield from encounter_steps(place, hex_id, pair)
        here.forces = apart
    yield from transfer_steps(turn.at("transfer"), hex_id, fought_here(state, here), "after")


@rule("3.1.1", "3.1.2")
def _open_combat_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[None]:
    """Cards are shown, and their consequences follow. 3.1.1, 3.1.2, CU-R50"""
    if not (yield from cards_steps(turn.at("cards"), hex_id, races)):
        return
    here = turn.state.fights[hex_id]
    sides = [race for race in races if here.force_of(race)[0] == race]
    if len(sides) == 2:
        yield from encounter_steps(turn, hex_id, (sides[0], sides[1]))
    else:
        yield from _challenges_steps(turn, hex_id, sides)


def settle_fleets(state: CutlerState, hex_id: HexId, fight: Fight) -> None:
    """Carry out what a hex has left to be done: prizes get fleets of their own, and all know what they have learnt."""
    for race, ships in fight.known.items():
        state.empires[race].known_ships |= ships
    for unit in (state.units[key] for key in dict.fromkeys(fight.prizes)):
        for fleet in state.fleets.values():
            fleet.units = [key for key in fleet.units if key != unit.id]
        if not unit.destroyed:
            state.empires[unit.race].known_ships.pop(unit.id, None)
            # A PF that was taken with its tender is docked on it still, and goes into its fleet.
            if unit.in_fleets and (not unit.docked_at or not state.units[unit.docked_at].in_fleets):
                state.new_fleet(unit.race, [unit.id])
    for race in fight.in_battle:
        state.empires[race].alerts.append(f"there was a battle in {hex_id}")


@rule("5.1")
def _name_prizes(turn: CutlerTurn, fight: Fight) -> None:
    """Give a prize whose captor has a unit of that name one that tells them apart; a ship that is back with the race
    that built it has its own again. 5.1, CU-N184"""
    state = turn.state
    for unit in (state.units[key] for key in dict.fromkeys(fight.prizes)):
        if unit.destroyed:
            continue
        plain, before = _PRIZE.sub("", unit.name), unit.name
        taken = {one.name.casefold() for one in state.alive(unit.race) if one is not unit}
        names = (f"{plain} (prize{f' {number}' if number > 1 else ''})" for number in count(1))
        is_plain = plain.casefold() not in taken or not unit.captured_from
        unit.name = plain if is_plain else next(name for name in names if name.casefold() not in taken)
        if unit.name != before and unit.captured_from:
            text = f"You have a {before} of your own: the prize of that name is called {unit.name} from now on."
            turn.tell([unit.race], text, kind="combat", why=because("5.1"))


_PRIZE = re.compile(r" \(prize(?: \d+)?\)$")


@rule("3.4.5.4")
def _hold_where_driven(state: CutlerState, fight: Fight) -> None:
    """Fleets of ships that were driven off follow their course no longer. 3.4.5.4"""
    for fleet in state.fleets.values():
        if any(key in fight.driven_off and state.units[key].retreat_hex for key in fleet.units):
            fleet.end_course()


@rule("3.1.3")
def exchange(turn: CutlerTurn, viewer: Side, other: Side, hex_id: HexId, units: list[Unit]) -> None:
    """Show ``viewer`` S1-S5 of these units in the hex, unless it was told just that already. 3.1.3, CU-R49"""
    state = turn.state
    if units and not tacintel.same_as_known(turn, viewer, other, hex_id, units):
        text = f"In {hex_id}: {tacintel.in_words(owners_of(state, units), units)}."
        why = because("3.1.3, CU-R48", {"level": tacintel.LEVEL_NAME})
        tacintel.show(turn, viewer, other, hex_id, units, text=text, why=why)


# --- three races and more --------------------------------------------------------------------------------------------


def _pair(one: Side, other: Side) -> str:
    return "+".join(sorted((one, other)))


@rule("3.2")
def _challenges_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[None]:
    """The acting player, by the highest roll, challenges or passes, until nothing is left to challenge.

    A race that passed does not roll again until a challenge is made, nor does one that has nobody left to challenge;
    who has nothing left there hears no more of it.

    3.2, CU-R51, CU-R52, CU-R131, CU-N07
    """
    state, here = turn.state, turn.state.fights[hex_id]
    number = 0
    while True:
        left = [race for race in races if set(here.force_of(race)).intersection(open_races(state, hex_id))]
        pairs = _open_pairs(state, hex_id, left)
        able = [race for race in left if any(race in pair for pair in pairs) and race not in here.passed]
        if not able:
            break
        number += 1
        place = turn.at(number)
        present = [race for race in here.races_of(*races) if race in open_races(state, hex_id)]
        if len(pairs) == 1:
            here.paired.append(_pair(*pairs[0]))
            if (yield from cards_steps(place.at("cards"), hex_id, here.races_of(*pairs[0]), parting=False)):
                yield from encounter_steps(place, hex_id, pairs[0])
            break
        order, rolls = roll_order(place, able, "acting player", seen_by=present)
        actor = order[0]
        options = [race for race in left if (actor, race) in pairs or (race, actor) in pairs]
        ask, ordered = _challenge_ask(state, actor, hex_id, options), challenge_decision(state, actor, hex_id)
        (sheet,) = yield from ask_or_obey_steps(place, [ask], [ordered])
        victim = sheet.race
        why = because("3.2, CU-R51", {"acting": turn.name_of(actor)}, rolls)
        many = len(here.force_of(actor))
        does = verb(many, "passes", "pass")
        if victim:
            does = f"{verb(many, 'challenges', 'challenge')} the {state.names_of(here.force_of(victim))}"
        text = f"In {hex_id} the {state.names_of(here.force_of(actor))} {verb(many, 'acts', 'act')} and {does}"
        text += _say_passed(state, here, [race for race in here.passed if race in left])
        turn.tell(present, f"{text}.", kind="combat", why=why)
        if victim is None:
            here.passed = [*here.passed, actor]
            continue
        here.passed = []
        here.paired.append(_pair(actor, victim))
        yield from encounter_steps(place, hex_id, (actor, victim))


@rule("3.2")
def _say_passed(state: CutlerState, here: Fight, passed: Sequence[Side]) -> str:
    """Who has passed, and so did not roll for this challenge, to go on its report; empty if nobody has. 3.2, CU-R131"""
    if not passed:
        return ""
    races = [race for side in passed for race in here.force_of(side)]
    does = verb(len(races), "has passed and does", "have passed and do")
    return f"; the {in_a_row([state.name_of(race) for race in races])} {does} not roll"


def _open_pairs(state: CutlerState, hex_id: HexId, left: list[Side]) -> list[tuple[Side, Side]]:
    return [
        (one, other)
        for at, one in enumerate(left)
        for other in left[at + 1 :]
        if _pair(one, other) not in state.fights[hex_id].paired
        and (units := opponents(state, hex_id, one, other))
        and (others := opponents(state, hex_id, other, one))
        and not cannot_fight(units, others)
    ]


def _challenge_ask(state: CutlerState, race: Side, hex_id: HexId, options: list[Side]) -> Ask[ChallengeSheet]:
    """The acting player's choice; of a coordinated force what any of its races sent last. 2.10"""
    here = state.fights[hex_id]
    names = {other: state.names_of(here.force_of(other)) for other in options}
    ways = tuple(Choice(value=other, label=name) for other, name in names.items())
    field = Field(key="race", label="Challenge", kind="one", choices=ways, optional=True, help="blank passes")

    def judge(sheet: ChallengeSheet) -> list[Refusal]:
        if sheet.race is None or sheet.race in options:
            return []
        legal = "pass, or " + " or ".join(names.values())
        return [illegal("this race cannot be challenged by you now", "3.2, CU-R51", "challenge.race", legal=legal)]

    return Ask(
        kind="challenge",
        parties=here.force_of(race),
        forces=(here.force_of(race),),
        title=f"{hex_id}: you act first",
        text=f"You may challenge one race in {hex_id} to combat, or pass.",
        question=Question(f"You act first in {hex_id}", "Challenge one race there to combat, or pass?", (hex_id,)),
        model=ChallengeSheet,
        form=Form(lines=(Line(key="challenge", label="Challenge", fields=(field,)),)),
        rule="3.2",
        default=ChallengeSheet({"challenge": ChallengeLine()}),
        default_says="You pass.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [f"You challenge the {names[sheet.race]}." if sheet.race else "You pass."],
    )


# --- an encounter ----------------------------------------------------------------------------------------------------


def _faced_by(state: CutlerState, hex_id: HexId, race: Side, enemies: Sequence[Side]) -> list[Unit]:
    """A race's units in the hex that one of a force can meet."""
    found = {unit.id: unit for enemy in enemies for unit in faced(state, hex_id, race, enemy)}
    return [found[key] for key in sorted(found)]


@rule("3.3.7.2", "3.4.5.3", "2.6.2.1")
def opponents(state: CutlerState, hex_id: HexId, race: Side, other: Side) -> list[Unit]:
    """The units of a side in the hex that the other may still fight this impulse; none that are hidden from it.
    3.3.7.2, 3.4.5.3, 2.6.2.1"""
    here = state.fights.get(hex_id, Fight())
    enemies = here.force_of(other)
    return [
        unit
        for member in here.force_of(race)
        for unit in _faced_by(state, hex_id, member, enemies)
        if not {*unit.escaped_from, *unit.disengaged_from}.intersection(enemies)
    ]


@rule("3.3", "3.4", "3.9")
def encounter_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side]) -> Steps[None]:
    """Two sides: escape waves and pursuit, their battles, then the main battle of all that are left; in a hex with
    terrain features, what 3.5 has instead. Fighters that fought apart before go back aboard, and who comes from a
    battle with another race may move people and craft among its ships. 3.3, 3.4, 3.9, CU-N98, CU-N104"""
    state, here = turn.state, turn.state.fights[hex_id]
    recover(state, hex_id, here)
    one, other = pair
    working = [
        race
        for side, foe in (pair, pair[::-1])
        for race in here.force_of(side)
        if has_time(state, race, hex_id, here.force_of(foe))
    ]
    yield from transfer_steps(turn.at("vs", *pair, "transfer"), hex_id, working, "between")
    forces = {one: opponents(state, hex_id, one, other), other: opponents(state, hex_id, other, one)}
    here.pairs += [(race, foe) for race in here.force_of(one) for foe in here.force_of(other)]
    if note_features(state, hex_id):
        yield from terrain_encounter_steps(turn.at("vs", *pair), hex_id, pair, forces)
        return
    yield from escape_steps(turn.at("vs", *pair), hex_id, pair, forces)
    main = {
        race: [unit for unit in forces[race] if not unit.destroyed and unit.race in here.force_of(race)]
        for race in pair
    }
    if main[one] and main[other]:
        yield from main_battle_steps(turn.at("vs", *pair, "main"), hex_id, pair, main)
    else:
        text = f"In {hex_id} nobody is left for a main battle."
        turn.tell(here.races_of(*pair), text, kind="combat", why=because("3.4, 3.3.5"))


@rule("2.9.8", "3.1.3")
def _look_again(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], fight: Fight, *, sorties: bool) -> None:
    """Note that both races have seen what is left of the other. After ``sorties`` a race has seen those units alone
    that it fought: not those of a race whose fighters came from elsewhere. 2.9.8, 3.1.3, CU-N145"""
    state = turn.state
    for viewer, race in (pair, pair[::-1]):
        tracks = state.empires[viewer].tracks
        parties = _seen_again(state, viewer, hex_id, fight)
        for part in tacintel.PARTS:
            key = tacintel.Subject(race=race, hex=hex_id, part=part).key()
            left = any(tacintel.part_of(state, unit) == part for unit in parties.get(race, ()))
            track = None if left else tracks.drop(key)
            if track is not None:
                known = tacintel.contact_in_words(turn, viewer, key, track)
                text = f"{known.said} {verb(known.number, 'is', 'are')} no more."
                turn.tell([viewer], text, kind="contact", facts=[Removed(track=track)])
        for other, units in parties.items():
            of_race = race in (other, *(unit.race for unit in units))
            if of_race and (not sorties or _fought(state, fight, viewer, race)):
                exchange(turn, viewer, other, hex_id, units)


def _fought(state: CutlerState, fight: Fight, viewer: Side, race: Side) -> bool:
    """Whether units of a race, and not only fighters of its, fought another one there."""
    fought = [(state.units[key], one) for key, one in fight.work.last.items() if key in state.units]
    return any(viewer in one.against for unit, one in fought if unit.race == race)


@rule("2.9.8")
def _seen_again(state: CutlerState, viewer: Side, hex_id: HexId, fight: Fight) -> Parties:
    """The others in a hex as a race sees them that has fought there; who has no units there, but sent a sortie, sees
    those alone whom it has fought. 2.9.8"""
    if viewer in state.races_in(hex_id):
        return parties_seen(state, viewer, hex_id)
    fought = {race for pair in fight.pairs if viewer in pair for race in pair if race != viewer}
    return as_parties(state, viewer, hex_id, {race: seen(state, hex_id, race, viewer) for race in fought})
