"""Chapter 3: meeting in a hex, battles, escapes."""
