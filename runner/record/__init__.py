"""The log of a match: written once, read back, played again."""
