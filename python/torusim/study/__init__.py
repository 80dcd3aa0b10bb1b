"""Studies: each reproduces a published figure with one command. The studies are the folders of `torusim/studies`.

    study.toml     the subject, the papers' claims, and the criteria for agreement
    scenario.toml  the part of the scenario that all points share
    study.py       points(scale): the points to run;  findings(points): table, numbers and figure from their results
    notes.md       explanations of the results and the experiments behind them, for docs/validation.md

This package exports what a `study.py` needs; the other modules run it.
"""

from torusim.study.description import Findings, Scale

__all__ = ["Findings", "Scale"]
