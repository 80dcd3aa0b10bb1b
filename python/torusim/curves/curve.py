"""The result of `torusim.curve`: the table, its means over seeds, the loads at which it saturates, and a picture."""

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from torusim._core import InputError
from torusim.common.formatting import number, rows_as_html, shown
from torusim.common.intervals import interval
from torusim.common.tables import Tabular
from torusim.runs.storage import column
from torusim.sweeps.sweep import cell

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.pictures.plots import Picture

OFFERED, ACCEPTED = "offered_bytes_per_node_per_cycle", "accepted_bytes_per_node_per_cycle"
LATENCIES = ("latency_cycles_mean", "latency_cycles_p50", "latency_cycles_p99")
OF_LOAD = (
    "load", OFFERED, "saturated", "replications", "latency_cycles_mean_half_width", "settled_cycles", "warmup_cycles"
)  # fmt: skip
"""Columns that are equal for all seeds of a load."""

UNIT = "bytes/node/cycle"

BANDS = {"range": "band: range of seeds", "interval": "band: 95 % interval of mean"}
"""The quantities that bands around the lines of a picture can show, and their words in the legend."""

MEAN_COLUMNS = ("offered", "accepted", "mean latency", "p50", "p99", "seeds", "warm-up")
"""Columns of the printed table after the swept keys."""


@dataclass(frozen=True, eq=False)
class Curve(Tabular):
    """Latency and accepted against offered load, of one or several configurations of a scenario.

    Polars and pandas take its table as it is: `polars.DataFrame(curve)`, `pandas.DataFrame.from_arrow(curve)`.

    Attributes:
        table: A row for each configuration, load and seed, in ascending order of loads.
        keys: The swept keys, which are the first columns; their values distinguish the configurations.
    """

    table: "pa.Table"
    keys: Sequence[str]

    @property
    def configurations(self) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """(values of the swept keys, means) of each configuration; see `means`."""
        grouped = groupby(self._rows(), lambda row: {key: row[key] for key in self.keys})
        return [(labels, list(rows)) for labels, rows in grouped]

    @property
    def means(self) -> "pa.Table":
        """A row for each configuration and load: swept keys, loads, and means over the seeds."""
        import pyarrow as pa

        rows = self._rows()
        return pa.table({name: column([row[name] for row in rows]) for name in rows[0]})

    def _rows(self) -> list[dict[str, Any]]:
        grouped = groupby(self.table.to_pylist(), lambda row: [*(row[key] for key in self.keys), row["load"]])
        return [_mean(list(rows), self.keys) for _, rows in grouped]

    @property
    def saturations(self) -> list[dict[str, Any]]:
        """A row for each configuration: its swept keys, and the offered loads between which it saturates.

        `steady_bytes_per_node_per_cycle` is the highest load below all saturated loads, or None.
        `saturated_bytes_per_node_per_cycle` is the lowest saturated load, or None.
        `accepted_bytes_per_node_per_cycle` is the highest accepted load.
        """
        return [{**labels, **_saturation(rows)} for labels, rows in self.configurations]

    def plot(self, *, quantiles: bool = True, bands: str = "range") -> "Picture":
        """Latency and accepted against offered load, which notebooks show.

        Args:
            quantiles: Whether the 99th percentile is drawn, and the median too if there is one configuration.
            bands: The quantity that bands around the lines show: the "range" of the seeds, from the least to the
                greatest value, or the 95 % confidence "interval" of their mean.

        Raises:
            InputError: If there is no such band.
        """
        from torusim.pictures import plots  # matplotlib takes longer to import than everything else here

        if bands not in BANDS:
            raise InputError(f"bands = {shown(bands)}: has to be {' or '.join(map(repr, BANDS))}")
        lines = [plots.Line(**line) for line in self._lines(bands)]
        return plots.draw_curve(lines, has_quantiles=quantiles, band=BANDS[bands])

    def __repr__(self) -> str:
        """The number of rows, and the loads at which the network saturates."""
        runs = f"{len(self._rows())} loads, {self.table.num_rows} runs"
        return f"<Curve: {runs}; {'; '.join(saturation_in_words(row, self.keys) for row in self.saturations)}>"

    def _repr_html_(self) -> str:
        rows = rows_as_html([*self.keys, *MEAN_COLUMNS], self.cells())
        words = "<br>".join(html.escape(saturation_in_words(row, self.keys)) for row in self.saturations)
        return f"{rows}<p>Loads in {UNIT}, times in cycles. {words}</p>"

    def _lines(self, bands: str) -> Iterator[dict[str, Any]]:
        """The line that is drawn for each configuration."""
        rows = self.table.to_pylist()
        for labels, of_configuration in groupby(rows, lambda row: {key: row[key] for key in self.keys}):
            loads = [list(seeds) for _, seeds in groupby(of_configuration, lambda row: row["load"])]
            yield {
                "labels": labels,
                "offered": [seeds[0][OFFERED] for seeds in loads],
                "accepted": [_range(seeds, ACCEPTED, bands) for seeds in loads],
                "saturated": [seeds[0]["saturated"] for seeds in loads],
                "latency": {
                    name.rpartition("_")[2]: [_range(seeds, name, bands) for seeds in loads] for name in LATENCIES
                },
            }

    def cells(self) -> list[list[str]]:
        """The rows of the printed table: the values of the swept keys, then `MEAN_COLUMNS`."""
        return [[*(cell(row[key]) for key in self.keys), *_cells(row)] for row in self._rows()]


def name_of(labels: Mapping[str, Any]) -> str:
    """The name of a configuration in sentences: "wrap = true, load = 3"."""
    return ", ".join(f"{key.split('.')[-1]} = {cell(value)}" for key, value in labels.items())


def saturation_in_words(row: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The load at which a configuration saturates, as a sentence without a period."""
    name = name_of({key: row[key] for key in keys})
    steady, saturated = row["steady_bytes_per_node_per_cycle"], row["saturated_bytes_per_node_per_cycle"]
    if saturated is None:
        where = f"not saturated at {number(steady)} {UNIT}"
    elif steady is None:
        where = f"saturated at {number(saturated)} {UNIT}, the lowest load"
    else:
        where = f"saturates between {number(steady)} and {number(saturated)} {UNIT}"
    return f"{name}: {where}" if name else where


def _mean(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> dict[str, Any]:
    first = rows[0]
    means = {name: _mean_of(row[name] for row in rows) for name in (ACCEPTED, *LATENCIES)}
    outcomes = [row["outcome"] for row in rows if row["outcome"] != "completed"]
    return {
        **{name: first[name] for name in [*keys, *OF_LOAD]},
        **means,
        "outcome": outcomes[0] if outcomes else "completed",
    }


def _range(rows: Sequence[Mapping[str, Any]], name: str, bands: str) -> tuple[float, float, float] | None:
    """The mean over seeds, and the lower and upper end of its band; None if there is none."""
    known = [row[name] for row in rows if row[name] is not None]
    if not known:
        return None
    found = interval(known)
    half_width = found.half_width or 0.0
    ends = (min(known), max(known)) if bands == "range" else (found.mean - half_width, found.mean + half_width)
    return found.mean, *ends


def _mean_of(values: Iterator[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _saturation(rows: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    saturated = min((row[OFFERED] for row in rows if row["saturated"]), default=None)
    below = [row[OFFERED] for row in rows if saturated is None or row[OFFERED] < saturated]
    return {
        "steady_bytes_per_node_per_cycle": max(below, default=None),
        "saturated_bytes_per_node_per_cycle": saturated,
        ACCEPTED: max(row[ACCEPTED] for row in rows),
    }


def _cells(row: Mapping[str, Any]) -> list[str]:
    half_width = row["latency_cycles_mean_half_width"]
    mean = _state(row) or number(row["latency_cycles_mean"])
    return [
        number(row[OFFERED]),
        number(row[ACCEPTED]),
        mean if half_width is None else f"{mean} ± {number(float(f'{half_width:.2g}'))}",
        *(cell(row[name]) for name in LATENCIES[1:]),
        str(row["replications"]),
        number(row["warmup_cycles"]),
    ]


def _state(row: Mapping[str, Any]) -> str:
    """The reason why a load has no latency; empty if it has one."""
    if row["outcome"] != "completed":
        return str(row["outcome"])
    if row["saturated"]:
        return "saturated"
    return "not settled" if row["latency_cycles_mean"] is None else ""
