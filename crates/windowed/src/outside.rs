//! The other processes of a simulation, as the threads of one see them.

use super::metadata::Metadata;
use super::offered::FarOffers;
use super::options::lossy_links;
use super::outgoing::{News, RemoteEvents};
use network::division::{Division, Parts};
use network::fabric::Fabric;
use network::peers::Peers;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The events for other processes, and what all threads of this one share and others have to know.
pub struct Outside<L> {
    peers: Peers,
    division: Division,
    fabric: Arc<Fabric>,
    far: FarOffers,
    lossy: Option<Arc<lossy_links::Shared>>,
    /// The events for each process since the last swap.
    events: Vec<Mutex<RemoteEvents<L>>>,
    /// The bytes for each process, kept to reuse their allocations.
    messages: Mutex<Vec<Vec<u8>>>,
}

impl<L: Metadata> Outside<L> {
    /// The other processes; none if there is no other.
    pub fn new(
        parts: &Parts,
        fabric: &Arc<Fabric>,
        far: &FarOffers,
        lossy: Option<Arc<lossy_links::Shared>>,
    ) -> Option<Arc<Self>> {
        let Parts { peers, division } = parts.clone();
        if peers.is_alone() {
            return None;
        }
        fabric.collective.iter().for_each(network::collective::Networks::keep_news);
        lossy.iter().for_each(|lossy| lossy.keep_news());
        let events = (0..peers.count()).map(|_| Mutex::new(RemoteEvents::default())).collect();
        let messages = Mutex::new(vec![Vec::new(); peers.count()]);
        let (fabric, far) = (fabric.clone(), far.clone());
        Some(Arc::new(Outside { peers, division, fabric, far, lossy, events, messages }))
    }

    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.peers.count()
    }

    /// The process of a node; none if it is this one.
    pub fn owner_of(&self, node: u32) -> Option<usize> {
        let owner = self.division.owner_of(node);
        (owner != self.peers.number()).then_some(owner)
    }

    /// The least of a number of each process.
    pub fn least(&self, number: u64) -> u64 {
        self.peers.least(number)
    }

    /// Adds events for a process to those of the next swap.
    pub fn send(&self, process: usize, events: &mut RemoteEvents<L>) {
        self.events_for(process).append(events);
    }

    /// Swaps the events of the window that ends at `end`. Returns the earliest next window of all processes, where that
    /// of this one is `next`, and the events of the others.
    pub fn swap(&self, next: u64, end: u64) -> (u64, Vec<RemoteEvents<L>>) {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let news = self.take_news();
        for (process, bytes) in messages.iter_mut().enumerate() {
            bytes.clear();
            if process != self.peers.number() {
                let mut events = self.events_for(process);
                events.news = news.clone();
                events.pack(&self.far, end, bytes);
            }
        }
        let least = self.peers.swap(next, &mut messages);
        let got: Vec<RemoteEvents<L>> =
            messages.iter().map(|bytes| RemoteEvents::unpack(&self.far, end, bytes)).collect();
        (least, got.into_iter().map(|events| self.hear_news(events)).collect())
    }

    fn take_news(&self) -> News {
        let routes = self.fabric.collective.as_ref().map(|networks| networks.take_news());
        let damage = self.lossy.as_ref().map(|lossy| lossy.take_news());
        News { routes: routes.unwrap_or_default(), damage: damage.unwrap_or_default() }
    }

    fn hear_news(&self, mut events: RemoteEvents<L>) -> RemoteEvents<L> {
        let News { routes, damage } = std::mem::take(&mut events.news);
        if let Some(networks) = &self.fabric.collective {
            networks.hear(routes);
        }
        if let Some(lossy) = &self.lossy {
            lossy.hear(damage);
        }
        events
    }

    fn events_for(&self, process: usize) -> MutexGuard<'_, RemoteEvents<L>> {
        self.events[process].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
