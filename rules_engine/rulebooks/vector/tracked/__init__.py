"""A battle of another rulebook that is tracked: what is remembered of it, what is counted, and what may be seen."""
