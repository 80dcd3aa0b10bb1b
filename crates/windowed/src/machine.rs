//! Properties of the machine that a visit needs, constant at compile time where the specialization fixes them.

use super::sets::BitSet;
use super::specialization::Specialization;
use super::visit::Visit;
use network::fabric::TransferCycles;
use network::packet::Packet;

impl<F: Specialization> Visit<'_, F> {
    /// The adaptive VCs are `0..adaptive_vcs()`.
    #[inline(always)]
    pub(super) fn adaptive_vcs(&self) -> usize {
        if F::IS_UNIFORM { F::VCS - 1 } else { self.fabric.adaptive_vcs.min(F::VCS) }
    }

    /// The escape VC.
    #[inline(always)]
    pub(super) fn escape_vc(&self) -> usize {
        if F::IS_UNIFORM { F::VCS - 1 } else { self.fabric.escape_vc }
    }

    /// The VCs of normal priority are `0..normal_vcs()`.
    #[inline(always)]
    pub(super) fn normal_vcs(&self) -> usize {
        if F::HAS_OPTIONS { self.fabric.normal_vcs } else { self.escape_vc() + 1 }
    }

    /// The high-priority VC, if it is used.
    #[inline(always)]
    pub(super) fn high_priority_vc(&self) -> Option<usize> {
        if F::IS_UNIFORM { None } else { self.fabric.high_priority_vc }
    }

    /// Inputs whose head packets are of high priority.
    #[inline(always)]
    pub(super) fn high_priority(&self) -> F::Inputs {
        if F::IS_UNIFORM { F::Inputs::default() } else { self.node.high_priority }
    }

    /// Inputs whose head packets must not use the escape VC.
    #[inline(always)]
    pub(super) fn adaptive_only(&self) -> F::Inputs {
        if F::IS_UNIFORM { F::Inputs::default() } else { self.node.adaptive_only }
    }

    /// A packet's size in chunks.
    #[inline(always)]
    pub(super) fn chunks(&self, packet: Packet) -> u8 {
        if F::IS_UNIFORM { self.fabric.full_packet } else { self.fabric.layout.chunks(packet) }
    }

    /// Credits that a packet of `chunks` chunks is charged on a VC.
    #[inline(always)]
    pub(super) fn charge(&self, vc: usize, chunks: u8) -> u8 {
        if F::IS_UNIFORM { self.fabric.full_packet } else { self.fabric.charge(vc, chunks) }
    }

    /// Credits that a packet is charged on a VC. The packet is read only if its size matters.
    #[inline(always)]
    pub(super) fn charge_of(&self, vc: usize, packet: impl FnOnce() -> Packet) -> u8 {
        if F::IS_UNIFORM { self.fabric.full_packet } else { self.fabric.charge_of(vc, packet) }
    }

    /// Cycles of a transfer of `chunks` chunks through `port`.
    #[inline(always)]
    pub(super) fn transfer_cycles(&self, port: usize, chunks: u8) -> TransferCycles {
        if F::IS_UNIFORM { self.fabric.full_transfer } else { *self.fabric.transfer_cycles(port, chunks) }
    }

    /// Whether events that concern software alone wait until it runs.
    #[inline(always)]
    pub(super) fn has_lazy_software(&self) -> bool {
        !F::HAS_OPTIONS && self.store.endpoints().is_some()
    }

    /// The inputs that share a VC's bus to the reception FIFOs. Normal VCs share one bus; the high-priority VC has
    /// another.
    #[inline(always)]
    pub(super) fn inputs_of_bus(&self, receiver: usize, vc: usize) -> F::Inputs {
        match self.high_priority_vc() {
            Some(high) if high == vc => F::Inputs::only(receiver * F::VCS + high),
            _ => F::Inputs::range(receiver * F::VCS, self.normal_vcs()),
        }
    }
}
