"""Chapter 3: the combat phase. S1-S5, cards, challenges, escapes, the main battle; hexes are fought side by side."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import Removed, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.ch02_movement.convoys import announce_convoys
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch03_combat.battle import main_battle_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.encounter import note_features, terrain_encounter_steps
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.conditions.cloaks import (
    faced,
    hunted_pairs,
    is_hidden,
    meeting_races,
    open_races,
    seen,
)
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.orders import CardLine, CardSheet, ChallengeLine, ChallengeSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit


@rule("3.1", "2.5")
def combat_phase_steps(turn: CutlerTurn) -> Steps[None]:
    """Every hex in which races meet. Each is a strand, for none depends on another; what they leave for the rest of the
    state is carried out in ascending order of number. 3.1, 2.5, CU-N14
    """
    state = turn.state
    shared = state.meetings()
    meetings = {hex_id: races for hex_id in shared if (races := meeting_races(state, hex_id))}

    def there_steps(there: CutlerTurn, hex_id: HexId) -> Steps[None]:
        return hex_combat_steps(there, hex_id, meetings[hex_id])

    for hex_id in shared:
        _meet(turn.at(hex_id), hex_id, meetings.get(hex_id, []))
    state.shown = state.counters()
    state.fights = {hex_id: Fight() for hex_id in meetings}
    yield from turn.parting_steps(meetings, there_steps, window="decision")
    fights, state.fights, state.shown = state.fights, {}, []
    for hex_id, fight in fights.items():
        settle_fleets(state, hex_id, fight)
    tidy_fleets(state)
    for hex_id, fight in fights.items():
        _hold_where_driven(state, fight)
        for pair in fight.pairs:
            _look_again(turn.at(hex_id), hex_id, pair)


@rule("3.1.3", "2.6.2.1")
def _meet(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> None:
    """All see S1-S5 of the others, but for those that stay under cloak; these see the others, too. ``races`` are those
    that meet. 3.1.3, 2.6.2.1, CU-R49"""
    state = turn.state
    announce_convoys(turn, hex_id, races)
    for viewer in state.races_in(hex_id):
        others = [other for other in state.races_in(hex_id) if other != viewer]
        met = {other: units for other in others if (units := faced(state, hex_id, other, viewer))}
        for other, units in met.items():
            exchange(turn, viewer, other, hex_id, units)
        if viewer in races and state.empires[viewer].cards == "ask":
            state.empires[viewer].alerts.append(f"you met others in {hex_id}")
        elif viewer not in races and met:
            state.empires[viewer].alerts.append(f"your cloaked ships are with others in {hex_id}")
    for finder in open_races(state, hex_id):
        for race in [one for one in state.races_in(hex_id) if one != finder]:
            _tell_the_found(turn, hex_id, race, finder)


@rule("2.6.2.1", "8.6", "6.4.1.6")
def _tell_the_found(turn: CutlerTurn, hex_id: HexId, race: Side, finder: Side) -> None:
    """Tell a race which of its hidden ships another one there found, and may fight in this impulse. 2.6.2.1"""
    found = [unit.name for unit in faced(turn.state, hex_id, race, finder) if is_hidden(unit)]
    if found:
        text = f"The {turn.name_of(finder)} found you under cloak in {hex_id}, and may fight: {', '.join(found)}."
        turn.tell([race], text, kind="combat", why=because("2.6.2.1, CU-R118"))


@rule("3.1", "2.6.2.1")
def hex_combat_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[None]:
    """One hex: the races that all there can see meet; then whoever found another's hidden ships may fight them, of
    which nobody else there learns. 3.1, 2.6.2.1, CU-N74"""
    state = turn.state
    shown = [race for race in open_races(state, hex_id) if race in races]
    hunts = [pair for pair in hunted_pairs(state, hex_id) if pair[0] in races and pair[1] in races]
    if len(shown) > 1:
        yield from _open_combat_steps(turn, hex_id, shown)
    for finder, race in hunts:
        pair = (finder, race)
        here = turn.at("hunt", *pair)
        if not opponents(state, hex_id, finder, race) or not opponents(state, hex_id, race, finder):
            continue
        if (yield from _cards_steps(here.at("cards"), hex_id, list(pair))):
            yield from encounter_steps(here, hex_id, pair)


@rule("3.1.1", "3.1.2")
def _open_combat_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[None]:
    """Cards are shown, and their consequences follow. 3.1.1, 3.1.2, CU-R50"""
    if not (yield from _cards_steps(turn.at("cards"), hex_id, races)):
        return
    if len(races) == 2:
        yield from encounter_steps(turn, hex_id, (races[0], races[1]))
    else:
        yield from _challenges_steps(turn, hex_id, races)


def settle_fleets(state: CutlerState, hex_id: HexId, fight: Fight) -> None:
    """Carry out what a hex has left to be done: prizes get fleets of their own, and all know what they have learnt."""
    for race, ships in fight.known.items():
        state.empires[race].known_ships |= ships
    for unit in (state.units[key] for key in dict.fromkeys(fight.prizes)):
        for fleet in state.fleets.values():
            fleet.units = [key for key in fleet.units if key != unit.id]
        if not unit.destroyed:
            state.empires[unit.race].known_ships.pop(unit.id, None)
            if unit.in_fleets:
                state.new_fleet(unit.race, [unit.id])
    for race in fight.in_battle:
        state.empires[race].alerts.append(f"there was a battle in {hex_id}")


@rule("3.4.5.4")
def _hold_where_driven(state: CutlerState, fight: Fight) -> None:
    """Fleets of ships that were driven off follow their course no longer. 3.4.5.4"""
    for fleet in state.fleets.values():
        if any(key in fight.driven_off and state.units[key].retreat_hex for key in fleet.units):
            fleet.course = []


@rule("3.1.3")
def exchange(turn: CutlerTurn, viewer: Side, other: Side, hex_id: HexId, units: list[Unit]) -> None:
    """Show ``viewer`` S1-S5 of these units of the other in the hex, unless it was told just that already. 3.1.3,
    CU-R49"""
    state = turn.state
    if units and not tacintel.same_as_known(turn, viewer, other, hex_id, units):
        text = f"In {hex_id}: {tacintel.in_words(state.name_of(other), units)}."
        why = because("3.1.3, CU-R48", {"level": tacintel.LEVEL_NAME})
        tacintel.show(turn, viewer, other, hex_id, units, text=text, why=why)


# --- cards -----------------------------------------------------------------------------------------------------------


@rule("3.1.1", "3.1.2")
def _cards_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[bool]:
    """Each race's card, all at once; whether any of them is combat. 3.1.1, 3.1.2, CU-R50"""
    state = turn.state
    asked = [race for race in races if state.empires[race].cards == "ask"]
    sheets = yield from turn.ask_all_steps([_card_ask(state, race, hex_id, races) for race in asked])
    shown = {race: sheet.card for race, sheet in zip(asked, sheets, strict=True)}
    cards = {
        race: shown.get(race) or ("combat" if state.empires[race].cards == "combat" else "bypass") for race in races
    }
    fight = "combat" in cards.values()
    words = "; ".join(f"{state.name_of(race)} {card}" for race, card in cards.items())
    result = "Potential combat." if fight else "No combat."
    turn.tell(races, f"Cards in {hex_id}: {words}. {result}", kind="combat", why=because("3.1.1, 3.1.2"))
    return fight


def _card_ask(state: CutlerState, race: Side, hex_id: HexId, races: list[Side]) -> Ask[CardSheet]:
    others = ", ".join(state.name_of(other) for other in races if other != race)
    cards = (Choice(value="bypass", label="Bypass"), Choice(value="combat", label="Combat"))
    field = Field(key="card", label="Card", kind="one", choices=cards, value="bypass")
    return Ask(
        kind="card",
        parties=(race,),
        title=f"{hex_id}: bypass or combat",
        text=f"You share {hex_id} with: {others}. The cards are shown together; one combat card opens combat.",
        model=CardSheet,
        form=Form(lines=(Line(key="force", label=f"Your force in {hex_id}", fields=(field,)),)),
        rule="3.1.1, CU-R50",
        default=CardSheet({"force": CardLine(card="bypass")}),
        default_says="Your card is bypass.",
        pace="decision",
        read_back=lambda sheet: [f"Your card in {hex_id}: {sheet.card}."],
    )


# --- three races and more --------------------------------------------------------------------------------------------


def _pair(one: Side, other: Side) -> str:
    return "+".join(sorted((one, other)))


@rule("3.2")
def _challenges_steps(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Steps[None]:
    """The acting player, by the highest roll, challenges or passes, until nothing is left to challenge.

    A race that passed is not asked again until a challenge is made. 3.2, CU-R51, CU-R52, CU-N07
    """
    state, here = turn.state, turn.state.fights[hex_id]
    present = [race for race in open_races(state, hex_id) if race in races]  # a referee may have moved others here
    number = 0
    while True:
        left = [race for race in open_races(state, hex_id) if race in present]
        pairs = _open_pairs(state, hex_id, left)
        if not pairs or all(race in here.passed for race in left):
            break
        number += 1
        place = turn.at(number)
        if len(pairs) == 1:
            here.paired.append(_pair(*pairs[0]))
            if (yield from _cards_steps(place.at("cards"), hex_id, list(pairs[0]))):
                yield from encounter_steps(place, hex_id, pairs[0])
            break
        order, rolls = roll_order(place, left, "acting player", seen_by=present)
        actor = order[0]
        options = [race for race in left if (actor, race) in pairs or (race, actor) in pairs]
        victim = None
        if options and actor not in here.passed:
            sheet = yield from place.ask_steps(_challenge_ask(state, actor, hex_id, options))
            victim = sheet.race
        why = because("3.2, CU-R51", {"acting": turn.name_of(actor)}, rolls)
        does = f"challenges the {turn.name_of(victim)}" if victim else "passes"
        turn.tell(present, f"In {hex_id} the {turn.name_of(actor)} acts and {does}.", kind="combat", why=why)
        if victim is None:
            here.passed = [*here.passed, *([] if actor in here.passed else [actor])]
            continue
        here.passed = []
        here.paired.append(_pair(actor, victim))
        yield from encounter_steps(place, hex_id, (actor, victim))


def _open_pairs(state: CutlerState, hex_id: HexId, left: list[Side]) -> list[tuple[Side, Side]]:
    return [
        (one, other)
        for at, one in enumerate(left)
        for other in left[at + 1 :]
        if _pair(one, other) not in state.fights[hex_id].paired
        and opponents(state, hex_id, one, other)
        and opponents(state, hex_id, other, one)
    ]


def _challenge_ask(state: CutlerState, race: Side, hex_id: HexId, options: list[Side]) -> Ask[ChallengeSheet]:
    ways = tuple(Choice(value=other, label=state.name_of(other)) for other in options)
    field = Field(key="race", label="Challenge", kind="one", choices=ways, optional=True, help="blank passes")

    def judge(sheet: ChallengeSheet) -> list[Refusal]:
        if sheet.race is None or sheet.race in options:
            return []
        legal = "pass, or " + " or ".join(state.name_of(other) for other in options)
        return [illegal("this race cannot be challenged by you now", "3.2, CU-R51", "challenge.race", legal=legal)]

    return Ask(
        kind="challenge",
        parties=(race,),
        title=f"{hex_id}: you act first",
        text=f"You may challenge one race in {hex_id} to combat, or pass.",
        model=ChallengeSheet,
        form=Form(lines=(Line(key="challenge", label="Challenge", fields=(field,)),)),
        rule="3.2",
        default=ChallengeSheet({"challenge": ChallengeLine()}),
        default_says="You pass.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [f"You challenge the {state.name_of(sheet.race)}." if sheet.race else "You pass."],
    )


# --- an encounter ----------------------------------------------------------------------------------------------------


@rule("3.3.7.2", "3.4.5.3", "2.6.2.1")
def opponents(state: CutlerState, hex_id: HexId, race: Side, other: Side) -> list[Unit]:
    """A race's units in the hex that the other may still fight this impulse; none that are hidden from it. 3.3.7.2,
    3.4.5.3, 2.6.2.1"""
    return [
        unit
        for unit in faced(state, hex_id, race, other)
        if other not in unit.escaped_from and other not in unit.disengaged_from
    ]


@rule("3.3", "3.4")
def encounter_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side]) -> Steps[None]:
    """Two races: escape waves and pursuit, their battles, then the main battle of all that are left; in a hex with
    terrain features, what 3.5 has instead. 3.3, 3.4"""
    state = turn.state
    one, other = pair
    forces = {one: opponents(state, hex_id, one, other), other: opponents(state, hex_id, other, one)}
    state.fights[hex_id].pairs.append(pair)
    if note_features(state, hex_id):
        yield from terrain_encounter_steps(turn.at("vs", *pair), hex_id, pair, forces)
        return
    yield from escape_steps(turn.at("vs", *pair), hex_id, pair, forces)
    main = {race: [unit for unit in forces[race] if not unit.destroyed and unit.race == race] for race in pair}
    if main[one] and main[other]:
        yield from main_battle_steps(turn.at("vs", *pair, "main"), hex_id, pair, main)
    else:
        turn.tell(pair, f"In {hex_id} nobody is left for a main battle.", kind="combat", why=because("3.4, 3.3.5"))


def _look_again(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side]) -> None:
    """Note that both sides have seen what is left of the other."""
    state = turn.state
    for viewer, race in (pair, pair[::-1]):
        tracks = state.empires[viewer].tracks
        units = seen(state, hex_id, race, viewer)
        for part in tacintel.PARTS:
            key = tacintel.Subject(race=race, hex=hex_id, part=part).key()
            left = any(tacintel.part_of(state, unit) == part for unit in units)
            track = None if left else tracks.drop(key)
            if track is not None:
                text = f"{track} in {hex_id} is no more."
                turn.tell([viewer], text, kind="contact", facts=[Removed(track=track)])
        exchange(turn, viewer, race, hex_id, units)
