"""Signatures of functions whose options are a table, a `TypedDict`."""

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import TypeVar, get_args, get_type_hints

Function = TypeVar("Function", bound=Callable[..., object])


def names_options(function: Function) -> Function:
    """Makes the signature of a function with `**options: Unpack[TABLE]` name each option, for `help` and the command.

    The options stand before the function's own keyword-only parameters, and are None by default.
    """
    hints = get_type_hints(function, include_extras=True)
    (table,) = get_args(hints.pop("options"))
    options = get_type_hints(table, include_extras=True)
    signature = inspect.signature(function)
    kept = [parameter for parameter in signature.parameters.values() if parameter.kind is not Parameter.VAR_KEYWORD]
    at = sum(parameter.kind is not Parameter.KEYWORD_ONLY for parameter in kept)
    kept[at:at] = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=options[name]) for name in options]
    function.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    function.__annotations__ = hints | options
    return function
