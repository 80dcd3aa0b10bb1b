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

The compiler is cc, or c++, or what the environment variables TORUSIM_CC and TORUSIM_CXX name. A program that has been
compiled with another MPI runs as well: it need not be compiled again. torusim-mpicc and torusim-mpicxx are the same
commands, for tools that want one word: cmake -DMPI_C_COMPILER=torusim-mpicc."""

CONTEXT = {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": ["--help"]}

Arguments = Annotated[
    list[str] | None, typer.Argument(metavar="[ARGS]...", help="Arguments of the compiler.", show_default=False)
]


WITHOUT_LINKING = {"-c", "-S", "-E", "-M", "-MM"}


def mpicc(arguments: Arguments = None) -> None:
    """Compile a C program with torusim's MPI library."""
    compile_with("TORUSIM_CC", "cc", arguments or [])


def compile_with(variable: str, usual: str, arguments: list[str]) -> None:
    """Runs a compiler with the header and the library, and exits with its status.

    The variable is not CC: `make CC=torusim-mpicc` and `CC=torusim-mpicc ./configure` set that to this command itself.

    Raises:
        InputError: If there is no such compiler, or the program would be static.
    """
    compiler = shlex.split(os.environ.get(variable, "")) or [usual]
    own = [argument for argument in arguments if argument != "-show"]
    if "-static" in own:
        raise InputError("-static: torusim's MPI library is a shared one; leave the option out")
    with libraries() as folder:
        links = _links(arguments)
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


def _links(arguments: list[str]) -> bool:
    """Whether a compiler with these arguments links a program; with a library alone, it would miss `main`."""
    has_file = any(not argument.startswith("-") or argument in ("-", "-show") for argument in arguments)
    return has_file and not WITHOUT_LINKING & set(arguments)
