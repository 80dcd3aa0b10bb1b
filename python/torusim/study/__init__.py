"""Studies: each reproduces a published figure with one command. They are the folders of the package `torusim_studies`.

    study.toml     the subject and the scales at which it runs
    claims.toml    the papers' claims, their readings and the criteria for agreement; one file for all of them
    scenario.toml  the part of the scenario that all points share
    study.py       points(scale): the points to run;  findings(points): table, numbers and figure from their results
    notes.md       explanations of the results and the experiments behind them, for its page in docs/validation

This package exports what a `study.py` needs; the other modules run it.
"""

from torusim.study.description import Findings, Scale
from torusim.sweeps.points import FinishedPoint, Point
from torusim.sweeps.worker import Finished, Report

__all__ = ["Findings", "Finished", "FinishedPoint", "Point", "Report", "Scale"]
