"""Results whose content is a table."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa


class _HasTable(Protocol):
    @property
    def table(self) -> "pa.Table": ...


class Tabular:
    """A result that polars, pandas and other libraries take as its table."""

    def __arrow_c_stream__(self: _HasTable, requested_schema: object | None = None) -> object:
        """The table by Arrow's protocol, by which other libraries of tables read it."""
        return self.table.__arrow_c_stream__(requested_schema)
