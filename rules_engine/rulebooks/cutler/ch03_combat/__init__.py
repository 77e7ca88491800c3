"""Chapter 3: encounters in a hex, battles, escapes."""
