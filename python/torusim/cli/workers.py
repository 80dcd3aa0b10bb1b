"""Options of commands that run many points: in processes of this host, or on the workers of a cluster through Dask."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from torusim._core import InputError
from torusim.common.formatting import in_one_line
from torusim.sweeps.executors import JOBS_LIMIT, Futures, Processes, Workers, default_jobs

if TYPE_CHECKING:
    from distributed import Client, LocalCluster


class ExecutorName(StrEnum):
    """The kinds of executors of points."""

    PROCESSES = "processes"
    DASK = "dask"


JobsOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        max=JOBS_LIMIT,
        help="Number of points to run in parallel.",
        show_default="all cores",
    ),
]

ExecutorOption: TypeAlias = Annotated[
    ExecutorName, typer.Option("--executor", help="Run points in processes of this host, or through Dask.")
]

ClusterOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="NAME",
        help="Of Dask: local, a batch system (slurm, pbs, lsf, sge, oar, moab, htcondor), or the address of a "
        "scheduler such as tcp://host:8786.  [dim]\\[default: local][/dim]",
    ),
]

ClusterSetOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--cluster-set",
        metavar="KEY=VALUE",
        help="Of a batch system: an option of dask-jobqueue, such as queue=normal or walltime=02:00:00; repeatable.",
    ),
]

BATCH_SYSTEMS = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "lsf": "LSFCluster",
    "sge": "SGECluster",
    "oar": "OARCluster",
    "moab": "MoabCluster",
    "htcondor": "HTCondorCluster",
}
"""The class of dask-jobqueue for each batch system."""

WORKER = {"cores": 1, "processes": 1, "memory": "2 GiB"}
"""The resources of a job of a batch system, which runs one point at a time. Options and settings of dask-jobqueue
replace them."""


@contextmanager
def workers_of(
    executor: ExecutorName, cluster: str | None, settings: Sequence[str] | None, jobs: int | None
) -> Iterator[Workers]:
    """The workers that the options request; a cluster is started, and released when the block ends.

    Raises:
        InputError: If the options contradict each other, or the cluster cannot be used.
    """
    if executor is ExecutorName.PROCESSES:
        if cluster is not None or settings:
            raise InputError(f"--cluster{'' if cluster else '-set'}: is for --executor dask")
        yield Processes(jobs or default_jobs())
        return
    name = cluster or "local"
    chosen = dict(_setting(text) for text in settings or ())
    if chosen and name not in BATCH_SYSTEMS:
        raise InputError(f"--cluster-set: is for a batch system ({', '.join(BATCH_SYSTEMS)}), not for {name}")
    with _client(name, chosen, jobs) as client:
        yield Futures(client.get_executor())


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key.isidentifier() and equals):
        raise InputError(f"--cluster-set {in_one_line(text)}: must be KEY=VALUE, as in queue=normal")
    return key, value


@contextmanager
def _client(name: str, settings: dict[str, str], jobs: int | None) -> Iterator["Client"]:
    try:
        from distributed import Client
    except ImportError:
        raise _missing("distributed") from None
    with ExitStack() as stack:
        if name == "local":
            client = Client(stack.enter_context(_local_cluster(jobs or default_jobs())))
        elif name in BATCH_SYSTEMS:
            if jobs is None:
                raise InputError(f"--jobs: is needed for --cluster {name}: the number of points to run in parallel")
            batch = stack.enter_context(_batch_cluster(name, settings))
            batch.scale(cores=jobs)
            client = Client(batch)
        elif "://" in name:
            if jobs is not None:
                raise InputError(f"--jobs: the workers of {in_one_line(name)} are already there; leave this option out")
            client = _connected(name)
        else:
            known = ", ".join(["local", *BATCH_SYSTEMS])
            raise InputError(
                f"--cluster {in_one_line(name)}: must be one of {known}, or an address such as tcp://host:8786"
            )
        yield stack.enter_context(client)


def _local_cluster(jobs: int) -> "LocalCluster":
    """Workers on this host. Points are limited by its memory alone, as with `--executor processes`."""
    import logging
    from multiprocessing import resource_tracker

    from distributed import LocalCluster

    # Only this process handles Ctrl-C: its threads and the workers inherit the blocked signal. Workers that still run a
    # point at the end are killed; Dask would warn about them.
    resource_tracker.ensure_running()  # it would receive signals again when it starts
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return LocalCluster(
            n_workers=jobs, threads_per_worker=1, memory_limit=0, dashboard_address=None, silence_logs=logging.ERROR
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _connected(address: str) -> "Client":
    from distributed import Client

    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(f"--cluster {in_one_line(address)}: no scheduler answers: {error}") from None


CONNECT_SECONDS = 30


def _batch_cluster(name: str, settings: dict[str, str]) -> Any:  # noqa: ANN401 - a class of dask-jobqueue
    try:
        import dask
        import dask_jobqueue
    except ImportError:
        raise _missing("dask-jobqueue") from None
    own = {key: value for key, value in WORKER.items() if dask.config.get(f"jobqueue.{name}.{key}", None) is None}
    try:
        return getattr(dask_jobqueue, BATCH_SYSTEMS[name])(**own | _typed(settings))
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"--cluster-set: dask-jobqueue refuses its settings: {reason}") from None


def _typed(settings: dict[str, str]) -> dict[str, Any]:
    """The settings with numbers as numbers."""
    return {key: int(value) if value.isdecimal() else value for key, value in settings.items()}


def _missing(package: str) -> InputError:
    return InputError(
        f"--executor dask: the package {package} is not installed; pip install 'torusim[dask]' installs it"
    )
