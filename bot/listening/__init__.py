"""Whether Discord still speaks to us: events that must come back, people who come back, and interactions."""
