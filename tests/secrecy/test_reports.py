"""Reports in many random games, what maps show at a glance, and notices of trouble."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import advice
from bot.delivery.trouble import Trouble, TroubleKind
from bot.records import campaign_settings, campaigns, effects
from bot.records.places import battle_place
from map_render import alt_text, describe
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.knowledge.views import Board, Knowledge, PublicView, SideView
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler import RULEBOOK as CUTLER
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.pq17 import RULEBOOK as PQ17
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.special_conditions import TITLES
from tests.form_documents import form_text
from tests.rulebooks.players import Match
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, INTRO, CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.rulebooks.test_every_rulebook import LIGHT, SCENARIOS, match
from tests.secrecy.hidden import all_at_once, one_at_a_time
from tests.secrecy.twin_turns import PRINTED, Change, Data, renamed_data
from tests.seeds import lesser_seeds

# --- what the rules tell in many random games: no report speaks of the others by their own names and ids --------------
# Battle sheets show the other side's ships to both parties (PQ-17 6.2.7, Cutler 3.5, Border Patrol BP-R57); what
# stood on one may be named to those parties from then on. A Cutler race may also name the ships that its missions
# found (``known_ships``). In a duel of vectors all that is on the map has names that everybody reads (VM-R38).
ROUNDS = 15
SITE_BEGUN = re.compile(r"\d+ CPV are set aside for (?P<name>.+?) \(")
"""What tells the owner of a site how it is called, and nobody else."""
TURN_OF_A_PLACE = re.compile(r"^T\d+(?=/)")
"""A turn, as the ids of asks begin with it; units may be called so, too."""
HEADINGS = ("Supply",)
"""Headings of notes that a force of some scenario is called by, too."""


def private_words(state: Any) -> dict[str, set[str]]:
    """By side, the names and ids that are its own business."""
    if hasattr(state, "task_forces"):
        words: dict[str, set[str]] = {label.key: set() for label in state.sides}
        public = scenario_words(state)
        for tf in state.task_forces.values():
            known = tf.base is not None and tf.base.known
            units = [state.units[one] for one in tf.units]
            names = {tf.name} | {word for unit in units for word in (unit.id, unit.name) if not known}
            words[tf.side] |= {tf.id} | {name for name in names if not is_named_in(name, public)}
        return words
    if hasattr(state, "stacks"):
        places = " ".join(
            word for one in (*state.provinces.values(), *state.systems.values()) for word in (one.id, one.name)
        )
        words = {team: {stack.id for stack in state.stacks_of(team)} for team in state.teams}
        for unit in state.units.values():
            if unit.team:
                words[unit.team] |= {word for word in (unit.id, unit.name) if not is_named_in(word, places)}
        return words
    if hasattr(state, "battle"):
        words = {captain: set() for captain in state.captains}
        for unit in state.battle.units.values():
            if not is_seen_by_all(state, unit):
                words[unit.side] |= {unit.id, unit.name}
        return words
    words = {empire: set() for empire in state.empires}
    for unit in state.units.values():
        owner = unit.empire if hasattr(unit, "empire") else unit.race
        if owner:
            words[owner] |= {unit.id, unit.name}
    return words


def is_seen_by_all(state: Any, unit: Any) -> bool:
    """Whether a unit of a duel is or was on everybody's map: not before the set-up is revealed, nor while it is still
    to come or aboard another."""
    return state.revealed and not unit.aboard and unit.waits_for <= state.battle.turn


def scenario_words(state: Any) -> str:
    """What everybody has read: the names of places, bases, forces and convoys in the scenario, but not those that its
    ships are given; the special conditions, which forces are named after; and the book's own headings."""
    scenario = state.settings.model_dump_json(exclude={"campaign": {"nation": {"__all__": {"ship_names"}}}})
    return "\n".join([scenario, *TITLES.values(), *HEADINGS])


def own_words(state: Any) -> dict[str, set[str]]:
    """By side, what all its units are called, those that are not on the map or are being built included: both may have
    an F-L 3, or a Base Station 1."""
    found: dict[str, set[str]] = defaultdict(set)
    if hasattr(state, "task_forces"):
        for unit in state.units.values():
            found[unit.side] |= {unit.id, unit.name}
    for work in [*getattr(state, "works", {}).values(), *getattr(state, "sites", {}).values()]:
        found[work.race] |= {work.named}
    return found


def is_named_in(word: str, text: str) -> bool:
    """Whether the word stands in the text as a word of its own."""
    return bool(word) and word in text and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def told_words(asks: Iterable[AnyAsk]) -> list[tuple[tuple[str, ...], str]]:
    """The words of open battle sheets, with their parties."""
    found: list[tuple[tuple[str, ...], str]] = []
    for ask in asks:
        if ask.setup is not None:
            rows = [row for panel in ask.setup.panels for row in panel.rows]
            labels = [f"{line.key} {line.label} {line.note}" for line in ask.form.lines]
            found.append((ask.parties, "\n".join([ask.setup.title, ask.setup.where, *rows, *labels])))
    return found


class Scan:
    """A game, scanned as it goes."""

    def __init__(self, game: Match) -> None:
        self.game = game
        self.sides = [label.key for label in game.adjudicator.sides]
        self.named: dict[str, str] = dict.fromkeys(self.sides, "")
        self.leaks: list[str] = []
        self.reports = 0

    def run(self) -> None:
        seen = 0
        words = private_words(self.game.adjudicator._state)
        for _ in range(ROUNDS):
            if self.game.adjudicator.ending is not None:
                break
            for parties, text in told_words(self.game.adjudicator.open_asks()):
                for side in parties:
                    self.named[side] += text
            before = words
            self.game.round()
            words = private_words(self.game.adjudicator._state)
            for side in words:
                words[side] |= before[side]
            for side, own in own_words(self.game.adjudicator._state).items():
                self.named[side] += "\n".join(["", *own, ""])  # also when it is given up or lost
            for unit in self._seen_by_all():
                for side in self.sides:
                    self.named[side] += f"\n{unit.id}\n{unit.name}\n"
            for side, empire in getattr(self.game.adjudicator._state, "empires", {}).items():
                units = self.game.adjudicator._state.units
                known = getattr(empire, "known_ships", ())
                self.named[side] += "\n".join(units[one].name for one in known if one in units)
            for step in self.game.steps[seen:]:
                for report in step.reports:
                    if begun := SITE_BEGUN.match(report.text):  # it may be lost again before the round is over
                        self.named[report.to[0]] += f"\n{begun['name']}\n"
                    self._report(report, words)
            seen = len(self.game.steps)
            self._asks(words)

    def _seen_by_all(self) -> list[Any]:
        state = self.game.adjudicator._state
        units = state.battle.units.values() if hasattr(state, "battle") else ()
        return [unit for unit in units if is_seen_by_all(state, unit)]

    def _report(self, report: Any, words: dict[str, set[str]]) -> None:
        self.reports += 1
        why = report.why.text() if report.why else ""
        facts = " ".join(fact.model_dump_json() for fact in report.facts)
        for side in self.sides if report.is_public() else report.to:
            self._check(side, f"{report.text}\n{why}\n{facts}", words, f"report {report.kind}")

    def _asks(self, words: dict[str, set[str]]) -> None:
        """Forms and views, too."""
        for side in self.sides:
            self._check(side, self.game.adjudicator.view(side).model_dump_json(), words, "view")
            for ask in self.game.adjudicator.asks_for(side):
                if ask.setup is None:
                    here = TURN_OF_A_PLACE.sub("", ask.id)
                    shown = f"{here} {ask.title} {ask.text} {form_text(ask.form)} {ask.default_says}"
                    self._check(side, shown, words, f"ask {ask.kind}")

    def _check(self, side: str, text: str, words: dict[str, set[str]], what: str) -> None:
        own = words[side] | own_words(self.game.adjudicator._state)[side]
        for other in self.sides:
            if other == side:
                continue
            for word in words[other] - own - {""}:
                if is_named_in(word, text) and word not in self.named[side]:
                    self.leaks.append(f"{what} to {side} names {other}'s {word!r}: {text[:200]!r}")


SCANNED = [
    pytest.param(key, seed, marks=() if number < (2 if key in LIGHT else 1) else pytest.mark.thorough)
    for key in SCENARIOS
    for number, seed in enumerate(lesser_seeds())
]
"""Every scenario, each day with a seed or two, and where time matters less with all."""


@pytest.mark.parametrize(("key", "seed"), SCANNED)
def test_nothing_that_is_told_names_the_others_own_names_and_ids(key: str, seed: int) -> None:
    scan = Scan(match(key, seed))
    scan.run()
    assert scan.reports > 5
    assert not scan.leaks, "\n".join(scan.leaks[:10])


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_scan_can_fail(key: str) -> None:
    scan = Scan(match(key, 1))
    first, second = scan.sides[:2]
    while not (words := private_words(scan.game.adjudicator._state))[second] - words[first]:
        scan.game.round()  # players who set up their campaign have no names yet
    name = max(words[second] - words[first])
    scan._check(first, f"they have {name} there", words, "report")
    assert scan.leaks


# --- glances ----------------------------------------------------------------------------------------------------------
# what maps show at a glance, in two worlds: numbered places, header, strengths, space, ranges, and the words for it.
# A moment of a campaign is taken as it stands; in the second world something is changed that the watcher was never
# told. His board and its words, and everybody's, must be the same. What is the watcher's own, changed alike, is seen.
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


# --- notices ----------------------------------------------------------------------------------------------------------
# notices of trouble reach a referee who may play: whatever the hidden thing was that Discord did not let through, the
# words are the same.
HOME = campaigns.CampaignInfo(
    id="abcde", guild_id=1, title="Convoy", rulebook="toy", status=campaigns.CampaignStatus.RUNNING, referee_id=2,
    settings=campaign_settings.CampaignSettings(),
    sides=tuple(SideLabel(key=key, name=key.title(), emblem=key[0]) for key in ("hydran", "klingon", "lyran")),
)  # fmt: skip
NOBODY: Any = SimpleNamespace(is_ready=lambda: False, get_guild=lambda _: None)
ONE, OTHER = "T1/I4/combat/0505/vs/hydran/klingon/main", "T2/I1/combat/1204/vs/lyran/klingon/raid"


def told(effect: effects.Effect, kind: TroubleKind) -> list[str]:
    """All that a referee may be told of trouble with it."""
    return [
        advice.to_the_referee(NOBODY, effect, HOME, Trouble(kind, 50013)),
        advice.stubborn(effect, HOME, 500, 3),
        advice.refused(effect, HOME, "post, 50035", "It stays undone."),
    ]


@pytest.mark.parametrize("kind", [TroubleKind.FORBIDDEN, TroubleKind.FULL])
@pytest.mark.parametrize(
    "made",
    [
        lambda key: effects.Post(place=battle_place(key), content=f"A battle at {key}"),
        lambda key: effects.BattleThread(key=key, name=f"Battle {key}", sides=tuple(key.split("/")[5:7]), content=key),
        lambda key: effects.Archive(key=key),
        lambda key: effects.Wake(key=key),
    ],
)
def test_trouble_with_one_battle_is_told_as_trouble_with_another(made: Any, kind: TroubleKind) -> None:
    assert told(made(ONE), kind) == told(made(OTHER), kind)


def test_trouble_with_a_sides_channel_tells_nothing_of_what_was_to_be_posted() -> None:
    one, other = (effects.Post(place="side:hydran", content=text) for text in ("Contact at 0505.", "Nothing new."))
    assert told(one, TroubleKind.FORBIDDEN) == told(other, TroubleKind.FORBIDDEN)
