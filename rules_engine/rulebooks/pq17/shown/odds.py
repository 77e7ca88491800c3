"""The odds of a search or an attack, as the side considering it could work them out with the rulebook.

Only these are read: the searcher's own task force, what its side holds of the contact, and what everybody knows
(terrain, settled hexes, known bases, conditions that were rolled and announced). The target's real posture is never
read; every posture that it could have gets a line, except those that this turn's report rules out.
PQ-17 6.3.4, 8.4.3, T6, T6.supplement.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refused, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.core.knowledge.odds import Odds, OddsMenu, percent
from rules_engine.core.knowledge.views import Contact, Knowledge, track_order
from rules_engine.rulebooks.pq17.ch05_movement.speeds import max_speed
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import (
    FULL_SENSORS,
    NEBULA_CONDITIONS,
    fixed_conditions,
    is_passive,
    is_under_flag_rule,
    table_of,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import (
    CLOAK_FAILS_UP_TO,
    CONDITION_NAMES,
    FLAG_FAILS_UP_TO,
    Searcher,
    SearchTable,
    band_succeeds,
    column_for,
    raised,
)
from rules_engine.rulebooks.pq17.contacts.identification import is_scouting, known_posture
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed

T = TypeVar("T")

D100 = 100
LOCK_ON_FACES = 6


class Guess(NamedTuple):
    """A posture that the target may be in."""

    says: str
    passive: bool = False
    warp_off: bool = False
    cloaked: bool = False


GUESSES = (
    Guess("active, warp on"),
    Guess("passive", passive=True),
    Guess("active, warp off", warp_off=True),
    Guess("passive, warp off", passive=True, warp_off=True),
    Guess("cloaked", passive=True, cloaked=True),
    Guess("cloaked, warp off", passive=True, warp_off=True, cloaked=True),
)
"""Every posture that matters to a search; a cloaked force is passive. PQ-17 5.2.3.1, 6.3.4.4, 6.3.4.9."""


@rule("5.2.1", "6.2.2", "6.2.4", "6.2.5")
def possible(state: State, contact: Contact) -> tuple[Guess, ...]:
    """The postures that the side's latest report of a contact leaves open; all of them if that is of an earlier turn,
    since posture may have changed. PQ-17 5.2.1, 6.2.2, 6.2.4, 6.2.5."""
    seen = contact.latest
    if seen.when.turn != state.turn:
        return GUESSES
    told = known_posture(seen.details)
    left = tuple(
        guess
        for guess in GUESSES
        if told.cloaked in (None, guess.cloaked)
        and told.passive in (None, guess.passive)
        and told.warp_off in (None, guess.warp_off)
    )
    return left or GUESSES


@dataclass(frozen=True)
class Case:
    """One force against one contact, leaving open the target's posture and the conditions."""

    table: SearchTable
    kind: Searcher
    max_speed: Speed
    passive: bool
    sensor_rating: int
    under_flag_rule: bool
    level: int
    shadowed: bool
    s_counts: bool
    cumulative: bool

    def column(self, condition: int, guess: Guess) -> tuple[int, int]:
        """The column, and the flag rolls beyond it, as an attempt has them by 6.3.4.3 to 6.3.4.6."""
        found = column_for(
            condition,
            max_speed=self.max_speed,
            searcher_passive=self.passive,
            target_passive=guess.passive,
            target_warp_off=guess.warp_off,
        )
        return found.column, found.flags

    def success(self, condition: int, guess: Guess) -> Fraction:
        """The chance that one attempt succeeds: lock-on, row, cloak and flags all succeed. PQ-17 6.3.4.7-.10."""
        column, flags = self.column(condition, guess)
        rolls = range(1, D100 + 1)
        good = [self._row_succeeds(self.table.band(self.kind, column, roll)) for roll in rolls]
        chance = Fraction(sum(good), D100)
        chance *= Fraction(min(self.sensor_rating, LOCK_ON_FACES), LOCK_ON_FACES)
        if guess.cloaked:
            chance *= 1 - Fraction(CLOAK_FAILS_UP_TO, D100)
        return chance * (1 - Fraction(FLAG_FAILS_UP_TO, D100)) ** (flags + int(self.under_flag_rule))

    def _row_succeeds(self, band: str) -> bool:
        return band_succeeds(band, self.level, s_counts=self.s_counts, cumulative=self.cumulative)

    @rule("6.3.4.11")
    def levels(self, condition: int, guess: Guess) -> dict[int, Fraction]:
        """The chance of each level after a success, without probes. PQ-17 6.3.4.11; ruling REC-18."""
        column, _ = self.column(condition, guess)
        found: dict[int, Fraction] = {}
        for roll in range(1, D100 + 1):
            level = raised(self.level, self.table.increase(column, roll))
            found[level] = found.get(level, Fraction(0)) + Fraction(1, D100)
        return found


# --- what may be asked ------------------------------------------------------------------------------------------------


def odds_menu(state: State, side: Side, knowledge: Knowledge) -> OddsMenu:
    """The side's own searchers, and the contacts that it holds."""
    return OddsMenu(
        own=tuple(Choice(value=tf.id, label=f"{tf.label} in {tf.hex}") for tf in _searchers(state, side)),
        targets=tuple(Choice(value=track, label=_say_contact(contact)) for track, contact in _held(knowledge).items()),
    )


def odds_between(state: State, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
    """The chances of ``own`` against the contact ``target``.

    Raises:
        Refused: when either is not on this side's menu.
    """
    forces = {tf.id: tf for tf in _searchers(state, side)}
    contacts = _held(knowledge)
    tf, contact = _named(own, forces), _named(target, contacts)
    if tf is None or contact is None:
        raise Refused(
            malformed(problem, path, legal=", ".join(known), nearest=nearest(word, known))
            for word, found, known, path, problem in (
                (own, tf, forces, "own", f"{own[:20]} is none of your task forces"),
                (target, contact, contacts, "target", f"you hold no contact {target[:20]}"),
            )
            if found is None
        )
    case = _case(state, side, tf, contact)
    weights = _weights(state, tf, contact)
    guesses = possible(state, contact)
    search = {guess: {level: case.success(level, guess) for level in weights} for guess in guesses}
    return Odds(
        title=f"{tf.label} against {_say_contact(contact)}",
        lines=(
            *_premises(state, tf, contact, case, weights),
            f"A search succeeds (Table {case.table.name}, {case.kind.title()} rows):",
            *([_RULED_OUT] if len(guesses) < len(GUESSES) else []),
            *(f"• if it is {guess.says}: {_say_chances(chances, weights)}" for guess, chances in search.items()),
            f"After a success: {_say_levels(case, weights, guesses[0])}.",
            *_attack_lines(contact, case, weights, search),
        ),
        rule="PQ-17 6.3.4, T6",
    )


def _searchers(state: State, side: Side) -> list[TaskForce]:
    return [tf for tf in state.all_task_forces(side) if tf.units]


def _held(knowledge: Knowledge) -> dict[str, Contact]:
    return {one.track: one for one in sorted(knowledge.held(), key=lambda one: track_order(one.track))}


def _named(word: str, known: Mapping[str, T]) -> T | None:
    """What has that name, whatever the case of its letters: numbers are in capitals, names of bases are not."""
    return next((one for name, one in known.items() if name.casefold() == word.casefold()), None)


def _say_contact(contact: Contact) -> str:
    return f"{contact.track} in {contact.latest.hex}, {contact.latest.level_name or 'U'}"


# --- what the side knows of it ----------------------------------------------------------------------------------------


def _case(state: State, side: Side, tf: TaskForce, contact: Contact) -> Case:
    subject = state.tracks[side].subject_of(contact.track)
    shadowed = any(one.shadowing == subject for one in state.all_task_forces(side)) if subject else False
    return Case(
        table=table_of(side),
        kind="SCOUT" if is_scouting(state, tf) else "FORCE",
        max_speed=max_speed(state, tf),
        passive=is_passive(tf),
        sensor_rating=max(unit.sensor_rating for unit in state.separate_units(tf)),
        under_flag_rule=is_under_flag_rule(state, tf),
        level=contact.latest.level,
        shadowed=shadowed,
        s_counts=shadowed or state.settled_by(contact.latest.hex, side) is not None,
        cumulative=state.settings.shadowed_is_cumulative,
    )


@rule("6.3.3", "1.8.11")
def _weights(state: State, tf: TaskForce, contact: Contact) -> dict[int, Fraction]:
    """The chance of each local condition there, as far as anybody can know. PQ-17 6.3.3, 1.8.11; ruling BAS-12."""
    there = contact.latest.hex
    known = _known_conditions(state, tf, there, contact)
    if known is not None:
        return {known: Fraction(1)}
    below = 0
    found: dict[int, Fraction] = {}
    for level, most in enumerate(state.settings.local_conditions, start=1):
        found[level] = Fraction(most - below, D100)
        below = most
    return found


def _known_conditions(state: State, tf: TaskForce, there: HexId, contact: Contact) -> int | None:
    if state.terrain(there) == "nebula":
        return NEBULA_CONDITIONS
    if tf.hex == there and (fixed := fixed_conditions(state, tf)) is not None:
        return fixed
    if contact.form == "base":
        known = [base.base for base in state.bases_in(there) if base.base is not None and base.base.known]
        if len(known) == 1 and known[0].conditions is not None:
            return known[0].conditions
    return state.conditions.get(there) if tf.hex == there else None


# --- saying it --------------------------------------------------------------------------------------------------------


_RULED_OUT = "(What this turn's report of it rules out is left out.)"


def _premises(
    state: State, tf: TaskForce, contact: Contact, case: Case, weights: Mapping[int, Fraction]
) -> Iterable[str]:
    shifts = [f"maximum speed {case.max_speed.rate} shifts {case.max_speed.shortfall} to the right (6.3.4.3)"]
    if case.passive:
        shifts.append("passive, 1 more (6.3.4.5)")
    if case.sensor_rating < FULL_SENSORS:
        shifts.append(f"lock-on needs {case.sensor_rating} or less on a D6 (6.3.4.7)")
    if case.under_flag_rule:
        shifts.append("one flag roll more (6.3.4.10)")
    if case.s_counts:
        shifts.append("row S counts (6.3.4.8)")
    yield f"{tf.label}: {'; '.join(shifts)}."
    if len(weights) == 1:
        (level,) = weights
        yield f"Local conditions there: {CONDITION_NAMES[level]} ({level})."
    else:
        rolled = ", ".join(f"{CONDITION_NAMES[level]} {percent(chance)}" for level, chance in weights.items())
        yield f"Local conditions are rolled there: {rolled} (6.3.3)."
    if tf.hex != contact.latest.hex:
        yield f"It must come to {contact.latest.hex} first (6.3.1); a contact that moves falls a level (6.4.1)."


def _say_chances(chances: Mapping[int, Fraction], weights: Mapping[int, Fraction]) -> str:
    whole = sum((weights[level] * chance for level, chance in chances.items()), Fraction(0))
    if len(chances) == 1:
        return f"**{percent(whole)}**"
    each = ", ".join(f"{CONDITION_NAMES[level]} {percent(chance)}" for level, chance in chances.items())
    return f"**{percent(whole)}** ({each})"


def _say_levels(case: Case, weights: Mapping[int, Fraction], usual: Guess) -> str:
    """For the first posture only, as others just shift the column. Worse columns make a gain of one level likelier."""
    reached: dict[int, Fraction] = {}
    succeeded = Fraction(0)
    for condition, weight in weights.items():
        chance = weight * case.success(condition, usual)
        succeeded += chance
        for level, share in case.levels(condition, usual).items():
            reached[level] = reached.get(level, Fraction(0)) + chance * share
    if not succeeded:
        return "nothing can be reached"
    return ", ".join(f"{IdLevel(level).label} {percent(reached[level] / succeeded)}" for level in sorted(reached))


@rule("8.4.2", "8.4.3", "7.3.5", "1.8.2.3")
def _attack_lines(
    contact: Contact, case: Case, weights: Mapping[int, Fraction], search: Mapping[Guess, Mapping[int, Fraction]]
) -> Iterable[str]:
    """An attack reads the same table; a shadowed target is tried twice. PQ-17 8.4.2, 8.4.3, 7.3.5, 1.8.2.3."""
    if contact.form == "base" and contact.latest.level >= IdLevel.ID3:
        yield "An attack on a known base needs no roll (1.8.2.3)."
        return
    if case.level < IdLevel.ID0:
        yield "An attack needs ID0 or better (8.4.2)."
        return
    if not case.shadowed:
        yield "An attack succeeds with the same chances (8.4.3)."
        return
    usual, chances = next(iter(search.items()))
    twice = {level: 1 - (1 - chance) ** 2 for level, chance in chances.items()}
    yield (
        "An attack succeeds with the same chances, and may be tried twice since you shadow it: "
        f"{_say_chances(twice, weights)} if it is {usual.says} (7.3.5)."
    )
