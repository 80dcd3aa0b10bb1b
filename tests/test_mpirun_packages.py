"""Programs from the registries of Debian and PyPI, which know nothing of torusim, run as they are."""

import re
from pathlib import Path

import pytest

import torusim
from tests.mpi_registries import Registries
from tests.mpi_support import Ran, run


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def hpcc(registries: Registries, monkeypatch: pytest.MonkeyPatch, ranks: int, **options: object) -> Ran:
    """The HPC Challenge benchmarks of Debian, on small problems.

    N = 200 equations, in blocks of 40; other parts of it derive their sizes from these.
    """
    package = registries.debian("hpcc")
    [blas] = registries.debian("libblas3").rglob("libblas.so.3.*.*")
    Path("blas").mkdir(exist_ok=True)
    Path("blas/libblas.so.3").unlink(missing_ok=True)
    Path("blas/libblas.so.3").symlink_to(blas)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(Path("blas").absolute()))
    [example] = package.rglob("_hpccinf.txt")
    lines = example.read_text().splitlines()
    lines[5], lines[7] = "200 Ns", "40 NBs"
    Path("hpccinf.txt").write_text("\n".join(lines) + "\n")
    Path("hpccoutf.txt").unlink(missing_ok=True)
    ran = run(package / "usr" / "bin" / "hpcc", ranks=ranks, **options)
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.words
    written = Path("hpccoutf.txt").read_text()
    assert "Success=1" in written.splitlines()
    assert not re.search(r"^.*FAILED *$", written, re.MULTILINE)
    return ran


@pytest.mark.long
def test_hpc_challenge_has_the_same_digests(registries: Registries, monkeypatch: pytest.MonkeyPatch) -> None:
    for ranks in (4, 8):
        runs = [hpcc(registries, monkeypatch, ranks, **more) for more in ({}, {"threads": 2}, {"start": "exec"})]
        assert len({ran.digests for ran in runs}) == 1


@pytest.mark.parametrize(("package", "program"), [("netpipe-openmpi", "NPopenmpi"), ("netpipe-mpich2", "NPmpich2")])
def test_netpipe(package: str, program: str, registries: Registries) -> None:
    """It prints the time of a message of one byte that `docs/models/messages.md` gives: 3,052 cycles."""
    ran = run(registries.debian(package) / "usr" / "bin" / program, "-u", "4", "-n", "1000")
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.words
    [microseconds] = re.findall(
        r"^ +0: +1 bytes +1000 times --> +[\d.]+ Mbps in +([\d.]+) usec$", ran.errors, re.MULTILINE
    )
    assert float(microseconds) == 4.36


def test_one_netpipe_with_two_libraries_has_one_digest(registries: Registries) -> None:
    openmpi, mpich = (
        run(registries.debian(package) / "usr" / "bin" / program, "-u", "4", "-n", "1000")
        for package, program in (("netpipe-openmpi", "NPopenmpi"), ("netpipe-mpich2", "NPmpich2"))
    )
    assert openmpi.digests == mpich.digests


INTEL_MPI = ("impi-rt", "2021.19.0")


def intel_benchmarks(program: str, registries: Registries) -> Path:
    [binary] = registries.pypi(*INTEL_MPI, only=["bin/IMB-"]).rglob(program)
    return binary


@pytest.mark.long
@pytest.mark.parametrize("program", ["IMB-MPI1", "IMB-NBC", "IMB-P2P"])
def test_intel_benchmarks(program: str, registries: Registries) -> None:
    binary = intel_benchmarks(program, registries)
    ran = run(binary, "-iter", "3", "-msglog", "0:8", "-npmin", "4", ranks=4, rank_timeout=300.0)
    assert (ran.result.outcome, ran.status) == ("completed", 0), ran.words
    assert "# All processes entering MPI_Finalize" in ran.output


@pytest.mark.long
def test_intel_ping_pong_is_that_of_the_kernel(registries: Registries) -> None:
    """It prints hundredths of a microsecond, and reads the clock, which is a call, once in 100 round trips."""
    machine = {"preset": "bluegene-l", "shape": [2, 1, 1]}
    arguments = ["-iter", "100", "-msglog", "0:12", "PingPong"]
    ran = run(intel_benchmarks("IMB-MPI1", registries), *arguments, ranks=2, machine=machine)
    rows = re.findall(r"^ +(\d+) +100 +([\d.]+) +[\d.]+$", ran.output, re.MULTILINE)
    assert [int(size) for size, _ in rows] == [0, *(2**power for power in range(13))]
    for size, microseconds in rows:
        workload = {"kind": "kernel", "name": "ping-pong", "bytes": int(size), "iterations": 100}
        kernel = torusim.run({"machine": machine, "workload": workload}).summary
        half = kernel["seconds_simulated"] * 1e6 / 200
        assert float(microseconds) == pytest.approx(half, abs=0.011), size


@pytest.mark.long
def test_intel_benchmarks_of_what_is_not_there(registries: Registries) -> None:
    ran = run(intel_benchmarks("IMB-RMA", registries), "-iter", "3", "-msglog", "0:8", "-npmin", "4", ranks=4)
    assert ran.result.outcome == "aborted"
    assert re.search(r"^rank \d failed in MPI_Win_create \(call \d+\): MPI_Win_create is not simulated", ran.words)
