//! The three phases of arbitration, with masks over the waiting places of a node.
//!
//! The rules are those of [`crate::reference`]; here only what can be granted is looked at: the idle links, the places
//! that want them, and the tokens for them. A lone request wins without a draw, draws being functions.

use super::family::{BitSet, Family};
use super::slab::Slab;
use crate::counters::MAX_CHANNELS;
use crate::draws::{NodeKey, Purpose, pick};

/// Phase 1, before directions are chosen: who could ask for what.
struct Requests<F: Family, const P: usize> {
    /// Places that ask for their reception FIFO.
    receptions: F::Places,
    /// Places that could take a dynamic channel, by port.
    dynamic: [F::Places; P],
    /// All of them.
    any_dynamic: F::Places,
    /// Places that can only take their escape, by port.
    escape: [F::Places; P],
    /// Ports that anybody asks for.
    ports: u16,
    /// Idle ports that are wanted and lack nothing but tokens.
    stalled: u16,
}

impl<F: Family, const P: usize> Requests<F, P> {
    #[inline]
    fn is_empty(&self) -> bool {
        self.ports == 0 && self.receptions.is_empty()
    }
}

/// A place may leave through a port, into a channel.
#[derive(Clone, Copy, Default)]
struct Grant {
    place: u8,
    port: u8,
    channel: u8,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    /// One cycle's arbitration. `bypass` are the places whose heads arrived in this cycle at an empty buffer.
    #[inline]
    pub(super) fn arbitrate(&mut self, local: usize, now: u64, bypass: F::Places) {
        let requests = self.requests(local);
        if requests.is_empty() {
            self.end_bypass(local, bypass);
            self.count_stalls(local, requests.stalled, now);
            return;
        }
        let granted = self.grant(local, now, bypass, &requests);
        self.end_bypass(local, bypass & !granted);
        let again = self.requests(local);
        self.count_stalls(local, again.stalled, now);
        if !again.is_empty() {
            self.nodes[local].set_time(super::node::Node::<F, P, V, C, S>::RETRY, now + 1);
        }
    }

    /// Phases 1 to 3, and the transfers that follow; the places that are granted.
    fn grant(&mut self, local: usize, now: u64, bypass: F::Places, requests: &Requests<F, P>) -> F::Places {
        let key = NodeKey::new(self.fabric.parameters.seed, self.first + local as u32);
        let to_sender = self.choose_directions(local, key, now, requests);
        let asking = requests.ports.iter().fold(requests.receptions, |asking, port| asking | to_sender[port]);
        let winners = self.choose_at_receivers(local, key, now, bypass, asking);
        let mut grants = [Grant::default(); P];
        let mut count = 0;
        for port in requests.ports.iter() {
            let mine = to_sender[port] & winners;
            if !mine.is_empty() {
                let place = self.choose_at_sender(local, key, now, port, mine);
                let channel = self.channel_of(local, key, now, requests, place, port);
                grants[count] = Grant { place: place as u8, port: port as u8, channel: channel as u8 };
                count += 1;
            }
        }
        let mut granted = F::Places::default();
        for place in (requests.receptions & winners).iter() {
            if self.begin_reception(local, now, place) {
                granted |= F::Places::only(place);
            }
        }
        for grant in &grants[..count] {
            granted |= F::Places::only(grant.place.into());
            let is_bypass = !(bypass & F::Places::only(grant.place.into())).is_empty();
            self.begin_transfer(
                local,
                now,
                grant.place.into(),
                grant.port.into(),
                grant.channel.into(),
                is_bypass,
            );
        }
        let bypassed = granted & bypass;
        self.nodes[local].bypassing |= bypassed;
        granted
    }

    /// Who could ask for what.
    #[inline]
    fn requests(&self, local: usize) -> Requests<F, P> {
        let node = &self.nodes[local];
        let mut requests = Requests::<F, P> {
            receptions: node.receptions & !node.bus_blocked,
            dynamic: [F::Places::default(); P],
            any_dynamic: F::Places::default(),
            escape: [F::Places::default(); P],
            ports: 0,
            stalled: 0,
        };
        if !self.software.is_empty() && !requests.receptions.is_empty() {
            requests.receptions = self.receptions_with_room(local, requests.receptions);
        }
        for port in BitSet::iter(node.idle) {
            let wants = node.wants[port] & !node.path_blocked;
            let escapes = node.escapes[port] & !node.path_blocked;
            if (wants | escapes).is_empty() {
                continue;
            }
            let dynamic =
                if self.dynamic_channels_open(local, port) == 0 { F::Places::default() } else { wants };
            let escape = self.bubble_open_to(local, port, escapes);
            if (dynamic | escape).is_empty() {
                requests.stalled |= 1 << port;
                continue;
            }
            requests.dynamic[port] = dynamic;
            requests.any_dynamic |= dynamic;
            requests.escape[port] = escape;
            requests.ports |= 1 << port;
        }
        for port in requests.ports.iter() {
            requests.escape[port] &= !requests.any_dynamic;
        }
        requests
    }

    fn receptions_with_room(&self, local: usize, receptions: F::Places) -> F::Places {
        let software = &self.software[local];
        let has_room = |&place: &usize| {
            software.can_receive(&self.fabric, place / V, self.packets[self.packet_index(local, place, 0)])
        };
        receptions
            .iter()
            .filter(has_room)
            .fold(F::Places::default(), |set, place| set | F::Places::only(place))
    }

    /// Dynamic channels behind a port that have room for a full packet.
    #[inline]
    fn dynamic_channels_open(&self, local: usize, port: usize) -> u16 {
        let tokens = &self.nodes[local].tokens[port];
        let mut open = 0;
        for (channel, &tokens) in tokens.iter().enumerate().take(self.fabric.dynamic_channels) {
            open |= ((tokens >= self.fabric.full_packet) as u16) << channel;
        }
        open
    }

    /// Those of `places` that may enter their bubble channel behind a port, or go straight on in it.
    #[inline]
    fn bubble_open_to(&self, local: usize, port: usize, places: F::Places) -> F::Places {
        let node = &self.nodes[local];
        let normal = self.bubble_channel_open_to(local, port, self.fabric.escape_channel) & !node.urgent;
        match self.fabric.high_priority_channel {
            Some(channel) if !node.urgent.is_empty() => {
                places & (normal | (self.bubble_channel_open_to(local, port, channel) & node.urgent))
            }
            _ => places & normal,
        }
    }

    #[inline]
    fn bubble_channel_open_to(&self, local: usize, port: usize, channel: usize) -> F::Places {
        let tokens = self.nodes[local].tokens[port][channel];
        if tokens >= 2 * self.fabric.full_packet {
            !F::Places::default()
        } else if tokens >= self.fabric.full_packet {
            F::Places::only((port ^ 1) * V + channel)
        } else {
            F::Places::default()
        }
    }

    /// Phase 1: the places that ask each sender.
    #[inline]
    fn choose_directions(
        &self,
        local: usize,
        key: NodeKey,
        now: u64,
        requests: &Requests<F, P>,
    ) -> [F::Places; P] {
        let mut to_sender = requests.escape;
        if !requests.ports.has_several() {
            let port = requests.ports.first();
            if port < P {
                to_sender[port] |= requests.dynamic[port];
            }
            return to_sender;
        }
        for place in requests.any_dynamic.iter() {
            let ports = ports_open_to(requests, place);
            let port = match ports.has_several() {
                true => self.choose_channel(local, key, now, ports, place).0,
                false => ports.first(),
            };
            to_sender[port] |= F::Places::only(place);
        }
        to_sender
    }

    /// The channel that a place takes behind the port it asks for.
    #[inline]
    fn channel_of(
        &self,
        local: usize,
        key: NodeKey,
        now: u64,
        requests: &Requests<F, P>,
        place: usize,
        port: usize,
    ) -> usize {
        if requests.any_dynamic.has(place) {
            return self.choose_channel(local, key, now, ports_open_to(requests, place), place).1;
        }
        match self.fabric.high_priority_channel {
            Some(channel) if self.nodes[local].urgent.has(place) => channel,
            _ => {
                debug_assert!(requests.escape[port].has(place));
                self.fabric.escape_channel
            }
        }
    }

    /// The open direction and channel with most tokens behind it; equals are drawn from.
    fn choose_channel(
        &self,
        local: usize,
        key: NodeKey,
        now: u64,
        ports: u16,
        place: usize,
    ) -> (usize, usize) {
        let mut choices = [(0u8, 0u8); 2 * geometry::MAX_DIMENSIONS * MAX_CHANNELS];
        let (mut count, mut most) = (0, 0);
        for port in ports.iter() {
            for channel in self.dynamic_channels_open(local, port).iter() {
                let range = match self.fabric.parameters.router.join_shortest_queue {
                    true => self.fabric.quarter(channel, self.nodes[local].tokens[port][channel]),
                    false => 0,
                };
                if range > most {
                    (count, most) = (0, range);
                }
                if range == most {
                    choices[count] = (port as u8, channel as u8);
                    count += 1;
                }
            }
        }
        let tie = match count {
            1 => 0,
            _ => pick(key.draw(Purpose::RequestTie, now, candidate::<V, C>(place)), count as u32),
        };
        let (port, channel) = choices[tie as usize];
        (port.into(), channel.into())
    }

    /// Phase 2: of each receiver's places that ask, the one that may; injection FIFOs all may.
    #[inline]
    fn choose_at_receivers(
        &self,
        local: usize,
        key: NodeKey,
        now: u64,
        bypass: F::Places,
        asking: F::Places,
    ) -> F::Places {
        let mut winners = asking & !F::Places::range(0, C);
        let mut rest = asking & F::Places::range(0, C);
        while !rest.is_empty() {
            let receiver = rest.first() / V;
            let of_receiver = F::Places::range(receiver * V, V);
            let mut mine = rest & of_receiver;
            rest &= !of_receiver;
            if mine.has_several() {
                mine = prefer(mine, self.nodes[local].urgent);
                mine = prefer(mine, !bypass);
                let share = self.fabric.parameters.router.serve_longest_queue_share;
                if mine.has_several()
                    && share.contains(key.draw(Purpose::ReceiverServesLongest, now, receiver))
                {
                    mine = self.fullest(local, mine);
                }
                mine = draw_one(mine, || key.draw(Purpose::ReceiverTie, now, receiver));
            }
            winners |= mine;
        }
        winners
    }

    /// Phase 3: the place that a sender grants.
    #[inline]
    fn choose_at_sender(&self, local: usize, key: NodeKey, now: u64, port: usize, mine: F::Places) -> usize {
        if !mine.has_several() {
            return mine.first();
        }
        let router = &self.fabric.parameters.router;
        let urgent = self.nodes[local].urgent & mine;
        let mut mine = prefer(mine, urgent);
        let in_network = F::Places::range(0, C);
        let favors_network = !urgent.is_empty()
            || router.in_network_share.contains(key.draw(Purpose::SenderFavorsNetwork, now, port));
        mine = prefer(mine, if favors_network { in_network } else { !in_network });
        if mine.has_several()
            && router.serve_longest_queue_share.contains(key.draw(Purpose::SenderServesLongest, now, port))
        {
            mine = self.fullest(local, mine);
        }
        draw_one(mine, || key.draw(Purpose::SenderTie, now, port)).first()
    }

    /// The places whose queues are in the highest quarter of fullness.
    #[inline]
    fn fullest(&self, local: usize, places: F::Places) -> F::Places {
        let (mut fullest, mut most) = (F::Places::default(), 0);
        for place in places.iter() {
            let fullness = match place < C {
                true => self.fabric.quarter(place % V, self.nodes[local].queues[place].occupied),
                false => self.injection_fullness(local, place - C),
            };
            if fullness > most {
                (fullest, most) = (F::Places::default(), fullness);
            }
            if fullness == most {
                fullest |= F::Places::only(place);
            }
        }
        fullest
    }

    /// Heads that were not granted in the cycle of their arrival go into the buffer.
    #[inline]
    fn end_bypass(&mut self, local: usize, bypass: F::Places) {
        for place in bypass.iter() {
            let charge = self.charge(place, self.packets[self.packet_index(local, place, 0)]);
            self.nodes[local].queues[place].occupied += charge;
        }
    }

    /// Keeps account of the cycles in which only tokens are missing: adds the time when the state ends, and takes it
    /// off when it begins.
    #[inline]
    fn count_stalls(&mut self, local: usize, stalled: u16, now: u64) {
        let was_stalled = std::mem::replace(&mut self.nodes[local].stalled, stalled);
        for port in (was_stalled & !stalled).iter() {
            let counter = &mut self.links[local * self.fabric.ports + port].stalled_cycles;
            *counter = counter.wrapping_add(now);
        }
        for port in (stalled & !was_stalled).iter() {
            let counter = &mut self.links[local * self.fabric.ports + port].stalled_cycles;
            *counter = counter.wrapping_sub(now);
        }
    }
}

/// The ports that a place could leave by on a dynamic channel.
#[inline]
fn ports_open_to<F: Family, const P: usize>(requests: &Requests<F, P>, place: usize) -> u16 {
    requests
        .ports
        .iter()
        .filter(|&port| requests.dynamic[port].has(place))
        .fold(0, |set, port| set | 1 << port)
}

/// The number by which draws name a waiting place, whatever the family.
#[inline]
fn candidate<const V: usize, const C: usize>(place: usize) -> usize {
    match place < C {
        true => place / V * MAX_CHANNELS + place % V,
        false => 2 * geometry::MAX_DIMENSIONS * MAX_CHANNELS + (place - C),
    }
}

/// The preferred places, if there are any.
#[inline]
fn prefer<B: BitSet>(places: B, preferred: B) -> B {
    let some = places & preferred;
    if some.is_empty() { places } else { some }
}

/// One of the places, each as likely.
#[inline]
fn draw_one<B: BitSet>(places: B, bits: impl FnOnce() -> u32) -> B {
    match places.has_several() {
        true => B::only(places.nth(pick(bits(), places.count()))),
        false => places,
    }
}
