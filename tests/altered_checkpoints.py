"""Reads and rewrites the content of checkpoints: frames, each with its length and the BLAKE3 hash of all so far."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from blake3 import blake3

HEADER_BYTES = 20
SEAL_BYTES = 16


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
    """The frames, without their seals."""
    start = 0
    while start < len(content):
        length = int.from_bytes(content[start : start + 4], "little")
        yield content[start + 4 : start + 4 + length]
        start += 4 + length + SEAL_BYTES


def sealed(frames: list[bytes]) -> bytes:
    """The content of a checkpoint with these frames, each with a right seal."""
    content, hashed = b"", blake3()
    for frame in frames:
        part = len(frame).to_bytes(4, "little") + frame
        hashed.update(part)
        content += part + hashed.digest(length=SEAL_BYTES)
    return content
