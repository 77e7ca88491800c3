"""Chapter V8.70: unexpected encounters of cloaked units, as functions of the rolls."""
