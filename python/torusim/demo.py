"""`python -m torusim.demo`: Blue Gene/L's all-to-all compared with its paper, and real traces if they are given."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from torusim.cli.app import run_command
from torusim.cli.exits import EXIT_COMPLETED, EXIT_OTHER_OUTCOME
from torusim.cli.progress import ProgressDisplay
from torusim.cli.screen import console, print_pairs, print_table, warn
from torusim.common.formatting import percent
from torusim.pictures import plots
from torusim.runs import runner
from torusim.runs.result import Result
from torusim.runs.scenario import Override, resolve, to_json
from torusim.runs.summary import summary_as_rows

ALL_TO_ALL = "demo-all-to-all-8x8x8"
SWEEP3D = "demo-sweep3d"
BLUEGENE_P = "demo-bluegene-p"
VIEW = "view.html"

PUBLISHED_SHARES_OF_PEAK = (
    ("measured on the machine", 96.0),
    ("simulated by its designers", 94.0),
)
"""Adiga et al., Blue Gene/L torus interconnection network, IBM J. Res. Dev. 49 (2005): ten full packets per pair."""

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)


@app.command()
def demo(
    scenarios: Annotated[Path, typer.Option(help="The folder of the demo's scenarios.")] = Path("scenarios"),
    out: Annotated[Path, typer.Option(help="The folder for results and pictures.")] = Path("demo"),
    trace: Annotated[Path | None, typer.Option(help="The folder of the Sweep3D trace.", show_default="none")] = None,
    bluegene_p_trace: Annotated[
        Path | None, typer.Option(help="The folder of a DUMPI trace of a Blue Gene/P.", show_default="none")
    ] = None,
) -> None:
    """Run the demonstration and draw its plots."""
    results = [_all_to_all(scenarios, out)]
    if trace is None:
        console().print("\nNo Sweep3D trace is given (--trace), so its replay is left out.")
    else:
        results.append(_sweep3d(scenarios, out, trace))
    if bluegene_p_trace is not None:
        results.append(_bluegene_p(scenarios, out, bluegene_p_trace))
    all_completed = all(result.outcome == "completed" for result in results)
    raise typer.Exit(EXIT_COMPLETED if all_completed else EXIT_OTHER_OUTCOME)


def _all_to_all(scenarios: Path, out: Path) -> Result:
    console().print("All-to-all on 8x8x8 nodes, ten full packets per pair\n")
    result = _run(scenarios, ALL_TO_ALL, out, [("run.link_series", "true", "the demo")])
    own = result.summary.get("percent_of_peak")
    rows = [("torusim", "-" if own is None else percent(own))]
    rows += [(name, percent(value)) for name, value in PUBLISHED_SHARES_OF_PEAK]
    console().print()
    print_table("Compared with the papers", ("8x8x8 all-to-all", "share of peak"), rows, right=("share of peak",))
    _plot(result, out / ALL_TO_ALL)
    console().print(f"{result.view().save(out / VIEW)} shows the run in a browser", soft_wrap=True)
    return result


def _sweep3d(scenarios: Path, out: Path, trace: Path) -> Result:
    console().print("\nSweep3D on four ranks, replayed from its trace\n")
    result = _run(scenarios, SWEEP3D, out, [("workload.path", to_json(trace.resolve(), "trace"), f"--trace {trace}")])
    _plot(result, out / SWEEP3D)
    return result


def _bluegene_p(scenarios: Path, out: Path, trace: Path) -> Result:
    """Runs the scenario of Sweep3D with another trace."""
    console().print("\nSeven ranks of a Blue Gene/P, replayed from a DUMPI trace on 2x2x2 nodes of Blue Gene/L\n")
    overrides = [
        ("workload.path", to_json(trace.resolve(), "trace"), f"--bluegene-p-trace {trace}"),
        ("machine.shape", "[2, 2, 2]", "the demo"),
    ]
    return _run(scenarios, SWEEP3D, out, overrides, BLUEGENE_P)


def _run(scenarios: Path, name: str, out: Path, overrides: Sequence[Override], folder: str | None = None) -> Result:
    scenario = resolve(scenarios / f"{name}.toml", list(overrides))
    with ProgressDisplay() as display:
        result = runner.execute(
            scenario, runner.Options(), display, out / (folder or name), warn=warn, replace_out=True
        )
    print_pairs(summary_as_rows(result.summary))
    return result


def _plot(result: Result, folder: Path) -> None:
    console().print("\nPictures:")
    for path in plots.save_all(plots.draw_runs({"": result}), folder, "png"):
        console().print(f"  {path}", soft_wrap=True)


if __name__ == "__main__":
    run_command(app)
