"""Golden digests: every engine and thread count is bit-identical to earlier versions."""

import json

import pytest

from tests import golden_digests
from torusim._core import engines

OF_PACKETS = [name for name, family in json.loads(engines()) if family == "packets"]

ENGINES = [
    ("reference", 1),
    *((name, threads) for name in OF_PACKETS for threads in (1, 2, 3, 8) if name != "reference"),
]


@pytest.mark.parametrize("name", golden_digests.SCENARIOS)
@pytest.mark.parametrize(("engine", "threads"), ENGINES)
def test_digest_equals_the_stored_one(name: str, engine: str, threads: int) -> None:
    remake = "if the model has changed with intent, make the file anew: python -m tests.golden_digests"
    assert golden_digests.digest(name, engine, threads) == golden_digests.kept()[name], remake


def test_every_stored_digest_has_its_scenario() -> None:
    assert golden_digests.kept().keys() == golden_digests.SCENARIOS.keys()
