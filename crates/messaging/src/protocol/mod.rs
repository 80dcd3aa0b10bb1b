//! Protocols: how a message gets from rank to rank.
//!
//! ```text
//!   sender                                          receiver
//!   eager                the message         --->   recv_new (first packet), recv_done (last)
//!   rendezvous           request to send     --->   recv_new: matched with a receive, now or later
//!                <---    clear to send
//!                        the body            --->   recv_done
//!   message credits      an eager message    --->   matched with a receive, now or later
//!                <---    credits
//! ```
//!
//! What goes from rank to rank as packets of its own is a transfer; each kind is registered in [`registered`] with its
//! callbacks ([`Protocol`]).

mod credits;
mod eager;
mod local;
mod rendezvous;

use crate::transfer::Kind;
use crate::turn::Protocol;

/// What is registered for a kind of transfer.
pub(crate) fn registered(kind: Kind) -> &'static dyn Protocol {
    match kind {
        Kind::Eager => &eager::Eager,
        Kind::Request => &rendezvous::Request,
        Kind::Clear => &rendezvous::Clear,
        Kind::Body => &rendezvous::Body,
        Kind::Credits => &credits::Credits,
    }
}
