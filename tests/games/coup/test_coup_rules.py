"""The rules of Coup, scenario by scenario. Rule numbers and K-C rulings are those of games/coup/RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest

from games.coup import GAME, State
from tests.games.coup.positions import (
    blocks,
    cards_of,
    challenges,
    does,
    loses,
    offered,
    passes,
    play,
    position,
    shows,
)


def outcome(state: State, seat: int) -> str:
    found = state.player_states[seat + 1]["last_action_outcome"]
    assert isinstance(found, str)
    return found


# -- the deal ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "deck"), [(2, 11), (3, 9), (4, 7), (5, 5), (6, 3)])
def test_everybody_has_two_cards_and_two_coins_and_the_rest_is_the_court(players: int, deck: int) -> None:  # rule 1
    state = GAME.begin(players=players, seed=3)
    assert isinstance(state, State)
    assert len(state.deck) == deck
    assert all(len(hand.down) == 2 for hand in state.hands)
    assert cards_of(state) == Counter(dict.fromkeys(["Duke", "Assassin", "Captain", "Ambassador", "Contessa"], 3))
    assert sorted(state.coins) == ([1, 2] if players == 2 else [2] * players)


def test_of_two_players_the_starting_one_has_a_coin_less() -> None:  # rule 2
    for seed in range(10):
        state = GAME.begin(players=2, seed=seed)
        assert state.actor is not None
        assert state.view(None)["coins"][state.actor] == 1
    assert GAME.begin(players=2, two_player_start_coin=2).view(None)["coins"] == [2, 2]


def test_the_starting_player_is_drawn_at_random() -> None:  # rule 4
    assert {GAME.begin(players=6, seed=seed).actor for seed in range(60)} == set(range(6))


def test_turns_go_clockwise_and_pass_over_who_is_out() -> None:  # rules 4, 17
    state = position("2 Du Du", "0 (As) (As)", "2 Ca Ca", "2 Co Co", actor=3)
    for seat in (3, 0, 2, 3, 0):
        assert state.pending == (seat,)
        state = play(state, does(seat, "income"))


def test_a_match_begins_with_the_introduction_and_the_deal() -> None:
    state = GAME.begin(players=3)
    assert state.path == (1, 2, 3)
    introduction = state.events[0]
    assert introduction.kind == "introduction"
    for part in ("P-0, P-1 and P-2", "Captain: Steal (take up to 2 coins from the target), blocks Steal", "Contessa: blocks"):
        assert part in introduction.text
    assert "challenges to its claim, blocks, challenges to the block" in introduction.text


# -- what may be declared ------------------------------------------------------------------------------------------------


def test_with_ten_coins_only_a_coup_is_open() -> None:  # rule 5
    state = position("10 Du Du", "2 As As", "0 (Ca) (Ca)", "2 Co Co")
    assert offered(state, 0) == [{"action": "coup", "target": "P-1"}, {"action": "coup", "target": "P-3"}]


def test_with_nine_coins_everything_is_open() -> None:  # rules 5, 8
    state = position("9 Du Du", "2 As As", "2 Ca Ca")
    declared = Counter(answer["action"] for answer in offered(state, 0))
    assert declared == {
        "income": 1,
        "foreign aid": 1,
        "coup": 2,
        "tax": 1,
        "assassinate": 2,
        "steal": 2,
        "exchange": 1,
    }


def test_costs_have_to_be_affordable() -> None:  # rule 8
    words = {answer["action"] for answer in offered(position("2 Du Du", "2 As As"), 0)}
    assert words == {"income", "foreign aid", "tax", "steal", "exchange"}
    words = {answer["action"] for answer in offered(position("6 Du Du", "2 As As"), 0)}
    assert "assassinate" in words
    assert "coup" not in words


# -- actions without a claim ---------------------------------------------------------------------------------------------


def test_income_brings_a_coin() -> None:  # rule 6
    state = play(position("2 Du Du", "2 As As"), does(0, "income"))
    assert state.coins == (3, 2)
    assert state.path == (20, 23, 24, 2, 3)
    assert state.pending == (1,)


def test_unblocked_foreign_aid_brings_two_coins() -> None:  # rule 6
    state = play(position("2 Du Du", "2 As As", "2 Ca Ca"), does(0, "foreign aid"), *passes(1, 2))
    assert state.coins == (4, 2, 2)


def test_anybody_may_block_foreign_aid_as_duke() -> None:  # rules 6, 13
    state = play(position("2 Du As", "2 As As", "2 Ca Ca"), does(0, "foreign aid"))
    assert state.pending == (1, 2)
    assert offered(state, 2) == [{"response": "pass"}, {"response": "block as Duke"}]
    state = play(state, blocks(2, "Duke"))
    assert state.pending == (0, 1)
    state = play(state, *passes(0, 1))
    assert state.coins == (2, 2, 2)
    assert outcome(state, 0) == "blocked"


def test_after_a_broken_block_nobody_else_may_block_foreign_aid() -> None:  # K-C9
    state = play(position("2 As As", "2 Ca Ca", "2 Du Du"), does(0, "foreign aid"), blocks(1, "Duke"), challenges(0))
    assert state.phase_id == 18
    state = play(state, loses(1, "Captain"))
    assert state.path == (20, 23, 24, 2, 3)
    assert state.coins == (4, 2, 2)


def test_a_coup_cannot_be_challenged_or_blocked() -> None:  # rule 6
    state = play(position("7 Du Du", "2 As Co"), does(0, "coup", 1))
    assert state.path == (21,)
    assert state.pending == (1,)
    assert state.coins == (0, 2)
    assert offered(state, 1) == [{"lose": "Assassin"}, {"lose": "Contessa"}]


def test_who_has_no_influence_left_is_out_for_good() -> None:  # rule 17
    state = play(position("7 Du Du", "5 As (Co)", "2 Ca Ca"), does(0, "coup", 1), loses(1, "Assassin"))
    assert state.coins == (0, 0, 2)
    assert state.pending == (2,)
    assert state.survivors == (0, 2)
    state = play(state, does(2, "tax"))
    assert state.pending == (0,)


# -- challenges to an action ---------------------------------------------------------------------------------------------


def test_unchallenged_tax_brings_three_coins() -> None:  # rules 7, 9
    state = play(position("2 As As", "2 Ca Ca", "2 Co Co"), does(0, "tax"), *passes(1, 2))
    assert state.coins == (5, 2, 2)
    assert state.path == (20, 23, 24, 2, 3)


def test_windows_ask_clockwise_and_the_first_challenge_closes_them() -> None:  # rule 10
    state = play(position("2 Du As", "2 Ca Ca", "2 Co Co", "2 As Am", actor=2), does(2, "tax"))
    assert state.pending == (3, 0, 1)
    state = play(state, *passes(0))
    assert state.pending == (3, 1)
    state = play(state, challenges(1))
    assert state.path == (5, 9)
    assert state.pending == (2,)


def test_an_assassination_costs_a_wrong_challenger_two_influences() -> None:
    state = position("3 As Du", "2 Ca Am", "2 Co Co")
    state = play(state, does(0, "assassinate", 1), challenges(1))
    assert state.path == (5, 6)
    assert offered(state, 0) == [{"show": "Assassin"}]
    state = play(state, shows(0, "Assassin"))
    assert state.path == (7, 8)
    assert state.deck.count("Assassin") in (2, 3)
    state = play(state, loses(1, "Captain"))
    assert state.path == (11,)  # rule 14
    state = play(state, *passes(1))
    assert state.path == (21,)
    state = play(state, loses(1, "Ambassador"))
    assert state.survivors == (0, 2)
    assert state.coins == (0, 0, 2)
    assert outcome(state, 0) == "success"


def test_a_false_assassin_loses_an_influence_and_has_the_coins_back() -> None:  # rule 12, K-C2
    state = play(position("3 Du Du", "2 Ca Am", "2 Co Co"), does(0, "assassinate", 1), challenges(2))
    assert state.coins[0] == 0
    state = play(state, loses(0, "Duke"))
    assert state.coins == (3, 2, 2)
    assert len(state.hands[1].down) == 2
    assert outcome(state, 0) == "challenged_and_lost"


def test_without_refund_the_coins_are_gone() -> None:  # K-C2
    start = position("3 Du Du", "2 Ca Am", "2 Co Co", refund_on_challenge=False)
    state = play(start, does(0, "assassinate", 1), challenges(2), loses(0, "Duke"))
    assert state.coins == (0, 2, 2)


def test_no_refund_is_paid_to_who_is_out() -> None:  # rule 17
    state = play(position("3 Du (Du)", "2 Ca Am", "2 Co Co"), does(0, "assassinate", 1), challenges(2), loses(0, "Duke"))
    assert state.coins == (0, 2, 2)
    assert state.pending == (1,)


def test_a_bluff_with_the_last_influence_ends_in_exile() -> None:  # rules 12, 17
    state = play(position("4 As (Du)", "2 Ca Am", "2 Co Co"), does(0, "tax"), challenges(2), loses(0, "Assassin"))
    assert state.coins == (0, 2, 2)
    assert state.pending == (1,)
    assert state.path == (23, 24, 2, 3)


def test_a_proven_card_is_never_drawn_at_once_by_default() -> None:  # rule 11, K-C1
    start = position("2 Du (As)", "2 Ca Am", "2 Co Co", deck="As Ca Co")
    for word in range(60):
        state = play(start._replace(word=word), does(0, "tax"), challenges(1), shows(0, "Duke"))
        assert len(state.deck) == 3
        assert "Duke" in state.deck
        assert state.hands[0].down != ("Duke",)


def test_a_proven_card_may_come_back_by_the_published_rules() -> None:  # rule 11, K-C1
    start = position("2 Du (As)", "2 Ca Am", "2 Co Co", deck="As Ca Co", proof_swap="return_shuffle_draw")
    drawn = Counter(
        play(start._replace(word=word), does(0, "tax"), challenges(1), shows(0, "Duke")).hands[0].down[0] for word in range(400)
    )
    assert set(drawn) == {"Duke", "Assassin", "Captain", "Contessa"}
    assert 60 <= drawn["Duke"] <= 140


def test_of_two_equal_cards_one_is_shown_and_one_kept() -> None:  # rule 11
    state = play(position("2 Du Du", "2 Ca Am"), does(0, "tax"), challenges(1))
    assert offered(state, 0) == [{"show": "Duke"}]
    state = play(state, shows(0, "Duke"))
    assert "Duke" in state.hands[0].down
    assert len(state.hands[0].down) == 2


def test_equal_cards_count_once_among_the_losses() -> None:  # rule 15
    state = play(position("7 Du Du", "2 As As"), does(0, "coup", 1))
    assert offered(state, 1) == [{"lose": "Assassin"}]
    assert play(state, loses(1, "Assassin")).hands[1].code == "(Assassin), Assassin"


# -- blocks --------------------------------------------------------------------------------------------------------------


def test_an_unchallenged_contessa_stops_the_assassin() -> None:  # rules 7, 13
    state = play(position("3 Du Du", "2 Ca Am", "2 Co Co"), does(0, "assassinate", 1), *passes(1, 2))
    assert state.pending == (1,)
    state = play(state, blocks(1, "Contessa"), *passes(2, 0))
    assert state.path == (19, 23, 24, 2, 3)
    assert state.coins == (0, 2, 2)
    assert len(state.hands[1].down) == 2


def test_a_true_contessa_costs_the_challenger_an_influence() -> None:  # rules 11, 13
    state = play(position("3 As Du", "2 Co Am", "2 Ca Ca"), does(0, "assassinate", 1), *passes(1, 2))
    state = play(state, blocks(1, "Contessa"), challenges(0))
    assert state.path == (14, 15)
    state = play(state, shows(1, "Contessa"))
    assert state.path == (16, 17)
    state = play(state, loses(0, "Duke"))
    assert state.path == (19, 23, 24, 2, 3)
    assert state.coins == (0, 2, 2)
    assert [len(hand.down) for hand in state.hands] == [1, 2, 2]
    assert outcome(state, 0) == "blocked"


def test_a_false_contessa_may_cost_two_influences() -> None:  # rule 12
    state = play(position("3 As Du", "2 Du Am", "2 Ca Ca"), does(0, "assassinate", 1), *passes(1, 2))
    state = play(state, blocks(1, "Contessa"), challenges(2), loses(1, "Duke"))
    assert state.path == (21,)
    state = play(state, loses(1, "Ambassador"))
    assert state.survivors == (0, 2)


@pytest.mark.parametrize(("coins", "taken"), [(0, 0), (1, 1), (2, 2), (5, 2)])
def test_a_theft_takes_up_to_two_coins(coins: int, taken: int) -> None:  # rule 7, K-C7
    state = play(position("2 Ca Du", f"{coins} Du Am"), does(0, "steal", 1), *passes(1), *passes(1))
    assert state.coins == (2 + taken, coins - taken)


def test_with_steal_requires_coins_a_poor_player_is_no_target() -> None:  # K-C7
    state = position("2 Ca Du", "0 Du Am", "1 As As", steal_requires_coins=True)
    assert [answer["target"] for answer in offered(state, 0) if answer["action"] == "steal"] == ["P-2"]


def test_a_proven_theft_may_still_be_blocked() -> None:  # rule 14
    state = play(position("2 Ca Du", "2 Am Am", "2 Co Co"), does(0, "steal", 1), challenges(2), shows(0, "Captain"))
    state = play(state, loses(2, "Contessa"))
    assert state.path == (12,)
    assert state.pending == (1,)
    assert offered(state, 1) == [
        {"response": "pass"},
        {"response": "block as Captain"},
        {"response": "block as Ambassador"},
    ]
    state = play(state, blocks(1, "Ambassador"), *passes(2, 0))
    assert state.coins == (2, 2, 2)


def test_a_challenge_to_a_block_is_asked_clockwise_from_the_blocker() -> None:
    start = position("2 Ca Du", "2 Am Am", "2 Co Co", "2 As As")
    state = play(start, does(0, "foreign aid"), blocks(2, "Duke"))
    assert state.pending == (3, 0, 1)
    start = position("2 Ca Du", "2 Am Am", "2 Co Co", "2 As As", block_challenge_order="from_actor")
    state = play(start, does(0, "foreign aid"), blocks(2, "Duke"))
    assert state.pending == (0, 1, 3)


# -- deaths in the middle of a turn --------------------------------------------------------------------------------------


def test_an_assassination_fizzles_when_its_target_died_challenging() -> None:  # K-C4
    state = play(position("3 As Du", "4 Ca (Am)", "2 Co Co"), does(0, "assassinate", 1), challenges(1), shows(0, "Assassin"))
    state = play(state, loses(1, "Captain"))
    assert state.path == (23, 24, 2, 3)
    assert state.coins == (0, 0, 2)
    assert state.pending == (2,)
    assert outcome(state, 0) == "challenged_and_won"


def test_an_assassination_whose_target_died_blocking_is_a_success() -> None:  # K-C5
    state = play(position("3 As Du", "4 Ca (Am)", "2 Co Co"), does(0, "assassinate", 1), *passes(1, 2), blocks(1, "Contessa"))
    state = play(state, challenges(0), loses(1, "Captain"))
    assert state.path == (23, 24, 2, 3)
    assert outcome(state, 0) == "success"


@pytest.mark.parametrize(("keeps", "thief"), [(True, 4), (False, 2)])
def test_a_thief_has_the_coins_of_who_died_blocking(keeps: bool, thief: int) -> None:  # K-C6
    start = position("2 Ca Du", "4 Du (Am)", "2 Co Co", steal_from_exiled=keeps)
    state = play(start, does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2), loses(1, "Duke"))
    assert state.path == (20, 23, 24, 2, 3)
    assert state.coins == (thief, 0, 2)


@pytest.mark.parametrize(("keeps", "thief"), [(True, 4), (False, 2)])
def test_a_thief_has_the_coins_of_who_died_challenging(keeps: bool, thief: int) -> None:  # K-C4, K-C6
    start = position("2 Ca Du", "4 Du (Am)", "2 Co Co", steal_from_exiled=keeps)
    state = play(start, does(0, "steal", 1), challenges(1), shows(0, "Captain"), loses(1, "Duke"))
    assert state.path == (20, 23, 24, 2, 3)
    assert state.coins == (thief, 0, 2)


def test_a_block_stands_when_the_actor_dies_challenging_it() -> None:  # K-C12
    state = play(position("3 As (Du)", "4 Co Am", "2 Ca Ca"), does(0, "assassinate", 1), *passes(1, 2), blocks(1, "Contessa"))
    state = play(state, challenges(0), shows(1, "Contessa"), loses(0, "Assassin"))
    assert state.path == (19, 23, 24, 2, 3)
    assert state.pending == (1,)
    assert state.survivors == (1, 2)


# -- the end -------------------------------------------------------------------------------------------------------------


def test_the_last_living_player_wins_at_once() -> None:  # rule 18, K-C13
    state = play(position("5 Du Du", "2 Ca (Am)"), does(0, "tax"), challenges(1), shows(0, "Duke"), loses(1, "Captain"))
    assert state.path == (99,)
    assert state.has_ended
    assert state.coins == (5, 0)  # the tax is dropped
    assert state.winners == (0,)
    assert state.scores == (1, 0)
    assert state.ending == ("nobody else has influence left",)


def test_a_death_in_phase_17_or_18_ends_the_match_at_once() -> None:  # K-C13
    start = position("2 Ca (Du)", "2 Am (Am)")
    state = play(start, does(0, "steal", 1), *passes(1), blocks(1, "Ambassador"), challenges(0), shows(1, "Ambassador"))
    assert play(state, loses(0, "Captain")).path == (99,)
    state = play(start, does(0, "steal", 1), *passes(1), blocks(1, "Captain"), challenges(0))
    assert play(state, loses(1, "Ambassador")).path == (99,)


def test_a_death_in_phase_9_or_21_ends_the_match_by_way_of_the_check() -> None:  # K-C13
    start = position("7 Ca (Du)", "2 Am (Am)")
    assert play(start, does(0, "tax"), challenges(1), loses(0, "Captain")).path == (23, 99)
    assert play(start, does(0, "coup", 1), loses(1, "Ambassador")).path == (23, 99)


def test_the_turn_limit_is_a_draw_of_all_living() -> None:  # K-C14
    start = position("2 Ca Du", "2 Am Am", "0 (Co) (Co)", max_turns=2)
    state = play(start, does(0, "income"), does(1, "income"))
    assert state.path == (20, 23, 99)
    assert state.winners == (0, 1)
    assert state.scores == (1, 1, 0)
    assert state.ending == ("the limit of 2 turns is reached",)


def test_who_wins_in_the_last_turn_wins_alone() -> None:  # K-C14
    state = play(position("7 Ca Du", "2 Am (Am)", max_turns=1), does(0, "coup", 1), loses(1, "Ambassador"))
    assert state.winners == (0,)


# -- exchange ------------------------------------------------------------------------------------------------------------


def test_with_one_influence_an_exchange_keeps_one_card() -> None:  # rule 16, K-C3
    start = position("2 Du (As)", "2 Am Am", "2 Ca Co", deck="Ca Co")
    state = play(start, does(0, "exchange"), *passes(1, 2))
    assert state.path == (22,)
    assert offered(state, 0) == [{"keep": "Captain"}, {"keep": "Contessa"}, {"keep": "Duke"}]
    state = play(state, (0, {"keep": "Contessa"}))
    assert state.hands[0].code == "Contessa, (Assassin)"
    assert state.deck == ("Captain", "Duke")
    assert outcome(state, 0) == "success"


def test_with_two_influences_an_exchange_keeps_two_of_four() -> None:  # rule 16
    start = position("2 Du As", "2 Am Am", deck="Ca Co")
    state = play(start, does(0, "exchange"), *passes(1))
    assert len(offered(state, 0)) == 6
    state = play(state, (0, {"keep": "Assassin, Contessa"}))
    assert state.hands[0].code == "Contessa, Assassin"  # a kept card stays in its slot
    assert state.deck == ("Captain", "Duke")


def test_equal_cards_count_once_in_an_exchange() -> None:
    state = play(position("2 Du Du", "2 Am Am", deck="Du Co"), does(0, "exchange"), *passes(1))
    assert offered(state, 0) == [{"keep": "Contessa, Duke"}, {"keep": "Duke, Duke"}]


# -- options -------------------------------------------------------------------------------------------------------------


def test_a_claim_may_be_conceded() -> None:  # K-C8
    start = position("2 Du As", "2 Am Am", may_concede=True)
    state = play(start, does(0, "tax"), challenges(1))
    assert state.path == (5,)
    assert offered(state, 0) == [{"response": "prove"}, {"response": "concede"}]
    assert play(state, (0, {"response": "prove"})).path == (6,)
    state = play(state, (0, {"response": "concede"}))
    assert state.path == (9,)
    state = play(state, loses(0, "Duke"))
    assert state.coins == (2, 2)


def test_a_block_may_be_conceded() -> None:  # K-C8
    state = play(position("2 Ca As", "2 Am Am", may_concede=True), does(0, "steal", 1), *passes(1), blocks(1, "Ambassador"))
    state = play(state, challenges(0))
    assert state.path == (14,)
    assert play(state, (1, {"response": "prove"})).path == (15,)
    state = play(state, (1, {"response": "concede"}))
    assert state.path == (18,)
    assert play(state, loses(1, "Ambassador")).coins == (4, 0)


def test_a_false_claim_is_not_asked_whether_to_prove_it() -> None:  # K-C8
    assert play(position("2 As As", "2 Am Am", may_concede=True), does(0, "tax"), challenges(1)).path == (5, 9)


def test_the_draft_has_each_player_choose_a_card() -> None:  # rule 3
    state = GAME.begin(players=2, seed=4, draft=True)
    assert isinstance(state, State)
    first = state.turn.actor
    assert state.path == (1,)
    assert state.pending == (first,)
    assert state.phase_id == 1
    assert len(state.actions) == 5
    state = play(state, (first, {"take": "Contessa"}))
    assert state.pending == (1 - first,)
    assert state.path == ()
    state = play(state, (1 - first, {"take": "Duke"}))
    assert state.path == (2, 3)
    assert state.pending == (first,)
    assert state.hands[first].slots[0] == "Contessa"
    assert len(state.deck) == 3
    assert cards_of(state).total() == 7
    third_set = cards_of(state)
    third_set.subtract(["Contessa", "Duke"])
    assert set(third_set.values()) == {1}


def test_settings_without_effect_are_cautioned_about() -> None:
    options = GAME.set_up(4, 0, None, {"draft": True, "two_player_start_coin": 2}).options
    assert len(GAME.cautions(4, options)) == 2
    assert GAME.cautions(2, options) == ()


def test_the_official_preset_returns_the_proof_first() -> None:
    assert GAME.set_up(3, 0, "official", {}).options.proof_swap == "return_shuffle_draw"
    assert GAME.set_up(3, 0, None, {}).options.proof_swap == "draw_then_return"
    assert list(GAME.presets) == ["house", "official"]


# -- strike-outs ---------------------------------------------------------------------------------------------------------


def test_a_strike_out_costs_a_coin_and_takes_income() -> None:
    state = position("2 Du As", "2 Am Am").strike_out(0)
    assert state.coins == (2, 2)
    assert state.history[-1].action == "income"
    penalty = next(event for event in state.events if event.kind == "penalty")
    assert penalty.data == {"seat": 0, "coins": 1}
    assert position("0 Du As", "2 Am Am").strike_out(0).coins == (1, 2)


def test_a_strike_out_with_ten_coins_is_a_coup_on_the_richest() -> None:
    state = position("10 Du As", "3 Am Am", "5 Ca Ca", "5 Co Co", "9 (Co) (Du)").strike_out(0)
    assert state.path == (21,)
    assert state.pending == (2,)
    assert state.coins[0] == 2


def test_a_strike_out_in_a_window_is_a_pass() -> None:
    state = play(position("2 Du As", "2 Am Am", "0 Ca Ca"), does(0, "tax"))
    state = state.strike_out(1)
    assert state.pending == (2,)
    assert state.coins == (2, 1, 0)
    assert state.strike_out(2).coins == (5, 1, 0)


def test_a_strike_out_when_losing_turns_up_the_first_face_down_card() -> None:
    state = play(position("7 Du As", "2 (Am) Co", "2 Ca As"), does(0, "coup", 2)).strike_out(2)
    assert state.hands[2].code == "(Captain), Assassin"


def test_a_strike_out_in_an_exchange_keeps_what_was_held() -> None:
    state = play(position("2 Du As", "2 Am Am"), does(0, "exchange"), *passes(1))
    after = state.strike_out(0)
    assert after.hands[0].code == "Duke, Assassin"
    assert after.deck == tuple(sorted(position("2 Du As", "2 Am Am").deck))


def test_a_strike_out_when_challenged_proves() -> None:
    state = play(position("2 Du As", "2 Am Am", may_concede=True), does(0, "tax"), challenges(1)).strike_out(0)
    assert state.phase_id == 6
    assert state.strike_out(0).path == (7, 8)


def test_a_strike_out_in_the_draft_takes_the_first_card() -> None:
    state = GAME.begin(players=2, draft=True)
    first = state.actor
    assert first is not None
    state = state.strike_out(first)
    assert state.view(first)["own"]["cards"] == [state.actions[0].to_json()["take"]]


# -- the player states of the source -------------------------------------------------------------------------------------


def test_the_player_states_count_from_one() -> None:
    state = play(position("3 As Du", "2 Ca (Am)", "2 Co Co"), does(0, "assassinate", 1), *passes(1, 2), blocks(1, "Contessa"))
    assert state.player_states[1] == {
        "name": "P-0",
        "coins": 0,
        "influences": {
            "1": {"character": "Assassin", "revealed": False},
            "2": {"character": "Duke", "revealed": False},
        },
        "is_alive": True,
        "claimed_action": "Assassinate",
        "claimed_character": "Assassin",
        "target_player_id": 2,
        "last_action_outcome": "",
    }
    assert state.player_states[2]["claimed_character"] == "Contessa"
    assert state.player_states[2]["influences"]["2"] == {"character": "Ambassador", "revealed": True}
    state = play(state, *passes(2, 0))
    assert state.player_states[1]["claimed_action"] == ""
    assert state.player_states[1]["target_player_id"] == 0
    assert state.player_states[1]["last_action_outcome"] == "blocked"
