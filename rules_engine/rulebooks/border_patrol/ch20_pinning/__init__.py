"""Chapter V8.20: who may leave a hex in which others are."""
