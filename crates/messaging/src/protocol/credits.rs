//! Message credits: a connection, from a rank to another, owns as many as eager messages may be on their way or wait for
//! a receive. The receiver grants them again, half of them at a time, as receives match messages. Without a credit, a
//! message is sent by rendezvous: if it were held back, it would also hold back what the receiver may be waiting for.

use super::{Kind, Protocol};
use crate::parameters::Parameters;
use crate::ranks::Envelope;
use crate::receiving::Arriving;
use crate::sends::Outgoing;
use crate::setup::Setup;
use crate::turn::Turn;
use serde::{Deserialize, Serialize};

/// A connection to a peer, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connection {
    pub peer: u32,
    /// Credits that were used to send to the peer, and have not been granted again.
    pub used: u32,
    /// Credits of the peer that can be granted to it again.
    pub owed: u32,
}

/// The connections of a rank, in order of peers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connections(Vec<Connection>);

impl Connections {
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

    /// Whether restored connections can be those of one of `ranks` ranks with so many credits.
    pub fn can_be_restored(&self, ranks: u32, credits: Option<u32>) -> bool {
        let most = credits.unwrap_or(0);
        self.0.iter().all(|connection| {
            connection.peer < ranks && connection.used <= most && connection.owed < most.max(1)
        }) && self.0.is_sorted_by_key(|connection| connection.peer)
    }

    /// Bytes beside itself.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Connection>()
    }
}

/// Credits that are granted.
pub(super) struct Credits;

impl Protocol for Credits {
    fn packets(&self, _: &Setup, _: u64) -> u32 {
        1
    }

    fn chunks(&self, setup: &Setup, _: u64, _: u32) -> u8 {
        setup.control_chunks
    }

    fn is_deterministic(&self, _: &Setup) -> bool {
        true
    }

    fn dispatch(&self, _: &Parameters, _: u8) -> u64 {
        0
    }

    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles, 0)
    }

    fn setup(&self, parameters: &Parameters) -> u32 {
        parameters.setup_processor_cycles
    }

    fn recv_new(&self, _: &mut Turn<'_, '_>, _: &Arriving, _: u64) {}

    fn recv_done(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, _: u64) {
        let Envelope([credits, _]) = arriving.message.envelope;
        let rank = turn.cores[usize::from(arriving.core)].rank.as_mut().expect("a rank has used the credits");
        rank.connections.to(arriving.message.source).used -= credits as u32;
    }

    fn send_done(&self, _: &mut Turn<'_, '_>, _: &Outgoing) -> bool {
        false
    }
}

impl Turn<'_, '_> {
    /// Takes a credit for a message of the rank to another; returns whether there is one.
    pub fn take_credit(&mut self, target: u32) -> bool {
        let Some(credits) = self.setup.parameters.message_credits else { return true };
        let connection = self.rank().connections.to(target);
        let is_there = connection.used < credits;
        connection.used += u32::from(is_there);
        is_there
    }

    /// A receive has matched an eager message of a peer, whose credit is free again.
    pub fn free_credit(&mut self, core: usize, peer: u32, time: u64) {
        let Some(credits) = self.setup.parameters.message_credits else { return };
        let rank = self.cores[core].rank.as_mut().expect("a rank has connections");
        let connection = rank.connections.to(peer);
        connection.owed += 1;
        if connection.owed >= credits.div_ceil(2) {
            let owed = std::mem::take(&mut connection.owed);
            self.send_control(core, peer, Kind::Credits, Envelope([owed.into(), 0]), time);
        }
    }
}
