//! Message credits: a connection, from a rank to another, owns as many as eager messages may be on their way or wait for
//! a receive. The receiver grants them again, half of them at a time, as receives match messages. Without a credit, a
//! message is sent by rendezvous: if it were held back, it would also hold back what the receiver may be waiting for.

use crate::parameters::Parameters;
use crate::ranks::Envelope;
use crate::receiving::Arriving;
use crate::transfer::Kind;
use crate::turn::{Protocol, Turn};

/// Credits that are granted.
pub(super) struct Credits;

impl Protocol for Credits {
    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles, 0)
    }

    fn recv_done(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, _: u64) {
        let Envelope([credits, _]) = arriving.message.envelope;
        let rank = turn.cores[usize::from(arriving.core)].rank.as_mut().expect("a rank has used the credits");
        rank.unsettled.connections.grant(arriving.message.source, credits as u32);
    }
}

impl Turn<'_, '_> {
    /// Takes a credit for a message of the rank to another; returns whether there is one.
    pub fn take_credit(&mut self, target: u32) -> bool {
        let Some(credits) = self.setup.parameters.message_credits else { return true };
        self.rank().unsettled.connections.take(target, credits)
    }

    /// A receive has matched an eager message of a peer, whose credit is free again.
    pub fn free_credit(&mut self, core: usize, peer: u32, time: u64) {
        let Some(credits) = self.setup.parameters.message_credits else { return };
        let rank = self.cores[core].rank.as_mut().expect("a rank has connections");
        if let Some(owed) = rank.unsettled.connections.free(peer, credits.div_ceil(2)) {
            self.send_control(core, peer, Kind::Credits, Envelope([owed.into(), 0]), time);
        }
    }
}
