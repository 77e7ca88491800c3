"""Chapter 3.9: what is moved among the ships of a hex between battles with two races, and after all combat."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.transfers import TransferSheet, has_time, judge_transfers, movable
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.combat.work import LastBattle
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Moment
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}
TWO = (
    "turn 1 impulse 3\nhydran base 0404 Yard\nhydran F1 0404 MS+CA\nhydran F2 0405 MS\nlyran F1 0404 CC\n"
    "klingon F1 0708 CC\n"
)
YARD, MS, CA, DD = "hydran-base-0404", "hydran-F1-MS", "hydran-F1-CA", "hydran-F1-DD"


def stocked(text: str = TWO) -> CutlerState:
    """A base with mines in its cargo boxes, and ships beside it that fight."""
    state = world(text)
    state.units[YARD].stowed["mines"] = Lot(item=STANDARD["mines"], count=50)
    state.units[MS].holds["mines"] = Lot(item=STANDARD["mines"], count=5)
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=1, impulse=3)}
    return state


def combat(state: CutlerState, **more: Any) -> Run:
    turn = table_of(state)
    answers = {("card", "lyran"): FIGHT} | {tuple(key.split("_")): value for key, value in more.items()}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert defects(state) == []
    return run


def mines(count: int = 20, origin: str = f"{YARD} cargo", to: str = MS, item: str = "mines") -> dict[str, Any]:
    return {"A1": {"item": item, "count": count, "origin": origin, "to": to}}


@pytest.mark.rule("cutler", "3.9")
def test_after_all_combat_ships_are_given_what_lies_in_cargo_boxes():
    state = stocked()
    run = combat(state, transfer_hydran=mines())
    assert [(ask.kind, ask.parties) for ask in run.asks][-1] == ("transfer", ("hydran",))
    assert (state.units[MS].holds["mines"].count, state.units[YARD].stowed["mines"].count) == (25, 30)
    assert "Moved in 0404: 20 CPV of mines from the cargo boxes of Yard into Hydran F1 Ms in 0404." in run.texts(
        "hydran"
    )


@pytest.mark.rule("cutler", "3.9")
@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (mines(35), []),
        (
            mines(36),
            ["A1.to: Hydran F1 Ms has room for 40 CPV of mines (4.2.4.5). Legal: at most 40, or cargo boxes."],
        ),
        (
            {"A1": {"item": "mines", "to": MS}},
            ["A1.origin: nothing is bought between battles (3.9). Legal: boxes in 0404."],
        ),
        (
            mines(origin=MS, to=CA),
            ["A1.origin: after combat, ships are given what lies in cargo boxes (3.9). Legal: hydran-F1-MS cargo."],
        ),
        (mines(to=f"{YARD} cargo"), ["A1.to: what is moved goes to ships, for use (3.9). Legal: a ship's own boxes."]),
        (mines(to=YARD), ["A1.to: what is moved goes to ships, for use (3.9). Legal: a ship's own boxes."]),
        (mines(to="hydran-F2-MS"), ["A1.to: Hydran F2 Ms is not in 0404 (3.9). Legal: a unit of yours in 0404."]),
        (
            mines(to=CA),
            ["A1.to: Hydran F1 Ca has room for 0 CPV of mines (4.2.4.5). Legal: at most 0, or cargo boxes."],
        ),
        ({"A21": mines()["A1"]}, ["A21: there is no such line. Legal: A1 to A20."]),
    ],
)
def test_what_may_be_moved_after_combat(sheet, expected):
    run = combat(stocked())
    assert refusal_words(run.asked("hydran", "transfer")[0], sheet) == expected


@pytest.mark.rule("cutler", "3.9")
@pytest.mark.parametrize(
    ("stage", "origin", "to", "path"),
    [
        ("after", f"{YARD} cargo", f"{CA} hull", "A1.to"),
        ("after", f"{MS} hull", CA, "A1.origin"),
        ("between", f"{MS} hull", CA, "A1.origin"),
    ],
)
def test_hull_boxes_give_and_take_nothing_then(stage, origin, to, path):
    state = stocked()
    sheet = TransferSheet.model_validate(mines(1, origin, to))
    found = [one.path for one in judge_transfers(state, "hydran", "0404", sheet, stage).refusals if one.rule == "3.9"]
    assert path in found


@pytest.mark.rule("cutler", "3.9")
def test_nobody_is_asked_who_did_not_fight_or_has_nothing_in_cargo_boxes():
    assert combat(stocked(), card_lyran={}).asked("hydran", "transfer") == []
    empty = stocked()
    empty.units[YARD].stowed = {}
    assert combat(empty).asked("hydran", "transfer") == []


@pytest.mark.rule("cutler", "3.9")
def test_there_is_nothing_to_move_where_no_ship_could_take_it():
    state = stocked(TWO.replace("MS+CA", "MS"))
    assert list(movable(state, "hydran", "0404", "after")) == ["mines"]
    state.units[MS].destroyed = True
    assert movable(state, "hydran", "0404", "after") == {}
    # A base takes nothing: between battles ships give to ships.
    state.units[MS].destroyed, state.units[MS].boarding_parties = False, 5
    assert movable(state, "hydran", "0404", "between") == {}


@pytest.mark.unseen("cutler", reports=("stores",), asks=("transfer",))
@pytest.mark.rule("cutler", "3.9")
def test_what_is_moved_is_seen_by_its_owner_alone():
    seen = []
    for sheet in ({}, mines()):
        run = combat(stocked(), transfer_hydran=sheet)
        seen.append(sees(run.table, run.asks, "lyran") + sees(run.table, run.asks, "klingon"))
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "3.9")
def test_there_is_time_for_it_between_battles_with_two_races_alone():
    state = world("turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC\nklingon F1 0404 CW\n")
    state.fights = {"0404": Fight()}
    assert not has_time(state, "hydran", "0404", ["lyran"])
    state.fights["0404"].work.last[CA] = LastBattle(kind="sortie", against=("lyran",))
    assert not has_time(state, "hydran", "0404", ["lyran"])
    assert has_time(state, "hydran", "0404", ["klingon"])
    assert not has_time(state, "klingon", "0404", ["hydran"])


@pytest.mark.rule("cutler", "3.9")
def test_between_battles_with_two_races_people_and_craft_go_from_ship_to_ship():
    state = world("turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC\nklingon F1 0404 CW\n")
    for key, code in ((CA, "CA"), (DD, "DD")):
        state.units[key].record = kind_of(code, shuttles=4, boarding_parties=10, cargo=5)
        state.units[key].boarding_parties = 8
        state.units[key].holds["shuttle"] = Lot(item=STANDARD["shuttle"], count=2)
    state.units[CA].holds["drone_1_slow"] = Lot(item=STANDARD["drone_1_slow"], count=1)
    found: list[Any] = []

    def moved(ask: Any) -> Any:
        tried = (
            mines(1, CA, DD, "shuttle"),
            mines(2, CA, DD, "shuttle"),  # who has a shuttle keeps one
            mines(1, CA, DD, "drone_1_slow"),
            mines(1, f"{CA} cargo", DD, "shuttle"),
            mines(5, CA, DD, "boarding_party"),  # twelve fit where ten belong
            mines(4, CA, DD, "boarding_party"),
        )
        found.extend(refusals(ask, sheet) for sheet in tried)
        return tried[-1]

    order = {"acting player, Hydran": [1, 1], "acting player, Lyran": [6, 1], "acting player, Klingon": [2, 6]}
    turn = table_of(state, order)
    challenges = {("challenge", race): [{"challenge": {"race": "hydran"}}] for race in ("lyran", "klingon")}
    answers = {("card", "lyran"): FIGHT, ("transfer", "hydran"): [moved], **challenges}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    kinds = [ask.kind for ask in run.asks if ask.kind in ("battle", "transfer")]
    assert kinds[:3] == ["battle", "transfer", "battle"]
    assert found == [
        [],
        [("A1.count", "4.2.4.2.1")],
        [("A1.item", "3.9")],
        [("A1.origin", "3.9")],
        [("A1.to", "4.2.4.8")],
        [],
    ]
    assert [state.units[key].boarding_parties for key in (CA, DD)] == [4, 12]
    # Neither the Lyran nor the Klingon has come from a battle with somebody else to this one.
    assert run.asked("lyran", "transfer") == run.asked("klingon", "transfer") == []
