"""Review: how good each decision of a match was, by search from what its seat knew."""
