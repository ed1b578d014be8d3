"""The interactive player of a logged match."""
