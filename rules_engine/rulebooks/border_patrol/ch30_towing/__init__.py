"""Chapter V8.30: towing by units that are no tugs, and what holds of all tows."""
