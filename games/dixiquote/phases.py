"""The phases of a match of DixiQuote (rule 2)."""

from __future__ import annotations

from games.core import Edge, Phase, Phases

DEAL, CHOOSE, QUOTE, SUBMIT, VOTE, SCORE, ROUND_END, OVER = 0, 1, 2, 3, 4, 5, 6, 99

PHASES = Phases(
    (
        Phase(
            DEAL,
            "Deal",
            "The deck is shuffled and everybody is dealt six situations.",
            "",
            (Edge(CHOOSE, "the cards are dealt"), Edge(QUOTE, "the cards are dealt, Blind Quote")),
        ),
        Phase(
            CHOOSE,
            "Choose a Situation",
            "The Storyteller secretly picks a situation from the own hand.",
            "the Storyteller",
            (Edge(QUOTE, "a situation is chosen"), Edge(ROUND_END, "the Storyteller is struck out: round forfeited")),
        ),
        Phase(
            QUOTE,
            "Give a Quote",
            "The Storyteller says a line that hints at the situation.",
            "the Storyteller",
            (Edge(SUBMIT, "a quote is given"), Edge(ROUND_END, "the Storyteller is struck out: round forfeited")),
        ),
        Phase(
            SUBMIT,
            "Submit Situations",
            "Everybody else secretly plays the situation that fits the quote best.",
            "all but the Storyteller at the same time; with Blind Quote all",
            (Edge(VOTE, "somebody else submitted"), Edge(SCORE, "nobody else submitted")),
        ),
        Phase(
            VOTE,
            "Reveal and Vote",
            "The situations are shuffled and shown; everybody votes secretly for the one the quote was meant for.",
            "all but the Storyteller at the same time; with Blind Quote all",
            (Edge(SCORE, "all votes are in"),),
        ),
        Phase(SCORE, "Scoring", "Votes and owners are shown and points are given.", "", (Edge(ROUND_END, "points are given"),)),
        Phase(
            ROUND_END,
            "End of Round",
            "Played cards leave, hands are refilled, and the Storyteller's role passes clockwise.",
            "",
            (
                Edge(CHOOSE, "another round"),
                Edge(QUOTE, "another round, Blind Quote"),
                Edge(OVER, "target reached, last round played or deck run out"),
            ),
        ),
        Phase(OVER, "Game Over", "The highest score wins.", "", ()),
    )
)
