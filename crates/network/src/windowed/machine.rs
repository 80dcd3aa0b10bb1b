//! What a visit asks about the machine, answered at compile time where its family knows the answer.

use super::family::Family;
use super::visit::Visit;
use crate::fabric::TransferCycles;
use crate::packet::Packet;
use geometry::Direction;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Dynamic channels: 0 to this, not included.
    #[inline(always)]
    pub(super) fn dynamic_channels(&self) -> usize {
        if F::IS_PLAIN { V - 1 } else { self.fabric.dynamic_channels.min(V) }
    }

    /// The escape channel.
    #[inline(always)]
    pub(super) fn escape_channel(&self) -> usize {
        if F::IS_PLAIN { V - 1 } else { self.fabric.escape_channel }
    }

    /// Channels that are not of high priority: 0 to this, not included.
    #[inline(always)]
    pub(super) fn normal_channels(&self) -> usize {
        if F::HAS_OPTIONS { self.fabric.normal_channels } else { self.escape_channel() + 1 }
    }

    /// The places whose heads have crossed the dateline of the dimension that their escape takes.
    #[inline(always)]
    pub(super) fn crossed(&self) -> F::Places {
        match F::HAS_OPTIONS && self.fabric.has_datelines {
            true => self.store.optional[self.local].crossed,
            false => F::Places::default(),
        }
    }

    /// The bits of ports in the order in which the escape takes them.
    #[inline(always)]
    pub(super) fn ranks(&self, ports: u32) -> u32 {
        if F::HAS_OPTIONS { self.fabric.in_escape_order(ports) } else { ports }
    }

    /// The places whose heads want a port on a dynamic channel, and those whose escape it is.
    #[inline(always)]
    pub(super) fn wishing(&self, port: usize) -> (F::Places, F::Places) {
        let rank = if F::HAS_OPTIONS { self.fabric.escape_rank(port) } else { port };
        let (wants, escapes) = F::wishing(&self.node.queues.wishes, rank);
        (wants, escapes & !self.dynamic_only())
    }

    /// All ports that heads want.
    #[inline(always)]
    pub(super) fn wanted(&self) -> u32 {
        let ranks = F::all_hints(&self.node.queues.wishes);
        if F::HAS_OPTIONS { self.fabric.from_escape_order(ranks) } else { ranks }
    }

    /// A packet after a hop through `port`, by which it may cross a dateline.
    #[inline(always)]
    pub(super) fn after_hop(&self, packet: Packet, port: usize) -> Packet {
        let direction = Direction::from_index(port);
        let moved = self.fabric.layout.after_hop(packet, direction);
        match F::HAS_OPTIONS && self.fabric.has_datelines && self.node.edges >> port & 1 == 1 {
            true => self.fabric.layout.across_dateline(moved, direction.dimension()),
            false => moved,
        }
    }

    /// The high-priority channel, where it is used.
    #[inline(always)]
    pub(super) fn high_priority_channel(&self) -> Option<usize> {
        if F::IS_PLAIN { None } else { self.fabric.high_priority_channel }
    }

    /// Places whose heads are of high priority.
    #[inline(always)]
    pub(super) fn urgent(&self) -> F::Places {
        if F::IS_PLAIN { F::Places::default() } else { self.node.urgent }
    }

    /// Places whose heads keep off the escape channel.
    #[inline(always)]
    pub(super) fn dynamic_only(&self) -> F::Places {
        if F::IS_PLAIN { F::Places::default() } else { self.node.dynamic_only }
    }

    /// A packet's size in chunks.
    #[inline(always)]
    pub(super) fn chunks(&self, packet: Packet) -> u8 {
        if F::IS_PLAIN { self.fabric.full_packet } else { self.fabric.layout.chunks(packet) }
    }

    /// Tokens that a packet of so many chunks is charged on a channel.
    #[inline(always)]
    pub(super) fn charge(&self, channel: usize, chunks: u8) -> u8 {
        if F::IS_PLAIN { self.fabric.full_packet } else { self.fabric.charge(channel, chunks) }
    }

    /// The same for a packet, which is looked at only if that matters.
    #[inline(always)]
    pub(super) fn charge_of(&self, channel: usize, packet: impl FnOnce() -> Packet) -> u8 {
        if F::IS_PLAIN { self.fabric.full_packet } else { self.fabric.charge_of(channel, packet) }
    }

    /// Cycles that a packet's way through `port` takes.
    #[inline(always)]
    pub(super) fn transfer_cycles(&self, port: usize, chunks: u8) -> TransferCycles {
        if F::IS_PLAIN { self.fabric.full_transfer } else { *self.fabric.transfer_cycles(port, chunks) }
    }
}
