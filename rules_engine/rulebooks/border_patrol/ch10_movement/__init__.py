"""Chapters V8.10 and V8.90: how far a unit may move in a turn, and in which phases."""
