"""Recorded campaigns play back the same way: every hash, roll, report and score."""

import gc

import pytest

from bot.verification.export_file import VerifyError, read_export
from bot.verification.verify import rolls_of, verify
from rules_engine.core.records.journal import Closed, Genesis
from tests.journals.record import CAMPAIGN, RECORDED, SEALED, path_of
from tests.rulebooks.test_every_rulebook import LIGHT


@pytest.mark.parametrize("key", RECORDED)
def test_it_plays_back(key: str):
    verdict = verify(read_export(path_of(key)))
    assert verdict.replayed
    assert verdict.ending is not None
    assert verdict.rolls == sum(1 for _ in rolls_of(read_export(path_of(key))))


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=() if key in LIGHT else pytest.mark.thorough) for key in RECORDED if key != CAMPAIGN],
)
def test_a_campaign_that_is_let_go_is_gone_at_once(key: str):
    """A search for cycles holds up everybody, the longer the more there are."""
    entries = read_export(path_of(key))
    verify(entries)  # what is kept for good is kept now
    gc.collect()
    gc.disable()
    try:
        verify(entries)
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("key", RECORDED)
def test_campaigns_of_both_kinds_of_dice_are_kept(key: str):
    entries = read_export(path_of(key))
    sealed = [entry.body.nonce is not None for entry in entries if isinstance(entry.body, Genesis | Closed)]
    assert set(sealed) == {key == SEALED}


def test_the_sealed_one_was_corrected_and_rewound():
    kinds = [entry.body.kind for entry in read_export(path_of(SEALED))]
    assert {"edited", "rewound", "revealed"} <= set(kinds)


@pytest.mark.parametrize("key", [key for key in RECORDED if key != CAMPAIGN])
class TestTamperedWith:
    @pytest.mark.parametrize("place", [0.05, 0.5, 0.93])
    def test_one_changed_byte_is_found_and_its_entry_named(self, key: str, place: float, tmp_path):
        lines = path_of(key).read_text(encoding="utf-8").splitlines()
        number = int(len(lines) * place)
        line = lines[number]
        at = line.index('"hash":"') + 8
        other = "0" if line[at] != "0" else "1"
        lines[number] = line[:at] + other + line[at + 1 :]
        changed = tmp_path / "changed.jsonl"
        changed.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(VerifyError) as error:
            verify(read_export(changed))
        assert error.value.seq == number + 1

    def test_what_was_ordered_cannot_be_rewritten_even_with_fresh_hashes(self, key: str):
        """Somebody who holds the seed and recomputes the whole chain is found out by the replay."""
        entries = read_export(path_of(key))
        closed = next(entry for entry in entries if entry.body.kind == "closed")
        last = max(e.seq for e in entries if e.body.kind == "answered" and e.seq < closed.seq)
        without = [entry for entry in entries if entry.seq != last]
        rebuilt = []
        for number, entry in enumerate(without, start=1):
            prev = rebuilt[-1].hash if rebuilt else entry.prev
            draft = entry.model_copy(update={"seq": number, "prev": prev})
            rebuilt.append(draft.model_copy(update={"hash": draft.computed_hash()}))
        with pytest.raises(VerifyError):
            verify(rebuilt)


def test_a_file_that_is_no_export_is_refused_in_one_sentence(tmp_path):
    for name, content, word in (
        ("binary", b"\xff\xfe\x00", "UTF-8"),
        ("empty", b"", "no entries"),
        ("other", b'{"a": 1}\n', "entry 1"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(VerifyError, match=word):
            read_export(path)
    with pytest.raises(VerifyError, match="cannot be read"):
        read_export(tmp_path / "absent")
