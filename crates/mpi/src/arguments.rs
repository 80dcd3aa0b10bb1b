//! The arguments of a call: one description of what each call names. Dry runs, loads, readers and recorders of
//! traces take their answers from it, as they do not make the call themselves.

use crate::call::{Call, Mode, Needed, ReceiveFrom, SendTo, Transfer};
use crate::communicators::WORLD;
use crate::{Collective, Members, RequestSet, Requests, Tuning};

/// The arguments of a call, alike for all its forms: `MPI_Send` has the arguments of [`Call::Send`] and of
/// [`Call::Begin`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arguments<'a> {
    /// The number of the communicator that the call is on.
    pub communicator: Option<u32>,
    /// The message that the call sends, or that its persistent request will send.
    pub send: Option<SendTo>,
    /// The message that the call receives, that its persistent request will receive, or that a probe looks for. A
    /// matched receive has none, as it names a handle.
    pub receive: Option<ReceiveFrom>,
    /// The requests, and what the call does with them.
    pub requests: Option<(RequestSet<'a>, RequestUse)>,
    /// The collective that the call begins, and how it is carried out, if the call states that.
    pub collective: Option<(&'a Collective, Option<&'a Tuning>)>,
    /// The change of the rank's communicators.
    pub change: Option<CommunicatorChange<'a>>,
    /// Whether a program may repeat the call until the answer changes.
    pub is_poll: bool,
}

/// A call's use of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestUse {
    /// An operation begins, and the request is in use.
    Begins,
    /// A persistent request is created.
    Prepares,
    /// Persistent requests are started.
    Starts,
    /// A request is freed.
    Frees,
    /// An operation is withdrawn if it can be.
    Cancels,
    /// A wait or a test ends operations.
    Ends {
        /// The operations that the call needs.
        needed: Needed,
        /// Whether the call waits for them.
        blocks: bool,
    },
}

/// A change of a rank's communicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommunicatorChange<'a> {
    /// All ranks of the call's communicator agree on a new communicator.
    Agrees {
        /// The members, as ranks of the call's communicator; none if this rank gets no new one.
        members: Option<&'a Members>,
        /// The number of the new communicator.
        new: u32,
        /// The place of the new communicator in the order in which class routes are given.
        order: u32,
    },
    /// A communicator is defined without a message.
    Defines {
        /// The members, as ranks of the machine.
        members: &'a Members,
        /// The number of the new communicator.
        new: u32,
        /// The id of the new communicator.
        id: u32,
    },
    /// The call's communicator is freed.
    Frees,
}

/// The arguments of a call that readers and recorders of traces alter. A short form lacks those that it does not
/// name.
#[derive(Debug, Default)]
pub struct ArgumentsMut<'a> {
    /// The numbers of the communicators that the call names: two for a send with a receive.
    pub communicators: [Option<&'a mut u32>; 2],
    /// When the send is complete.
    pub mode: Option<&'a mut Mode>,
    /// The source of a receive or probe.
    pub source: Option<&'a mut Option<u32>>,
    /// The tag of a receive or probe.
    pub tag: Option<&'a mut Option<u32>>,
    /// The number of the first request, if the requests have consecutive numbers.
    pub first_request: Option<&'a mut u32>,
}

const fn one<'a>(request: u32, used: RequestUse) -> Option<(RequestSet<'a>, RequestUse)> {
    Some((RequestSet::one(request), used))
}

impl<'a> Arguments<'a> {
    fn of(transfer: Transfer, requests: Option<(RequestSet<'a>, RequestUse)>) -> Self {
        let (communicator, send, receive) = match transfer {
            Transfer::Send(send) => (send.communicator, Some(send), None),
            Transfer::Receive(receive) => (receive.communicator, None, Some(receive)),
        };
        Arguments { communicator: Some(communicator), send, receive, requests, ..Arguments::default() }
    }

    fn of_probe(message: ReceiveFrom, blocks: bool) -> Self {
        Arguments { is_poll: !blocks, ..Arguments::of(Transfer::Receive(message), None) }
    }

    fn of_collective(communicator: u32, collective: &'a Collective, tuning: Option<&'a Tuning>) -> Self {
        let collective = Some((collective, tuning));
        Arguments { communicator: Some(communicator), collective, ..Arguments::default() }
    }

    fn of_requests(requests: RequestSet<'a>, used: RequestUse) -> Self {
        let is_poll = match used {
            RequestUse::Ends { blocks, .. } => !blocks,
            RequestUse::Begins
            | RequestUse::Prepares
            | RequestUse::Starts
            | RequestUse::Frees
            | RequestUse::Cancels => false,
        };
        Arguments { requests: Some((requests, used)), is_poll, ..Arguments::default() }
    }

    fn of_end(requests: &'a Requests, needed: Needed, blocks: bool) -> Self {
        Arguments::of_requests(requests.set(), RequestUse::Ends { needed, blocks })
    }

    fn of_change(communicator: Option<u32>, change: CommunicatorChange<'a>) -> Self {
        Arguments { communicator, change: Some(change), ..Arguments::default() }
    }

    /// The transfer that the call begins or prepares, if it is a single one.
    pub fn transfer(&self) -> Option<Transfer> {
        match (self.send, self.receive) {
            (Some(send), None) => Some(Transfer::Send(send)),
            (None, Some(receive)) => Some(Transfer::Receive(receive)),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }
}

impl Call {
    /// The collective that the call begins, its tuning, and the number of its communicator.
    pub fn collective(&self) -> Option<(&Collective, Tuning, u32)> {
        let Arguments { collective, communicator, .. } = self.arguments();
        let (collective, tuning) = collective?;
        Some((collective, tuning.copied().unwrap_or_default(), communicator?))
    }

    /// The arguments of the call.
    #[inline]
    pub fn arguments(&self) -> Arguments<'_> {
        let begun = |request: &Option<u32>| request.and_then(|request| one(request, RequestUse::Begins));
        let sent = |target, tag, bytes| Transfer::Send(SendTo::new(target, tag, bytes));
        let received = |source, tag| Transfer::Receive(ReceiveFrom::new(source, tag));
        let of = |request, used| Arguments::of_requests(RequestSet::one(request), used);
        match *self {
            Call::Begin { transfer, ref request } => Arguments::of(transfer, begun(request)),
            Call::Send { target, tag, bytes } => Arguments::of(sent(target, tag, bytes), None),
            Call::SendNonBlocking { target, tag, bytes, request } => {
                Arguments::of(sent(target, tag, bytes), one(request, RequestUse::Begins))
            }
            Call::Receive { source, tag } => Arguments::of(received(source, tag), None),
            Call::ReceiveNonBlocking { source, tag, request } => {
                Arguments::of(received(source, tag), one(request, RequestUse::Begins))
            }
            Call::SendReceive { send, receive } => {
                Arguments { receive: Some(receive), ..Arguments::of(Transfer::Send(send), None) }
            }
            Call::MatchedReceiveNonBlocking { request, .. } => of(request, RequestUse::Begins),
            Call::Prepare { transfer, request } => {
                Arguments::of(transfer, one(request, RequestUse::Prepares))
            }
            Call::Start { ref requests } => Arguments::of_requests(requests.set(), RequestUse::Starts),
            Call::Free { request } => of(request, RequestUse::Frees),
            Call::Cancel { request } => of(request, RequestUse::Cancels),
            Call::Wait { ref requests, needed } => Arguments::of_end(requests, needed, true),
            Call::Test { ref requests } => Arguments::of_end(requests, Needed::All, false),
            Call::TestAny { ref requests } => Arguments::of_end(requests, Needed::Any, false),
            Call::TestSome { ref requests } => Arguments::of_end(requests, Needed::Some, false),
            Call::Find { message, blocks, .. } => Arguments::of_probe(message, blocks),
            Call::Probe { source, tag, blocks } | Call::MatchedProbe { source, tag, blocks } => {
                Arguments::of_probe(ReceiveFrom::new(source, tag), blocks)
            }
            Call::Collect { ref collective, communicator, ref request, ref tuning } => {
                let requests = begun(request);
                Arguments { requests, ..Arguments::of_collective(communicator, collective, Some(tuning)) }
            }
            Call::Collective(ref collective) => Arguments::of_collective(WORLD, collective, None),
            Call::Create { communicator, ref members, new, order } => {
                let change = CommunicatorChange::Agrees { members: members.as_ref(), new, order };
                Arguments::of_change(Some(communicator), change)
            }
            Call::Define { ref members, new, id } => {
                Arguments::of_change(None, CommunicatorChange::Defines { members, new, id })
            }
            Call::FreeCommunicator { communicator } => {
                Arguments::of_change(Some(communicator), CommunicatorChange::Frees)
            }
            Call::Time => Arguments { is_poll: true, ..Arguments::default() },
            Call::MatchedReceive { .. }
            | Call::Abort { .. }
            | Call::Fail
            | Call::Compute { .. }
            | Call::Advance { .. } => Arguments::default(),
        }
    }

    /// The arguments of the call, to be altered.
    pub fn arguments_mut(&mut self) -> ArgumentsMut<'_> {
        let nothing = ArgumentsMut::default;
        match self {
            Call::Begin { transfer, request } => {
                ArgumentsMut { first_request: request.as_mut(), ..transfer.arguments_mut() }
            }
            Call::Prepare { transfer, request } => {
                ArgumentsMut { first_request: Some(request), ..transfer.arguments_mut() }
            }
            Call::SendReceive { send, receive } => {
                let communicators = [Some(&mut send.communicator), Some(&mut receive.communicator)];
                let (source, tag) = (Some(&mut receive.source), Some(&mut receive.tag));
                ArgumentsMut { communicators, mode: Some(&mut send.mode), source, tag, first_request: None }
            }
            Call::Find { message, .. } => message.arguments_mut(),
            Call::Receive { source, tag }
            | Call::Probe { source, tag, .. }
            | Call::MatchedProbe { source, tag, .. } => {
                ArgumentsMut { source: Some(source), tag: Some(tag), ..nothing() }
            }
            Call::ReceiveNonBlocking { source, tag, request } => ArgumentsMut {
                source: Some(source),
                tag: Some(tag),
                first_request: Some(request),
                ..nothing()
            },
            Call::Collect { communicator, request, .. } => ArgumentsMut {
                communicators: [Some(communicator), None],
                first_request: request.as_mut(),
                ..nothing()
            },
            Call::Create { communicator, .. } | Call::FreeCommunicator { communicator } => {
                ArgumentsMut { communicators: [Some(communicator), None], ..nothing() }
            }
            Call::SendNonBlocking { request, .. }
            | Call::MatchedReceiveNonBlocking { request, .. }
            | Call::Free { request }
            | Call::Cancel { request } => ArgumentsMut { first_request: Some(request), ..nothing() },
            Call::Start { requests }
            | Call::Wait { requests, .. }
            | Call::Test { requests }
            | Call::TestAny { requests }
            | Call::TestSome { requests } => {
                ArgumentsMut { first_request: requests.first_mut(), ..nothing() }
            }
            Call::Define { .. }
            | Call::Send { .. }
            | Call::MatchedReceive { .. }
            | Call::Collective(_)
            | Call::Time
            | Call::Abort { .. }
            | Call::Fail
            | Call::Compute { .. }
            | Call::Advance { .. } => nothing(),
        }
    }
}

impl Transfer {
    fn arguments_mut(&mut self) -> ArgumentsMut<'_> {
        match self {
            Transfer::Receive(receive) => receive.arguments_mut(),
            Transfer::Send(SendTo { communicator, mode, .. }) => ArgumentsMut {
                communicators: [Some(communicator), None],
                mode: Some(mode),
                ..ArgumentsMut::default()
            },
        }
    }
}

impl ReceiveFrom {
    fn arguments_mut(&mut self) -> ArgumentsMut<'_> {
        ArgumentsMut {
            communicators: [Some(&mut self.communicator), None],
            source: Some(&mut self.source),
            tag: Some(&mut self.tag),
            ..ArgumentsMut::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Short forms of calls, each with its general form.
    fn forms() -> [[Call; 2]; 7] {
        let send = Transfer::Send(SendTo::new(3, 4, 5));
        let message = ReceiveFrom::new(Some(6), None);
        let receive = Transfer::Receive(message);
        let (source, tag) = (message.source, message.tag);
        let find = |takes, blocks| Call::Find { message, takes, blocks };
        let begin = |transfer, request| Call::Begin { transfer, request };
        [
            [Call::Send { target: 3, tag: 4, bytes: 5 }, begin(send, None)],
            [Call::SendNonBlocking { target: 3, tag: 4, bytes: 5, request: 7 }, begin(send, Some(7))],
            [Call::Receive { source, tag }, begin(receive, None)],
            [Call::ReceiveNonBlocking { source, tag, request: 7 }, begin(receive, Some(7))],
            [Call::Probe { source, tag, blocks: true }, find(false, true)],
            [Call::Probe { source, tag, blocks: false }, find(false, false)],
            [Call::MatchedProbe { source, tag, blocks: false }, find(true, false)],
        ]
    }

    #[test]
    fn the_forms_of_a_call_have_the_same_arguments() {
        for [short, general] in forms() {
            assert_eq!(short.arguments(), general.arguments(), "{short:?}");
        }
        let collective = Call::Collective(Collective::Barrier);
        let (communicator, Some((_, None))) =
            (collective.arguments().communicator, collective.arguments().collective)
        else {
            panic!("it states no tuning")
        };
        assert_eq!(communicator, Some(WORLD));
    }

    /// Altering the arguments of a call alters the call itself.
    #[test]
    fn altered_arguments_are_those_of_the_call() {
        for call in forms().iter().flatten() {
            let mut altered = call.clone();
            let ArgumentsMut { communicators, source, tag, first_request, .. } = altered.arguments_mut();
            let is_general = communicators[0].is_some();
            communicators.into_iter().flatten().for_each(|communicator| *communicator = 9);
            source.into_iter().for_each(|source| *source = Some(10));
            tag.into_iter().for_each(|tag| *tag = Some(11));
            first_request.into_iter().for_each(|request| *request = 12);
            let (before, after) = (call.arguments(), altered.arguments());
            assert_eq!(after.communicator, Some(if is_general { 9 } else { WORLD }), "{call:?}");
            if let (Some(_), Some(receive)) = (before.receive, after.receive) {
                assert_eq!((receive.source, receive.tag), (Some(10), Some(11)), "{call:?}");
            }
            let requests = before.requests.map(|(_, used)| (RequestSet::one(12), used));
            assert_eq!(after.requests, requests, "{call:?}");
        }
    }
}
