"""A suite that is played in a moment: bots that do not search, few deals, few playouts."""

from __future__ import annotations

from runner.workshop.bench_suite import Suite, suite_of


def small_suite(version: int = 1) -> Suite:
    return suite_of(
        {
            "version": version,
            "seed": 7,
            "review_playouts": 2,
            "references": {"steady": "bot:steady", "random": "bot:random"},
            "tables": [
                {
                    "game": "coup",
                    "players": 2,
                    "deals": 3,
                    "ratings": {"steady": 1500, "random": 900},
                    "options": {"max_turns": 8},
                },
                {"game": "oriflamme", "players": 3, "deals": 1, "ratings": {"steady": 1500, "random": 1000}},
            ],
        }
    )
