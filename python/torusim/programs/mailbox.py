"""The payloads of messages in flight. They are kept outside the simulator, which knows only the sizes of messages.

A message is identified by its sender, its receiver, the id of the communicator and its number within this stream. The
library counts the messages of a stream in the order of the calls that send them, and so does the sender's outbox. The
receiver gets the number with the outcome of its call.
"""

from collections import defaultdict
from itertools import count

from torusim.programs.payload import Payload


class Outbox:
    """The payloads that a rank has sent and that have not been received."""

    __slots__ = ("_numbers", "_payloads")

    def __init__(self) -> None:
        """Creates an empty outbox."""
        self._numbers: defaultdict[tuple[int, int], count[int]] = defaultdict(count)
        self._payloads: dict[tuple[int, int, int], Payload] = {}

    def send(self, context: int, target: int, payload: Payload) -> None:
        """Stores the payload of a message that the rank sends to a global rank."""
        self._payloads[context, target, next(self._numbers[context, target])] = payload

    def left(self) -> list[int]:
        """The targets of the messages that have not been received, as global ranks."""
        return [target for _, target, _ in self._payloads]

    def take(self, context: int, target: int, number: int) -> Payload:
        """The payload of a message, for the global rank that has received it."""
        payload = self._payloads.pop((context, target, number), None)
        if payload is None:
            raise RuntimeError(f"message {number} to rank {target} has no payload: this is a bug of torusim")
        return payload
