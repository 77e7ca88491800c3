"""Chapter 3.1: cards, of races and of coordinated forces, and how forces part; what an encounter leaves to be seen."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.cards import cards_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps, opponents
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch02_sorties.test_sorties import phase as sorties
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, table_of, world

FOUR = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 CW\nhydran F2 0404 FF\n"
FIGHT, LEAVE = {"force": {"card": "combat"}}, {"force": {"card": "bypass", "stay": False}}
ALL = ("hydran", "lyran", "klingon", "gorn")


def four(*forces: list[str], **cards: Any) -> CutlerState:
    """Four races in a hex, with these forces; ``cards`` are standing orders."""
    state = combats.with_gorn(world(FOUR), "hydran-F2-FF")
    state.fights = {"0404": Fight(forces=[list(force) for force in forces])}
    for race, order in cards.items():
        state.empires[race].cards = order
    return state


def shown(state: CutlerState, answers: Any = None, races: tuple[str, ...] = ALL, *, parting: bool = True) -> Run:
    turn = table_of(state)
    sheets = {("card", race): sheet for race, sheet in (answers or {}).items()}
    return Run(turn, cards_steps(turn, "0404", races, parting=parting), sheets)


SHARED = "The cards are shown together; one combat card opens combat."


@pytest.mark.rule("cutler", "3.1.1", "2.10")
def test_a_card_asks_a_partner_whether_it_stays_and_nobody_else(kept: Kept) -> None:
    run = shown(four(["hydran", "klingon"]))
    alone, force = run.asked("lyran")[0], run.asked("hydran")[0]
    assert on_sheet(alone) == kept("on_sheet(alone)")
    assert on_sheet(force) == kept("on_sheet(force)")
    three = shown(four(["hydran", "klingon", "gorn"])).asked("klingon")[0]
    assert on_sheet(three)[-1] == "- Stay one force with the Hydran and Gorn: flag; True"
    later = shown(four(["hydran", "klingon"]), parting=False).asked("hydran")[0]
    assert on_sheet(later)[-1] == "- Card: Bypass, Combat; 'bypass'"
    assert on_sheet(later)[1].endswith("You are one force with the Klingon: its card is combat if one of you names it.")


@cases("side, parting, sheet, words")
def test_only_partners_part_and_only_as_a_phase_begins(side: str, parting: bool, sheet: Any, words: list[str]) -> None:
    ask = shown(four(["hydran", "klingon"]), parting=parting).asked(side)[0]
    assert (refusal_words(ask, sheet) or ask.read_back(ask.answer_from(sheet))) == words


@cases("forces, standing, answers, says")
def test_each_force_shows_one_card(forces: Any, standing: Any, answers: Any, says: str) -> None:
    run = shown(four(*forces, **standing), answers)
    assert [one.text for one in run.told("lyran", "combat")] == [f"Cards in 0404: {says}"]
    assert run.result == says.endswith("Potential combat.")
    assert {ask.parties[0] for ask in run.asks} == set(ALL) - set(standing)


@cases("forces, leaving, parted, left, told", "told")
def test_who_parts_is_told_to_its_partners_alone(forces: Any, leaving: Any, parted: Any, left: Any, told: Any) -> None:
    state = four(*forces)
    run = shown(state, dict.fromkeys(leaving, LEAVE))
    assert (state.fights["0404"].parted, state.fights["0404"].forces) == (parted, left)
    said = [one for one in run.table.shared.reports if one.kind == "coordination"]
    assert [f"{'+'.join(one.to)}: {one.text}" for one in said] == told


@pytest.mark.rule("cutler", "2.10")
def test_one_force_by_itself_shows_no_cards_unless_it_parts() -> None:
    pair = ("hydran", "klingon")
    run = shown(four(["hydran", "klingon"]), {"hydran": FIGHT}, pair)
    assert (run.result, run.told("hydran")) == (False, [])
    run = shown(four(["hydran", "klingon"]), {"hydran": {"force": {"card": "combat", "stay": False}}}, pair)
    assert run.result
    assert run.told("hydran")[-1].text == "Cards in 0404: Hydran combat; Klingon bypass. Potential combat."


# --- who may be fought, and what is seen afterwards ------------------------------------------------------------------


@cases("escaped, left, faced", "")
def test_who_escaped_or_disengaged_from_a_race_of_a_force_is_no_opponent_of_it(escaped, left, faced) -> None:
    state = four(["lyran", "klingon"])
    cruiser = state.units["hydran-F1-CA"]
    cruiser.escaped_from, cruiser.disengaged_from = escaped, left
    assert bool(opponents(state, "0404", "hydran", "lyran")) is faced
    assert bool(opponents(state, "0404", "hydran", "gorn")) is ("gorn" not in escaped)


@pytest.mark.rule("cutler", "2.10")
def test_who_was_lost_is_nobodys_opponent() -> None:
    state, faced = four(["lyran", "klingon"]), []
    for state.units["lyran-F1-CC"].destroyed in (False, True):
        faced.append([unit.id for unit in opponents(state, "0404", "lyran", "hydran")])
    assert faced == [["lyran-F1-CC", "klingon-F1-CW"], ["klingon-F1-CW"]]


@pytest.mark.rule("cutler", "3.1", "3.1.3")
def test_who_meets_others_is_asked_to_look_at_its_plots_again(kept: Kept) -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nhydran F2 0505 DD\nklingon F1 0505 CW[cloak=up]\n"
    state = world(text)
    state.empires["lyran"].cards = "bypass"  # whose answer is known already
    Run(turn := table_of(state), combat_phase_steps(turn.at("combat")))
    assert {race: empire.alerts for race, empire in state.empires.items()} == kept()
    partners = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\ntogether hydran lyran\n")
    Run(turn := table_of(partners), combat_phase_steps(turn.at("combat")))
    assert [empire.alerts for empire in partners.empires.values()] == [[], [], []]


@pytest.mark.rule("cutler", "3.2", "2.10")
def test_what_a_force_is_told_of_who_acts_is_in_the_plural(kept: Kept) -> None:
    state = combats.with_gorn(world(FOUR), "hydran-F2-FF")
    state.coordination = world(FOUR + "together hydran klingon\n").coordination
    dice = {f"{n}/acting player, {race}": [face] for n in (1, 2, 3)
            for race, face in (("Hydran", 6 if n == 1 else 1), ("Lyran", 6 if n == 2 else 2), ("Gorn", 3))}  # fmt: skip
    turn = table_of(state, dice)
    answers = {("card", "gorn"): FIGHT, ("challenge", "lyran"): [{"challenge": {"race": "hydran"}}]}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert [one.text for one in run.told("gorn", "combat") if " act" in one.text][:2] == kept("acted(:2)")
    ask = run.asked("lyran", "challenge")[0]
    assert on_sheet(ask)[-1] == "- Challenge: Hydran and Klingon, Gorn; None; blank passes"
    assert [ask.read_back(ask.answer_from(sheet)) for sheet in ({}, {"challenge": {"race": "hydran"}})] == kept("#1")
    assert refusal_words(ask, {"challenge": {"race": "klingon"}}) == kept("#2")


# --- three races: who is asked where, and what they see of each other ------------------------------------------------
THREE = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DD+CW\n"


@pytest.mark.rule("cutler", "3.1.3", "3.2")
def test_after_a_battle_those_who_fought_see_what_is_left_and_asks_are_numbered(kept: Kept) -> None:
    dice = {f"1/acting player, {race}": [face] for race, face in (("Hydran", 6), ("Lyran", 1), ("Klingon", 2))}
    challenge = [{"challenge": {"race": "klingon"}}]
    lost = [combats.fates(K1="destroyed")]
    run = combats.met(THREE, {("card", "lyran"): FIGHT, ("challenge", "hydran"): challenge, ("battle", ""): lost}, dice)
    # The last is of the Klingon that is left; the Lyran fought nobody.
    assert [(one.to, one.text) for one in run.table.shared.reports if one.kind == "contact"] == kept("seen")
    assert [ask.id.removeprefix("T1/combat/0404") for ask in run.asks[:10]] == kept()


@pytest.mark.rule("cutler", "3.1.3", "3.4")
def test_what_was_lost_altogether_is_no_contact_any_more_part_by_part() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran base 0404 Den\nlyran F1 0404 CC+FF\n")
    state.presence["0404"] = {}
    turn = table_of(state)

    def lost(ask: Any) -> dict[str, Any]:
        gone = [line.key for line in ask.form.lines if "Lyran F1" in line.label]
        return {line.key: {"fate": "destroyed" if line.key in gone else "intact"} for line in ask.form.lines}

    answers = {("card", "hydran"): FIGHT, ("battle", ""): [lost, lost]}
    said = [one.text for one in Run(turn, combat_phase_steps(turn.at("combat")), answers).told("hydran", "contact")]
    assert {one.form: one.live for one in turn.knowledge("hydran").contacts.values()} == {"base": True}
    assert [text for text in said if "no more" in text] == ["C1, the Lyran ships in 0404, are no more."]


@pytest.mark.rule("cutler", "2.9.8", "3.1.3")
def test_after_a_sortie_a_race_sees_again_what_its_fighters_fought(kept: Kept) -> None:
    result = combats.fates(H="disengaged", K2="destroyed")
    run = sorties(answers={("attack", "hydran"): {"klingon": {"fighters": 12}}, ("battle", ""): result})
    assert [(one.to, one.text) for one in run.table.shared.reports if one.kind == "contact"] == kept()


@pytest.mark.rule("cutler", "2.6.2.1", "8.6", "2.10")
def test_who_was_found_under_cloak_is_told_by_whom_and_which_of_its_ships(kept: Kept) -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC[cloak=up]\nlyran F2 0404 DD\n"
    text += "lyran F3 0404 FF[cloak=up]\nklingon F1 0404 CW[cloak=up]\ntogether hydran klingon\n"
    state = world(text)
    for key in ("lyran-F1-CC", "klingon-F1-CW"):
        state.units[key].found_by = ["hydran"]
    run = Run(turn := table_of(state), combat_phase_steps(turn.at("combat")))
    told = {race: [one.text for one in run.told(race, "combat") if "found" in one.text] for race in state.races()}
    assert told == kept()
