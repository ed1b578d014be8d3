"""The phase graph of Coup. An edge that a ruling of RULES.md adds names the ruling."""

from __future__ import annotations

from games.core import Edge, Phase, Phases

INTRODUCTION = 0
SETUP = 1
START_OF_TURN = 2
DECLARATION = 3
ACTION_CHALLENGE = 4
EVALUATE_ACTION = 5
CLAIMANT_PROOF = 6
REPLACE_PROOF = 7
CHALLENGER_LOSES = 8
CLAIMANT_LOSES = 9
BLOCK_FOREIGN_AID = 10
BLOCK_ASSASSINATION = 11
BLOCK_STEAL = 12
BLOCK_CHALLENGE = 13
EVALUATE_BLOCK = 14
BLOCKER_PROOF = 15
REPLACE_BLOCK_PROOF = 16
BLOCK_CHALLENGER_LOSES = 17
BLOCKER_LOSES = 18
BLOCK_STANDS = 19
RESOLVE = 20
TARGET_LOSES = 21
EXCHANGE_DECISION = 22
CHECK = 23
ADVANCE = 24
GAME_OVER = 99

CHALLENGE_WINDOWS = (ACTION_CHALLENGE, BLOCK_CHALLENGE)
BLOCK_WINDOWS = (BLOCK_FOREIGN_AID, BLOCK_ASSASSINATION, BLOCK_STEAL)
EVALUATIONS = (EVALUATE_ACTION, EVALUATE_BLOCK)
PROOFS = (CLAIMANT_PROOF, BLOCKER_PROOF)
LOSSES = (CHALLENGER_LOSES, CLAIMANT_LOSES, BLOCK_CHALLENGER_LOSES, BLOCKER_LOSES, TARGET_LOSES)

_LAST_ONE = "the loss leaves one player"

PHASES = Phases(
    [
        Phase(
            INTRODUCTION,
            "Game Introduction",
            "A summary of the rules, the characters and what they block, the order of a turn, and the players.",
            "",
            (Edge(SETUP, ""),),
        ),
        Phase(
            SETUP,
            "Initial Deal and Setup",
            "The cards are shuffled, each player gets two cards and coins, and the starting player is drawn.",
            "with the draft, each of the two players",
            (Edge(START_OF_TURN, ""),),
        ),
        Phase(
            START_OF_TURN,
            "Start of Turn",
            "The active player, the coins, and who is still in. With 10 coins or more, the action must be a coup.",
            "",
            (Edge(DECLARATION, ""),),
        ),
        Phase(
            DECLARATION,
            "Action Declaration",
            "The active player declares an action, with its target, and pays for it at once.",
            "the active player",
            (
                Edge(ACTION_CHALLENGE, "Tax, Assassinate, Exchange or Steal"),
                Edge(BLOCK_FOREIGN_AID, "Foreign Aid"),
                Edge(RESOLVE, "Income"),
                Edge(TARGET_LOSES, "Coup"),
            ),
        ),
        Phase(
            ACTION_CHALLENGE,
            "Action Challenge Window",
            "Each opponent may challenge the claim behind the action; the first challenge closes the window.",
            "all living opponents of the active player",
            (
                Edge(EVALUATE_ACTION, "challenged"),
                Edge(BLOCK_ASSASSINATION, "unchallenged Assassinate"),
                Edge(BLOCK_STEAL, "unchallenged Steal"),
                Edge(RESOLVE, "unchallenged Tax"),
                Edge(EXCHANGE_DECISION, "unchallenged Exchange"),
            ),
        ),
        Phase(
            EVALUATE_ACTION,
            "Evaluate Action Challenge",
            "Whether the active player has the claimed character.",
            "with may_concede, the active player whose claim is true",
            (Edge(CLAIMANT_PROOF, "the claim is true"), Edge(CLAIMANT_LOSES, "the claim is false")),
        ),
        Phase(
            CLAIMANT_PROOF,
            "Claimant Reveals Proof",
            "The active player shows the claimed character.",
            "the active player",
            (Edge(REPLACE_PROOF, ""),),
        ),
        Phase(
            REPLACE_PROOF,
            "Replace Proof and Restore Hand",
            "The shown card is exchanged for one from the Court deck, which is shuffled.",
            "",
            (Edge(CHALLENGER_LOSES, ""),),
        ),
        Phase(
            CHALLENGER_LOSES,
            "Challenger Loses Influence",
            "The player who challenged a true claim turns up a card.",
            "the challenger",
            (
                Edge(BLOCK_ASSASSINATION, "Assassinate"),
                Edge(BLOCK_STEAL, "Steal"),
                Edge(RESOLVE, "Tax"),
                Edge(EXCHANGE_DECISION, "Exchange"),
                Edge(GAME_OVER, _LAST_ONE, "K-C13"),
                Edge(CHECK, "Assassinate, and its target is out", "K-C4"),
                Edge(RESOLVE, "Steal, and its target is out", "K-C4"),
            ),
        ),
        Phase(
            CLAIMANT_LOSES,
            "Claimant Loses Influence",
            "The claim was false: the active player turns up a card and the action fails.",
            "the active player",
            (Edge(CHECK, ""),),
        ),
        Phase(
            BLOCK_FOREIGN_AID,
            "Block Window — Foreign Aid",
            "Each opponent may block Foreign Aid as Duke; the first block closes the window.",
            "all living opponents of the active player",
            (Edge(BLOCK_CHALLENGE, "blocked"), Edge(RESOLVE, "not blocked")),
        ),
        Phase(
            BLOCK_ASSASSINATION,
            "Block Window — Assassination",
            "The target may block the assassination as Contessa.",
            "the target",
            (Edge(BLOCK_CHALLENGE, "blocked"), Edge(TARGET_LOSES, "not blocked")),
        ),
        Phase(
            BLOCK_STEAL,
            "Block Window — Steal",
            "The target may block the theft as Captain or as Ambassador.",
            "the target",
            (Edge(BLOCK_CHALLENGE, "blocked"), Edge(RESOLVE, "not blocked")),
        ),
        Phase(
            BLOCK_CHALLENGE,
            "Challenge Block Window",
            "Everybody except the blocker may challenge the claim behind the block; the first challenge closes the window.",
            "all living players except the blocker",
            (Edge(EVALUATE_BLOCK, "challenged"), Edge(BLOCK_STANDS, "unchallenged")),
        ),
        Phase(
            EVALUATE_BLOCK,
            "Evaluate Block Challenge",
            "Whether the blocker has the claimed character.",
            "with may_concede, the blocker whose claim is true",
            (Edge(BLOCKER_PROOF, "the claim is true"), Edge(BLOCKER_LOSES, "the claim is false")),
        ),
        Phase(
            BLOCKER_PROOF,
            "Blocker Reveals Proof",
            "The blocker shows the claimed character.",
            "the blocker",
            (Edge(REPLACE_BLOCK_PROOF, ""),),
        ),
        Phase(
            REPLACE_BLOCK_PROOF,
            "Replace Block Proof and Restore Hand",
            "The shown card is exchanged for one from the Court deck, which is shuffled.",
            "",
            (Edge(BLOCK_CHALLENGER_LOSES, ""),),
        ),
        Phase(
            BLOCK_CHALLENGER_LOSES,
            "Block Challenger Loses Influence",
            "The player who challenged a true block turns up a card.",
            "the challenger of the block",
            (Edge(BLOCK_STANDS, ""), Edge(GAME_OVER, _LAST_ONE, "K-C13")),
        ),
        Phase(
            BLOCKER_LOSES,
            "Blocker Loses Influence",
            "The block was false: the blocker turns up a card and the action goes ahead.",
            "the blocker",
            (
                Edge(RESOLVE, "Foreign Aid"),
                Edge(TARGET_LOSES, "Assassinate"),
                Edge(RESOLVE, "Steal"),
                Edge(GAME_OVER, _LAST_ONE, "K-C13"),
                Edge(CHECK, "Assassinate, and its target is out", "K-C5"),
            ),
        ),
        Phase(
            BLOCK_STANDS,
            "Block Successful Resolution",
            "The block stands: the action has no effect, and what it cost stays paid.",
            "",
            (Edge(CHECK, ""),),
        ),
        Phase(
            RESOLVE,
            "Resolve Action Effects",
            "The coins of Income, Foreign Aid, Tax or Steal change hands.",
            "",
            (Edge(CHECK, ""),),
        ),
        Phase(
            TARGET_LOSES,
            "Target Loses Influence",
            "The target of a coup or an assassination turns up a card.",
            "the target",
            (Edge(CHECK, ""),),
        ),
        Phase(
            EXCHANGE_DECISION,
            "Ambassador Exchange Decision",
            "The active player draws two cards, keeps as many cards as influences, and returns two.",
            "the active player",
            (Edge(CHECK, ""),),
        ),
        Phase(
            CHECK,
            "Check Eliminations and Win",
            "Whether only one player is left, or the turn limit is reached.",
            "",
            (
                Edge(GAME_OVER, "one player is left"),
                Edge(ADVANCE, "the match continues"),
                Edge(GAME_OVER, "the turn limit is reached", "K-C14"),
            ),
        ),
        Phase(
            ADVANCE,
            "Advance Turn",
            "The turn passes to the next living player clockwise.",
            "",
            (Edge(START_OF_TURN, ""),),
        ),
        Phase(
            GAME_OVER,
            "Game Over",
            "The winner, and every hand.",
            "",
            (),
        ),
    ]
)
