"""What every rulebook must pass: random legal play to the end, replay from every prefix, config that loads, views
that hold together, forms that an interface can show."""

import random
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.campaigns.scenarios import InstalledScenarios
from rules_engine import rulebooks
from rules_engine.core.basics.base import Json, Outsider
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.core.knowledge.views import Board, Counter, HexNote
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.seats import NamesSides, seated, seats_of
from rules_engine.core.records.journal import Answered, Closed, Genesis, JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from tests.chance import NONCE
from tests.rulebooks.lasting import only_their_own_write
from tests.rulebooks.players import AT, Match, random_answer
from tests.seeds import IS_FULL, IS_THOROUGH, QUICK, lesser_seeds

SHELF = InstalledScenarios(Path(__file__).resolve().parents[2] / "config")
SCENARIOS = [ref.key for ref in SHELF.all()]
LONG = {"pq17/campaign", "cutler/ring"}
"""Too long to be played at random to the end: they have campaigns of their own."""
SHORT = [key for key in SCENARIOS if key not in LONG]
LIGHT = {"border_patrol/intro", "cutler/intro", "jump_lanes/intro", "pq17/intro", "vector/ambush"}
"""One of each rulebook, for every day."""
EACH = [pytest.param(key, marks=() if key in LIGHT else pytest.mark.thorough) for key in SCENARIOS]
"""All of them, where time matters less; where it does, one of each book."""
EACH_SHORT = [param for param in EACH if param.values[0] not in LONG]
"""The same without those that are too long."""
WHOLE = ("border_patrol/", "jump_lanes/")
"""Books of which every function that carries out a rule is to run in a campaign every day: some come up seldom, so that
these are played in all scenarios and with all fixed seeds."""
EACH_PLAYED = [
    pytest.param(key, marks=() if key in LIGHT or key.startswith(WHOLE) else pytest.mark.thorough) for key in SHORT
]
"""What is played for a while."""
PLAYED = [
    pytest.param(
        key,
        seed,
        marks=() if number < (4 if key.startswith(WHOLE) else 2 if key in LIGHT else 1) else pytest.mark.thorough,
    )
    for key in SHORT
    for number, seed in enumerate(dict.fromkeys((*QUICK, *lesser_seeds())))
]
"""What is played to its end: every scenario once, those of :data:`LIGHT` twice, and where time matters less with all
seeds."""
MOST_ROUNDS = 400


def match(key: str, seed: int, *, sealed: bool = True) -> Match:
    """A campaign of that scenario."""
    book, scenario = of_the_fewest(key)
    return Match(book, scenario, seed, sealed=sealed)


def of_the_fewest(key: str) -> tuple[Rulebook[Any], dict[str, Json]]:
    """A scenario and its book; where it leaves open how many play, of the fewest."""
    book, scenario = SHELF.read(key)
    offered = seats_of(book, scenario)
    return book, seated(book, scenario, offered and offered.least)


def nonce_of(entry: JournalEntry) -> str | None:
    """The nonce with which sheets closed, or a campaign began."""
    assert isinstance(entry.body, Closed | Genesis)
    return entry.body.nonce


def closed_as(entry: JournalEntry) -> dict[str, Any]:
    """The nonce and the strand with which sheets closed."""
    assert isinstance(entry.body, Closed)
    return {"nonce": entry.body.nonce, "strand": entry.body.strand}


def seals_of(adjudicator: Adjudicator[Any]) -> tuple[str, str]:
    """What keys the dice, where play has parted also those of its strands."""
    checkpoint = adjudicator.checkpoint()
    return checkpoint.seal, checkpoint.strands


def test_every_installed_rulebook_has_a_scenario():
    assert {key.split("/")[0] for key in SCENARIOS} == set(rulebooks.installed())
    assert sorted(key.split("/")[0] for key in LIGHT) == sorted(rulebooks.installed())
    assert set(SCENARIOS) >= LIGHT


@pytest.mark.parametrize("key", rulebooks.installed())
def test_a_rulebook_that_names_its_sides_has_all_that_this_takes(key: str):
    """With a part of it, its sides would be fixed and nobody would notice."""
    book = rulebooks.rulebook(key)
    offered = {"seats", "with_seats", "labels"} & {*dir(book)}
    assert len(offered) == (3 if isinstance(book, NamesSides) else 0), offered


def without_empty_later(record: Record) -> dict[str, Json]:
    """A record as JSON has it, and the records in it, without what only later versions have and is empty."""
    document = record.to_json()
    for name in document:
        if isinstance(value := getattr(record, name), Record):
            document[name] = without_empty_later(value)
    return {name: one for name, one in document.items() if one or name not in record.LATER}


@pytest.mark.parametrize(("key", "seed"), PLAYED)
@pytest.mark.headless
def test_random_legal_play_comes_to_an_end_and_replays_alike(key: str, seed: int):
    game = match(key, seed)
    with only_their_own_write(key.partition("/")[0]):
        game.play(MOST_ROUNDS)
    assert game.adjudicator.ending is not None
    again = replay(game.adjudicator.rulebook, game.entries, game.seed)
    assert again.digest() == game.adjudicator.digest()
    assert again.ending == game.adjudicator.ending


@pytest.mark.parametrize("key", EACH_PLAYED)
@pytest.mark.headless
class TestPlay:
    @pytest.mark.parametrize("sealed", [True, False])
    def test_every_prefix_and_every_snapshot_replay_to_the_same_place(self, key: str, sealed: bool):
        game = match(key, 7, sealed=sealed)
        game.play(14)
        snapshots = [step.snapshot for step in game.steps if step.snapshot is not None]
        outcomes = {entry.seq: getattr(entry.body, "outcome", None) for entry in game.entries}
        for length in range(1, len(game.entries) + 1, 1 if IS_FULL else 5 if IS_THOROUGH else 11):
            head = replay(game.adjudicator.rulebook, game.entries[:length], game.seed)
            assert head.head == game.entries[length - 1]
            if outcomes[length] is not None:
                assert head.checkpoint(outcomes[length].told) == outcomes[length]
        for snapshot in snapshots:
            again = replay(game.adjudicator.rulebook, game.entries, game.seed, snapshot)
            assert again.checkpoint() == game.adjudicator.checkpoint()
            for label in game.adjudicator.sides:
                assert again.view(label.key) == game.adjudicator.view(label.key)

    def test_boards_call_the_sides_as_they_are_called_at_present(self, key: str):
        game = match(key, 7)
        game.play(6)
        adjudicator = game.adjudicator
        boards = [adjudicator.view(label.key).board for label in adjudicator.sides]
        boards += [adjudicator.public_view().public, adjudicator.omniscient_view().omniscient]
        assert all(board.sides == adjudicator.labels for board in boards)

    def test_a_fingerprint_is_the_digest_of_everything(self, key: str):
        game = match(key, 13)
        for _ in range(20):
            if game.adjudicator.ending is not None:
                break
            game.round()
            shared = game.adjudicator._shared  # private, as only the digest needs it
            known = {side: one.to_json() for side, one in shared.knowledge.items()}
            state = without_empty_later(game.adjudicator._state)
            assert game.adjudicator.digest() == digest(
                {"state": state, "knowledge": known, "dice": shared.dice.ordinals}
            )

    def test_the_order_in_which_sides_answer_does_not_matter(self, key: str):
        game = match(key, 11)
        for _ in range(6):
            if game.adjudicator.ending is not None:
                break
            turned = replay(game.adjudicator.rulebook, game.entries, game.seed)
            game.round()
            answers = [e.body for e in game.entries[-40:] if e.body.kind == "answered"]
            ids = {ask.id for ask in turned.open_asks()}
            for body in reversed([one for one in answers if one.ask in ids]):
                turned.answer(body.side, body.ask, body.document, by="x", at="later")
            turned.close("deadline", by="clock", at="later", **closed_as(game.entries[-1]))
            assert turned.checkpoint() == game.adjudicator.checkpoint()

    def test_the_order_in_which_lines_are_written_does_not_matter(self, key: str):
        """A journal keeps its keys in alphabetical order, so nothing may come of another in which they were given."""
        game = match(key, 12)
        book, scenario = of_the_fewest(key)
        again, step = Adjudicator.open(
            book, title="Match", scenario=backwards(scenario), seed=game.seed, at=AT, nonce=nonce_of(game.entries[0])
        )
        assert step.line == game.steps[0].line
        for _ in range(6):
            if game.adjudicator.ending is not None:
                break
            begun = len(game.entries)
            game.round()
            for body in (entry.body for entry in game.entries[begun:]):
                if body.kind == "answered":
                    again.answer(body.side, body.ask, backwards(body.document), by=body.by, at=AT)
            again.close("deadline", by="clock", at=AT, **closed_as(game.entries[-1]))
            assert again.checkpoint() == game.adjudicator.checkpoint()

    def test_the_referee_can_go_back_anywhere_and_other_dice_fall(self, key: str):
        game = match(key, 21)
        game.play(10)
        book, entries = game.adjudicator.rulebook, list(game.entries)
        rolled = {step.entry.seq: [(roll.label, roll.dice) for roll in step.rolls] for step in game.steps}
        for closed in [entry for entry in entries if entry.body.kind == "closed"][:: 1 if IS_THOROUGH else 4]:
            adjudicator, step = rewind(book, entries, game.seed, to=closed.seq - 1, by="rita", reason="x", at=AT)
            again = adjudicator.close("deadline", by="clock", at=AT, **closed_as(closed))
            fell = [(roll.label, roll.dice) for roll in again.rolls]
            assert len(fell) < 5 or fell != rolled[closed.seq], "the branch is in it"
            assert replay(book, [*entries, step.entry, again.entry], game.seed).checkpoint() == adjudicator.checkpoint()

    def test_every_answer_is_in_the_seal(self, key: str):
        """Two campaigns that differ in one answer alone go on with other dice, even if nothing else comes of it."""
        chance, changed = random.Random("other answers"), 0
        game = match(key, 31)
        for _ in range(12):
            if game.adjudicator.ending is not None or (changed >= 4 and not IS_THOROUGH):
                break
            open_before = replay(game.adjudicator.rulebook, game.entries, game.seed)
            begun = len(game.entries)
            game.round()
            given = [entry.body for entry in game.entries[begun:-1] if isinstance(entry.body, Answered)]
            for body in [one for one in given if "+" not in one.ask]:
                ask = next(ask for ask in open_before.open_asks() if ask.id == body.ask)
                other = random_answer(open_before, body.side, ask, chance)
                if ask.answer_from(other) == ask.answer_from(body.document):
                    continue
                twin = replay(game.adjudicator.rulebook, game.entries[:-1], game.seed)
                twin.answer(body.side, body.ask, other, by="x", at=AT)
                twin.close("deadline", by="clock", at=AT, **closed_as(game.entries[-1]))
                assert seals_of(twin) != seals_of(game.adjudicator)
                changed += 1
        assert changed >= 4


@pytest.mark.parametrize("key", EACH_SHORT)
def test_what_the_referee_ruled_is_not_said_to_be_agreed(key: str):
    for seed in range(1, 40):
        game = match(key, seed)
        for _ in range(40):
            battles = [ask for ask in game.adjudicator.open_asks() if len(ask.parties) > 1]
            if battles or game.adjudicator.ending is not None:
                break
            game.round()
        if battles and len(game.adjudicator.open_asks()) == 1:
            break
    (battle,) = battles
    account = random_answer(game.adjudicator, battle.parties[0], battle, game.chance)
    game.adjudicator.rule(battle.id, account, by="referee", reason="as seen", at=AT)
    whys = [
        report.why.text()
        for report in game.adjudicator.close("all ready", by="clock", at=AT, nonce=NONCE).reports
        if report.why
    ]
    assert any("the referee's ruling" in why for why in whys)
    assert not any("agree" in why for why in whys)


def backwards(value: Any) -> Any:
    """The same, with the keys of everything in it the other way round."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(one) for one in value] if isinstance(value, list) else value


def unnamed_owners(board: Board) -> set[str]:
    """The keys of owners that a board shows something of, and does not name."""
    named = {one.key for one in (*board.sides, *board.outsiders)} | {""}
    return {one.owner for one in (*board.counters, *board.hexes)} - named


def told_by_key(board: Board, words: Iterable[str]) -> list[str]:
    """The words that call an outsider by its key where its name belongs."""
    keys = {one.key for one in board.outsiders if one.key != one.name}
    return [one for one in words if keys & set(map(str.strip, re.split(r"[,;:·()|/]", one)))]


@pytest.mark.parametrize("key", EACH)
def test_boards_and_texts_name_every_owner_that_they_show(key: str):
    game = match(key, 17)
    keys = {label.key for label in game.adjudicator.sides}
    for _ in range(8 if key in LONG else 30):
        if game.adjudicator.ending is not None:
            break
        game.round()
        boards = {side: game.adjudicator.view(side).board for side in sorted(keys)}
        everybodys = (game.adjudicator.public_view().public, game.adjudicator.omniscient_view().omniscient)
        for board in (*boards.values(), *everybodys):
            assert {label.key for label in board.sides} <= keys, "nobody else is a side"
            assert not unnamed_owners(board)
            assert Board.model_validate_json(board.model_dump_json()) == board
        for side, board in boards.items():
            menu = game.adjudicator.odds_menu(side)
            words = [cell for table in game.adjudicator.side_tables(side) for row in table.rows for cell in row]
            words += [choice.label for choice in (*menu.own, *menu.targets)]
            words += [row for panel in board.panels for row in panel.rows]
            assert not told_by_key(board, words)


def test_an_owner_that_a_board_does_not_name_is_found():
    """The two checks above themselves: no installed rulebook has outsiders yet that could show them at work."""
    beasts = Outsider(key="monsters", name="Beasts of the Rim", emblem="B")
    blank = match(SHORT[0], 17).adjudicator.public_view().public
    board = blank.model_copy(update={"outsiders": (beasts,)})
    side, counter = board.sides[0].key, Counter(id="E1", hex="0101", owner="monsters", label="E1")
    shown = tuple(counter.model_copy(update={"owner": owner}) for owner in ("monsters", side, "", "traders"))
    note = HexNote(hex="0101", owner="pirates")
    found = board.model_copy(update={"counters": shown, "hexes": (note,)})
    assert unnamed_owners(found) == {"traders", "pirates"}
    assert unnamed_owners(board.model_copy(update={"outsiders": (), "counters": shown[:3]})) == {"monsters"}
    words = ["E1 (monsters), 0101", "monsters", "the monsters of old", "Beasts of the Rim"]
    assert told_by_key(board, words) == words[:2]


@pytest.mark.parametrize("key", EACH)
def test_a_sides_roster_is_its_own_and_its_sheets_have_lines_for_it(key: str):
    game = match(key, 17)
    sides = [label.key for label in game.adjudicator.sides]
    ordered = dict.fromkeys(sides, False)
    for _ in range(8 if key in LONG else 30):
        rosters = {side: game.adjudicator.roster(side) for side in sides}
        everybodys = [ship.id for roster in rosters.values() for ship in roster]
        assert len(everybodys) == len(set(everybodys)), "a ship is one side's, and stands there once"
        for side, roster in rosters.items():
            ships, forces = {ship.id for ship in roster}, {ship.force for ship in roster}
            assert not ships & forces, "a key means one thing"
            assert all(ship.id and ship.name for ship in roster)
            lines = {line.key for ask in game.adjudicator.asks_for(side) for line in ask.form.lines}
            ordered[side] |= bool(lines & (ships | forces))
        if game.adjudicator.ending is not None:
            break
        game.round()
    assert all(ordered.values())


@cache
def first_asks(key: str) -> list[tuple[Any, str, AnyAsk]]:
    """One ask of each kind that random play comes to, with a party and the campaign standing there. Shared: only to be
    looked at."""
    found: list[tuple[Any, str, AnyAsk]] = []
    kinds: set[str] = set()
    for seed in range(5, 12):  # a short campaign may be over before anybody is asked anything but its sheets
        game = match(key, seed)
        for _ in range(8 if key in LONG else 60):
            if game.adjudicator.ending is not None:
                break
            for ask in game.adjudicator.open_asks():
                if ask.kind not in kinds:
                    kinds.add(ask.kind)
                    there = replay(game.adjudicator.rulebook, game.entries, game.seed)
                    # The ask as it stands there: the game goes on, and with it what its own ask reads.
                    found.append((there, ask.parties[0], next(one for one in there.open_asks() if one.id == ask.id)))
            game.round()
        if len(found) >= 2:
            break
    assert len(found) >= 2
    return found


@pytest.mark.parametrize("key", EACH)
class TestForms:
    def test_forms_fit_an_interface(self, key: str):
        for _, _, ask in first_asks(key):
            assert 0 < len(ask.title) <= 100, ask.kind
            assert len(ask.text) <= 800, ask.kind
            assert ask.rule, ask.kind
            keys = [line.key for line in ask.form.lines]
            assert len(keys) == len(set(keys)), ask.kind
            for line in ask.form.lines:
                assert 0 < len(line.label) <= 80, (ask.kind, line.label)
                assert line.fields, (ask.kind, line.key)
                fields = [field.key for field in line.fields]
                assert len(fields) == len(set(fields)), (ask.kind, line.key)
                for field in line.fields:
                    assert 0 < len(field.label) <= 45, (ask.kind, field.label)
                    values = [choice.value for choice in field.choices]
                    assert len(values) == len(set(values)), (ask.kind, field.key)
                    for choice in field.choices:
                        assert 0 < len(choice.value) <= 100, (ask.kind, choice)
                        assert 0 < len(choice.label) <= 100, (ask.kind, choice)
                        assert len(choice.hint) <= 100, (ask.kind, choice)

    def test_what_is_filled_in_is_legal_and_survives_being_written_as_text(self, key: str):
        for adjudicator, side, ask in first_asks(key):
            prefilled = ask.form.prefilled()
            if ask.pace == "battle":  # one that is not over cannot be reported as it is filled in
                prefilled = random_answer(adjudicator, side, ask, random.Random(1))
            answer = adjudicator.try_answer(side, ask.id, prefilled)
            text = write_sheet(ask.form, prefilled, title=ask.title)
            merged = {name: dict(line) for name, line in prefilled.items()}
            for name, values in read_sheet(ask.form, text).items():
                merged.setdefault(name, {}).update(values)
            assert adjudicator.try_answer(side, ask.id, merged) == answer, ask.kind
            assert list(ask.read_back(answer)), ask.kind

    def test_the_default_is_legal_and_said(self, key: str):
        for adjudicator, side, ask in first_asks(key):
            if ask.default is not None:
                adjudicator.try_answer(side, ask.id, ask.default.model_dump(mode="json"))
                assert ask.default_says, ask.kind

    @pytest.mark.parametrize("junk", [None, 7, "x", [], {"nowhere": {}}, {"nowhere": {"x": 1}}, {"": []}])
    def test_junk_is_refused_and_changes_nothing(self, key: str, junk: Any):
        adjudicator, side, ask = first_asks(key)[0]
        before = adjudicator.digest()
        with pytest.raises(Refused) as refused:
            adjudicator.try_answer(side, ask.id, junk)
        assert all(one.problem for one in refused.value.refusals)
        assert adjudicator.digest() == before


@pytest.mark.parametrize("key", SCENARIOS)
class TestScenarioFiles:
    def files(self, key: str) -> tuple[Any, dict[str, str]]:
        book, name = key.split("/")
        folder = Path(__file__).resolve().parents[2] / "config" / "scenarios" / book / name
        return rulebooks.rulebook(book), {path.name: path.read_text() for path in sorted(folder.glob("*.*"))}

    def test_reading_twice_gives_the_same(self, key: str):
        book, files = self.files(key)
        assert digest(book.read_scenario(files)) == digest(book.read_scenario(files))

    def test_broken_syntax_names_file_and_line(self, key: str):
        book, files = self.files(key)
        name = next(name for name in files if name.endswith(".toml"))
        with pytest.raises(Refused) as refused:
            book.read_scenario({**files, name: files[name] + "\n[broken\n"})
        assert name in str(refused.value)

    def test_an_unknown_key_is_an_error(self, key: str):
        book, files = self.files(key)
        assert tomllib.loads(files["scenario.toml"])
        with pytest.raises(Refused) as refused:
            book.read_scenario({**files, "scenario.toml": "no_such_setting = 1\n" + files["scenario.toml"]})
        assert "no_such_setting" in str(refused.value)

    def test_a_missing_file_is_named(self, key: str):
        book, files = self.files(key)
        with pytest.raises(Refused) as refused:
            book.read_scenario({name: text for name, text in files.items() if name != "scenario.toml"})
        assert "scenario.toml" in str(refused.value)
