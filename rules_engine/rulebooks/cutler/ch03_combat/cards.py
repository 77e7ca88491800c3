"""Chapter 3.1: the cards that decide whether there may be combat in a hex, one for each side."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.orders import CardLine, CardSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, card_decision


@rule("3.1.1", "3.1.2", "2.10")
def cards_steps(turn: CutlerTurn, hex_id: HexId, races: Sequence[Side], *, parting: bool = True) -> Steps[bool]:
    """Each side's card, all at once; whether any of them is combat. A coordinated force shows one, which is combat if
    one of its races named it; where ``parting``, each of them may end the coordination instead.

    3.1.1, 3.1.2, 2.10, CU-R50, CU-N89
    """
    state, here = turn.state, turn.state.fights[hex_id]
    asked = list(races)
    asks = [_card_ask(state, race, hex_id, races, parting=parting) for race in asked]
    sheets = yield from ask_or_obey_steps(turn, asks, [card_decision(state, race, hex_id) for race in asked])
    if parting:
        _part(turn, hex_id, [race for race, sheet in zip(asked, sheets, strict=True) if not sheet.stays])
    named = {race: sheet.card for race, sheet in zip(asked, sheets, strict=True)}
    sides = [race for race in races if here.force_of(race)[0] == race]
    if len(sides) < 2:
        return False  # one force, which does not fight itself
    cards = {
        side: "combat" if any(named[race] == "combat" for race in here.force_of(side)) else "bypass" for side in sides
    }
    fight = "combat" in cards.values()
    words = "; ".join(f"{state.names_of(here.force_of(side))} {card}" for side, card in cards.items())
    result = "Potential combat." if fight else "No combat."
    turn.tell(races, f"Cards in {hex_id}: {words}. {result}", kind="combat", why=because("3.1.1, 3.1.2"))
    return fight


@rule("2.10")
def _part(turn: CutlerTurn, hex_id: HexId, leaving: Sequence[Side]) -> None:
    """Races leave their coordinated forces as the combat phase begins; their partners alone hear of it here. 2.10"""
    state, here = turn.state, turn.state.fights[hex_id]
    for race in leaving:
        partners = [other for other in here.force_of(race) if other != race]
        if partners:
            text = f"The {state.name_of(race)} is one force with you no longer, from this phase on."
            turn.tell(partners, text, kind="coordination", why=because("2.10, CU-R33", {"hex": hex_id}))
            here.parted.append(race)
            here.forces = [[one for one in force if one != race] for force in here.forces]
            here.forces = [force for force in here.forces if len(force) > 1]


def _card_ask(state: CutlerState, race: Side, hex_id: HexId, races: Sequence[Side], *, parting: bool) -> Ask[CardSheet]:
    force = state.fights[hex_id].force_of(race)
    others = ", ".join(state.name_of(other) for other in races if other != race)
    text = f"You share {hex_id} with: {others}. The cards are shown together; one combat card opens combat."
    cards = (Choice(value="bypass", label="Bypass"), Choice(value="combat", label="Combat"))
    fields = [Field(key="card", label="Card", kind="one", choices=cards, value="bypass")]
    strangers = ", ".join(state.name_of(other) for other in races if other not in force) or others
    situation = f"You share it with: {strangers}. Bypass them, or fight?"
    if len(force) > 1:
        partners = state.names_of(other for other in force if other != race)
        together = f"You are one force with the {partners}: its card is combat if one of you names it."
        text += f" {together}"
        situation += f" {together}"
        if parting:
            label = f"Stay one force with the {partners}"
            fields.append(Field(key="stay", label=label, kind="flag", value=True))

    def judge(sheet: CardSheet) -> list[Refusal]:
        if sheet.stays or (parting and len(force) > 1):
            return []
        text = "you are one force with nobody here" if len(force) == 1 else "coordination ends as a phase begins"
        return [illegal(text, "2.10, CU-R33", "force.stay", legal="stay")]

    def read_back(sheet: CardSheet) -> list[str]:
        ends = [] if sheet.stays or len(force) == 1 else ["You end the coordination: your card is your own."]
        return [f"Your card in {hex_id}: {sheet.card}.", *ends]

    return Ask(
        kind="card",
        parties=(race,),
        title=f"{hex_id}: bypass or combat",
        text=text,
        question=Question(f"Contact in {hex_id}", situation, (hex_id,)),
        model=CardSheet,
        form=Form(lines=(Line(key="force", label=f"Your force in {hex_id}", fields=tuple(fields)),)),
        rule="3.1.1, CU-R50",
        default=CardSheet({"force": CardLine(card="bypass")}),
        default_says="Your card is bypass.",
        pace="decision",
        check=judge,
        read_back=read_back,
    )
