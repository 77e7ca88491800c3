"""Lookups about nations: home bases, victory points, initiative, and the special conditions in force."""
