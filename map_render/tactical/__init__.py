"""Pictures of battles flown by vectors on an unbounded sheet: where ships are, face and drift, and what is ahead."""
