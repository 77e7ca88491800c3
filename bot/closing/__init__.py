"""Closing the open batch of sheets, by readiness, deadline or referee, and playing on to the next."""
