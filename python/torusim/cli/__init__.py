"""The command `torusim`: a module for each of its commands. Only this folder knows the command-line libraries."""

from torusim.cli.app import main

__all__ = ["main"]
