"""Which jobs should get meshes: the paper's hybrid scheme, decided by predicted slowdowns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from torusim.common.intervals import Interval, interval
from torusim.pictures.figures import Axis, Curve, Curves, Level
from torusim.queue.mesh_or_torus import MESH_PROFILE, TORUS_PROFILE
from torusim.queue.predictions import Applications, Prediction, predict
from torusim.queue.schedule import Schedule, schedule
from torusim.study import Findings, Finished, FinishedPoint, Point, Report, Scale
from torusim.sweeps.executors import Futures
from torusim_studies.partitions import ROOM
from torusim_studies.queues import EARLIER, LOAD, POLICIES, SYNTHETIC

TORI, MESHES, HYBRID, LENIENT = "tori alone", "meshes for all", "hybrid", "hybrid, above 30 %"

HYBRID_SCHEME = {"profile": "hybrid-1k-4k", "hybrid": True}

WIRINGS: Mapping[str, Mapping[str, Any]] = {
    TORI: {"profile": TORUS_PROFILE},
    MESHES: {"profile": MESH_PROFILE},
    HYBRID: HYBRID_SCHEME | {"torus_above": 1.07},
    LENIENT: HYBRID_SCHEME | {"torus_above": 1.3},
}
"""The partitions that jobs of 1K and 4K get.

The paper calls slowdowns up to 7 % nominal (section 4.2); 30 % is chosen.
"""

NEIGHBORS, TRANSPOSES, ALL_REDUCE = "neighbors", "transposes", "all-reduce"

WORKLOADS: Mapping[str, Mapping[str, Any]] = {
    NEIGHBORS: {"kind": "kernel", "name": "halo-3d", "bytes": 16_384, "iterations": 4},
    TRANSPOSES: {"kind": "kernel", "name": "fft-3d", "iterations": 1},
    ALL_REDUCE: {
        "kind": "collective",
        "operation": "all-reduce",
        "algorithm": "recursive-doubling",
        "bytes": 1_024,
    },
}
"""The communication of the jobs of each kind. Chosen: the paper's applications are not available to others."""

MIXED = "mixed"
MIXES: Mapping[str, Sequence[str]] = {MIXED: list(WORKLOADS), TRANSPOSES: [TRANSPOSES]}

QUEUE: Mapping[str, Any] = {"room": ROOM, "policy": "wfp", "backfill": EARLIER, **POLICIES["wfp"]}
"""The policy and the rules of the paper's time."""

SWF_APPLICATION = 13
"""Index of the application's number in a row of the Standard Workload Format, of which it is field 14."""

JUDGED_SHARE = 0.5

CHANGES: Mapping[str, Callable[[Schedule], float]] = {
    "wait": lambda made: made.summary["wait_seconds_mean"],
    "response": lambda made: made.summary["response_seconds_mean"],
    "useful": lambda made: made.summary["useful_utilization"],
}
"""The measures that are compared between two schedules of a log."""


def points(scale: Scale) -> Iterator[Point]:
    """The schedules of each mix of jobs and share of computation."""
    for mix in MIXES:
        for share in scale["shares"]:
            labels = {"mix": mix, "share": share}
            yield scale.call(labels, "schedules", labels | {"logs": scale["logs"], "jobs": scale["jobs"]})


def schedules(arguments: Mapping[str, Any], report: Report) -> Finished:
    """Predicted slowdowns of each kind, and measures of each schedule."""
    predicted = [_whole(alone, arguments["share"]) for alone in _predictions()]
    rules = [prediction.rule for prediction in predicted]
    measured: dict[str, list[Any]] = {name: [] for name in ("log", "wiring", *CHANGES)}
    for seed in range(1, arguments["logs"] + 1):
        report((seed - 1) / arguments["logs"])
        with TemporaryDirectory() as folder:
            log = Path(folder) / "jobs.swf"
            log.write_text(_log(seed, arguments["jobs"], MIXES[arguments["mix"]]))
            for wiring, options in WIRINGS.items():
                made = schedule(log, slowdown_rules=rules, **QUEUE, **options)
                values = [seed, wiring, *(measure(made) for measure in CHANGES.values())]
                for column, value in zip(measured.values(), values, strict=True):
                    column.append(value)
    names = list(WORKLOADS)
    factors = {
        "application": [names[prediction.application or 0] for prediction in predicted],
        "partition": [prediction.partition for prediction in predicted],
        "factor": [prediction.factor.mean for prediction in predicted],
    }
    return {"summary": {"logs": arguments["logs"]}, "tables": {"schedules": measured, "factors": factors}}


@cache
def _predictions() -> list[Prediction]:
    """The slowdown of the communication of each kind of job on each mesh, the same for all points."""
    scenarios: Applications = {
        index: {"machine": {"preset": "bluegene-p"}, "workload": dict(workload), "run": {"engine": "fluid"}}
        for index, workload in enumerate(WORKLOADS.values())
    }
    with ThreadPoolExecutor(1) as executor:
        workers = Futures(executor)
        return predict(scenarios, ROOM, MESH_PROFILE, None, workers, lambda _: None, seeds=1)


def _whole(alone: Prediction, share: float) -> Prediction:
    """The slowdown of jobs that compute for a share of their time on the torus, from that of communication alone."""
    factor = Interval(share + (1 - share) * alone.factor.mean, None, alone.factor.count)
    return replace(alone, factor=factor)


def _log(seed: int, jobs: int, kinds: Sequence[str]) -> str:
    """A synthetic log, in which each job is of one of these kinds."""
    drawn = schedule(seed=seed, jobs=jobs, load=LOAD, **SYNTHETIC, **QUEUE, **WIRINGS[TORI])
    draws = Random(seed)
    names = list(WORKLOADS)
    lines = []
    for line in drawn.swf.splitlines():
        fields = line.split()
        if not line.startswith(";"):
            fields[SWF_APPLICATION] = str(names.index(draws.choice(kinds)))
        lines.append(" ".join(fields))
    return "\n".join(lines) + "\n"


def findings(points: Sequence[FinishedPoint]) -> Findings:
    """Changes against tori alone, and the predicted slowdowns."""
    slowed = {(point.labels["mix"], point.labels["share"]): _slowed(point) for point in points}
    changes = {
        (point.labels["mix"], point.labels["share"], wiring): _changes(point, wiring)
        for point in points
        for wiring in (MESHES, HYBRID, LENIENT)
    }

    def change(mix: str, wiring: str, name: str) -> float:
        return changes[mix, JUDGED_SHARE, wiring][name].mean

    return Findings(
        rows=[
            {
                "jobs": mix,
                "computation (%)": 100 * share,
                "1K and 4K": wiring,
                **{f"{name} (%)": str(of[name]) for name in CHANGES},
                "slowed down by more than 7 %": slowed[mix, share],
            }
            for (mix, share, wiring), of in changes.items()
        ],
        numbers={
            "hybrid_wait_gain": -change(MIXED, HYBRID, "wait"),
            "hybrid_beyond_meshes": change(MIXED, MESHES, "response") - change(MIXED, HYBRID, "response"),
            "transposes_gain_less": change(TRANSPOSES, MESHES, "response") - change(MIXED, MESHES, "response"),
        },
        figure=[_panel(mix, changes) for mix in MIXES],
    )


def _changes(point: FinishedPoint, wiring: str) -> Mapping[str, Interval]:
    """Changes in percent of a wiring against tori, over logs."""
    table = point.tables["schedules"]

    def values(of: str, name: str) -> list[float]:
        return [value for value, at in zip(table[name], table["wiring"], strict=True) if at == of]

    return {
        name: interval(
            [100 * (after / before - 1) for before, after in zip(values(TORI, name), values(wiring, name), strict=True)]
        )
        for name in CHANGES
    }


def _slowed(point: FinishedPoint) -> str:
    """The kinds of jobs that the hybrid scheme gives tori, with the meshes that slow them down."""
    limit = WIRINGS[HYBRID]["torus_above"]
    factors = point.tables["factors"]
    slowed = [
        f"{application} on {partition} ({100 * (factor - 1):+.0f} %)"
        for application, partition, factor in zip(*factors.values(), strict=True)
        if factor > limit and application in MIXES[point.labels["mix"]]
    ]
    return ", ".join(slowed) or "none"


def _panel(mix: str, changes: Mapping[tuple[str, float, str], Mapping[str, Interval]]) -> Curves:
    """Change of response by the share of computation, a line for each wiring."""
    shares = sorted({share for of, share, _ in changes if of == mix})
    return Curves(
        x=Axis("computation (% of time)", lowest=0),
        y=Axis("change of response (%)"),
        curves=[
            Curve(
                wiring,
                [100 * share for share in shares],
                [changes[mix, share, wiring]["response"].mean for share in shares],
            )
            for wiring in (MESHES, HYBRID, LENIENT)
        ],
        levels=[Level(TORI, 0)],
        title=f"{mix} jobs" if mix == MIXED else "transposes only",
    )
