"""Chapter 4.4: bases, which are built at their sites, and ground bases."""
