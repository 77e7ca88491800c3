"""Nonsense on every kind of sheet: each refusal names its line, says what is wrong, and what would be right."""

import ast
import random
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.forms import forms, order_text
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.campaign import arrivals, emergency_reinforcements, reaction_force
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.ch06_reconnaissance import shadowing, step
from rules_engine.rulebooks.pq17.ch08_combat import attack, raid_forces, raid_tables
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_plan
from rules_engine.rulebooks.pq17.ch12_mines.attacks import minefield_attack_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting import contact_sheet, logistics_sheet
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_ask, stay_ask
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.records.special_conditions import Flotilla
from rules_engine.rulebooks.pq17.special_conditions import flotilla_5, preparatory_step, suicide_freighters
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.rulebooks.pq17.ch08_combat.test_raids import HERE, priced, raised_among
from tests.rulebooks.pq17.ch10_supply import test_transfers as supply
from tests.rulebooks.pq17.playing import campaign_play, officers
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.notation import run, table, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, harbour, holds, special_world

BOOK = Path(__file__).parents[3] / "rules_engine" / "rulebooks" / "pq17"
WHIMS = (
    "banana", "9999", "7 purple elephants", "to nowhere; shadow the moon", "drones 4 options",
    "hamster+wheel*>cheese", "-3", "1.5/0 of A1", "🦄", "nobody>nothing", "> Santa 50 supply",
)  # fmt: skip
GIBBERISH = re.compile(r"Input should|String should|Field required|unable to|pattern|valid (integer|boolean)|, ?…$|\^")
"""What a player should never read: words of the program's own checks, and lists that trail off."""
MOST_LINES = 3
"""Lines of one field that are tried; more are alike."""


# --- nonsense ---------------------------------------------------------------------------------------------------------
def nonsense(field: forms.Field, whim: str) -> Json:
    """A value of the shape that the field takes, and of no sense."""
    if field.kind == "many":
        return [whim]
    return whim[: field.most] if field.kind == "text" and field.most else whim


def refusals(ask: AnyAsk, sheet: Any) -> tuple[Refusal, ...]:
    try:
        ask.answer_from(sheet)
    except Refused as refused:
        return refused.refusals
    return ()


def unclear(ask: AnyAsk, found: Iterable[Refusal], lines: Iterable[str]) -> Iterator[str]:
    """Refusals that do not say where, what is wrong or what would be right."""
    for one in found:
        here = next(
            (key for key in (*lines, *ask.form.by_key) if one.path == key or one.path.startswith(f"{key}.")), ""
        )
        if not here:
            yield f"{ask.kind}: no line is named: {one}"
        if not one.problem or not one.legal:
            yield f"{ask.kind}: what would be right? {one}"
        if GIBBERISH.search(one.problem) or GIBBERISH.search(one.legal):
            yield f"{ask.kind}: gibberish: {one}"


def fed(ask: AnyAsk, chance: random.Random) -> set[str]:
    """What is unclear when nonsense is put into each field, then into all of them, then on a line of its own."""
    wrong: set[str] = set()
    tried: dict[str, int] = {}
    prefilled = ask.form.prefilled()
    for line in ask.form.lines:
        for field in line.fields:
            tried[field.key] = tried.get(field.key, 0) + 1
            for whim in WHIMS if tried[field.key] <= MOST_LINES else ():
                values = {**prefilled[line.key], field.key: nonsense(field, whim)}
                wrong |= {*unclear(ask, refusals(ask, {**prefilled, line.key: values}), [line.key])}
    for _ in range(3):
        sheet = {
            line.key: {field.key: nonsense(field, chance.choice(WHIMS)) for field in line.fields}
            for line in ask.form.lines
        }
        wrong |= {*unclear(ask, refusals(ask, sheet), [])}
    wrong |= {*typed(ask, chance)}
    for line in ({}, {"unicorn": "yes"}):
        found = refusals(ask, {**prefilled, "unicorn": line})
        assert found, f"{ask.kind}: a line that is not there is accepted"
        wrong |= {*unclear(ask, found, ["unicorn"])}
    return wrong


def typed(ask: AnyAsk, chance: random.Random) -> Iterator[str]:
    """What is unclear when nonsense is typed: to a line, to its fields, and to nobody."""
    for number, line in enumerate([*ask.form.lines[:MOST_LINES], None]):
        whim = chance.choice(WHIMS)
        name, field = ("unicorn", "horn") if line is None else (line.key, chance.choice(line.fields).key)
        for text in (f"{name}: {field} {whim}", f"{name}: {whim}", f"{whim}: {field} {number}"):
            try:
                order_text.read_sheet(ask.form, text, ask.refusals_of)
            except Refused as refused:
                for one in refused.refusals:
                    if (
                        not one.path.startswith("line 1")
                        or not (one.legal or one.nearest)
                        or GIBBERISH.search(str(one))
                    ):
                        yield f"{ask.kind}: typed “{text}”: {one}"


# --- every kind of sheet ----------------------------------------------------------------------------------------------
def kinds_of_the_book() -> set[str]:
    """Every kind of ask that the book's source makes."""
    found: set[str] = {"revelation", "collection"}  # one function makes both
    for path in BOOK.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Ask":
                kinds = [one.value for one in node.keywords if one.arg == "kind"]
                found |= {str(one.value) for one in kinds if isinstance(one, ast.Constant)}
    return found


class Reader:
    """Feeds nonsense to every ask it is shown, a few of each kind."""

    most = 2

    def __init__(self) -> None:
        self.chance = random.Random(7)
        self.count: dict[str, int] = {}
        self.wrong: set[str] = set()

    def __call__(self, ask: AnyAsk) -> None:
        """Try one ask; the default answers it."""
        self.count[ask.kind] = self.count.get(ask.kind, 0) + 1
        if self.count[ask.kind] <= self.most:
            self.wrong |= fed(ask, self.chance)

    def play(self, key: str, turns: int, seed: int, wanted: set[str]) -> None:
        """Try what comes up as officers play, until every ``wanted`` kind has come up."""
        book, document = campaign_play.scenario(key, turns=turns)
        game = campaign_play.CampaignPlay(book, document, seed, manner=officers.Manner(bold=0.9), check=False)
        while not wanted <= set(self.count):
            assert game.adjudicator.ending is None, wanted - set(self.count)
            for ask in game.adjudicator.open_asks():
                self(ask)
            game.batch()


def in_play(read: Reader) -> None:
    """Planning, plots, searches, battles and what comes after; what the campaign begins with."""
    read.play(campaign_play.INTRO, 10, 1, {"planning", "plot", "search", "attack", "power", "battle", "reform"})
    read.play(campaign_play.CAMPAIGN, 31, 1, {"purchase", "deployment", "period"})


def in_contact(read: Reader) -> None:
    """A split force that is shadowed, and two battles at once."""
    at = table(world("A2 0405 FF shadows C1 U\nC1 0405 CA U\nC2 0405 DD U\nturn 2"))
    shadowing.remember_links(at.state)
    at.state.shadow_links[0].target.append("C2.DD")
    run(shadowing.follow_steps(at, "alliance"), read)
    text = "A1 0405 CA ID0\nA2 0303 CA ID0\nC1 0405 CA ID0\nC2 0303 CA ID0\nturn 2 impulse 1 half A"
    at = table(world(text), 5, 10, 5, 10)
    announce_detections(at)
    steps = attack.combat_steps(at, "alliance")
    (ask,) = next(steps).asks
    (order,) = steps.send({ask.id: ask.answer_from({"A1": {"target": "E1"}, "A2": {"target": "E2"}})}).asks
    read(order)
    state = world("A1 0405 CA speed 3\nA2 0405 DD speed 2\nA9 0405 BATS base Haven\nC1 0405 CA U\nturn 1 impulse 2")
    plots = plot_ask(table(state), "alliance")
    state.doctrine["alliance"].orders = read_orders("ask on contact", "", of_side=True)[0]
    met = contact_sheet.contact_ask(state, "alliance", contact_sheet.all_meetings(state))
    state.task_forces["A2"].plot = "0404"
    for one in (plots, met, planning_ask(table(state), "alliance"), stay_ask(state, "alliance", {"A2": "5.3.5.1"})):
        assert one is not None
        read(one)


def in_raids(read: Reader) -> None:
    """The force that meets a raid: which ship, and its refits."""
    given = raid_forces.Muster("alliance", HERE, "Federation", raid_tables.RAID_TABLE[0], Fraction(0), Fraction(0))
    run(raid_forces.muster_steps(table(raised_among(priced(F_S=20, UFS=25)), 50, 1), given), read)
    refits = (Refit(name="AWR", year=160, bpv=Fraction(10)), Refit(name="Y165", year=165, bpv=Fraction(15)))
    classes = priced(F_S=20)
    classes["F-S"] = classes["F-S"].model_copy(update={"refits": refits})
    run(raid_forces.muster_steps(table(raised_among(classes), 50, 45), given), read)


def in_minefields(read: Reader) -> None:
    """Screening, and what a mine's internals destroyed."""
    state = mined("mines 0405 coalition 4\nA1 0405 MS+SH speed 2 plot stay")
    move(state, "alliance")
    dice = {"number of mine attacks": 10, "ships attacked": 2, "attack rolls": 10, "shield": 1}
    run(minefield_attack_steps(table(state, by_label=dice)), read)


def in_supply(read: Reader) -> None:
    """Stores and repairs, and what becomes of supply that nobody has room for."""
    state = supply.depot("A9 0303 BATS base Haven known\nA1 0303 CA#2+FT logistics port A9\nC1 0606 CA speed 1")
    read(logistics_sheet.logistics_ask(table(state), "alliance", routine_plan(state, "alliance")))
    state = supply.depot("A1 0404 FT+CA logistics")
    supply.empty(state, "A1.CA", fuel=10)
    supply.plan(state, A1_FT="> A1.CA 6 supply", stores={"convert": True})
    supply.turn_end(state, read)


def in_campaign(read: Reader) -> None:
    """Emergency reinforcements, and the force that is called when Klingons come."""
    emergency = emergency_reinforcements.emergency_ask(table(campaign(30)), "alliance")
    assert emergency is not None
    read(emergency)
    state = campaign(2)
    force = state.settings.campaign.force_of("kzinti-reaction")
    arrivals.expect_force(state, force, [state.units[one] for one in make(state, "A", ["KZI-CA", "KZI-CL"])], 1)
    put(state, "C1", "1001", "KLI-CA")
    reaction_force.watch(table(state))
    state.turn = 3
    run(reaction_force.reaction_steps(table(state)), read)


def in_special_conditions(read: Reader) -> None:
    """Special conditions and random events that ask something."""
    state = special_world("turn 31 impulse 1")
    state.special.flotilla = Flotilla(period=2, ask_on=31)
    run(flotilla_5.flotilla_steps(table(state)), read)
    run(suicide_freighters.conversion_steps(table(harbour())), read)
    state = special_world("turn 31")
    event(state, "alliance", "fis-ultra", 2)
    holds(state, "coalition", "reinforcements", 1)
    holds(state, "coalition", "sizilien", 2)
    run(intelligence_steps(table(state)), read)
    state = special_world("turn 31")
    event(state, "alliance", "fis-ultra", 1).spent = True
    event(state, "alliance", "fis-ultra", 2)
    executes(state, "coalition", "sizilien", period=2)
    state.special.conditions[0].revealed = True
    holds(state, "coalition", "reinforcements", 1)
    run(intelligence_steps(table(state)), read)
    state = special_world("turn 31")
    holds(state, "alliance", "gale force", 1)
    run(preparatory_step.preparatory_steps(table(state, by_label={"condition": 70, "event": 4})), read)
    at = table(world("A1 0405 CA speed 2 ID1\nC1 0405 CA speed 2 ID1\nturn 2 impulse 1 half A"), 5, 1, 100)
    event(at.state, "alliance", "elusive target")

    def answer(ask: AnyAsk) -> Any:
        read(ask)
        return {"C1": {"target": "E1"}} if ask.kind == "search" and ask.parties == ("coalition",) else None

    run(step.reconnaissance_steps(at, "coalition"), answer)


@pytest.mark.rule("pq17", "3.1")
def test_no_sheet_of_the_book_answers_nonsense_with_gibberish() -> None:
    read = Reader()
    for part in (in_play, in_contact, in_raids, in_minefields, in_supply, in_campaign, in_special_conditions):
        part(read)
    assert sorted(read.wrong) == []
    assert kinds_of_the_book() - set(read.count) == set()
