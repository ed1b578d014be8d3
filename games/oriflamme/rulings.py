"""The words of the options that have words."""

OWN_FAMILY = "own_family"
FORBIDDEN = "forbidden"
BOTH_LEAVE = "two_points_both_leave"
ATTACKER_STAYS = "one_point_attacker_stays"
