"""The rules page once more, as plain as can be: one mutable object, names for cells, no cleverness, nothing shared.

It is written from RULES.md alone and imports nothing from the game; `test_plain.py` follows matches with it.
"""

COLOURS = ["red", "blue", "yellow", "green"]  # rule 3: the rows from the top


class PlainMatch:
    """A match that is told every deal and every answer, and says what is legal and how things stand."""

    def __init__(self, players, follow, bids, three_player_max_rank, rounds, red_lead, explicit_paradox_action):
        self.players = players
        self.follow = follow
        self.board_bids = bids == "board"
        self.red_lead = red_lead
        self.explicit_paradox_action = explicit_paradox_action
        self.rounds = players if rounds == "players" else rounds
        self.max_rank = {2: 5, 3: three_player_max_rank, 4: 8, 5: 9}[players]
        self.totals = [0] * players
        self.last_points = [0] * players
        self.round = 0
        self.stage = "deal"
        self.winners = []

    def deal(self, hands, revealed):
        self.round += 1
        self.start = (self.round - 1) % self.players
        self.hands = [sorted(hand) for hand in hands]
        self.discards = [None] * self.players
        self.bids = [None] * self.players
        self.won = [0] * self.players
        self.penalties = [0] * self.players
        self.x_tokens = [set(COLOURS) for _ in range(self.players)]
        self.board = {(colour, rank): None for colour in COLOURS for rank in range(1, self.max_rank + 1)}
        self.finished = []
        self.trick = []
        self.paradox = None
        for rank in revealed:  # rule 19
            for colour in ["green", "yellow", "blue"]:
                if self.board[colour, rank] is None:
                    self.board[colour, rank] = "neutral"
                    break
        self.stage = "discard"
        self.turn = None

    def owing(self):
        if self.stage == "discard":
            return [seat for seat in range(self.players) if self.discards[seat] is None]
        return [] if self.stage == "over" else [self.turn]

    def legal(self, seat):
        if self.stage == "discard":
            return [{"rank": rank} for rank in sorted(set(self.hands[seat]))]
        if self.stage == "bid":
            return [{"bid": bid} for bid in self.allowed_bids()]
        if self.stage == "paradox":
            return [{"play": "paradox"}]
        return [{"play": f"{colour} {rank}"} for colour, rank in self.legal_plays(seat)]

    def allowed_bids(self):
        if not self.board_bids:
            return [1, 2, 3, 4]
        return [1, 3, 4] if self.players == 3 else [1, 2, 3]

    def legal_plays(self, seat):
        plays = []
        for colour in COLOURS:
            for rank in sorted(set(self.hands[seat])):
                if self.board[colour, rank] is None and colour in self.x_tokens[seat]:
                    plays.append((colour, rank))
        if not self.trick:
            red_is_open = any(self.board["red", rank] not in (None, "neutral") for rank in range(1, self.max_rank + 1))
            if self.red_lead == "until_broken" and not red_is_open:
                others = [play for play in plays if play[0] != "red"]
                if others:
                    return others
        elif self.follow == "must":
            led = self.trick[0][1]
            following = [play for play in plays if play[0] == led]
            if following:
                return following
        return plays

    def punish(self, seat):
        self.penalties[seat] += 1

    def do(self, seat, answer):
        assert seat in self.owing()
        assert answer in self.legal(seat), answer
        if self.stage == "discard":
            self.discards[seat] = answer["rank"]
            self.hands[seat].remove(answer["rank"])
            if None not in self.discards:
                self.turn = self.start
                self.stage = "play" if self.players == 2 else "bid"
                if self.players == 2:
                    self.look_for_paradox()
        elif self.stage == "bid":
            self.bids[seat] = answer["bid"]
            self.turn = self.left_of(seat)
            if None not in self.bids:
                self.stage = "play"
                self.look_for_paradox()
        elif self.stage == "paradox":
            self.score()
        else:
            colour, rank = answer["play"].split()
            self.play(seat, colour, int(rank))

    def left_of(self, seat):
        return (seat + 1) % self.players

    def play(self, seat, colour, rank):
        self.hands[seat].remove(rank)
        self.board[colour, rank] = seat
        if self.trick and colour != self.trick[0][1]:
            self.x_tokens[seat].discard(self.trick[0][1])
        self.trick.append((seat, colour, rank))
        if len(self.trick) < self.players:
            self.turn = self.left_of(seat)
        else:
            winner = self.trick_winner(self.trick)
            self.won[winner] += 1
            self.finished.append(self.trick)
            self.trick = []
            self.turn = winner
            if all(len(hand) == 1 for hand in self.hands):
                self.score()
                return
        self.look_for_paradox()

    def trick_winner(self, trick):
        reds = [play for play in trick if play[1] == "red"]
        led = [play for play in trick if play[1] == trick[0][1]]
        return max(reds or led, key=lambda play: play[2])[0]

    def look_for_paradox(self):
        if not self.legal_plays(self.turn):
            self.paradox = self.turn
            if self.explicit_paradox_action:
                self.stage = "paradox"
            else:
                self.score()

    def group(self, seat):
        cells = {(COLOURS.index(colour), rank) for (colour, rank), owner in self.board.items() if owner == seat}
        best = 0
        while cells:
            reached = [cells.pop()]
            for row, rank in reached:
                for cell in [(row + 1, rank), (row - 1, rank), (row, rank + 1), (row, rank - 1)]:
                    if cell in cells:
                        cells.remove(cell)
                        reached.append(cell)
            best = max(best, len(reached))
        return best

    def points_of(self, seat):
        points = self.won[seat]
        if seat == self.paradox:
            points = -points
        elif (self.won[seat] <= 4) if self.players == 2 else (self.won[seat] == self.bids[seat]):
            points += self.group(seat)
        return points - self.penalties[seat]

    def score(self):
        self.last_points = [self.points_of(seat) for seat in range(self.players)]
        self.totals = [total + points for total, points in zip(self.totals, self.last_points, strict=True)]
        if self.round < self.rounds:
            self.stage = "deal"
            return
        self.stage = "over"
        best = max(self.totals)
        leaders = [seat for seat in range(self.players) if self.totals[seat] == best]
        best_last = max(self.last_points[seat] for seat in leaders)
        self.winners = [seat for seat in leaders if self.last_points[seat] == best_last]
