"""Calls to Discord, each with the points at which crash tests kill; those that carry no content of a campaign."""
