"""What a campaign remembers; no rules."""
