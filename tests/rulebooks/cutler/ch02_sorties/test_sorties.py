"""Sorties: who may fly where, what is announced, interceptions and attacks, and the way back."""

from random import Random
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_sorties.launching import sortie_ask
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps, exchange
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import Lot
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.sequence import impulse_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world
from tests.rulebooks.players import beaten

EACH = "turn 1 impulse 3\n"
PLAIN = EACH + "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 CW+FF\nlyran F1 0902 CC\n"
THREE = EACH + (
    "hydran F1 0404 CA\nklingon F1 0404 DN\nlyran F1 0404 CC\n"
    "hydran F2 0403 CV[fighters=6]\nklingon F2 0405 CV[fighters=6]\nlyran F2 0304 CV[fighters=6]\n"
)
"""Three races in a hex, each with six fighters next to it. The Lyran is the Gorn of the book's example."""
FORCE = EACH + (
    "hydran F1 0403 CV[fighters=12]\nlyran F1 {place} CV[fighters=14]\nklingon F1 0404 CW\ntogether hydran lyran\n"
)
PAIR = EACH + "hydran F1 0403 CV[fighters=12]\nlyran F1 0404 CA\nklingon F1 0404 DN\ntogether lyran klingon\n"
LARGE = EACH + "hydran F1 0403 CV[fighters=24]+CV[fighters=12]+PF+CA\nlyran F1 0404 CC\n"
CV = "hydran-F1-CV"
OK, LOST, LEFT = {"fate": "intact"}, {"fate": "destroyed"}, {"fate": "disengaged"}


def fly(target: str = "0404", fighters: int | None = None, **more: Any) -> dict[str, Any]:
    return {"target": target, **({} if fighters is None else {"fighters": fighters}), **more}


ORDERS = {("sortie", race): {f"{race}-F2-CV": fly()} for race in ("hydran", "klingon", "lyran")}


def phase(text: str = PLAIN, answers: dict[Any, Any] | None = None, dice: dict[str, list[int]] | None = None) -> Run:
    """The sortie phase. If nobody says otherwise, the Hydran's carrier sends all into 0404, and they disengage."""
    turn = table_of(world(text), dice)
    usual = {("sortie", "hydran"): {CV: fly()}, ("battle", ""): losing("H", LEFT)}
    run = Run(turn, sorties_steps(turn.at("sortie")), {**usual, **(answers or {})})
    assert not defects(turn.state)
    return run


def attack(race: str = "klingon", fighters: int = 12, **more: Any) -> dict[str, Any]:
    return {race: {"fighters": fighters, **more}}


def losing(letter: str, fate: dict[str, Any] = LOST, **others: Any) -> Any:
    """A result in which all units of one emblem have this fate, and others none."""
    left = {"fate": "damaged" if others.get("fighters_lost") else "intact", **others}
    return lambda ask: {line.key: fate if line.key[0] == letter else left for line in ask.form.lines}


def kinds(run: Run) -> list[tuple[str, tuple[str, ...]]]:
    return [(ask.kind, ask.parties) for ask in run.asks]


# --- ordering and launching ------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.9", "2.9.1")
def test_sorties_come_after_movement_and_before_combat(kept: Kept):
    state = world(EACH + "hydran F1 0403 CV[fighters=12] course 0402\nlyran F1 0401 CC\nklingon F1 0401 DD\n")
    run = Run(turn := table_of(state), impulse_steps(turn, 4), {("sortie", "hydran"): {CV: fly("0401")}})
    # The carrier has moved to 0402 already, next to 0401.
    assert [ask.kind for ask in run.asks if ask.kind in ("sortie", "attack", "card")] == kept()
    assert state.units[CV].fighters == 12


@pytest.mark.rule("cutler", "2.9.2")
def test_fighters_fly_one_hex_and_form_no_counter(kept: Kept):
    run = phase()
    ask = phase(answers={("sortie", "hydran"): {}}).asked("hydran", "sortie")[0]
    assert (ask.rule, refusal_words(ask, {CV: fly("0405")})) == ("2.9", kept())
    assert run.table.state.counters() == world(PLAIN).counters()
    assert [(one.origin, one.target, one.fighters) for one in run.table.state.sorties] == [("0403", "0404", 12)]


@cases("case, proves, text, answers, dice", "", made="text, answers")
def test_the_whole_account_of_sorties(text, answers, dice, kept: Kept):
    assert combats.account(phase(text, answers, dice)) == kept()


@cases("proves, text, sheet, words", made="text, sheet")
def test_what_may_sortie(text, sheet, words):
    assert refusal_words(sortie_ask(world(text), "hydran"), sheet) == words


@pytest.mark.rule("cutler", "2.9.5")
def test_nobody_is_asked_whose_fighters_have_no_booster_packs():
    assert not phase(PLAIN.replace("fighters=12", "fighters=12,boosters=0")).asks


@pytest.mark.rule("cutler", "2.9.3")
def test_fighters_that_sortie_miss_the_battle_at_home_and_enemies_there_do_not_hold_them_up():
    text = EACH + "hydran F1 0403 CV[fighters=12]\nlyran F1 0403 CC\nklingon F1 0404 CW\n"
    run = phase(text, {("attack", "hydran"): attack(fighters=0)})
    # The Lyran shares the hex from which they fly, and is asked nothing.
    assert run.asked("lyran") == []
    turn = run.table
    home = Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): {"force": {"card": "combat"}}})
    (battle,) = [ask for ask in home.asks if ask.kind == "battle"]
    rows = [row for panel in battle.setup.secret["hydran"] for row in panel.rows if "fighters aboard" in row]
    assert rows == ["H1 Hydran F1 Cv: 0 of 12 fighters aboard, 24 sets of warp booster packs"]
    return_sorties(turn)
    assert turn.state.units[CV].fighters == 12


@pytest.mark.rule("cutler", "2.9", "2.9.2")
def test_who_has_a_counter_next_to_its_fighters_is_asked_or_wishes_to_be():
    far = PLAIN.replace("klingon F1 0404", "klingon F1 0708")
    assert phase(far).asks == []
    state = world(far)
    state.empires["hydran"].asking = "each"
    turn = table_of(state)
    assert kinds(Run(turn, sorties_steps(turn))) == [("sortie", ("hydran",))]
    assert kinds(phase()) == [("sortie", ("hydran",)), ("attack", ("hydran",))]


# --- attacks ---------------------------------------------------------------------------------------------------------


@cases("lines, words")
def test_a_sortie_battle_ends_with_one_side_gone(lines, words):
    over: dict[str, dict[str, Any]] = {"H1": OK, "K1": LOST, "K2": LEFT}
    found: list[list[str]] = []

    def judged(ask: Any) -> Any:
        found.append([one for one in refusal_words(ask, over | lines) if not one.startswith("K1.fate")])
        return over

    phase(answers={("attack", "hydran"): attack(), ("battle", ""): judged})
    assert found == [words]


@pytest.mark.rule("cutler", "2.9.8")
def test_a_sortie_that_attacks_nobody_learns_nothing():
    # A hidden base, or two, or none: what reaches anybody is the same.
    seen = []
    for more in ("", "klingon base 0404 Rock\n", "lyran base 0404 Den\nlyran police 0404\nplanet minor 0404 lyran\n"):
        run = phase(PLAIN.replace("klingon F1 0404", "klingon F1 0503") + more.replace("planet minor 0404 lyran\n", ""))
        seen.append(sees(run.table, run.asks, "hydran"))
        assert kinds(run) == [("sortie", ("hydran",))]
    assert seen[0] == seen[1] == seen[2]
    declined = phase()
    assert "CW" not in declined.texts("hydran")
    assert declined.told("hydran", "contact") == []


@pytest.mark.rule("cutler", "3.4.5.3")
def test_who_disengages_from_a_sortie_is_safe_from_that_race_for_the_impulse():
    run = phase(PLAIN + "hydran F2 0404 CA\n", {("attack", "hydran"): attack(), ("battle", ""): losing("K", LEFT)})
    units = run.table.state.units
    assert units["klingon-F1-CW"].disengaged_from == ["hydran"]
    assert units["klingon-F1-CW"].retreat_hex
    card = {("card", "hydran"): {"force": {"card": "combat"}}}
    home = Run(run.table, combat_phase_steps(run.table.at("combat")), card)
    assert [ask for ask in home.asks if ask.kind == "battle"] == []


@pytest.mark.rule("cutler", "2.9.8", "2.9.7.2", "2.10")
def test_who_attacks_one_race_of_a_force_learns_nothing_of_its_partners():
    text = EACH + "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 DN\n"
    seen = []
    for partner in ("CA", "CC+FF"):
        run = phase(
            f"{text}lyran F1 0404 {partner}\ntogether lyran klingon\n", {("attack", "hydran"): attack(force=False)}
        )
        assert run.told("hydran", "contact")
        seen.append(sees(run.table, run.asks, "hydran"))
    assert seen[0] == seen[1]
    assert "Lyran" not in run.texts("hydran")


@cases("case, proves, targets, battles", "", made="targets, battles")
def test_the_whole_account_of_a_sortie_that_knows_both_races_of_a_force(targets, battles, kept: Kept):
    # The Lyran has no counter of its own in the hex, but the Hydran holds a contact of it.
    turn = table_of(world(PAIR))
    exchange(turn, "hydran", "lyran", "0404", turn.state.units_in("0404", "lyran"))
    answers = {("sortie", "hydran"): {CV: fly()}, ("attack", "hydran"): targets, ("battle", ""): battles}
    assert combats.account(Run(turn, sorties_steps(turn.at("sortie")), answers)) == kept()


@pytest.mark.rule("cutler", "2.9.7.3", "2.9.7.2")
def test_no_more_fighters_attack_than_there_are_and_nobody_who_is_not_there(kept: Kept):
    answers = {("attack", "hydran"): attack(fighters=0)}
    ask = phase(PLAIN.replace("lyran F1 0902", "lyran F1 0404"), answers).asked("hydran", "attack")[0]
    sheets = [{"klingon": {"fighters": 6}, "lyran": {"fighters": 7}}, {"hydran": {"fighters": 1}}]
    assert [refusal_words(ask, sheet) for sheet in sheets] == kept()


# --- sorties against each other --------------------------------------------------------------------------------------
ORDER = {"sortie order, Hydran": [6], "sortie order, Lyran": [4], "sortie order, Klingon": [2]}


@pytest.mark.rule("cutler", "2.9.7.1", "2.9.7.3")
def test_a_part_intercepts_and_each_opposing_sortie_is_met_once_in_turn(kept: Kept):
    lines = [{"against": "klingon", "fighters": 2}, {"against": "lyran", "fighters": 4}]
    meets = [{"sortie": line} for line in lines]
    run = phase(THREE, {**ORDERS, ("intercept", "hydran"): meets, ("battle", ""): [losing("H"), losing("L")]}, ORDER)
    # The Lyran has nothing left to intercept with; the Klingon is asked about the Hydran alone.
    assert combats.account(run) == kept()
    second, wrong = run.asked("hydran", "intercept")[1], [{"against": "klingon"}, {"against": "lyran", "fighters": 5}]
    assert [refusal_words(second, {"sortie": line}) for line in wrong] == kept("refused")


# --- the way back ----------------------------------------------------------------------------------------------------
def returned(text: str, sheet: dict[str, Any], change: Any = None, **answers: Any) -> Run:
    run = phase(text, {("sortie", "hydran"): sheet, **{tuple(k.split("_", 1)): v for k, v in answers.items()}})
    if change is not None:
        change(run.table.state)
    return_sorties(run.table)
    assert not defects(run.table.state)
    assert run.table.state.sorties == []
    return run


def test_players_at_random_end_a_sortie_when_its_fighters_are_beaten():
    judged: list[list[tuple[str, str]]] = []

    def battle(ask: Any) -> Any:
        for seed in range(40):
            sheet = beaten(ask, Random(seed))
            if sheet["H1"]["fate"] != "intact":
                judged.append(refusals(ask, sheet))
        return losing("H", LEFT)(ask)

    phase(answers={("attack", "hydran"): attack(), ("battle", ""): battle})
    assert len(judged) > 5
    assert not any(judged)


ROCK = PLAIN + "hydran base 0404 Rock[fighters={},aboard={}]\n"
BATTLE = {"battle_": losing("K", fighters_lost=2, boosters_lost=4), "attack_hydran": attack()}


@cases("case, proves, text, orders, answers, aboard", made="text, answers")
def test_where_fighters_land(text, orders, answers, aboard):
    run = returned(text, {CV: fly(**orders)}, **answers)
    carriers = [unit for unit in run.table.state.units.values() if unit.record.fighters]
    lost = [one.text for one in run.told("hydran") if "No box" in one.text]
    assert "No box" not in run.texts("klingon")
    assert [*(f"{unit.name} {unit.fighters} with {unit.booster_sets}" for unit in carriers), *lost] == aboard


@pytest.mark.rule("cutler", "2.9.6")
def test_who_finds_no_box_at_home_lands_where_it_is_or_is_lost():
    def gone(state: Any) -> None:
        state.units[CV].destroyed = True
        tidy_fleets(state)

    assert "No box for 12 fighters" in returned(PLAIN, {CV: fly()}, gone).texts("hydran")
    base = PLAIN + "hydran base 0404 Rock[fighters=20,aboard=0]\n"
    assert returned(base, {CV: fly()}, gone).table.state.units["hydran-base-0404"].fighters == 12


# --- what the others learn -------------------------------------------------------------------------------------------
@pytest.mark.unseen("cutler", asks=("sortie", "attack"))
@pytest.mark.rule("cutler", "2.9.2", "2.9.8")
@pytest.mark.unseen("cutler", reports=("movement", "combat"), asks=("sortie", "attack"))
def test_origin_and_size_of_a_sortie_are_unseen_by_those_whom_it_does_not_meet():
    text = PLAIN + "hydran F2 0504 CV[fighters=3]\n"
    orders = [{CV: fly()}, {"hydran-F2-CV": fly()}]
    quiet = [phase(text, {("sortie", "hydran"): sheet}) for sheet in orders]
    met = {("attack", "hydran"): attack(fighters=3)}
    fought = [phase(text, {("sortie", "hydran"): sheet, **met}) for sheet in orders]
    for side, runs in (("lyran", [*quiet, *fought]), ("klingon", quiet)):
        assert len({sees(run.table, run.asks, side) for run in runs}) == 1
    assert sees(fought[0].table, fought[0].asks, "klingon") != sees(quiet[0].table, quiet[0].asks, "klingon")


@pytest.mark.unseen("cutler", asks=("intercept", "sortie"))
@pytest.mark.rule("cutler", "2.9.7", "2.9.8")
@pytest.mark.parametrize("orders", [{"fighters": 2}, {"fighters": 5}])
def test_who_may_intercept_a_sortie_reads_nothing_of_its_size(orders: dict[str, Any]):
    def offered(fighters: dict[str, Any]) -> str:
        turn = table_of(world(THREE), ORDER)
        sheets = {**ORDERS, ("sortie", "klingon"): {"klingon-F2-CV": fly(**fighters)}}
        return combats.seen_until(turn, sorties_steps(turn.at("sortie")), sheets, "intercept", "hydran")

    assert offered({}) == offered(orders)


@pytest.mark.rule("cutler", "2.9", "2.9.1")
def test_fighters_that_do_not_fly_are_unseen():
    none = {("sortie", "hydran"): {}}
    seen = []
    for ship in ("CV[fighters=12]", "CA"):
        run = phase(PLAIN.replace("CV[fighters=12]", ship) + "hydran F9 0101 CV[fighters=6]\n", none)
        seen.append([sees(run.table, run.asks, side) for side in ("lyran", "klingon")])
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "2.9.7.1", "2.9.7.3")
@pytest.mark.unseen("cutler", reports=("combat", "battle"), asks=("intercept",))
def test_with_how_many_a_sortie_is_met_is_unseen_by_who_is_not_there():
    text = EACH + "hydran F1 0403 CV[fighters=6]\nklingon F1 0405 CV[fighters=6]\nlyran F1 0902 CC\n"
    text += "hydran F2 0404 CA\nklingon F2 0404 CW\n"
    orders = {("sortie", "hydran"): {CV: fly()}, ("sortie", "klingon"): {"klingon-F1-CV": fly()}}
    dice = {"sortie order, Hydran": [6], "sortie order, Klingon": [1]}
    runs = [
        phase(text, {**orders, ("intercept", "hydran"): [{"sortie": line}]}, dice)
        for line in ({}, {"against": "klingon", "fighters": 2}, {"against": "klingon"})
    ]
    assert len({sees(run.table, run.asks, "lyran") for run in runs}) == 1
    assert len({sees(run.table, run.asks, "klingon") for run in runs}) == 3


# --- with what other chapters have -----------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.9", "4.2.4.3", "4.2.4.7")
def test_what_flies_is_what_a_carrier_holds_and_keeps_its_type():
    unit = (state := world(PLAIN)).units[CV]
    stinger = unit.holds["fighter"].item.model_copy(update={"name": "Stinger"})
    unit.holds = {**unit.holds, "fighter": Lot(item=stinger, count=12)}
    turn = table_of(state)
    Run(turn, sorties_steps(turn.at("sortie")), {("sortie", "hydran"): {CV: fly(fighters=5)}})
    assert aboard(unit) == ["7 x Stinger", "31 x WBP Set"]
    return_sorties(turn)
    assert aboard(unit) == ["12 x Stinger", "36 x WBP Set"]


@pytest.mark.rule("cutler", "2.9", "2.4.1.5")
def test_who_may_not_launch_is_not_asked():
    assert phase(PLAIN.replace("CV[fighters=12]", "CV[fighters=12,tractors=1]+CA[tractors=1,tows=CV]")).asks == []


@pytest.mark.rule("cutler", "2.6.2.1", "2.9.8")
@pytest.mark.parametrize(("ship", "met"), [("", False), ("hydran F2 0404 CA\n", True), ("hydran base 0404\n", False)])
def test_who_was_found_under_cloak_is_met_by_a_sortie_only_where_its_finder_has_ships(ship, met):
    text = EACH + "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 CW[cloak=up]\nlyran F1 0304 CC\n" + ship
    turn = table_of(world(text))
    klingon = turn.state.units["klingon-F1-CW"]
    klingon.found_by = ["hydran"]
    exchange(turn, "hydran", "klingon", "0404", [klingon])
    answers = {("sortie", "hydran"): {CV: fly()}, ("attack", "hydran"): attack(), ("battle", ""): losing("H", LEFT)}
    run = Run(turn, sorties_steps(turn.at("sortie")), answers)
    assert [line.key for ask in run.asks if ask.kind == "battle" for line in ask.form.lines] == ["H1", "K1"] * met
    assert ("attacks the Klingon" in run.texts("klingon")) == met


@pytest.mark.rule("cutler", "2.9.5", "4.2.4.5.1")
def test_a_battle_of_a_sortie_is_one_in_which_mines_are_swept_and_dropped(kept: Kept):
    text = EACH + "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 MS[mines=10]\nlyran F1 0902 CC\n"
    state = world(text + "planet minor 0404 klingon rock\n")
    state.minefields["klingon/rock"] = MinesLaid(race="klingon", around="rock", hex="0404", places={"A5": 6})
    turn = table_of(state)
    dropped = {"fate": "intact", "mines_dropped": 4}
    answers = {
        ("sortie", "hydran"): {CV: fly()},
        ("attack", "hydran"): attack(),
        ("allocate", "klingon"): {"klingon-F1-MS": {"place": "planet"}},
        ("battle", ""): lambda ask: {line.key: LEFT if line.key[0] == "H" else dropped for line in ask.form.lines},
    }
    (battle,) = [ask for ask in Run(turn, sorties_steps(turn.at("sortie")), answers).asks if ask.kind == "battle"]
    assert [panel.title for panel in battle.setup.secret["klingon"]][-2:] == kept()
    assert state.units["klingon-F1-MS"].holds["mines"].count == 6
    assert state.minefields["klingon/rock"].fought
