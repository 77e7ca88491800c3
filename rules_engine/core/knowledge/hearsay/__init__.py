"""Hearsay: what one side has handed on to another of what it knows, and how that shows beside what is known oneself."""
