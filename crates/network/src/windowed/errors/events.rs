//! What happens at the ends of links: steps of a node, and what it receives.

use super::end::{Carried, NEVER};
use super::{Here, NoisyLinks};
use crate::link::{ACK_BYTES, Ack, Due, Kept};
use crate::windowed::family::Family;
use crate::windowed::mail::{LOST_FRAME, Mail};
use crate::windowed::node::Node;
use crate::windowed::sets::{BitSet, Tick};
use crate::windowed::slab::Slab;
use crate::windowed::visit::Visit;

/// The links of a machine that makes errors.
#[inline(always)]
fn noisy(links: &mut Option<Box<NoisyLinks>>) -> &mut NoisyLinks {
    links.as_deref_mut().expect("what concerns such links happens where there are any")
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Whether the machine's links make errors.
    #[inline(always)]
    pub(in crate::windowed) fn has_noisy_links(&self) -> bool {
        F::HAS_OPTIONS && self.store.noisy.is_some()
    }

    #[inline(always)]
    fn noisy(&mut self) -> &mut NoisyLinks {
        noisy(&mut self.store.noisy)
    }

    /// A packet has left a channel: that is to be acknowledged.
    #[inline(always)]
    pub(in crate::windowed) fn free_on_link(&mut self, port: usize, channel: usize, tokens: u8) {
        let local = self.local;
        self.noisy().end_mut(local, port).free(channel, tokens);
    }

    /// What goes over the links before new packets: acknowledgements, then what is sent again. The links that are idle.
    pub(in crate::windowed) fn run_links(&mut self, now: i32, idle: u32) -> u32 {
        let cycle = self.cycle(now);
        let mut has_run = false;
        for port in 0..self.fabric.ports {
            let local = self.local;
            if self.noisy().end(local, port).is_due(cycle) {
                self.run_link(port, cycle);
                has_run = true;
            }
        }
        if has_run { self.idle_links(now) } else { idle }
    }

    fn run_link(&mut self, port: usize, now: u64) {
        let local = self.local;
        self.noisy().end_mut(local, port).take_tails(now);
        self.take_link_acks(port, now);
        if self.noisy().end(local, port).timer <= now {
            self.look_at_timer(port, now);
        }
        self.send_link_acks(port, now);
        self.send_again(port, now);
        self.show_link(port);
    }

    /// The links that are idle now that the wires have been seen to. One that has been taken is no longer stalled.
    fn idle_links(&mut self, now: i32) -> u32 {
        let tick = F::Tick::after(now);
        let links = &self.node.times[..Node::<F, P, V, C, S>::CHANNELS];
        let idle = F::links(F::due(links, tick)) & ((1 << P) - 1);
        self.next_link = F::next(links, tick);
        let taken = self.node.stalled & !(idle as u16);
        if taken != 0 {
            self.node.closed &= !taken;
            self.count_stalls(self.node.stalled & !taken, self.cycle(now));
        }
        idle
    }

    /// Takes in the acknowledgements that have come by `now`.
    fn take_link_acks(&mut self, port: usize, now: u64) {
        let local = self.local;
        while let Some((time, ack)) = self.noisy().end_mut(local, port).take_ack(now) {
            let tokens = self.noisy().end_mut(local, port).sender.acknowledge(&ack, time, |_| {});
            for (channel, tokens) in tokens.iter().enumerate().take(V) {
                self.node.tokens[port * V + channel] += tokens;
            }
            self.node.closed &= !u16::only(port);
        }
    }

    /// The same at all ports, before `end`: nobody has waited for them.
    pub(in crate::windowed) fn settle_links(&mut self, end: u64) {
        if end > 0 {
            (0..self.fabric.ports).for_each(|port| self.take_link_acks(port, end - 1));
        }
    }

    /// It may be time to send again, or to ask where tokens are.
    fn look_at_timer(&mut self, port: usize, now: u64) {
        let (local, fabric) = (self.local, self.fabric);
        let are_missing = |channel: usize| self.node.tokens[port * V + channel] < fabric.capacity[channel];
        let are_tokens_missing = (0..fabric.channels).any(are_missing);
        let noisy = self.noisy();
        let timeout_cycles = noisy.shared.protocol.timeout_cycles;
        let end = noisy.end_mut(local, port);
        let again = now + u64::from(timeout_cycles);
        let due = end.sender.look_at_timer(now, timeout_cycles, are_tokens_missing);
        end.is_probe_due |= due == Due::Probe;
        end.timer = match due {
            Due::Nothing => NEVER,
            Due::Later(time) => time,
            Due::SendAgain | Due::Probe => again,
        };
        noisy.totals.timeouts += u64::from(due == Due::SendAgain);
    }

    /// Sends the acknowledgement and the probe that are due, one after the other where they hold the wire.
    fn send_link_acks(&mut self, port: usize, now: u64) {
        let (local, port_there) = (self.local, (port ^ 1) as u8);
        let rate = u64::from(self.fabric.parameters.links[port / 2].cycles_per_byte);
        let latency = u64::from(self.fabric.token_latency());
        let here = Here { fabric: self.fabric, local, number: self.store.first + local as u32, now };
        let node = self.store.neighbor(local, self.node.edges, port);
        let noisy = noisy(&mut self.store.noisy);
        let holds_wire = noisy.shared.protocol.explicit_acks;
        let end = noisy.end_mut(local, port);
        if holds_wire && end.wire_free_at > now {
            return;
        }
        let ack = std::mem::take(&mut end.is_ack_due).then(|| end.announcement.ack());
        let probe = std::mem::take(&mut end.is_probe_due).then(|| Ack { is_probe: true, ..Ack::default() });
        for ack in ack.into_iter().chain(probe) {
            let mut start = now;
            if holds_wire {
                let end = noisy.end_mut(local, port);
                start = end.wire_free_at.max(now) + ACK_BYTES as u64 * rate;
                end.wire_free_at = start;
            }
            if let Some(mail) = noisy.transmit_ack(here, port, ack, start + latency) {
                self.store.mail.link_acks.push(Mail { node, port: port_there, ..mail });
            }
        }
    }

    /// Sends what is next to be sent again, if there is anything and the wire is free.
    fn send_again(&mut self, port: usize, now: u64) {
        let local = self.local;
        let end = self.noisy().end_mut(local, port);
        if end.wire_free_at > now {
            return;
        }
        let Some((sequence, kept)) = end.sender.send_again(now).map(|(sequence, kept)| (sequence, *kept))
        else {
            return;
        };
        self.noisy().totals.retransmissions += 1;
        self.put_on_wire(port, now, sequence, &kept);
    }

    fn put_on_wire(&mut self, port: usize, now: u64, sequence: u64, kept: &Kept<Carried>) {
        let (fabric, local) = (self.fabric, self.local);
        let here = Here { fabric, local, number: self.store.first + local as u32, now };
        let node = self.store.neighbor(local, self.node.edges, port);
        let mail = self.noisy().transmit(here, port, sequence, kept);
        self.store.mail.heads.push(Mail { node, port: (port ^ 1) as u8, ..mail });
    }

    /// Arbitration sees a link as idle when its wire is, and its sender has room for what it will keep.
    fn show_link(&mut self, port: usize) {
        let (local, fabric, epoch_start) = (self.local, self.fabric, self.epoch_start);
        let noisy = self.noisy();
        self.node.times[port] = match noisy.has_room(fabric, local, port) {
            true => {
                F::Tick::after((noisy.end(local, port).wire_free_at.max(epoch_start) - epoch_start) as i32)
            }
            false => F::Tick::NEVER,
        };
    }

    /// Sends a packet that has been granted a link; `fifo` is the injection FIFO that it leaves, if any.
    pub(in crate::windowed) fn send_frame(
        &mut self,
        now: i32,
        port: usize,
        carried: Carried,
        fifo: Option<usize>,
    ) {
        let now = self.cycle(now);
        let (local, fabric) = (self.local, self.fabric);
        let here = Here { fabric, local, number: self.store.first + local as u32, now };
        let chunks = self.chunks(carried.packet);
        let noisy = self.noisy();
        if let Some(fifo) = fifo {
            noisy.add_injected(here, fifo, carried.packet);
        }
        let timeout_cycles = u64::from(noisy.shared.protocol.timeout_cycles);
        let end = noisy.end_mut(local, port);
        let sequence = end.sender.next_sequence();
        let kept = Kept { content: carried, chunks, sent_at: now };
        end.sender.keep(kept);
        end.timer = if end.timer == NEVER { now + timeout_cycles } else { end.timer };
        self.put_on_wire(port, now, sequence, &kept);
        if !self.noisy().has_room(fabric, local, port) {
            self.node.times[port] = F::Tick::NEVER;
        }
    }

    /// Finds out when the node's links are to be looked at next.
    pub(in crate::windowed) fn plan_links(&mut self) {
        let (local, fabric, stalled) = (self.local, self.fabric, self.node.stalled);
        let noisy = self.noisy();
        let next = |port: usize| {
            let end = noisy.end(local, port);
            let waits_for_ack = stalled.has(port) || !noisy.has_room(fabric, local, port);
            end.next_duty().min(if waits_for_ack { end.next_ack() } else { NEVER })
        };
        noisy.wakes[local] = (0..fabric.ports).map(next).min().unwrap_or(NEVER);
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
    /// Notes when the tail of a frame comes whose head was sent; whether the head comes too.
    pub(in crate::windowed) fn note_frame(&mut self, local: usize, mail: &Mail) -> bool {
        let is_accepted = mail.tokens != LOST_FRAME;
        let mut tail = mail.time;
        if is_accepted {
            let fabric = &self.store.fabric;
            tail += u64::from(fabric.reception_cycles(fabric.layout.chunks(mail.packet)));
        }
        self.note_tail(local, mail.port.into(), tail, is_accepted);
        is_accepted
    }

    fn note_tail(&mut self, local: usize, port: usize, time: u64, is_accepted: bool) {
        let noisy = noisy(&mut self.store.noisy);
        let tails = &mut noisy.end_mut(local, port).tails;
        let place = tails.partition_point(|&(earlier, _)| earlier <= time);
        tails.insert(place, (time, is_accepted));
        self.wake_for_link(local, time);
    }

    /// Takes in an acknowledgement that comes, or a probe.
    pub(in crate::windowed) fn receive_link_ack(&mut self, local: usize, mail: &Mail) {
        let ack = Ack::read_unchecked(&mail.packet.0.to_le_bytes());
        let port = usize::from(mail.port);
        if ack.is_probe {
            return self.note_tail(local, port, mail.time, false);
        }
        let is_stalled = self.nodes[local].stalled.has(port);
        let noisy = noisy(&mut self.store.noisy);
        noisy.end_mut(local, port).acks.push_back((mail.time, ack));
        if is_stalled || !noisy.has_room(&self.store.fabric, local, port) {
            self.wake_for_link(local, mail.time);
        }
    }

    fn wake_for_link(&mut self, local: usize, time: u64) {
        let noisy = noisy(&mut self.store.noisy);
        noisy.wakes[local] = noisy.wakes[local].min(time);
        self.mark(local, time);
    }
}
