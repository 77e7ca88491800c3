"""Writing one step of play down in one transaction: journal, reports, sheets, deadline, and the posts about it."""
