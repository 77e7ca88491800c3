"""The package's own rulings, which players can read: where the rulebook and the common rulings leave a choice."""

from rules_engine.core.protocol.rulebook import RulingNote


def _note(number: int, rules: str, text: str) -> RulingNote:
    return RulingNote(id=f"CU-N{number:02}", rules=rules, text=text)


RULINGS: tuple[RulingNote, ...] = (
    _note(
        1,
        "6.4.1.3, 6.5",
        "A movement plot mission makes its victim lodge the impulse-1 plot of its ships in that hex when announced, "
        "and the plot binds whether the mission succeeds or not: otherwise being released would tell the outcome. "
        "A victim that commits no points never learns how a mission went; one that does learns it at the end of the "
        "phase, from whether its points come back. The die is the spy's alone, the points are announced to the spy.",
    ),
    _note(
        2,
        "6.5.1",
        "Missions are announced in rounds: each player in the rolled order announces its first, then its second. "
        "The order is rolled and published every turn, whether or not anybody spies.",
    ),
    _note(
        3,
        "2.2, 2.4",
        "Ships are plotted in fleets of the owner's choice with stored courses; a fleet moves when all its ships can. "
        "A stored course is a plot that has been handed in, so silence keeps it. A race is asked again when a foreign "
        "counter comes within two hexes, when something befell its ships, or in every impulse if it wishes.",
    ),
    _note(
        4, "6.4", "A sheet has room for six missions a turn; counter-intelligence points that were not used come back."
    ),
    _note(
        5,
        "2.8, 3.3.2",
        "Police ships and bases neither escape nor pursue nor flank.",
    ),
    _note(
        6,
        "3.5",
        "Terrain battles are not played yet: in a hex with planets or bases the main battle is set up as in open space "
        "and a base stays where it is set up.",
    ),
    _note(
        7,
        "3.2",
        "Everybody left rolls for acting player each time; a race that has passed is not asked again until somebody "
        "has made a challenge.",
    ),
    _note(8, "3.3.4, 3.7.1", "Up to three pursuit groups against a wave, and up to three flanking groups a side."),
    _note(
        9,
        "3.4.5.4",
        "Disengaged ships of one fleet share the roll for a random hex. Flanking delays are all rolled when the "
        "battle is set up, and shown to their owner only.",
    ),
    _note(
        10, "12.0", "Where the scenario says so, equal CPV rates are parted by the economic BPV of all units in play."
    ),
    _note(
        11,
        "3.4.3",
        "Who sets up first: both sides roll a D6, the higher one does.",
    ),
    _note(
        12,
        "3.9, 2.4.1.6",
        "The result form takes the boxes lost in the battle that are still lost after the repairs of D9.4.",
    ),
    _note(
        13,
        "5.1",
        "A captured unit changes hands where it is, in a fleet of its own; its weapons stay barred.",
    ),
)
