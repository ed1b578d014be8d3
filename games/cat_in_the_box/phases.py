"""The phases of a match of Cat in the Box."""

from __future__ import annotations

from games.core import Edge, Phase, Phases

DEAL, DISCARD, BID, PLAY, TRICK_END, PARADOX, SCORING, GAME_OVER = range(1, 9)

PHASES = Phases(
    (
        Phase(
            DEAL,
            "Deal",
            "The deck is shuffled and dealt, the board is cleared and everybody gets all four X-tokens back.",
            "",
            (Edge(DISCARD, "the cards are dealt"),),
        ),
        Phase(
            DISCARD,
            "Discard",
            "Everybody removes one card of the own hand, face down.",
            "everybody at the same time",
            (Edge(BID, "all have discarded"), Edge(PLAY, "all have discarded, two players")),
        ),
        Phase(
            BID,
            "Bid",
            "One player says how many tricks they will win.",
            "the start player, then clockwise",
            (Edge(BID, "somebody has yet to bid"), Edge(PLAY, "all have bid")),
        ),
        Phase(
            PLAY,
            "Play",
            "One player plays a card and declares its colour.",
            "the leader of the trick, then clockwise",
            (
                Edge(PLAY, "somebody has yet to play to the trick"),
                Edge(TRICK_END, "all have played to the trick"),
                Edge(PARADOX, "the next player has no legal play"),
            ),
        ),
        Phase(
            TRICK_END,
            "End of Trick",
            "The highest red wins the trick, or else the highest card of the led colour.",
            "",
            (
                Edge(PLAY, "the winner leads the next trick"),
                Edge(PARADOX, "the winner has no legal play"),
                Edge(SCORING, "everybody has one card left"),
            ),
        ),
        Phase(
            PARADOX,
            "Paradox",
            "A player without a legal play shows the hand and the tricks are over.",
            "nobody; with explicit_paradox_action the player without a legal play",
            (Edge(SCORING, "the hand is shown"),),
        ),
        Phase(
            SCORING,
            "Scoring",
            "Tricks, bonuses and penalties are counted.",
            "",
            (Edge(DEAL, "another round"), Edge(GAME_OVER, "that was the last round")),
        ),
        Phase(GAME_OVER, "Game Over", "The highest total wins.", "", ()),
    )
)
