"""The web page of a match."""
