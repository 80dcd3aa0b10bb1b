//! Dateline pairs (row S28): a packet takes the first VC of a pair as its escape until it crosses the dateline of the
//! dimension, then the second.

use super::machine_option::MachineOption;
use crate::sets::BitSet;
use crate::specialization::Specialization;
use crate::visit::Visit;
use geometry::Direction;
use network::fabric::Fabric;
use network::packet::Packet;

/// Dateline pairs.
pub struct Datelines;

impl MachineOption for Datelines {
    fn is_on(fabric: &Fabric) -> bool {
        fabric.has_datelines
    }

    fn new_head<F: Specialization>(visit: &mut Visit<'_, F>, input: usize, packet: Packet) {
        let fabric = visit.fabric;
        let has_crossed =
            fabric.escape(packet).is_some_and(|(port, _)| fabric.layout.has_crossed(packet, port / 2));
        let crossed = &mut visit.store.optional[visit.local].crossed;
        *crossed &= !F::Inputs::only(input);
        *crossed |= F::Inputs::only_if(input, has_crossed);
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// Whether the escape VCs are a dateline pair.
    #[inline(always)]
    pub(crate) fn has_datelines(&self) -> bool {
        F::HAS_OPTIONS && self.fabric.has_datelines
    }

    /// Inputs whose head packets have crossed the dateline of the dimension that their escape takes.
    #[inline(always)]
    pub(crate) fn crossed(&self) -> F::Inputs {
        if self.has_datelines() { self.store.optional[self.local].crossed } else { F::Inputs::default() }
    }

    /// The inputs that may take their VC of the pair that begins with VC `first` behind a port.
    #[inline(always)]
    pub(crate) fn may_take_dateline_pair(&self, port: usize, first: usize) -> F::Inputs {
        let crossed = self.crossed();
        let has_room = |vc: usize| self.node.credits_of(port)[vc] >= self.fabric.full_packet;
        let all_if =
            |is_grantable: bool| if is_grantable { !F::Inputs::default() } else { F::Inputs::default() };
        (all_if(has_room(first)) & !crossed) | (all_if(has_room(first + 1)) & crossed)
    }

    /// A packet after a hop through `port`, which may cross a dateline or end a route segment.
    #[inline(always)]
    pub(crate) fn after_hop(&self, packet: Packet, port: usize) -> Packet {
        let direction = Direction::from_index(port);
        let moved = self.fabric.layout.after_hop(packet, direction);
        let moved = match self.has_datelines() && self.node.edges >> port & 1 == 1 {
            true => self.fabric.layout.across_dateline(moved, direction.dimension()),
            false => moved,
        };
        if self.has_detours() { self.fabric.layout.at_next_segment(moved) } else { moved }
    }
}
