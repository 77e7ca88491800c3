"""The record's hash is posted each turn and the seed at the end, so that nobody can write another record afterwards."""

import json
import re
from itertools import pairwise
from typing import Any

from bot.campaigns.notices import holding
from bot.recording.published import head_line
from bot.recording.transaction import Recording
from bot.store.tables import JournalRow
from bot.verification.verify import UNSEEN, verify
from rules_engine.core.basics.dice import commitment
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.transitions import Transition
from tests.bot.worlds.simulated_server import SimulatedServer, said

_HASHES = re.compile(r"hash `([0-9a-f]{64})`")


async def hashes(here: SimulatedServer) -> list[str]:
    """Those posted in public, in the order of posting."""
    return _HASHES.findall(await here.texts("public"))


async def exported(here: SimulatedServer, who: Any) -> list[JournalEntry]:
    result = await here.slash(who, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    return [JournalEntry.model_validate_json(line) for line in (await file.read()).decode().splitlines()]


async def turn(here: SimulatedServer, number: int) -> None:
    await here.fill(here.ann, f"Orders for turn {number}", "0.0", f0="7")
    await here.resolve_now()
    await here.resolve_now()


async def test_each_turn_the_hash_of_the_record_is_posted_once(here: SimulatedServer) -> None:
    await here.begin()
    counts = [len(await hashes(here))]
    for number in (1, 2):
        await turn(here, number)
        counts.append(len(await hashes(here)))
    assert [after - before for before, after in pairwise(counts)] == [1, 1]
    entries = [JournalEntry.model_validate_json(line) for line in await here.rows(JournalRow.entry)]
    shown = await hashes(here)
    assert set(shown) <= {entry.hash for entry in entries}
    newest = max(entry.seq for entry in entries if entry.hash in shown)
    assert entries[newest - 1].body.kind == "closed"


async def test_a_second_public_map_in_a_turn_brings_no_second_hash(here: SimulatedServer) -> None:
    campaign = await here.begin()
    runtime = here.bot.services.runtime
    info = await runtime.directory.info(campaign)
    async with holding(runtime, campaign) as adjudicator, here.store.write() as tx:
        assert adjudicator.head is not None
        recording = Recording(tx, info, adjudicator, runtime.now())
        shown = Transition(entry=adjudicator.head, public_map=True)
        assert await head_line(recording, Transition(entry=adjudicator.head)) == ""
        assert adjudicator.head.hash in await head_line(recording, shown)
        assert await head_line(recording, shown) == ""


async def test_going_back_posts_the_hash_of_what_was_cut_off(here: SimulatedServer) -> None:
    await here.begin()
    await turn(here, 1)
    before = await hashes(here)
    resting = max(await here.rows(JournalRow.seq, JournalRow.kind == "closed"))
    await here.fill(here.ann, "Orders for turn 2", "0.0", f0="7")
    listed = await here.slash(here.rita, "referee rewind", to=str(resting))
    assert listed.response is not None, said(listed)
    asked = await here.rita.click(listed.response, label=f"Go back to entry {resting} …")
    await here.submit(here.rita, asked, text="again")
    after = await hashes(here)
    assert len(after) == len(before) + 1
    (rewound,) = await here.rows(JournalRow.hash, JournalRow.kind == "rewound")
    assert after[-1] == rewound


async def test_at_the_end_the_seed_is_posted_and_all_of_it_can_be_checked(here: SimulatedServer) -> None:
    await here.begin()
    promised = re.search(r"its SHA-256 is `([0-9a-f]{64})`", await here.texts("public"))
    assert promised is not None
    for number in (1, 2, 3):
        assert "seed is `" not in (await here.texts("public")).replace(promised[0], "")
        await turn(here, number)
    text = await here.texts("public")
    seed = re.search(r"Their seed is `([0-9a-f]+)`; its SHA-256 was published at the start: `([0-9a-f]{64})`", text)
    assert seed is not None
    assert commitment(bytes.fromhex(seed[1])) == seed[2] == promised[1]
    assert "`/referee export` gives you the whole record" in text
    assert "`plotroom verify FILE --head HASH`" in text
    assert text.index("The campaign is over") < text.index("The dice are open")
    entries = await exported(here, here.sam)
    shown = await hashes(here)
    assert entries[-1].body.kind == "revealed"
    assert shown[-1] == entries[-1].hash
    verdict = verify(entries, heads=shown)
    assert verdict.replayed
    assert UNSEEN not in verdict.proves
    again = await exported(here, here.ann)
    assert again == entries, "handing it out adds nothing"


async def test_the_hash_comes_with_the_public_map_where_there_is_one(here: SimulatedServer) -> None:
    await here.begin()
    await turn(here, 1)
    posts = [message for message in (await here.channel("public")).history() if _HASHES.search(message.content)]
    assert [len(message.attachments) for message in posts] == [1], json.dumps([one.content for one in posts])


async def test_a_campaign_that_is_no_battle_has_no_film_at_its_end(here: SimulatedServer) -> None:
    await here.begin()
    for number in (1, 2, 3):
        await turn(here, number)
    last = (await here.channel("public")).history()[-1]
    assert "The dice are open" in last.content
    assert last.attachments == []
