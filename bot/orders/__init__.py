"""What commanders do: open their side's sheets, fill them in, send accounts of battles, and say that they are ready."""
