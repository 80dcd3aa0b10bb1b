"""`torusim mpicxx`: compiles a C++ program with torusim's MPI library."""

from torusim.cli.mpicc import CONTEXT, EXAMPLES, Arguments, compile_with

__all__ = ["CONTEXT", "EXAMPLES", "mpicxx"]


def mpicxx(arguments: Arguments = None) -> None:
    """Compile a C++ program with torusim's MPI library."""
    compile_with("TORUSIM_CXX", "c++", arguments or [])
