"""The pieces into which a turn is plotted. VM-R36"""

from rules_engine.rulebooks.vector.records.tactical import Tactical


def piece_ahead(battle: Tactical) -> range:
    """The impulses of the piece that is plotted next; when a turn is over, its last alone."""
    return range(min(battle.impulse + 1, battle.piece_end), battle.piece_end + 1)
