"""The time that ranks compute between calls: none, measured, recorded in a file, or replayed from it."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from torusim._core import InputError
from torusim.runs.storage import read_parquet

Columns = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
"""For each call of the program: the rank, the hash of the call's name, and nanoseconds of computation before it."""

NO_COMPUTING = "none"
"""What ranks compute takes no time."""

NAMES = ("rank", "call", "computed_ns")


@dataclass(frozen=True)
class Computing:
    """How the time is simulated that ranks compute between calls.

    Attributes:
        kind: "none"; "measured": the processor time of this computer; "record": that, written to the file; "replay":
            that of the file.
        scale: The factor of measured times.
        path: The file.
    """

    kind: str = NO_COMPUTING
    scale: float = 1.0
    path: Path | None = None

    KINDS: ClassVar = (NO_COMPUTING, "measured", "record", "replay")

    @property
    def is_measured(self) -> bool:
        """Whether times are measured, so that no two runs are the same."""
        return self.kind in ("measured", "record")

    def replayed(self) -> Columns | None:
        """The times of the file, if they are replayed.

        Raises:
            InputError: If it is no such file.
        """
        if self.kind != "replay" or self.path is None:
            return None
        try:
            table = read_parquet(self.path, "recording of computing times")
            first, second, third = (table.column(name).to_numpy().astype(np.uint64, copy=False) for name in NAMES)
        except (KeyError, pa.ArrowException) as error:
            raise InputError(f"{self.path}: is no file of --compute record: it has no column {error}") from None
        return first, second, third

    def write(self, columns: list[npt.NDArray[np.uint64]]) -> None:
        """Writes measured times to the file, if they are recorded.

        Raises:
            InputError: If it cannot be written.
        """
        if self.kind == "record" and self.path is not None:
            try:
                pq.write_table(pa.table(dict(zip(NAMES, columns, strict=True))), self.path, compression="zstd")
            except OSError as error:
                raise InputError(f"{self.path}: cannot be written ({error.strerror})") from None


def computing_of(kind: str, scale: float, path: Path | None) -> Computing:
    """How ranks compute.

    Raises:
        InputError: If the options do not go together.
    """
    if kind not in Computing.KINDS:
        raise InputError(f"compute={kind!r}: it is one of {', '.join(Computing.KINDS)}")
    needs_file = kind in ("record", "replay")
    if needs_file != (path is not None):
        why = "needs a file: --compute-file FILE" if needs_file else "takes no file; record and replay do"
        raise InputError(f"--compute {kind}: {why}")
    if not scale >= 0.0 or scale == float("inf"):
        raise InputError(f"compute_scale={scale}: it is a factor from 0")
    if kind == "none" and scale != 1.0:
        raise InputError("--compute-scale: multiplies measured times; --compute none measures none")
    return Computing(kind, scale, path)
