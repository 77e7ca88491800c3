"""The way out to Discord: what stands in the outbox is sent in order, each effect exactly once."""
