"""Statistics of results: what matches that were played say about players, with intervals. Pure, like the rules."""
