"""Compressed bodies: unpacked as their headers say, and never to more than is read of any body."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from runner.llm.endpoint import _LONGEST_BODY, unpacked
from runner.llm.outcome import Delivered
from tests.llm.odd_server import OddServer, completion, reply
from tests.llm.support import ask, model

TEXT = b'{"card": "owl"}' * 100
BARE = zlib.compressobj(wbits=-15)
PACKED = {
    "gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "Deflate ": BARE.compress(TEXT) + BARE.flush(),
    "gzip, gzip": gzip.compress(gzip.compress(TEXT)),
    "identity": TEXT,
    "": TEXT,
    "br": TEXT,
}
ANSWER = gzip.compress(json.dumps(completion()).encode())


@pytest.mark.parametrize("encoding", PACKED)
def test_a_body_is_unpacked_to_a_bounded_length(encoding: str) -> None:
    packed = PACKED[encoding]
    assert unpacked(packed, encoding.split(","), 10_000) == TEXT
    assert len(unpacked(packed, encoding.split(","), 800)) == (800 if packed != TEXT else len(TEXT))


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_body_that_is_not_packed_stays_as_it_is(encoding: str) -> None:
    assert unpacked(TEXT, [encoding], 10_000) == TEXT


async def test_a_reply_that_unpacks_to_more_than_is_read_is_cut() -> None:
    packed = zlib.compressobj(wbits=31)
    bomb = b"".join([*(packed.compress(bytes(_LONGEST_BODY)) for _ in range(3)), packed.flush()])
    headers = {"content-encoding": "gzip"}
    async with OddServer([reply(bomb, headers=headers), reply(ANSWER, headers=headers)]) as server:
        asked = await ask(model(server.base_url))
        assert "accept-encoding: gzip, deflate\r\n" in server.heads[0].lower()
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.text == '{"card": "owl"}'
    first = asked.attempts[0].outcome.reply
    assert first is not None
    assert first.raw_length == _LONGEST_BODY
