"""Whole turns: the order of play, few prompts, random legal play to the end, replay, and who belongs to a strand."""

import random
from collections import defaultdict
from functools import cache

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import STANDING_ORDERS, Knowledge
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch03_combat.battle import force_out
from rules_engine.rulebooks.cutler.ch03_combat.combat import settle_fleets
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.state import Fight
from rules_engine.rulebooks.cutler.sequence import close_turn, open_turn, turn_steps
from tests.expected.kept import Kept
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.cutler.scenario_files import intro_files
from tests.rulebooks.cutler.worlds import Run, table_of, world
from tests.rulebooks.players import AT
from tests.rulebooks.strand_play import StrandPlay

# --- windows ---------------------------------------------------------------------------------------------------------
RACES = {"ash", "birch", "cedar"}
PHASES = ["espionage", *(f"I{impulse}/combat" for impulse in range(1, 7))]


def asked_in(game: StrandPlay) -> dict[str, set[str]]:
    """Who was asked something in each phase that parts, in the first turn."""
    asked: dict[str, set[str]] = defaultdict(set)
    for step in game.steps:
        for ask in step.opened:
            for phase in PHASES:
                if ask.strand.startswith(f"T1/{phase}/"):
                    asked[phase] |= set(ask.parties)
    return asked


def met_in(game: StrandPlay, phase: str) -> set[str]:
    """Who was told of others there in such a phase of the first turn."""
    return {race for race in RACES if any(one.place.startswith(f"T1/{phase}/") for one in game.told(race))}


def test_there_is_a_card_in_every_impulse_and_in_espionage() -> None:
    """Whoever meets others, and has a standing card for it, is not asked; all others are."""
    # By none of these all three, in one hex, have standing cards, or somebody is spied upon who set no points aside.
    for seed in (0, 3, 5):
        game = StrandPlay(RULEBOOK, crowded(3, turns=1), seed, patient=True).play(1)
        asked = asked_in(game)
        assert set(asked) == set(PHASES)
        assert asked["espionage"] == RACES
        for phase in PHASES:
            assert RACES - asked[phase] <= met_in(game, phase)


def test_elsewhere_only_those_are_asked_who_have_something_to_decide() -> None:
    game = StrandPlay(RULEBOOK, crowded(3, turns=1), 1).play(1)
    assert not any(ask.kind == "waiting" for step in game.steps for ask in step.opened)


# --- play ------------------------------------------------------------------------------------------------------------
SEED = bytes(range(32))


@pytest.mark.rule("cutler", "2.1")
def test_a_turn_is_economics_espionage_and_six_impulses():
    text = "turn 0\nplanet capital 0205 hydran\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0908 CW"
    run = Run(table := table_of(world(text)), turn_steps(table))
    places = list(dict.fromkeys(one.place.split("/")[1] for one in table.shared.reports if "/" in one.place))
    assert places == ["plan", "espionage", "I1", "I2", "I3", "I4", "I5", "I6"]
    assert table.now.label == "Turn 1, impulse 6"
    # The set-up was at step 0 of turn 1, and a battle between two impulses has room for steps of its own.
    moments = [(one.when.turn, one.when.step, one.when.label) for one in table.shared.reports]
    assert list(dict.fromkeys(moments)) == [
        (1, 1, "Turn 1, economics"),
        (1, 2, "Turn 1, espionage"),
        *((1, 10 * impulse, f"Turn 1, impulse {impulse}") for impulse in range(1, 7)),
    ]
    assert (table.state.turn, table.state.impulse) == (1, 6)
    # Two races share a hex through the turn: cards in each impulse; the third writes its sheet and nothing more.
    assert len([ask for ask in run.asked("hydran") if ask.kind == "card"]) == 6
    assert [ask.kind for ask in run.asked("klingon")] == ["turn"]


@pytest.mark.rule("cutler", "2.1", "2.4", "6.3")
def test_what_counts_for_a_turn_alone_is_nothing_again_in_the_next():
    table = table_of(world("turn 1 impulse 6\nhydran F1 0404 CA[moved=5]\nreserve hydran 301"))
    state = table.state
    empire, unit = state.empires["hydran"], state.units["hydran-F1-CA"]
    empire.notices, empire.lodged, empire.mines_found = 4, {unit.id: "0405"}, {"lyran/0404": 2}
    state.insurrections, unit.was_cloaked = {"cub": 5}, True
    close_turn(table)
    assert (empire.reserve, empire.notices, empire.lodged, empire.mines_found) == (300, 0, {}, {})
    assert (state.insurrections, unit.hexes_moved, unit.was_cloaked) == ({}, 0, False)
    open_turn(table)
    assert (state.turn, state.impulse, state.spent) == (2, 0, [])


@pytest.mark.rule("cutler", "2.2")
def test_a_turn_without_contact_asks_each_side_once_and_flies_the_stored_courses():
    state = world("turn 0\nhydran F1 0101 CA course 0107\nlyran F1 1101 CC\nklingon F1 0909 CW")
    state.fleet("hydran", "F1").course = ["0102", "0103", "0104", "0105", "0106", "0107", "0108"]
    run = Run(table := table_of(state), turn_steps(table))
    assert [ask.kind for ask in run.asks] == ["turn"] * 3
    assert state.units["hydran-F1-CA"].hex == "0107"
    assert state.units["hydran-F1-CA"].hexes_moved == 0  # counted from zero for the next turn
    assert state.fleet("hydran", "F1").course == ["0108"]


@pytest.mark.rule("cutler", "6.4.1.3")
def test_a_lodged_plot_is_flown_and_forgotten_at_the_end_of_the_turn():
    text = "turn 0\nreserve hydran 50\nhydran F1 0101 CA\nlyran F1 0902 CC\nklingon F1 0606 CW"
    sheet = {"M1": {"kind": "movement", "against": "lyran", "other": "0902", "ip": 30}}
    answers = {("turn", "hydran"): sheet, ("counter", "lyran"): {"F1": {"to": "0903"}}}
    run = Run(table := table_of(world(text)), turn_steps(table), answers)
    assert "Lyran CU 0902→0903" in run.texts("klingon")
    assert (table.state.units["lyran-F1-CC"].entered_at.impulse, table.state.empires["lyran"].lodged) == (1, {})


def answer(chance: random.Random, ask, state_hexes):
    """A bold sheet for any ask: choices at random, courses across the map, battles that one side loses."""
    sheet = ask.form.prefilled()
    if ask.kind == "battle":
        loser = chance.choice(sorted({key[0] for key in sheet}))
        for key, line in sheet.items():
            line["fate"] = chance.choice(["disengaged", "destroyed"] if key[0] == loser else ["intact", "damaged"])
            if line["fate"] == "damaged" and "warp_lost" in line:
                line["warp_lost"] = chance.randint(0, 6)
        return sheet
    for line in ask.form.lines:
        if line.key in ("standing", "base", "scrap"):
            # Standing cards would answer most of the questions that are to be met here. A base that cannot be paid, or
            # scrap without its second yes, makes most sheets illegal; bases have a campaign of their own.
            continue
        if line.group == "Accessories":
            continue  # see below: few of the ways in which its fields could be filled in fit each other
        values = sheet.setdefault(line.key, {})
        for field in line.fields:
            if ask.kind == "wave":
                values["ships"] = [choice.value for choice in field.choices if chance.random() < 0.3]
            elif field.key == "course" and chance.random() < 0.6:
                values["course"] = chance.choice(state_hexes)
            elif field.key == "scan" and chance.random() < 0.5:
                values["scan"] = chance.choice(state_hexes)
            elif field.kind == "one" and field.key != "go" and field.choices and chance.random() < 0.6:
                values[field.key] = chance.choice(field.choices).value
    if ask.kind == "turn":
        for number in range(1, chance.randint(1, 4)):
            kinds = [choice.value for choice in ask.form.line("M1").fields[0].choices]
            others = [choice.value for choice in ask.form.line("M1").fields[1].choices]
            kind = chance.choice(kinds)
            target = None if kind == "base" else chance.choice(state_hexes)
            sheet[f"M{number}"] = {"kind": kind, "against": chance.choice(others), "other": target, "ip": 10}
        for key in [line.key for line in ask.form.lines if line.group == "Missions"][3:]:
            sheet.pop(key, None)
        sheet["counter"] = {"points": chance.choice([0, 10])}
        sheet["economy"] = {"reserve": 50}
        if (line := ask.form.line("A1")) and chance.random() < 0.5:
            boxes = [choice.value for field in line.fields if field.key == "to" for choice in field.choices]
            sheet["A1"] = {"item": "mines", "count": 5, "to": chance.choice([one for one in boxes if "cargo" in one])}
    return sheet


@cache
def play(seed: int) -> tuple[Adjudicator, list[JournalEntry], list[str], set[str], set[str]]:
    """A campaign between bold players to its end; played once and only read by the tests."""
    chance = random.Random(seed)
    scenario = RULEBOOK.read_scenario(intro_files())
    adjudicator, step = Adjudicator.open(RULEBOOK, title="Three Crowns", scenario=scenario, seed=SEED, at=AT)
    hexes = ["0604", "0704", "0606", "0902", "0908", "0205"]  # three in the middle, and the capitals
    entries, kinds, titles, digests = [step.entry], set(), set(), [adjudicator.digest()]
    while adjudicator.ending is None:
        strand = adjudicator.strands()[0]
        for ask in [one for one in adjudicator.open_asks() if one.strand == strand]:
            kinds.add(ask.kind)
            titles.add(ask.title)
            for _ in range(20):
                sheet = answer(chance, ask, hexes)
                try:
                    adjudicator.try_answer(ask.parties[0], ask.id, sheet)
                except Refused:
                    continue
                for side in ask.parties:
                    entries.append(adjudicator.answer(side, ask.id, sheet, by=side, at=AT).entry)
                    digests.append(digests[-1])  # an answer that is only saved changes nothing
                break
            else:
                assert ask.default is not None, f"no legal {ask.kind} in twenty tries"
        entries.append(adjudicator.close("deadline", by="clock", at=AT, strand=strand).entry)
        digests.append(entries[-1].body.outcome.state)
        assert list(adjudicator.defects()) == []
        assert len(entries) < 3000
    return adjudicator, entries, digests, kinds, titles


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bold_play_comes_to_an_end_with_a_winner(seed):
    adjudicator, _, _, kinds, _ = play(seed)
    assert adjudicator.ending is not None
    assert adjudicator.ending.winners
    assert {"turn", "plot", "card", "counter"} <= kinds


def test_all_kinds_of_asks_turn_up_in_play():
    kinds = set().union(*(play(seed)[3] for seed in (1, 2, 3)))
    assert kinds >= {"turn", "plot", "card", "counter", "wave", "pursuit", "flank", "battle"}


def test_replay_from_every_prefix_stands_where_the_campaign_stood():
    _, entries, digests, _, _ = play(1)
    for length in (*range(1, 30, 4), *range(30, len(entries), 90), len(entries)):
        assert replay(RULEBOOK, entries[:length], SEED).digest() == digests[length - 1]


def test_views_hold_only_what_is_told():
    adjudicator, *_ = play(3)
    for side in ("hydran", "lyran", "klingon"):
        board = adjudicator.view(side).board
        assert {panel.title for panel in board.panels} >= {"Treasury", "Fleets", "Intelligence file", "Contacts"}
        others = [counter for counter in board.counters if counter.owner != side]
        assert all("@" in one.id or one.id.startswith("C") for one in others)
    assert all("@" in counter.id for counter in adjudicator.public_view().public.counters)


def test_standing_orders_are_on_their_owners_board_alone():
    scenario = RULEBOOK.read_scenario(intro_files())
    adjudicator, _ = Adjudicator.open(RULEBOOK, title="Three Crowns", scenario=scenario, seed=SEED, at=AT)

    def rows(side):
        return adjudicator.view(side).board.panel(STANDING_ORDERS).rows

    assert (
        rows("hydran")
        == rows("lyran")
        == (
            "Meeting others in a hex: you are asked for a card each time.",
            "Plots: you are asked when something is near or befell your ships; else stored courses go on.",
        )
    )
    (ask,) = adjudicator.asks_for("lyran")
    scout = next(line.key for line in ask.form.lines if any(field.key == "scan" for field in line.fields))
    sheet = {"standing": {"cards": "combat", "impulses": "each"}, scout: {"scan": "0604"}}
    adjudicator.answer("lyran", ask.id, sheet, by="lyran", at=AT)
    adjudicator.close("deadline", by="clock", at=AT)
    assert rows("lyran") == (
        "Meeting others in a hex: your card is always combat.",
        "Plots: you are asked in every impulse.",
        f"{scout} scans 0604 in every impulse.",
    )
    assert rows("hydran")[0] == "Meeting others in a hex: you are asked for a card each time."
    assert adjudicator.public_view().public.panel(STANDING_ORDERS) is None


def test_titles_of_questions_can_stand_in_a_sentence():
    titles = set().union(*(play(seed)[4] for seed in (1, 2, 3)))
    assert any("bypass or combat" in title for title in titles)
    assert {title for title in titles if title[-1:] in "?.!"} == set()


# --- strand grounds --------------------------------------------------------------------------------------------------
def test_missions_against_a_race_are_its_own_business_and_not_the_spys() -> None:
    game = StrandPlay(RULEBOOK, crowded(3, turns=1), 1)
    one = game.adjudicator
    spying = {
        "economy": {"reserve": 50},
        "counter": {"points": 10},
        "M1": {"kind": "base", "against": "birch", "ip": 10},
    }
    watching = {"economy": {"reserve": 50}, "counter": {"points": 10}}
    for ask in one.open_asks():
        (side,) = ask.parties
        one.answer(side, ask.id, spying if side == "ash" else watching, by=side, at="x")
    game.close("")
    assert (one.strands(), one._shared.strands["T1/espionage/birch"].parties) == (("T1/espionage/birch",), {"birch"})
    assert one.asks_for("ash") == ()


def test_a_race_that_is_moved_into_a_fight_takes_no_part_in_it() -> None:
    game = StrandPlay(RULEBOOK, crowded(7, turns=1, fleets=1, hexes=3), 3)
    one = game.adjudicator
    while not any("/combat/" in strand for strand in one.strands()):
        game.close(one.strands()[0])
    three = next(key for key, strand in one._shared.strands.items() if len(strand.parties) == 3)
    inside, hex_id = one._shared.strands[three].parties, three.rsplit("/", 1)[1]
    stranger = next(side for side in one._state.races() if side not in inside)
    for unit in one._state.units.values():
        if unit.race == stranger:
            unit.hex = hex_id
    for ask in [ask for ask in one.open_asks() if ask.strand == three]:
        one.answer(ask.parties[0], ask.id, {"force": {"card": "combat"}}, by="x", at="x")
    game.close(three)
    assert three in one.strands()
    while three in one.strands():
        assert all(inside.issuperset(ask.parties) for ask in one.open_asks() if ask.strand == three)
        game.finish(three)


def test_a_lost_ship_is_on_no_board_and_a_prize_on_its_captors() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\nlyran F2 0404 DD")
    state.fights = {"0404": Fight()}
    state.units["lyran-F2-DD"].destroyed = True
    prize = state.units["lyran-F1-FF"]
    prize.race, prize.captured_from = "hydran", "lyran"

    def fleets(side: str) -> str:
        panel = side_board(state, side, Knowledge()).panel("Fleets")
        assert panel is not None
        return "\n".join(panel.rows)

    assert prize.name in fleets("hydran")
    assert prize.name not in fleets("lyran")
    assert state.units["lyran-F2-DD"].name not in fleets("lyran")


def test_a_prize_that_disengages_rolls_for_itself() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF")
    own, prize = state.units["lyran-F1-CC"], state.units["lyran-F1-FF"]
    prize.race = "hydran"
    force_out(table_of(state, {"prize 1/retreat": [4], "F1/retreat": [1]}), [prize, own], [prize.id])
    assert (prize.retreat_hex, own.retreat_hex) == ("0405", "0403")


def test_who_has_a_ship_knows_it_as_its_own_again() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF")
    state.empires["lyran"].known_ships = {"lyran-F1-FF": "hydran"}
    settle_fleets(state, "0404", Fight(prizes=["lyran-F1-FF"]))
    assert state.empires["lyran"].known_ships == {}


def test_fleets_may_hold_what_is_lost_only_while_hexes_are_fought_over(kept: Kept) -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF+DD")
    state.units["lyran-F1-FF"].race = "hydran"
    state.units["lyran-F1-DD"].destroyed = True
    state.fights = {"0404": Fight()}
    assert defects(state) == []
    state.fights = {}
    assert defects(state) == kept()
