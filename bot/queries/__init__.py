"""What may be looked up without changing anything: views, what was told, tables and odds, from what one side knows."""
