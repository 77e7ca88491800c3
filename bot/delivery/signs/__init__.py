"""The signs that Discord knows, as texts and components leave with them, and keeping them there."""
