//! The visits to the nodes of a subdomain in a window, in order of their numbers.
//!
//! Memory is prefetched ahead of the visits: the state of the eighth next node, and of the third next what is
//! known once its state has come: the packets that wait there, and what is first in the queues of its
//! software. Ranks go into the second-level cache, as eight nodes with them fill the first. Uniform machines
//! prefetch packets in FIFOs only where the state of a node's software is small (`NodeSoftware::is_small`).

use super::buffers::Buffers;
use super::calendar::Calendar;
use super::offered::FarOffers;
use super::options;
use super::outgoing::Outgoing;
use super::sets::{BitSet, Tick, assume};
use super::specialization::Specialization;
use super::steps::Steps;
use super::subdomain::Subdomain;
use super::vector::{Kernel, Vectors};
use super::visit::Visit;
use base::memory;
use network::fabric::Fabric;
use network::traffic::Traffic;
use std::sync::Arc;

/// Number of active nodes by which memory is prefetched ahead. It is far enough for the data to arrive, and near enough
/// for them to stay.
const PREFETCH_AHEAD: usize = 8;

/// Number of active nodes by which the packets that wait at a node are prefetched ahead. They are known only when the
/// node's state is in the cache.
const PREFETCH_PACKETS_AHEAD: usize = 3;

/// Number of events of each kind that wait for their receivers to be in the cache.
const EVENTS_HELD_BACK: usize = 24;

/// A subdomain and the window that it runs.
struct Window<'a, F: Specialization> {
    subdomain: &'a mut Subdomain<F>,
    window: u64,
    end: u64,
}

impl<F: Steps> Kernel for Window<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.subdomain.visit_nodes(self.window, self.end);
    }
}

impl<F: Steps> Subdomain<F> {
    /// Nodes `first..first + count` at rest at cycle 0.
    pub fn new(fabric: &Arc<Fabric>, traffic: &Traffic, far: &FarOffers, first: u32, count: u32) -> Self {
        let mut subdomain = Self::at_rest(fabric, traffic, far, first, count);
        for local in 0..subdomain.nodes.len() {
            Visit::new(&mut subdomain.nodes[local], local, fabric, &mut subdomain.store).start();
        }
        subdomain.rebuild_calendar(0);
        subdomain
    }

    /// Rebuilds the calendar from the state of the nodes at cycle `now`.
    pub fn rebuild_calendar(&mut self, now: u64) {
        self.calendar = Calendar::starting(self.nodes.len(), self.windows.number(now));
        self.epoch = self.epoch_of_window();
        for local in 0..self.nodes.len() {
            // Times of a restored node that has long been idle may be out of the range of its epoch.
            self.enter_epoch(local);
            self.update_software_time(local);
            self.mark_or_sleep(local);
        }
    }

    /// Marks a node for the window of its next visit, if any.
    #[inline(always)]
    pub(super) fn mark_next(&mut self, local: usize) {
        self.mark_at(local, self.nodes[local].wake.min(self.store.software_at(local)));
        if let Some(time) = options::next_visit(&self.store, local) {
            self.mark(local, time);
        }
    }

    /// Marks a node for the window that contains `next`, a time of the node's epoch. If that time has been clamped, the
    /// node sleeps.
    #[inline(always)]
    fn mark_at(&mut self, local: usize, next: F::Tick) {
        if next < F::Tick::LATEST {
            let start = self.nodes[local].epoch_start();
            self.mark(local, start.wrapping_add_signed(next.cycles().into()));
        } else if next != F::Tick::NEVER {
            self.mark_or_sleep(local);
        }
    }

    /// Marks a node for the window of its next visit, if any, or lets it sleep until then.
    #[cold]
    pub(super) fn mark_or_sleep(&mut self, local: usize) {
        let window_start = self.window_start();
        let visit = Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store);
        if let Some(time) = visit.next_cycle(window_start) {
            self.calendar.mark_or_sleep(self.windows.number(time), local);
        }
    }

    /// Simulates the part of `window` before `end`, node by node in order of their numbers.
    pub fn run_window(&mut self, window: u64, end: u64) {
        F::Processor::run(Window { subdomain: self, window, end });
    }

    #[inline(always)]
    fn visit_nodes(&mut self, window: u64, end: u64) {
        for local in self.calendar.enter(window) {
            self.mark_or_sleep(local as usize);
        }
        self.epoch = self.epoch_of_window();
        let mut active = std::mem::take(&mut self.active);
        self.calendar.take_window(&mut active);
        let software_runs_by = self.tick_of_epoch(end);
        let is_software_small = self.store.endpoints().is_some_and(|endpoints| endpoints.is_small());
        for (number, &local) in active.iter().enumerate() {
            if self.outgrows_cache
                && let Some(&ahead) = active.get(number + PREFETCH_AHEAD)
            {
                self.prefetch_visit(ahead as usize, software_runs_by);
                if !F::IS_PLAIN {
                    let ahead = active[number + PREFETCH_PACKETS_AHEAD] as usize;
                    self.prefetch_packets(ahead, is_software_small);
                    if !is_software_small {
                        self.prefetch_queues(ahead, software_runs_by);
                    }
                }
            }
            self.visit(local as usize, end);
            let Outgoing { heads, credits, .. } = &self.store.outgoing;
            if heads.is_due(EVENTS_HELD_BACK) | credits.is_due(EVENTS_HELD_BACK) {
                self.deliver(EVENTS_HELD_BACK);
            }
        }
        self.deliver(0);
        options::deliver(self);
        if !F::IS_PLAIN {
            self.deliver_announcements();
            self.deliver_signals();
        }
        self.active = active;
    }

    /// Visits a node up to `end`, and prefetches the state of the nodes that will receive its events.
    #[inline(always)]
    fn visit(&mut self, local: usize, end: u64) {
        // SAFETY: the calendar holds only nodes of the subdomain.
        unsafe { assume(local < self.nodes.len()) };
        let Outgoing { heads, credits, .. } = &self.store.outgoing;
        let positions = (heads.position(), credits.position());
        self.enter_epoch(local);
        let next = Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).run(end);
        match F::HAS_OPTIONS {
            true => self.mark_next(local),
            false => self.mark_at(local, next),
        }
        if self.outgrows_cache {
            let Outgoing { heads, credits, .. } = &self.store.outgoing;
            // Most visits on plain machines send something, and a branch on that would be unpredictable.
            for event in heads.latest(positions.0, F::IS_PLAIN) {
                if let Some(local) = self.local(event.node) {
                    self.prefetch_for_arrival(local, event);
                }
            }
            for event in credits.latest(positions.1, F::IS_PLAIN) {
                if let Some(local) = self.local(event.node) {
                    self.prefetch_for_credits(local, event);
                }
            }
        }
    }

    /// A cycle of the window, or its end, as a time of the window's epoch.
    #[inline(always)]
    fn tick_of_epoch(&self, time: u64) -> F::Tick {
        F::Tick::after((time - u64::from(self.epoch) * F::Tick::EPOCH_CYCLES as u64) as i32)
    }

    /// Prefetches the packets that wait at a node. On uniform machines, packets in the node's FIFOs are prefetched only
    /// if the software's state leaves room in the cache. So are packets that flow into these.
    #[inline(always)]
    fn prefetch_packets(&self, local: usize, is_software_small: bool) {
        if is_software_small | !F::IS_UNIFORM
            && let Some(endpoints) = self.store.endpoints()
        {
            endpoints.prefetch_packets(local, is_software_small);
        }
        if !F::IS_UNIFORM {
            return;
        }
        let node = &self.nodes[local];
        let there = F::Inputs::of_flags(node.count.iter().map(|&count| count > 0));
        for input in there.iter() {
            self.store.buffers.prefetch_first(self.vc(local, input));
        }
        if is_software_small {
            for input in node.to_reception.iter() {
                self.store.buffers.prefetch_leaving(self.vc(local, input));
            }
        }
    }

    /// Prefetches the first elements in the queues of software that is due by a time of the epoch.
    #[inline(always)]
    fn prefetch_queues(&self, local: usize, software_runs_by: F::Tick) {
        if self.store.software_at(local) < software_runs_by
            && let Some(endpoints) = self.store.endpoints()
        {
            endpoints.prefetch_queues(local);
        }
    }

    /// Prefetches the data that a visit is likely to access. Also prefetches the state of software that is due by a
    /// time of the epoch.
    #[inline(always)]
    fn prefetch_visit(&self, local: usize, software_runs_by: F::Tick) {
        memory::lines(&self.nodes[local..local + 1]);
        self.store.buffers.prefetch_node(local);
        self.store.links.prefetch(local);
        if self.store.software_at(local) < software_runs_by
            && let Some(endpoints) = self.store.endpoints()
        {
            endpoints.prefetch(local);
        }
    }
}
