"""Ranks that misbehave at random: whatever they do, the run has an outcome at once, and leaves nothing.

`TORUSIM_ATTACKS` is the number of seeds of each kind. A seed that has failed is run again by
`python -m tests.mpi_attack`.
"""

import os

import pytest

from tests.mpi_attack import KINDS, faults_of_seed

SEEDS = int(os.environ.get("TORUSIM_ATTACKS", "100"))
PART = 25


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, SEEDS, PART))
@pytest.mark.parametrize("kind", KINDS)
def test_ranks_that_misbehave(kind: str, first: int) -> None:
    seeds = range(first, min(first + (5 if kind == "command" else PART), SEEDS))
    faults = {seed: found for seed in seeds if (found := faults_of_seed(kind, seed))}
    assert not faults
