"""Signatures in the API reference: functions with `**options: Unpack[TABLE]` name their options, as in `help`."""

from collections.abc import Iterator
from typing import Any

from griffe import (
    Attribute,
    Class,
    Expr,
    ExprSubscript,
    Extension,
    Function,
    Object,
    Parameter,
    ParameterKind,
    Parameters,
)


class TableSignatures(Extension):
    """Puts the options before the parameters that can only be named."""

    def on_function(self, *, func: Function, **_about: Any) -> None:  # noqa: ANN401 - as in the base class
        """Changes a function that has a parameter of this kind."""
        kept = [parameter for parameter in func.parameters if parameter.kind is not ParameterKind.var_keyword]
        for parameter in func.parameters:
            taken = parameter.annotation
            if isinstance(taken, ExprSubscript) and taken.canonical_path == "typing.Unpack":
                assert isinstance(taken.slice, Expr)
                at = sum(each.kind is not ParameterKind.keyword_only for each in kept)
                options = _options(func.modules_collection[taken.slice.canonical_path])
                func.parameters = Parameters(*kept[:at], *options, *kept[at:])


def _options(table: Object) -> Iterator[Parameter]:
    for base in table.resolved_bases if isinstance(table, Class) else ():
        yield from _options(base)
    for name, own in table.members.items():
        if isinstance(own, Attribute):
            yield Parameter(name, annotation=own.annotation, kind=ParameterKind.keyword_only, default="None")
