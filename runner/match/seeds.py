"""Seeds: drawn where none is given, and derived from the seed of a tournament for each of its deals."""

import secrets
from hashlib import sha256
from typing import Literal

DealSeeds = Literal["hashed", "consecutive"]
"""How the seeds of deals follow from that of a tournament: `deal_seed`, or by counting up, as in folders of older versions."""

_BITS = 63
LARGEST_SEED = 2**_BITS - 1


def new_seed() -> int:
    """A seed of 63 random bits: too many to find a deal from one hand by trying them."""
    return secrets.randbits(_BITS)


def new_secret() -> str:
    """A secret of 128 bits for the deals of a tournament."""
    return secrets.token_hex(16)


def deal_seed(seed: int, deal: int, how: DealSeeds = "hashed", secret: str | None = None) -> int:
    """The seed of a deal, counted from 1: the first 63 bits of the SHA-256 of "SEED DEAL", or of "SEED SECRET DEAL". The seed
    of one deal, which its result shows, tells nothing about the other deals; but who guesses a small seed knows them all,
    unless there is a secret."""
    if how == "consecutive":
        return seed + deal - 1
    text = f"{seed} {secret} {deal}" if secret else f"{seed} {deal}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> (64 - _BITS)
