"""A battle that may be flown by the tactical tracker: what a rulebook says of it, and what it gets back."""
