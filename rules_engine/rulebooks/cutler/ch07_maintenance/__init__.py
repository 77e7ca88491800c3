"""Chapter 7: maintenance. When ships must come into port, where they can, and what comes of missing it."""
