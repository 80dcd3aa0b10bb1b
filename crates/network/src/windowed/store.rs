//! The arrays of a slab: what belongs to its nodes but for their hot state.

use super::dated::Dated;
use super::errors::NoisyLinks;
use super::family::Family;
use super::label::Label;
use super::mail::{Mail, Outgoing};
use super::memory::filled;
use super::pending::Note;
use super::pending::{self, Pending};
use super::sets::is_given;
use super::stalls::Stalls;
use crate::counters::{LinkCounters, Totals};
use crate::engine::Delivery;
use crate::fabric::Fabric;
use crate::node::infinite::Progress;
use crate::node::software::{Software, Stored};
use crate::packet::Packet;
use crate::source::Source;
use geometry::{Direction, MAX_DIMENSIONS};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// How a node's share of the arrays is laid out: the same for all nodes.
#[derive(Clone, Debug)]
pub struct Layout<F: Family, const C: usize> {
    /// Packets of a node.
    pub packets: usize,
    /// Where the ring of each channel's packets begins.
    pub ring_start: [u16; C],
    /// How many packets each ring has room for, less one: a power of two, less one.
    pub ring_mask: [u8; C],
    /// The least with which each place is in its second, third and last quarter of fullness.
    pub quarters: [F::Bytes; 3],
    /// The port straight on, as a bit, of the places that are escape channels; of plain machines.
    pub straight_on: F::Bytes,
    /// Notes of a node: tokens of all ports, then arrivals of all ports.
    pub notes: usize,
    /// Notes of tokens a port can have.
    pub token_notes: usize,
    /// Notes of arrivals a port can have.
    pub arrival_notes: usize,
    /// Where the notes of arrivals begin.
    pub first_arrival_note: usize,
    /// Ports of a node.
    pub ports: usize,
    /// Injection FIFOs of a node.
    pub fifos: usize,
    /// Lanes that fill them where they are infinite: normal, and high priority where it is used.
    pub lanes: usize,
}

impl<F: Family, const C: usize> Layout<F, C> {
    /// The layout for a machine, `V` channels being laid out for each of its ports.
    pub fn new<const V: usize>(fabric: &Fabric) -> Self {
        let (token_notes, arrival_notes) = match F::Pending::HAS_ROWS {
            true => (fabric.channels * pending::token_notes(fabric), pending::head_notes(fabric)),
            false => (0, 0),
        };
        let mut layout: Self = Layout {
            packets: 0,
            ring_start: [0; C],
            ring_mask: [0; C],
            quarters: [F::no_queues().occupied; 3],
            straight_on: F::no_queues().occupied,
            notes: fabric.ports * (token_notes + arrival_notes),
            token_notes,
            arrival_notes,
            first_arrival_note: fabric.ports * token_notes,
            ports: fabric.ports,
            fifos: fabric.injection_fifos(),
            lanes: 1 + fabric.high_priority_channel.is_some() as usize,
        };
        for port in 0..fabric.ports {
            for channel in 0..fabric.channels {
                let room = fabric.packets_held(channel).next_power_of_two();
                layout.ring_start[port * V + channel] = layout.packets as u16;
                layout.ring_mask[port * V + channel] = (room - 1) as u8;
                layout.packets += room;
                let least = |quarter: u8| {
                    (0..=u8::MAX)
                        .find(|&chunks| fabric.quarter(channel, chunks) >= quarter)
                        .unwrap_or(u8::MAX)
                };
                (0..3).for_each(|quarter| {
                    layout.quarters[quarter][port * V + channel] = least(quarter as u8 + 1);
                });
            }
        }
        if F::IS_PLAIN {
            for port in 0..fabric.ports {
                layout.straight_on[port * V + fabric.escape_channel] = 1 << (port ^ 1);
            }
        }
        for place in C..C + 8 {
            (0..3).for_each(|quarter| layout.quarters[quarter][place] = quarter as u8 + 1);
        }
        layout
    }

    /// A position of a channel's ring, counted round it.
    #[inline(always)]
    pub fn packet(&self, place: usize, position: u8) -> usize {
        let position = position & self.ring_mask[place];
        usize::from(self.ring_start[place]) + usize::from(position)
    }

    /// Where all notes of a node lie.
    #[inline(always)]
    pub fn notes_of(&self, local: usize) -> Range<usize> {
        local * self.notes..(local + 1) * self.notes
    }

    /// Where the notes of tokens that come back to a sender lie.
    #[inline(always)]
    pub fn token_notes(&self, local: usize, port: usize) -> Range<usize> {
        let start = local * self.notes + port * self.token_notes;
        start..start + self.token_notes
    }

    /// Where the notes of heads that come to a receiver lie.
    #[inline(always)]
    pub fn arrival_notes(&self, local: usize, port: usize) -> Range<usize> {
        let start = local * self.notes + self.first_arrival_note + port * self.arrival_notes;
        start..start + self.arrival_notes
    }
}

/// The infinite injection FIFOs of a node that share a lane: normal ones, or those of high priority.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Filling {
    /// How far the lane has been taken.
    pub progress: Progress,
    /// FIFOs that have a head, as bits.
    pub heads: u8,
    /// Those whose head has been waiting from the start.
    pub always_waiting: u8,
}

/// The heads of a node's channels that leave copies, as sets of places.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Copies<P> {
    /// Those that wait.
    pub waiting: P,
    /// Of these, those whose reception FIFO had no room when it was last looked at.
    pub without_room: P,
    /// Those that are leaving, with a copy on the bus.
    pub leaving: P,
}

/// What a node keeps of what few machines have (`options.rs`); `P` are sets of places.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Optionals<P> {
    /// Places whose heads take the second channel of the dateline pair as their escape.
    pub crossed: P,
    /// Normal packets in infinite FIFOs and under way that no acknowledgement has come back for.
    pub unacknowledged: u32,
    /// When acknowledgements come.
    pub acknowledgements: BinaryHeap<Reverse<u64>>,
    /// The cycle after that in which heads were looked at last, before any were granted.
    pub looked_before: u64,
    /// Places of receivers whose heads found all of their links and channels busy then.
    pub shut_out: P,
    /// Heads that leave copies.
    pub copies: Copies<P>,
}

/// See the head of this module.
pub struct Store<F: Family, const C: usize> {
    /// The machine.
    pub fabric: Arc<Fabric>,
    /// Where packets come from, unless they are posted.
    pub source: Option<Arc<dyn Source>>,
    /// Number of the slab's first node.
    pub first: u32,
    /// How the arrays are laid out.
    pub layout: Layout<F, C>,
    /// Packets in the rings of the channels.
    pub packets: Vec<F::Dated>,
    /// What goes with them, where they are posted, make software send others on, or are acknowledged.
    pub labels: Vec<F::Label>,
    /// Notes of tokens and heads to come.
    pub notes: Vec<Note<F::Tick>>,
    /// Heads of the infinite injection FIFOs, unless there is software.
    pub heads: Vec<F::Dated>,
    /// How they are filled, by node: normal FIFOs, then those of high priority where there are any.
    pub filling: Vec<Filling>,
    /// Software of the nodes, where it is simulated.
    pub software: Vec<Software>,
    /// What nodes keep of what few machines have.
    pub optional: Vec<Optionals<F::Places>>,
    /// The ends of links that make errors.
    pub noisy: Option<Box<NoisyLinks<F::Label>>>,
    /// Packets that each link has carried.
    pub link_packets: Vec<u32>,
    /// Their chunks, where packets are of different sizes.
    pub link_chunks: Vec<u32>,
    /// Cycles in which each link lacked nothing but tokens.
    pub stalls: Stalls,
    /// Sums over the slab.
    pub totals: Totals,
    /// Posted packets that were delivered.
    pub deliveries: Vec<Delivery>,
    /// What nodes have sent and others have not received.
    pub mail: Outgoing<F::Label>,
    /// How far away in number the node behind each port is: of nodes whose link stays in its line, and of others.
    distances: [[u32; 2 * MAX_DIMENSIONS]; 2],
}

impl<F: Family, const C: usize> Store<F, C> {
    /// Empty arrays for `count` nodes from number `first` on.
    pub fn new<const V: usize>(
        fabric: &Arc<Fabric>,
        source: Option<Arc<dyn Source>>,
        first: u32,
        count: u32,
    ) -> Self {
        let layout = Layout::new::<V>(fabric);
        let nodes = count as usize;
        let is_posted = source.is_none();
        let has_labels = is_posted || fabric.sends_on || fabric.is_paced(false);
        let has_software = fabric.has_software(is_posted);
        let numbers = first..first + if has_software { count } else { 0 };
        Store {
            fabric: fabric.clone(),
            source,
            first,
            packets: filled(nodes * layout.packets, F::Dated::default()),
            labels: filled(if has_labels { nodes * layout.packets } else { 0 }, F::Label::default()),
            notes: filled(nodes * layout.notes, Note::default()),
            heads: filled(if has_software { 0 } else { nodes * layout.fifos }, F::Dated::default()),
            filling: filled(if has_software { 0 } else { nodes * layout.lanes }, Filling::default()),
            software: numbers.map(|number| Software::new(fabric, number)).collect(),
            optional: filled(if fabric.has_options() { nodes } else { 0 }, Optionals::default()),
            noisy: None,
            link_packets: filled(nodes * layout.ports, 0),
            link_chunks: filled(if fabric.packets_are_full() { 0 } else { nodes * layout.ports }, 0),
            stalls: Stalls::new(nodes * layout.ports),
            totals: Totals::default(),
            deliveries: Vec::new(),
            mail: Outgoing::default(),
            distances: measure_links(fabric),
            layout,
        }
    }

    /// The infinite FIFOs of a node that share a lane with `fifo`.
    #[inline(always)]
    pub fn filling_of(&self, local: usize, fifo: usize) -> usize {
        local * self.layout.lanes + !self.fabric.is_normal_fifo(fifo) as usize
    }

    /// The number of the node behind a port of a node whose links at `edges` wrap round.
    #[inline(always)]
    pub fn neighbor(&self, local: usize, edges: u16, port: usize) -> u32 {
        let distance = self.distances[usize::from(edges >> port & 1)][port];
        (self.first + local as u32).wrapping_add(distance)
    }

    /// A packet of the arrays.
    #[inline(always)]
    pub fn packet(&self, index: usize) -> Packet {
        // SAFETY: an index comes from the layout, for a node of the slab.
        unsafe { is_given(index < self.packets.len()) };
        self.packets[index].packet()
    }

    /// The software of a node, where it is simulated.
    #[inline(always)]
    pub fn software(&self, local: usize) -> Option<&Software> {
        if F::IS_PLAIN { None } else { self.software.get(local) }
    }

    /// The same, to change it.
    #[inline(always)]
    pub fn software_mut(&mut self, local: usize) -> Option<&mut Software> {
        if F::IS_PLAIN { None } else { self.software.get_mut(local) }
    }

    /// What goes with a packet of the arrays.
    #[inline(always)]
    pub fn label(&self, index: usize) -> F::Label {
        if F::IS_PLAIN { F::Label::default() } else { self.labels.get(index).copied().unwrap_or_default() }
    }

    /// Some of the notes; nothing where there are none.
    #[inline(always)]
    pub fn notes(&mut self, range: Range<usize>) -> &mut [Note<F::Tick>] {
        if !F::Pending::HAS_ROWS {
            return &mut [];
        }
        // SAFETY: a range comes from the layout, for a node of the slab.
        unsafe { is_given(range.start <= range.end && range.end <= self.notes.len()) };
        &mut self.notes[range]
    }

    /// A packet of the arrays, with all that belongs to it; `now` is less than 2^32 cycles after it was offered.
    #[inline(always)]
    pub fn stored(&self, index: usize, now: u64) -> Stored {
        let (dated, label) = (self.packets[index], self.label(index));
        Stored {
            packet: dated.packet(),
            offered: dated.offered_before(now),
            handle: label.handle(),
            source: label.source(),
        }
    }

    /// Writes a packet into the arrays.
    #[inline(always)]
    pub fn put(&mut self, index: usize, mail: &Mail<F::Label>) {
        // SAFETY: an index comes from the layout, for a node of the slab.
        unsafe { is_given(index < self.packets.len()) };
        self.packets[index] = F::Dated::new(mail.packet, mail.offered);
        if !F::IS_PLAIN
            && let Some(label) = self.labels.get_mut(index)
        {
            *label = mail.label;
        }
    }

    /// Counts a packet on a link.
    #[inline(always)]
    pub fn count_on_link(&mut self, link: usize, chunks: u8) {
        // SAFETY: links are numbered by node of the slab and port.
        unsafe { is_given(link < self.link_packets.len()) };
        self.link_packets[link] += 1;
        if !F::IS_PLAIN
            && let Some(sum) = self.link_chunks.get_mut(link)
        {
            *sum += u32::from(chunks);
        }
    }

    /// The counters of a link, which is or is not stalled.
    pub fn link(&self, link: usize, is_stalled: bool, now: u64) -> LinkCounters {
        let packets = self.link_packets[link];
        let full = u32::from(self.fabric.full_packet);
        let chunks = self.link_chunks.get(link).copied().unwrap_or(packets * full);
        LinkCounters { packets, chunks, stalled_cycles: self.stalls.at(link, is_stalled, now) }
    }

    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.packets[..])
            + size_of_val(&self.labels[..])
            + size_of_val(&self.notes[..])
            + size_of_val(&self.heads[..])
            + size_of_val(&self.filling[..])
            + self.software.len() * Software::typical_bytes(&self.fabric)
            + size_of_val(&self.optional[..])
            + self.noisy.as_ref().map_or(0, |noisy| noisy.bytes(&self.fabric))
            + size_of_val(&self.link_packets[..])
            + size_of_val(&self.link_chunks[..])
            + self.stalls.bytes()
    }
}

/// How far apart in number neighbors are, by port: within a line, and round its end.
fn measure_links(fabric: &Fabric) -> [[u32; 2 * MAX_DIMENSIONS]; 2] {
    let (mut steps, mut wraps) = ([0; 2 * MAX_DIMENSIONS], [0; 2 * MAX_DIMENSIONS]);
    let mut stride = 1u32;
    for (dimension, &length) in fabric.parameters.shape.lengths().iter().enumerate() {
        let (plus, minus) =
            (Direction::new(dimension, true).index(), Direction::new(dimension, false).index());
        let back = stride * (length - 1);
        (steps[plus], wraps[plus]) = (stride, back.wrapping_neg());
        (steps[minus], wraps[minus]) = (stride.wrapping_neg(), back);
        stride *= length;
    }
    [steps, wraps]
}
