"""Command Ratings of ships whose record gives none (BP-R15, CU-R29)."""

from rules_engine.core.basics.rules import rule

COMMAND_RATINGS: dict[str, int] = {
    **dict.fromkeys(("DN", "SCS", "B10", "SSCS"), 10),
    **dict.fromkeys(("BCH", "BC", "CC"), 9),
    **dict.fromkeys(("CA", "CVA"), 8),
    **dict.fromkeys(("CL", "CW", "NCL", "CM"), 6),
    **dict.fromkeys(("DD", "DW", "TUG"), 4),
    **dict.fromkeys(("FF", "MON"), 3),
}
"""Ratings by class. CU-R29"""
OTHER_RATING = 2
"""The rating of any other class. CU-R29"""


@rule("V8.24")
def default_command_rating(ship_class: str) -> int:
    """The Command Rating of a class. V8.24, BP-R15"""
    return COMMAND_RATINGS.get(ship_class.upper(), OTHER_RATING)
