//! The three phases of arbitration, written as the papers tell them.
//!
//! ```text
//!   1 every head packet asks for one direction and channel (or its reception FIFO), or for nothing
//!   2 every receiver lets one of its channels ask
//!   3 every sender grants one of the requests to it
//! ```

use super::node::Node;
use crate::counters::MAX_CHANNELS;
use crate::draws::{NodeKey, Purpose, pick};
use crate::fabric::Fabric;
use crate::packet::Packet;

/// Where a packet waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// At the head of a channel of a receiver.
    Channel { port: usize, channel: usize },
    /// At the head of an injection FIFO.
    Injection { fifo: usize },
}

/// What a packet asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// A sender and the channel downstream.
    Link { port: usize, channel: usize },
    /// The reception FIFO.
    Reception,
}

/// A granted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who.
    pub from: From,
    /// What.
    pub to: To,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    from: From,
    to: To,
    high_priority: bool,
    bypass: bool,
    fullness: u8,
}

/// A head packet that waits.
#[derive(Clone, Copy)]
struct Head {
    from: From,
    packet: Packet,
    bypass: bool,
}

/// One cycle's arbitration of one node. It changes nothing; the grants are to be carried out in order.
pub fn arbitrate(fabric: &Fabric, node: &Node, now: u64) -> Vec<Grant> {
    let key = NodeKey::new(fabric.parameters.seed, node.number);
    let requests: Vec<Request> =
        heads(fabric, node, now).filter_map(|head| request(fabric, node, key, now, head)).collect();
    let mut grants = Vec::new();
    let mut at_senders = Vec::new();
    for port in 0..fabric.ports {
        let of_receiver =
            requests.iter().filter(|request| is_from_receiver(request, port)).copied().collect();
        match choose_at_receiver(fabric, key, now, port, of_receiver) {
            Some(Request { from, to: To::Reception, .. }) => grants.push(Grant { from, to: To::Reception }),
            Some(request) => at_senders.push(request),
            None => {}
        }
    }
    at_senders.extend(requests.iter().filter(|request| matches!(request.from, From::Injection { .. })));
    for port in 0..fabric.ports {
        let to_sender = at_senders.iter().filter(|request| is_to_sender(request, port)).copied().collect();
        grants.extend(
            choose_at_sender(fabric, key, now, port, to_sender)
                .map(|Request { from, to, .. }| Grant { from, to }),
        );
    }
    keep_what_reception_can_take(fabric, node, grants)
}

/// Whether a head wants the idle link of a sender and only tokens are missing.
pub fn is_stalled(fabric: &Fabric, node: &Node, port: usize, now: u64) -> bool {
    if node.link_busy[port] {
        return false;
    }
    let mut wanted = false;
    for head in heads(fabric, node, now) {
        let wants = fabric.choices(head.packet).any(|(toward, _)| toward == port);
        if !wants || !may_leave(fabric, node, head.from, head.packet) {
            continue;
        }
        wanted = true;
        if fabric
            .choices(head.packet)
            .any(|(toward, channel)| toward == port && has_tokens(fabric, node, head.from, toward, channel))
        {
            return false;
        }
    }
    wanted
}

fn is_from_receiver(request: &Request, port: usize) -> bool {
    matches!(request.from, From::Channel { port: receiver, .. } if receiver == port)
}

fn is_to_sender(request: &Request, port: usize) -> bool {
    matches!(request.to, To::Link { port: sender, .. } if sender == port)
}

fn heads<'a>(fabric: &'a Fabric, node: &'a Node, now: u64) -> impl Iterator<Item = Head> + 'a {
    let injection = (0..node.injection_busy.len()).filter_map(move |fifo| {
        let packet = node.injection_head(fifo, now)?.packet;
        Some(Head { from: From::Injection { fifo }, packet, bypass: false })
    });
    heads_of_receivers(fabric, node).chain(injection)
}

fn heads_of_receivers<'a>(fabric: &'a Fabric, node: &'a Node) -> impl Iterator<Item = Head> + 'a {
    (0..fabric.ports).flat_map(move |port| {
        (0..fabric.channels).filter_map(move |channel| {
            let packet = node.channels[port][channel].waiting()?.packet;
            Some(Head {
                from: From::Channel { port, channel },
                packet,
                bypass: node.is_bypassing(port, channel),
            })
        })
    })
}

/// Heads of receivers for which each possible link is busy or without tokens for the channels behind it.
pub fn shut_out_heads(fabric: &Fabric, node: &Node) -> [[bool; MAX_CHANNELS]; 2 * geometry::MAX_DIMENSIONS] {
    let mut shut_out = [[false; MAX_CHANNELS]; 2 * geometry::MAX_DIMENSIONS];
    for Head { from, packet, .. } in heads_of_receivers(fabric, node) {
        let From::Channel { port, channel } = from else { continue };
        let can_go = |(toward, behind): (usize, usize)| {
            !node.link_busy[toward] && has_tokens(fabric, node, from, toward, behind)
        };
        shut_out[port][channel] = fabric.layout.hint_bits(packet) != 0 && !fabric.choices(packet).any(can_go);
    }
    shut_out
}

/// Whether a head was shut out when its receiver last looked, and the gap in the pipeline of the receiver's arbitration
/// falls on this cycle (row S30).
fn is_late(fabric: &Fabric, node: &Node, key: NodeKey, now: u64, from: From) -> bool {
    let share = fabric.parameters.router.arbitration_gap_share;
    match from {
        From::Channel { port, channel } => {
            node.shut_out[port][channel] && share.contains(key.draw(Purpose::ArbitrationGap, now, port))
        }
        From::Injection { .. } => false,
    }
}

/// How many heads of receivers have not the tokens for any of their possible moves.
pub fn heads_without_tokens(fabric: &Fabric, node: &Node) -> usize {
    let lacks_tokens = |head: &Head| {
        let has_some = |(port, channel)| {
            !fabric.is_dead_link(node.number, port) && has_tokens(fabric, node, head.from, port, channel)
        };
        fabric.layout.hint_bits(head.packet) != 0 && !fabric.choices(head.packet).any(has_some)
    };
    heads_of_receivers(fabric, node).filter(lacks_tokens).count()
}

/// Whether a head has a transfer path, and, if it leaves a copy here, room for that.
fn may_leave(fabric: &Fabric, node: &Node, from: From, packet: Packet) -> bool {
    match from {
        From::Channel { port, .. } => {
            node.paths_used[port] < fabric.parameters.router.transfer_paths
                && (!fabric.leaves_a_copy(packet) || can_be_received(fabric, node, port, packet))
        }
        From::Injection { .. } => true,
    }
}

/// Whether the bus from a receiver to its reception FIFO is free, and a packet fits into that.
fn can_be_received(fabric: &Fabric, node: &Node, port: usize, packet: Packet) -> bool {
    let bus = fabric.layout.is_high_priority(packet) as usize;
    let has_room =
        || node.software.as_ref().is_none_or(|software| software.can_receive(fabric, port, packet));
    !node.reception_busy[port][bus] && has_room()
}

fn has_tokens(fabric: &Fabric, node: &Node, from: From, port: usize, channel: usize) -> bool {
    let waits_in = match from {
        From::Channel { port, channel } => Some((port, channel)),
        From::Injection { .. } => None,
    };
    node.tokens[port][channel] >= fabric.tokens_needed(waits_in, port, channel)
}

/// Phase 1: what a head asks for.
fn request(fabric: &Fabric, node: &Node, key: NodeKey, now: u64, head: Head) -> Option<Request> {
    let to = match fabric.layout.hint_bits(head.packet) {
        0 => reception(fabric, node, head)?,
        _ => link(fabric, node, key, now, head)?,
    };
    let fullness = match head.from {
        From::Channel { port, channel } => node.fullness(fabric, port, channel),
        From::Injection { fifo } => node.injection_fullness(fabric, fifo),
    };
    let high_priority = fabric.layout.is_high_priority(head.packet);
    Some(Request { from: head.from, to, high_priority, bypass: head.bypass, fullness })
}

fn reception(fabric: &Fabric, node: &Node, head: Head) -> Option<To> {
    let From::Channel { port, .. } = head.from else { return None };
    can_be_received(fabric, node, port, head.packet).then_some(To::Reception)
}

fn link(fabric: &Fabric, node: &Node, key: NodeKey, now: u64, head: Head) -> Option<To> {
    let hints = fabric.layout.hint_bits(head.packet);
    let is_open = (0..fabric.ports).any(|port| hints >> port & 1 == 1 && !node.link_busy[port]);
    if !is_open
        || !may_leave(fabric, node, head.from, head.packet)
        || is_late(fabric, node, key, now, head.from)
    {
        return None;
    }
    let is_available = |&(port, channel): &(usize, usize)| {
        !node.link_busy[port] && has_tokens(fabric, node, head.from, port, channel)
    };
    let mut choices: Vec<(usize, usize)> = fabric.dynamic_choices(head.packet).filter(is_available).collect();
    if choices.is_empty() {
        let (port, channel) = fabric.escape(head.packet).filter(is_available)?;
        return Some(To::Link { port, channel });
    }
    if fabric.parameters.router.join_shortest_queue {
        let range =
            |&(port, channel): &(usize, usize)| fabric.token_range(channel, node.tokens[port][channel]);
        let most = choices.iter().map(range).max()?;
        choices.retain(|choice| range(choice) == most);
    }
    let tie = pick(key.draw(Purpose::RequestTie, now, candidate(head.from)), choices.len() as u32);
    let (port, channel) = choices[tie as usize];
    Some(To::Link { port, channel })
}

/// The number by which draws name a waiting place.
fn candidate(from: From) -> usize {
    match from {
        From::Channel { port, channel } => port * MAX_CHANNELS + channel,
        From::Injection { fifo } => 2 * geometry::MAX_DIMENSIONS * MAX_CHANNELS + fifo,
    }
}

/// Phase 2: the channel that wins the receiver's right to ask.
fn choose_at_receiver(
    fabric: &Fabric,
    key: NodeKey,
    now: u64,
    port: usize,
    mut requests: Vec<Request>,
) -> Option<Request> {
    prefer(&mut requests, |request| request.high_priority);
    prefer(&mut requests, |request| !request.bypass);
    let share = fabric.parameters.router.serve_longest_queue_share;
    if share.contains(key.draw(Purpose::ReceiverServesLongest, now, port)) {
        keep_fullest(&mut requests);
    }
    choose(&requests, key.draw(Purpose::ReceiverTie, now, port))
}

/// Phase 3: the request that a sender grants.
fn choose_at_sender(
    fabric: &Fabric,
    key: NodeKey,
    now: u64,
    port: usize,
    mut requests: Vec<Request>,
) -> Option<Request> {
    let router = &fabric.parameters.router;
    let is_in_network = |request: &Request| matches!(request.from, From::Channel { .. });
    let favors_network = router.in_network_share.contains(key.draw(Purpose::SenderFavorsNetwork, now, port));
    prefer(&mut requests, |request| request.high_priority);
    let is_urgent = requests.iter().any(|request| request.high_priority);
    prefer(&mut requests, |request| is_in_network(request) == (favors_network || is_urgent));
    if router.serve_longest_queue_share.contains(key.draw(Purpose::SenderServesLongest, now, port)) {
        keep_fullest(&mut requests);
    }
    choose(&requests, key.draw(Purpose::SenderTie, now, port))
}

/// Keeps the preferred requests, if there are any.
fn prefer(requests: &mut Vec<Request>, is_preferred: impl Fn(&Request) -> bool) {
    if requests.iter().any(&is_preferred) {
        requests.retain(is_preferred);
    }
}

fn keep_fullest(requests: &mut Vec<Request>) {
    let fullest = requests.iter().map(|request| request.fullness).max();
    requests.retain(|request| Some(request.fullness) == fullest);
}

fn choose(requests: &[Request], bits: u32) -> Option<Request> {
    requests.get(pick(bits, requests.len() as u32) as usize).copied()
}

/// The high-priority reception FIFO is shared by all receivers: of the grants to it, those that fit, in order.
fn keep_what_reception_can_take(fabric: &Fabric, node: &Node, grants: Vec<Grant>) -> Vec<Grant> {
    if fabric.high_priority_channel.is_none() {
        return grants;
    }
    let Some(mut software) = node.software.clone() else { return grants };
    let fits = |grant: &Grant| match (grant.from, grant.to) {
        (From::Channel { port, channel }, To::Reception) => {
            let packet = node.channels[port][channel].waiting().expect("a granted channel has a head").packet;
            let fits = software.can_receive(fabric, port, packet);
            if fits {
                software.begin_reception(fabric, port, packet);
            }
            fits
        }
        _ => true,
    };
    grants.into_iter().filter(fits).collect()
}
