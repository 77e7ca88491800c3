"""Chapter 13.3: what squadrons carry: holds, embarking and disembarking, invasion, and loss after combat."""
