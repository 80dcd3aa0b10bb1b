"""Studies: published figures as one command. The studies themselves are the folders of `torusim/studies`.

    study.toml     what is shown, what the papers say of it, and what "agrees" means
    scenario.toml  what all of its points have in common
    study.py       points(scale): what is run;  findings(points): table, numbers and figure from what came of it
    notes.md       why figures are as they are, and how that was found out, for docs/validation.md

What a `study.py` needs is here; the other modules run it.
"""

from torusim.study.description import Findings, Scale

__all__ = ["Findings", "Scale"]
