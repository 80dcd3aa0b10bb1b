"""Reads and rewrites the content of checkpoints: frames, each with its length, and the seal, their BLAKE3 hash."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

HEADER_BYTES = 20
SEAL_BYTES = 32


def content_of(path: Path) -> bytes:
    """The decompressed content of a checkpoint."""
    compressed = pa.BufferReader(path.read_bytes()[HEADER_BYTES:])
    return bytes(pa.input_stream(compressed, compression="zstd").read())


def write(path: Path, content: bytes) -> None:
    """Replaces the content of a checkpoint; its checksum is right."""
    sink = pa.BufferOutputStream()
    with pa.output_stream(sink, compression="zstd") as stream:
        stream.write(content)
    path.write_bytes(path.read_bytes()[:HEADER_BYTES] + sink.getvalue().to_pybytes())


def frames_of(content: bytes) -> Iterator[bytes]:
    """The frames before the seal."""
    start = 0
    while start < len(content) - SEAL_BYTES:
        length = int.from_bytes(content[start : start + 4], "little")
        yield content[start + 4 : start + 4 + length]
        start += 4 + length


def sealed(frames: list[bytes]) -> bytes:
    """The content of a checkpoint with these frames and a right seal."""
    content = b"".join(len(frame).to_bytes(4, "little") + frame for frame in frames)
    return content + blake3(content)


_START = [
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
]  # fmt: skip
_PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
_COLUMNS_AND_DIAGONALS = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
]  # fmt: skip
_CHUNK_START, _CHUNK_END, _PARENT, _ROOT = 1, 2, 4, 8
_BLOCK_BYTES, _CHUNK_BYTES, _ROUNDS = 64, 1024, 7


def blake3(data: bytes) -> bytes:
    """The BLAKE3 hash of some bytes, after section 2 of its specification."""
    if len(data) <= _CHUNK_BYTES:
        return _packed(_chunk(data, 0, _ROOT))
    return _packed(_parent(*_halves(data, 0), _ROOT))


def _tree(data: bytes, number: int) -> list[int]:
    if len(data) <= _CHUNK_BYTES:
        return _chunk(data, number, 0)
    return _parent(*_halves(data, number), 0)


def _halves(data: bytes, number: int) -> tuple[list[int], list[int]]:
    """The left half has as many chunks as the greatest power of two that leaves some for the right one."""
    chunks = 1 << ((len(data) - 1) // _CHUNK_BYTES).bit_length() - 1
    middle = chunks * _CHUNK_BYTES
    return _tree(data[:middle], number), _tree(data[middle:], number + chunks)


def _parent(left: list[int], right: list[int], flags: int) -> list[int]:
    return _compressed(_START, left + right, 0, _BLOCK_BYTES, _PARENT | flags)


def _chunk(data: bytes, number: int, flags: int) -> list[int]:
    value = _START
    blocks = range(0, max(len(data), 1), _BLOCK_BYTES)
    for start in blocks:
        block = data[start : start + _BLOCK_BYTES]
        words = [int.from_bytes(block.ljust(_BLOCK_BYTES, b"\0")[at : at + 4], "little") for at in range(0, 64, 4)]
        is_last = start == blocks[-1]
        place = _CHUNK_START * (start == 0) | (_CHUNK_END | flags) * is_last
        value = _compressed(value, words, number, len(block), place)
    return value


def _compressed(value: list[int], words: list[int], number: int, length: int, flags: int) -> list[int]:
    state = [*value, *_START[:4], number & 0xFFFFFFFF, number >> 32, length, flags]
    for _ in range(_ROUNDS):
        for index, places in enumerate(_COLUMNS_AND_DIAGONALS):
            _mix(state, *places, words[2 * index], words[2 * index + 1])
        words = [words[place] for place in _PERMUTATION]
    return [state[place] ^ state[place + 8] for place in range(8)]


def _mix(state: list[int], a: int, b: int, c: int, d: int, x: int, y: int) -> None:
    for word, first, second in ((x, 16, 12), (y, 8, 7)):
        state[a] = (state[a] + state[b] + word) & 0xFFFFFFFF
        state[d] = _rotated(state[d] ^ state[a], first)
        state[c] = (state[c] + state[d]) & 0xFFFFFFFF
        state[b] = _rotated(state[b] ^ state[c], second)


def _rotated(word: int, bits: int) -> int:
    return (word >> bits | word << 32 - bits) & 0xFFFFFFFF


def _packed(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)
