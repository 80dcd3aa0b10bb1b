"""The places where points run: processes of this host, or those of an executor of the caller.

Workers     Processes(4)          commands that exchange lines of JSON with this process
Futures(executor)     anything with the interface of `concurrent.futures`: Dask, mpi4py, submitit, …
"""

from torusim.sweeps.executors.futures import Executor, Futures
from torusim.sweeps.executors.processes import JOBS_LIMIT, Processes, default_jobs
from torusim.sweeps.executors.workers import Workers

__all__ = ["JOBS_LIMIT", "Executor", "Futures", "Processes", "Workers", "default_jobs"]
