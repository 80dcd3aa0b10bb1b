"""The data of a page: a summary, facts, and tables as Parquet. `docs/view.md` describes all of them."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pyarrow as pa

COMPRESSION_LEVEL = 12
"""Of zstd: a page is written once, and mailed."""


@dataclass(frozen=True)
class PageData:
    """The data of a run, or of a schedule, on a page.

    Attributes:
        kind: The kind of page that shows it.
        name: Its name.
        summary: Its summary.
        facts: What the tables do not say.
        arrow: Its tables by name.
    """

    kind: Literal["run", "schedule"]
    name: str
    summary: Mapping[str, Any]
    facts: Mapping[str, Any]
    arrow: Mapping[str, "pa.Table"]

    @cached_property
    def tables(self) -> dict[str, bytes]:
        """The tables as files of Parquet."""
        return {name: _parquet(table) for name, table in self.arrow.items()}


def _parquet(table: "pa.Table") -> bytes:
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", compression_level=COMPRESSION_LEVEL)
    return file.getvalue()
