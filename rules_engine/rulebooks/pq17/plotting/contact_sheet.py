"""The contact sheet: one ask to each side that meets an enemy; the answer holds while the contact lasts.

It is opened as soon as a contact is made, for both sides at once, for the task forces whose standing orders leave
something open. After that the answer decides the steps of the turn.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Json, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices
from rules_engine.core.knowledge.numbered import listed
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import LineNow, Question, UsualAnswer
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import (
    Targets,
    may_declare_shadowing,
    probes_of,
    targets_of,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.standing_searches import contacts_among, contacts_of, prizes_among
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_pay, cost
from rules_engine.rulebooks.pq17.contacts.detection import watched
from rules_engine.rulebooks.pq17.contacts.identification import LEAST_LEVEL
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of
from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.records.calendar import heading
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import (
    AttackOrder,
    Move,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
)
from rules_engine.rulebooks.pq17.records.state import State

AttackWord = Literal["never", "ask", "id0", "id1", "id2", "id3"]
RatioWord = Literal["any", "1/2", "1", "3/2", "2", "3"]

_ATTACKS = choices(
    never="Never",
    ask="Ask me when it is possible",
    id0="As soon as it can (ID0)",
    id1="At ID1 or better",
    id2="At ID2 or better",
    id3="At ID3 or better",
)
_RATIOS = choices(**{
    "any": "Whatever its movement cost",
    "1/2": "Half our movement cost at most",
    "1": "Our movement cost at most",
    "3/2": "1½ times ours at most",
    "2": "Twice ours at most",
    "3": "Three times ours at most",
})  # fmt: skip
_MOVES = choices(**{
    "go on": "Fly the route on",
    "hold": "Stay while the contact lasts",
    "withdraw": "Leave for home",
    "ask": "Ask me in each impulse",
})  # fmt: skip
_SEARCHES = choices(yes="Search it", no="Do not search")
_RAIDS = choices(never="No", raid="Yes: search it and attack it")


class ContactLine(Frozen):
    """The orders of one task force for the contacts in its hex."""

    search: Literal["yes", "no"] | None = None
    raid: Literal["never", "raid"] | None = None
    probes: Annotated[int, Bounded(ge=0)] | None = None
    shadow: bool | None = None
    attack: AttackWord | None = None
    ratio: RatioWord | None = None
    then: Move | None = None


class ContactSheet(RootModel[dict[str, ContactLine]]):
    """A side's answer, by task force id."""

    def line(self, key: str) -> ContactLine:
        """The line of that key; an empty one if it was left out."""
        return self.root.get(key, ContactLine())


def contact_steps(turn: TurnContext[State]) -> Steps[None]:
    """Ask all sides at once about new contacts, and forget those that are over."""
    state = turn.state
    meetings = all_meetings(state)
    asks = [ask for side in turn.sides if (ask := contact_ask(state, side, meetings)) is not None]
    answers = yield from turn.ask_all_steps(asks)
    sheets = {ask.parties[0]: sheet for ask, sheet in zip(asks, answers, strict=True)}
    if asks:  # the referee may have corrected something while the sides were asked
        meetings = all_meetings(state)
    for tf in state.all_task_forces():
        if tf.base is not None:
            continue
        met = meetings.get(tf.id)
        if met is not None and met.is_fresh and _asks(state, met):
            tf.meeting = orders_from(state, tf, sheets[tf.side].line(tf.id))
        elif met is None or met.is_fresh:
            tf.meeting = None
        numbers = [] if met is None else met.numbers
        if tf.met != numbers:
            tf.met = numbers


class ContactsMet(NamedTuple):
    """The contacts that a task force meets in its hex, by its owner's numbers and names."""

    tf: TaskForce
    contacts: Targets
    prizes: Targets
    numbers: list[str]
    """The numbers and names of all."""
    is_fresh: bool
    """Whether any of these contacts is new to the owner."""


def all_meetings(state: State) -> dict[str, ContactsMet]:
    """By id, the contacts of all task forces of ships that meet any."""
    near = [tf for label in state.sides for tf in watched(state, label.key) if not tf.is_base]
    return {tf.id: met for tf in near if (met := _meeting(state, tf)).numbers}


def _meeting(state: State, tf: TaskForce) -> ContactsMet:
    targets = targets_of(state, tf)
    contacts, prizes = contacts_among(targets), prizes_among(targets)
    numbers = [*contacts, *prizes]
    return ContactsMet(tf, contacts, prizes, numbers, is_fresh=not set(numbers) <= set(tf.met))


def _asks(state: State, met: ContactsMet) -> bool:
    """Whether the owner is to be asked about a new contact, because the orders leave it open."""
    stands = orders_of(state, met.tf.changed(meeting=None))
    open_clauses = [stands.raid == "ask"] if met.prizes else []
    if met.contacts:
        open_clauses += [
            stands.search is not None and stands.search.what == "ask",
            stands.attack is not None and stands.attack.what == "ask",
            stands.move == "ask",
        ]
    return stands.asks == "contact" and any(open_clauses)


# --- the ask ----------------------------------------------------------------------------------------------------------


def contact_ask(state: State, side: Side, meetings: Mapping[str, ContactsMet]) -> Ask[ContactSheet] | None:
    """The ask of a side that meets an enemy, or None."""
    fresh = [met for met in meetings.values() if met.is_fresh and met.tf.side == side]
    ours = [met for met in fresh if _asks(state, met)]
    if not ours:
        return None
    forces = [met.tf for met in ours]
    form = Form(lines=tuple(_line(state, met) for met in ours))
    hexes = ", ".join(sorted({tf.hex for tf in forces}))
    return Ask(
        kind="contact",
        parties=(side,),
        title=f"Contact in {hexes}, {heading(state)}",
        text=(
            "Say once what these task forces do about whom they have met. It holds while the contact lasts and is "
            "done without asking again; each turn's planning sheet can change it."
        ),
        question=_question(state, ours),
        model=ContactSheet,
        form=form,
        rule="PQ-17 6.3.2, 7.2.1, 8.4.2, 5.3.2",
        default=ContactSheet.model_validate(form.prefilled()),
        default_says="As filled in: nobody attacks unless standing orders say so.",
        pace="decision",
        check=lambda sheet: check_contact(state, form, sheet),
        read_back=lambda sheet: list(_read_back(state, forces, sheet)),
        warn=lambda sheet: list(_warnings(state, forces, sheet)),
        lines_now=lambda sheet: _now(state, ours, sheet),
    )


def _question(state: State, met: Sequence[ContactsMet]) -> Question:
    """What a side that meets an enemy is asked, with the usual answers to it."""
    hexes = tuple(sorted({one.tf.hex for one in met}))
    whom = list(dict.fromkeys(number for one in met for number in one.numbers))
    does = verb(len(met), "does it do", "do they do")
    said = f"{listed([one.tf.id for one in met])} {verb(len(met), 'meets', 'meet')} {listed(whom)}. What {does}?"
    heading = f"Contact in {hexes[0]}" if len(hexes) == 1 else "New contacts"
    return Question(heading, said, hexes, noun="force", offers=_offers(state, met))


def _offers(state: State, met: Sequence[ContactsMet]) -> tuple[UsualAnswer, ...]:
    """Attacking all that is met, as soon as it can be; searching it; leaving it."""
    asked = {one.tf.id: {field.key for field in _fields(state, one, orders_of(state, one.tf))} for one in met}
    near = [key for key, fields in asked.items() if "attack" in fields]
    able = [key for key in near if "search" in asked[key]]
    if not near:
        return ()
    search: dict[str, dict[str, Json]] = {key: {"search": "yes"} for key in able}
    attack: dict[str, Json] = {"attack": "id0", "ratio": "any"}
    leave: dict[str, Json] = {"attack": "never", "then": "withdraw"}
    known = list(dict.fromkeys(track for one in met for track in one.contacts))
    whom = f"Attack {known[0]}" if len(known) == 1 else "Attack"
    return (
        UsualAnswer(whom, {key: {**search.get(key, {}), **attack} for key in near}, is_grave=True),
        *([UsualAnswer("Search", {key: {"search": "yes", "attack": "never"} for key in able})] if able else []),
        UsualAnswer("Slip away", {key: {**({"search": "no"} if key in able else {}), **leave} for key in near}),
    )


def _now(state: State, met: Sequence[ContactsMet], sheet: ContactSheet) -> dict[str, LineNow]:
    """What each task force does about its contact."""
    doubts = list(_warnings(state, [one.tf for one in met], sheet))
    said: dict[str, LineNow] = {}
    for one in met:
        orders = orders_from(state, one.tf, sheet.line(one.tf.id))
        moves = "" if orders.move is None else _MOVES_NOW[orders.move]
        own = tuple(doubt for doubt in doubts if doubt.startswith(f"{one.tf.label} "))
        text = f"Meets {listed(one.numbers)}: {', '.join(filter(None, (_does(orders), moves)))}."
        said[one.tf.id] = LineNow(text, one.tf.id, (one.tf.hex,), own)
    return said


_MOVES_NOW: dict[Move, str] = {"go on": "flies on", "hold": "stays", "withdraw": "leaves for home", "ask": "asks you"}


def _does(orders: StandingClauses) -> str:
    searches = orders.search is not None and orders.search.what == "search"
    attacks = orders.attack is not None and orders.attack.what == "attack"
    shadows = searches and orders.shadow is not None and orders.shadow.what == "shadow"
    does = (("searches", searches), ("shadows", shadows), ("attacks", attacks), ("raids", orders.raid == "raid"))
    return ", ".join(word for word, so in does if so) or "lets it be"


def _line(state: State, met: ContactsMet) -> Line:
    tf = met.tf
    held = [f"{track} ({enemy.id_level.label})" for track, enemy in met.contacts.items()]
    whom = ", ".join([*held, *met.prizes])
    dearest = max(cost(state, unit, "reconnaissance") for unit in state.units_of(tf))
    least = min(unit.fuel for unit in state.separate_units(tf))
    note = f"a search costs up to {show_fraction(dearest)} a ship, an attack twice; least fuel {show_fraction(least)}"
    fields = tuple(_fields(state, met, orders_of(state, tf)))
    return Line(key=tf.id, label=f"{tf.label} in {tf.hex} meets {whom}", fields=fields, note=note)


def _fields(state: State, met: ContactsMet, orders: StandingClauses) -> list[Field]:
    fields: list[Field] = []
    if met.prizes:
        fields.append(_one("raid", "Raid the settled hex", _RAIDS, "raid" if orders.raid == "raid" else "never"))
    if met.contacts:
        fields += _about_contacts(state, met.tf, met.contacts, orders)
    return fields


def _about_contacts(state: State, tf: TaskForce, contacts: Targets, orders: StandingClauses) -> list[Field]:
    fields: list[Field] = []
    if can_pay(state, tf, "reconnaissance"):
        value = "yes" if _would_search(state, tf, contacts, orders) else "no"
        fields.append(_one("search", "Search", _SEARCHES, value))
        probes = probes_of(state, tf)
        if probes:
            fields.append(
                Field(key="probes", label="Probes if it succeeds", kind="number", least=0, most=probes,
                      value=min(probes, orders.probes or 0))
            )  # fmt: skip
        if may_declare_shadowing(state, tf):
            willing = orders.shadow is not None and orders.shadow.what == "shadow"
            fields.append(Field(key="shadow", label="Shadow it if it succeeds", kind="flag", value=willing))
    fields.append(_one("attack", "Attack", _ATTACKS, _attack_word(orders.attack)))
    fields.append(_one("ratio", "But only if its movement cost is", _RATIOS, _ratio_word(orders.attack)))
    fields.append(_one("then", "And its moves", _MOVES, orders.move if orders.move not in (None, "ask") else "go on"))
    return fields


def _one(key: str, label: str, offered: tuple[Choice, ...], value: str | None) -> Field:
    return Field(key=key, label=label, kind="one", choices=offered, value=value)


def _would_search(state: State, tf: TaskForce, contacts: Targets, orders: StandingClauses) -> bool:
    """Whether to propose a search: as orders say; where they ask, if every ship would keep fuel to fight."""
    if orders.search is not None and orders.search.what != "ask":
        return orders.search.what == "search"
    units = state.units_of(tf)
    leaves = all(unit.fuel >= cost(state, unit, "reconnaissance") + cost(state, unit, "combat") for unit in units)
    return leaves and any(enemy.id_level < IdLevel.ID3 for enemy in contacts.values())


def _attack_word(order: AttackOrder | None) -> AttackWord:
    if order is None or order.what != "attack":
        return "never"
    words: tuple[AttackWord, ...] = ("id0", "id1", "id2", "id3")
    return words[order.level]


def _ratio_word(order: AttackOrder | None) -> RatioWord:
    """The ordered ratio, or the nearest lower one on offer."""
    if order is None or order.ratio is None:
        return "any"
    words: tuple[RatioWord, ...] = ("1/2", "1", "3/2", "2", "3")
    fitting: list[RatioWord] = [word for word in words if Fraction(word) <= order.ratio]
    return fitting[-1] if fitting else "1/2"


# --- judging and reading back -----------------------------------------------------------------------------------------


@rule("6.3.4.11", "8.4.2", "6.2.4")
def check_contact(state: State, form: Form, sheet: ContactSheet) -> list[Refusal]:
    """Every defect of a contact sheet. PQ-17 6.3.4.11, 8.4.2, 6.2.4."""
    found = misplaced(form, sheet.root)
    for key, line in sheet.root.items():
        tf = state.task_forces.get(key)
        if tf is None or form.line(key) is None:
            continue
        if line.probes is not None and line.probes > probes_of(state, tf):
            legal = f"0 to {probes_of(state, tf)}"
            found.append(illegal("it does not carry so many probes", "PQ-17 6.3.4.11", f"{key}.probes", legal=legal))
        if line.attack == "id0" and line.ratio not in (None, "any"):
            problem = "movement costs are not known at ID0"
            near = nearest("id1", ["id1"])
            found.append(illegal(problem, "PQ-17 6.2.4", f"{key}.ratio", legal="any, or attack at id1", nearest=near))
    return found


def orders_from(state: State, tf: TaskForce, line: ContactLine) -> StandingClauses:
    """The orders for this contact that a line stands for; what it leaves out keeps the value filled in."""
    stands = orders_of(state, tf)
    shown = _fields(state, _meeting(state, tf), stands)
    filled = ContactLine.model_validate({field.key: field.value for field in shown})
    chosen = filled.model_copy(update=line.model_dump(exclude_none=True))
    search = SearchOrder(what="never")
    if chosen.search == "yes":
        keeps = stands.search is not None and stands.search.what == "search"
        search = stands.search if keeps and stands.search is not None else SearchOrder(what="search")
    return StandingClauses(
        raid=chosen.raid,  # None if there is none to raid
        search=search,
        shadow=_shadow_order(stands, chosen),
        probes=chosen.probes or 0,
        attack=_attack_order(stands.attack, chosen),
        move=chosen.then or "go on",
    )


def _shadow_order(stands: StandingClauses, chosen: ContactLine) -> ShadowOrder:
    if not chosen.shadow:
        return ShadowOrder(what="never")
    willing = stands.shadow is not None and stands.shadow.what == "shadow"
    return stands.shadow if willing and stands.shadow is not None else ShadowOrder(what="shadow")


def _attack_order(stands: AttackOrder | None, chosen: ContactLine) -> AttackOrder:
    """The attack order chosen; fuel to keep and ``bases`` come from the standing order."""
    if chosen.attack in (None, "never"):
        return AttackOrder(what="never")
    if chosen.attack == "ask":
        return AttackOrder(what="ask")
    if stands is not None and _attack_word(stands) == chosen.attack and _ratio_word(stands) == chosen.ratio:
        return stands
    ratio = None if chosen.ratio in (None, "any") else Fraction(chosen.ratio)
    level = int(chosen.attack.removeprefix("id"))
    keep, bases = (stands.keep, stands.bases) if stands is not None else (None, False)
    return AttackOrder(what="attack", level=level, ratio=ratio, keep=keep, bases=bases)


def _read_back(state: State, forces: Sequence[TaskForce], sheet: ContactSheet) -> Iterator[str]:
    for tf in forces:
        yield f"{tf.label}: {say_orders(orders_from(state, tf, sheet.line(tf.id)))}"


def _warnings(state: State, forces: Sequence[TaskForce], sheet: ContactSheet) -> Iterator[str]:
    for tf in forces:
        orders = orders_from(state, tf, sheet.line(tf.id))
        searching = orders.search is not None and orders.search.what == "search"
        known = [enemy.id_level for enemy in contacts_of(state, tf).values()]
        attacks = orders.attack is not None and orders.attack.what == "attack"
        if not attacks and sheet.line(tf.id).ratio not in (None, "any"):
            yield f"{tf.label} attacks nobody by itself, so the movement cost named in {tf.id} does nothing."
        if attacks and not searching and all(level < LEAST_LEVEL for level in known):
            yield f"{tf.label} can attack only what it holds at ID0 or better, and it does not search."
        if searching and orders.move == "withdraw":
            yield f"{tf.label} searches, and so does not leave its hex in the same impulse (5.3.5.3)."
