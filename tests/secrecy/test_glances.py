"""What maps show at a glance, in two worlds: numbered places, header, strengths, space, ranges, and the words for it.

A moment of a campaign is taken as it stands; in the second world something is changed that the watcher was never told.
His board and its words, and everybody's, must be the same. What is the watcher's own, changed alike, is seen.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from map_render import alt_text, describe
from rules_engine.core.knowledge.views import Board, Knowledge, PublicView, SideView
from rules_engine.rulebooks.cutler import RULEBOOK as CUTLER
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.pq17 import RULEBOOK as PQ17
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, INTRO, CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.rulebooks.test_every_rulebook import match
from tests.secrecy.hidden import all_at_once, one_at_a_time
from tests.secrecy.twin_turns import PRINTED, Change, Data, renamed_data

SIDES = ("alliance", "coalition")
LIVELY = Manner(bold=0.8, whims=0.4)


def glance(board: Board) -> str:
    """The glance layer of a board, as JSON."""
    document = board.model_dump(mode="json")
    return json.dumps([document[part] for part in ("header", "news", "ranges", "hexes", "counters", "courses")])


def seen(book: Any, state: Any, side: str, knowledge: Knowledge) -> list[str]:
    """What one side, and everybody, sees at a glance, in words too."""
    board, public = book.side_board(state, side, knowledge), book.public_board(state)
    view = SideView(side=side, board=board)
    texts = [alt_text(view), describe(view), alt_text(PublicView(public=public)), describe(PublicView(public=public))]
    return [glance(board), glance(public), *texts]


# --- PQ-17 ------------------------------------------------------------------------------------------------------------


def moments(key: str, seed: int, *, batches: int, every: int) -> Iterator[CampaignPlay]:
    """A campaign at some moments of its play, within turns and at their beginnings."""
    book, document = scenario(key) if key == INTRO else scenario(key, turns=12)
    game = CampaignPlay(book, document, seed, manner=LIVELY, check=False)
    for number in range(batches):
        if game.adjudicator.ending is not None:
            return
        game.batch()
        if number % every == 0:
            yield game


def changed(state: State, watcher: str, change: Change) -> State | None:
    """The state of the second world; None if there is nothing to change."""
    data: Data = json.loads(json.dumps(state.to_json()))
    if not change.apply(data, watcher):
        return None
    names = {old: new for new, old in change.names.items()}
    return State.from_json({key: one if key in PRINTED else renamed_data(one, names) for key, one in data.items()})


def compared(game: CampaignPlay) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Each side's glances in both worlds, with the change that makes the second."""
    for side in SIDES:
        state, known = game.adjudicator._seen_by(side)
        first = seen(PQ17, state, side, known[side])
        for change in (*one_at_a_time(), all_at_once()):
            other = changed(state, side, change)
            if other is not None:
                yield side, change.name, first, seen(PQ17, other, side, known[side])


@pytest.mark.parametrize(("key", "seed", "batches", "every"), [(INTRO, 3, 160, 20), (CAMPAIGN, 5, 110, 36)])
def test_what_the_other_side_keeps_to_itself_is_on_no_map(key: str, seed: int, batches: int, every: int):
    names: set[str] = set()
    numbered = 0
    for game in moments(key, seed, batches=batches, every=every):
        for side, name, one, other in compared(game):
            assert one == other, f"{game.where()}, seen by the {side}: {name}"
            names.add(name)
        numbered += sum(len(game.adjudicator.view(side).board.news) for side in SIDES)
    assert len(names) > (3 if key == INTRO else 6), "enough was changed"
    assert numbered, "something was numbered"


def test_one_word_too_many_would_be_noticed():
    """The comparison above can fail: the same changes, of the watcher's own."""
    *_, game = moments(CAMPAIGN, 5, batches=46, every=45)
    noticed = 0
    for side in SIDES:
        enemy = next(one for one in SIDES if one != side)
        state, known = game.adjudicator._seen_by(side)
        for change in one_at_a_time():
            other = changed(state, enemy, change)  # what the enemy must not know
            if other is not None:
                noticed += seen(PQ17, state, side, known[side]) != seen(PQ17, other, side, known[side])
    assert noticed > 4


# --- Cutler -----------------------------------------------------------------------------------------------------------


def hurt(state: CutlerState, race: str) -> None:
    """Damage, cargo, money and razed planets are a race's own."""
    for unit in state.alive(race):
        unit.warp_ok = unit.warp_ok // 2
        unit.name = f"Nameless {unit.id}"
    state.empires[race].base_pool += 77
    for planet in state.planets_of(race):
        planet.razed = planet.razed + 3


def rerouted(state: CutlerState, race: str) -> None:
    """Courses and scans are a race's own."""
    for fleet in state.fleets_of(race):
        fleet.course, fleet.scans = [], []


def regrouped(state: CutlerState, race: str) -> None:
    """So is how many fleets it has made."""
    for fleet in state.fleets_of(race):
        if len(fleet.units) > 1:
            *rest, last = fleet.units
            fleet.units = rest
            state.new_fleet(race, [last])


@pytest.mark.parametrize("change", [hurt, rerouted, regrouped])
def test_what_a_race_keeps_to_itself_is_on_no_others_map(change: Any):
    game = match("cutler/intro", 1)
    different = 0
    for _ in range(16):
        if game.adjudicator.ending is not None:
            break
        game.round()
        for secretive in ("klingon", "lyran"):
            state, known = game.adjudicator._seen_by(secretive)
            other: CutlerState = CutlerState.from_json(state.to_json())
            change(other, secretive)
            for race in state.races():
                alike = seen(CUTLER, state, race, known[race]) == seen(CUTLER, other, race, known[race])
                assert alike or race == secretive, f"the {race} sees it: {change.__doc__}"
                different += not alike
    assert different, "and its owner does"


def test_whether_others_fight_is_on_no_third_races_map():
    game = match("cutler/intro", 1)
    fights = 0
    for _ in range(40):
        if game.adjudicator.ending is not None:
            break
        game.round()
        state, known = game.adjudicator._state, game.adjudicator._shared.knowledge  # nobody is kept behind here
        for race in ("hydran", "klingon", "lyran"):
            there = [fight for fight in state.fights.values() if fight.battle is not None]
            if not there or any(race in fight.battle.everyone for fight in there if fight.battle is not None):
                continue
            fights += 1
            other: CutlerState = CutlerState.from_json(state.to_json())
            for fight in other.fights.values():
                fight.battle, fight.in_battle, fight.pairs = None, [], []
            assert seen(CUTLER, state, race, known[race]) == seen(CUTLER, other, race, known[race])
    assert fights, "others have fought"
