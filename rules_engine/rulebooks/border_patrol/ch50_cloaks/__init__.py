"""Chapter V8.50: cloaked movement, as far as it is arithmetic."""
