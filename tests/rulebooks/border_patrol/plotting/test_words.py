"""The words of sheets and questions, as captains read them."""

from rules_engine.core.forms.forms import Line
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from tests.rulebooks.border_patrol.plays import play, world

LINES = """
blue B1 0505 CA[cloak_cost=10 emergency_used=4 chief_engineer=3]+DD
blue B2 0101 DD+FF
blue B3 0101 FF
red R1 0505 CA
"""


def asked() -> AnyAsk:
    return plot_ask(world(LINES), "blue")


def offered(line: Line | None) -> list[tuple[str, list[str]]]:
    """Each field's label and the labels of its choices."""
    assert line is not None
    return [(field.label, [choice.label for choice in field.choices]) for field in line.fields]


def test_a_stacks_line():
    line = asked().form.line("B1")
    assert line is not None
    assert (line.label, line.note) == ("B1 at 0505: B1-CA, B1-DD", "at 0505, allowance 5: phases 2, 4, 5, 7, 8")
    assert line.fields[0].help == "5 hexes, in phases 2 4 5 7 8, e.g. 0504; P8 0504 waits for phase 8; blank holds"
    assert offered(line) == [
        ("Route", []),
        ("Cloak", ["In the open", "Under cloak", "Under cloak until it reacts"]),
        (
            "Reacts",
            [
                "Does not lie in wait",
                "Only to what it must",
                "To others that come alone",
                "To all others",
                "Ask me each time",
            ],
        ),
        ("Emergency Movement", ["B1-CA", "B1-DD"]),
        ("Standing orders", []),
    ]
    assert (line.fields[4].value, line.fields[4].help) == (
        "go on; stay; refuse",
        "For example stop, break out, let go ask; what you leave out stays",
    )


def test_the_line_of_its_ships():
    assert offered(asked().form.line("B2-ships")) == [
        ("Rearguard, if held", ["B2-DD", "B2-FF"]),
        ("Stay as a stack of their own", ["B2-DD", "B2-FF"]),
        ("Tows", ["B2-DD tows B2-FF", "B2-FF tows B2-DD"]),
        ("Overhaul of engines", ["B2-DD", "B2-FF"]),
        ("Joins", ["B3"]),
    ]
    absent = {(one.key, one.field): one.problem for one in asked().form.absent}
    assert absent["B2", "cloak"] == "nobody in B2 has a cloaking device"
    assert absent["B1", "tow"] == "it stands in the line B1-ships"
    assert absent["B1-ships", "overhaul"] == "nothing of yours in 0505 overhauls engines"
    assert absent["B1-ships", "join"] == "no other stack of its captain is in 0505"
    assert absent["B3-ships", "tow"] == "nobody in B3 has anybody to tow"
    assert absent["B3-ships", "detach"] == absent["B3", "rearguard"] == "B3 is one unit alone"


def test_what_is_read_back():
    ask = asked()
    first = ask.answer_from(
        {
            "B1": {"route": "0506 P5 0507", "emergency": ["B1-CA"], "held": "either", "onward": "ask"},
            "B1-ships": {"rearguard": ["B1-DD"]},
            "B2": {"react": "any", "within": 1, "let_go": "ask"},
            "B3-ships": {"join": "B2"},
        }
    )
    assert ask.read_back(first) == [
        "B1: goes 0506 P5 0507; Emergency Movement by B1-CA; rearguard B1-DD; asks you before others; "
        "breaks out or asks to leave if held",
        "B2: lies in wait at 0101, reacts to all others; asks you who may leave; reacts at most 1 hex away",
        "B3: joins B2",
    ]
    assert ask.warn(first) == [
        "B1: B1-CA needs its chief engineer's roll; failing costs 3 warp engine boxes and further attempts (V8.47)",
        "B1: goes 5 hexes, as B1-DD uses no Emergency Movement (BP-N16)",
    ]
    second = ask.answer_from(
        {
            "B1": {"react": "ask", "cloak": "until it reacts"},
            "B1-ships": {"detach": ["B1-DD"]},
            "B2": {"route": "0102", "within": 0},
            "B2-ships": {"tow": ["B2-DD>B2-FF"]},
            "B3-ships": {"overhaul": ["B3-FF"]},
        }
    )
    assert ask.read_back(second) == [
        "B1: lies in wait at 0505, reacts as you say each time; under cloak until it reacts; "
        "B1-DD stays as a stack of its own",
        "B2: goes 0102; B2-DD tows B2-FF; reacts at most 0 hexes away",
        "B3: holds at 0101; overhaul of B3-FF",
    ]
    leaves = ask.answer_from({"B1": {"route": "0506"}})
    assert ask.warn(leaves) == ["B1: others stand in 0505 and may hold it (V8.21)"]
    assert [(one.counter, one.hexes) for one in ask.courses(leaves)] == [("B1", ("0505", "0506"))]
    tells = "B1: if held it asks the others to let it go, and they learn that it is there (V8.25)"
    for cloak, held, more in (
        ("all turn", "withdraw", [tells]),
        ("all turn", "either", [tells]),
        ("no", "withdraw", []),
    ):
        line = {"route": "0506", "cloak": cloak, "held": held}
        hidden = ask.answer_from({"B1": line, "B1-ships": {"detach": ["B1-DD"]}})
        assert ask.warn(hidden) == more


def test_what_captains_are_asked_in_mid_turn():
    red = {"R1": {"let_go": "ask"}}
    blue = {"B1": {"route": "0506", "held": "withdraw"}}
    (let_go,) = play(world("blue B1 0505 CA\nred R1 0505 CA"), blue, red).asked("red", "withdrawal")
    assert (let_go.title, let_go.text) == (
        "Others would leave 0505",
        "Letting them go means no combat with them.",
    )
    assert offered(let_go.form.lines[0]) == [("Answer", ["Hold them", "Let them go"])]
    assert let_go.default_says == "Hold them."
    meets = {"B1": {"route": "0506 0507", "onward": "ask"}}
    (onward,) = play(world("blue B1 0505 CA\nred R1 0507 CA"), meets).asked("blue", "onward")
    assert (onward.title, onward.text) == ("Others before B1", "Phase 4: Red Team in 0507.")
    assert offered(onward.form.lines[0]) == [("Answer", ["Stop", "Go on", "Turn back"])]
    assert onward.read_back(onward.default) == ["B1: stop"]
    waits = {"B1": {"react": "ask"}}
    game = play(world("blue B1 0505 CA\nred R1 0507 CA"), waits, {"R1": {"route": "0506"}})
    (react,) = game.asked("blue", "reaction")
    assert (react.title, react.text) == ("B1 may react", "Phase 2: Red Team in 0506.")
    assert offered(react.form.lines[0]) == [("Answer", ["Stay", "React"]), ("First hex", [])]


def test_what_is_reported_of_a_unit_in_battle():
    game = play(world("blue B1 0505 CA\nblue base 0505 BATS\nred R1 0506 CA"), None, {"R1": {"route": "0505"}})
    (battle,) = game.asked("blue", "battle")[:1]
    fates = ["Still there, as before", "Still there, damaged", "Disengaged", "Captured", "Destroyed"]
    assert offered(battle.form.line("RU1")) == [
        ("Fate", fates),
        ("Warp engine boxes that work", []),
        ("Damage Control Rating", []),
        ("Tractor beams that work", []),
        ("Special sensors that work", []),
        ("Sensors or scanners damaged", []),
        ("Crippled", []),
        ("Dropped its warp engines", []),
    ]
    base = battle.form.line("BU1")
    assert offered(base)[0] == ("Fate", [fates[0], fates[1], fates[3], fates[4]])
    assert "Dropped its warp engines" not in dict(offered(base))
