"""Chapter 1: forces bought, built, organised and deployed."""
