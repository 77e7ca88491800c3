"""Cutler with three empires: a mission countered and one not, cards, and a battle in open space agreed upon."""

from tests.e2e.people import Person, chosen, said, went_on
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal

SIDES = {"hydran": "ann", "lyran": "leo", "klingon": "kai"}


async def begin(stage: Stage) -> None:
    """Three commanders, and the start."""
    await stage.rita.does("campaign create", title="Three Crowns", scenario="cutler/intro")
    for side, name in SIDES.items():
        assert "You command" in said(await stage.people[name].does("campaign join", side=side))
    assert "You watch" in said(await stage.sam.does("campaign join", side="spectator"))
    assert "has begun" in said(await stage.rita.does("campaign start"))


async def play(stage: Stage, story: Rehearsal, number: int) -> None:
    """One batch of the story, as its orders say."""
    for kind, parties, title in story.batches[number]:
        for side in parties:
            await _play(stage.people[SIDES[side]], title, story.story.orders.get((kind, side)))


async def _play(who: Person, title: str, orders: str | None) -> None:
    card = await who.sheet(title)
    if orders is not None:
        card = await who.types(card, orders)
        assert "Saved, receipt" in card["words"], card["words"]
    answer = await who.ready(card)
    assert went_on(answer) or "You are ready" in said(answer), said(answer)


async def test_a_turn_of_three_empires_with_spies_cards_and_a_battle(stage: Stage, cutler: Rehearsal) -> None:
    ann, leo, kai = stage.ann, stage.leo, stage.kai
    await begin(stage)
    await play(stage, cutler, 0)
    await stage.kill_bot()  # what is played again from the record is what was played
    await stage.start_bot()

    # Only the Klingon hears of the Hydran spy and counters it; nobody counters the Lyran one.
    await kai.post("klingon", "A Hydran spy attempts Resource Check on hex 0708")
    await play(stage, cutler, 1)
    # Each side reads what it was told when it is asked something itself: the Lyran now, the others once they meet.
    await leo.post("lyran", "Tidewater: 80 boarding parties, 40 crew units")
    assert "(the planet Tidewater in 0303): succeeded" in await leo.reads_log(at="lyran")
    assert not [one for one in await ann.messages("hydran") if "M1, Resource Check" in one["words"]]
    assert "M1, Resource Check against the Klingon (hex 0708): failed" in await ann.reads_log(at="hydran")

    # Courses are flown; carriers come near each other, and nobody sorties; two fleets meet. The cards are buttons,
    # shown together.
    await play(stage, cutler, 2)
    await ann.post("hydran", "M1, Resource Check against the Klingon (hex 0708): failed")
    assert "net 5; needs at least 10" in (await ann.reads_log(at="hydran")).replace("\n• ", "; ")
    await ann.post("hydran", "A Lyran spy attempts Planet Check on the planet Tidewater in 0303")
    await kai.post("klingon", "Your 15 points against Resource Check on hex 0708 are back in the Reserve")
    await play(stage, cutler, 3)
    await play(stage, cutler, 4)
    card = await ann.sheet("bypass or combat")
    bypassed = await ann.seat.press(card, label="Bypass")
    assert "Saved, receipt" in said(bypassed)
    assert chosen(bypassed["message"]) == ["Bypass"]
    assert "Your card in 0505: bypass" in await ann.understood(bypassed["message"])
    await ann.ready(bypassed["message"])
    fight = await kai.seat.press(await kai.sheet("bypass or combat"), label="Combat")
    await kai.ready(fight["message"])
    await kai.post("klingon", "Cards in 0505: Hydran bypass; Klingon combat. Potential combat.")
    await play(stage, cutler, 6)
    await play(stage, cutler, 7)

    # The battle's thread is the two parties' own.
    sheet = await kai.post("Battle in 0505", "play this battle by hand")
    assert any(file["filename"].endswith(".png") and file["description"] for file in sheet["attachments"])
    assert await ann.sees("Battle in 0505")
    assert not await leo.sees("Battle in 0505")
    # Kai types all of it; ann chooses what was lost, and takes over what she forgot, with one press.
    account = await kai.types(await kai.sheet("Result of the battle"), cutler.story.orders["battle", "klingon"])
    await kai.sends_account(account)
    mine = await ann.changed(await ann.sheet("Result of the battle"), "How it ended")
    mine = await ann.reports(mine, Destroyed=["H4"], Disengaged=["H1", "H2"])
    mine = (await ann.sends_account(mine))["message"]
    assert "you say **intact**, they say **disengaged**. All else agrees." in mine["words"]
    assert went_on(await ann.seat.press(mine, label="Make it disengaged"))
    await ann.post("hydran", "❶ **0505: you lost Riptide**")
    why = await ann.asks_why("hydran", "❶ **0505: you lost Riptide**")
    assert "The battle in 0505 is over" in why
    assert "H4 Riptide: destroyed" in why

    # Play goes on in the next impulse; everybody was told their own and nobody more.
    await ann.sheet("impulse 5: plots")
    await kai.sheet("impulse 5: plots")
    await stage.settled()
    for side, name in SIDES.items():
        log = await stage.people[name].reads_log(at=side)
        assert [text for text in cutler.told_to(side) if text not in log] == []
        seen = await stage.seen(stage.people[name])
        assert [text for text in cutler.secrets_from(side) if text in seen + log] == []
    for name in ("sam", "zoe", "rita"):
        seen = await stage.seen(stage.people[name])
        assert [text for side in SIDES for text in cutler.told_to(side) if text in seen] == []
        assert [text for text in cutler.public() if text not in seen] == []
