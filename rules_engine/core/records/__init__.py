"""What is written down of a campaign: the journal of its inputs, and fingerprints of its state."""
