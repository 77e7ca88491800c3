"""What the author of a rulebook writes against: asks, the turn's context, and the interface of a rulebook."""
