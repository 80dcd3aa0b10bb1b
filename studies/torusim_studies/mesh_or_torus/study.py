"""Mesh or torus: the effect of meshes for 1K and 4K nodes on a queue of jobs, compared with tori only."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from torusim.common.intervals import Interval
from torusim.pictures.figures import Axis, Dots, Level, Series
from torusim.queue.mesh_or_torus import Row, mesh_or_torus
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim_studies.queues import EARLIER, LATER, LOAD, POLICIES, SYNTHETIC

JOB_LOGS = "TORUSIM_JOB_LOGS"
"""Environment variable with the folder of the public logs, which torusim does not contain."""

DEFAULT_JOB_LOGS = Path("../shared/data/joblogs")

LOGS = {"intrepid": "anl-intrepid-first3000-simplified.swf", "mira": "mira.swf.gz"}

SOURCES: Mapping[str, Mapping[str, Any]] = {
    "intrepid": {"resample_blocks": 100, "walltime_factor": 5},
    "mira": {"resample_blocks": 100, "columns": "mira", "cut_to_nodes": 40_960},
    "synthetic": SYNTHETIC,
}
"""Options of each source of jobs."""

SLOWDOWNS = (1.0, 1.05, 1.2)
JUDGED = {5: 1.05, 20: 1.2}
"""The paper's slowdowns, in percent, and their factors."""

SIZES = ("512", "1024", "2048", "4096")
"""Sizes of Figure 8, in nodes."""

Changes = Mapping[str, Any]


def points(scale: Scale) -> Iterator[Point]:
    """One point for each source, rule and policy; it computes the schedules of all seeds and slowdowns."""
    for source, options in SOURCES.items():
        path = _path(source)
        if path is not None and not path.is_file():
            continue
        log = {} if path is None else {"log": str(path.resolve()), "digest": _digest(path)}
        for backfill in (EARLIER, LATER):
            for policy in POLICIES:
                labels = {"source": source, "backfill": backfill, "policy": policy}
                arguments = {"options": {**options}, **log, "logs": scale["logs"], "jobs": scale["jobs"]}
                yield scale.call(labels, "schedules", labels | arguments)


def _path(source: str) -> Path | None:
    """The expected path of the log of a source; None for a source without a log."""
    folder = Path(os.environ.get(JOB_LOGS) or DEFAULT_JOB_LOGS)
    return folder / LOGS[source] if source in LOGS else None


def _digest(path: Path) -> str:
    """The content of a log, so that a changed log is another point."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def schedules(arguments: Mapping[str, Any], report: Report) -> Finished:
    """The rows of a policy, one for each slowdown, as columns of a table."""
    log = {"log": arguments["log"]} if "log" in arguments else {}
    policy = arguments["policy"]
    rows = mesh_or_torus(
        [{"seed": seed} for seed in range(1, arguments["logs"] + 1)],
        policies=[policy],
        slowdowns=SLOWDOWNS,
        backfill=arguments["backfill"],
        report=lambda done, count: report(done / count),
        jobs=arguments["jobs"],
        load=LOAD,
        **POLICIES[policy],
        **arguments["options"],
        **log,
    )
    changes = [_changes(row) for row in rows]
    return {"summary": {"logs": arguments["logs"]}, "tables": {"changes": _columns(changes)}}


def _changes(row: Row) -> Changes:
    """A row as plain data, in percent: the mean, half-width of its interval, and number of logs of each change."""
    named = {
        "utilization": row.utilization_percent,
        "useful": row.useful_percent,
        "wait": row.wait_percent,
        "response": row.response_percent,
        **{size: row.response_percent_by_nodes[int(size)] for size in SIZES},
    }
    plain: dict[str, Any] = {
        "slowdown": row.slowdown,
        "torus_utilization": 100 * row.torus_utilization.mean,
        "lost_to_cables": 100 * row.torus_loss_to_cables.mean,
        "meshed_share": 100 * row.meshed_share.mean,
    }
    for name, change in named.items():
        plain |= {name: change.mean, f"{name}_half_width": change.half_width, f"{name}_count": change.count}
    return plain


def _columns(rows: Sequence[Changes]) -> dict[str, list[Any]]:
    return {key: [row[key] for row in rows] for key in rows[0]}


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """The paper's table for these sources and rules, and the numbers that its claims refer to."""
    table = {
        (point.labels["source"], point.labels["backfill"], point.labels["policy"], slowdown): {
            key: values[index] for key, values in point.tables["changes"].items()
        }
        for point in points
        for index, slowdown in enumerate(point.tables["changes"]["slowdown"])
    }
    sources = list(dict.fromkeys(source for source, *_ in table))
    numbers: dict[str, float] = {}
    for source in sources:
        earlier = {key[2:]: row for key, row in table.items() if key[:2] == (source, EARLIER)}
        numbers |= {f"{source}_{name}": number for name, number in _numbers(earlier).items()}
    return Findings(
        rows=[_row(*key, row) for key, row in table.items()],
        numbers=numbers,
        figure=[_dots(source, table) for source in sources],
        lacks=[f"{_path(source)} ({source})" for source in LOGS if source not in sources],
    )


def _numbers(rows: Mapping[tuple[str, float], Changes]) -> dict[str, float]:
    """The numbers of the claims about a source, from its rows by policy and slowdown."""
    numbers = {}
    for percent, slowdown in JUDGED.items():
        both = [rows[policy, slowdown] for policy in POLICIES]
        numbers[f"utilization_{percent}"] = max((row["utilization"] for row in both), key=lambda value: abs(value - 4))
        numbers[f"wait_beyond_utilization_{percent}"] = min(-row["wait"] - row["utilization"] for row in both)
        for size in SIZES:
            numbers[f"loss_{size}_{percent}"] = min(row[size] for row in both)
            numbers[f"gain_{size}_{percent}"] = min(-row[size] for row in both)
    numbers["wfp_shrinks"] = rows["wfp", 1.2]["response"] - rows["wfp", 1.05]["response"]
    numbers["wfp_worse"] = rows["wfp", 1.2]["response"]
    judged = [rows[policy, slowdown] for policy in POLICIES for slowdown in JUDGED.values()]
    numbers["largest_gain"] = max(-row[size] for row in judged for size in SIZES)
    return numbers


def _row(source: str, backfill: str, policy: str, slowdown: float, row: Changes) -> dict[str, Any]:
    """A row of the table; `arithmetic` is the rise of utilization below saturation."""
    return {
        "jobs": source,
        "rules": backfill,
        "policy": policy.upper(),
        "slowdown": _percent(slowdown),
        **{f"{name} (%)": str(_change(row, name)) for name in ("utilization", "useful", "wait", "response", *SIZES)},
        "arithmetic (%)": (slowdown - 1) * row["meshed_share"],
        "utilization with tori (%)": row["torus_utilization"],
        "lost to cables with tori (%)": row["lost_to_cables"],
    }


def _dots(source: str, table: Mapping[tuple[str, str, str, float], Changes]) -> Dots:
    """The paper's Figure 8 for a source, with the earlier rules."""
    chosen = [(policy, slowdown) for policy in POLICIES for slowdown in JUDGED.values()]
    rows = {key: table[source, EARLIER, *key] for key in chosen}
    sizes = SIZES if source != "synthetic" else SIZES[1:]  # too few synthetic jobs have 512 nodes
    return Dots(
        labels=[f"{int(size):,}" for size in sizes],
        series=[
            Series(
                f"{policy.upper()}, slowdown {_percent(slowdown)}",
                [row[size] for size in sizes],
                [row[f"{size}_half_width"] or 0 for size in sizes],
            )
            for (policy, slowdown), row in rows.items()
        ],
        y=Axis("change of response (%)"),
        x="nodes of the job",
        levels=[Level("paper, best", -40)],
        title=source,
    )


def _percent(slowdown: float) -> str:
    """A slowdown as a percentage, such as "5 %" for 1.05."""
    return f"{100 * (slowdown - 1):.0f} %"


def _change(row: Changes, name: str) -> Interval:
    """One of a row's changes, with its 95 % confidence interval over logs."""
    return Interval(row[name], row[f"{name}_half_width"], row[f"{name}_count"])
