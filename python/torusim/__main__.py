"""`python -m torusim` is the command `torusim`."""

from torusim.cli import main

main()
