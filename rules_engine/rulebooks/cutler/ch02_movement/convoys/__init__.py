"""Chapters 2.7 and 2.8: convoys, Q-ships, and police ships on their way."""
