"""What a scenario settles where the text is silent: lane classes and their costs, chances, scoring, supply.

Every part says where its figures come from; ``invented`` ones are shown as such.
"""

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rational import Rational
from rules_engine.core.scenarios.entries import Marked
from rules_engine.rulebooks.jump_lanes.records.places import Difficulty, LaneClass

LanePoints = Annotated[int, Field(ge=0, le=10_000)]
LaneCost = Annotated[Rational, Field(gt=0, le=99)]


class LaneCosts(Marked):
    """The movement cost of each class of lane; sector lanes cost twice as much. 13.1, JL-R03, JL-R04"""

    major: LaneCost = Fraction(1, 2)
    normal: LaneCost = Fraction(1)
    minor: LaneCost = Fraction(2)
    restricted: LaneCost = Fraction(4)

    def of(self, lane_class: LaneClass) -> Fraction:
        """What a lane of a class costs."""
        costs: dict[LaneClass, Fraction] = {
            "major": self.major,
            "normal": self.normal,
            "minor": self.minor,
            "restricted": self.restricted,
        }
        return costs[lane_class]


class LaneClassTable(Marked):
    """The Jump Lane Class Table: up to which roll of a D10 a surveyed lane is of each class; above, restricted.
    13.5.2"""

    major: Annotated[int, Field(ge=0, le=10)] = 1
    normal: Annotated[int, Field(ge=0, le=10)] = 6
    minor: Annotated[int, Field(ge=0, le=10)] = 9


class SurveyChances(Marked):
    """The base chance of an exploration check by difficulty; Easy is printed. 13.5.2, JL-R35"""

    easy: Annotated[int, Field(ge=-100, le=100)] = 10
    moderate: Annotated[int, Field(ge=-100, le=100)] = 5
    hard: Annotated[int, Field(ge=-100, le=100)] = 0
    extreme: Annotated[int, Field(ge=-100, le=100)] = -10

    def of(self, difficulty: Difficulty) -> int:
        """The base chance of a difficulty."""
        chances: dict[Difficulty, int] = {
            "easy": self.easy,
            "moderate": self.moderate,
            "hard": self.hard,
            "extreme": self.extreme,
        }
        return chances[difficulty]


class FrontierScoring(Marked):
    """Points: for a lane surveyed by its class, for each census point landed, each turn for a system held, once for a
    starbase set up at a place, for what others lose. ``total`` ends a campaign before its last turn, 0 for never."""

    major: LanePoints = 4
    normal: LanePoints = 3
    minor: LanePoints = 2
    restricted: LanePoints = 1
    census: LanePoints = 1
    system: LanePoints = 1
    starbase: LanePoints = 5
    destroyed: LanePoints = 0
    total: LanePoints = 0

    @property
    def survey_scores(self) -> bool:
        """Whether there are points for any survey."""
        return any((self.major, self.normal, self.minor, self.restricted))


class LaneRules(Frozen):
    """Choices that the text leaves to a campaign.

    ``system_maps`` is that planets and outskirts are places (JL-R06), ``passing_encounters`` that groups that pass each
    other in one lane may meet by a D10 (JL-R15), ``experience`` that experience points are carried (13.3.2.3),
    ``supply_reach`` how many lanes a unit may be from an own colony to be supplied again.
    """

    system_maps: bool = False
    passing_encounters: bool = False
    experience: bool = False
    supply_reach: Annotated[int, Field(ge=0, le=99)] = 2
