"""Search over worlds drawn from an information set, for every game."""
