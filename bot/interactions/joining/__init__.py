"""Joining a campaign by its buttons."""
