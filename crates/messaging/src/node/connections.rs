//! The connections of a rank: how many message credits each has left ([`crate::protocol`]).
//!
//! A connection owns some credits. A rank may also lend credits of a pool to its peers, as their traffic asks for them: with
//! each grant a peer gets up to as many as its connection has, until as many are lent to it as are left in the pool; a peer to
//! which more are lent gives back some that it has used. So some always are left for others. Memories that are shared by the queues
//! of a switch are divided in this way (Choudhury and Hahne: Dynamic queue length thresholds for shared-memory packet switches,
//! IEEE/ACM Trans. Netw. 6, 1998). The rule is assumed: the slides say that the receiver grants by traffic, and not how.

use serde::{Deserialize, Serialize};

/// The credits of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Credits {
    /// Credits that each connection owns.
    pub own: u32,
    /// Credits that each rank lends to its peers.
    pub pool: u32,
}

/// A connection to a peer, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Connection {
    peer: u32,
    /// Credits that were used to send to the peer, and have not been granted again. Below 0 if the peer lends some.
    used: i32,
    /// Credits of the peer that can be granted to it again.
    owed: u32,
    /// Credits of the pool that are lent to the peer.
    lent: u32,
}

/// The connections of a rank, in order of peers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connections {
    connections: Vec<Connection>,
    /// Credits of the pool that are lent to all peers.
    lent: u32,
}

impl Connections {
    /// The connections of a rank that has none.
    pub const NONE: Self = Connections { connections: Vec::new(), lent: 0 };

    /// The connection to a peer.
    fn to(&mut self, peer: u32) -> &mut Connection {
        let place = match self.connections.binary_search_by_key(&peer, |connection| connection.peer) {
            Ok(place) => place,
            Err(place) => {
                self.connections.insert(place, Connection { peer, used: 0, owed: 0, lent: 0 });
                place
            }
        };
        &mut self.connections[place]
    }

    /// Takes a credit for a message to the peer; returns whether one was left.
    pub fn take(&mut self, peer: u32, own: u32) -> bool {
        let connection = self.to(peer);
        let is_there = connection.used < own as i32;
        connection.used += i32::from(is_there);
        is_there
    }

    /// The peer has granted credits.
    pub fn grant(&mut self, peer: u32, credits: u32) {
        self.to(peer).used -= credits as i32;
    }

    /// A credit of the peer is free again. Returns the credits to be granted to the peer now, which are some once it has used
    /// half of those of its connection.
    pub fn free(&mut self, peer: u32, Credits { own, pool }: Credits) -> Option<u32> {
        let left = pool - self.lent;
        let connection = self.to(peer);
        connection.owed += 1;
        let all = own + connection.lent;
        if connection.owed < all.div_ceil(2) {
            return None;
        }
        let owed = std::mem::take(&mut connection.owed);
        let more = left.saturating_sub(connection.lent).div_ceil(2).min(all);
        let fewer = (connection.lent.saturating_sub(left) / 2).min(owed);
        connection.lent = connection.lent + more - fewer;
        self.lent = self.lent + more - fewer;
        Some(owed + more - fewer).filter(|&credits| credits > 0)
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.connections.capacity() * size_of::<Connection>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PEERS: u32 = 5;

    proptest! {
        /// Credits are conserved: what a peer can still send, what is on its way, and what is owed to it are what it owns and
        /// has been lent. So messages that no receive has matched are at most those of all connections and of the pool.
        #[test]
        fn credits_are_conserved(
            own in 1u32..8, pool in 0u32..40, steps in prop::collection::vec((0..PEERS, any::<bool>()), 400),
        ) {
            let mut receiver = Connections::NONE;
            let mut senders = vec![Connections::NONE; PEERS as usize];
            let mut unmatched = [0u32; PEERS as usize];
            for (peer, matches) in steps {
                let (sender, unmatched) = (&mut senders[peer as usize], &mut unmatched[peer as usize]);
                if matches && *unmatched > 0 {
                    *unmatched -= 1;
                    if let Some(credits) = receiver.free(peer, Credits { own, pool }) {
                        sender.grant(0, credits);
                    }
                } else if sender.take(0, own) {
                    *unmatched += 1;
                }
                let Connection { owed, lent, .. } = *receiver.to(peer);
                prop_assert_eq!(sender.to(0).used, (*unmatched + owed) as i32 - lent as i32);
                let all_lent: u32 = receiver.connections.iter().map(|connection| connection.lent).sum();
                prop_assert!(all_lent == receiver.lent && all_lent <= pool);
            }
            prop_assert!(unmatched.into_iter().sum::<u32>() <= own * PEERS + pool);
        }
    }

    #[test]
    fn grants_follow_the_traffic() {
        let (credits, mut connections) = (Credits { own: 2, pool: 16 }, Connections::NONE);
        let mut send = |peer, messages: u32| {
            for _ in 0..messages {
                let _ = connections.free(peer, credits);
            }
            connections.to(peer).lent
        };
        assert_eq!([1, 2, 4, 30].map(|messages| send(1, messages)), [2, 6, 8, 8], "half of the pool is left");
        assert_eq!(send(2, 30), 4, "half of what is left");
        assert_eq!(send(1, 30), 6, "the first gives back until as many are left");
    }
}
