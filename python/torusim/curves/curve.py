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
from torusim.common.units import KEY, Clock, Units, units_of, with_twins
from torusim.runs.storage import column, with_columns
from torusim.sweeps.sweep import cell

if TYPE_CHECKING:
    import pyarrow as pa

    from torusim.pictures.plots import Picture

STEADY, SATURATED = "steady_bytes_per_node_per_cycle", "saturated_bytes_per_node_per_cycle"
OFFERED, ACCEPTED = "offered_bytes_per_node_per_cycle", "accepted_bytes_per_node_per_cycle"
LATENCIES = ("latency_cycles_mean", "latency_cycles_p50", "latency_cycles_p99")
OF_LOAD = (
    "load", OFFERED, "saturated", "replications", "latency_cycles_mean_half_width", "settled_cycles", "warmup_cycles"
)  # fmt: skip
"""Columns that are equal for all seeds of a load."""

LOADS = {Units.CYCLES: "bytes/node/cycle", Units.PHYSICAL: "GB/s a node"}
"""The unit of loads."""

TIMES = {Units.CYCLES: "cycles", Units.PHYSICAL: "ns"}
"""The unit of times in the table."""

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
        return [_mean(list(rows), self.keys, self.units) for _, rows in grouped]

    @property
    def units(self) -> Units:
        """The units in which loads and times are shown: those of the scenario, or of `in_units`."""
        return Units.of({KEY: (self.table.schema.metadata or {}).get(KEY.encode(), b"").decode(errors="replace")})

    def in_units(self, units: str) -> "Curve":
        """The curve with loads and times shown in "cycles", or in "physical" units: GB/s a node and ns.

        In physical units each column of the table that counts cycles has its twin.

        Raises:
            InputError: If there are no such units.
        """
        chosen, table = units_of(units), self.table
        if chosen is Units.PHYSICAL:
            rows = [with_twins(row, _clock(row), leave=self.keys) for row in table.to_pylist()]
            table = with_columns(table, rows)
        others = {key: value for key, value in (table.schema.metadata or {}).items() if key != KEY.encode()}
        named = {KEY: chosen.value} if chosen is Units.PHYSICAL else {}
        return Curve(table.replace_schema_metadata(others | named), self.keys)

    @property
    def saturations(self) -> list[dict[str, Any]]:
        """A row for each configuration: its swept keys, and the offered loads between which it saturates.

        `steady_bytes_per_node_per_cycle` is the highest load below all saturated loads, or None.
        `saturated_bytes_per_node_per_cycle` is the lowest saturated load, or None.
        `accepted_bytes_per_node_per_cycle` is the highest accepted load. In physical units there are also
        `steady_gigabytes_per_second` and so on.
        """
        return [{**labels, **_saturation(rows, self.units)} for labels, rows in self.configurations]

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
        latencies = [self.table.column(self.units.key(name)).to_pylist() for name in LATENCIES]
        longest = max(value or 0.0 for column in latencies for value in column)
        scale, unit = self.units.time_axis(longest)
        lines = [plots.Line(**line) for line in self._lines(bands, scale)]
        return plots.draw_curve(lines, (LOADS[self.units], unit), has_quantiles=quantiles, band=BANDS[bands])

    def __repr__(self) -> str:
        """The number of rows, and the loads at which the network saturates."""
        runs = f"{len(self._rows())} loads, {self.table.num_rows} runs"
        return f"<Curve: {runs}; {'; '.join(self.saturations_in_words)}>"

    def _repr_html_(self) -> str:
        rows = rows_as_html([*self.keys, *MEAN_COLUMNS], self.cells())
        words = "<br>".join(map(html.escape, self.saturations_in_words))
        return f"{rows}<p>Loads in {LOADS[self.units]}, times in {TIMES[self.units]}. {words}</p>"

    def _lines(self, bands: str, scale: float = 1.0) -> Iterator[dict[str, Any]]:
        """The line that is drawn for each configuration, with latencies times a scale."""
        offered, accepted, *latencies = map(self.units.key, (OFFERED, ACCEPTED, *LATENCIES))
        rows = self.table.to_pylist()
        for labels, of_configuration in groupby(rows, lambda row: {key: row[key] for key in self.keys}):
            loads = [list(seeds) for _, seeds in groupby(of_configuration, lambda row: row["load"])]
            yield {
                "labels": labels,
                "offered": [seeds[0][offered] for seeds in loads],
                "accepted": [_range(seeds, accepted, bands) for seeds in loads],
                "saturated": [seeds[0]["saturated"] for seeds in loads],
                "latency": {
                    name.rpartition("_")[2]: [_range(seeds, name, bands, scale) for seeds in loads]
                    for name in latencies
                },
            }

    def cells(self) -> list[list[str]]:
        """The rows of the printed table: the values of the swept keys, then `MEAN_COLUMNS`."""
        return [[*(cell(row[key]) for key in self.keys), *_cells(row, self.units)] for row in self._rows()]

    @property
    def saturations_in_words(self) -> list[str]:
        """For each configuration the load at which it saturates, as a sentence without a period."""
        return [_saturation_in_words(row, self.keys, self.units) for row in self.saturations]


def _clock(row: Mapping[str, Any]) -> Clock | None:
    """The clock of a row of the table; None if nothing is offered."""
    bytes_per_cycle, gigabytes = row[OFFERED], row[Units.PHYSICAL.key(OFFERED)]
    return Clock(1e9 * gigabytes / bytes_per_cycle) if bytes_per_cycle and gigabytes else None


def name_of(labels: Mapping[str, Any]) -> str:
    """The name of a configuration in sentences: "wrap = true, load = 3"."""
    return ", ".join(f"{key.split('.')[-1]} = {cell(value)}" for key, value in labels.items())


def _saturation_in_words(row: Mapping[str, Any], keys: Sequence[str], units: Units) -> str:
    name, unit = name_of({key: row[key] for key in keys}), LOADS[units]
    steady, saturated = (row[units.key(key)] for key in (STEADY, SATURATED))
    if saturated is None:
        where = f"not saturated at {number(steady)} {unit}"
    elif steady is None:
        where = f"saturated at {number(saturated)} {unit}, the lowest load"
    else:
        where = f"saturates between {number(steady)} and {number(saturated)} {unit}"
    return f"{name}: {where}" if name else where


def _in_both(names: Sequence[str], units: Units) -> list[str]:
    """The columns, with their twins in physical units."""
    return list(dict.fromkeys(name for each in names for name in (each, units.key(each))))


def _mean(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], units: Units) -> dict[str, Any]:
    first = rows[0]
    means = {name: _mean_of(row[name] for row in rows) for name in _in_both((ACCEPTED, *LATENCIES), units)}
    outcomes = [row["outcome"] for row in rows if row["outcome"] != "completed"]
    return {
        **{name: first[name] for name in [*keys, *_in_both(OF_LOAD, units)]},
        **means,
        "outcome": outcomes[0] if outcomes else "completed",
    }


def _range(
    rows: Sequence[Mapping[str, Any]], name: str, bands: str, scale: float = 1.0
) -> tuple[float, float, float] | None:
    """The mean over seeds, and the lower and upper end of its band, times a scale; None if there is none."""
    known = [scale * row[name] for row in rows if row[name] is not None]
    if not known:
        return None
    found = interval(known)
    half_width = found.half_width or 0.0
    ends = (min(known), max(known)) if bands == "range" else (found.mean - half_width, found.mean + half_width)
    return found.mean, *ends


def _mean_of(values: Iterator[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _saturation(rows: Sequence[Mapping[str, Any]], units: Units) -> dict[str, float | None]:
    loads = sorted({row[OFFERED]: row for row in rows}.items())
    saturated = next((row for _, row in loads if row["saturated"]), None)
    below = [row for load, row in loads if saturated is None or load < saturated[OFFERED]]
    return {
        **_in(units, STEADY, OFFERED, below[-1] if below else None),
        **_in(units, SATURATED, OFFERED, saturated),
        **_in(units, ACCEPTED, ACCEPTED, max(rows, key=lambda row: row[ACCEPTED])),
    }


def _in(units: Units, name: str, key: str, row: Mapping[str, Any] | None) -> dict[str, float | None]:
    """The value of a key of a row by another name, with its twin in physical units."""
    pairs = zip(_in_both([name], units), _in_both([key], units), strict=True)
    return {named: None if row is None else row[of_row] for named, of_row in pairs}


def _cells(row: Mapping[str, Any], units: Units) -> list[str]:
    half_width = row[units.key("latency_cycles_mean_half_width")]
    mean, *quantiles = (row[units.key(name)] for name in LATENCIES)
    shown = _state(row) or number(mean)
    return [
        number(row[units.key(OFFERED)]),
        number(row[units.key(ACCEPTED)]),
        shown if half_width is None else f"{shown} ± {number(float(f'{half_width:.2g}'))}",
        *map(cell, quantiles),
        str(row["replications"]),
        number(row[units.key("warmup_cycles")]),
    ]


def _state(row: Mapping[str, Any]) -> str:
    """The reason why a load has no latency; empty if it has one."""
    if row["outcome"] != "completed":
        return str(row["outcome"])
    if row["saturated"]:
        return "saturated"
    return "not settled" if row["latency_cycles_mean"] is None else ""
