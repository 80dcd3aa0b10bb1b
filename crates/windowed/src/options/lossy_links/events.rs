//! Events at the ends of links: in the steps of a node, and on reception from other nodes.

use super::end::{Carried, NEVER};
use super::{Here, LossyLinks};
use crate::options::machine_option::{Departure, MachineOption};
use crate::outgoing::{LINK_ACK, LOST_FRAME, RemoteEvent};
use crate::sets::{BitSet, Tick};
use crate::specialization::Specialization;
use crate::store::Store;
use crate::subdomain::Subdomain;
use crate::visit::Visit;
use network::fabric::Fabric;
use network::link::{Ack, Due, Unacknowledged};

/// Lossy links, as an option of the machine.
pub struct LinkErrors;

/// The lossy links, on a machine that has them.
#[inline(always)]
fn lossy<L>(links: &mut Option<Box<LossyLinks<L>>>) -> &mut LossyLinks<L> {
    links.as_deref_mut().expect("only machines with lossy links get here")
}

impl MachineOption for LinkErrors {
    const ACKNOWLEDGES_ON_LINKS: bool = true;

    fn is_on(fabric: &Fabric) -> bool {
        fabric.parameters.link_protocol.is_some()
    }

    fn after_events<F: Specialization>(visit: &mut Visit<'_, F>, now: i32, idle: &mut u32) {
        *idle = visit.run_links(now, *idle);
    }

    fn after_step<F: Specialization>(visit: &mut Visit<'_, F>) {
        visit.schedule_links();
    }

    fn settle<F: Specialization>(visit: &mut Visit<'_, F>, end: u64) {
        visit.settle_links(end);
    }

    fn next_visit<F: Specialization>(store: &Store<F>, local: usize) -> Option<u64> {
        store.lossy.as_ref()?.wake(local)
    }

    fn step_alone<F: Specialization>(visit: &mut Visit<'_, F>, now: i32) -> Option<F::Tick> {
        visit.step_links(now)
    }

    fn carries<F: Specialization>(
        visit: &mut Visit<'_, F>,
        now: i32,
        port: usize,
        arrival: &RemoteEvent<F::Metadata>,
        fifo: Option<usize>,
    ) -> bool {
        let RemoteEvent { packet, offered, metadata, vc, .. } = *arrival;
        visit.send_frame(now, port, Carried { packet, offered, metadata, vc }, fifo);
        true
    }

    /// Records that a packet that has left a VC has to be acknowledged.
    fn has_left<F: Specialization>(visit: &mut Visit<'_, F>, departure: Departure, _: i32) {
        let Departure { input, charge, .. } = departure;
        let local = visit.local;
        visit.lossy().free(local, input / F::VCS, input % F::VCS, charge);
    }

    fn deliver<F: Specialization>(subdomain: &mut Subdomain<F>) {
        subdomain.deliver_link_acks();
    }

    fn accepts<F: Specialization>(
        subdomain: &mut Subdomain<F>,
        local: usize,
        event: &RemoteEvent<F::Metadata>,
    ) -> bool {
        subdomain.record_frame(local, event)
    }

    fn receives<F: Specialization>(
        subdomain: &mut Subdomain<F>,
        local: usize,
        event: &RemoteEvent<F::Metadata>,
    ) -> bool {
        match event.credits {
            LINK_ACK => subdomain.receive_link_ack(local, event),
            LOST_FRAME => _ = subdomain.record_frame(local, event),
            _ => return false,
        }
        true
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// Computes the cycle in which the node next has to be visited because of its links.
    fn schedule_links(&mut self) {
        let (local, stalled) = (self.local, self.node.stalled);
        self.lossy().plan(local, stalled);
    }

    #[inline(always)]
    fn lossy(&mut self) -> &mut LossyLinks<F::Metadata> {
        lossy(&mut self.store.lossy)
    }

    /// The node and the current cycle.
    #[inline(always)]
    fn here(&self, now: u64) -> Here {
        Here { local: self.local, number: self.store.first + self.local as u32, now }
    }

    /// Sends frames that have precedence over new packets: acknowledgements, then retransmissions. Returns the idle
    /// links.
    fn run_links(&mut self, now: i32, idle: u32) -> u32 {
        let (local, cycle) = (self.local, self.cycle(now));
        let mut has_changed = false;
        for port in 0..self.fabric.ports {
            if self.lossy().clock(local, port).is_due(cycle) {
                has_changed |= self.run_link(port, cycle);
            }
        }
        if has_changed { self.idle_links(now) } else { idle }
    }

    /// Runs a cycle in which only links are due; returns when the next step is due. Returns `None` if a full step is
    /// needed: the links may let the node grant something, or arbitration has gaps.
    fn step_links(&mut self, now: i32) -> Option<F::Tick> {
        let (local, stalled, cycle) = (self.local, self.node.stalled, self.cycle(now));
        if self.fabric.has_arbitration_gap() || self.lossy().has_ack_for_waiting(local, stalled, cycle) {
            return None;
        }
        let mut has_changed = false;
        for port in 0..self.fabric.ports {
            if self.lossy().clock(local, port).next_task <= cycle {
                has_changed |= self.run_link(port, cycle);
            }
        }
        if has_changed {
            self.idle_links(now);
            return None;
        }
        self.schedule_links();
        Some(self.next_step())
    }

    /// Runs the tasks that are due at a link. Returns whether the cycle from which the link is idle has changed, unless
    /// it was idle and still is.
    fn run_link(&mut self, port: usize, now: u64) -> bool {
        let (local, fabric) = (self.local, self.fabric);
        let end = self.lossy().end_mut(local, port);
        end.take_tails(now);
        self.take_link_acks(port, now);
        if self.lossy().end(local, port).timer <= now {
            self.check_timer(port, now);
        }
        let end = self.lossy().end_mut(local, port);
        if end.is_ack_due | end.is_probe_due {
            self.send_link_acks(port, now);
        }
        let end = self.lossy().end_mut(local, port);
        if end.sender.must_retransmit() && end.wire_free_at <= now {
            self.retransmit(port, now);
        }
        let epoch_start = self.epoch_start;
        let idle_from = self.lossy().set_clock(fabric, local, port);
        let idle_from = match idle_from {
            NEVER => F::Tick::NEVER,
            time => self.tick_of(time.max(epoch_start)),
        };
        let before = std::mem::replace(&mut self.node.times[port], idle_from);
        let was_idle = before.cycles() <= self.tick_of(now).cycles();
        let is_idle = idle_from.cycles() <= self.tick_of(now).cycles();
        before != idle_from && !(was_idle && is_idle)
    }

    /// The links that are idle after their protocol has run. A link that is no longer idle is no longer stalled.
    fn idle_links(&mut self, now: i32) -> u32 {
        let tick = F::Tick::after(now);
        let links = &self.node.times[..F::VC_SLOT];
        let idle = F::links(F::due(links, tick)) & ((1 << F::PORTS) - 1);
        self.next_if_saturated = F::next(links, tick);
        let taken = self.node.stalled & !(idle as u16);
        if taken != 0 {
            self.node.blocked_outputs &= !taken;
            self.count_stalls(self.node.stalled & !taken, self.cycle(now));
        }
        idle
    }

    /// Processes the acknowledgements that have arrived by `now`.
    #[inline(always)]
    fn take_link_acks(&mut self, port: usize, now: u64) {
        let end = lossy(&mut self.store.lossy).end_mut(self.local, port);
        while let Some((time, ack)) = end.take_ack(now) {
            let back = end.sender.acknowledge(&ack, time, |_| {});
            let credits = &mut self.node.credits[port * F::VCS..(port + 1) * F::VCS];
            credits.iter_mut().zip(back).for_each(|(credits, back)| *credits += back);
            self.node.blocked_outputs &= !u16::only(port);
        }
    }

    /// Processes the acknowledgements that have arrived before `end` at all ports; no packet has waited for them.
    fn settle_links(&mut self, end: u64) {
        let (local, fabric) = (self.local, self.fabric);
        for port in 0..fabric.ports {
            if self.lossy().clock(local, port).ack < end {
                self.take_link_acks(port, end - 1);
                self.lossy().set_clock(fabric, local, port);
            }
        }
    }

    /// Checks whether a retransmission is due, or a probe for missing credits.
    fn check_timer(&mut self, port: usize, now: u64) {
        let (local, fabric) = (self.local, self.fabric);
        let are_missing = |vc: usize| self.node.credits[port * F::VCS + vc] < fabric.capacity[vc];
        let are_credits_missing = (0..fabric.vcs).any(are_missing);
        let lossy = self.lossy();
        let timeout_cycles = lossy.timeout_cycles();
        let end = lossy.end_mut(local, port);
        let due = end.sender.check_timer(now, timeout_cycles, are_credits_missing);
        end.is_probe_due |= due == Due::Probe;
        end.timer = match due {
            Due::Nothing => NEVER,
            Due::Later(time) => time,
            Due::Retransmit | Due::Probe => now + u64::from(timeout_cycles),
        };
        lossy.totals.timeouts += u64::from(due == Due::Retransmit);
    }

    /// Sends the acknowledgement and the probe that are due, one after the other if they occupy the wire.
    fn send_link_acks(&mut self, port: usize, now: u64) {
        let (here, fabric) = (self.here(now), self.fabric);
        let latency = u64::from(fabric.credit_latency());
        let node = self.store.neighbors.at(self.local, self.node.edges, port);
        let lossy = lossy(&mut self.store.lossy);
        let held_cycles = lossy.ack_cycles(fabric, port);
        let end = lossy.end_mut(here.local, port);
        if held_cycles > 0 && end.wire_free_at > now {
            return;
        }
        let ack = std::mem::take(&mut end.is_ack_due).then(|| end.announcement.ack());
        let probe = std::mem::take(&mut end.is_probe_due).then(|| Ack { is_probe: true, ..Ack::default() });
        let mut start = now;
        for ack in ack.into_iter().chain(probe) {
            start += held_cycles;
            if let Some(event) = lossy.transmit_ack(fabric, here, port, ack, start + latency) {
                lossy.outgoing_acks.push(RemoteEvent { node, port: (port ^ 1) as u8, ..event });
            }
        }
        if held_cycles > 0 {
            lossy.end_mut(here.local, port).wire_free_at = start;
        }
    }

    /// Sends the next retransmission.
    #[cold]
    fn retransmit(&mut self, port: usize, now: u64) {
        let local = self.local;
        let lossy = self.lossy();
        if let Some((sequence, &kept)) = lossy.end_mut(local, port).sender.retransmit(now) {
            lossy.totals.retransmissions += 1;
            self.put_on_wire(port, now, sequence, &kept);
        }
    }

    #[inline(always)]
    fn put_on_wire(
        &mut self,
        port: usize,
        now: u64,
        sequence: u64,
        kept: &Unacknowledged<Carried<F::Metadata>>,
    ) {
        let (here, fabric) = (self.here(now), self.fabric);
        let node = self.store.neighbors.at(self.local, self.node.edges, port);
        let event = self.lossy().transmit(fabric, here, port, sequence, kept);
        self.store.outgoing.heads.push(RemoteEvent { node, port: (port ^ 1) as u8, ..event });
    }

    /// Sends a packet that has been granted a link; `fifo` is the injection FIFO that the packet leaves, if any.
    fn send_frame(&mut self, now: i32, port: usize, carried: Carried<F::Metadata>, fifo: Option<usize>) {
        let here = self.here(self.cycle(now));
        let (local, fabric, chunks) = (self.local, self.fabric, self.chunks(carried.packet));
        let lossy = self.lossy();
        if let Some(fifo) = fifo {
            lossy.add_injected(fabric, here, fifo, carried.packet);
        }
        let timeout_cycles = u64::from(lossy.timeout_cycles());
        let end = lossy.end_mut(local, port);
        let sequence = end.sender.next_sequence();
        let kept = Unacknowledged { content: carried, chunks, sent_at: here.now };
        end.sender.keep(kept);
        end.timer = if end.timer == NEVER { here.now + timeout_cycles } else { end.timer };
        self.put_on_wire(port, here.now, sequence, &kept);
        if self.lossy().set_clock(fabric, local, port) == NEVER {
            self.node.times[port] = F::Tick::NEVER;
        }
    }
}

impl<F: Specialization> Subdomain<F> {
    /// Records when the tail of a frame arrives. Returns whether the frame is accepted, so that its head has to be
    /// recorded too.
    fn record_frame(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) -> bool {
        let is_accepted = event.credits != LOST_FRAME;
        let fabric = &self.store.fabric;
        let tail = match is_accepted {
            true => event.time + u64::from(fabric.reception_cycles(fabric.layout.chunks(event.packet))),
            false => event.time,
        };
        self.record_tail(local, event.port.into(), tail, is_accepted);
        is_accepted
    }

    fn record_tail(&mut self, local: usize, port: usize, time: u64, is_accepted: bool) {
        lossy(&mut self.store.lossy).record_tail(local, port, time, is_accepted);
        self.mark(local, time);
    }

    /// Delivers the acknowledgements that nodes have sent.
    fn deliver_link_acks(&mut self) {
        let Some(links) = &mut self.store.lossy else { return };
        let mut acks = std::mem::take(&mut links.outgoing_acks);
        for event in acks.drain(..) {
            match self.local(event.node) {
                Some(local) => self.receive_link_ack(local, &event),
                None => self.outgoing_queue.events.push(event),
            }
        }
        lossy(&mut self.store.lossy).outgoing_acks = acks;
    }

    /// Receives an acknowledgement or a probe.
    fn receive_link_ack(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) {
        let ack = Ack::read_unchecked(&event.packet.0.to_le_bytes());
        let port = usize::from(event.port);
        if ack.is_probe {
            return self.record_tail(local, port, event.time, false);
        }
        let stalled = self.nodes[local].stalled;
        if lossy(&mut self.store.lossy).record_ack(local, port, event.time, ack, stalled) {
            self.mark(local, event.time);
        }
    }
}
