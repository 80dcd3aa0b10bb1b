"""`torusim mpicc` and `torusim mpicxx`: compile a program with torusim's MPI library."""

import os
import shlex
import subprocess
import sys
from typing import Annotated

import typer

from torusim._core import InputError
from torusim.processes import libraries

EXAMPLES = """[bold]Examples[/bold]

  torusim mpicc -O2 ring.c -o ring
  torusim mpicxx -O2 ring.cpp -o ring
  torusim mpicc -show            the command of the compiler

The compiler is cc, or c++, or what the environment variables CC and CXX name. A program that has been compiled with
another MPI runs as well: it need not be compiled again."""

CONTEXT = {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": ["--help"]}

Arguments = Annotated[
    list[str] | None, typer.Argument(metavar="[ARGS]...", help="Arguments of the compiler.", show_default=False)
]


def mpicc(arguments: Arguments = None) -> None:
    """Compile a C program with torusim's MPI library."""
    compile_with("CC", "cc", arguments or [])


def compile_with(variable: str, usual: str, arguments: list[str]) -> None:
    """Runs a compiler with the header and the library, and exits with its status.

    Raises:
        InputError: If there is no such compiler.
    """
    compiler = shlex.split(os.environ.get(variable, "")) or [usual]
    with libraries() as folder:
        links = not {"-c", "-S", "-E", "-M", "-MM"} & set(arguments)
        own = [argument for argument in arguments if argument != "-show"]
        command = [*compiler, f"-I{folder}", *own, *([f"-L{folder}", "-lmpi_abi"] if links else [])]
        if "-show" in arguments:
            sys.stdout.write(shlex.join(command) + "\n")
            raise typer.Exit
        try:
            status = subprocess.run(command, check=False).returncode
        except OSError as error:
            raise InputError(
                f"{compiler[0]}: cannot be started ({error.strerror}); {variable} names a compiler"
            ) from None
    raise typer.Exit(status if status >= 0 else 128 - status)
