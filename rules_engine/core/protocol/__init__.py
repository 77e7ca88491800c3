"""What the author of a rulebook writes against: asks, the turn's context, the rulebook's own shape."""
