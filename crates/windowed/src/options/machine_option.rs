//! The interface of options.

use crate::outgoing::RemoteEvent;
use crate::specialization::Specialization;
use crate::steps::Steps;
use crate::store::Store;
use crate::subdomain::Subdomain;
use crate::visit::Visit;
use network::fabric::Fabric;
use network::packet::Packet;

/// An option: its actions, in addition to the engine's own steps. By default it does nothing.
pub trait MachineOption {
    /// Whether every return of credits wakes its node.
    const WAKES_FOR_CREDITS: bool = false;
    /// Whether packets that leave for a link may need a bus to a reception FIFO too.
    const TRANSFERS_USE_BUSES: bool = false;
    /// Whether links acknowledge packets, and credits return with these acknowledgements.
    const ACKNOWLEDGES_ON_LINKS: bool = false;

    /// Whether a machine has the option.
    fn is_on(fabric: &Fabric) -> bool;

    /// Acts in a step before the events of its cycle are applied.
    fn before_events<F: Steps>(_: &mut Visit<'_, F>, _now: i32) {}

    /// Acts after the events of its cycle. `idle` are the idle links, which it may change.
    fn after_events<F: Specialization>(_: &mut Visit<'_, F>, _now: i32, _idle: &mut u32) {}

    /// Acts after software has run, before arbitration.
    fn before_arbitration<F: Specialization>(_: &mut Visit<'_, F>) {}

    /// Acts at the end of a step.
    fn after_step<F: Specialization>(_: &mut Visit<'_, F>) {}

    /// Acts where events before `end` are applied without a step, as they cannot lead to a grant.
    fn settle<F: Specialization>(_: &mut Visit<'_, F>, _end: u64) {}

    /// The next cycle in which a node must have a step because of the option.
    fn next_visit<F: Specialization>(_: &Store<F>, _local: usize) -> Option<u64> {
        None
    }

    /// Runs a cycle in which nothing else has anything to do. Returns when the next step is due, or none if a full step
    /// is needed.
    fn step_alone<F: Specialization>(_: &mut Visit<'_, F>, _now: i32) -> Option<F::Tick> {
        None
    }

    /// A packet has become the head packet of an input.
    fn new_head<F: Specialization>(_: &mut Visit<'_, F>, _input: usize, _packet: Packet) {}

    /// Inputs whose head packets lack something that the option requires. They are treated like those without a
    /// transfer path.
    fn blocked<F: Specialization>(_: &Visit<'_, F>) -> F::Inputs {
        F::Inputs::default()
    }

    /// Inputs whose head packets must not request a link in this cycle.
    fn held_back<F: Specialization>(_: &Visit<'_, F>) -> F::Inputs {
        F::Inputs::default()
    }

    /// The head packet of an input is granted a sender, or its reception FIFO.
    fn granted<F: Specialization>(_: &mut Visit<'_, F>, _input: usize, _sender: Option<usize>) {}

    /// The head packet of a VC begins to leave for a link. Returns whether its departure must wake the node.
    fn begins_transfer<F: Specialization>(_: &mut Visit<'_, F>, _input: usize) -> bool {
        false
    }

    /// Acts when a packet begins to cross the link of a port. `arrival` is the event at the next node. `fifo` is the
    /// injection FIFO that the packet leaves, if any. Returns whether the option sends the event itself.
    fn carries<F: Specialization>(
        _: &mut Visit<'_, F>,
        _now: i32,
        _port: usize,
        _arrival: &RemoteEvent<F::Metadata>,
        _fifo: Option<usize>,
    ) -> bool {
        false
    }

    /// Acts when the packet at `index` of the VC buffers begins to flow into its reception FIFO. It is complete there
    /// at `received`.
    fn begins_reception<F: Specialization>(_: &mut Visit<'_, F>, _index: usize, _received: i32) {}

    /// The bus of some inputs to their reception FIFO is free again.
    fn frees_bus<F: Specialization>(_: &mut Visit<'_, F>, _inputs: F::Inputs) {}

    /// A packet has left its VC completely.
    fn has_left<F: Specialization>(_: &mut Visit<'_, F>, _: Departure, _now: i32) {}

    /// Whether an infinite injection FIFO may take a packet from the source.
    fn may_refill<F: Specialization>(_: &Visit<'_, F>, _fifo: usize) -> bool {
        true
    }

    /// Acts when an infinite injection FIFO has taken a packet.
    fn has_refilled<F: Specialization>(_: &mut Visit<'_, F>, _fifo: usize) {}

    /// The head packet of an infinite injection FIFO is about to make its first request.
    fn before_first_request<F: Specialization>(_: &mut Visit<'_, F>, _fifo: usize, _now: u64) {}

    /// Delivers the events that the nodes of a subdomain have sent because of the option.
    fn deliver<F: Specialization>(_: &mut Subdomain<F>) {}

    /// Whether the packet of an arrival enters its node.
    fn accepts<F: Specialization>(
        _: &mut Subdomain<F>,
        _local: usize,
        _event: &RemoteEvent<F::Metadata>,
    ) -> bool {
        true
    }

    /// Receives an event from another subdomain, if it is one of the option's.
    fn receives<F: Specialization>(
        _: &mut Subdomain<F>,
        _local: usize,
        _event: &RemoteEvent<F::Metadata>,
    ) -> bool {
        false
    }
}

/// A packet that has left its VC completely.
#[derive(Clone, Copy)]
pub struct Departure {
    /// The number of the VC as an input.
    pub input: usize,
    /// The packet's index in the VC buffers.
    pub index: usize,
    /// Credits that the packet was charged.
    pub charge: u8,
}
