"""A language model of random weights in the GGUF format (version 3), half a megabyte small: as wild as a model can be."""

from __future__ import annotations

import random
import struct
from array import array
from pathlib import Path

WIDTH, HEADS, FEED, CONTEXT = 32, 4, 64, 16_384
_ALIGNMENT = 32
_UINT32, _INT32, _FLOAT32, _STRING, _ARRAY = 4, 5, 6, 8, 9
_F32 = 0
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6

TOKENS = [("<unk>", _UNKNOWN), ("<s>", _CONTROL), ("</s>", _CONTROL), *((f"<0x{byte:02X}>", _BYTE) for byte in range(256))]
TEMPLATE = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}assistant:"


def write_model(path: Path, seed: int = 1) -> None:
    """Write a llama of one layer whose tokens are bytes."""
    chance = random.Random(seed)
    tensors = {name: (shape, _weights(shape, chance, name.endswith("norm.weight"))) for name, shape in _shapes().items()}
    facts = _facts()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts)) + b"".join(facts)
    data = bytearray()
    for name, (shape, weights) in tensors.items():
        data += bytes(-len(data) % _ALIGNMENT)
        head += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        head += struct.pack("<IQ", _F32, len(data))
        data += weights.tobytes()
    path.write_bytes(head + bytes(-len(head) % _ALIGNMENT) + bytes(data))


def _shapes() -> dict[str, tuple[int, ...]]:
    square, words = (WIDTH, WIDTH), (WIDTH, len(TOKENS))
    layer = {"attn_q": square, "attn_k": square, "attn_v": square, "attn_output": square}
    layer |= {"ffn_gate": (WIDTH, FEED), "ffn_up": (WIDTH, FEED), "ffn_down": (FEED, WIDTH)}
    layer |= {"attn_norm": (WIDTH,), "ffn_norm": (WIDTH,)}
    ends = {"token_embd.weight": words, "output_norm.weight": (WIDTH,), "output.weight": words}
    return {**ends, **{f"blk.0.{name}.weight": shape for name, shape in layer.items()}}


def _weights(shape: tuple[int, ...], chance: random.Random, is_norm: bool) -> array[float]:
    count = 1
    for side in shape:
        count *= side
    return array("f", [1.0] * count if is_norm else [chance.gauss(0, 0.4) for _ in range(count)])


def _facts() -> list[bytes]:
    numbers = {"context_length": CONTEXT, "embedding_length": WIDTH, "block_count": 1, "feed_forward_length": FEED}
    numbers |= {"attention.head_count": HEADS, "attention.head_count_kv": HEADS, "rope.dimension_count": WIDTH // HEADS}
    numbers |= {"vocab_size": len(TOKENS)}
    special = {"bos_token_id": 1, "eos_token_id": 2, "unknown_token_id": 0}
    return [
        _fact("general.architecture", _STRING, _text("llama")),
        _fact("general.name", _STRING, _text("random")),
        *(_fact(f"llama.{name}", _UINT32, struct.pack("<I", number)) for name, number in numbers.items()),
        _fact("llama.attention.layer_norm_rms_epsilon", _FLOAT32, struct.pack("<f", 1e-5)),
        _fact("tokenizer.ggml.model", _STRING, _text("llama")),
        _fact("tokenizer.ggml.tokens", _ARRAY, _array(_STRING, [_text(token) for token, _ in TOKENS])),
        _fact("tokenizer.ggml.scores", _ARRAY, _array(_FLOAT32, [struct.pack("<f", 0.0)] * len(TOKENS))),
        _fact("tokenizer.ggml.token_type", _ARRAY, _array(_INT32, [struct.pack("<i", kind) for _, kind in TOKENS])),
        *(_fact(f"tokenizer.ggml.{name}", _UINT32, struct.pack("<I", token)) for name, token in special.items()),
        _fact("tokenizer.chat_template", _STRING, _text(TEMPLATE)),
    ]


def _fact(name: str, kind: int, value: bytes) -> bytes:
    return _text(name) + struct.pack("<I", kind) + value


def _array(kind: int, values: list[bytes]) -> bytes:
    return struct.pack("<IQ", kind, len(values)) + b"".join(values)


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw
