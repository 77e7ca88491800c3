"""What captains type, taken apart into clauses and words, and what units may be called in it."""
