"""Chapter 2.9 on both sides of each bound: who is asked, what is judged, launched and split, and who flies back."""

from typing import Any

import pytest

from rules_engine.core.knowledge.views import Contact, Glimpse
from rules_engine.rulebooks.cutler.ch02_sorties import launching
from rules_engine.rulebooks.cutler.ch02_sorties.choosing import attack_ask, intercept_ask, targets_of
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties, sortie_defects
from rules_engine.rulebooks.cutler.ch02_sorties.sortie_fights import detach, fighters_in, squads_of
from rules_engine.rulebooks.cutler.records.accessories.catalogue import FIGHTER, STANDARD, WBP, Lot, Lots
from rules_engine.rulebooks.cutler.records.parts.craft import squadron
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie, SortieSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch02_sorties import test_sorties
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, table_of, world

EACH = "turn 1 impulse 3\n"
CV, CV2 = "hydran-F1-CV", "hydran-F1-CV2"
PLAIN = EACH + "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 CW\n"


def lots(fighters: int, boosters: int | None = None) -> Lots:
    counts = {FIGHTER: fighters, WBP: fighters if boosters is None else boosters}
    return {key: Lot(item=STANDARD[key], count=count) for key, count in counts.items() if count}


# --- orders ----------------------------------------------------------------------------------------------------------
@cases("text, asking, is_asked")
def test_who_is_asked_for_sorties(text: str, asking: Any, is_asked: bool) -> None:
    for ship, able in (("CV[fighters=1]", True), ("CV[fighters=1,boosters=0]", False), ("CA", False)):
        state = world(f"{EACH}hydran F1 0403 {ship}\n{text}")
        state.empires["hydran"].asking = asking
        assert launching.wants_to_sortie(state, "hydran") is (is_asked and able)


@pytest.mark.rule("cutler", "2.9", "2.6.2.1", "2.4.1.5")
def test_whose_fighters_can_fly_now() -> None:
    state = world(
        f"{EACH}hydran F1 0403 CV[fighters=6]+CV[fighters=6,cloak=up]+CV[fighters=6,cloak=down]\n"
        "hydran F2 0403 CA[tractors=1,tows=CV]+CV[fighters=6]\nhydran base 0403 Rock[fighters=6]\n"
        "lyran F1 0403 CV[fighters=6]"
    )
    assert [unit.id for unit in launching.carriers(state, "hydran")] == [CV, "hydran-F1-CV3", "hydran-base-0403"]


@pytest.mark.rule("cutler", "2.9.9")
def test_a_line_offers_as_many_as_have_boosters_and_no_more_than_24(kept: Kept) -> None:
    state = world(f"{EACH}hydran F1 0403 CV[fighters=30]+CV[fighters=24]+CV[fighters=9,boosters=1]\nlyran F1 0404 CC\n")
    form = launching.sortie_ask(state, "hydran").form
    numbers = [next(one for one in line.fields if one.key == "fighters") for line in form.lines]
    assert [(one.least, one.most, one.value) for one in numbers] == [(1, 24, 24), (1, 24, 24), (1, 1, 1)]
    assert [line.note for line in form.lines] == kept("(line.note for line in form.lines)")
    force = world(f"{EACH}hydran F1 0403 CV[fighters=6]\nlyran F1 0404 CC\ntogether lyran hydran klingon")
    line = launching.sortie_ask(force, "hydran").form.lines[-1]
    assert (line.key, line.label, [one.label for one in line.fields]) == kept("#1")


TOO_FEW = "hydran-F1-CV.fighters: Hydran F1 Cv has warp booster packs for {} (2.9.5). Legal: at most {}."
NO_TARGET = (
    "{}: {} carries no fighters: shuttles, MRS, SWAC, PFs and ships do not sortie (2.9.8, 2.9.9). Legal: no sortie."
)


@cases("ships, sheet, words")
def test_what_may_fly_whither(ships: str, sheet: dict[str, Any], words: list[str]) -> None:
    state = world(f"{EACH}hydran F1 0403 {ships}\nlyran F1 0404 CC")
    assert refusal_words(launching.sortie_ask(state, "hydran"), sheet) == words


@cases("sheet, said")
def test_orders_for_sorties_are_read_back(sheet: dict[str, Any], said: list[str]) -> None:
    text = f"{EACH}hydran F1 0403 CV[fighters=12]+CV[fighters=6]\nlyran F1 0404 CC\ntogether hydran klingon"
    ask = launching.sortie_ask(world(text), "hydran")
    assert list(ask.read_back(ask.answer_from(sheet))) == said


@pytest.mark.rule("cutler", "2.9.3", "2.9.8")
def test_what_flies_the_same_way_is_one_sortie(kept: Kept) -> None:
    state = world(
        f"{EACH}hydran F1 0403 CV[fighters=6]+CV[fighters=6]+CV[fighters=6]\n"
        "hydran F2 0504 CV[fighters=6]+CV[fighters=6]"
    )
    sheet = SortieSheet.model_validate(
        {
            CV: {"target": "0404"}, CV2: {"target": "0404", "fighters": 5},
            "hydran-F1-CV3": {"target": "0404", "then": "land"}, "hydran-F2-CV": {"target": "0404", "fighters": 1},
            "hydran-F2-CV2": {"target": "0505"},
        }
    )  # fmt: skip
    flown = launching.launch(state, "hydran", sheet)
    assert [(one.key, one.origin, one.target, one.fighters, one.booster_sets, one.land) for one in flown] == kept()
    assert [unit.fighters for unit in state.alive()] == [0, 1, 0, 5, 0]


@cases("hydran, lyran, flown")
def test_a_force_sends_24_from_one_hex_or_nobody(hydran: Any, lyran: Any, flown: str) -> None:
    state = world(
        f"{EACH}hydran F1 0403 CV[fighters=20]+CV[fighters=20]\nlyran F1 0403 CV[fighters=20]\n"
        "lyran F2 0504 CV[fighters=20]\ntogether hydran lyran"
    )
    sheets = {
        race: SortieSheet.model_validate({key: {"target": goal, "fighters": n} for key, (goal, n) in lines.items()})
        for race, lines in (("hydran", hydran), ("lyran", lyran), ("klingon", {}))
    }
    turn = table_of(state)
    kept = launching.hold_back(turn, sheets)
    left = [f"{race} {line.target}" for race in ("hydran", "lyran") for line in kept[race].lines.values()]
    assert ", ".join(left) == flown
    text = "No sortie into {}: coordinated fighters come from one hex, 24 at most."
    off = sorted({goal for goal, _ in [*hydran.values(), *lyran.values()] if goal not in flown})
    said = {race: [text.format(goal) for goal in off] for race in ("hydran", "lyran")}
    assert combats.told_alone(turn) == (said if off else {})


@pytest.mark.rule("cutler", "2.9.2", "2.10")
def test_targets_are_announced_race_by_race_and_once_for_a_force(kept: Kept) -> None:
    state = world(
        f"{EACH}hydran F1 0403 CV\nlyran F1 0403 DN\nklingon F1 0405 CV\nlyran F2 0606 CV\ntogether hydran lyran"
    )

    def flown(race: str, origin: str, target: str) -> Sortie:
        return Sortie(key="", race=race, origin=origin, target=target, holds={})

    turn = table_of(state)
    launching.announce(turn, [])
    launching.announce(
        turn, [flown("klingon", "0405", "0404"), flown("lyran", "0403", "0503"), flown("hydran", "0403", "0402")]
    )
    # Both into one hex: the Lyran dreadnought has the higher rating, and the counter.
    both = [flown("hydran", "0403", "0404"), flown("lyran", "0403", "0404"), flown("klingon", "0405", "0404")]
    launching.announce(turn, [*both, flown("lyran", "0606", "0605"), flown("klingon", "0405", "0404")])
    assert [one.text for one in turn.shared.reports if one.is_public()] == kept()


# --- choices ---------------------------------------------------------------------------------------------------------
@cases("line, words, said")
def test_whom_fighters_may_intercept(line: dict[str, Any], words: list[str], said: str) -> None:
    ask = intercept_ask(world(PLAIN), "hydran", "0404", {"lyran": "Lyran and Gorn", "klingon": "Klingon"}, 6)
    assert refusal_words(ask, {"sortie": line}) == words
    if said:
        assert list(ask.read_back(ask.answer_from({"sortie": line}))) == [said]


@cases("sheet, words, said")
def test_whom_fighters_may_attack(sheet: dict[str, Any], words: list[str], said: list[str]) -> None:
    ask = attack_ask(world(PLAIN), "hydran", "0404", ["lyran", "klingon"], 6)
    assert refusal_words(ask, sheet) == words
    if said:
        assert list(ask.read_back(ask.answer_from(sheet))) == said


@cases("text, contact, targets")
def test_whom_a_sortie_may_attack_is_whom_its_race_knows_to_be_there(text, contact, targets):
    state = world(f"{EACH}hydran F1 0403 CV\n{text}")
    turn = table_of(state)
    known = turn.knowledge("hydran")
    if contact is not None:
        hex_id, live = contact
        when = turn.shared.now
        glimpse = Glimpse(when=when, hex=hex_id, level=1, level_name="", headline="")
        known.contacts["T1"] = Contact(track="T1", owner="klingon", first_seen=when, latest=glimpse, live=live)
    assert targets_of(state, "hydran", "0404", known) == targets


# --- squadrons -------------------------------------------------------------------------------------------------------
def over(**squads: tuple[int, int]) -> CutlerState:
    """A fight over 0404 with these squadrons of Hydran sorties: fighters and booster packs."""
    state = world(PLAIN)
    fight = state.fights["0404"] = Fight()
    for name, (fighters, boosters) in squads.items():
        key = f"hydran-fighters-{name[1:]}"
        fight.flights[key] = squadron(
            key, "hydran", f"Fighters {name[1:]}", "0404", lots(fighters, boosters), origin="0403"
        )
    return state


@cases("count, sent, left")
def test_one_squadron_is_split_where_fewer_are_sent(count: int, sent: list[str], left: list[str]) -> None:
    state = over(s1=(6, 6), s2=(4, 3))

    def short(units: list[Unit]) -> list[str]:
        return [f"{one.id.removeprefix('hydran-fighters-')}: {one.fighters}/{one.booster_sets}" for one in units]

    assert short(detach(state, "0404", squads_of(state, "0404", ["hydran"]), count)) == sent
    now = squads_of(state, "0404", ["hydran"])
    assert (short(now), fighters_in(now)) == (left, 10)
    assert {unit.entered_from for unit in now} == {"0403"}


@pytest.mark.rule("cutler", "2.9.7.3")
def test_parts_of_a_squadron_are_numbered_on_and_those_of_another_by_themselves(kept: Kept) -> None:
    state = over(s1=(6, 6), s11=(6, 6))
    squads = squads_of(state, "0404", ["hydran"])
    (first,) = detach(state, "0404", squads[:1], 3)
    (again,) = detach(state, "0404", [first], 2)
    (other,) = detach(state, "0404", squads[1:], 1)
    assert [(one.id, one.fighters) for one in (first, again, other)] == kept("#1")
    assert [one.name for one in (first, again, other)] == kept("#2")


@pytest.mark.rule("cutler", "2.9.7")
def test_which_squadrons_are_still_there_to_fight(kept: Kept) -> None:
    state = over(s1=(6, 6), s2=(6, 6), s3=(6, 6))
    craft = state.fights["0404"].flights
    craft["klingon-fighters-1"] = squadron("klingon-fighters-1", "klingon", "x", "0404", lots(2), origin="0405")
    craft["hydran-F1-CV-fighters-1"] = squadron("hydran-F1-CV-fighters-1", "hydran", "x", "0404", lots(2))  # no sortie
    craft["hydran-fighters-2"].destroyed = True
    craft["hydran-fighters-3"].disengaged_from = ["klingon"]
    assert [unit.id for unit in squads_of(state, "0404", ["hydran"])] == ["hydran-fighters-1"]
    assert [unit.id for unit in squads_of(state, "0404", ["klingon", "hydran"])] == kept()


# --- the way back ----------------------------------------------------------------------------------------------------
@cases("flown, lands, boxes, left, said")
def test_who_lands_where_and_who_is_lost(flown: Any, lands: bool, boxes: Any, left: Any, said: Any) -> None:
    here, home = boxes
    state = world(
        f"{EACH}hydran F1 0403 CV[fighters={home},aboard=0]\nhydran F2 0404 CV[fighters={here},aboard=0]\n"
        "klingon F1 0404 CV[fighters=9,aboard=0]\nklingon F2 0403 CV[fighters=9,aboard=0]"
    )
    state.sorties = [
        Sortie(key="hydran-fighters-1", race="hydran", origin="0403", target="0404", holds=lots(*flown), land=lands)
    ]
    turn = table_of(state)
    return_sorties(turn)
    assert (state.units["hydran-F2-CV"].fighters, state.units[CV].fighters) == left
    lost = "No box for {} of the sortie into 0404: lost."
    words = [lost.format(f"{one} fighter{'s' * (one > 1)}") if isinstance(one, int) else one for one in said]
    assert combats.told_alone(turn) == ({"hydran": words} if words else {})
    assert state.sorties == []


@cases("fighters, boosters, is_sound")
def test_no_sortie_has_more_packs_than_fighters(fighters: int, boosters: int, is_sound: bool) -> None:
    state = world(PLAIN)
    state.sorties = [Sortie(key="x", race="hydran", origin="0403", target="0404", holds=lots(fighters, boosters))]
    assert sortie_defects(state) == ([] if is_sound else ["a sortie of hydran has no number"])


# --- the phase -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.9")
@pytest.mark.parametrize(("ships", "classes", "waits"), [("CA", "CA", 0), ("CV", "CA", 3), ("CA", "CV", 3)])
def test_where_windows_are_fixed_all_wait_for_orders_if_there_may_be_fighters(ships, classes, waits):
    fighters = "[fighters=6]" if ships == "CV" else ""
    state = world(f"{EACH}hydran F1 0101 {ships}{fighters}\nlyran F1 0909 CA\nklingon F1 0505 CA")
    state.classes = {"one": kind_of("CA"), "two": kind_of("CA", fighters=6 if classes == "CV" else 0)}
    turn = table_of(state)
    turn.shared.patient = True
    assert [ask.kind for ask in Run(turn, sorties_steps(turn)).asks] == ["waiting"] * waits


@pytest.mark.rule("cutler", "2.9.7.1", "2.9.7.3")
def test_each_interception_is_asked_and_rolled_for_at_a_place_of_its_own() -> None:
    answers = {
        **test_sorties.ORDERS,
        ("intercept", "hydran"): [
            {"sortie": {"against": "klingon", "fighters": 2}},
            {"sortie": {"against": "lyran", "fighters": 4}},
        ],
        ("battle", ""): [test_sorties.losing("H"), test_sorties.losing("L")],
    }
    run = test_sorties.phase(test_sorties.THREE, answers, test_sorties.ORDER)
    here = "T1/sortie/0404/intercept/hydran"
    assert [ask.id for ask in run.asks if ask.id.startswith(here)] == [
        f"{here}/1/intercept/hydran", f"{here}/1/of/klingon/battle/battle/hydran+klingon",
        f"{here}/2/intercept/hydran", f"{here}/2/of/lyran/battle/battle/hydran+lyran",
    ]  # fmt: skip


@cases("sent", "")
@pytest.mark.parametrize("flying", [{CV: 12}, {CV: 6, "hydran-F2-CV": 6}])
def test_sorties_may_be_split_among_three_enemies(sent: tuple[int, ...], flying: dict[str, int]) -> None:
    ships = "\n".join(
        f"hydran {key[7:9]} {at} CV[fighters={number}]"
        for at, (key, number) in zip(("0403", "0304"), flying.items(), strict=False)
    )
    text = f"{EACH}{ships}\nklingon F1 0404 CW\nlyran F1 0404 CC\nlyran F2 0404 DD\n"
    state = combats.with_gorn(world(text), "lyran-F2-DD")
    fought: list[tuple[str, int]] = []

    def battle(ask: Any) -> Any:
        (other,) = [party for party in ask.parties if party != "hydran"]
        rows = next(panel.rows for panel in ask.setup.panels if panel.title == "Hydran force")
        fought.append((other, sum(int(row.split(": ")[1].split(" ")[0]) for row in rows)))
        return {line.key: {"fate": "disengaged" if line.key[0] == "H" else "intact"} for line in ask.form.lines}

    others = ("lyran", "klingon", "gorn")
    answers = {
        ("sortie", "hydran"): {key: {"target": "0404"} for key in flying},
        ("attack", "hydran"): {race: {"fighters": number} for race, number in zip(others, sent, strict=True)},
        ("battle", ""): battle,
    }
    run = Run(turn := table_of(state), sorties_steps(turn.at("sortie")), answers)
    assert fought == [(race, number) for race, number in zip(others, sent, strict=True) if number]
    said = [f"The sortie of the Hydran into 0404 attacks the {state.name_of(race)}." for race, _ in fought]
    assert [one for one in run.texts("hydran").split("\n") if "attacks" in one] == said
    assert sum(one.fighters for one in state.sorties) == 12


@cases("leaving, forces")
def test_who_stays_in_a_force_of_which_others_leave_stays_with_the_rest(leaving: list[str], forces: Any) -> None:
    text = "\n".join(f"{race} F1 {at} CV[fighters=6]" for race, at in zip(RACES_AT, RACES_AT.values(), strict=True))
    state = world(f"{EACH}{text}\ntogether hydran lyran klingon")
    for empire in state.empires.values():
        empire.asking = "each"
    answers = {("sortie", race): {"coordination": {"stay": False}} for race in leaving}
    run = Run(turn := table_of(state), sorties_steps(turn.at("sortie")), answers)
    assert [ask.parties for ask in run.asks] == [("hydran",), ("lyran",), ("klingon",)]
    assert state.coordination.forces == forces
    assert all(state.coordination.wishes[race] == [] for race in leaving)


RACES_AT = {"hydran": "0202", "lyran": "0505", "klingon": "0808"}


@pytest.mark.rule("cutler", "2.9.7.2", "2.6.2.1", "2.10")
def test_a_hidden_partner_of_whom_a_sortie_attacks_hears_nothing_of_it() -> None:
    text = "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 CW\nlyran F1 0404 CC{}\ntogether lyran klingon"
    answers = {
        ("sortie", "hydran"): {CV: {"target": "0404"}},
        ("attack", "hydran"): {"klingon": {"fighters": 12}},
        ("battle", ""): test_sorties.losing("H", test_sorties.LEFT),
    }
    heard = []
    for cloak in ("", "[cloak=up]"):
        state = world(EACH + text.format(cloak))
        # Whose counter stands for both is agreed, so that it is the Klingon whom the Hydran knows of.
        state.coordination.colours = {"lyran": "klingon", "klingon": "klingon"}
        run = Run(turn := table_of(state), sorties_steps(turn.at("sortie")), answers)
        heard.append("The sortie of the Hydran into 0404 attacks the Klingon." in run.texts("lyran"))
    assert heard == [True, False]
