"""The combat step as a whole, in the order of the sequence of play, with several attacks and several battles in it."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.dice import Die
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept
from tests.rulebooks.pq17.worlds.battles import account
from tests.rulebooks.pq17.worlds.notation import LoadedDice, run, table, told, world

NOW = "\nturn 2 impulse 1 half A initiative alliance"
BOTH = ("alliance", "coalition")
SURE: dict[str, int] = {"local conditions": 5, "main roll": 1, "surprise": 1}
"""Good conditions; every attempt succeeds unless a test loads its roll; nobody is surprised."""


class WatchedDice(LoadedDice):
    """Loaded dice that call ``seen`` with the label, without the turn, before each roll."""

    def __init__(self, by_label: Mapping[str, int], seen: Callable[[str], None]) -> None:
        super().__init__((), by_label)
        self.seen = seen

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The loaded dice; lots, which decide the order of what is alike, are not reported."""
        if "/lot/" not in label:
            self.seen(label.removeprefix("T1/"))
        return super().draw(label, ordinal, die, count)


class Play:
    """A combat step played through. ``log`` has all asks (``attack alliance``, ``battle both 0405/battle 1``) and rolls
    in order; ``watch`` is called with each before it happens."""

    def __init__(
        self,
        text: str,
        sheets: Mapping[str, Sequence[Any]],
        *,
        rolls: Mapping[str, int] | None = None,
        phasing: str = "alliance",
        watch: Callable[[State, str], None] = lambda state, event: None,
    ) -> None:
        self.log: list[str] = []
        self.asked: list[asks.AnyAsk] = []
        self.left = {key: list(answers) for key, answers in sheets.items()}
        self.at: turn_context.TurnContext[State] = table(world(text + NOW, flag_empires=("Kzinti",)))
        self.watch = watch
        self.at.shared.dice = WatchedDice(dict(rolls or {}) | SURE, self._happens)
        announce_detections(self.at)
        self.at.shared.reports.clear()
        run(combat_steps(self.at, phasing), self._answer)
        assert not any(self.left.values())

    @property
    def state(self) -> State:
        """The state afterwards, or as it is when ``watch`` is called."""
        return self.at.state

    def _happens(self, event: str) -> None:
        self.watch(self.state, event)
        self.log.append(event)

    def _answer(self, ask: asks.AnyAsk) -> Any:
        self.asked.append(ask)
        where = ask.id.removeprefix("T1/").removesuffix(f"{ask.kind}/{'+'.join(ask.parties)}").rstrip("/")
        who = "both" if ask.parties == BOTH else ask.parties[0]
        self._happens(f"{ask.kind} {who} {where}".rstrip())
        given = self.left.get(self.log[-1], self.left.get(f"{ask.kind} {who}"))
        if given:
            return given.pop(0)
        return _all_defenders_lost(ask) if ask.kind == "battle" else None


def _all_defenders_lost(ask: asks.AnyAsk) -> dict[str, Any]:
    sheet = ask.form.prefilled()
    for name, line in sheet.items():
        if name.startswith("DF"):
            line["fate"] = "destroyed"
    return sheet


def target(track: str) -> dict[str, str]:
    return {"target": track}


# --- attacks ----------------------------------------------------------------------------------------------------------
THREE = "A1 0405 CA speed 2 ID0 / A2 0303 CA speed 2 ID0 / A3 0405 CA speed 2 ID0 / C1 0405 CA speed 2 ID0"
THREE += " / C2 0303 CA speed 2 ID0 / C3 0405 CA speed 2 ID0"
FULL, PAID = Fraction(34), Fraction(30)


@pytest.mark.rule("pq17", "SOP.2.b.vi.1")
def test_hexes_are_resolved_one_after_the_other_from_the_lowest_number() -> None:
    # A1 and A3 attack in 0405, A2 in 0303; nobody is asked for an order of hexes (ruling SOP-2)
    sheet = {"A1": target("E1"), "A2": target("E2"), "A3": target("E3")}
    found = [event for event in Play(THREE, {"attack alliance": [sheet]}).log if "attack/" in event]
    assert found == ["0303/attack/A2>E2/main roll", "0405/attack/A1>E1/main roll", "0405/attack/A3>E3/main roll"]


@pytest.mark.rule("pq17", "SOP.2.b.vi.2", "SOP.2.b.vi.4")
def test_each_side_announces_all_its_attacks_and_pays_for_them_before_its_first_roll() -> None:
    # A1 and A2 fail, so that C1 and C2 may attack; C3 was attacked successfully and may not
    seen: dict[str, dict[str, Fraction]] = {}
    declared: list[tuple[str, list[str]]] = []

    def watch(state: State, event: str) -> None:
        if event not in seen:
            seen[event] = {unit.id.partition(".")[0]: unit.fuel for unit in state.units.values()}

    sheets = {
        "attack alliance": [{"A1": target("E1"), "A2": target("E2"), "A3": target("E3")}],
        "attack coalition": [{"C1": target("E1"), "C2": target("E2")}],
    }
    fails = {"A1>E1/main roll": 99, "A2>E2/main roll": 99}
    play = Play(THREE, sheets, rolls=fails, watch=watch)
    before = dict.fromkeys(("A1", "A2", "A3", "C1", "C2", "C3"), FULL)
    ours = dict.fromkeys(("A1", "A2", "A3"), PAID)
    assert play.log[:2] == ["attack alliance", "0303/local conditions"]
    assert seen["attack alliance"] == before
    assert seen["0303/local conditions"] == before | ours  # A1 and A3 have paid as well, whose hex comes later
    assert seen["attack coalition"] == before | ours
    assert seen["0303/attack/C2>E2/main roll"] == before | ours | {"C1": PAID, "C2": PAID}
    theirs = next(ask for ask in play.asked if ask.parties == ("coalition",))
    assert [line.key for line in theirs.form.lines] == ["C1", "C2"]
    for side, words in (("coalition", "attacks your C"), ("alliance", "attacks your A")):
        heard = told(play.at, side)
        announced = [number for number, text in enumerate(heard) if words in text]
        results = [number for number, text in enumerate(heard) if "attacked your" in text]
        declared.append((side, [heard[number] for number in announced]))
        assert announced[-1] < results[0]
    assert declared == [
        ("coalition", ["E1 in 0405 attacks your C1.", "E2 in 0303 attacks your C2.", "E3 in 0405 attacks your C3."]),
        ("alliance", ["E1 in 0405 attacks your A1.", "E2 in 0303 attacks your A2."]),
    ]
    assert "E1 attacked your C1 in 0405: failed." in told(play.at, "coalition")


@pytest.mark.rule("pq17", "SOP.2.b.vi.3.a.i", "SOP.2.b.vi.5.a.i")
@pytest.mark.parametrize("phasing", BOTH)
def test_an_attempt_counts_cloak_flags_shadowing_and_the_conditions_of_a_base(phasing: str) -> None:
    """Both for the side that attacks first and for the other, which attacks second."""
    # all-Kzinti attackers make a flag roll; C1 is cloaked; C3 is shadowed by A4, so A3 tries twice; C9's base has
    # conditions of its own
    text = "A1 0405 KF speed 3 ID0 / A2 0405 KF speed 3 ID0 / A3 0405 CA speed 3 ID0"
    text += " / A4 0405 FF[fuel=0] speed 0 ID0 shadows C3 / A5 0405 CA speed 3 ID0 / C1 0405 CW cloak speed 1 ID0"
    text += " / C2 0405 CW cloak speed 1 ID0 / C3 0405 CA[fuel=0] speed 1 ID0 / C9 0405 BATS base Lair LC4 ID0"
    attacks = {"A1": target("E1"), "A2": target("E2"), "A3": target("E3"), "A5": target("E4")}
    rolls = {"second attack/A3>E3": 61, "attack/A3>E3": 99, "attack/A5>E4": 21}
    rolls |= {"A1>E1/cloak": 20, "A2>E2/cloak": 21, "A2>E2/flag": 15}
    play = Play(text, {"attack alliance": [attacks]}, rolls=rolls, phasing=phasing)
    attempts = [event.removeprefix("0405/") for event in play.log if "attack/" in event]
    assert attempts == [
        "attack/A1>E1/main roll",
        "attack/A1>E1/cloak/E1",  # 20: the cloak holds
        "attack/A2>E2/main roll",
        "attack/A2>E2/cloak/E2",  # 21: it does not
        "attack/A2>E2/flag/E2/1",  # 15: fails
        "attack/A3>E3/main roll",
        "second attack/A3>E3/main roll",  # 61 is S, which counts against a shadowed target
        "attack/A5>E4/main roll",  # 21 reads row 0 in good conditions, and row 1 in the base's own, terrible ones
    ]
    assert [event for event in play.log if event.startswith("battle")] == ["battle both 0405/battle 1"]
    assert "C3" not in play.state.task_forces  # the one force that was attacked successfully, and lost


@pytest.mark.rule("pq17", "SOP.2.b.vi.3.a.ii", "SOP.2.b.vi.5.a.ii")
def test_only_who_succeeded_joins_the_forces_of_a_battle() -> None:
    # A1 succeeds against C1 and A2 fails; then C2 succeeds against A1 and C3 fails; C4 succeeds against A2
    text = "\n".join(f"{one} 0405 CA speed 2 ID0" for one in ("A1", "A2", "C1", "C2", "C3", "C4"))
    ours = {"A1": target("E1"), "A2": target("E1")}
    theirs = {"C2": target("E1"), "C3": target("E1"), "C4": target("E2")}
    formed: list[tuple[list[str], list[str], dict[str, str]]] = []

    def watch(state: State, event: str) -> None:
        if event.startswith("order of battles"):
            formed.extend((one.original, one.attackers, one.joiners) for one in state.battles)

    sheets = {"attack alliance": [ours], "attack coalition": [theirs]}
    Play(text, sheets, rolls={"A2>E1": 99, "C3>E1": 99}, watch=watch)
    assert formed == [(["C1"], ["A1"], {"C2": "A1"}), (["A2"], ["C4"], {})]


@pytest.mark.rule("pq17", "SOP.2.b.vi.3.b", "SOP.2.b.vi.3.c", "SOP.2.b.vi.5.b", "SOP.2.b.vi.5.c")
@pytest.mark.parametrize("phasing", BOTH)
def test_success_ends_the_shadowing_of_target_and_attacker_once_all_have_tried(phasing: str) -> None:
    """Both for the side that attacks first and for the other, which attacks second."""
    # A1 shadows C1 and succeeds, A2 shadows C2 and fails twice; A3 succeeds against C3, which shadows it, A4 fails
    # against C4, which shadows it; A5 attacks C1 after A1 and fails
    text = "A1 0405 CA speed 2 ID0 shadows C1 / A2 0405 CA speed 2 ID0 shadows C2 / A3 0405 CA speed 2 ID0"
    text += " / A4 0405 CA speed 2 ID0 / A5 0405 CA speed 2 ID0 / C1 0405 CA speed 2 ID0 / C2 0405 CA speed 2 ID0"
    text += " / C3 0405 CA speed 2 ID0 shadows A3 / C4 0405 CA speed 2 ID0 shadows A4"
    attacks = {"A1": target("E1"), "A2": target("E2"), "A3": target("E3"), "A4": target("E4"), "A5": target("E1")}
    seen: dict[str, dict[str, str]] = {}

    def watch(state: State, event: str) -> None:
        seen[event] = {tf.id: tf.shadowing for tf in state.all_task_forces() if tf.id in ("A1", "A2", "C3", "C4")}

    rolls = {"A2>E2": 99, "A4>E4": 99, "A5>E1": 99}
    play = Play(text, {"attack alliance": [attacks]}, rolls=rolls, phasing=phasing, watch=watch)
    before = {"A1": "C1", "A2": "C2", "C3": "A3", "C4": "A4"}
    assert seen["0405/second attack/A5>E1/main roll"] == before  # C1 still counts as shadowed by A1
    assert seen["0405/attack/A2>E2/main roll"] == before | {"A1": ""}
    assert seen["0405/attack/A4>E4/main roll"] == before | {"A1": "", "C3": ""}
    first = next(event for event in play.log if event.startswith("order of battles"))
    assert seen[first] == before | {"A1": "", "C3": ""}  # who failed, or was attacked in vain, shadows on


# --- battles ----------------------------------------------------------------------------------------------------------
ALL_ATTACK = {"attack alliance": [{"A1": target("E1"), "A2": target("E2"), "A3": target("E3")}]}
"""Battle 1 is that of C2 in 0303, 2 that of C1 and 3 that of C3 in 0405."""


@pytest.mark.rule("pq17", "8.5.1", "SOP.2.b.vi.6.a")
@pytest.mark.parametrize("phasing", BOTH)
def test_the_phasing_side_chooses_among_all_battles_which_is_fought_next(phasing: str, kept: Kept) -> None:
    """In the second half that is the other side, even if all battles are the enemy's attacks."""
    chosen = {f"order of battles {phasing}": [{"battles": {"order": "3 1 2"}}]}
    play = Play(THREE, ALL_ATTACK | chosen, phasing=phasing)
    assert [event for event in play.log if event.startswith(("order", "battle"))] == kept()
    found = [event for event in Play(THREE, ALL_ATTACK, phasing=phasing).log if event.startswith("battle")]
    assert found == ["battle both 0303/battle 1", "battle both 0405/battle 2", "battle both 0405/battle 3"]


@pytest.mark.rule("pq17", "SOP.2.b.vi.6.b", "SOP.2.b.vi.6.c", "SOP.2.b.vi.6.d", "SOP.2.b.vi.6.e", "SOP.2.b.vi.6.f")
@pytest.mark.rule("pq17", "SOP.2.b.vi.6.h.i", "8.5.1")
def test_each_battle_is_prepared_fought_and_settled_before_the_next_begins() -> None:
    # C3 keeps 17 of 34 boxes on and pays 2 of 34, C2 all of them and pays 4
    sheets = {
        "order of battles alliance": [{"battles": {"order": "3 1 2"}}],
        "power coalition 0405/battle 3": [{"DF1": {"boxes_on": 17}}],
        "reform alliance 0405/battle 3/post-combat": [{"force 1": {"speed": "3"}}],
    }
    seen: dict[str, tuple[list[str], list[IdLevel], bool]] = {}

    def watch(state: State, event: str) -> None:
        fuel = [f"{state.units[one].fuel}" for one in ("C3.CA", "C2.CA", "C1.CA")]
        levels = [state.task_forces[one].id_level for one in ("A3", "A2", "A1")]
        sprints = state.task_forces["A3"].next_speed is not None
        seen[event] = (fuel, levels, sprints)

    play = Play(THREE, ALL_ATTACK | sheets, watch=watch)
    begun = play.log.index("order of battles alliance") + 1
    expected = [
        [f"power coalition {one}", f"{one}/surprise", f"battle both {one}", f"reform alliance {one}/post-combat"]
        for one in ("0405/battle 3", "0303/battle 1", "0405/battle 2")
    ]
    assert play.log[begun:] == [event for events in expected for event in events]
    unknown, inspected, known = IdLevel.ID0, IdLevel.ID4, IdLevel.ID3
    facts = [seen[event] for event in play.log[begun : begun + 7]]
    assert facts == [
        (["34", "34", "34"], [unknown] * 3, False),  # C3 is asked for its power
        (["32", "34", "34"], [unknown] * 3, False),  # it has paid; surprise is rolled for
        (["32", "34", "34"], [inspected, unknown, unknown], False),  # ID4, and the battle
        (["32", "34", "34"], [known, unknown, unknown], False),  # its winner regroups
        (["32", "34", "34"], [known, unknown, unknown], True),  # and now C2 is asked
        (["32", "30", "34"], [known, unknown, unknown], True),
        (["32", "30", "34"], [known, inspected, unknown], True),
    ]
    heard = told(play.at, "alliance")
    order = [
        next(number for number, text in enumerate(heard) if words in text)
        for words in ("fights with 17 of 34", "Battle in 0405: the defenders are not surprised", ", ID4: ")
    ]
    assert order == sorted(order)


@pytest.mark.rule("pq17", "SOP.2.b.vi.6.g.i", "SOP.2.b.vi.6.g.ii", "SOP.2.b.vi.6.g.iii", "SOP.2.b.vi.6.g.iv")
@pytest.mark.rule("pq17", "SOP.2.b.vi.6.g.v", "SOP.2.b.vi.6.h.i", "8.5.1", "8.5.6.9.4", "8.5.6.9.5")
def test_withdrawal_and_pursuit_are_over_before_the_next_battle_begins() -> None:
    text = "A1 0405 CA+DD+FF speed 2 ID0 / A2 0303 CA speed 2 ID0 / C1 0405 CA+DD+FF speed 2 ID0"
    text += " / C2 0303 CA speed 2 ID0"
    apart = {"C1.CA": {"force": 1}, "C1.DD": {"force": 2}, "C1.FF": {"force": 3}}
    split = {"A1.CA": {"force": 1}, "A1.DD": {"force": 2}, "A1.FF": {"force": 3}}
    hunts = {"force 1": {"pursue": "E1"}, "force 2": {"pursue": "E3"}}
    # C1's three ships disengage and form a force each. A1's CA pursues the first and catches it, its DD the second in
    # vain, nobody the third; the first disengages once more and is caught again
    here = "0405/battle 2"
    sheets = {
        "attack alliance": [{"A1": target("E1"), "A2": target("E2")}],
        "order of battles alliance": [{"battles": {"order": "2 1"}}],
        f"battle both {here}": [account("alliance", AT1="ok", AT2="ok", AT3="ok", DF1=2, DF2=2, DF3=2)],
        f"reform coalition {here}/withdrawal": [apart],
        f"reform alliance {here}/pursuit": [split | hunts],
        f"battle both {here}/pursuit 1": [account("alliance", AT1="ok", DF1=2)],
        f"reform alliance {here}/pursuit 1/pursuit": [{"force 1": {"pursue": "E1"}}],
    }
    play = Play(text, sheets, rolls={"A3>E3": 99})
    assert play.log[play.log.index("order of battles alliance") + 1 :] == [
        f"power coalition {here}", f"{here}/surprise", f"battle both {here}", f"reform coalition {here}/withdrawal",
        f"reform alliance {here}/pursuit", f"{here}/pursuit 1/0405/pursuit roll 1/A1>E1/main roll",
        f"{here}/pursuit 2/0405/pursuit roll 1/A3>E3/main roll",  # before the first of these battles is fought
        f"battle both {here}/pursuit 1", f"reform coalition {here}/pursuit 1/withdrawal",
        f"reform alliance {here}/pursuit 1/pursuit",
        f"{here}/pursuit 1/pursuit 1/0405/pursuit roll 1/A1>E1/main roll",
        f"battle both {here}/pursuit 1/pursuit 1", f"reform alliance {here}/post-combat",
        "power coalition 0303/battle 1", "0303/battle 1/surprise", "battle both 0303/battle 1",
        "reform alliance 0303/battle 1/post-combat",
    ]  # fmt: skip
    heard = told(play.at, "coalition")
    assert [text for text in heard if "withdraws" in text] == [
        "C3 withdraws successfully in 0405.",  # the DD, whose pursuer failed
        "C4 withdraws successfully in 0405.",  # the FF, which nobody pursued
    ]
    assert [tf.id for tf in play.state.all_task_forces("coalition")] == ["C3", "C4"]
    assert play.state.battles == []
