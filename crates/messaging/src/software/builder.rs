//! Builds the message layer of a part of the machine, and estimates its memory.

use super::Messaging;
use crate::mapping::RankMap;
use crate::node::Shared;
use crate::node::core::Core;
use crate::node::counters::Counts;
use crate::node::rank::Rank;
use crate::parameters::Parameters;
use crate::ranks::Ranks;
use crate::scheduler::Scratch;
use crate::setup::{Messages, Setup};
use crate::software::memory_estimate::{Load, LoadedNodes};
use crate::time_lines::observer::Observer;
use crate::time_lines::observer_state::ObserverState;
use crate::transfers::spread::Spread;
use base::ParameterError;
use base::memory;
use network::SoftwareBuilder;
use network::collective::tree::name;
use network::fabric::Fabric;
use network::node::fifos::ReceptionRoom;
use network::node::pool::Pool;
use network::node::software::NodeSoftware;
use std::sync::Arc;

/// The approximate bytes of a node's part of the collective networks while packets pass: measured with an all-reduce.
const BYTES_OF_COLLECTIVE_NETWORKS: usize = 1_200;

/// Makes the ranks of a part of the machine, given the rank of each of its cores.
type NewRanks = dyn Fn(&[Option<u32>]) -> Box<dyn Ranks> + Send + Sync;

/// Makes the observer of a part of the machine.
type NewObserver = dyn Fn() -> Box<dyn Observer> + Send + Sync;

/// Builds the software of nodes.
#[derive(Clone)]
pub struct MessagingBuilder {
    setup: Arc<Setup>,
    lines_per_node: usize,
    /// The rank of each time line, node by node.
    ranks: Arc<Vec<Option<u32>>>,
    new_ranks: Arc<NewRanks>,
    new_observer: Option<Arc<NewObserver>>,
    /// The loads of some ranks: what they have under way.
    loads: Vec<Load>,
    reception: ReceptionRoom,
    injection_fifos: usize,
}

impl MessagingBuilder {
    /// Ranks placed by `map` on a machine, made by `new_ranks`, which send these messages.
    ///
    /// # Errors
    /// The first of the layer's parameters outside its range.
    pub fn new(
        network: &network::Parameters,
        parameters: &Parameters,
        map: RankMap,
        messages: Messages,
        new_ranks: impl Fn(&[Option<u32>]) -> Box<dyn Ranks> + Send + Sync + 'static,
    ) -> Result<Self, ParameterError> {
        parameters.check(&network.packet)?;
        let setup = Setup::new(network, parameters, map, messages);
        let lines_of_cores = usize::from(network.node.cores) * setup.lines_of_core;
        let lines_per_node = setup.dma_line.map_or(lines_of_cores, |line| line + 1);
        let mut ranks = vec![None; network.shape.nodes() as usize * lines_per_node];
        for rank in 0..setup.map.ranks() {
            let node = setup.map.place(rank).node as usize;
            ranks[node * lines_per_node + setup.line(rank)] = Some(rank);
        }
        Ok(MessagingBuilder {
            setup: Arc::new(setup),
            lines_per_node,
            ranks: Arc::new(ranks),
            new_ranks: Arc::new(new_ranks),
            new_observer: None,
            loads: Vec::new(),
            reception: ReceptionRoom::of(network),
            injection_fifos: network.node.injection_fifos(),
        })
    }

    /// Lets the ranks use the collective networks.
    ///
    /// # Panics
    /// When the builder has been cloned.
    #[must_use]
    pub fn on_collective_networks(mut self) -> Self {
        let nodes = self.ranks.len() / self.lines_per_node;
        let setup = Arc::get_mut(&mut self.setup).expect("nobody else has the setup yet");
        let mut participants = vec![0; nodes];
        for place in (0..setup.map.ranks()).map(|rank| setup.map.place(rank)) {
            participants[place.node as usize] |= 1 << place.core;
        }
        let names = (0..setup.map.ranks()).map(name).fold(0, u64::wrapping_add);
        setup.all_contributions = (setup.map.ranks(), names);
        setup.participants = Some(participants.into());
        setup.is_plain = false;
        self
    }

    /// Lets the ranks send messages along lines.
    ///
    /// # Panics
    /// When the builder has been cloned.
    #[must_use]
    pub fn depositing(mut self) -> Self {
        let setup = Arc::get_mut(&mut self.setup).expect("nobody else has the setup yet");
        setup.deposits = true;
        self
    }

    /// Adds an observer of each part of the machine.
    #[must_use]
    pub fn observed(self, new_observer: impl Fn() -> Box<dyn Observer> + Send + Sync + 'static) -> Self {
        MessagingBuilder { new_observer: Some(Arc::new(new_observer)), ..self }
    }

    /// Gives the loads of some ranks, which stand for all. They only serve to estimate the memory of the ranks.
    #[must_use]
    pub fn loaded(self, loads: Vec<Load>) -> Self {
        MessagingBuilder { loads, ..self }
    }

    /// Bytes of what ranks have under way and keep, on all nodes: the mean of the loads.
    fn loaded_bytes(&self) -> usize {
        let ranks_of = |lines: &[Option<u32>]| lines.iter().flatten().count();
        let ranks_per_node = self.ranks.chunks(self.lines_per_node).map(ranks_of).max().unwrap_or(0);
        let nodes = LoadedNodes {
            setup: &self.setup,
            reception: self.reception,
            ranks_per_node,
            fifos: self.injection_fifos,
        };
        let of_nodes: usize = self.loads.iter().map(|load| nodes.bytes(load)).sum();
        let parts = self.loads.len() * ranks_per_node;
        (self.setup.map.ranks() as usize * of_nodes).checked_div(parts).unwrap_or(0)
    }

    /// The message layer of nodes `first..first + nodes`.
    pub(crate) fn messaging(&self, fabric: &Fabric, first: u32, nodes: usize) -> Messaging {
        let slots = first as usize * self.lines_per_node..(first as usize + nodes) * self.lines_per_node;
        Messaging::new(fabric, self, &self.ranks[slots], nodes)
    }
}

impl SoftwareBuilder for MessagingBuilder {
    fn build(&self, fabric: &Fabric, first: u32, nodes: usize) -> Box<dyn NodeSoftware> {
        Box::new(self.messaging(fabric, first, nodes))
    }

    fn smallest_chunks(&self) -> u8 {
        self.setup.smallest_chunks
    }

    fn deposits(&self) -> bool {
        self.setup.deposits
    }

    fn participants(&self) -> Option<Arc<[u64]>> {
        self.setup.participants.clone()
    }

    fn ranks_at(&self, node: u32) -> u32 {
        let first = node as usize * self.lines_per_node;
        self.ranks[first..first + self.lines_per_node].iter().flatten().count() as u32
    }

    fn state_bytes(&self) -> u64 {
        let of_cores = self.ranks.len() * (size_of::<Core>() + size_of::<Option<u32>>());
        let of_nodes = self.ranks.len() / self.lines_per_node * size_of::<Shared>();
        let collective =
            self.setup.participants.as_ref().map_or(0, |nodes| nodes.len() * BYTES_OF_COLLECTIVE_NETWORKS);
        (of_cores + of_nodes + collective + self.loaded_bytes()) as u64
    }
}

impl Messaging {
    fn new(fabric: &Fabric, builder: &MessagingBuilder, ranks: &[Option<u32>], nodes: usize) -> Self {
        let parameters = &fabric.parameters.node;
        let (sets, fifos) = (parameters.fifo_sets(), parameters.injection_fifos());
        let spread = if builder.setup.spreads { nodes } else { 0 };
        let unfinished = ranks.iter().flatten().count() as u32;
        Messaging {
            setup: builder.setup.clone(),
            lines_per_node: builder.lines_per_node,
            cores: memory::collected(ranks.iter().map(|rank| Core::new(rank.map(Rank::new)))),
            shared: memory::filled(nodes, Shared::default()),
            pool: Pool::default(),
            spreads: vec![Spread::default(); spread * sets],
            unwritten: vec![0; spread * fifos],
            sets,
            fifos,
            ranks: (builder.new_ranks)(ranks),
            scratch: Scratch::default(),
            observer: builder.new_observer.as_ref().map(|new| ObserverState::new(new(), ranks.len())),
            counts: Counts { unfinished, busy: unfinished, ..Counts::default() },
        }
    }
}
