"""One-sided calls, which are not simulated: whoever uses one is told."""

from collections.abc import Callable
from typing import Any, NoReturn


def refuse(name: str) -> NoReturn:
    """Says that a one-sided call is not supported.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError(
        f"{name}: one-sided calls are not supported; programs have sends, receives and collectives (docs/programs.md)"
    )


def refused(name: str) -> Callable[..., NoReturn]:
    """A one-sided call of a communicator, which says that it is not supported."""

    def call(*_arguments: Any, **_keywords: Any) -> NoReturn:  # noqa: ANN401
        """Says that one-sided calls are not supported."""
        refuse(name)

    return call


class _Refusing(type):
    """Every attribute of its classes is a one-sided call."""

    def __getattr__(cls, name: str) -> NoReturn:
        refuse(f"Win.{name}")


class Win(metaclass=_Refusing):
    """A window of memory for one-sided calls: `Win.Create` and all others say that they are not supported."""

    def __init__(self, *_arguments: Any, **_keywords: Any) -> None:  # noqa: ANN401
        """Says that there are none."""
        refuse("Win")
