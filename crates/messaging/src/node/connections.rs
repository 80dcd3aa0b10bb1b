//! The connections of a rank: how many message credits each has left ([`crate::protocol`]).

use serde::{Deserialize, Serialize};

/// A connection to a peer, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Connection {
    peer: u32,
    /// Credits that were used to send to the peer, and have not been granted again.
    used: u32,
    /// Credits of the peer that can be granted to it again.
    owed: u32,
}

/// The connections of a rank, in order of peers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connections(Vec<Connection>);

impl Connections {
    /// The connections of a rank that has none.
    pub const NONE: Self = Connections(Vec::new());

    /// The connection to a peer.
    fn to(&mut self, peer: u32) -> &mut Connection {
        let place = match self.0.binary_search_by_key(&peer, |connection| connection.peer) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, Connection { peer, used: 0, owed: 0 });
                place
            }
        };
        &mut self.0[place]
    }

    /// Takes one of `credits` credits for a message to the peer; returns whether one was left.
    pub fn take(&mut self, peer: u32, credits: u32) -> bool {
        let connection = self.to(peer);
        let is_there = connection.used < credits;
        connection.used += u32::from(is_there);
        is_there
    }

    /// The peer has granted credits again.
    pub fn grant(&mut self, peer: u32, credits: u32) {
        self.to(peer).used -= credits;
    }

    /// A credit of the peer is free again. Returns the credits to be granted to the peer now, once they are at least
    /// `min`.
    pub fn free(&mut self, peer: u32, min: u32) -> Option<u32> {
        let connection = self.to(peer);
        connection.owed += 1;
        (connection.owed >= min).then(|| std::mem::take(&mut connection.owed))
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Connection>()
    }
}
