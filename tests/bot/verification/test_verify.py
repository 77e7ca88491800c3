"""What a record is refused for, and what is told of one that was rewound."""

from pathlib import Path
from typing import Any

import pytest

from bot.verification.export_file import VerifyError, read_export
from bot.verification.verify import rolls_of, verify
from rules_engine.core.records.journal import JournalEntry, Revealed, write_entry
from rules_engine.core.running.replay import rewind
from tests.rulebooks.players import AT
from tests.rulebooks.test_every_rulebook import match

KEY = "cutler/intro"


@pytest.fixture(scope="module")
def game() -> Any:
    """Six rounds of a campaign."""
    made = match(KEY, 3)
    for _ in range(6):
        made.round()
    return made


def begun(game: Any, **changes: Any) -> list[JournalEntry]:
    """A record of the beginning alone, with something of it otherwise and its hash in order."""
    first = game.entries[0]
    entry, _ = write_entry(None, first.body.model_copy(update=changes), at=AT, seed=game.seed)
    return [entry]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rulebook": "chess"}, "names the rulebook “chess”, which is not installed here"),
        ({"version": "0.0"}, "it was played with version 0.0 of cutler; this is version"),
    ],
)
def test_a_book_that_is_not_here_is_named(game: Any, changes: dict[str, str], says: str) -> None:
    with pytest.raises(VerifyError, match=says):
        verify(begun(game, **changes))


def test_a_rewound_record_holds_and_lists_the_rolls_of_its_present_branch(game: Any) -> None:
    entries = list(game.entries)
    closed = [entry.seq for entry in entries if entry.body.kind == "closed"]
    adjudicator, step = rewind(
        game.adjudicator.rulebook, entries, game.seed, to=closed[1], by="rita", reason="again", at=AT
    )
    entries.append(step.entry)
    verdict = verify(entries, game.seed)
    assert verdict.replayed
    assert verdict.turns == adjudicator.turn
    listed = list(rolls_of(entries, game.seed))
    assert all(seq <= closed[1] for seq, _ in listed)
    assert len(listed) == verdict.rolls
    assert list(rolls_of(entries)) == [], "without the seed nothing is known"


def test_a_seed_that_is_none_is_told(game: Any) -> None:
    body = Revealed(by="clock", seed="not hex")
    wrong, _ = write_entry(game.entries[-1], body, at=AT, seed=game.seed)
    with pytest.raises(VerifyError, match="holds no readable seed"):
        verify([*game.entries, wrong])


@pytest.mark.parametrize("letter", ["\u2028", "\x85", "\x0b", "\x1c"])
def test_line_ends_that_only_some_programs_know_do_not_part_an_entry(game: Any, tmp_path: Path, letter: str) -> None:
    entries = list(game.entries)
    _, step = rewind(game.adjudicator.rulebook, entries, game.seed, to=1, by="rita", reason=f"so{letter}so", at=AT)
    path = tmp_path / "record.jsonl"
    lines = "".join(f"{entry.model_dump_json()}\n" for entry in (*entries, step.entry))
    path.write_text(lines, encoding="utf-8")
    assert read_export(path) == [*entries, step.entry]
