"""The payloads that are under way, beside the simulator, which knows the sizes of messages only.

A message is named by its sender, its receiver, the id of the communicator and its number among those: the library
counts the messages of such a stream in the order of the calls that send them, and so does the sender's outbox. The
receiver is told the number.
"""

from torusim.programs.payload import Payload


class Outbox:
    """The payloads that a rank has sent and nobody has received."""

    __slots__ = ("_next", "_payloads")

    def __init__(self) -> None:
        """Nothing has been sent."""
        self._next: dict[tuple[int, int], int] = {}
        self._payloads: dict[tuple[int, int, int], Payload] = {}

    def send(self, context: int, target: int, payload: Payload) -> None:
        """The rank makes a call that sends a message to a rank of the machine."""
        stream = context, target
        number = self._next.get(stream, 0)
        self._next[stream] = number + 1
        self._payloads[context, target, number] = payload

    def left(self) -> list[int]:
        """The targets of the messages that nobody has received, as ranks of the machine."""
        return [target for _, target, _ in self._payloads]

    def take(self, context: int, target: int, number: int) -> Payload:
        """The payload of a message, for the rank of the machine that has received it."""
        payload = self._payloads.pop((context, target, number), None)
        if payload is None:
            raise RuntimeError(f"message {number} to rank {target} has no payload: this is a bug of torusim")
        return payload
