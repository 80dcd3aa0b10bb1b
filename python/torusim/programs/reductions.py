"""Operations of reductions, named as in mpi4py. Any other function of two operands can be used too.

They work on numbers, and element by element on arrays; MAXLOC and MINLOC on pairs of a value and its place. Operands
are combined in the order of ranks.
"""

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Reduction: TypeAlias = Callable[[Any, Any], Any]


def _on_arrays(of_arrays: Reduction, of_numbers: Reduction) -> Reduction:
    """An operation that has different names for arrays and for numbers."""

    def combine(left: Any, right: Any) -> Any:  # noqa: ANN401
        is_array = isinstance(left, np.ndarray) or isinstance(right, np.ndarray)
        return of_arrays(left, right) if is_array else of_numbers(left, right)

    return combine


def _with_place(is_better: Callable[[Any, Any], Any]) -> Reduction:
    """The operand with the better value; of equal values, the lower place."""

    def combine(left: Any, right: Any) -> Any:  # noqa: ANN401
        (value, place), (other, other_place) = left, right
        if value == other:
            return value, min(place, other_place)
        return (value, place) if is_better(value, other) else (other, other_place)

    return combine


SUM: Reduction = operator.add
PROD: Reduction = operator.mul
MAX: Reduction = _on_arrays(np.maximum, max)
MIN: Reduction = _on_arrays(np.minimum, min)
LAND: Reduction = _on_arrays(np.logical_and, lambda left, right: bool(left) and bool(right))
LOR: Reduction = _on_arrays(np.logical_or, lambda left, right: bool(left) or bool(right))
LXOR: Reduction = _on_arrays(np.logical_xor, lambda left, right: bool(left) != bool(right))
BAND: Reduction = operator.and_
BOR: Reduction = operator.or_
BXOR: Reduction = operator.xor
MAXLOC: Reduction = _with_place(operator.gt)
MINLOC: Reduction = _with_place(operator.lt)

_NAMES: dict[int, str] = {
    id(op): name
    for name, op in (
        *(("SUM", SUM), ("PROD", PROD), ("MAX", MAX), ("MIN", MIN), ("LAND", LAND), ("LOR", LOR), ("LXOR", LXOR)),
        *(("BAND", BAND), ("BOR", BOR), ("BXOR", BXOR), ("MAXLOC", MAXLOC), ("MINLOC", MINLOC)),
    )
}


def name_of(op: Reduction) -> str:
    """The name of an operation, which has to be the same at all ranks; for a function its name and source line."""
    name = _NAMES.get(id(op)) or getattr(op, "__qualname__", type(op).__name__)
    code = getattr(op, "__code__", None)
    return f"op={name}" if code is None or id(op) in _NAMES else f"op={name} in line {code.co_firstlineno}"
