"""The referee's desk: its card, and what its buttons do."""
