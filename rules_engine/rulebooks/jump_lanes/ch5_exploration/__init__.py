"""Chapter 13.5: exploration orders, checks and perils."""
