"""The payloads that are under way, beside the simulator, which knows the sizes of messages only.

A message is named by its sender and its number, which the simulator tells: the sender when its call ends, the receiver
when it has the message. The receiver may hear of it first, as the core of the sender may have other things to do before
it ends the call. Then the message is that of the call in which the sender still is.
"""

from torusim.programs.payload import Payload


class Outbox:
    """The payloads that a rank has sent and nobody has received."""

    __slots__ = ("_in_call", "_sent")

    def __init__(self) -> None:
        """Nothing has been sent."""
        self._sent: dict[int, Payload] = {}
        self._in_call: Payload | None = None

    def send(self, payload: Payload) -> None:
        """The rank begins a call that sends a message."""
        self._in_call = payload

    def name(self, number: int) -> None:
        """That call has ended: the message has this number."""
        if self._in_call is not None:
            self._sent[number] = self._in_call
            self._in_call = None

    def take(self, number: int) -> Payload:
        """The payload of a message, for the rank that has received it."""
        payload = self._sent.pop(number, None)
        if payload is None:
            payload, self._in_call = self._in_call, None
        if payload is None:
            raise RuntimeError(f"message {number} has no payload: this is a bug of torusim")
        return payload
