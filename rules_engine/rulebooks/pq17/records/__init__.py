"""The records that make up a campaign's state; no rules."""
