"""Imports what ranks will import, once for all, in a program that imports mpi4py, before its ranks are forked."""


def prepare() -> None:
    """Imports them, and freezes all objects."""
    import ast
    import gc
    import importlib
    import os
    import sys

    # Modules that start no thread, of which a copy of the process would lack all but one: those of Python, and these,
    # if the libraries in them have one thread.
    known = set(sys.stdlib_module_names)
    numbers = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")
    wanted = ["pickle"]
    if all(os.environ.get(name) == "1" for name in numbers):
        known.update(("numpy", "scipy"))
        wanted.append("numpy")
    try:
        with open(sys.modules["__main__"].__file__, "rb") as script:
            parsed = ast.parse(script.read())
    except Exception:
        parsed = ast.Module([], [])  # there is no script, or it is none of Python
    for statement in parsed.body:
        if isinstance(statement, ast.Import):
            wanted.extend(alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            wanted.append(statement.module)
    # A program may have modules of its own with these names, whose import does what it likes.
    folders = {os.path.realpath(folder) for folder in (os.getcwd(), sys.path[0])}
    for name in wanted:
        first = name.partition(".")[0]
        try:
            own = any(os.path.exists(os.path.join(folder, first + end)) for folder in folders for end in ("", ".py"))
            if first in known and name not in sys.modules and not own:
                importlib.import_module(name)
        except Exception:
            pass  # it is raised again where the program imports it
    # The collector of a rank does not look at the objects that all have, which would copy their memory.
    gc.collect()
    gc.freeze()


prepare()
