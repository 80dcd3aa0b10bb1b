//! Properties of the machine that a visit needs, constant at compile time where the specialization fixes them.

use super::queues::RequestVectors;
use super::specialization::Specialization;
use super::visit::Visit;
use crate::fabric::TransferCycles;
use crate::packet::Packet;
use geometry::Direction;

impl<F: Specialization> Visit<'_, F> {
    /// The adaptive VCs are `0..adaptive_vcs()`.
    #[inline(always)]
    pub(super) fn adaptive_vcs(&self) -> usize {
        if F::IS_PLAIN { F::VCS - 1 } else { self.fabric.adaptive_vcs.min(F::VCS) }
    }

    /// The escape VC.
    #[inline(always)]
    pub(super) fn escape_vc(&self) -> usize {
        if F::IS_PLAIN { F::VCS - 1 } else { self.fabric.escape_vc }
    }

    /// The VCs of normal priority are `0..normal_vcs()`.
    #[inline(always)]
    pub(super) fn normal_vcs(&self) -> usize {
        if F::HAS_OPTIONS { self.fabric.normal_vcs } else { self.escape_vc() + 1 }
    }

    /// Inputs whose head packets have crossed the dateline of the dimension that their escape takes.
    #[inline(always)]
    pub(super) fn crossed(&self) -> F::Inputs {
        match F::HAS_OPTIONS && self.fabric.has_datelines {
            true => self.store.optional[self.local].crossed,
            false => F::Inputs::default(),
        }
    }

    /// A set of ports as bits in the order in which the escape VC takes them.
    #[inline(always)]
    pub(super) fn ranks(&self, ports: u32) -> u32 {
        if F::HAS_OPTIONS { self.fabric.in_escape_order(ports) } else { ports }
    }

    /// Inputs whose head packets request a port on an adaptive VC, and inputs whose escape it is.
    #[inline(always)]
    pub(super) fn requesting(&self, port: usize) -> (F::Inputs, F::Inputs) {
        let rank = if F::HAS_OPTIONS { self.fabric.escape_rank(port) } else { port };
        let (wants, escapes) = self.node.queues.request_vectors.requesting(rank);
        (wants, escapes & !self.adaptive_only())
    }

    /// All ports that head packets request.
    #[inline(always)]
    pub(super) fn requested_ports(&self) -> u32 {
        let ranks = self.node.queues.request_vectors.all_hints();
        if F::HAS_OPTIONS { self.fabric.from_escape_order(ranks) } else { ranks }
    }

    /// A packet after a hop through `port`, which may cross a dateline.
    #[inline(always)]
    pub(super) fn after_hop(&self, packet: Packet, port: usize) -> Packet {
        let direction = Direction::from_index(port);
        let moved = self.fabric.layout.after_hop(packet, direction);
        match F::HAS_OPTIONS && self.fabric.has_datelines && self.node.edges >> port & 1 == 1 {
            true => self.fabric.layout.across_dateline(moved, direction.dimension()),
            false => moved,
        }
    }

    /// The high-priority VC, if it is used.
    #[inline(always)]
    pub(super) fn high_priority_vc(&self) -> Option<usize> {
        if F::IS_PLAIN { None } else { self.fabric.high_priority_vc }
    }

    /// Inputs whose head packets are of high priority.
    #[inline(always)]
    pub(super) fn high_priority(&self) -> F::Inputs {
        if F::IS_PLAIN { F::Inputs::default() } else { self.node.high_priority }
    }

    /// Inputs whose head packets must not use the escape VC.
    #[inline(always)]
    pub(super) fn adaptive_only(&self) -> F::Inputs {
        if F::IS_PLAIN { F::Inputs::default() } else { self.node.adaptive_only }
    }

    /// A packet's size in chunks.
    #[inline(always)]
    pub(super) fn chunks(&self, packet: Packet) -> u8 {
        if F::IS_PLAIN { self.fabric.full_packet } else { self.fabric.layout.chunks(packet) }
    }

    /// Credits that a packet of `chunks` chunks is charged on a VC.
    #[inline(always)]
    pub(super) fn charge(&self, vc: usize, chunks: u8) -> u8 {
        if F::IS_PLAIN { self.fabric.full_packet } else { self.fabric.charge(vc, chunks) }
    }

    /// The same for a packet, which is read only if its size matters.
    #[inline(always)]
    pub(super) fn charge_of(&self, vc: usize, packet: impl FnOnce() -> Packet) -> u8 {
        if F::IS_PLAIN { self.fabric.full_packet } else { self.fabric.charge_of(vc, packet) }
    }

    /// Cycles of a transfer of `chunks` chunks through `port`.
    #[inline(always)]
    pub(super) fn transfer_cycles(&self, port: usize, chunks: u8) -> TransferCycles {
        if F::IS_PLAIN { self.fabric.full_transfer } else { *self.fabric.transfer_cycles(port, chunks) }
    }
}
