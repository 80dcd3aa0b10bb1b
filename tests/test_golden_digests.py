"""Golden digests: every engine and thread count is bit-identical to earlier versions."""

import pytest

from tests import golden_digests

ENGINES = [("reference", 1), ("windowed", 1), ("windowed", 2), ("windowed", 3), ("windowed", 8)]


@pytest.mark.parametrize("name", golden_digests.SCENARIOS)
@pytest.mark.parametrize(("engine", "threads"), ENGINES)
def test_digest_equals_the_stored_one(name: str, engine: str, threads: int) -> None:
    remake = "if the model has changed with intent, make the file anew: python -m tests.golden_digests"
    assert golden_digests.digest(name, engine, threads) == golden_digests.kept()[name], remake


def test_every_stored_digest_has_its_scenario() -> None:
    assert golden_digests.kept().keys() == golden_digests.SCENARIOS.keys()
