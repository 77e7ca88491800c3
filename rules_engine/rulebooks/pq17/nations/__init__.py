"""Whose home, points and initiative; which conditions are in force."""
