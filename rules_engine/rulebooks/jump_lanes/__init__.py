"""Jump lanes (chapter 13 of a campaign guide): empires on a graph of systems, by secret sheets."""
