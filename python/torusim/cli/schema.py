"""`torusim schema`: prints the JSON Schema of scenarios."""

import json

from torusim import _core
from torusim.cli.screen import print_json

EXAMPLES = """[bold]Example[/bold]

  torusim schema > torusim.schema.json     editors with TOML support complete and check scenarios by it"""


def schema() -> None:
    """Print the JSON Schema of scenarios, for completion and validation in editors."""
    print_json(json.loads(_core.schema()))
