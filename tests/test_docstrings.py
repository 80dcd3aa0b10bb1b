"""The API reference is made of docstrings: every public function says what each of its arguments is."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import torusim

MPI4PY = ("Comm", "Request", "Status")
"""Classes whose arguments are those of mpi4py's methods with these names."""


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of the package, and the methods of its classes."""
    for name in torusim.__all__:
        found = getattr(torusim, name)
        if inspect.isfunction(found):
            yield name, found
        elif inspect.isclass(found) and not issubclass(found, Exception):
            for method, function in inspect.getmembers(found, inspect.isroutine):
                if not method.startswith("_") and method in vars(found):
                    yield f"{name}.{method}", function


@pytest.mark.parametrize(("name", "function"), list(public()))
def test_every_argument_is_described(name: str, function: Callable[..., Any]) -> None:
    text = inspect.getdoc(function)
    assert text, f"{name} has no docstring"
    arguments = [argument for argument in inspect.signature(function).parameters if argument not in ("self", "cls")]
    if len(arguments) > 1 and not name.startswith(MPI4PY):
        described = re.findall(r"^ {4}\*{0,2}(\w+): ", text.partition("Args:")[2], re.MULTILINE)
        assert described[: len(arguments)] == arguments


@pytest.mark.parametrize(("name", "function"), list(public()))
def test_every_argument_and_result_has_a_type(name: str, function: Callable[..., Any]) -> None:
    signature = inspect.signature(function)
    untyped = [
        argument.name
        for argument in signature.parameters.values()
        if argument.name not in ("self", "cls") and argument.annotation in (inspect.Parameter.empty, object, "object")
    ]
    assert name.startswith(MPI4PY) or not untyped, name
    assert signature.return_annotation is not inspect.Signature.empty, name


@pytest.mark.parametrize("name", [name for name in torusim.__all__ if inspect.isclass(getattr(torusim, name))])
def test_every_class_describes_itself(name: str) -> None:
    assert inspect.getdoc(getattr(torusim, name))
