"""What logs say about their players: ratings with intervals, figures, tables."""
