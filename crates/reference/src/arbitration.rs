//! The three phases of arbitration, written as the papers describe them.
//!
//! ```text
//!   1 every head packet requests one direction and VC (or its reception FIFO), or nothing
//!   2 every receiver passes on the request of one of its VCs
//!   3 every sender grants one of the requests it gets
//! ```

use super::node::Node;
use base::draws::{NodeKey, Purpose, pick};
use network::arbitration::{Arbiter, ArbitrationRule, HeadPacket, Origin};
use network::fabric::Fabric;
use network::packet::{Packet, Stored};
use network::parameters::MAX_VCS;
use network::parameters::numbered_vcs;

/// The output that a packet requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// A sender and the downstream VC.
    Link { port: usize, vc: usize },
    /// The reception FIFO.
    Reception,
}

/// A granted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The input.
    pub from: Origin,
    /// The output.
    pub to: To,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    from: Origin,
    to: To,
    high_priority: bool,
    bypass: bool,
    fullness: u8,
    offered: u64,
}

impl HeadPacket for Request {
    fn offered(&self) -> u64 {
        self.offered
    }

    fn fullness(&self) -> u8 {
        self.fullness
    }
}

/// A waiting head packet.
#[derive(Clone, Copy)]
struct Head {
    from: Origin,
    packet: Packet,
    offered: u64,
    bypass: bool,
}

/// The arbitration of one node in one cycle. It changes nothing; the grants are to be carried out in order.
pub fn arbitrate(fabric: &Fabric, node: &Node, now: u64) -> Vec<Grant> {
    let key = NodeKey::new(fabric.parameters.seed, node.number);
    let heads = heads(fabric, node, now);
    // Draws count from the start of the node's time. A packet of others may pass before.
    let now = now.wrapping_sub(fabric.start_of(node.number));
    let requests: Vec<Request> = heads.filter_map(|head| request(fabric, node, key, now, head)).collect();
    let mut grants = Vec::new();
    let mut at_senders = Vec::new();
    for port in 0..fabric.ports {
        let of_receiver =
            requests.iter().filter(|request| is_from_receiver(request, port)).copied().collect();
        let Some(request) = choose_at_receiver(fabric, node, (key, now), port, of_receiver) else { continue };
        match request.to {
            To::Reception => grants.push(Grant { from: request.from, to: To::Reception }),
            To::Link { .. } => at_senders.push(request),
        }
    }
    at_senders.extend(requests.iter().filter(|request| !request.from.is_in_network()));
    for port in 0..fabric.ports {
        let to_sender = at_senders.iter().filter(|request| is_to_sender(request, port)).copied().collect();
        grants.extend(
            choose_at_sender(fabric, node, (key, now), port, to_sender)
                .map(|Request { from, to, .. }| Grant { from, to }),
        );
    }
    limit_to_reception_space(fabric, node, grants)
}

/// Whether head packets need the idle link of a sender, but all lack credits for it.
pub fn is_stalled(fabric: &Fabric, node: &Node, port: usize, now: u64) -> bool {
    if node.link_busy[port] {
        return false;
    }
    let mut requested_ports = false;
    for head in heads(fabric, node, now) {
        let wants = fabric.choices(head.packet).any(|(toward, _)| toward == port);
        if !wants || !may_leave(fabric, node, head.from, head.packet) {
            continue;
        }
        requested_ports = true;
        if fabric
            .choices(head.packet)
            .any(|(toward, vc)| toward == port && has_credits(fabric, node, head.from, toward, vc))
        {
            return false;
        }
    }
    requested_ports
}

fn is_from_receiver(request: &Request, port: usize) -> bool {
    matches!(request.from, Origin::VirtualChannel { port: receiver, .. } if receiver == port)
}

fn is_to_sender(request: &Request, port: usize) -> bool {
    matches!(request.to, To::Link { port: sender, .. } if sender == port)
}

fn heads<'a>(fabric: &'a Fabric, node: &'a Node, now: u64) -> impl Iterator<Item = Head> + 'a {
    let injection = (0..node.injection_busy.len()).filter_map(move |fifo| {
        let Stored { packet, offered, .. } = node.injection_head(fifo, now)?;
        Some(Head { from: Origin::Injection { fifo }, packet, offered, bypass: false })
    });
    heads_of_receivers(fabric, node).chain(injection)
}

fn heads_of_receivers<'a>(fabric: &'a Fabric, node: &'a Node) -> impl Iterator<Item = Head> + 'a {
    (0..fabric.ports).flat_map(move |port| {
        (0..fabric.vcs).filter_map(move |vc| {
            let Stored { packet, offered, .. } = *node.vcs[port][vc].waiting()?;
            Some(Head {
                from: Origin::VirtualChannel { port, vc },
                packet,
                offered,
                bypass: node.is_bypassing(port, vc),
            })
        })
    })
}

/// Head packets of receivers for which each possible link is busy or has no credits for the VCs downstream.
pub fn heads_that_found_outputs_busy(
    fabric: &Fabric,
    node: &Node,
) -> [[bool; MAX_VCS]; 2 * geometry::MAX_DIMENSIONS] {
    let mut found_outputs_busy = [[false; MAX_VCS]; 2 * geometry::MAX_DIMENSIONS];
    for Head { from, packet, .. } in heads_of_receivers(fabric, node) {
        let Origin::VirtualChannel { port, vc } = from else { continue };
        let can_go = |(toward, behind): (usize, usize)| {
            !node.link_busy[toward] && has_credits(fabric, node, from, toward, behind)
        };
        found_outputs_busy[port][vc] =
            fabric.layout.hint_bits(packet) != 0 && !fabric.choices(packet).any(can_go);
    }
    found_outputs_busy
}

/// Whether a head packet found all its outputs busy at its receiver's last arbitration, and the gap in that receiver's
/// arbitration pipeline falls on this cycle (row S30).
fn misses_cycle(fabric: &Fabric, node: &Node, key: NodeKey, now: u64, from: Origin) -> bool {
    let share = fabric.parameters.router.arbitration_gap_share;
    match from {
        Origin::VirtualChannel { port, vc } => {
            node.found_outputs_busy[port][vc] && share.contains(key.draw(Purpose::ArbitrationGap, now, port))
        }
        Origin::Injection { .. } => false,
    }
}

/// Number of head packets of receivers that lack credits for every possible move.
pub fn heads_without_credits(fabric: &Fabric, node: &Node) -> usize {
    let lacks_credits = |head: &Head| {
        let has_some = |(port, vc)| {
            !fabric.is_dead_link(node.number, port) && has_credits(fabric, node, head.from, port, vc)
        };
        fabric.layout.hint_bits(head.packet) != 0 && !fabric.choices(head.packet).any(has_some)
    };
    heads_of_receivers(fabric, node).filter(lacks_credits).count()
}

/// Whether a head packet has a transfer path and, if it leaves a copy here, room for the copy.
fn may_leave(fabric: &Fabric, node: &Node, from: Origin, packet: Packet) -> bool {
    match from {
        Origin::VirtualChannel { port, .. } => {
            node.paths_used[port] < fabric.parameters.router.transfer_paths
                && (!fabric.deposits_here(packet) || can_be_received(fabric, node, port, packet))
        }
        Origin::Injection { .. } => true,
    }
}

/// Whether the bus from a receiver to its reception FIFO is free, and the packet fits into the FIFO.
fn can_be_received(fabric: &Fabric, node: &Node, port: usize, packet: Packet) -> bool {
    let bus = fabric.layout.is_high_priority(packet) as usize;
    let has_room = || {
        node.endpoint.as_ref().is_none_or(|endpoint| endpoint.fifos().can_receive(fabric, 0, port, packet))
    };
    !node.reception_busy[port][bus] && has_room()
}

fn has_credits(fabric: &Fabric, node: &Node, from: Origin, port: usize, vc: usize) -> bool {
    let waits_in = match from {
        Origin::VirtualChannel { port, vc } => Some((port, vc)),
        Origin::Injection { .. } => None,
    };
    node.credits[port][vc] >= fabric.credits_needed(waits_in, port, vc)
}

/// Phase 1: the request of a head packet.
fn request(fabric: &Fabric, node: &Node, key: NodeKey, now: u64, head: Head) -> Option<Request> {
    let to = match fabric.layout.hint_bits(head.packet) {
        0 => reception(fabric, node, head)?,
        _ => link(fabric, node, key, now, head)?,
    };
    let fullness = match head.from {
        Origin::VirtualChannel { port, vc } => node.fullness(fabric, port, vc),
        Origin::Injection { fifo } => node.injection_fullness(fifo),
    };
    let high_priority = fabric.layout.is_high_priority(head.packet);
    let Head { from, bypass, offered, .. } = head;
    Some(Request { from, to, high_priority, bypass, fullness, offered })
}

fn reception(fabric: &Fabric, node: &Node, head: Head) -> Option<To> {
    let Origin::VirtualChannel { port, .. } = head.from else { return None };
    can_be_received(fabric, node, port, head.packet).then_some(To::Reception)
}

fn link(fabric: &Fabric, node: &Node, key: NodeKey, now: u64, head: Head) -> Option<To> {
    let hints = fabric.layout.hint_bits(head.packet);
    let is_grantable = (0..fabric.ports).any(|port| hints >> port & 1 == 1 && !node.link_busy[port]);
    if !is_grantable
        || !may_leave(fabric, node, head.from, head.packet)
        || misses_cycle(fabric, node, key, now, head.from)
    {
        return None;
    }
    let is_available = |&(port, vc): &(usize, usize)| {
        !node.link_busy[port] && has_credits(fabric, node, head.from, port, vc)
    };
    let mut choices: Vec<(usize, usize)> =
        fabric.adaptive_choices(head.packet).filter(is_available).collect();
    if choices.is_empty() {
        let (port, vc) = fabric.escape(head.packet).filter(is_available)?;
        return Some(To::Link { port, vc });
    }
    if fabric.parameters.router.join_shortest_queue {
        let range = |&(port, vc): &(usize, usize)| fabric.credit_range(vc, node.credits[port][vc]);
        let max = choices.iter().map(range).max()?;
        choices.retain(|choice| range(choice) == max);
    }
    let tie = pick(key.draw(Purpose::RequestTie, now, candidate(fabric, head.from)), choices.len() as u32);
    let (port, vc) = choices[tie as usize];
    Some(To::Link { port, vc })
}

/// The number of an input in random draws.
fn candidate(fabric: &Fabric, from: Origin) -> usize {
    let vcs = numbered_vcs(fabric.vcs);
    match from {
        Origin::VirtualChannel { port, vc } => port * vcs + vc,
        Origin::Injection { fifo } => 2 * geometry::MAX_DIMENSIONS * vcs + fifo,
    }
}

/// Phase 2: the request that a receiver passes on.
fn choose_at_receiver(
    fabric: &Fabric,
    node: &Node,
    (key, now): (NodeKey, u64),
    port: usize,
    mut requests: Vec<Request>,
) -> Option<Request> {
    prefer(&mut requests, |request| request.high_priority);
    prefer(&mut requests, |request| !request.bypass);
    let bits = || key.draw(Purpose::ReceiverServesLongest, now, port);
    let rule = fabric.rule_of_cycle(bits);
    keep_first(rule, node, Arbiter::Receiver(port), &mut requests);
    choose(&requests, key.draw(Purpose::ReceiverTie, now, port))
}

/// Phase 3: the request that a sender grants.
fn choose_at_sender(
    fabric: &Fabric,
    node: &Node,
    (key, now): (NodeKey, u64),
    port: usize,
    mut requests: Vec<Request>,
) -> Option<Request> {
    let router = &fabric.parameters.router;
    let favors_network = router.in_network_share.contains(key.draw(Purpose::SenderFavorsNetwork, now, port));
    prefer(&mut requests, |request| request.high_priority);
    let is_high_priority = requests.iter().any(|request| request.high_priority);
    prefer(&mut requests, |request| request.from.is_in_network() == (favors_network || is_high_priority));
    let bits = || key.draw(Purpose::SenderServesLongest, now, port);
    keep_first(fabric.rule_of_cycle(bits), node, Arbiter::Sender(port), &mut requests);
    choose(&requests, key.draw(Purpose::SenderTie, now, port))
}

/// Keeps the requests with the lowest place by a rule.
fn keep_first(rule: ArbitrationRule, node: &Node, arbiter: Arbiter, requests: &mut Vec<Request>) {
    let memory = arbiter.memory(&node.memories);
    let place = |request: &Request| rule.place(request.from.number_at(arbiter), request, memory);
    let lowest = requests.iter().map(place).min();
    requests.retain(|request| Some(place(request)) == lowest);
}

/// Keeps only the preferred requests, if there are any.
fn prefer(requests: &mut Vec<Request>, is_preferred: impl Fn(&Request) -> bool) {
    if requests.iter().any(&is_preferred) {
        requests.retain(is_preferred);
    }
}

fn choose(requests: &[Request], bits: u32) -> Option<Request> {
    requests.get(pick(bits, requests.len() as u32) as usize).copied()
}

/// Drops grants that no longer fit the high-priority reception FIFO, which all receivers share: grants are taken in
/// order.
fn limit_to_reception_space(fabric: &Fabric, node: &Node, grants: Vec<Grant>) -> Vec<Grant> {
    if fabric.high_priority_vc.is_none() {
        return grants;
    }
    let Some(mut fifos) = node.endpoint.as_ref().map(|endpoint| endpoint.fifos().clone()) else {
        return grants;
    };
    let fits = |grant: &Grant| match (grant.from, grant.to) {
        (Origin::VirtualChannel { port, vc }, To::Reception) => {
            let packet = node.vcs[port][vc].waiting().expect("a granted channel has a head").packet;
            let fits = fifos.can_receive(fabric, 0, port, packet);
            if fits {
                fifos.begin_reception(fabric, 0, port, packet);
            }
            fits
        }
        (Origin::VirtualChannel { .. }, To::Link { .. }) | (Origin::Injection { .. }, _) => true,
    };
    grants.into_iter().filter(fits).collect()
}
