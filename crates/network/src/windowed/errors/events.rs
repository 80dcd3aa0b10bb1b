//! What happens at the ends of links: in the steps of a node, and by what it receives.

use super::end::{Carried, NEVER};
use super::{Here, NoisyLinks};
use crate::link::{Ack, Due, Kept};
use crate::windowed::family::Family;
use crate::windowed::mail::{LOST_FRAME, Mail};
use crate::windowed::node::Node;
use crate::windowed::sets::{BitSet, Tick};
use crate::windowed::slab::Slab;
use crate::windowed::visit::Visit;

/// The links, on a machine on which they make errors.
#[inline(always)]
fn noisy<L>(links: &mut Option<Box<NoisyLinks<L>>>) -> &mut NoisyLinks<L> {
    links.as_deref_mut().expect("what concerns such links happens where there are any")
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Whether the machine's links make errors.
    #[inline(always)]
    pub(in crate::windowed) fn has_noisy_links(&self) -> bool {
        F::HAS_OPTIONS && self.store.noisy.is_some()
    }

    #[inline(always)]
    fn noisy(&mut self) -> &mut NoisyLinks<F::Label> {
        noisy(&mut self.store.noisy)
    }

    /// The node at a cycle.
    #[inline(always)]
    fn here(&self, now: u64) -> Here {
        Here { local: self.local, number: self.store.first + self.local as u32, now }
    }

    /// A packet has left a channel: that is to be acknowledged.
    #[inline(always)]
    pub(in crate::windowed) fn free_on_link(&mut self, port: usize, channel: usize, tokens: u8) {
        let local = self.local;
        self.noisy().free(local, port, channel, tokens);
    }

    /// What goes over the links before new packets: acknowledgements, then what is sent again. The links that are idle.
    pub(in crate::windowed) fn run_links(&mut self, now: i32, idle: u32) -> u32 {
        let (local, cycle) = (self.local, self.cycle(now));
        let mut are_others = false;
        for port in 0..self.fabric.ports {
            if self.noisy().clock(local, port).is_due(cycle) {
                are_others |= self.run_link(port, cycle);
            }
        }
        if are_others { self.idle_links(now) } else { idle }
    }

    /// A cycle in which nothing but links is due, unless these let the node grant something. When the next one is due.
    pub(in crate::windowed) fn step_of_links(&mut self, now: i32) -> Option<F::Tick> {
        let (local, stalled, cycle) = (self.local, self.node.stalled, self.cycle(now));
        if self.fabric.has_gap() || self.noisy().has_ack_for_waiting(local, stalled, cycle) {
            return None;
        }
        let mut are_others = false;
        for port in 0..self.fabric.ports {
            if self.noisy().clock(local, port).duty <= cycle {
                are_others |= self.run_link(port, cycle);
            }
        }
        if are_others {
            self.idle_links(now);
            return None;
        }
        self.plan_links();
        Some(self.next_step())
    }

    /// Does what is due at a link; whether it is idle from another time on than before.
    fn run_link(&mut self, port: usize, now: u64) -> bool {
        let (local, fabric) = (self.local, self.fabric);
        let end = self.noisy().end_mut(local, port);
        end.take_tails(now);
        self.take_link_acks(port, now);
        if self.noisy().end(local, port).timer <= now {
            self.look_at_timer(port, now);
        }
        let end = self.noisy().end_mut(local, port);
        if end.is_ack_due | end.is_probe_due {
            self.send_link_acks(port, now);
        }
        let end = self.noisy().end_mut(local, port);
        if end.sender.has_to_send_again() && end.wire_free_at <= now {
            self.send_again(port, now);
        }
        let epoch_start = self.epoch_start;
        let idle_from = self.noisy().set_clock(fabric, local, port);
        let idle_from = match idle_from {
            NEVER => F::Tick::NEVER,
            time => F::Tick::after((time.max(epoch_start) - epoch_start) as i32),
        };
        let before = std::mem::replace(&mut self.node.times[port], idle_from);
        let was_idle = before.cycles() <= self.tick_of(now).cycles();
        let is_idle = idle_from.cycles() <= self.tick_of(now).cycles();
        before != idle_from && !(was_idle && is_idle)
    }

    /// The links that are idle now that the wires have been seen to. One that has been taken is no longer stalled.
    fn idle_links(&mut self, now: i32) -> u32 {
        let tick = F::Tick::after(now);
        let links = &self.node.times[..Node::<F, P, V, C, S>::CHANNELS];
        let idle = F::links(F::due(links, tick)) & ((1 << P) - 1);
        self.next_if_saturated = F::next(links, tick);
        let taken = self.node.stalled & !(idle as u16);
        if taken != 0 {
            self.node.closed &= !taken;
            self.count_stalls(self.node.stalled & !taken, self.cycle(now));
        }
        idle
    }

    /// Takes in the acknowledgements that have come by `now`.
    #[inline(always)]
    fn take_link_acks(&mut self, port: usize, now: u64) {
        let end = noisy(&mut self.store.noisy).end_mut(self.local, port);
        while let Some((time, ack)) = end.take_ack(now) {
            let back = end.sender.acknowledge(&ack, time, |_| {});
            let tokens = &mut self.node.tokens[port * V..(port + 1) * V];
            tokens.iter_mut().zip(back).for_each(|(tokens, back)| *tokens += back);
            self.node.closed &= !u16::only(port);
        }
    }

    /// The same at all ports, before `end`: nobody has waited for them.
    pub(in crate::windowed) fn settle_links(&mut self, end: u64) {
        let (local, fabric) = (self.local, self.fabric);
        for port in 0..fabric.ports {
            if self.noisy().clock(local, port).ack < end {
                self.take_link_acks(port, end - 1);
                self.noisy().set_clock(fabric, local, port);
            }
        }
    }

    /// It may be time to send again, or to ask where tokens are.
    fn look_at_timer(&mut self, port: usize, now: u64) {
        let (local, fabric) = (self.local, self.fabric);
        let are_missing = |channel: usize| self.node.tokens[port * V + channel] < fabric.capacity[channel];
        let are_tokens_missing = (0..fabric.channels).any(are_missing);
        let noisy = self.noisy();
        let timeout_cycles = noisy.timeout_cycles();
        let end = noisy.end_mut(local, port);
        let due = end.sender.look_at_timer(now, timeout_cycles, are_tokens_missing);
        end.is_probe_due |= due == Due::Probe;
        end.timer = match due {
            Due::Nothing => NEVER,
            Due::Later(time) => time,
            Due::SendAgain | Due::Probe => now + u64::from(timeout_cycles),
        };
        noisy.totals.timeouts += u64::from(due == Due::SendAgain);
    }

    /// Sends the acknowledgement and the probe that are due, one after the other where they hold the wire.
    fn send_link_acks(&mut self, port: usize, now: u64) {
        let (here, fabric) = (self.here(now), self.fabric);
        let latency = u64::from(fabric.token_latency());
        let node = self.store.neighbor(self.local, self.node.edges, port);
        let noisy = noisy(&mut self.store.noisy);
        let held_cycles = noisy.ack_cycles(fabric, port);
        let end = noisy.end_mut(here.local, port);
        if held_cycles > 0 && end.wire_free_at > now {
            return;
        }
        let ack = std::mem::take(&mut end.is_ack_due).then(|| end.announcement.ack());
        let probe = std::mem::take(&mut end.is_probe_due).then(|| Ack { is_probe: true, ..Ack::default() });
        let mut start = now;
        for ack in ack.into_iter().chain(probe) {
            start += held_cycles;
            if let Some(mail) = noisy.transmit_ack(fabric, here, port, ack, start + latency) {
                noisy.ack_mail.push(Mail { node, port: (port ^ 1) as u8, ..mail });
            }
        }
        if held_cycles > 0 {
            noisy.end_mut(here.local, port).wire_free_at = start;
        }
    }

    /// Sends what is next to be sent again.
    #[cold]
    fn send_again(&mut self, port: usize, now: u64) {
        let local = self.local;
        let noisy = self.noisy();
        if let Some((sequence, &kept)) = noisy.end_mut(local, port).sender.send_again(now) {
            noisy.totals.retransmissions += 1;
            self.put_on_wire(port, now, sequence, &kept);
        }
    }

    #[inline(always)]
    fn put_on_wire(&mut self, port: usize, now: u64, sequence: u64, kept: &Kept<Carried<F::Label>>) {
        let (here, fabric) = (self.here(now), self.fabric);
        let node = self.store.neighbor(self.local, self.node.edges, port);
        let mail = self.noisy().transmit(fabric, here, port, sequence, kept);
        self.store.mail.heads.push(Mail { node, port: (port ^ 1) as u8, ..mail });
    }

    /// Sends a packet that has been granted a link; `fifo` is the injection FIFO that it leaves, if any.
    pub(in crate::windowed) fn send_frame(
        &mut self,
        now: i32,
        port: usize,
        carried: Carried<F::Label>,
        fifo: Option<usize>,
    ) {
        let here = self.here(self.cycle(now));
        let (local, fabric, chunks) = (self.local, self.fabric, self.chunks(carried.packet));
        let noisy = self.noisy();
        if let Some(fifo) = fifo {
            noisy.add_injected(fabric, here, fifo, carried.packet);
        }
        let timeout_cycles = u64::from(noisy.timeout_cycles());
        let end = noisy.end_mut(local, port);
        let sequence = end.sender.next_sequence();
        let kept = Kept { content: carried, chunks, sent_at: here.now };
        end.sender.keep(kept);
        end.timer = if end.timer == NEVER { here.now + timeout_cycles } else { end.timer };
        self.put_on_wire(port, here.now, sequence, &kept);
        if self.noisy().set_clock(fabric, local, port) == NEVER {
            self.node.times[port] = F::Tick::NEVER;
        }
    }

    /// Finds out when the node's links are to be looked at next.
    pub(in crate::windowed) fn plan_links(&mut self) {
        let (local, stalled) = (self.local, self.node.stalled);
        self.noisy().plan(local, stalled);
    }

    /// When the node's links are to be looked at, if that is earlier than `wake`.
    #[inline(always)]
    pub(in crate::windowed) fn with_links(&self, wake: F::Tick) -> F::Tick {
        match self.store.noisy.as_ref().filter(|_| F::HAS_OPTIONS).and_then(|noisy| noisy.wake(self.local)) {
            Some(time) => wake.min(self.tick_of(time)),
            None => wake,
        }
    }
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    /// Notes when the tail of a frame comes; whether its head has to be noted too, being accepted.
    pub(in crate::windowed) fn note_frame(&mut self, local: usize, mail: &Mail<F::Label>) -> bool {
        let is_accepted = mail.tokens != LOST_FRAME;
        let fabric = &self.store.fabric;
        let tail = match is_accepted {
            true => mail.time + u64::from(fabric.reception_cycles(fabric.layout.chunks(mail.packet))),
            false => mail.time,
        };
        self.note_tail(local, mail.port.into(), tail, is_accepted);
        is_accepted
    }

    fn note_tail(&mut self, local: usize, port: usize, time: u64, is_accepted: bool) {
        noisy(&mut self.store.noisy).note_tail(local, port, time, is_accepted);
        self.mark(local, time);
    }

    /// Hands over the acknowledgements that nodes have sent.
    pub(in crate::windowed) fn hand_over_link_acks(&mut self) {
        let Some(links) = &mut self.store.noisy else { return };
        let mut acks = std::mem::take(&mut links.ack_mail);
        for mail in acks.drain(..) {
            match self.local(mail.node) {
                Some(local) => self.receive_link_ack(local, &mail),
                None => self.outbox.push(mail),
            }
        }
        noisy(&mut self.store.noisy).ack_mail = acks;
    }

    /// Takes in an acknowledgement that comes, or a probe.
    pub(in crate::windowed) fn receive_link_ack(&mut self, local: usize, mail: &Mail<F::Label>) {
        let ack = Ack::read_unchecked(&mail.packet.0.to_le_bytes());
        let port = usize::from(mail.port);
        if ack.is_probe {
            return self.note_tail(local, port, mail.time, false);
        }
        let stalled = self.nodes[local].stalled;
        if noisy(&mut self.store.noisy).note_ack(local, port, mail.time, ack, stalled) {
            self.mark(local, mail.time);
        }
    }
}
