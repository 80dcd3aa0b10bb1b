//! The priority with which an event on its way wakes its node: not at all, if a link is idle, or always. The proof that
//! these rules suffice is in [`wake`](super::wake).

/// The priority with which an event on its way wakes its node.
#[derive(Clone, Copy, Debug)]
pub struct WakePriority {
    /// Whether the event wakes the node if a link is idle: it may let a head packet be granted one.
    pub if_idle: bool,
    /// Whether the event always wakes the node: it may lead to a reception, or concerns more than grants.
    pub always: bool,
}

impl WakePriority {
    /// Priority of the departure of a packet from its VC. The packet behind it becomes the head packet then, and may be
    /// at its destination. Other head packets may wait for the bus or the room for a copy that the packet has used
    /// (`is_awaited`). Transfer paths are in [`Node::await_path`](super::node::Node::await_path). On lossy links the
    /// departure must be acknowledged (`is_acknowledged`).
    #[inline(always)]
    pub fn of_departure(
        is_followed: bool,
        is_follower_received: bool,
        is_awaited: bool,
        is_acknowledged: bool,
    ) -> Self {
        let always = is_awaited | (is_followed & is_follower_received) | is_acknowledged;
        WakePriority { if_idle: is_followed, always }
    }

    /// Priority of the arrival of a packet at a VC. If other packets are before it, their departures make it the head
    /// packet ([`WakePriority::of_departure`], [`WakePriority::of_expected_arrival`]). If it is at its destination, it
    /// needs no link. The slot of a port has the time of the port's first arrival only. A later arrival is scheduled
    /// when the first is applied, which must therefore not wait.
    #[inline(always)]
    pub fn of_arrival(is_head: bool, is_received: bool, is_first_at_port: bool) -> Self {
        WakePriority { if_idle: is_head, always: is_head & (is_received | !is_first_at_port) }
    }

    /// Priority of the arrival of a VC's next packet when the VC becomes free. The packet is still on the link if it
    /// `is_coming`. When it was sent, others were before it, so that its arrival did not wake. Whether it is at its
    /// destination is not looked up again.
    #[inline(always)]
    pub fn of_expected_arrival(is_coming: bool) -> Self {
        WakePriority { if_idle: is_coming, always: is_coming }
    }

    /// Priority of the arrival at a port after one that has just been applied. It may be the arrival of a head packet
    /// at its destination, which is not looked up again.
    #[inline(always)]
    pub fn of_next_arrival() -> Self {
        WakePriority { if_idle: true, always: true }
    }

    /// Priority of the departure of a packet from an infinite FIFO, which takes the next packet of its lane then. The
    /// last packet taken from the lane may request later than that (`is_next` is false). The next one does so too then,
    /// and the FIFO of the last packet wakes the node. Where packets choose a route by the credits, such events are
    /// applied at their own time (`is_exact`).
    #[inline(always)]
    pub fn of_infinite_fifo(is_next: bool, is_exact: bool) -> Self {
        WakePriority { if_idle: is_next, always: is_exact }
    }

    /// Priority of the departure of a packet from a FIFO that software fills. A packet behind it needs an idle link.
    /// With options, such events are applied at their own time.
    #[inline(always)]
    pub fn of_fifo(is_followed: bool, is_exact: bool) -> Self {
        WakePriority { if_idle: is_followed, always: is_exact }
    }

    /// Priority of the first request of the head packet of an injection FIFO. With options, events of FIFOs that
    /// software fills are applied at their own time. So are those of packets that choose a route then.
    #[inline(always)]
    pub fn of_new_head(is_exact: bool) -> Self {
        WakePriority { if_idle: true, always: is_exact }
    }
}
