"""Names, texts and limits that several tests share."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parent.parent
COMMAND = Path(sys.executable).with_name("torusim")
LIMIT_SECONDS = 120

Finished: TypeAlias = subprocess.CompletedProcess[str]
Command: TypeAlias = Callable[..., Finished]

SMALL_SCENARIO = """\
[machine]
preset = "bluegene-l"
shape = [4, 4, 4]

[workload]
kind = "all-to-all"
payload_bytes = 240
"""

LONG_SCENARIO = SMALL_SCENARIO.replace("[4, 4, 4]", "[16, 16, 16]").replace("240", "24000")
