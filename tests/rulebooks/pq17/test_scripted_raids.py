"""Campaigns by written orders and habits: raids that are opposed, and what WHISKERS tells.

Seeds were looked for that give the rolls wanted; expected values are worked out by hand from the rules.
"""

import pytest

from bot.settings import BUILT_IN
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.campaign_play import scenario
from tests.rulebooks.pq17.playing.one_hex import HERE, Force, files
from tests.rulebooks.pq17.playing.ordered import Order, OrderedPlay

# --- raids ------------------------------------------------------------------------------------------------------------

SHIPS = (BUILT_IN / "scenarios" / "pq17" / "campaign" / "ships.toml").read_text()
NATION = """
[[campaign.nation]]
key = "{0}"
name = "{1}"
side = "{2}"
empires = ["{1}"]
home = "0101"
entry = ["0101"]
command_points = 9
"""
SETTLED = '[[settled]]\nhex = "{0}"\nside = "alliance"\nname = "Meridian"\nempire = "{1}"'
NATIONS = (("federation", "alliance"), ("kzinti", "alliance"), ("klingon", "coalition"))


def raided(empire: str, seed: bytes) -> tuple[OrderedPlay, list[str]]:
    """A turn in which two raiders search and attack a settled hex as often as they may, and two frigates them; raiders
    win the battle. Also the units of the battle, as its form names them."""
    tables = "".join(NATION.format(key, key.title(), side) for key, side in NATIONS) + SETTLED.format(HERE, empire)
    frigates = [Force(f"A{number}", {f"guard-{number}": "FED-FF"}) for number in (1, 2)]
    cruisers = [Force(f"C{number}", {f"raider-{number}": "KLI-CA"}) for number in (1, 2)]
    made = files(*frigates, *cruisers, turns=1, more='raid_table = "pq17"', tables=tables)
    labels: list[str] = []

    def at_once(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        for line in ask.form.lines:
            offered = [one.value for field in line.fields if field.key == "target" for one in field.choices]
            settled = [one for one in offered if one.startswith("settled")]
            if offered:
                sheet[line.key]["target"] = (settled or offered)[0]
        return sheet

    def defenders_lost(ask: AnyAsk) -> Sheet:
        labels.extend(line.label for line in ask.form.lines[1:])
        sheet = ask.form.prefilled()
        for key in sheet:
            sheet[key] |= {"fate": "destroyed"} if key.startswith("DF") else {}
        return {**sheet, "battle": {"winner": "coalition", "turns": 2}}

    habits = {"search": at_once, "attack": at_once, "battle": defenders_lost}
    game = OrderedPlay({**made, "ships.toml": SHIPS}, habits=habits, seed=seed)
    return game.play(1), labels


@pytest.mark.headless
@pytest.mark.rule(
    "pq17", "C.raid.table", "C.raid.note1", "C.raid.note2", "C.raid.note3", "C.raid.note4", "C.raid.note5"
)
@pytest.mark.rule("pq17", "C.raid.note6", "C.raid.convoy-and-base", "C.raid.federation", "C.raid.kzinti")
@cases("empire, seed, base, defense")
def test_an_opposed_raid_meets_a_convoy_and_local_defence_that_are_gone_after_it(
    empire: str, seed: int, base: list[str], defense: list[str]
) -> None:
    """A convoy of 105 to 134 in economic value; local defence of the empire up to what the raiders are worth in combat
    beyond the explicit defenders, and no more of it fits; a base only in the last row of the table."""
    game, labels = raided(empire, bytes([seed]) * 32)
    told = game.told("alliance", "raid")
    words = ["the explicit task forces", "a convoy", "local defence", *(["a base"] if base else [])]
    assert told[0] == f"The raid on Meridian in {HERE} is opposed: {', '.join(words)}."
    joined = [text.rpartition("; ")[2].removesuffix(" joins.") for text in told if text.endswith(" joins.")]
    parts = [*base, *(one.partition("-")[2] for one in defense)]
    assert joined[: len(parts)] == parts
    classes = game.state.classes
    convoy = [classes[one] for one in joined[len(parts) :]]
    value = sum(kind.bpv_economic for kind in convoy)
    assert 105 <= value <= 134
    assert value - convoy[-1].bpv_economic < 105
    guards = sum("rigate" in label and "guard" not in label for label in labels)
    left = 2 * classes["KLI-CA"].bpv_combat - guards * classes["FED-FF"].bpv_combat
    left -= sum(classes[one].bpv_combat for one in defense)
    assert left >= 0
    table = [kind for kind in classes.values() if kind.hull_group == "local defence" and kind.empire == empire]
    assert left < min(kind.bpv_combat for kind in table)
    assert sum(label.endswith("(Coalition)") for label in labels) == 2
    assert len(labels) == 2 + guards + len(joined)
    state = game.state
    assert {unit.class_id for unit in state.units.values() if unit.fate == "in play"} <= {"KLI-CA", "FED-FF"}
    assert [line.amount for line in state.ledger if line.line == "T5.4"] == [-1]
    assert len([line for line in state.ledger if line.line == "T5.1"]) == guards + len(joined)


# --- WHISKERS ---------------------------------------------------------------------------------------------------------


@pytest.mark.headless
@pytest.mark.rule("pq17", "C.random.whiskers")
@cases("seed, plot, said", "")
def test_whiskers_tells_whether_a_port_strike_was_rolled_and_is_carried_out(seed: int, plot: str, said: str) -> None:
    """Both seeds give the Alliance the event in the first period; the second one the Coalition a Port Strike."""
    _, document = scenario(turns=1)
    orders = [Order(1, "coalition", "operations", {"port-strike": {"now": plot}})] if plot else []
    game = OrderedPlay(document, *orders, seed=seed.to_bytes(16, "big")).play(1)
    answers = [text for text in game.told("alliance", "special") if text.startswith("WHISKERS Collection: ")]
    assert answers == [f"WHISKERS Collection: A Port Strike {said}."]
    assert not [text for text in game.told("alliance", "special") if "Murzank" in text]
